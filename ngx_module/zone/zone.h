
/*
 * Copyright (C) The detemplate authors
 *
 * Shared memory: templates, the queue of jobs, counters.
 */


#ifndef _NGX_HTTP_DT_ZONE_H_INCLUDED_
#define _NGX_HTTP_DT_ZONE_H_INCLUDED_


#include "core/scan/memo.h"
#include "core/template/due.h"
#include "core/template/template.h"
#include "ngx_module/detemplate.h"


#define NGX_HTTP_DT_MAX_SITE    255
#define NGX_HTTP_DT_MAX_URI     2048
#define NGX_HTTP_DT_MAX_ORIGIN  1024
#define NGX_HTTP_DT_MAX_LINK    255   /* bytes of a key page's URL */
#define NGX_HTTP_DT_KEYS        32    /* key pages per site, refresh */
#define NGX_HTTP_DT_REASON_LEN  32    /* of a failure */
#define NGX_HTTP_DT_CLOCK_SKEW  3600  /* seconds */


/* a time of the past that is further ahead was written by a wrong clock: what
   depends on it could stay for years */

#define ngx_http_dt_ahead(t)                                                  \
    ((t) > ngx_time() + NGX_HTTP_DT_CLOCK_SKEW)

#define NGX_HTTP_DT_MARKER      "Detemplate-Learner"
#define NGX_HTTP_DT_KEY_LEN     32    /* hex digits */


/* where a template came from */

typedef enum {
    NGX_HTTP_DT_SOURCE_LEARNED = 0,
    NGX_HTTP_DT_SOURCE_REDIS,
    NGX_HTTP_DT_SOURCE_SNAPSHOT
} ngx_http_dt_source_e;


/* why a job was queued */

typedef enum {
    NGX_HTTP_DT_KIND_FIRST = 0,  /* no template */
    NGX_HTTP_DT_KIND_RELEARN,    /* older than its refresh time */
    NGX_HTTP_DT_KIND_EXTEND      /* a page that it covers badly */
} ngx_http_dt_kind_e;


/* what there is of a site, and is not sound */

#define NGX_HTTP_DT_BAD_SNAPSHOT  1
#define NGX_HTTP_DT_BAD_REDIS     2


/* how a job ended */

typedef enum {
    NGX_HTTP_DT_RESULT_DONE = 0, /* learned and published */
    NGX_HTTP_DT_RESULT_TAKEN,    /* published without learning */
    NGX_HTTP_DT_RESULT_KNOWN,    /* the page shows nothing new */
    NGX_HTTP_DT_RESULT_LOST,     /* nothing to add the page to */
    NGX_HTTP_DT_RESULT_FAILED,   /* the site gave no template */
    NGX_HTTP_DT_RESULT_NO_ROOM,  /* the zone has no room for it */
    NGX_HTTP_DT_RESULT_STOPPED   /* nothing can be learned now */
} ngx_http_dt_result_e;


typedef struct ngx_http_dt_zone_s          ngx_http_dt_zone_t;


/* what a learner has to know; fixed size, since it lies in shared memory */

typedef struct {
    u_char                         url[NGX_HTTP_DT_MAX_URI];
                                                /* the key page, NUL-ended */
    u_char                         origin[NGX_HTTP_DT_MAX_ORIGIN + 1];
                                                /* a URL: pages are below it */
    u_char                         connect[NGX_SOCKADDR_STRLEN + 1];
                                                /* without it: host:port */
    ngx_uint_t                     candidates;
    ngx_uint_t                     votes;
    ngx_uint_t                     loads;
    ngx_uint_t                     detector;    /* in dt_job_detectors */
    time_t                         valid;
    time_t                         refresh;
    uint64_t                       key;         /* of the page */
    unsigned                       shared:1;    /* only what caches share */
    unsigned                       chosen:1;    /* the site, by a request */
    unsigned                       unseen:1;    /* there was no template that
                                                   it could be compared with */
} ngx_http_dt_job_t;


/*
 * A template as a worker holds it: its own copy, shared by its requests; or
 * only what it is, of one request
 */

struct ngx_http_dt_template_s {
    ngx_queue_t                    queue;
    ngx_http_dt_template_t        *next;        /* in a slot */
    ngx_uint_t                     refs;
    ngx_uint_t                     cold;        /* others were used since */
    uint64_t                       generation;  /* one in the zone */
    size_t                         bytes;       /* of memory, in all */
    dt_memo_t                     *memo;        /* NULL: data is */
    uint32_t                       version;
    uint32_t                       hash;
    uint64_t                       tag;         /* of what it does to pages */
    ngx_str_t                      site;
    void                          *data;        /* checked bytes; NULL: not
                                                   there, see below */
    size_t                         size;
};


typedef struct {
    ngx_uint_t                     status;      /* HIT, MISS or STALE */
    ngx_uint_t                     reason;
    ngx_http_dt_template_t        *tmpl;        /* on HIT and STALE; the caller
                                                   releases it */
    unsigned                       due:1;       /* there was no job, and one
                                                   may be queued, or kept */
} ngx_http_dt_lookup_t;


/* the key pages of a site since it was last learned anew */

typedef struct {
    uint32_t                       loads;      /* pages loaded for them */
    uint32_t                       n;
    uint64_t                       keys[NGX_HTTP_DT_KEYS];
} ngx_http_dt_pages_t;


/* a template on its way into the zone, and its times */

typedef struct {
    void                          *data;       /* checked bytes, whole */
    dt_template_info_t             info;
    time_t                         valid;      /* absolute */
    time_t                         refresh;    /* absolute */
    ngx_uint_t                     source;
    ngx_http_dt_pages_t            pages;
    u_char                         url[NGX_HTTP_DT_MAX_LINK + 1];
                                               /* of its key page, or empty */
    unsigned                       if_room:1;  /* evict nothing for it */
    unsigned                       chosen:1;   /* the site, by a request */
} ngx_http_dt_publish_t;


/* a job as the manager takes it from the queue */

typedef struct {
    uint64_t                       ticket;
    ngx_uint_t                     kind;
    ngx_str_t                      site;       /* in name */
    uint32_t                       version;    /* of the template, 0: none */
    int64_t                        learned_at;
    ngx_http_dt_pages_t            pages;
    ngx_msec_t                     denied;     /* its lock, since then; 0: it
                                                  is not */
    ngx_uint_t                     bad;        /* what was, as the log says */
    uint32_t                       tries;      /* pages asked for */
    ngx_uint_t                     retry_after;  /* seconds, or 0 */
    u_char                         reason[NGX_HTTP_DT_REASON_LEN];
    ngx_http_dt_job_t              job;
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
    unsigned                       evidence:1; /* of learnings that failed */
} ngx_http_dt_work_t;


typedef struct {
    ngx_atomic_t                   requests[NGX_HTTP_DT_STATUSES]
                                           [NGX_HTTP_DT_REASONS];
    ngx_atomic_t                   in;
    ngx_atomic_t                   removed;
    uint64_t                       queued;     /* now */
    uint64_t                       running;    /* now */
    uint64_t                       done;
    uint64_t                       failed;
    uint64_t                       evicted;
    uint64_t                       redis_taken;
    uint64_t                       redis_failed;
    uint64_t                       snapshots_taken;
    uint64_t                       snapshots_refused;
    uint64_t                       sites;      /* now, with a template */
    uint64_t                       nodes;      /* now, all of them */
} ngx_http_dt_counters_t;


/* one site in the status */

typedef struct {
    ngx_str_t                      name;
    ngx_str_t                      url;        /* of a key page, or empty */
    ngx_uint_t                     source;
    size_t                         size;
    dt_template_info_t             info;       /* version 0: no template; */
    ngx_uint_t                     state;
    ngx_msec_t                     wait;       /* for the next attempt */
    u_char                         reason[NGX_HTTP_DT_REASON_LEN];
} ngx_http_dt_row_t;


typedef struct {
    size_t                         size;
    size_t                         free;
    ngx_uint_t                     requests[NGX_HTTP_DT_STATUSES];
    ngx_uint_t                     reasons[NGX_HTTP_DT_REASONS];
    ngx_http_dt_counters_t          counters;
    ngx_uint_t                     nsites;
    ngx_http_dt_row_t             *sites;
} ngx_http_dt_stats_t;


/* for workers */

/* adds the zone at configuration time and sets its init handler */
char *ngx_http_dt_zone_add(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *name, size_t size);

/*
 * Looks the site up; takes its template, whose bytes may not be there.  Queues
 * job when there is no template, or it is due for refresh, and neither a
 * learning nor a back-off is under way; while a first template is learned, it
 * is kept for the time after that.  job may be NULL: nothing is queued then.
 * Never fails: no memory is a MISS with a reason.
 */
void ngx_http_dt_zone_lookup(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_http_dt_lookup_t *out);

/*
 * Sees to it that the bytes of *tmpl are there: it may become another of the
 * same generation.  NGX_DECLINED: meanwhile the site has another template, or
 * none; NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_template_load(ngx_http_dt_zone_t *zone,
    ngx_http_dt_template_t **tmpl);

void ngx_http_dt_template_release(ngx_http_dt_template_t *t);

/* whether the site has not yet used up want percent of its loads */
ngx_uint_t ngx_http_dt_zone_wants(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t loads, ngx_uint_t want);

/*
 * A page of the site was served that should be learned from, see
 * dt_due_share(): queue it as a new key page, unless it has been one, or
 * want percent of the site's loads are used up.
 */
void ngx_http_dt_zone_covered(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t want);

/* counts one finished main request; bytes of the page and those removed */
void ngx_http_dt_zone_count(ngx_http_dt_zone_t *zone, ngx_uint_t status,
    ngx_uint_t reason, off_t in, off_t removed);

/* whether the reason was not told for this site for an hour, and is now */
ngx_uint_t ngx_http_dt_zone_tell(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t reason);

/* NGX_HTTP_DT_KEY_LEN hex digits: the zone's secret, which the
   learner's requests carry in the field NGX_HTTP_DT_MARKER */
u_char *ngx_http_dt_zone_key(ngx_http_dt_zone_t *zone);


/* for the manager */

/*
 * Takes the oldest job that is due, at most learners at once, and marks it
 * as running; NGX_DECLINED when there is none.
 */
ngx_int_t ngx_http_dt_zone_take(ngx_http_dt_zone_t *zone, ngx_uint_t learners,
    ngx_http_dt_work_t *work);

/* puts a taken job back to the end of the queue, not to be taken for delay */
void ngx_http_dt_zone_requeue(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, time_t delay);

/*
 * Ends a taken job; one that the zone has meanwhile given up is ignored.
 * Returns the seconds until the site may be learned again.
 */
time_t ngx_http_dt_zone_finish(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_uint_t result);

/*
 * Makes a template the site's: copies what serving needs, evicting other
 * sites when there is no room.  NGX_DECLINED: still no room.
 */
ngx_int_t ngx_http_dt_zone_publish(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_publish_t *pub);

/* whether the site has a template now */
ngx_uint_t ngx_http_dt_zone_has(ngx_http_dt_zone_t *zone, ngx_str_t *site);

/* counters that only the manager adds to */
void ngx_http_dt_zone_snapshot_refused(ngx_http_dt_zone_t *zone);
void ngx_http_dt_zone_redis_failed(ngx_http_dt_zone_t *zone);

/* whether snapshots were read since the zone was made; sets it when asked */
ngx_uint_t ngx_http_dt_zone_loaded(ngx_http_dt_zone_t *zone, ngx_uint_t set);

/* names us as the owner of a lock in Redis: hex digits, not secret */
u_char *ngx_http_dt_zone_token(ngx_http_dt_zone_t *zone);

/* a copy of counters and of at most max sites, latest used first */
ngx_int_t ngx_http_dt_zone_stats(ngx_http_dt_zone_t *zone, ngx_uint_t max,
    ngx_pool_t *pool, ngx_http_dt_stats_t *out);


#endif /* _NGX_HTTP_DT_ZONE_H_INCLUDED_ */
