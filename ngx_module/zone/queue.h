
/*
 * Copyright (C) The detemplate authors
 *
 * The queue of jobs that wait for the manager.  The caller holds the lock.
 */


#ifndef _NGX_HTTP_DT_QUEUE_H_INCLUDED_
#define _NGX_HTTP_DT_QUEUE_H_INCLUDED_


#include "ngx_module/zone/node.h"


/*
 * Queues a job.  NGX_DECLINED: the site has a job already or is in back-off,
 * the queue is full, or there is no memory.
 */
ngx_int_t ngx_http_dt_queue_add(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_job_t *job, ngx_uint_t kind);

/*
 * Whether the queue is full.  A quarter of it is for sites that no client
 * names.  Of the rest, those that clients name of one server may take as much
 * as they leave free.
 */
ngx_uint_t ngx_http_dt_queue_full(ngx_http_dt_zone_t *zone,
    ngx_http_dt_job_t *job);


#endif /* _NGX_HTTP_DT_QUEUE_H_INCLUDED_ */
