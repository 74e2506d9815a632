
/*
 * Copyright (C) The detemplate authors
 *
 * What is not done at once: key pages that failed, pages that come while a
 * site is being learned, sites that requests make up, lines in the log.  The
 * caller holds the lock.
 */


#ifndef _NGX_HTTP_DT_BACKOFF_H_INCLUDED_
#define _NGX_HTTP_DT_BACKOFF_H_INCLUDED_


#include "ngx_module/zone/node.h"


/* milliseconds until something may be learned from the page; 0: it may now */
ngx_msec_t ngx_http_dt_backoff_wait(ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job);

/* the same for any page of the site: the soonest attempt at one that failed */
ngx_msec_t ngx_http_dt_backoff_site(ngx_http_dt_node_t *node);

/*
 * The site's job has failed, with work as far as it is known, or else NULL:
 * the key page is left alone for a time.  Another one may be tried at once, as
 * long as all that failed have not asked for four times as many pages as the
 * site's loads.  Returns the milliseconds until the page may be tried again.
 */
ngx_msec_t ngx_http_dt_backoff_failed(
    ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work);

/* the same when it was nobody's fault: nothing is tried for a short time */
ngx_msec_t ngx_http_dt_backoff_stopped(ngx_http_dt_node_t *node);

/* the site was learned */
void ngx_http_dt_backoff_clear(ngx_http_dt_node_t *node);


/* keeps a page while the site has a job: it should be learned from, or it is
   not known yet whether it should */
void ngx_http_dt_later_add(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t want);

/* the site has no job any more: queues the first of them that is due; without
   a template, the first that may be tried */
void ngx_http_dt_later_next(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);

void ngx_http_dt_later_clear(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);

/* whether want percent of loads are not used up */
ngx_uint_t ngx_http_dt_later_wants(ngx_http_dt_node_t *node, ngx_uint_t loads,
    ngx_uint_t want);

/* whether the page may extend what is known of the site */
ngx_uint_t ngx_http_dt_later_due(ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t want);


/* whether one more site that a request has chosen may be learned now */
ngx_uint_t ngx_http_dt_chosen_admit(ngx_http_dt_shctx_t *sh);


#endif /* _NGX_HTTP_DT_BACKOFF_H_INCLUDED_ */
