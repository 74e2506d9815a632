
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/status/status.h"


void
ngx_http_dt_out_init(ngx_http_dt_out_t *out, ngx_pool_t *pool)
{
    ngx_memzero(out, sizeof(ngx_http_dt_out_t));
    out->pool = pool;
}


void ngx_cdecl
ngx_http_dt_put(ngx_http_dt_out_t *out, const char *fmt, ...)
{
    u_char   *p;
    size_t    n;
    va_list   args;

    for (n = 1; ngx_http_dt_room(out, n); n = p - out->last + 1) {

        va_start(args, fmt);
        p = ngx_vslprintf(out->last, out->end, fmt, args);
        va_end(args);

        /* what fills the buffer may have been cut off */

        if (p < out->end) {
            out->last = p;
            break;
        }
    }
}


u_char *
ngx_http_dt_room(ngx_http_dt_out_t *out, size_t n)
{
    size_t   len;
    u_char  *p;

    if ((size_t) (out->end - out->last) >= n) {
        return out->last;
    }

    len = out->last - out->start;
    n = 2 * (len + n + ngx_pagesize);

    p = out->failed ? NULL : ngx_pnalloc(out->pool, n);
    if (p == NULL) {
        out->failed = 1;
        return NULL;
    }

    if (out->start) {
        ngx_memcpy(p, out->start, len);
        (void) ngx_pfree(out->pool, out->start);
    }

    out->start = p;
    out->last = p + len;
    out->end = p + n;

    return out->last;
}


void
ngx_http_dt_put_comma(ngx_http_dt_out_t *out)
{
    if (out->last && !ngx_strchr("{[", out->last[-1])) {
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
    out->last = p;
}
