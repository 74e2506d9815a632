
/*
 * Copyright (C) The detemplate authors
 *
 * Pages that come compressed: gzip and deflate, inflated as they come.
 */


#ifndef _NGX_HTTP_DT_INFLATE_H_INCLUDED_
#define _NGX_HTTP_DT_INFLATE_H_INCLUDED_


#include "ngx_module/detemplate.h"


typedef enum {
    NGX_HTTP_DT_CODING_NONE = 0,
    NGX_HTTP_DT_CODING_GZIP,
    NGX_HTTP_DT_CODING_DEFLATE,
    NGX_HTTP_DT_CODING_OTHER    /* or several */
} ngx_http_dt_coding_e;


/* what the Content-Encoding of the response says */
ngx_uint_t ngx_http_dt_coding(ngx_http_request_t *r);

/* the response is not compressed any more */
void ngx_http_dt_clear_coding(ngx_http_request_t *r);

/*
 * For a body in one of the two codings: some 72 KB until it ends, of the pool
 * of the request.  NULL: no memory.
 */
ngx_http_dt_inflate_t *ngx_http_dt_inflate_create(
    ngx_http_request_t *r, ngx_uint_t coding);

/* further buffers of the body; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_inflate_add(ngx_http_dt_inflate_t *inf, ngx_chain_t *in);

/*
 * NGX_OK: *buf is what comes next of the page, with its flags.  It is always
 * the same one, which is filled again when all of it was sent; until then, and
 * without input, NGX_DECLINED.  NGX_ERROR: the body is not sound, and the log
 * says so; *buf has what came before, if anything, and this is not to be
 * called again.
 */
ngx_int_t ngx_http_dt_inflate(ngx_http_dt_inflate_t *inf, ngx_buf_t **buf);

/* whether the body is longer than what is looked at; the log says so */
ngx_uint_t ngx_http_dt_inflate_is_over(ngx_http_dt_inflate_t *inf);

/* whether there is input that waits for the buffer to be sent */
ngx_uint_t ngx_http_dt_inflate_waits(ngx_http_dt_inflate_t *inf);


#endif /* _NGX_HTTP_DT_INFLATE_H_INCLUDED_ */
