
/*
 * Copyright (C) The detemplate authors
 */


#include "core/html/charset.h"
#include "ngx_module/body/body.h"


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
    ngx_string("replacement"),
    ngx_null_string
};


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
    ngx_str_t  charset;

    if (len >= 4 && ngx_memcmp(p, "\0\0\xfe\xff", 4) == 0) {
        return 1;
    }

    ngx_http_dt_body_charset(p, len, &charset);

    return ngx_http_dt_foreign_charset(charset.data, charset.len);
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
    const dt_encoding_t  *e;

    ngx_str_null(charset);

    e = dt_charset_sniff((dt_str_t) { len, (char *) p });

    if (e != NULL) {
        charset->data = (u_char *) e->name;
        charset->len = ngx_strlen(e->name);
    }
}
