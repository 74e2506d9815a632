
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_INFLATE_H_INCLUDED_
#define _NGX_HTTP_DT_INFLATE_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* pages that come compressed: gzip and deflate */

typedef enum {
    NGX_HTTP_DT_CODING_NONE = 0,
    NGX_HTTP_DT_CODING_GZIP,
    NGX_HTTP_DT_CODING_DEFLATE,
    NGX_HTTP_DT_CODING_OTHER    /* or several */
} ngx_http_dt_coding_e;


/* the coding that the response's Content-Encoding names */
ngx_uint_t ngx_http_dt_coding(ngx_http_request_t *r);

/* the response is not compressed any more */
void ngx_http_dt_clear_coding(ngx_http_request_t *r);

/*
 * Inflates the whole page that is held into buf, which has no memory yet.
 * NGX_DECLINED: it is not sound, or too large; status and reason say so.
 */
ngx_int_t ngx_http_dt_inflate(ngx_http_dt_ctx_t *ctx, ngx_uint_t coding,
    ngx_buf_t *buf);


#endif /* _NGX_HTTP_DT_INFLATE_H_INCLUDED_ */
