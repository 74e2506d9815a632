
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/convert.h"
#include "core/html/charset.h"
#include "core/text/convert.h"
#include "core/text/page.h"
#include "core/text/text.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/fields.h"
#include "ngx_module/zone/stats.h"


#define NGX_HTTP_DT_TAIL  128


typedef struct {
    ngx_http_dt_ctx_t             *ctx;
    ngx_buf_t                      buf;
} ngx_http_dt_convert_t;


static int ngx_http_dt_convert_out(void *data, const char *p, size_t len);
static ngx_int_t ngx_http_dt_convert_sizes(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_convert_tail(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static void ngx_http_dt_body_charset(u_char *p, size_t len,
    ngx_str_t *charset);
static ngx_int_t ngx_http_dt_convert_url(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_convert_index(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, dt_text_opts_t *opts);
static ngx_int_t ngx_http_dt_convert_twin(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_str_t *url);
static ngx_int_t ngx_http_dt_convert_head(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_str_t *url);
static ngx_int_t ngx_http_dt_convert_tag(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_str_t *tag, ngx_str_t *url);
static ngx_int_t ngx_http_dt_convert_add_link(ngx_http_request_t *r,
    ngx_str_t *url, char *params);


/* by ngx_http_dt_type_e */

static ngx_str_t  ngx_http_dt_convert_types[] = {
    ngx_string("text/html"),
    ngx_string("application/xhtml+xml")
};


static ngx_str_t  ngx_http_dt_convert_links[] = ngx_http_dt_one("link");


ngx_uint_t
ngx_http_dt_convert_reason(ngx_http_request_t *r, ngx_str_t *charset)
{
    if (ngx_http_dt_convert_type(r) == NGX_HTTP_DT_TYPE_OTHER) {
        return NGX_HTTP_DT_R_TYPE;
    }

    return dt_text_knows(ngx_http_dt_str(charset)) ? NGX_HTTP_DT_R_NONE
                                                   : NGX_HTTP_DT_R_CHARSET;
}


ngx_uint_t
ngx_http_dt_convert_type(ngx_http_request_t *r)
{
    u_char      *p;
    ngx_str_t   *value, *type;
    ngx_uint_t   i;

    value = &r->headers_out.content_type;

    for (i = 0; i < NGX_HTTP_DT_TYPE_OTHER; i++) {
        type = &ngx_http_dt_convert_types[i];
        p = value->data + type->len;

        if (value->len >= type->len
            && ngx_strncasecmp(value->data, type->data, type->len) == 0
            && (value->len == type->len
                || *p == ';' || *p == ' ' || *p == '\t'))
        {
            break;
        }
    }

    return i;
}


/*
 * A BOM is above the header, and that is above the page.  The header's charset
 * is known to be one that can be read.
 */

ngx_int_t
ngx_http_dt_convert(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *html, ngx_buf_t *kept)
{
    size_t                  len;
    ngx_str_t               charset;
    dt_status_t             rc;
    dt_text_info_t          info;
    dt_text_opts_t          opts;
    ngx_http_dt_convert_t   text;

    len = html->last - html->pos;
    charset = ctx->charset;

    if (charset.len == 0
        || (len >= 3 && ngx_memcmp(html->pos, "\xef\xbb\xbf", 3) == 0))
    {
        ngx_http_dt_body_charset(html->pos, ngx_min(len, NGX_HTTP_DT_SNIFF),
                                 &charset);
    }

    ngx_memzero(&text, sizeof(ngx_http_dt_convert_t));
    ngx_memzero(&opts, sizeof(dt_text_opts_t));

    text.ctx = ctx;

    opts.front = (ctx->mode == NGX_HTTP_DT_MODE_MARKDOWN && ctx->conf->front
                  && ctx->only.len == 0);
    opts.plain = (ctx->mode == NGX_HTTP_DT_MODE_TEXT);
    opts.json = (ctx->mode == NGX_HTTP_DT_MODE_JSON);
    opts.anchors = (!opts.plain && ctx->conf->anchors);
    opts.hidden = ctx->conf->hidden & 1;
    opts.xml = ctx->xml;
    opts.charset = ngx_http_dt_str(&charset);
    opts.out = ngx_http_dt_convert_out;
    opts.out_data = &text;

    if (ngx_http_dt_convert_url(r, ctx) != NGX_OK
        || ngx_http_dt_convert_index(r, ctx, &opts) != NGX_OK)
    {
        return ngx_http_dt_no_memory(ctx);
    }

    opts.url = ngx_http_dt_str(&ctx->url);
    opts.cut = &ctx->stats.cut_words;

    if (ngx_http_dt_hold_room(ctx, &text.buf, (kept->last - kept->pos) / 2 + 1,
                              NGX_MAX_SIZE_T_VALUE)
        != NGX_OK)
    {
        return NGX_DECLINED;
    }

    rc = dt_text_page(&opts, (dt_str_t) { kept->last - kept->pos,
                                          (char *) kept->pos }, &info);

    switch (rc) {

    case DT_OK:
        break;

    case DT_ELIMIT:
        return NGX_DECLINED;

    case DT_EINVAL:
        return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                  NGX_HTTP_DT_R_CHARSET);

    default:
        return ngx_http_dt_no_memory(ctx);
    }

    if (ngx_http_dt_out_add(ctx, text.buf.pos, text.buf.last - text.buf.pos)
        != NGX_OK
        || (opts.json && ngx_http_dt_convert_tail(r, ctx) != NGX_OK))
    {
        return NGX_DECLINED;
    }

    ctx->canonical.len = info.canonical_len;
    ctx->canonical.data = ngx_pnalloc(r->pool, info.canonical_len);

    if (ctx->canonical.data == NULL) {
        return ngx_http_dt_no_memory(ctx);
    }

    ngx_memcpy(ctx->canonical.data, info.canonical, info.canonical_len);

    return NGX_OK;
}


/* text may be longer than its page, where that has many references */

static int
ngx_http_dt_convert_out(void *data, const char *p, size_t len)
{
    ngx_http_dt_convert_t *text = data;

    ngx_buf_t  *b;

    b = &text->buf;

    if (ngx_http_dt_hold_room(text->ctx, b, len, NGX_MAX_SIZE_T_VALUE)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    b->last = ngx_cpymem(b->last, p, len);

    return NGX_OK;
}


/* names the site's index for agents, if there is said to be one */

static ngx_int_t
ngx_http_dt_convert_index(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    dt_text_opts_t *opts)
{
    u_char  *p;

    if (!ctx->conf->llms
        || ctx->mode != NGX_HTTP_DT_MODE_MARKDOWN
        || ctx->base.len == 0
        || ctx->only.len)
    {
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, ctx->base.len + sizeof("/llms.txt"));
    if (p == NULL) {
        return NGX_ERROR;
    }

    opts->index.data = (char *) p;
    opts->index.len = ngx_sprintf(p, "%V/llms.txt", &ctx->base) - p;

    return NGX_OK;
}


/*
 * Sets ctx->url from ctx->base and the request, once.  A request may have any
 * bytes; a URL has none that would end it before its end, or no character.
 */

static ngx_int_t
ngx_http_dt_convert_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    u_char     *p;
    ngx_str_t  *target;

    if (ctx->base.len == 0 || ctx->url.len) {
        return NGX_OK;
    }

    target = ngx_http_dt_target(r, ctx);

    p = ngx_pnalloc(r->pool, ctx->base.len + 3 * target->len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->url.data = p;
    p = ngx_cpymem(p, ctx->base.data, ctx->base.len);
    p = ngx_http_dt_convert_encode(p, target);
    ctx->url.len = p - ctx->url.data;

    return NGX_OK;
}


u_char *
ngx_http_dt_convert_encode(u_char *p, ngx_str_t *url)
{
    size_t  i;

    for (i = 0; i < url->len; i++) {

        if (url->data[i] > ' '
            && url->data[i] < 0x7f
            && !ngx_strchr("<>\"\\", url->data[i]))
        {
            *p++ = url->data[i];

        } else {
            p = ngx_sprintf(p, "%%%02Xd", (ngx_uint_t) url->data[i]);
        }
    }

    return p;
}


ngx_int_t
ngx_http_dt_convert_fields(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_set(&r->headers_out.charset, "utf-8");

    if (ctx->mode == NGX_HTTP_DT_MODE_TEXT) {
        ngx_str_set(&r->headers_out.content_type, "text/plain");

    } else if (ctx->mode == NGX_HTTP_DT_MODE_JSON) {
        ngx_str_set(&r->headers_out.content_type, "application/json");
        ngx_str_null(&r->headers_out.charset);

    } else {
        ngx_str_set(&r->headers_out.content_type, "text/markdown");
    }

    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;

    /* a response to HEAD has no body, so the page's own data are not known */

    if (r->method == NGX_HTTP_HEAD) {
        return NGX_OK;
    }

    if (ctx->mode == NGX_HTTP_DT_MODE_MARKDOWN
        && ngx_http_dt_convert_sizes(r, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ctx->only.len ? NGX_OK
           : ngx_http_dt_convert_add_link(r, ctx->canonical.len
                                             ? &ctx->canonical : &ctx->url,
                                          "; rel=\"canonical\"");
}


static ngx_int_t
ngx_http_dt_convert_sizes(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    u_char     *p;
    ngx_str_t   value;

    p = ngx_pnalloc(r->pool, 2 * NGX_INT64_LEN);
    if (p == NULL) {
        return NGX_ERROR;
    }

    value.data = p;
    value.len = ngx_sprintf(p, "%O", ngx_http_dt_tokens(ctx->length)) - p;

    if (ngx_http_dt_push_field(&r->headers_out.headers, "X-Markdown-Tokens",
                               &value)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    value.data = p + NGX_INT64_LEN;
    value.len = ngx_sprintf(value.data, "%uL",
                            ngx_http_dt_tokens(ctx->stats.in))
                - value.data;

    return ngx_http_dt_push_field(&r->headers_out.headers,
                                  "X-Original-Tokens", &value);
}


/*
 * The end of a page in JSON: its time and its template.  It is no part of
 * entity tags: the template may be learned anew with the same result.
 */

static ngx_int_t
ngx_http_dt_convert_tail(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    u_char    *p, *tail;
    time_t     modified;
    ngx_tm_t   tm;

    tail = ngx_pnalloc(r->pool, NGX_HTTP_DT_TAIL);
    if (tail == NULL) {
        return ngx_http_dt_no_memory(ctx);
    }

    p = ngx_sprintf(tail, ",\"modified\":");
    modified = r->headers_out.last_modified_time;

    if (modified >= 0) {
        ngx_gmtime(modified, &tm);

        p = ngx_sprintf(p, "\"%4d-%02d-%02dT%02d:%02d:%02dZ\"",
                        tm.ngx_tm_year, tm.ngx_tm_mon, tm.ngx_tm_mday,
                        tm.ngx_tm_hour, tm.ngx_tm_min, tm.ngx_tm_sec);

    } else {
        p = ngx_sprintf(p, "null");
    }

    p = ngx_sprintf(p, ",\"template\":");

    if (ctx->found.tmpl) {
        p = ngx_sprintf(p, "{\"version\":%uD,\"settled\":%s}}\n",
                        ctx->found.tmpl->version,
                        (ctx->found.settled && !ctx->strange) ? "true"
                                                              : "false");

    } else {
        p = ngx_sprintf(p, "null}\n");
    }

    ctx->untagged = p - tail;

    return ngx_http_dt_out_add(ctx, tail, p - tail);
}


ngx_int_t
ngx_http_dt_convert_link(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_t         url;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    if (ngx_http_dt_convert_url(r, ctx) != NGX_OK
        || ngx_http_dt_convert_twin(r, ctx, &url) != NGX_OK
        || ngx_http_dt_convert_head(r, ctx, &url) != NGX_OK)
    {
        return NGX_ERROR;
    }

    i = 0;
    part = &r->headers_out.headers.part;

    while ((h = ngx_http_dt_find_field(&part, &i, ngx_http_dt_convert_links))
           != NULL)
    {
        if (h->hash
            && ngx_strlcasestrn(h->value.data, h->value.data + h->value.len,
                                (u_char *) "text/markdown", 13 - 1))
        {
            return NGX_OK;
        }
    }

    return ngx_http_dt_convert_add_link(r, &url,
                               "; rel=\"alternate\"; type=\"text/markdown\"");
}


/* the URL that the Markdown of a page has, which may be that of the page */

static ngx_int_t
ngx_http_dt_convert_twin(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *url)
{
    u_char     *p, *query, *last;
    ngx_str_t  *suffix;

    *url = ctx->url;
    suffix = &ctx->conf->twin;

    if (suffix->len == 0 || url->len == 0) {
        return NGX_OK;
    }

    last = url->data + url->len;
    query = ngx_strlchr(url->data, last, '?');
    query = query ? query : last;

    p = ngx_pnalloc(r->pool, url->len + sizeof("index") - 1 + suffix->len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    url->data = p;
    p = ngx_cpymem(p, ctx->url.data, query - ctx->url.data);

    if (p[-1] == '/') {
        p = ngx_cpymem(p, "index", sizeof("index") - 1);
    }

    p = ngx_cpymem(p, suffix->data, suffix->len);
    p = ngx_cpymem(p, query, last - query);
    url->len = p - url->data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_convert_head(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *url)
{
    static ngx_str_t  tag = ngx_string("<link rel=\"alternate\" "
                                       "type=\"text/markdown\" href=\"");

    if (ctx->conf->twin.len == 0 || ngx_http_dt_watch_only(ctx)) {
        return NGX_OK;
    }

    return ngx_http_dt_convert_tag(r, ctx, &tag, url);
}


/* the template of a page has another URL, but the page's links */

ngx_int_t
ngx_http_dt_convert_base(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    static ngx_str_t  tag = ngx_string("<base href=\"");

    return (ngx_http_dt_convert_url(r, ctx) == NGX_OK)
           ? ngx_http_dt_convert_tag(r, ctx, &tag, &ctx->url) : NGX_ERROR;
}


/*
 * The tag that the head of the page gets.  Without scheme and host its URL is
 * the same behind any proxy.
 */

static ngx_int_t
ngx_http_dt_convert_tag(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *tag, ngx_str_t *url)
{
    size_t   len;
    u_char  *p, *path;

    if (url->len == 0) {
        return NGX_OK;
    }

    path = url->data + ctx->base.len;
    len = url->len - ctx->base.len;

    p = ngx_pnalloc(r->pool, tag->len + len + sizeof("\" />")
                             + ngx_escape_html(NULL, path, len));
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->head.data = (char *) p;

    p = ngx_cpymem(p, tag->data, tag->len);
    p = (u_char *) ngx_escape_html(p, path, len);
    p = ngx_sprintf(p, ctx->xml ? "\" />" : "\">");

    ctx->head.len = (char *) p - ctx->head.data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_convert_add_link(ngx_http_request_t *r, ngx_str_t *url,
    char *params)
{
    u_char     *p;
    ngx_str_t   value;

    if (url->len == 0) {
        return NGX_OK;
    }

    value.data = ngx_pnalloc(r->pool, 3 * url->len + ngx_strlen(params) + 2);
    if (value.data == NULL) {
        return NGX_ERROR;
    }

    p = value.data;
    *p++ = '<';

    p = ngx_http_dt_convert_encode(p, url);
    *p++ = '>';
    p = ngx_cpymem(p, params, ngx_strlen(params));
    value.len = p - value.data;

    return ngx_http_dt_push_field(&r->headers_out.headers, "Link", &value);
}


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


/* sets the charset that the first bytes of a body name; empty: none */

static void
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
