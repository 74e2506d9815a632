
/*
 * Copyright (C) The detemplate authors
 *
 * Writes the marks of annotate with names that no page has, and after the page
 * one element with a style and a badge: a tab in the corner that unfolds, and
 * on a phone a line behind the page.  The style is constant, so a content
 * security policy can allow it by its hash.  It changes no layout, and its
 * rules are stronger than rules of the page for all elements.
 */


#include "ngx_module/body/preview.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/fields.h"
#include "ngx_module/zone/site.h"


#define NGX_HTTP_DT_BADGE_SIZE  768    /* all but names and style */


#define ngx_http_dt_csp_space(c)                                              \
    ((c) == ' ' || (c) == '\t' || (c) == '\n' || (c) == '\f' || (c) == '\r')


/* the directives, the strongest first */

typedef enum {
    NGX_HTTP_DT_CSP_ELEM = 0,
    NGX_HTTP_DT_CSP_STYLE,
    NGX_HTTP_DT_CSP_DEFAULT,
    NGX_HTTP_DT_CSP_NONE
} ngx_http_dt_csp_e;


static ngx_int_t ngx_http_dt_csp_allow(ngx_http_request_t *r, ngx_str_t *hash);
static u_char *ngx_http_dt_preview_write(u_char *p, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *status);
static u_char *ngx_http_dt_csp_policy(u_char *dst, u_char *p, u_char *last,
    ngx_str_t *hash);
static ngx_uint_t ngx_http_dt_csp_directive(ngx_str_t *directive,
    ngx_str_t *list);
static ngx_uint_t ngx_http_dt_csp_inline(ngx_str_t *list, ngx_uint_t *empty);


const dt_wrap_t  ngx_http_dt_preview_wrap = {
    { sizeof(" data-detemplate=\"\"") - 1, " data-detemplate=\"\"" },
    { sizeof("<detemplate-text>") - 1, "<detemplate-text>" },
    { sizeof("</detemplate-text>") - 1, "</detemplate-text>" },
    { sizeof(" data-detemplate=\"hand\"") - 1, " data-detemplate=\"hand\"" }
};


/* t/preview.t checks that this is the hash of the text between the tags */

static ngx_str_t  ngx_http_dt_preview_style = ngx_string(
    "detemplate-text:not(#d#d#d){all:unset!important}"
    "[data-detemplate=\"\"]:not(#d#d#d),[data-detemplate=hand]:not(#d#d#d),"
    "detemplate-text:not(#d#d#d){"
    "outline:2px dashed #7c4dff!important;"
    "outline-offset:-2px!important;"
    "box-shadow:inset 0 0 0 9999px #7c4dff33!important;"
    "opacity:.6!important}"
    "[data-detemplate=hand]:not(#d#d#d){outline:2px dotted #0288d1!important;"
    "box-shadow:inset 0 0 0 9999px #0288d133!important}"
    "[data-detemplate=keep]:not(#d#d#d){"
    "outline:2px solid #2e9e4f!important;outline-offset:-2px!important}"
    "detemplate-text:not(#d#d#d)::before,detemplate-text:not(#d#d#d)::after,"
    "detemplate-badge:not(#d#d#d)::before,"
    "detemplate-badge:not(#d#d#d)::after{content:none!important}"
    "detemplate-badge:not(#d#d#d){all:initial!important;"
    "position:fixed!important;right:0!important;bottom:0!important;"
    "z-index:2147483647!important;max-width:24em!important;"
    "border:solid #7c4dff!important;border-width:2px 0 0 2px!important;"
    "background:#1b1b1f!important;color:#fff!important;"
    "font:13px/1.4 sans-serif!important;overflow-wrap:anywhere!important}"
    "detemplate-badge:not(#d#d#d) *{all:revert!important}"
    "detemplate-badge:not(#d#d#d) details{padding:2px 8px!important}"
    "detemplate-badge:not(#d#d#d) summary{cursor:pointer!important}"
    "detemplate-badge:not(#d#d#d) a{color:#8ecbff!important}"
    "detemplate-badge:not(#d#d#d) :is(b,i,u){font:inherit!important;"
    "text-decoration:none!important;padding:0 4px!important;"
    "outline:2px dashed #7c4dff!important;background:#7c4dff66!important;"
    "outline-offset:-2px!important}"
    "detemplate-badge:not(#d#d#d) i{outline:2px dotted #0288d1!important;"
    "background:#0288d166!important}"
    "detemplate-badge:not(#d#d#d) u{outline:2px solid #2e9e4f!important;"
    "background:none!important}"
    "@media (max-width:40em){detemplate-badge:not(#d#d#d){"
    "position:static!important;display:block!important;"
    "max-width:none!important;border-width:2px 0 0!important}}"
    "@media print{detemplate-badge:not(#d#d#d){display:none!important}}");

static ngx_str_t  ngx_http_dt_preview_hash = ngx_string(
    "'sha256-RJmSzLzSnhwugxKCyd8rA0TDH07FlAc3Yebpecok2I0='");


static ngx_str_t  ngx_http_dt_preview_hidden[] = {
    ngx_string("cache-control"),
    ngx_string("expires"),
    ngx_string("pragma"),
    ngx_string("cdn-cache-control"),
    ngx_string("cloudflare-cdn-cache-control"),
    ngx_string("surrogate-control"),
    ngx_string("x-accel-expires"),
    ngx_string("x-robots-tag"),
    ngx_string("x-content-type-options"),
    ngx_null_string
};


ngx_int_t
ngx_http_dt_preview_fields(ngx_http_request_t *r)
{
    ngx_list_t  *headers;

    static ngx_str_t  no_store = ngx_string("no-store, no-transform");
    static ngx_str_t  noindex = ngx_string("noindex");
    static ngx_str_t  nosniff = ngx_string("nosniff");

    ngx_http_dt_hide_fields(&r->headers_out.headers,
                            ngx_http_dt_preview_hidden);

    ngx_http_clear_etag(r);
    ngx_http_clear_last_modified(r);

    headers = &r->headers_out.headers;

    if (ngx_http_dt_push_field(headers, "Cache-Control", &no_store)
        != NGX_OK
        || ngx_http_dt_push_field(headers, "X-Robots-Tag", &noindex)
           != NGX_OK
        || ngx_http_dt_push_field(headers, "X-Content-Type-Options", &nosniff)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_dt_csp_allow(r, &ngx_http_dt_preview_hash);
}


ngx_int_t
ngx_http_dt_preview_badge(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    size_t                   len;
    u_char                  *p, *last;
    ngx_http_dt_srv_conf_t  *dscf;

    dscf = ngx_http_get_module_srv_conf(r, ngx_http_detemplate_filter_module);

    len = NGX_HTTP_DT_BADGE_SIZE
          + ngx_http_dt_preview_style.len
          + ctx->site.len + ngx_escape_html(NULL, ctx->site.data,
                                            ctx->site.len)
          + dscf->status.len;

    p = ngx_pnalloc(r->pool, len);
    if (p == NULL) {
        return ngx_http_dt_no_memory(ctx);
    }

    last = ngx_http_dt_preview_write(p, ctx, &dscf->status);

    return ngx_http_dt_out_add(ctx, p, last - p);
}


/* writes the badge at p; returns its end */

static u_char *
ngx_http_dt_preview_write(u_char *p, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *status)
{
    uint64_t            permille;
    dt_rewrite_stats_t  stats;

    stats = ctx->stats;

    permille = stats.in ? (stats.removed * 1000 + stats.in / 2) / stats.in : 0;

    p = ngx_sprintf(p, "<detemplate-badge role=\"note\" lang=\"en\" "
                    "dir=\"ltr\"><style>%V</style><details><summary>"
                    "%uL.%uL %% template</summary>",
                    &ngx_http_dt_preview_style, permille / 10, permille % 10);

    p = (u_char *) ngx_escape_html(p, ctx->site.data, ctx->site.len);

    p = ngx_sprintf(p, ", version %uD: %uL.%uL %% of %uL bytes would be cut, "
                    "in %uD regions.",
                    ctx->found.tmpl->version, permille / 10, permille % 10,
                    stats.in, stats.regions);

    if (stats.forced || stats.kept) {
        p = ngx_sprintf(p, " By hand: %uD cut, %uD kept.", stats.forced,
                        stats.kept);
    }

    if (ctx->links) {
        p = ngx_sprintf(p, " Links would stay.");
    }

    if (ctx->status == NGX_HTTP_DT_S_GUARD) {
        p = ngx_sprintf(p, " The page would pass: %V.",
                        &ngx_http_dt_reasons[ctx->reason]);
    }

    if (status->len) {
        p = ngx_sprintf(p, " <a href=\"%V?format=html\">Status</a>", status);
    }

    return ngx_sprintf(p, "<p><b>cut</b> <i>cut by hand</i> "
                       "<u>kept by hand</u></p></details>"
                       "</detemplate-badge>\n");
}


/*
 * Content Security Policy, level 3.  Three directives can govern style
 * elements, and the first that a policy has counts.  A hash in a list makes
 * browsers ignore 'unsafe-inline', which would disable the page's own styles,
 * so a list that allows all styles is left unchanged.
 */


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


/*
 * Makes every Content-Security-Policy of the response, and those that only
 * report, allow one style element of ours by its hash ("'sha256-...'"), and
 * nothing else that they forbid.  NGX_ERROR: no memory.
 */

static ngx_int_t
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
