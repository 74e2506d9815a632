
/*
 * Copyright (C) The detemplate authors
 *
 * Validators of a page that is held to its end: what it says, and since when.
 */


#ifndef _NGX_HTTP_DT_MODIFIED_H_INCLUDED_
#define _NGX_HTTP_DT_MODIFIED_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* sets them, and makes the response a 304 if the client has it; NGX_ERROR: no
   memory */
ngx_int_t ngx_http_dt_validators(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* identifies a site in the list of what has changed */
uint64_t ngx_http_dt_modified_site(ngx_str_t *site);


#endif /* _NGX_HTTP_DT_MODIFIED_H_INCLUDED_ */
