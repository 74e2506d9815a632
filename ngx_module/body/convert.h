
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CONVERT_H_INCLUDED_
#define _NGX_HTTP_DT_CONVERT_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Charsets in which markup is more than ASCII bytes with others between, and
 * the charset that a page declares.
 */

/* first bytes of a body that may say its charset */
#define NGX_HTTP_DT_SNIFF  1024


/* whether markup in this charset is more than ASCII bytes with others */
ngx_uint_t ngx_http_dt_foreign_charset(u_char *p, size_t len);

/* the same for the first bytes of a body: its BOM, or the charset it names */
ngx_uint_t ngx_http_dt_foreign_body(u_char *p, size_t len);

/* the length of the charset name at the start of a value: up to the first byte
   that no name contains */
size_t ngx_http_dt_charset_len(u_char *p, size_t len);


/* pages that are sent as Markdown or as text */

typedef enum {
    NGX_HTTP_DT_TYPE_HTML = 0,
    NGX_HTTP_DT_TYPE_XML,        /* XHTML, which is read as XML */
    NGX_HTTP_DT_TYPE_OTHER
} ngx_http_dt_type_e;

/* the type of the response */
ngx_uint_t ngx_http_dt_convert_type(ngx_http_request_t *r);

/* whether a response of this type, in this charset, can be converted; R_NONE,
   or why not */
ngx_uint_t ngx_http_dt_convert_reason(ngx_http_request_t *r,
    ngx_str_t *charset);

/*
 * Converts the page html, of which kept remains, and sets ctx->out.
 * NGX_DECLINED: it cannot be converted; status and reason say why.
 */
ngx_int_t ngx_http_dt_convert(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *html, ngx_buf_t *kept);

/*
 * Sets the fields of a response that is converted: its type, a link to the
 * page, and how many tokens it has and the origin's page has, by the estimate
 * of doc/figures.md.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_fields(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* writes a URL, with its bytes that no URL has in three; returns its end */
u_char *ngx_http_dt_convert_encode(u_char *p, ngx_str_t *url);

/* sets the tag by which the links of a page lead where they do in it, when it
   is served from another URL; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_convert_base(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Adds a link to the form of the page that can be had as Markdown, unless the
 * response has one.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_link(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_CONVERT_H_INCLUDED_ */
