
/*
 * Copyright (C) The detemplate authors
 *
 * Buffers in, slices of them out.
 */


#ifndef _NGX_HTTP_DETEMPLATE_BODY_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_BODY_H_INCLUDED_


#include "ngx_http_detemplate_request.h"


/* NGX_ERROR: no memory, the body is to pass unchanged */
ngx_int_t ngx_http_detemplate_body_start(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/*
 * Adds to ctx->out what is decided with the buffers of ctx->in.  NGX_AGAIN:
 * this turn is over, the others are fed when ctx->event comes.
 */
ngx_int_t ngx_http_detemplate_body_feed(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/* ctx->out was sent: takes back the buffers that are through */
void ngx_http_detemplate_body_sent(ngx_http_detemplate_ctx_t *ctx);


#endif /* _NGX_HTTP_DETEMPLATE_BODY_H_INCLUDED_ */
