
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_http_detemplate_regions.h"
#include "ngx_http_detemplate_fields.h"


#define NGX_HTTP_DETEMPLATE_REGIONS  2048    /* bytes of the field */
#define NGX_HTTP_DETEMPLATE_REGION   (sizeof(", ( )") - 1                     \
                                      + 2 * NGX_INT64_LEN)


static ngx_int_t ngx_http_detemplate_regions_value(ngx_pool_t *pool,
    const dt_edits_t *list, ngx_str_t *value);


/*
 * What is known of a page before it comes is known of its entity tag, which
 * must promise every byte.  Of other pages it is said when they have been
 * seen: behind a body without a length, and behind others if the client has
 * asked for that, for it costs them their length in HTTP/1.1.
 */

ngx_int_t
ngx_http_detemplate_regions_header(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    ngx_str_t                  value;
    ngx_uint_t                 other;
    ngx_http_core_loc_conf_t  *clcf;

    static ngx_str_t  te = ngx_string("te");
    static ngx_str_t  trailers = ngx_string("trailers");

    ctx->trailer = 0;

    if (ctx->edits
        && r->headers_out.etag
        && r->headers_out.etag->value.len
        && r->headers_out.etag->value.data[0] == '"')
    {
        if (ngx_http_detemplate_regions_value(r->pool, ctx->edits, &value)
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        return ngx_http_detemplate_push_field(&r->headers_out.headers,
                                              "Detemplate-Regions", &value);
    }

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (r->http_version < NGX_HTTP_VERSION_11
        || (r->http_version == NGX_HTTP_VERSION_11
            && !clcf->chunked_transfer_encoding)
        || r->headers_in.range
        || (r->headers_out.content_length_n != -1
            && ngx_http_detemplate_count_parts(&r->headers_in.headers, &te,
                                               &trailers, &other)
               == 0))
    {
        return NGX_OK;
    }

    ctx->trailer = 1;
    r->expect_trailers = 1;

    ngx_str_set(&value, "Detemplate-Regions");

    return ngx_http_detemplate_push_field(&r->headers_out.headers, "Trailer",
                                          &value);
}


ngx_int_t
ngx_http_detemplate_regions_trailer(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    ngx_str_t            value;
    const dt_edits_t    *list;
    dt_rewrite_stats_t   stats;

    if (!ctx->trailer) {
        return NGX_OK;
    }

    dt_rewrite_stats(ctx->rewrite, &stats);

    list = ctx->edits ? ctx->edits : dt_rewrite_list(ctx->rewrite);

    if (list == NULL || stats.changed) {
        return NGX_OK;
    }

    if (ngx_http_detemplate_regions_value(r->pool, list, &value) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_detemplate_push_field(&r->headers_out.trailers,
                                          "Detemplate-Regions", &value);
}


/*
 * A list of inner lists of two integers (RFC 9651, 3.1): the offset and the
 * length of each region.  Regions that touch are one; those for which there is
 * no room are not told.
 */

static ngx_int_t
ngx_http_detemplate_regions_value(ngx_pool_t *pool, const dt_edits_t *list,
    ngx_str_t *value)
{
    u_char           *p, *last;
    uint64_t          start, end;
    dt_edits_walk_t   w;

    p = ngx_pnalloc(pool, NGX_HTTP_DETEMPLATE_REGIONS);
    if (p == NULL) {
        return NGX_ERROR;
    }

    value->data = p;
    last = p + NGX_HTTP_DETEMPLATE_REGIONS - NGX_HTTP_DETEMPLATE_REGION;

    dt_edits_walk(&w, list, 0);

    while (dt_edits_more(&w) && p <= last) {
        start = w.edit.start;

        do {
            end = w.edit.end;
            dt_edits_next(&w);
        } while (dt_edits_more(&w) && w.edit.start == end);

        p = ngx_sprintf(p, "%s(%uL %uL)", (p == value->data) ? "" : ", ",
                        start, end - start);
    }

    value->len = p - value->data;

    return NGX_OK;
}
