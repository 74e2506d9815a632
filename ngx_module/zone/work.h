
/*
 * Copyright (C) The detemplate authors
 *
 * Work: jobs that the manager has taken from the queue.
 */


#ifndef _NGX_HTTP_DT_WORK_H_INCLUDED_
#define _NGX_HTTP_DT_WORK_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/* how work ends */

typedef enum {
    NGX_HTTP_DT_RESULT_DONE = 0, /* learned and published */
    NGX_HTTP_DT_RESULT_TAKEN,    /* published without learning */
    NGX_HTTP_DT_RESULT_KNOWN,    /* the page shows nothing new */
    NGX_HTTP_DT_RESULT_LOST,     /* there is nothing to add the page to */
    NGX_HTTP_DT_RESULT_FAILED,   /* the site gave no template */
    NGX_HTTP_DT_RESULT_NO_ROOM,  /* the zone has no room for the template */
    NGX_HTTP_DT_RESULT_STOPPED   /* nothing can be learned now */
} ngx_http_dt_result_e;

extern ngx_str_t  ngx_http_dt_results[];


/*
 * Takes a job that is due and marks it as running; NGX_DECLINED when there is
 * none, or max jobs are running.  Classes take turns, and so do the servers in
 * them.  Without from_host, no job of a site that a client names is taken.
 */
ngx_int_t ngx_http_dt_work_take(ngx_http_dt_zone_t *zone, ngx_uint_t max,
    ngx_uint_t from_host, ngx_http_dt_work_t *work);

/*
 * Fills in work that is not taken from the queue and ends no job, from what
 * the zone knows of the site.  NGX_DECLINED: the site is not known, or nothing
 * tells how long a template of it is valid.
 */
ngx_int_t ngx_http_dt_work_look(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work);

/* puts the job back to the end of the queue; it is due after delay seconds */
void ngx_http_dt_work_requeue(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, time_t delay);

/*
 * Begins the lease of the work anew.  NGX_DECLINED: the lease has ended, and
 * the job is not this work's any more.
 */
ngx_int_t ngx_http_dt_work_renew(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work);

/*
 * Ends the job with a RESULT_; does nothing if the lease has ended.  Returns
 * the seconds until the site may be learned again.
 */
time_t ngx_http_dt_work_finish(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_uint_t result);

/*
 * Puts jobs of processes that have died back to the queue, and fails those
 * whose lease has ended; returns the number of both.
 */
ngx_uint_t ngx_http_dt_work_reclaim(ngx_http_dt_zone_t *zone);

/*
 * Milliseconds until the first queued job is due, at most max; sets *foreign
 * if another process has work, which it may put back at any time.
 */
ngx_msec_t ngx_http_dt_work_due(ngx_http_dt_zone_t *zone, ngx_msec_t max,
    ngx_uint_t *foreign);


#endif /* _NGX_HTTP_DT_WORK_H_INCLUDED_ */
