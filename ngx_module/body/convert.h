
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

/* the page is being converted to JSON */
#define ngx_http_dt_is_json(ctx)                                              \
    ((ctx)->text && (ctx)->mode == NGX_HTTP_DT_MODE_JSON)

/* writes a URL, with its bytes that no URL has in three; returns its end */
u_char *ngx_http_dt_convert_encode(u_char *p, ngx_str_t *url);

/*
 * What nginx knows of a page in JSON, which comes behind it.  It is no part of
 * entity tags: the template may be learned anew with the same result.  NULL:
 * no memory.
 */
ngx_chain_t *ngx_http_dt_convert_tail(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* the same, added to a page that is held to its end */
ngx_int_t ngx_http_dt_convert_end(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

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
