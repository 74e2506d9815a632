
/*
 * Copyright (C) The detemplate authors
 *
 * Token buckets for sites that clients name, one for each server, so that
 * names which somebody invents for one server do not keep learners from the
 * tenants of another.
 */


#ifndef _NGX_HTTP_DT_ADMIT_H_INCLUDED_
#define _NGX_HTTP_DT_ADMIT_H_INCLUDED_


#include "ngx_module/zone/node.h"


/*
 * Whether one more site that a client has named may be learned now; counts it
 * if so.  server identifies the server that the request came to.  The caller
 * holds the lock.
 */
ngx_uint_t ngx_http_dt_admit(ngx_http_dt_shctx_t *sh, uint32_t server);


#endif /* _NGX_HTTP_DT_ADMIT_H_INCLUDED_ */
