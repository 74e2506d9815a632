
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/fields.h"


static ngx_uint_t ngx_http_dt_is_name(u_char *p, size_t len, ngx_str_t *name);


ngx_uint_t
ngx_http_dt_count_parts(ngx_list_t *headers, ngx_str_t *name, ngx_str_t *token,
    ngx_uint_t *other)
{
    u_char           *p, *q, *last;
    ngx_uint_t        i, n;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    i = 0;
    n = 0;
    *other = 0;
    part = &headers->part;

    while ((h = ngx_http_dt_next_field(&part, &i)) != NULL) {

        if (h->hash == 0
            || !ngx_http_dt_is_name(h->key.data, h->key.len, name))
        {
            continue;
        }

        p = h->value.data;
        last = p + h->value.len;

        while (p < last) {

            if (*p == ',' || *p == ' ' || *p == '\t') {
                p++;
                continue;
            }

            for (q = p; q < last && *q != ','; q++) { /* void */ }

            while (q[-1] == ' ' || q[-1] == '\t') {
                q--;
            }

            if (ngx_http_dt_is_name(p, q - p, token)) {
                n++;

            } else {
                (*other)++;
            }

            for (p = q; p < last && *p != ','; p++) { /* void */ }
        }
    }

    return n;
}


ngx_uint_t
ngx_http_dt_no_transform(ngx_list_t *headers)
{
    ngx_uint_t  other;

    static ngx_str_t  no_transform = ngx_string("no-transform");
    static ngx_str_t  cache_control = ngx_string("cache-control");

    return ngx_http_dt_count_parts(headers, &cache_control, &no_transform,
                                   &other);
}


ngx_uint_t
ngx_http_dt_is_field(ngx_table_elt_t *h, ngx_str_t *names)
{
    for ( /* void */ ; names->len; names++) {
        if (ngx_http_dt_is_name(h->key.data, h->key.len, names)) {
            return 1;
        }
    }

    return 0;
}


/* ignores case; name has lower case letters, digits and hyphens only */

static ngx_uint_t
ngx_http_dt_is_name(u_char *p, size_t len, ngx_str_t *name)
{
    size_t  i;

    if (len != name->len) {
        return 0;
    }

    for (i = 0; i < len; i++) {
        if ((p[i] | 0x20) != name->data[i] || p[i] < ' ') {
            return 0;
        }
    }

    return 1;
}


ngx_table_elt_t *
ngx_http_dt_next_field(ngx_list_part_t **part, ngx_uint_t *i)
{
    ngx_table_elt_t  *h;

    while (*i >= (*part)->nelts) {

        if ((*part)->next == NULL) {
            return NULL;
        }

        *part = (*part)->next;
        *i = 0;
    }

    h = (*part)->elts;

    return &h[(*i)++];
}


ngx_table_elt_t *
ngx_http_dt_find_field(ngx_list_part_t **part, ngx_uint_t *i, ngx_str_t *names)
{
    ngx_table_elt_t  *h;

    do {
        h = ngx_http_dt_next_field(part, i);
    } while (h && !ngx_http_dt_is_field(h, names));

    return h;
}


ngx_table_elt_t *
ngx_http_dt_first_field(ngx_list_t *headers, ngx_str_t *names)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;

    i = 0;
    part = &headers->part;

    return ngx_http_dt_find_field(&part, &i, names);
}


void
ngx_http_dt_hide_fields(ngx_list_t *headers, ngx_str_t *names)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    i = 0;
    part = &headers->part;

    while ((h = ngx_http_dt_find_field(&part, &i, names)) != NULL) {
        h->hash = 0;
    }
}


ngx_int_t
ngx_http_dt_push_field(ngx_list_t *headers, char *name, ngx_str_t *value)
{
    ngx_table_elt_t  *h;

    if (value->len == 0) {
        return NGX_OK;
    }

    h = ngx_list_push(headers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    h->hash = 1;
#if (nginx_version >= 1023000)
    h->next = NULL;
#endif
    h->key.data = (u_char *) name;
    h->key.len = ngx_strlen(name);
    h->value = *value;

    return NGX_OK;
}
