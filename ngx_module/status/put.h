
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_PUT_H_INCLUDED_
#define _NGX_HTTP_DT_PUT_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* the body of an answer; all is 0 but the pool at the beginning */

typedef struct {
    ngx_pool_t                    *pool;
    ngx_chain_t                   *body;
    ngx_chain_t                  **next;
    ngx_buf_t                     *buf;        /* the last one */
    ngx_uint_t                     failed;     /* memory was short */
} ngx_http_dt_out_t;


/* begins a body that is empty */
void ngx_http_dt_out_init(ngx_http_dt_out_t *out, ngx_pool_t *pool);

/* adds formatted text, as ngx_sprintf() writes it */
void ngx_cdecl ngx_http_dt_put(ngx_http_dt_out_t *out, const char *fmt, ...);

/* where n bytes may be added; NULL: no memory */
u_char *ngx_http_dt_room(ngx_http_dt_out_t *out, size_t n);

/* adds a comma unless this member is the first one; put_name() also adds the
   member's name */
void ngx_http_dt_put_comma(ngx_http_dt_out_t *out);
void ngx_http_dt_put_name(ngx_http_dt_out_t *out, char *name);

/* adds a text as a string of JSON */
void ngx_http_dt_put_json(ngx_http_dt_out_t *out, ngx_str_t *text);


#endif /* _NGX_HTTP_DT_PUT_H_INCLUDED_ */
