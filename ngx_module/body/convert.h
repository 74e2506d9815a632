
/*
 * Copyright (C) The detemplate authors
 *
 * Pages that are sent as Markdown or as text.
 */


#ifndef _NGX_HTTP_DT_CONVERT_H_INCLUDED_
#define _NGX_HTTP_DT_CONVERT_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* whether the response is XHTML, which is read as XML */
ngx_uint_t ngx_http_dt_convert_is_xml(ngx_http_request_t *r);

/* whether a response of this type, in this charset, can be converted; R_NONE,
   or why not */
ngx_uint_t ngx_http_dt_convert_reason(ngx_http_request_t *r,
    ngx_str_t *charset);

/*
 * Begins the conversion of a page whose first bytes are p; opts has memory and
 * output.  If it cannot be converted, status and reason say why, and ctx->text
 * stays NULL.
 */
void ngx_http_dt_convert_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    dt_text_opts_t *opts, u_char *p, size_t len);

/*
 * Sets the fields of a response that is converted: its type, and a link to the
 * page.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_fields(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* writes a URL, with its bytes that no URL has in three; returns its end */
u_char *ngx_http_dt_convert_encode(u_char *p, ngx_str_t *url);

#define NGX_HTTP_DT_TAIL  128

/* writes what comes behind the page, of at most that size; returns its size */
size_t ngx_http_dt_convert_tail(ngx_http_dt_ctx_t *ctx, u_char *tail);

/*
 * Adds a link to the form of the page that can be had as Markdown, unless the
 * response has one.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_link(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/*
 * Adds to a page that is held to its end how many tokens it has, and how many
 * the origin's page has, by the estimate of doc/figures.md.
 */
ngx_int_t ngx_http_dt_convert_sizes(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_CONVERT_H_INCLUDED_ */
