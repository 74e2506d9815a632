
/*
 * Copyright (C) The detemplate authors
 *
 * What tells the manager, which sleeps, that there is work.
 */


#ifndef _NGX_HTTP_DT_WAKE_H_INCLUDED_
#define _NGX_HTTP_DT_WAKE_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/*
 * When the zone is made or, with the one of before a reload, taken over; the
 * zone's cycle closes what is opened here.
 */
ngx_int_t ngx_http_dt_wake_open(ngx_http_dt_zone_t *zone,
    ngx_http_dt_zone_t *ozone, ngx_log_t *log);

/* wakes the manager if this process has queued a job; not under the lock */
void ngx_http_dt_wake(ngx_http_dt_zone_t *zone);


/* for the manager */

/* what becomes readable when it is woken */
ngx_fd_t ngx_http_dt_wake_fd(ngx_http_dt_zone_t *zone);

/* reads all that is there */
void ngx_http_dt_wake_heard(ngx_http_dt_zone_t *zone);

/*
 * ms until the first queued job may be taken, at most max; foreign is set when
 * other processes than this one have some, which may end.
 */
ngx_msec_t ngx_http_dt_wake_due(ngx_http_dt_zone_t *zone, ngx_msec_t max,
    ngx_uint_t *foreign);

/*
 * The lease of a taken job begins anew; NGX_DECLINED: the job has been given
 * up meanwhile.
 */
ngx_int_t ngx_http_dt_wake_renew(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work);

/*
 * Jobs of processes that are no more go back to the queue, those past their
 * lease have failed; returns the number of both.
 */
ngx_uint_t ngx_http_dt_wake_reclaim(ngx_http_dt_zone_t *zone);


#endif /* _NGX_HTTP_DT_WAKE_H_INCLUDED_ */
