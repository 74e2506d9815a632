
/*
 * Copyright (C) The detemplate authors
 *
 * Which pages may extend what is known of a site.  The caller holds the lock.
 */


#ifndef _NGX_HTTP_DT_EXTEND_H_INCLUDED_
#define _NGX_HTTP_DT_EXTEND_H_INCLUDED_


#include "ngx_module/zone/node.h"


/* whether the site has not yet used up share percent of its loads */
ngx_uint_t ngx_http_dt_extend_due(ngx_http_dt_node_t *node,
    ngx_uint_t loads, ngx_uint_t share);

/* the same for one page, which must not have been a key page already */
ngx_uint_t ngx_http_dt_extend_page_due(ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t share);


#endif /* _NGX_HTTP_DT_EXTEND_H_INCLUDED_ */
