
/*
 * Copyright (C) The detemplate authors
 *
 * Decisions when the response is there.
 */


#ifndef _NGX_HTTP_DT_RESPONSE_H_INCLUDED_
#define _NGX_HTTP_DT_RESPONSE_H_INCLUDED_


#include "ngx_module/request/request.h"


/*
 * Why the response passes whatever the configuration says of its request, or
 * R_NONE.  Most responses are no pages, so this needs no context.
 */
ngx_uint_t ngx_http_dt_pass_reason(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/*
 * Sets status and reason, the latter to the one given if that is not R_NONE,
 * and the field; gets the response ready if it is to be rewritten.  NGX_ERROR:
 * no memory.
 */
ngx_int_t ngx_http_dt_response(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason);

/*
 * Sets only status and reason; without learn nothing comes of it, and it may
 * be called before, by whoever makes fields of the response.
 */
void ngx_http_dt_apply(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason, ngx_uint_t learn);

/* sets ctx->field by status and reason; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_field(ngx_pool_t *pool, ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_RESPONSE_H_INCLUDED_ */
