
/*
 * Copyright (C) The detemplate authors
 *
 * When a site is learned: whether somebody wants it to be, and the one time
 * before which nothing is tried.  The caller holds the lock.
 */


#ifndef _NGX_HTTP_DT_WANT_H_INCLUDED_
#define _NGX_HTTP_DT_WANT_H_INCLUDED_


#include "ngx_module/zone/node.h"
#include "ngx_module/zone/work.h"


/*
 * Has the site learned as soon as its time has come, and tells the manager.
 * job is that of a page.  NGX_DECLINED: its template stays, or there is no
 * memory.
 */
ngx_int_t ngx_http_dt_want(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job);

/* puts the site into the manager's mail; it is woken when the lock is free */
void ngx_http_dt_want_mail(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node);

/*
 * Whether the site of a job, which has no node, may get one now; counts it if
 * so.  Names that somebody invents must neither fill the zone nor keep
 * learners from others.  A site that the configuration names always may.
 */
ngx_uint_t ngx_http_dt_want_admit(ngx_http_dt_zone_t *zone,
    ngx_http_dt_job_t *job);

/* copies the site's last job */
void ngx_http_dt_want_job(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job);

/* whether the template is of few pages, and more are found again and again */
ngx_uint_t ngx_http_dt_want_grows(ngx_http_dt_node_t *node);

/* milliseconds in which nothing is tried */
ngx_msec_t ngx_http_dt_want_rest(ngx_http_dt_node_t *node);

/*
 * Lets the site rest behind work that has ended with a RESULT_, or a learner
 * that was lost if work is NULL; returns the milliseconds.  For work that
 * failed, sets work->told and work->first.
 */
ngx_msec_t ngx_http_dt_want_ended(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_work_t *work, ngx_uint_t result);

/* forgets failures, because the site has a new template */
void ngx_http_dt_want_clear(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);


#endif /* _NGX_HTTP_DT_WANT_H_INCLUDED_ */
