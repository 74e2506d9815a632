
/*
 * Copyright (C) The detemplate authors
 *
 * A page is held until its end has come, so that its header can tell more: in
 * mode headers its regions, and for HTTP/1.0 the length of a rewritten page.
 */


#ifndef _NGX_HTTP_DT_HOLD_H_INCLUDED_
#define _NGX_HTTP_DT_HOLD_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* whether the header of this response can wait for its body */
ngx_uint_t ngx_http_dt_hold_header(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Takes the buffers of ctx->out.  NGX_AGAIN: the page is held further.
 * NGX_OK: it is to be sent now, header first; ctx->out has all of it that was
 * held.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_hold(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * The header was sent.  A body without a length or chunks ends with the
 * connection: unless its end was sent, that is reset, whatever closes it.
 */
void ngx_http_dt_hold_reset(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* the request has ended: closes the connection as usual if all was sent */
void ngx_http_dt_hold_sent(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* whether all of the page was seen: an upstream has no body for HEAD */
ngx_uint_t ngx_http_dt_hold_knows(ngx_http_dt_ctx_t *ctx);

/* the response has no body: gives the buffers of ctx->out back */
void ngx_http_dt_hold_drop(ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_HOLD_H_INCLUDED_ */
