
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_RESPONSE_H_INCLUDED_
#define _NGX_HTTP_DT_RESPONSE_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* decisions when the response is there */

/*
 * The reason why the response passes unchanged under any configuration of its
 * request, or R_NONE.  Most responses are no pages, so this needs no context.
 */
ngx_uint_t ngx_http_dt_pass_reason(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/* whether the response may be, or stand for, one of several forms of a page */
ngx_uint_t ngx_http_dt_is_page(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/*
 * Sets status and reason, the latter to the one given if that is not R_NONE,
 * and the field; gets the response ready if it is to be rewritten.  NGX_ERROR:
 * no memory.
 */
ngx_int_t ngx_http_dt_response(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason);

/*
 * Sets the fields of a response that is rewritten: for HEAD by the facts known
 * without a body, else by ctx->out.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_rewritten(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Decides about a response: sets status, reason and ctx->found by all that the
 * request and the response say, unless a reason is given.  NGX_OK: it is a
 * page that could be rewritten.  Queues nothing, so that variables may ask as
 * soon as there is a response.
 */
ngx_int_t ngx_http_dt_decide(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason);

/* sets ctx->field by status and reason; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_field(ngx_pool_t *pool, ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_RESPONSE_H_INCLUDED_ */
