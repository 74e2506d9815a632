
/*
 * Copyright (C) The detemplate authors
 *
 * Charsets in which markup is more than ASCII bytes with others between, and
 * what a page says of its own.
 */


#ifndef _NGX_HTTP_DT_CHARSET_H_INCLUDED_
#define _NGX_HTTP_DT_CHARSET_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* first bytes of a body that may say its charset */
#define NGX_HTTP_DT_SNIFF  1024


/* whether markup in this charset is more than ASCII bytes with others */
ngx_uint_t ngx_http_dt_foreign_charset(u_char *p, size_t len);

/* the same for the first bytes of a body: its BOM, or the charset it names */
ngx_uint_t ngx_http_dt_foreign_body(u_char *p, size_t len);

/* the length of the name that begins a value, up to what no name has */
size_t ngx_http_dt_charset_len(u_char *p, size_t len);

/* sets the charset that the first bytes of a body name; empty: none */
void ngx_http_dt_body_charset(u_char *p, size_t len, ngx_str_t *charset);


#endif /* _NGX_HTTP_DT_CHARSET_H_INCLUDED_ */
