
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/status/put.h"


#define NGX_HTTP_DT_OUT_BUF  16384


void
ngx_http_dt_out_init(ngx_http_dt_out_t *out, ngx_pool_t *pool)
{
    ngx_memzero(out, sizeof(ngx_http_dt_out_t));
    out->pool = pool;
    out->next = &out->body;
}


void ngx_cdecl
ngx_http_dt_put(ngx_http_dt_out_t *out, const char *fmt, ...)
{
    u_char   *p;
    size_t    n;
    va_list   args;

    for (n = 1; ngx_http_dt_room(out, n); n = p - out->buf->last + 1) {

        va_start(args, fmt);
        p = ngx_vslprintf(out->buf->last, out->buf->end, fmt, args);
        va_end(args);

        /* text that fills the whole buffer may have been truncated */

        if (p < out->buf->end) {
            out->buf->last = p;
            break;
        }
    }
}


u_char *
ngx_http_dt_room(ngx_http_dt_out_t *out, size_t n)
{
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    b = out->buf;

    if (b && (size_t) (b->end - b->last) >= n) {
        return b->last;
    }

    b = ngx_create_temp_buf(out->pool, ngx_max(n, NGX_HTTP_DT_OUT_BUF));
    cl = ngx_alloc_chain_link(out->pool);

    if (b == NULL || cl == NULL) {
        out->failed = 1;
        return NULL;
    }

    cl->buf = b;
    cl->next = NULL;

    *out->next = cl;
    out->next = &cl->next;
    out->buf = b;

    return b->last;
}


void
ngx_http_dt_put_comma(ngx_http_dt_out_t *out)
{
    if (out->buf && !ngx_strchr("{[", out->buf->last[-1])) {
        ngx_http_dt_put(out, ",");
    }
}


void
ngx_http_dt_put_name(ngx_http_dt_out_t *out, char *name)
{
    ngx_http_dt_put_comma(out);
    ngx_http_dt_put(out, "\"%s\":", name);
}


/* texts are ASCII, except in files that somebody else has written */

void
ngx_http_dt_put_json(ngx_http_dt_out_t *out, ngx_str_t *text)
{
    u_char  *p, *s, *end;

    p = ngx_http_dt_room(out, 2 + 6 * text->len);
    if (p == NULL) {
        return;
    }

    end = text->data + text->len;
    *p++ = '"';

    for (s = text->data; s < end; s++) {

        if (*s >= 0x20 && *s < 0x7f && *s != '"' && *s != '\\') {
            *p++ = *s;

        } else {
            p = ngx_sprintf(p, "\\u%04xD", (uint32_t) *s);
        }
    }

    *p++ = '"';
    out->buf->last = p;
}
