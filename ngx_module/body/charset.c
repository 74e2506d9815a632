
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/charset.h"


#define ngx_http_dt_is_space(c)                                               \
    ((c) == ' ' || (c) == '\t' || (c) == '\n' || (c) == '\r' || (c) == '\f')


static ngx_str_t  ngx_http_dt_charsets[] = {
    ngx_string("utf-16"),
    ngx_string("utf16"),
    ngx_string("utf-32"),
    ngx_string("utf32"),
    ngx_string("utf-7"),
    ngx_string("utf7"),
    ngx_string("ucs-"),
    ngx_string("unicode"),
    ngx_string("iso-2022-"),
    ngx_string("iso2022"),
    ngx_string("hz"),
    ngx_null_string
};


static u_char *ngx_http_dt_charset_next(u_char *first, u_char *p,
    u_char *last);
static ngx_uint_t ngx_http_dt_charset_in_meta(u_char *first, u_char *p);


ngx_uint_t
ngx_http_dt_foreign_charset(u_char *p, size_t len)
{
    ngx_str_t  *charset;

    for (charset = ngx_http_dt_charsets; charset->len; charset++) {

        if (len >= charset->len
            && ngx_strncasecmp(p, charset->data, charset->len) == 0)
        {
            return 1;
        }
    }

    return 0;
}


ngx_uint_t
ngx_http_dt_foreign_body(u_char *p, size_t len)
{
    u_char  *first, *last;

    first = p;
    last = p + len;

    if (len >= 2
        && ((p[0] == 0xfe && p[1] == 0xff) || (p[0] == 0xff && p[1] == 0xfe)))
    {
        return 1;
    }

    if (len >= 4 && ngx_memcmp(p, "\0\0\xfe\xff", 4) == 0) {
        return 1;
    }

    while ((p = ngx_http_dt_charset_next(first, p, last)) != NULL) {

        if (ngx_http_dt_foreign_charset(p, last - p)) {
            return 1;
        }
    }

    return 0;
}


/*
 * Finds <meta charset=...> or <meta content="...; charset=...">; returns where
 * the value begins, or NULL.
 */

static u_char *
ngx_http_dt_charset_next(u_char *first, u_char *p, u_char *last)
{
    u_char  *name;

    while ((p = memchr(p, '=', last - p)) != NULL) {

        for (name = p++; name > first; name--) {
            if (!ngx_http_dt_is_space(name[-1])) {
                break;
            }
        }

        /* of most attributes the last letter tells */

        if (name - first < 7
            || (name[-1] | 0x20) != 't'
            || ngx_strncasecmp(name - 7, (u_char *) "charset", 7) != 0)
        {
            continue;
        }

        while (p < last && (*p == '"' || *p == '\''
                            || ngx_http_dt_is_space(*p)))
        {
            p++;
        }

        return p;
    }

    return NULL;
}


size_t
ngx_http_dt_charset_len(u_char *p, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        if (p[i] <= ' ' || ngx_strchr("\"';,/<>", p[i])) {
            break;
        }
    }

    return i;
}


void
ngx_http_dt_body_charset(u_char *p, size_t len, ngx_str_t *charset)
{
    u_char  *first, *last;

    first = p;
    last = p + len;

    ngx_str_null(charset);

    if (len >= 3 && ngx_memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        ngx_str_set(charset, "utf-8");
        return;
    }

    while ((p = ngx_http_dt_charset_next(first, p, last)) != NULL) {

        if (ngx_http_dt_charset_in_meta(first, p)) {
            charset->data = p;
            charset->len = ngx_http_dt_charset_len(p, last - p);
            return;
        }
    }
}


/* other elements, as scripts, have such an attribute as well */

static ngx_uint_t
ngx_http_dt_charset_in_meta(u_char *first, u_char *p)
{
    u_char  *tag;

    for (tag = p; tag > first && *tag != '<'; tag--) { /* void */ }

    return p - tag > 5
           && ngx_strncasecmp(tag, (u_char *) "<meta", 5) == 0;
}
