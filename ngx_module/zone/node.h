
/*
 * Copyright (C) The detemplate authors
 *
 * Declarations for the files of the zone.  The caller holds the lock.
 */


#ifndef _NGX_HTTP_DT_NODE_H_INCLUDED_
#define _NGX_HTTP_DT_NODE_H_INCLUDED_


#include "core/template/template.h"
#include "ngx_module/zone/site.h"


/* the reservoir of a site: some of the pages that visitors asked for */

#define NGX_HTTP_DT_PAGES     16
#define NGX_HTTP_DT_LOW       8     /* of them, for pages that showed little */


struct ngx_http_dt_node_s;

typedef struct {
    u_char                        *url;        /* with a NUL */
    uint64_t                       key;        /* see ngx_http_dt_job_t */
    uint32_t                       shape;      /* of the path */
    uint32_t                       where;      /* it is asked: a hash */
    unsigned                       low:1;      /* it showed little */
    unsigned                       tried:1;    /* as a key page, in vain */
    unsigned                       stored:1;   /* see store.c */
} ngx_http_dt_page_t;


/*
 * Offers the page of a job to the reservoir, which takes it if its rank is low
 * enough, and if there is memory without evicting a site.  Returns whether the
 * reservoir has the page and it was not tried.
 */
ngx_uint_t ngx_http_dt_pages_add(ngx_http_dt_zone_t *zone,
    struct ngx_http_dt_node_s *node, ngx_http_dt_job_t *job, ngx_uint_t low);


/* marks the page with this key as tried; returns whether another one is
   left */
ngx_uint_t ngx_http_dt_pages_tried(struct ngx_http_dt_node_s *node,
    uint64_t key);

/* whether a page showed little since pages were drawn */
ngx_uint_t ngx_http_dt_pages_low(struct ngx_http_dt_node_s *node);

/*
 * Draws a key page for job, which is the site's last, from the pages that are
 * asked where its own is, those first that were not tried.  Writes all of them
 * to buf, each with a newline behind it but the last, those first that showed
 * little.  The seed changes, so that other pages get low ranks.  buf has room
 * for NGX_HTTP_DT_PAGES strings of NGX_HTTP_DT_MAX_URI bytes.
 */
void ngx_http_dt_pages_draw(struct ngx_http_dt_node_s *node,
    ngx_http_dt_job_t *job, u_char *buf);


/*
 * The shared memory, and its sites: a node holds all that the zone knows of
 * one site.
 */

#define NGX_HTTP_DT_MAX_LOGGED   64
#define NGX_HTTP_DT_MAX_OFF      32     /* pages off the template */
#define NGX_HTTP_DT_BUCKETS      32
#define NGX_HTTP_DT_SITES_ASKED  128    /* whose requests are counted */


/*
 * The state of a site's job, which ngx_http_dt_node_state() moves.  QUEUED
 * stands for RESTING too, before the time of the next attempt.
 *
 *           wanted           taken             wanted
 *     IDLE --------> QUEUED -------> RUNNING ---------> AGAIN
 *      ^ ^            | ^ ^            | |                |
 *      | |   pinned   | | |    waits   | |      ended     |
 *      | +------------+ | +------------+ |                |
 *      |                +----------------|----------------+
 *      +---------------------------------+  ended
 */

/*
 * Times in ngx_msec_t are those of ngx_current_msec, which no change of the
 * clock affects.  The fields that each request reads are at the end, beside
 * the name.
 */

typedef struct ngx_http_dt_node_s          ngx_http_dt_node_t;
typedef struct ngx_http_dt_trouble_s       ngx_http_dt_trouble_t;

struct ngx_http_dt_node_s {
    ngx_queue_t                    mail;       /* in sh->mail, while mailed */
    u_char                        *job;        /* of the last page that wanted
                                                  learning: packed, or NULL */
    uint64_t                       ticket;     /* running: the work's */
    ngx_uint_t                     npages;
    ngx_http_dt_page_t             pages[NGX_HTTP_DT_PAGES];
                                               /* see node.c */
    uint64_t                       seed;       /* of their ranks */

    ngx_uint_t                     vain;       /* rests in a row after
                                                  learnings that found nothing
                                                  new */
    ngx_uint_t                     failures;   /* in a row */
    ngx_uint_t                     thin;       /* learnings in a row that found
                                                  too few pages */
    ngx_uint_t                     stored;     /* pages, since the last work */
    time_t                         mute;       /* until then its pages are not
                                                  requested, only stored */
    ngx_msec_t                     next;       /* attempt, not before */
    ngx_uint_t                     source;
    u_char                         reason[NGX_HTTP_DT_REASON_LEN];
                                               /* of the last failure */
    ngx_http_dt_trouble_t         *trouble;    /* likewise, or NULL */

    unsigned                       barren:1;   /* requests to it are mostly
                                                  in vain */
    unsigned                       mailed:1;   /* the manager is to see it */
    unsigned                       expired:1;  /* it had a template */
    unsigned                       failing:2;  /* since the last template:
                                                  FAIL_ */
    unsigned                       rest:2;     /* REST_ */
    unsigned                       from_host:1;  /* see ngx_http_dt_job_t */
    unsigned                       named:1;    /* likewise, of the job */
    uint32_t                       server;     /* likewise */
    unsigned                       pinned:2;   /* its template stays */
    time_t                         anew;       /* since then it is to be
                                                  learned as if nothing were
                                                  known; or 0 */
    ngx_uint_t                     state;
    time_t                         redesigned_at;  /* 0: never */
    ngx_http_dt_served_t           served;
    time_t                         valid;
    time_t                         refresh;
    dt_template_info_t             info;
    uint64_t                       generation; /* of blob, zone-wide */
    void                          *blob;       /* the template, then the URL
                                                  of a key page and a NUL */
    time_t                         created;
    time_t                         accessed;
    ngx_queue_t                    lru;
    ngx_http_dt_node_t            *next_node;  /* in the same slot */
    uint32_t                       hash;
    ngx_str_t                      name;       /* follows the node */
};


/* a line of the log about a site and reason */

typedef struct {
    uint32_t                       hash;
    unsigned                       used:1;
    ngx_msec_t                     at;
    ngx_uint_t                     reason;
    ngx_http_dt_trouble_t         *trouble;    /* for the status, or NULL */
} ngx_http_dt_logged_t;


/* new names of a server, and requests to a site: see want.c */

typedef struct {
    ngx_msec_t                     empty;      /* when it will be */
    uint32_t                       key;        /* ngx_http_dt_job_t's server,
                                                  or a site's hash */
} ngx_http_dt_bucket_t;


/* the root of shared memory */

typedef struct {
    ngx_uint_t                     nsites;     /* a power of two: slots */
    ngx_http_dt_node_t           **sites;      /* by hash */
    ngx_queue_t                    lru;        /* latest used first */
    ngx_queue_t                    mail;       /* sites for the manager */
    ngx_queue_t                    commands;   /* see control.c */
    uint64_t                       generation;
    uint64_t                       ticket;
    ngx_pid_t                      manager;    /* that leads, or led */
    ngx_uint_t                     loaded;     /* snapshots were read */
    ngx_http_dt_bucket_t           buckets[NGX_HTTP_DT_BUCKETS];
    ngx_http_dt_bucket_t           asked[NGX_HTTP_DT_SITES_ASKED];
    ngx_http_dt_counters_t         counters;
    ngx_atomic_t                   stored;     /* bytes of stored pages */
    ngx_http_dt_fleet_t            fleet;
    ngx_http_dt_logged_t           logged[NGX_HTTP_DT_MAX_LOGGED];
    ngx_http_dt_trouble_t         *off[NGX_HTTP_DT_MAX_OFF];
    u_char                         key[NGX_HTTP_DT_KEY_LEN + 1];
    u_char                         token[NGX_HTTP_DT_KEY_LEN + 1];
} ngx_http_dt_shctx_t;


/* the zone as one cycle of one process holds it */

struct ngx_http_dt_zone_s {
    ngx_http_dt_shctx_t           *sh;
    ngx_slab_pool_t               *shpool;
    ngx_shm_zone_t                *shm_zone;
    ngx_cycle_t                   *cycle;
    ngx_queue_t                    copies;     /* latest used first */
    ngx_uint_t                     ncopies;
    size_t                         copied;     /* bytes */
    size_t                         max_copied;
    ngx_uint_t                     nslots;     /* a power of two */
    ngx_http_dt_template_t       **slots;      /* the copies, by hash */
    uint64_t                       seed;       /* of hashes of sites */
    ngx_uint_t                     manager;    /* there is a manager process */
    ngx_atomic_t                  *stored;     /* in sh */
    ngx_fd_t                       pipe[2];    /* a byte wakes the manager */
    unsigned                       wake:1;     /* a byte is to be written */
};


/* the time before the next attempt */

typedef enum {
    NGX_HTTP_DT_REST_FULL = 0,   /* nothing is tried, */
    NGX_HTTP_DT_REST_LIGHT,      /* but a page that was not tried may be, */
    NGX_HTTP_DT_REST_ROUSED      /* and was */
} ngx_http_dt_rest_e;


/* learnings have failed since the site was learned */

typedef enum {
    NGX_HTTP_DT_FAIL_NONE = 0,
    NGX_HTTP_DT_FAIL,
    NGX_HTTP_DT_FAIL_ROOM        /* the zone had none for the template */
} ngx_http_dt_fail_e;


/* whether the site is being learned */
#define ngx_http_dt_node_runs(node)                                           \
    ((node)->state >= NGX_HTTP_DT_STATE_RUNNING)

/* whether nothing may replace or drop the site's template */
#define ngx_http_dt_node_stays(node)  ((node)->pinned && !(node)->anew)


/*
 * The caller holds the lock.  Functions that allocate may evict any site but
 * the given one and those whose jobs are running.
 */

ngx_http_dt_node_t *ngx_http_dt_node_find(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash);

/* takes the lock, and finds the site's node, or NULL */
ngx_http_dt_node_t *ngx_http_dt_node_lock(ngx_http_dt_zone_t *zone,
    ngx_str_t *site);

/* the hash of a site's name; needs no lock */
uint32_t ngx_http_dt_node_hash(ngx_http_dt_zone_t *zone, ngx_str_t *site);

/* NULL: there is no room even after eviction */
ngx_http_dt_node_t *ngx_http_dt_node_create(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash);

/* makes the node the latest used */
void ngx_http_dt_node_touch(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);

void ngx_http_dt_node_delete(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);

/* moves the state, and counts */
void ngx_http_dt_node_state(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_uint_t state);

/* resets the site's learning: it wants none, and no job is queued or
   running */
void ngx_http_dt_node_idle(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);

/* frees the site's template, if it has one */
void ngx_http_dt_node_drop_template(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);

/* NULL: there is no room even after eviction of others than keep */
void *ngx_http_dt_node_alloc(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *keep, size_t size);


/*
 * Trouble: a status entry about a page that could not be learned from, or
 * showed nothing of its site's template.
 */

struct ngx_http_dt_trouble_s {
    time_t                         at;
    u_char                         text[1];    /* detail, URL, site: each with
                                                  a NUL behind it */
};


/*
 * Replaces *trouble, which may be NULL, by one of now.  Of each text as many
 * bytes are taken as a row of the status has.  No site is evicted for it: in a
 * full zone *trouble becomes NULL.
 */
void ngx_http_dt_trouble_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble, ngx_str_t *detail, ngx_str_t *url,
    ngx_str_t *site);

/* frees *trouble, which may be NULL */
void ngx_http_dt_trouble_drop(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble);

/* the next text behind this one */
#define ngx_http_dt_trouble_next(text)  ((text) + ngx_strlen(text) + 1)

/*
 * Whether a line about this site and reason may be logged now, as none was
 * within an hour.  If so, counts it as logged, and keeps the detail and the
 * URI for the status.
 */
ngx_uint_t ngx_http_dt_trouble_log(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t reason, ngx_str_t *detail, ngx_str_t *uri);

/* notes a page that showed nothing of its site's template */
void ngx_http_dt_trouble_off(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_str_t *uri);


#endif /* _NGX_HTTP_DT_NODE_H_INCLUDED_ */
