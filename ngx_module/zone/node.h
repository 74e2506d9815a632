
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_NODE_H_INCLUDED_
#define _NGX_HTTP_DT_NODE_H_INCLUDED_


#include "ngx_module/zone/zone.h"


#define NGX_HTTP_DT_MAX_QUEUED   128
#define NGX_HTTP_DT_LEASE        60000 /* ms that a job may run, once
                                                  taken and with a learner */

#define NGX_HTTP_DT_MAX_FAILED   4
#define NGX_HTTP_DT_MAX_LATER    8
#define NGX_HTTP_DT_MAX_TOLD     64

/* copies that a worker may have whatever they take */

#define NGX_HTTP_DT_COPIES       64


typedef enum {
    NGX_HTTP_DT_STATE_IDLE = 0,
    NGX_HTTP_DT_STATE_QUEUED,
    NGX_HTTP_DT_STATE_RUNNING
} ngx_http_dt_state_e;


/* words for log and status, by ..._kind_e, ..._state_e and ..._result_e */
extern ngx_str_t  ngx_http_dt_kinds[];
extern ngx_str_t  ngx_http_dt_states[];
extern ngx_str_t  ngx_http_dt_results[];


/* a stored job: what is behind the two URLs, then these, each NUL-ended */

#define NGX_HTTP_DT_JOB_TAIL                                                  \
    (sizeof(ngx_http_dt_job_t)                                                \
     - offsetof(ngx_http_dt_job_t, connect))


/* a key page that nothing could be learned from */

typedef struct {
    uint64_t                       key;
    ngx_uint_t                     failures;   /* in a row; 0: no such page */
    ngx_msec_t                     next;       /* attempt */
} ngx_http_dt_failed_t;


/* a page that is to be learned from when the job under way has ended */

typedef struct {
    u_char                        *job;
    uint64_t                       key;
    ngx_uint_t                     want;       /* percent of loads */
} ngx_http_dt_later_t;


/*
 * Times of jobs are by ngx_current_msec, which nobody sets.  What each request
 * reads is at the end, beside the name.
 */

typedef struct ngx_http_dt_node_s          ngx_http_dt_node_t;

struct ngx_http_dt_node_s {
    ngx_queue_t                    jobs;       /* of queued or running */
    u_char                        *job;
    ngx_uint_t                     kind;
    uint64_t                       ticket;
    ngx_pid_t                      owner;      /* running: who took it */
    ngx_msec_t                     deadline;   /* running: end of lease */
    ngx_msec_t                     not_before; /* queued */
    ngx_msec_t                     denied;     /* see work */
    ngx_uint_t                     bad;        /* likewise */

    ngx_uint_t                     spent;      /* requests of what failed */
    ngx_uint_t                     failures;   /* that used up all loads */
    ngx_msec_t                     next;       /* attempt, when delayed */
    ngx_uint_t                     source;
    ngx_http_dt_pages_t            pages;
    ngx_http_dt_failed_t           failed[NGX_HTTP_DT_MAX_FAILED];
    ngx_http_dt_later_t            later[NGX_HTTP_DT_MAX_LATER];
    ngx_uint_t                     nlater;
    u_char                         reason[NGX_HTTP_DT_REASON_LEN];
                                               /* of the last failure */

    unsigned                       expired:1;
    unsigned                       no_room:1;
    unsigned                       failing:1;  /* since it was learned */
    unsigned                       delayed:1;  /* all of the site */
    ngx_uint_t                     state;
    time_t                         valid;
    time_t                         refresh;
    dt_template_info_t             info;
    uint64_t                       tag;        /* of blob, for entity tags */
    uint64_t                       generation; /* of blob, zone-wide */
    void                          *blob;       /* and a key page's URL, with
                                                  a NUL */
    time_t                         accessed;
    ngx_queue_t                    lru;
    ngx_http_dt_node_t            *other;      /* in the same slot */
    uint32_t                       hash;
    ngx_str_t                      name;       /* behind us */
};


/* what was said in the log of a site and reason */

typedef struct {
    uint32_t                       hash;
    unsigned                       used:1;
    ngx_msec_t                     at;
} ngx_http_dt_told_t;


typedef struct {
    ngx_uint_t                     layout;
    ngx_uint_t                     nsites;     /* a power of two: slots */
    ngx_http_dt_node_t           **sites;      /* by hash */
    ngx_queue_t                    lru;        /* latest used first */
    ngx_queue_t                    queued;
    ngx_queue_t                    running;
    uint64_t                       generation;
    uint64_t                       ticket;
    ngx_uint_t                     loaded;
    ngx_uint_t                     chosen;     /* sites, not yet forgotten */
    ngx_msec_t                     chosen_at;  /* when one was */
    ngx_http_dt_counters_t          counters;
    ngx_http_dt_told_t             told[NGX_HTTP_DT_MAX_TOLD];
    u_char                         key[NGX_HTTP_DT_KEY_LEN + 1];
    u_char                         token[NGX_HTTP_DT_KEY_LEN + 1];
} ngx_http_dt_shctx_t;


struct ngx_http_dt_zone_s {
    ngx_http_dt_shctx_t           *sh;
    ngx_slab_pool_t               *shpool;
    ngx_shm_zone_t                *shm_zone;
    ngx_cycle_t                   *cycle;
    ngx_queue_t                    copies;     /* latest used first */
    ngx_uint_t                     ncopies;
    size_t                         copied;     /* bytes */
    size_t                         most_copied;
    ngx_uint_t                     nslots;     /* a power of two */
    ngx_http_dt_template_t          **slots;   /* the same, by hash */
    uint64_t                       seed;
    ngx_uint_t                     manager;    /* there is such a process */
    ngx_fd_t                       pipe[2];    /* a byte wakes it */
    unsigned                       wake:1;     /* this process has to */
};


/*
 * Sites in shared memory; the caller holds the lock.  What allocates may
 * evict other sites than node, unless they are being learned.
 */

ngx_http_dt_node_t *ngx_http_dt_node_find(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash);

/* what they lie by, also in other tables; needs no lock */
uint32_t ngx_http_dt_node_hash(ngx_http_dt_zone_t *zone, ngx_str_t *site);

/* NULL: no room even after eviction */
ngx_http_dt_node_t *ngx_http_dt_node_create(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash);

void ngx_http_dt_node_touch(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);
void ngx_http_dt_node_delete(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);

/* ends the site's job, if it has one */
void ngx_http_dt_node_idle(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node);

/* whether the site is still learned under this ticket; node may be NULL */
ngx_uint_t ngx_http_dt_node_owned(ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work);

/* NGX_DECLINED: no job, a job already, back-off, or a full queue */
ngx_int_t ngx_http_dt_node_enqueue(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_job_t *job, ngx_uint_t kind);

/* whether the queue is: sites that requests have chosen leave half of it */
ngx_uint_t ngx_http_dt_node_full(ngx_http_dt_zone_t *zone,
    ngx_http_dt_job_t *job);

/* a job as it is stored: the bytes it takes; writes it; reads it */
size_t ngx_http_dt_job_size(ngx_http_dt_job_t *job);
void ngx_http_dt_job_store(u_char *p, ngx_http_dt_job_t *job);
void ngx_http_dt_job_load(u_char *p, ngx_http_dt_job_t *job);

void *ngx_http_dt_node_alloc(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, size_t size);

/* forgets the site's template */
void ngx_http_dt_node_clear(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);


#endif /* _NGX_HTTP_DT_NODE_H_INCLUDED_ */
