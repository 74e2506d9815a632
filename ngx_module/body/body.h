
/*
 * Copyright (C) The detemplate authors
 *
 * Buffers in, slices of them out.
 */


#ifndef _NGX_HTTP_DT_BODY_H_INCLUDED_
#define _NGX_HTTP_DT_BODY_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Gets ready to rewrite a body that comes in this coding; ctx->tmpl has its
 * bytes, ctx->host and ctx->path are set.  NGX_ERROR: no memory, the body is
 * to pass unchanged.
 */
ngx_int_t ngx_http_dt_body_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t coding);

/*
 * Feeds the buffers of ctx->in, and adds what is decided to ctx->out.
 * NGX_AGAIN: this turn is over, and ctx->event is posted for the next one.
 */
ngx_int_t ngx_http_dt_body_feed(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* NGX_AGAIN: likewise, for input that waits to be inflated */
ngx_int_t ngx_http_dt_body_turn(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* takes out fields that are not true of a body which was rewritten */
void ngx_http_dt_body_fields(ngx_list_t *fields);

/*
 * Moves what is held to ctx->out: the body cannot be inflated (ERROR), or it
 * has passed a bound and is not scanned any further (GUARD).
 */
void ngx_http_dt_body_give_up(ngx_http_dt_ctx_t *ctx, ngx_uint_t status);

/* frees a link of output, all bytes of which were sent or copied */
void ngx_http_dt_body_free_link(ngx_http_dt_ctx_t *ctx, ngx_chain_t *cl);

/* ctx->out was passed to the next filter: frees buffers that were sent */
void ngx_http_dt_body_sent(ngx_http_dt_ctx_t *ctx);

/* frees what the request's body has taken besides its pool */
void ngx_http_dt_body_cleanup(ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_BODY_H_INCLUDED_ */
