
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/response.h"
#include "core/text/accept.h"
#include "ngx_module/body/convert.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/body/inflate.h"
#include "ngx_module/body/preview.h"
#include "ngx_module/fields.h"
#include "ngx_module/request/conditions.h"
#include "ngx_module/request/request.h"
#include "ngx_module/zone/site.h"


static ngx_uint_t ngx_http_dt_type(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);
static ngx_uint_t ngx_http_dt_any_type(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_advertise(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_uint_t reason);
static ngx_uint_t ngx_http_dt_page_reason(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static void ngx_http_dt_charset(ngx_http_request_t *r, ngx_str_t *charset);
static ngx_int_t ngx_http_dt_start(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_start_body(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_uint_t ngx_http_dt_holds(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/*
 * Fields that are not true of a rewritten body.  A signature in the header
 * makes the page pass, so its fields are only met as trailers.
 */

static ngx_str_t  ngx_http_dt_untrue[] = {
    ngx_string("accept-ranges"),
    ngx_string("last-modified"),
    ngx_string("content-digest"),
    ngx_string("repr-digest"),
    ngx_string("digest"),
    ngx_string("content-md5"),
    ngx_string("signature-input"),
    ngx_string("signature"),
    ngx_string("detemplate-regions"),
    ngx_null_string
};


ngx_uint_t
ngx_http_dt_pass_reason(ngx_http_request_t *r, ngx_http_dt_loc_conf_t *dlcf)
{
    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_DT_R_METHOD;
    }

    if (r->headers_out.status != NGX_HTTP_OK) {
        return (r->headers_out.status == NGX_HTTP_PARTIAL_CONTENT)
               ? NGX_HTTP_DT_R_RANGE : NGX_HTTP_DT_R_STATUS;
    }

    if (!ngx_http_dt_type(r, dlcf)) {
        return NGX_HTTP_DT_R_TYPE;
    }

    return NGX_HTTP_DT_R_NONE;
}


/* a 304 names no type */

ngx_uint_t
ngx_http_dt_is_page(ngx_http_request_t *r, ngx_http_dt_loc_conf_t *dlcf)
{
    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return 0;
    }

    return (r->headers_out.status == NGX_HTTP_NOT_MODIFIED)
           ? ngx_http_dt_page(r) : ngx_http_dt_type(r, dlcf);
}


/*
 * Whether detemplate_types has the type.  nginx removes only the parameter
 * charset before it compares, so other parameters are left out here.
 */

static ngx_uint_t
ngx_http_dt_type(ngx_http_request_t *r, ngx_http_dt_loc_conf_t *dlcf)
{
    void    *type;
    size_t   len;
    u_char  *p, *last;

    if (dlcf->types.size == 0) {
        return ngx_http_dt_any_type(r);
    }

    len = r->headers_out.content_type_len;

    if (dlcf->lengths >> (len & 63) & 1
        && ngx_http_test_content_type(r, &dlcf->types) != NULL)
    {
        return 1;
    }

    p = r->headers_out.content_type.data;
    last = p + len;

    while (p < last && *p != ';' && *p != ' ' && *p != '\t') {
        p++;
    }

    if (p == last) {
        return 0;
    }

    r->headers_out.content_type_len -= last - p;
    r->headers_out.content_type_lowcase = NULL;

    type = ngx_http_test_content_type(r, &dlcf->types);

    r->headers_out.content_type_len = len;
    r->headers_out.content_type_lowcase = NULL;

    return type != NULL;
}


/* with "*", all types are pages but streams of events and multipart bodies */

static ngx_uint_t
ngx_http_dt_any_type(ngx_http_request_t *r)
{
    ngx_str_t  *type;

    type = &r->headers_out.content_type;

    return type->len
           && (type->len < 17
               || ngx_strncasecmp(type->data, (u_char *) "text/event-stream",
                                  17))
           && (type->len < 10
               || ngx_strncasecmp(type->data, (u_char *) "multipart/", 10));
}


ngx_int_t
ngx_http_dt_response(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason)
{
    ctx->phase = NGX_HTTP_DT_PASS;

    if (ctx->mode == NGX_HTTP_DT_MODE_OFF) {
        return ngx_http_dt_advertise(r, ctx, reason);
    }

    if (ctx->begun) {

        /*
         * A filter behind us replaced that response by this error page, so the
         * facts about the body do not apply to this one.
         */

        (void) ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                  NGX_HTTP_DT_R_STATUS);

    } else if (!ctx->learner) {

        if (ngx_http_dt_decide(r, ctx, reason) == NGX_OK) {
            ctx->phase = NGX_HTTP_DT_PAGE;

            if (ngx_http_dt_advertise(r, ctx, reason) != NGX_OK) {
                return NGX_ERROR;
            }
        }

        ngx_http_dt_learn(r, ctx);
    }

    if (ctx->status == NGX_HTTP_DT_S_HIT
        || ctx->status == NGX_HTTP_DT_S_STALE
        || (ctx->status == NGX_HTTP_DT_S_MISS && ngx_http_dt_holds(r, ctx)))
    {
        if (ngx_http_dt_start(r, ctx) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (ctx->phase == NGX_HTTP_DT_PAGE && ctx->found.due) {
        ngx_http_dt_visit(r, ctx, 0);
    }

    if (ctx->mode == NGX_HTTP_DT_MODE_PREVIEW
        && ctx->phase >= NGX_HTTP_DT_PAGE
        && ngx_http_dt_preview_fields(r) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_dt_field(r->pool, ctx);
}


/* adds a Link to the Markdown form of the page, if there is one */

static ngx_int_t
ngx_http_dt_advertise(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason)
{
    ngx_str_t  charset;

    if (ctx->only.len) {
        return (ctx->html && ngx_http_dt_url(r, ctx) == NGX_OK)
               ? ngx_http_dt_convert_base(r, ctx) : NGX_OK;
    }

    if ((!(ctx->conf->accept & 1 << DT_FORM_MARKDOWN)
         && ctx->conf->twin.len == 0)
        || ctx->learner
        || ngx_http_dt_converts(ctx)
        || reason != NGX_HTTP_DT_R_NONE
        || (ctx->mode == NGX_HTTP_DT_MODE_OFF
            && ngx_http_dt_page_reason(r, ctx) != NGX_HTTP_DT_R_NONE))
    {
        return NGX_OK;
    }

    ngx_http_dt_charset(r, &charset);

    if (ngx_http_dt_convert_reason(r, &charset) != NGX_HTTP_DT_R_NONE) {
        return NGX_OK;
    }

    return (ngx_http_dt_url(r, ctx) == NGX_OK)
           ? ngx_http_dt_convert_link(r, ctx) : NGX_ERROR;
}


ngx_int_t
ngx_http_dt_decide(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason)
{
    if (reason == NGX_HTTP_DT_R_NONE) {

        if (ngx_http_dt_find_site(r, ctx) != NGX_OK) {
            return NGX_DECLINED;
        }

        reason = ngx_http_dt_page_reason(r, ctx);
    }

    if (reason != NGX_HTTP_DT_R_NONE) {
        return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS, reason);
    }

    if (ctx->found.tmpl == NULL) {
        ngx_http_dt_lookup(r, ctx);

    } else {
        (void) ngx_http_dt_result(ctx, ctx->found.status, NGX_HTTP_DT_R_NONE);
    }

    return NGX_OK;
}


/* why a page must not be rewritten */

static ngx_uint_t
ngx_http_dt_page_reason(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_int_t    rc;
    ngx_str_t    charset;
    ngx_uint_t   n, other;
    ngx_list_t  *headers;

    static ngx_str_t  none = ngx_null_string;
    static ngx_str_t  signature = ngx_string("signature-input");

    headers = &r->headers_out.headers;

    if (ngx_http_dt_coding(r) == NGX_HTTP_DT_CODING_OTHER) {
        return NGX_HTTP_DT_R_ENCODING;
    }

    ngx_http_dt_charset(r, &charset);
    ctx->xml = (ngx_http_dt_convert_type(r) == NGX_HTTP_DT_TYPE_XML);

    if (ngx_http_dt_foreign_charset(charset.data, charset.len)) {
        return NGX_HTTP_DT_R_CHARSET;
    }

    if (ngx_http_dt_converts(ctx)) {
        n = ngx_http_dt_convert_reason(r, &charset);

        if (n != NGX_HTTP_DT_R_NONE) {
            return n;
        }

        ctx->charset = charset;
    }

    if (ngx_http_dt_no_transform(headers)) {
        return NGX_HTTP_DT_R_NO_TRANSFORM;
    }

    n = ngx_http_dt_count_parts(headers, &signature, &none, &other);

    if (n || other) {
        return NGX_HTTP_DT_R_SIGNATURE;
    }

    /* the badge and the marks that are added to a page are HTML */

    if ((ctx->mode == NGX_HTTP_DT_MODE_PREVIEW
         && ngx_http_dt_convert_type(r) != NGX_HTTP_DT_TYPE_HTML)
        || (ctx->mode == NGX_HTTP_DT_MODE_ANNOTATE
            && ctx->xml))
    {
        return NGX_HTTP_DT_R_TYPE;
    }

    /* its variables may depend on the response, and even on this decision */

    if (ctx->asking) {
        return NGX_HTTP_DT_R_NONE;
    }

    ctx->asking = 1;
    rc = ngx_http_test_predicates(r, ctx->conf->bypass);
    ctx->asking = 0;

    return (rc == NGX_OK) ? NGX_HTTP_DT_R_NONE
                          : NGX_HTTP_DT_R_BYPASS;
}


/* unlike nginx, also finds the parameter behind a tab */

static void
ngx_http_dt_charset(ngx_http_request_t *r, ngx_str_t *charset)
{
    u_char  *p, *last;

    *charset = r->headers_out.charset;

    if (charset->len) {
        charset->len = ngx_http_dt_charset_len(charset->data, charset->len);
        return;
    }

    p = r->headers_out.content_type.data;
    last = p + r->headers_out.content_type.len;

    while ((p = ngx_strlchr(p, last, ';')) != NULL) {

        do {
            p++;
        } while (p < last && (*p == ' ' || *p == '\t'));

        if (last - p > 8
            && ngx_strncasecmp(p, (u_char *) "charset=", 8) == 0)
        {
            p += 8;
            p += (*p == '"');

            charset->data = p;
            charset->len = ngx_http_dt_charset_len(p, last - p);
            return;
        }
    }
}


/*
 * Whether a page without a template is held: it is converted all the same, or
 * copied, or waits for one.  Where a header would have to be that of the page
 * as it came, the header goes at once.
 */

static ngx_uint_t
ngx_http_dt_holds(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (ngx_http_dt_converts(ctx)) {
        return 1;
    }

    if (r->method != NGX_HTTP_GET
        || r->headers_in.range
        || (ngx_http_dt_watch_only(ctx)
            && ngx_http_dt_coding(r) != NGX_HTTP_DT_CODING_NONE))
    {
        return 0;
    }

    return ctx->copied
           || (ctx->conf->wait
               && ctx->reason == NGX_HTTP_DT_R_LEARNING
               && !ngx_http_dt_credentials(r));
}


/*
 * The response to HEAD has no body to look at, so it gets those fields of the
 * response to GET that do not depend on one.
 */

static ngx_int_t
ngx_http_dt_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ctx->begun = 1;

    if (ngx_http_dt_watch_only(ctx)) {

        /* the filter of ranges must see the header before the body */

        if (r->headers_in.range) {
            (void) ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                      NGX_HTTP_DT_R_RANGE);
            return NGX_OK;
        }

        if (ngx_http_dt_coding(r) != NGX_HTTP_DT_CODING_NONE) {
            (void) ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                      NGX_HTTP_DT_R_ENCODING);
            return NGX_OK;
        }
    }

    if (r->method == NGX_HTTP_HEAD) {
        ctx->phase = NGX_HTTP_DT_HEADER;

        return ngx_http_dt_rewritten(r, ctx);
    }

    switch (ngx_http_dt_start_body(r, ctx)) {

    case NGX_OK:
        ctx->phase = NGX_HTTP_DT_READ;
        r->main_filter_need_in_memory = 1;
        break;

    case NGX_ERROR:
        (void) ngx_http_dt_no_memory(ctx);
        break;

    default: /* NGX_DECLINED */
        break;
    }

    return NGX_OK;
}


/* NGX_DECLINED: the page passes; status and reason say why */

static ngx_int_t
ngx_http_dt_start_body(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_int_t  rc;

    if (ngx_http_dt_url(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    if (ctx->found.tmpl) {
        rc = ngx_http_dt_load_template(r, ctx);

        if (rc == NGX_ERROR
            || (rc == NGX_DECLINED && !ngx_http_dt_converts(ctx)))
        {
            return rc;
        }
    }

    return ngx_http_dt_hold_start(r, ctx);
}


ngx_int_t
ngx_http_dt_rewritten(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    static ngx_str_t  noindex = ngx_string("noindex");

    if (ngx_http_dt_watch_only(ctx)) {
        return NGX_OK;
    }

    ngx_http_dt_clear_coding(r);
    ngx_http_clear_content_length(r);
    ngx_http_clear_accept_ranges(r);
    ngx_http_clear_last_modified(r);
    ngx_http_dt_hide_fields(&r->headers_out.headers, ngx_http_dt_untrue);
    ngx_http_dt_hide_fields(&r->headers_out.trailers, ngx_http_dt_untrue);

    if (ngx_http_dt_converts(ctx)
        && ngx_http_dt_convert_fields(r, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* the page itself is to be found, by another URL */

    if (((ctx->twin && ngx_http_dt_converts(ctx)) || ctx->only.len)
        && ngx_http_dt_push_field(&r->headers_out.headers, "X-Robots-Tag",
                                  &noindex)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->phase != NGX_HTTP_DT_HEADER) {
        r->headers_out.content_length_n = ctx->length;
    }

    return ngx_http_dt_validators(r, ctx);
}


ngx_int_t
ngx_http_dt_field(ngx_pool_t *pool, ngx_http_dt_ctx_t *ctx)
{
    size_t      len;
    u_char     *p;
    ngx_str_t  *status, *reason, *mode;

    status = &ngx_http_dt_statuses[ctx->status];
    reason = &ngx_http_dt_reasons[ctx->reason];
    mode = &ngx_http_dt_modes[ctx->mode];

    len = status->len
          + sizeof("; reason=; new-layout; mode=; version=; cut=cautious"
                   "; settled=?0") - 1
          + reason->len + mode->len + NGX_INT32_LEN;

    p = ngx_pnalloc(pool, len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->field.data = p;

    ngx_strlow(p, status->data, status->len);
    p += status->len;

    if (ctx->status == NGX_HTTP_DT_S_HIT
        || ctx->status == NGX_HTTP_DT_S_STALE)
    {
        p = ngx_sprintf(p, "%s; mode=%V; version=%uD%s; settled%s",
                        ctx->strange ? "; new-layout" : "", mode,
                        ctx->found.tmpl->version,
                        ctx->links ? "; links=keep"
                                   : ctx->bold ? "" : "; cut=cautious",
                        (ctx->found.settled && !ctx->strange) ? "" : "=?0");

    } else {
        p = ngx_cpymem(p, "; reason=", sizeof("; reason=") - 1);
        p = ngx_cpymem(p, reason->data, reason->len);

        if (ctx->status == NGX_HTTP_DT_S_MISS && ngx_http_dt_converts(ctx)) {
            p = ngx_sprintf(p, "; mode=%V", mode);
        }
    }

    ctx->field.len = p - ctx->field.data;

    return NGX_OK;
}
