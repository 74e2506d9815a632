
/*
 * Copyright (C) The detemplate authors
 *
 * Pages that are postponed until the job under way has ended.  The caller
 * holds the lock.
 */


#ifndef _NGX_HTTP_DT_LATER_H_INCLUDED_
#define _NGX_HTTP_DT_LATER_H_INCLUDED_


#include "ngx_module/zone/node.h"


/*
 * Keeps a page while the site has a job.  Either the page should be learned
 * from, or there is no template yet that could tell.
 */
void ngx_http_dt_later_add(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t share);

/*
 * Queues the first postponed page that is due, when the site has no job any
 * more; without a template, the first page that may be tried.
 */
void ngx_http_dt_later_next(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);


#endif /* _NGX_HTTP_DT_LATER_H_INCLUDED_ */
