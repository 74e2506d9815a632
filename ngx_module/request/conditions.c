
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/conditions.h"
#include "core/base/hash.h"
#include "ngx_module/fields.h"
#include "ngx_module/zone/zone.h"


static ngx_int_t ngx_http_dt_drop_fields(ngx_http_request_t *r,
    ngx_str_t *names);
static ngx_uint_t ngx_http_dt_not_modified(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, u_char *opaque);

#if (NGX_SSL)
static ngx_uint_t ngx_http_dt_wants_digest(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_body_digest(ngx_http_request_t *r,
    ngx_chain_t *body);
#endif


static ngx_str_t  ngx_http_dt_conditions[] = {
    ngx_string("range"),
    ngx_string("if-range"),
    ngx_string("if-match"),
    ngx_string("if-none-match"),
    ngx_string("if-modified-since"),
    ngx_string("if-unmodified-since"),
    ngx_null_string
};


static ngx_str_t  ngx_http_dt_markers[] =
    ngx_http_dt_one("detemplate-learner");


#if (NGX_SSL)

static ngx_str_t  ngx_http_dt_wants[] = ngx_http_dt_one("want-repr-digest");


static ngx_str_t  ngx_http_dt_codings[] = ngx_http_dt_one("accept-encoding");

#endif


static ngx_str_t  ngx_http_dt_etags[] = ngx_http_dt_one("etag");


ngx_int_t
ngx_http_dt_take_marker(ngx_http_request_t *r, ngx_str_t *client)
{
    u_char            diff, *key;
    ngx_uint_t        i, n, ours;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h, *marker;

    i = 0;
    marker = NULL;
    part = &r->headers_in.headers.part;

    while ((h = ngx_http_dt_find_field(&part, &i, ngx_http_dt_markers))
           != NULL)
    {
        marker = h;
    }

    if (marker == NULL) {
        return NGX_DECLINED;
    }

    ours = 0;

    if (marker->value.len == NGX_HTTP_DT_KEY_LEN
        || (marker->value.len > NGX_HTTP_DT_KEY_LEN
            && marker->value.data[NGX_HTTP_DT_KEY_LEN] == ' '))
    {
        /* takes the same time for every wrong key */

        key = ngx_http_dt_zone_key(ngx_http_dt_get_zone(r));
        diff = 0;

        for (n = 0; n < NGX_HTTP_DT_KEY_LEN; n++) {
            diff |= marker->value.data[n] ^ key[n];
        }

        ours = (diff == 0);

        n = ngx_min(marker->value.len, NGX_HTTP_DT_KEY_LEN + 1);
        client->len = marker->value.len - n;
        client->data = marker->value.data + n;
    }

    if (ngx_http_dt_drop_fields(r, ngx_http_dt_markers) != NGX_OK) {
        return NGX_ERROR;
    }

    return ours ? NGX_OK : NGX_DECLINED;
}


/*
 * Makes a new list without the lines.  The old one stays in the pool, since
 * r->headers_in has pointers into it.
 */

static ngx_int_t
ngx_http_dt_drop_fields(ngx_http_request_t *r, ngx_str_t *names)
{
    ngx_list_t        headers;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h, *copy;

    if (ngx_list_init(&headers, r->pool, 20, sizeof(ngx_table_elt_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    i = 0;
    part = &r->headers_in.headers.part;

    while ((h = ngx_http_dt_next_field(&part, &i)) != NULL) {

        if (ngx_http_dt_is_field(h, names)) {
            continue;
        }

        copy = ngx_list_push(&headers);
        if (copy == NULL) {
            return NGX_ERROR;
        }

        *copy = *h;
    }

    r->headers_in.headers = headers;

    if (headers.last == &headers.part) {
        r->headers_in.headers.last = &r->headers_in.headers.part;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_dt_take_conditions(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (!ngx_http_dt_conditional(r)) {
        return NGX_OK;
    }

    if (r->headers_in.if_none_match) {
        ctx->none_match = r->headers_in.if_none_match->value;
    }

    r->headers_in.range = NULL;
    r->headers_in.if_range = NULL;
    r->headers_in.if_match = NULL;
    r->headers_in.if_none_match = NULL;
    r->headers_in.if_modified_since = NULL;
    r->headers_in.if_unmodified_since = NULL;

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate conditions: taken, \"%V\"", &ctx->none_match);

    return ngx_http_dt_drop_fields(r, ngx_http_dt_conditions);
}


/*
 * The tag is weak if that of the origin was, and in JSON, whose end it leaves
 * out: the template may be learned anew with the same result.
 */

ngx_int_t
ngx_http_dt_validators(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    off_t             len, left;
    dt_sum_t          sum;
    ngx_str_t         tag;
    ngx_uint_t        json, weak;
    ngx_chain_t      *cl;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *etag;

    etag = r->headers_out.etag;
    json = (ctx->mode == NGX_HTTP_DT_MODE_JSON);
    weak = json || (etag && etag->value.len && etag->value.data[0] == 'W');

    /* there may be several lines, of which nginx takes one for the tag */

    ngx_http_dt_hide_fields(&r->headers_out.headers, ngx_http_dt_etags);
    r->headers_out.etag = NULL;

    if (r->method == NGX_HTTP_HEAD
        || ctx->mode == NGX_HTTP_DT_MODE_PREVIEW)
    {
        return NGX_OK;
    }

    dt_sum_init(&sum, 0);

    left = ctx->length - ctx->untagged;

    for (cl = ctx->out; left; cl = cl->next) {
        len = ngx_min(left, cl->buf->last - cl->buf->pos);
        dt_sum_add(&sum, (char *) cl->buf->pos, len);
        left -= len;
    }

    tag.data = ngx_pnalloc(r->pool, sizeof("W/\"dt-0123456789abcdef\""));
    if (tag.data == NULL) {
        return NGX_ERROR;
    }

    tag.len = ngx_sprintf(tag.data, "%s\"dt-%016xL\"%Z", weak ? "W/" : "",
                          dt_sum_end(&sum))
              - tag.data - 1;

    if (ngx_http_dt_push_field(&r->headers_out.headers, "ETag", &tag)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* a filter that compresses makes the tag weak */

    part = r->headers_out.headers.last;
    r->headers_out.etag = (ngx_table_elt_t *) part->elts + part->nelts - 1;

#if (NGX_SSL)

    if (!json
        && ngx_http_dt_wants_digest(r)
        && ngx_http_dt_body_digest(r, ctx->out) != NGX_OK)
    {
        return NGX_ERROR;
    }

#endif

    if (ngx_http_dt_not_modified(r, ctx, tag.data + (weak ? 2 : 0))) {
        r->headers_out.status = NGX_HTTP_NOT_MODIFIED;
        r->headers_out.status_line.len = 0;
        r->headers_out.content_type.len = 0;
        ngx_http_clear_content_length(r);
    }

    return NGX_OK;
}


/*
 * The filter of nginx has seen the header when the page was not known.  Tags
 * are compared weakly (RFC 9110, 13.1.2), and no tag has a quote within.
 */

static ngx_uint_t
ngx_http_dt_not_modified(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    u_char *opaque)
{
    ngx_str_t  list;

    list = ctx->none_match;

    if (list.len == 0 && r->headers_in.if_none_match) {
        list = r->headers_in.if_none_match->value;
    }

    return (list.len == 1 && list.data[0] == '*')
           || (list.len && ngx_strnstr(list.data, (char *) opaque, list.len));
}


#if (NGX_SSL)

/*
 * The digest is that of the content as it is coded (RFC 9530), so it is known
 * only where no filter may code it.
 */

static ngx_uint_t
ngx_http_dt_wants_digest(ngx_http_request_t *r)
{
    u_char           *p, *last;
    ngx_table_elt_t  *h;

    h = ngx_http_dt_first_field(&r->headers_in.headers, ngx_http_dt_wants);

    if (h == NULL
        || ngx_http_dt_first_field(&r->headers_in.headers,
                                   ngx_http_dt_codings))
    {
        return 0;
    }

    last = h->value.data + h->value.len;
    p = ngx_strlcasestrn(h->value.data, last, (u_char *) "sha-256=", 8 - 1);

    return p && last - p > 8 && p[8] >= '1' && p[8] <= '9';
}


static ngx_int_t
ngx_http_dt_body_digest(ngx_http_request_t *r, ngx_chain_t *body)
{
    u_char       md[EVP_MAX_MD_SIZE];
    ngx_int_t    ok;
    ngx_str_t    value, src, dst;
    EVP_MD_CTX  *ctx;

    ctx = EVP_MD_CTX_new();
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    ok = EVP_DigestInit_ex(ctx, EVP_sha256(), NULL);

    for ( /* void */ ; body && ok; body = body->next) {
        if (ngx_buf_in_memory(body->buf)) {
            ok = EVP_DigestUpdate(ctx, body->buf->pos,
                                  body->buf->last - body->buf->pos);
        }
    }

    ok = ok && EVP_DigestFinal_ex(ctx, md, NULL);
    EVP_MD_CTX_free(ctx);

    value.data = ngx_pnalloc(r->pool, sizeof("sha-256=::") - 1
                                      + ngx_base64_encoded_length(32));
    if (!ok || value.data == NULL) {
        return NGX_ERROR;
    }

    src.data = md;
    src.len = 32;
    dst.data = ngx_cpymem(value.data, "sha-256=:", 9);
    ngx_encode_base64(&dst, &src);
    dst.data[dst.len] = ':';
    value.len = 9 + dst.len + 1;

    return ngx_http_dt_push_field(&r->headers_out.headers, "Repr-Digest",
                                  &value);
}

#endif
