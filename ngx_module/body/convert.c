
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/convert.h"
#include "ngx_module/body/charset.h"
#include "ngx_module/fields.h"


static ngx_uint_t ngx_http_dt_convert_is_type(ngx_http_request_t *r,
    ngx_str_t *type);
static ngx_int_t ngx_http_dt_convert_url(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, dt_str_t *url);
static ngx_uint_t ngx_http_dt_convert_https(ngx_http_request_t *r);


static ngx_str_t  ngx_http_dt_convert_types[] = {
    ngx_string("text/html"),
    ngx_string("application/xhtml+xml"),
    ngx_null_string
};


ngx_uint_t
ngx_http_dt_convert_reason(ngx_http_request_t *r, ngx_str_t *charset)
{
    dt_str_t    name;
    ngx_str_t  *type;

    for (type = ngx_http_dt_convert_types; type->len; type++) {
        if (ngx_http_dt_convert_is_type(r, type)) {
            break;
        }
    }

    if (type->len == 0) {
        return NGX_HTTP_DT_R_TYPE;
    }

    name.data = (char *) charset->data;
    name.len = charset->len;

    return dt_text_knows(name) ? NGX_HTTP_DT_R_NONE : NGX_HTTP_DT_R_CHARSET;
}


static ngx_uint_t
ngx_http_dt_convert_is_type(ngx_http_request_t *r, ngx_str_t *type)
{
    u_char     *p;
    ngx_str_t  *value;

    value = &r->headers_out.content_type;
    p = value->data + type->len;

    return value->len >= type->len
           && ngx_strncasecmp(value->data, type->data, type->len) == 0
           && (value->len == type->len
               || *p == ';' || *p == ' ' || *p == '\t');
}


/*
 * A BOM is above the header, and that is above the page.  The header's charset
 * is known to be one that can be read.
 */

void
ngx_http_dt_convert_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    dt_text_opts_t *opts, u_char *p, size_t len)
{
    ngx_str_t    charset;
    dt_status_t  rc;

    if (ngx_http_dt_foreign_body(p, len)) {
        ctx->status = NGX_HTTP_DT_S_BYPASS;
        ctx->reason = NGX_HTTP_DT_R_CHARSET;
        return;
    }

    ngx_http_dt_body_charset(p, len, &charset);

    if (ctx->charset.len
        && !(len >= 3 && ngx_memcmp(p, "\xef\xbb\xbf", 3) == 0))
    {
        charset = ctx->charset;
    }

    opts->plain = (ctx->mode == NGX_HTTP_DT_MODE_TEXT);
    opts->charset.data = (char *) charset.data;
    opts->charset.len = charset.len;

    rc = DT_ENOMEM;

    if (ngx_http_dt_convert_url(r, ctx, &opts->url) == NGX_OK) {
        rc = dt_text_create(opts, &ctx->text);
    }

    if (rc == DT_OK) {
        return;
    }

    if (rc == DT_EINVAL) {
        ctx->status = NGX_HTTP_DT_S_BYPASS;
        ctx->reason = NGX_HTTP_DT_R_CHARSET;
        return;
    }

    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                  "detemplate: no memory, the page passes");

    ctx->status = NGX_HTTP_DT_S_ERROR;
    ctx->reason = NGX_HTTP_DT_R_MEMORY;
}


/* the URL of the page, for its links; empty if its host is not known */

static ngx_int_t
ngx_http_dt_convert_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    dt_str_t *url)
{
    u_char  *p;

    url->len = 0;
    url->data = NULL;

    if (ctx->host.len == 0) {
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, sizeof("https://") - 1 + ctx->host.len
                             + r->unparsed_uri.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    url->data = (char *) p;
    p = ngx_sprintf(p, "http%s://%V%V",
                    ngx_http_dt_convert_https(r) ? "s" : "", &ctx->host,
                    &r->unparsed_uri);
    url->len = (char *) p - url->data;

    return NGX_OK;
}


/* behind a proxy that ends TLS, only this field tells what the client uses */

static ngx_uint_t
ngx_http_dt_convert_https(ngx_http_request_t *r)
{
    ngx_uint_t  other;

    static ngx_str_t  name = ngx_string("x-forwarded-proto");
    static ngx_str_t  https = ngx_string("https");

#if (NGX_HTTP_SSL)
    if (r->connection->ssl) {
        return 1;
    }
#endif

    return ngx_http_dt_count_parts(&r->headers_in.headers, &name, &https,
                                   &other)
           && other == 0;
}


void
ngx_http_dt_convert_fields(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (ctx->mode == NGX_HTTP_DT_MODE_TEXT) {
        ngx_str_set(&r->headers_out.content_type, "text/plain");

    } else {
        ngx_str_set(&r->headers_out.content_type, "text/markdown");
    }

    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;

    ngx_str_set(&r->headers_out.charset, "utf-8");
}
