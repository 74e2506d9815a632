
/*
 * Copyright (C) The detemplate authors
 *
 * Content Security Policy, level 3.  Three directives can govern style
 * elements, and the first that a policy has counts.  A hash in a list makes
 * browsers ignore 'unsafe-inline', which would disable the page's own styles,
 * so a list that allows all styles is left unchanged.
 */


#include "ngx_module/body/body.h"


#define ngx_http_dt_csp_space(c)                                              \
    ((c) == ' ' || (c) == '\t' || (c) == '\n' || (c) == '\f' || (c) == '\r')


/* the directives, the strongest first */

typedef enum {
    NGX_HTTP_DT_CSP_ELEM = 0,
    NGX_HTTP_DT_CSP_STYLE,
    NGX_HTTP_DT_CSP_DEFAULT,
    NGX_HTTP_DT_CSP_NONE
} ngx_http_dt_csp_e;


static u_char *ngx_http_dt_csp_policy(u_char *dst, u_char *p, u_char *last,
    ngx_str_t *hash);
static ngx_uint_t ngx_http_dt_csp_directive(ngx_str_t *directive,
    ngx_str_t *list);
static ngx_uint_t ngx_http_dt_csp_inline(ngx_str_t *list, ngx_uint_t *empty);


static ngx_str_t  ngx_http_dt_csp_directives[] = {
    ngx_string("style-src-elem"),
    ngx_string("style-src"),
    ngx_string("default-src")
};


static ngx_str_t  ngx_http_dt_csp_fields[] = {
    ngx_string("content-security-policy"),
    ngx_string("content-security-policy-report-only"),
    ngx_null_string
};


ngx_int_t
ngx_http_dt_csp_allow(ngx_http_request_t *r, ngx_str_t *hash)
{
    size_t            len;
    u_char           *p, *q, *last, *dst;
    ngx_str_t         value;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    i = 0;
    part = &r->headers_out.headers.part;

    while ((h = ngx_http_dt_find_field(&part, &i, ngx_http_dt_csp_fields))
           != NULL)
    {
        p = h->value.data;
        last = p + h->value.len;

        /* a list may be said twice, and the hash once in each policy */

        len = 2 * h->value.len;

        for (q = p; q <= last; q++) {
            if (q == last || *q == ',') {
                len += sizeof("; style-src-elem  ") - 1 + hash->len;
            }
        }

        value.data = ngx_pnalloc(r->pool, len);
        if (value.data == NULL) {
            return NGX_ERROR;
        }

        dst = value.data;

        for (q = p; q <= last; q++) {
            if (q == last || *q == ',') {
                dst = ngx_http_dt_csp_policy(dst, p, q, hash);

                if (q < last) {
                    *dst++ = ',';
                }

                p = q + 1;
            }
        }

        value.len = dst - value.data;
        h->value = value;
    }

    return NGX_OK;
}


/* one policy, from p to last */

static u_char *
ngx_http_dt_csp_policy(u_char *dst, u_char *p, u_char *last, ngx_str_t *hash)
{
    u_char      *q, *end;
    ngx_str_t    directive, list, best;
    ngx_uint_t   kind, found, empty;

    found = NGX_HTTP_DT_CSP_NONE;
    ngx_str_null(&best);

    for (q = p; q < last; q = end + 1) {
        end = ngx_strlchr(q, last, ';');
        end = end ? end : last;

        directive.data = q;
        directive.len = end - q;

        kind = ngx_http_dt_csp_directive(&directive, &list);

        /* of a directive that is there twice, the first counts */

        if (kind < found) {
            found = kind;
            best = list;
        }
    }

    if (found == NGX_HTTP_DT_CSP_NONE
        || ngx_http_dt_csp_inline(&best, &empty))
    {
        return ngx_cpymem(dst, p, last - p);
    }

    if (found == NGX_HTTP_DT_CSP_DEFAULT) {

        /* default-src is for scripts too, so styles get a list of their own */

        dst = ngx_cpymem(dst, p, last - p);
        dst = ngx_cpymem(dst, "; style-src-elem ",
                         sizeof("; style-src-elem ") - 1);
        p = last;

    } else {
        dst = ngx_cpymem(dst, p, best.data - p);
        p = best.data + best.len;
    }

    if (!empty) {
        dst = ngx_cpymem(dst, best.data, best.len);
    }

    *dst++ = ' ';
    dst = ngx_cpymem(dst, hash->data, hash->len);

    return ngx_cpymem(dst, p, last - p);
}


/* the directive, and its list without spaces around it */

static ngx_uint_t
ngx_http_dt_csp_directive(ngx_str_t *directive, ngx_str_t *list)
{
    u_char      *p, *last, *name;
    ngx_uint_t   i;

    p = directive->data;
    last = p + directive->len;

    while (p < last && ngx_http_dt_csp_space(*p)) {
        p++;
    }

    while (p < last && ngx_http_dt_csp_space(last[-1])) {
        last--;
    }

    name = p;

    while (p < last && !ngx_http_dt_csp_space(*p)) {
        p++;
    }

    for (i = 0; i < NGX_HTTP_DT_CSP_NONE; i++) {

        if ((size_t) (p - name) == ngx_http_dt_csp_directives[i].len
            && ngx_strncasecmp(name, ngx_http_dt_csp_directives[i].data,
                               p - name)
               == 0)
        {
            break;
        }
    }

    while (p < last && ngx_http_dt_csp_space(*p)) {
        p++;
    }

    list->data = p;
    list->len = last - p;

    return i;
}


/* whether a list allows all inline styles; *empty: it allows nothing */

static ngx_uint_t
ngx_http_dt_csp_inline(ngx_str_t *list, ngx_uint_t *empty)
{
    u_char      *p, *q, *last;
    ngx_uint_t   all, some;

    all = 0;
    some = 0;
    *empty = 1;

    last = list->data + list->len;

    for (p = list->data; p < last; p = q) {

        if (ngx_http_dt_csp_space(*p)) {
            q = p + 1;
            continue;
        }

        for (q = p; q < last && !ngx_http_dt_csp_space(*q); q++) {
            /* void */
        }

        if (q - p == 6
            && ngx_strncasecmp(p, (u_char *) "'none'", 6) == 0)
        {
            continue;
        }

        *empty = 0;

        if (q - p == 15
            && ngx_strncasecmp(p, (u_char *) "'unsafe-inline'", 15) == 0)
        {
            all = 1;
        }

        if ((q - p > 8 && ngx_strncasecmp(p, (u_char *) "'nonce-", 7) == 0)
            || (q - p > 4 && ngx_strncasecmp(p, (u_char *) "'sha", 4) == 0))
        {
            some = 1;
        }
    }

    return all && !some;
}
