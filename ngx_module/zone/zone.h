
/*
 * Copyright (C) The detemplate authors
 *
 * Shared memory: templates, the queue of jobs, counters.  This header has the
 * functions for workers; work.h has those for the manager.
 */


#ifndef _NGX_HTTP_DT_ZONE_H_INCLUDED_
#define _NGX_HTTP_DT_ZONE_H_INCLUDED_


#include "core/template/template.h"
#include "ngx_module/detemplate.h"


#define NGX_HTTP_DT_MAX_SITE    255
#define NGX_HTTP_DT_MAX_URI     2048
#define NGX_HTTP_DT_MAX_ORIGIN  1024
#define NGX_HTTP_DT_MAX_LINK    255   /* bytes of a key page's URL */
#define NGX_HTTP_DT_REASON_LEN  32    /* of a failure */
#define NGX_HTTP_DT_DETAIL      128   /* bytes of the field or value that
                                         decided */
#define NGX_HTTP_DT_CLOCK_SKEW  3600  /* seconds */
#define NGX_HTTP_DT_AGAIN       60    /* seconds */


/*
 * Whether a time that should be past is ahead of the clock: it was written
 * while the clock was wrong, and a state that depends on it could stay for
 * years.
 */

#define ngx_http_dt_ahead(t)                                                  \
    ((t) > ngx_time() + NGX_HTTP_DT_CLOCK_SKEW)

/* hex digits of the zone's secret key, by which a learner is known */
#define NGX_HTTP_DT_KEY_LEN     32


/* where a template came from */

typedef enum {
    NGX_HTTP_DT_SOURCE_LEARNED = 0,
    NGX_HTTP_DT_SOURCE_REDIS,
    NGX_HTTP_DT_SOURCE_SNAPSHOT
} ngx_http_dt_source_e;


/* the state of a site's job */

typedef enum {
    NGX_HTTP_DT_STATE_IDLE = 0,
    NGX_HTTP_DT_STATE_QUEUED,    /* its time has come */
    NGX_HTTP_DT_STATE_RUNNING    /* it is being learned */
} ngx_http_dt_state_e;


/* the order in which sites are learned whose time has come */

typedef enum {
    NGX_HTTP_DT_CLASS_NAMED = 0, /* the configuration names the site */
    NGX_HTTP_DT_CLASS_SERVED,    /* the site has or had a template */
    NGX_HTTP_DT_CLASS_NEW
} ngx_http_dt_class_e;


/* words for log and status, by the enumerations above */

extern ngx_str_t  ngx_http_dt_sources[];
extern ngx_str_t  ngx_http_dt_states[];


/* stored templates of a site that are not sound: bits */

#define NGX_HTTP_DT_UNSOUND_SNAPSHOT  1
#define NGX_HTTP_DT_UNSOUND_REDIS     2


/* the party that has pinned a template; 0: none */

#define NGX_HTTP_DT_PINNED_HERE   1
#define NGX_HTTP_DT_PINNED_FLEET  2            /* and Redis says so too */


typedef struct ngx_http_dt_zone_s          ngx_http_dt_zone_t;

#define ngx_http_dt_get_zone(r)                                               \
    ((ngx_http_dt_zone_t *) ((ngx_http_dt_main_conf_t *)                      \
     ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module))     \
     ->shm_zone->data)


/*
 * A job: a page that may be learned from, and how.  A request proposes it, the
 * zone stores it packed, and the manager takes it.
 */

typedef struct {
    u_char                         url[NGX_HTTP_DT_MAX_URI];
                                                /* the page, NUL-ended */
    u_char                         origin[NGX_HTTP_DT_MAX_ORIGIN + 1];
                                                /* a URL: pages are below it */
    u_char                         connect[NGX_SOCKADDR_STRLEN + 1];
                                                /* without it: host:port */
    u_char                         client[NGX_INET6_ADDRSTRLEN + 1];
                                                /* for the learner, or empty */
    ngx_uint_t                     candidates;
    ngx_uint_t                     votes;
    ngx_uint_t                     loads;
    ngx_uint_t                     once;        /* of them, at once */
    ngx_uint_t                     detector;    /* in dt_job_detectors */
    time_t                         valid;
    time_t                         refresh;
    uint64_t                       key;         /* of the page */
    uint32_t                       server;      /* of the request: a hash of
                                                   where it is configured */
    unsigned                       shared:1;    /* learn only pages that caches
                                                   may share */
    unsigned                       robots:1;    /* obey robots.txt */
    unsigned                       served:1;    /* learn from pages that are
                                                   served, without requests */
    unsigned                       copied:1;    /* the page may be stored, */
    unsigned                       stored:1;    /* and is */
    unsigned                       from_host:1; /* a client named the site, in
                                                   the request's Host */
    unsigned                       named:1;     /* the configuration has the
                                                   site's name, as it is */
} ngx_http_dt_job_t;


/*
 * A template as a worker holds it.  With data, it is the worker's copy, which
 * its requests share; without, it only names a template, for one request.
 */

struct ngx_http_dt_template_s {
    ngx_queue_t                    queue;
    ngx_http_dt_template_t        *next;        /* in the same slot */
    ngx_uint_t                     refs;
    ngx_uint_t                     cold;        /* others were used since, so
                                                   that caches may lack it */
    uint64_t                       generation;  /* unique in the zone */
    size_t                         bytes;       /* of memory, in all */
    uint32_t                       version;
    uint32_t                       hash;
    ngx_str_t                      site;
    void                          *data;        /* checked bytes, or NULL */
    size_t                         size;
};


typedef struct {
    ngx_uint_t                     status;      /* HIT, MISS or STALE */
    ngx_uint_t                     reason;
    ngx_http_dt_template_t        *tmpl;        /* on HIT and STALE; the caller
                                                   releases it */
    unsigned                       due:1;       /* the page should be shown to
                                                   ngx_http_dt_zone_visit() */
    unsigned                       settled:1;   /* learning has nothing more to
                                                   do */
    unsigned                       grows:1;     /* the template is of few
                                                   pages, and more are being
                                                   learned from */
} ngx_http_dt_lookup_t;


/* a site as the manager learns it */

typedef struct {
    uint64_t                       ticket;     /* 0: it ends nothing */
    ngx_str_t                      site;       /* in name */
    uint32_t                       version;    /* of the template, 0: none */
    int64_t                        learned_at;
    time_t                         anew;       /* nothing counts that was
                                                  learned before; or 0 */
    ngx_msec_t                     locked_since;  /* by another machine, in
                                                  Redis; 0: it is not */
    ngx_uint_t                     unsound;    /* faults that the log has */
    ngx_msec_t                     cpu;        /* CPU time that its learner has
                                                  used */
    ngx_uint_t                     vain;       /* learnings before it */
    ngx_uint_t                     class;
    uint32_t                       server;     /* see job */
    ngx_uint_t                     fresh;      /* percent, as in its answer */
    ngx_uint_t                     served;     /* it learns from stored pages
                                                  only */
    ngx_uint_t                     requests;   /* that its learner may send,
                                                  and then, that it has sent */
    ngx_uint_t                     tries;      /* pages requested, */
    ngx_uint_t                     loads;      /* and loaded */
    ngx_uint_t                     retry_after;  /* seconds, or 0 */
    u_char                         reason[NGX_HTTP_DT_REASON_LEN];
    ngx_str_t                      detail;     /* of the reason */
    ngx_http_dt_job_t              job;
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
    u_char                         shown[NGX_HTTP_DT_MAX_SITE + 1];
                                               /* the name for the log */
    unsigned                       added:1;    /* to a template that is not
                                                  due */
    unsigned                       evidence:1; /* failed learnings have left
                                                  some in the snapshot */
    unsigned                       told:1;     /* the log has the reason of the
                                                  failure already */
    unsigned                       pinned:2;   /* the template stays */
    unsigned                       unkept:1;   /* the new template has no
                                                  snapshot */
    unsigned                       failing:1;  /* learnings before it have
                                                  failed */
    unsigned                       mute:1;     /* from now on its pages are
                                                  only stored */
    unsigned                       first:1;    /* first failure of a site
                                                  without a template */
    uint32_t                       last;       /* the highest version that
                                                  Redis knows of, or 0 */
} ngx_http_dt_work_t;


typedef struct {
    ngx_atomic_t                   requests[NGX_HTTP_DT_STATUSES]
                                           [NGX_HTTP_DT_REASONS];
    ngx_atomic_t                   in;
    ngx_atomic_t                   removed;
    ngx_atomic_t                   words;      /* of these, of template */
    ngx_atomic_t                   kept;       /* elements, by hand */
    ngx_atomic_t                   forced;     /* regions, by hand */
    ngx_atomic_t                   forced_bytes;
    uint64_t                       redesigns;
    uint64_t                       queued;     /* now */
    uint64_t                       running;    /* now */
    uint64_t                       done;
    uint64_t                       failed;
    uint64_t                       asked;      /* requests of learners */
    uint64_t                       evicted;
    uint64_t                       redis_taken;
    uint64_t                       redis_failed;
    uint64_t                       snapshots_taken;
    uint64_t                       snapshots_refused;
    uint64_t                       snapshots_evicted;
    uint64_t                       sites;      /* now, with a template */
    uint64_t                       nodes;      /* now, all of them */
} ngx_http_dt_counters_t;


#define NGX_HTTP_DT_PEER   128   /* bytes of an address */


/* the state of the link; times are seconds since 1970 */

typedef struct {
    ngx_uint_t                     away;       /* Redis does not answer */
    time_t                         since;      /* 0: there is no link */
    time_t                         event_at;   /* the last one, or 0 */
    ngx_uint_t                     latency;    /* us, of the last answer */
    ngx_uint_t                     reconnects;
    ngx_uint_t                     restarts;   /* of the link */
    uint64_t                       received;   /* bytes */
    uint64_t                       sent;
    u_char                         peer[NGX_HTTP_DT_PEER];
    u_char                         why[DT_ERRSTR];  /* it is away */
} ngx_http_dt_fleet_t;


/* for workers */

/* adds the zone at configuration time and sets its init handler */
char *ngx_http_dt_zone_add(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *name, size_t size);

/*
 * Looks the site up and takes its template, whose bytes may not be there yet:
 * see ngx_http_dt_copy_load().  Never fails: without memory, the result is a
 * MISS with a reason.  valid and refresh, in seconds, limit the template's
 * life and freshness, even if it was learned with longer ones.
 */
void ngx_http_dt_zone_lookup(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    time_t valid, time_t refresh, ngx_http_dt_lookup_t *lookup);

/*
 * A visitor has asked for the page of a job: it may go into its site's
 * reservoir.  The site is to be learned if it has no template or one that is
 * due, or if the page showed little of it (low).  Without low, the function
 * sets status and reason of the look-up by the site's new state; its template
 * stays.
 */
void ngx_http_dt_zone_visit(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t low, ngx_http_dt_lookup_t *lookup);

/* whether the page of a job should be stored for the site's next learning */
ngx_uint_t ngx_http_dt_zone_lacks(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t low);

/*
 * Stores the page of a job below dir, for a learning that need not request it.
 * NGX_DECLINED: it is there already, or it cannot be stored; the log says so.
 */
ngx_int_t ngx_http_dt_store(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, ngx_http_dt_job_t *job, ngx_str_t *page, ngx_log_t *log);

/* counters of the pages served since the site came into the zone */

typedef struct {
    uint64_t                       hits;
    uint64_t                       in;         /* bytes */
    uint64_t                       removed;    /* bytes */
    uint64_t                       words;      /* removed, of template */
} ngx_http_dt_served_t;


/*
 * Counts a finished main request and the result for its page.  stats and tmpl
 * are NULL if there is none.
 */
void ngx_http_dt_zone_count(ngx_http_dt_zone_t *zone, ngx_uint_t status,
    ngx_uint_t reason, dt_rewrite_stats_t *stats,
    ngx_http_dt_template_t *tmpl);

/* adds one to a counter of ngx_http_dt_counters_t that is no atomic */
#define ngx_http_dt_zone_event(zone, counter)                                 \
    ngx_http_dt_zone_add_one(zone, offsetof(ngx_http_dt_counters_t, counter))

void ngx_http_dt_zone_add_one(ngx_http_dt_zone_t *zone, size_t counter);

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

/* wakes the manager if this process has queued a job; not under the lock */
void ngx_http_dt_wake(ngx_http_dt_zone_t *zone);

/* the secret key: NGX_HTTP_DT_KEY_LEN hex digits and a NUL */
u_char *ngx_http_dt_zone_key(ngx_http_dt_zone_t *zone);


/* for the manager */

/* the descriptor that becomes readable when the manager is woken */
ngx_fd_t ngx_http_dt_wake_fd(ngx_http_dt_zone_t *zone);

/* empties the pipe behind it */
void ngx_http_dt_wake_drain(ngx_http_dt_zone_t *zone);

/*
 * The time when the site was last asked for, or 0 if all requests came within
 * NGX_HTTP_DT_AGAIN seconds: those are one visit, or one request that waits.
 */
time_t ngx_http_dt_zone_used(ngx_http_dt_zone_t *zone, ngx_str_t *site);

/* whether snapshots were read since the zone was created; set marks them so */
ngx_uint_t ngx_http_dt_zone_loaded(ngx_http_dt_zone_t *zone, ngx_uint_t set);

/* names this zone as the owner of a lock in Redis: hex digits, not secret */
u_char *ngx_http_dt_zone_token(ngx_http_dt_zone_t *zone);


/* a worker's own copies of templates */

/* the largest number of copies in a worker, however small they are */
#define NGX_HTTP_DT_COPIES  64


/*
 * Takes the template of a site.  found has the version, generation and size
 * that a look-up has found; if it is NULL, the site has no template, and
 * an old copy is dropped.  The bytes are there only if the worker has copied
 * them already.  The caller releases the template.  NULL: found is NULL, or
 * there is no memory.
 */
ngx_http_dt_template_t *ngx_http_dt_copy_get(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash,
    ngx_http_dt_template_t *found);

/*
 * Copies the bytes of *tmpl unless they are there; *tmpl may become another
 * one of the same generation.  NGX_DECLINED: meanwhile the site has another
 * template, or none.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_copy_load(ngx_http_dt_zone_t *zone,
    ngx_http_dt_template_t **tmpl);

void ngx_http_dt_copy_release(ngx_http_dt_template_t *t);


/* the lists of the status about the zone and its sites */

typedef enum {
    NGX_HTTP_DT_LIST_SITES = 0,  /* with a template */
    NGX_HTTP_DT_LIST_WITHOUT,    /* sites without one */
    NGX_HTTP_DT_LIST_OFF,        /* pages that showed nothing of their site's
                                    template, the latest first */
    NGX_HTTP_DT_LISTS
} ngx_http_dt_list_e;


/* one site, or page */

typedef struct {
    ngx_uint_t                     list;
    ngx_str_t                      name;
    ngx_str_t                      url;        /* of a key page, or empty */
    ngx_str_t                      source;
    size_t                         size;       /* of the serving part */
    size_t                         evidence;   /* of the part only for
                                                  learning */
    dt_template_info_t             info;       /* version 0: no template */
    ngx_str_t                      state;      /* of the job */
    ngx_msec_t                     wait;       /* for the next attempt */
    ngx_str_t                      reason;     /* of the last failure */
    ngx_str_t                      detail;     /* likewise */
    ngx_str_t                      page;       /* likewise: URL of a key page,
                                                  or the URI of a request */
    time_t                         failed_at;
    time_t                         redesigned_at;  /* 0: never */
    ngx_uint_t                     pinned;     /* the template stays */
    ngx_uint_t                     off;        /* its pages in LIST_OFF */
    ngx_http_dt_served_t           served;
} ngx_http_dt_row_t;


typedef struct {
    size_t                         size;
    size_t                         free;
    ngx_uint_t                     requests[NGX_HTTP_DT_STATUSES];
                                               /* but of types that are never
                                                  pages */
    ngx_uint_t                     reasons[NGX_HTTP_DT_REASONS];
    ngx_http_dt_counters_t         counters;
    ngx_http_dt_fleet_t            fleet;
    ngx_uint_t                     connected;  /* the opposite of away */
    uint64_t                       tokens;     /* that were removed */
    uint64_t                       without;    /* sites without a template */
    ngx_uint_t                     nrows;
    ngx_http_dt_row_t             *rows;
} ngx_http_dt_stats_t;


/* an estimate: a token has four characters, which are bytes in most pages */
#define ngx_http_dt_tokens(bytes)  ((bytes) / 4)


/*
 * Copies the counters and at most max sites, latest used first.  Behind them
 * stand sites that never had a job, since no page of theirs may be learned
 * from.
 */
ngx_int_t ngx_http_dt_stats(ngx_http_dt_zone_t *zone, ngx_uint_t max,
    ngx_pool_t *pool, ngx_http_dt_stats_t *out);


#endif /* _NGX_HTTP_DT_ZONE_H_INCLUDED_ */
