
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_HOLD_H_INCLUDED_
#define _NGX_HTTP_DT_HOLD_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * A page is held until its end has come.  Then one call decides about it, and
 * its header and its body are sent.
 */

/*
 * Begins to hold a page.  NGX_DECLINED: it is larger than is held, or the
 * worker holds too much; status and reason say so.
 */
ngx_int_t ngx_http_dt_hold_start(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Takes bytes of the page; *in becomes the rest that was not taken.
 * NGX_AGAIN: more bytes follow; NGX_OK: the whole page is held; NGX_DECLINED:
 * the page cannot be held any further, status and reason say why.
 */
ngx_int_t ngx_http_dt_hold_read(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t **in);

/*
 * Makes room for len more bytes behind buf->last; buf may have no memory yet,
 * and the memory that it has may move.  NGX_DECLINED: the buffer would exceed
 * max bytes, or the worker holds too much; status and reason say so.
 */
ngx_int_t ngx_http_dt_hold_room(ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf,
    size_t len, size_t max);

/* gives the memory of a buffer back */
void ngx_http_dt_hold_free(ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf);

/*
 * Counts bytes for the request, until its end.  NGX_DECLINED: the worker has
 * taken too much for pages that it holds; status and reason say so.
 */
ngx_int_t ngx_http_dt_hold_take(ngx_http_dt_ctx_t *ctx, size_t size);

/* the request has ended */
void ngx_http_dt_hold_end(ngx_http_dt_ctx_t *ctx);

/* frees bytes that the rewritten page does not need; ctx->source is gone */
void ngx_http_dt_hold_trim(ngx_http_dt_ctx_t *ctx);


/* the page passes for want of memory, of which the log has a line; returns
   NGX_DECLINED */
ngx_int_t ngx_http_dt_no_memory(ngx_http_dt_ctx_t *ctx);


/* the output chain, which refers to bytes of the page and to other bytes */

/* adds bytes, which are not copied; NGX_DECLINED: no memory, status and reason
   say so */
ngx_int_t ngx_http_dt_out_add(ngx_http_dt_ctx_t *ctx, u_char *p, size_t len);

/* nothing more is added; NGX_DECLINED: likewise */
ngx_int_t ngx_http_dt_out_end(ngx_http_dt_ctx_t *ctx);

/* takes all of it out */
void ngx_http_dt_out_reset(ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_HOLD_H_INCLUDED_ */
