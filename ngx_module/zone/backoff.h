
/*
 * Copyright (C) The detemplate authors
 *
 * Back-off: key pages that failed, and the time until they are tried again.
 * The caller holds the lock.
 */


#ifndef _NGX_HTTP_DT_BACKOFF_H_INCLUDED_
#define _NGX_HTTP_DT_BACKOFF_H_INCLUDED_


#include "ngx_module/zone/node.h"


/* milliseconds until this page may be tried; 0: it may be tried now */
ngx_msec_t ngx_http_dt_backoff_wait(ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job);

/* milliseconds until some page that failed may be tried again */
ngx_msec_t ngx_http_dt_backoff_site(ngx_http_dt_node_t *node);

/*
 * Notes that the site's job has failed; work is NULL when its lease has ended,
 * else the function sets work->told and work->first.  The key page then rests
 * for a time.
 * Another page may be tried at once; but each time that four more learnings
 * have failed, the whole site rests.  Returns the milliseconds until the page
 * may be tried again.
 */
ngx_msec_t ngx_http_dt_backoff_failed(
    ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work);

/*
 * The site rests in proportion to what its learning, failed or not, has cost
 * the machine, and as long as its server asked for, up to an hour.  Returns
 * the milliseconds, or 0 when it need not rest.
 */
ngx_msec_t ngx_http_dt_backoff_cost(ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work);

/*
 * Notes that the job was stopped for a reason that is not the site's fault:
 * the site rests for a short time.  Returns that time.
 */
ngx_msec_t ngx_http_dt_backoff_stopped(ngx_http_dt_node_t *node);

/* forgets all failures, because the site has a new template */
void ngx_http_dt_backoff_clear(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);


#endif /* _NGX_HTTP_DT_BACKOFF_H_INCLUDED_ */
