
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DETEMPLATE_ZONE_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_ZONE_H_INCLUDED_


#include "ngx_http_detemplate_filter_module.h"


#define NGX_HTTP_DETEMPLATE_KEYS   32    /* key pages per site and refresh */
#define NGX_HTTP_DETEMPLATE_LEASE  60    /* seconds that a job may run */


/* where a template came from */

typedef enum {
    NGX_HTTP_DETEMPLATE_LEARNED = 0,
    NGX_HTTP_DETEMPLATE_REDIS,
    NGX_HTTP_DETEMPLATE_SNAPSHOT
} ngx_http_detemplate_source_e;


/* why a job was queued */

typedef enum {
    NGX_HTTP_DETEMPLATE_FIRST = 0,       /* no template */
    NGX_HTTP_DETEMPLATE_RELEARN,         /* older than its refresh time */
    NGX_HTTP_DETEMPLATE_EXTEND           /* a page that it covers badly */
} ngx_http_detemplate_kind_e;


/* how a job ended */

typedef enum {
    NGX_HTTP_DETEMPLATE_DONE = 0,        /* learned and published */
    NGX_HTTP_DETEMPLATE_TAKEN,           /* published without learning */
    NGX_HTTP_DETEMPLATE_FAILED,          /* the site gave no template */
    NGX_HTTP_DETEMPLATE_NO_ROOM          /* the zone has no room for it */
} ngx_http_detemplate_result_e;


/* the key pages of a site since it was last learned anew */

typedef struct {
    uint32_t                       loads;      /* pages loaded for them */
    uint32_t                       n;
    uint64_t                       keys[NGX_HTTP_DETEMPLATE_KEYS];
} ngx_http_detemplate_pages_t;


/* a template on its way into the zone, and its times */

typedef struct {
    void                          *data;       /* checked bytes, whole */
    dt_template_info_t             info;
    time_t                         valid;      /* absolute */
    time_t                         refresh;    /* absolute */
    ngx_uint_t                     source;
    ngx_http_detemplate_pages_t    pages;
    unsigned                       if_room:1;  /* evict nothing for it */
} ngx_http_detemplate_publish_t;


/* a job as the manager takes it from the queue */

typedef struct {
    uint64_t                       ticket;
    ngx_uint_t                     kind;
    ngx_str_t                      site;       /* in name */
    uint32_t                       version;    /* of the template, 0: none */
    int64_t                        learned_at;
    ngx_http_detemplate_pages_t    pages;
    ngx_http_detemplate_job_t      job;
    u_char                         name[NGX_HTTP_DETEMPLATE_MAX_SITE + 1];
} ngx_http_detemplate_work_t;


typedef struct {
    ngx_atomic_t                   requests[NGX_HTTP_DETEMPLATE_STATUSES]
                                           [NGX_HTTP_DETEMPLATE_REASONS];
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
} ngx_http_detemplate_counters_t;


/* one site in the status */

typedef struct {
    ngx_str_t                      name;
    ngx_uint_t                     source;
    size_t                         size;
    dt_template_info_t             info;
} ngx_http_detemplate_site_t;


typedef struct {
    size_t                         size;
    size_t                         free;
    ngx_uint_t                     requests[NGX_HTTP_DETEMPLATE_STATUSES];
    ngx_uint_t                     reasons[NGX_HTTP_DETEMPLATE_REASONS];
    ngx_http_detemplate_counters_t  counters;
    ngx_uint_t                     nsites;
    ngx_http_detemplate_site_t    *sites;
} ngx_http_detemplate_stats_t;


/*
 * Takes the oldest job that is due, at most learners at once, and marks it
 * as running; NGX_DECLINED when there is none.
 */
ngx_int_t ngx_http_detemplate_zone_take(ngx_http_detemplate_zone_t *zone,
    ngx_uint_t learners, ngx_http_detemplate_work_t *work);

/* puts a taken job back to the end of the queue, not to be taken for delay */
void ngx_http_detemplate_zone_requeue(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_work_t *work, time_t delay);

/*
 * Ends a taken job; one that the zone has meanwhile given up is ignored.
 * Returns the seconds until the site may be learned again.
 */
time_t ngx_http_detemplate_zone_finish(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_work_t *work, ngx_uint_t result);

/*
 * Jobs of processes that are no more go back to the queue, those past their
 * lease have failed; returns the number of both.
 */
ngx_uint_t ngx_http_detemplate_zone_reclaim(ngx_http_detemplate_zone_t *zone);

/*
 * Makes a template the site's: copies what serving needs, evicting other
 * sites when there is no room.  NGX_DECLINED: still no room.
 */
ngx_int_t ngx_http_detemplate_zone_publish(ngx_http_detemplate_zone_t *zone,
    ngx_str_t *site, ngx_http_detemplate_publish_t *pub);

/* whether the site has a template now */
ngx_uint_t ngx_http_detemplate_zone_has(ngx_http_detemplate_zone_t *zone,
    ngx_str_t *site);

/* counters that only the manager adds to */
void ngx_http_detemplate_zone_snapshot_refused(
    ngx_http_detemplate_zone_t *zone);
void ngx_http_detemplate_zone_redis_failed(ngx_http_detemplate_zone_t *zone);

/* whether snapshots were read since the zone was made; sets it when asked */
ngx_uint_t ngx_http_detemplate_zone_loaded(ngx_http_detemplate_zone_t *zone,
    ngx_uint_t set);

/* names us as the owner of a lock in Redis: hex digits, not secret */
u_char *ngx_http_detemplate_zone_token(ngx_http_detemplate_zone_t *zone);

/* a copy of counters and of at most max sites, latest used first */
ngx_int_t ngx_http_detemplate_zone_stats(ngx_http_detemplate_zone_t *zone,
    ngx_uint_t max, ngx_pool_t *pool, ngx_http_detemplate_stats_t *out);


#endif /* _NGX_HTTP_DETEMPLATE_ZONE_H_INCLUDED_ */
