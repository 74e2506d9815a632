
/*
 * Copyright (C) The detemplate authors
 *
 * The body of a page: a buffer in, slices of it out.
 */


#ifndef _NGX_HTTP_DT_BODY_H_INCLUDED_
#define _NGX_HTTP_DT_BODY_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Makes ctx->source the bytes of the held page as they are without a coding.
 * NGX_DECLINED: the page is sent as it came, status and reason say why.
 */
ngx_int_t ngx_http_dt_body_read(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Rewrites ctx->source into the chain ctx->out, which has ctx->length bytes.
 * A template has its bytes, and ctx->host and ctx->path are set.
 * NGX_DECLINED: the page is sent as it came, status and reason say why.
 */
ngx_int_t ngx_http_dt_body(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_BODY_H_INCLUDED_ */
