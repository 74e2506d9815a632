
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/body.h"


#define NGX_HTTP_DT_REGION   (sizeof(", ( )") - 1                             \
                                      + 2 * NGX_INT64_LEN)


static void ngx_http_dt_regions_write(ngx_http_dt_regions_t *regions);


ngx_int_t
ngx_http_dt_regions_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ctx->regions = ngx_palloc(r->pool, sizeof(ngx_http_dt_regions_t));
    if (ctx->regions == NULL) {
        return NGX_ERROR;
    }

    ctx->regions->start = 0;
    ctx->regions->end = 0;
    ctx->regions->last = ctx->regions->value;

    return NGX_OK;
}


/* regions that touch become one */

void
ngx_http_dt_regions_add(void *data, uint64_t start, uint32_t len)
{
    ngx_http_dt_ctx_t *ctx = data;

    ngx_http_dt_regions_t          *regions;

    regions = ctx->regions;

    if (start != regions->end) {
        ngx_http_dt_regions_write(regions);
        regions->start = start;
    }

    regions->end = start + len;
}


/*
 * The value is a list of inner lists of two integers (RFC 9651, 3.1): the
 * offset and the length of each region.  It is bounded: the regions for which
 * there is no room are left out.
 */

static void
ngx_http_dt_regions_write(ngx_http_dt_regions_t *regions)
{
    size_t  left;

    left = regions->value + NGX_HTTP_DT_REGIONS - regions->last;

    if (regions->end == regions->start || left < NGX_HTTP_DT_REGION) {
        return;
    }

    regions->last = ngx_sprintf(regions->last, "%s(%uL %uL)",
                                (regions->last == regions->value) ? "" : ", ",
                                regions->start,
                                regions->end - regions->start);
}


/*
 * A response with a length loses it when it gets trailers in HTTP/1.1, so they
 * are added to such a response only if the client asks for them.
 */

ngx_int_t
ngx_http_dt_regions_announce(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_t                  value;
    ngx_uint_t                 other;
    ngx_http_core_loc_conf_t  *clcf;

    static ngx_str_t  te = ngx_string("te");
    static ngx_str_t  trailers = ngx_string("trailers");

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (r->http_version < NGX_HTTP_VERSION_11
        || (r->http_version == NGX_HTTP_VERSION_11
            && !clcf->chunked_transfer_encoding)
        || r->headers_in.range
        || r->method == NGX_HTTP_HEAD
        || (r->headers_out.content_length_n != -1
            && ngx_http_dt_count_parts(&r->headers_in.headers, &te, &trailers,
                                       &other)
               == 0))
    {
        return NGX_OK;
    }

    ctx->trailer = 1;
    r->expect_trailers = 1;

    ngx_str_set(&value, "Detemplate-Regions");

    return ngx_http_dt_push_field(&r->headers_out.headers, "Trailer", &value);
}


ngx_int_t
ngx_http_dt_regions_trailer(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (!ctx->trailer
        || (ctx->status != NGX_HTTP_DT_S_HIT
            && ctx->status != NGX_HTTP_DT_S_STALE))
    {
        return NGX_OK;
    }

    return ngx_http_dt_regions_push(ctx, &r->headers_out.trailers);
}


ngx_int_t
ngx_http_dt_regions_push(ngx_http_dt_ctx_t *ctx, ngx_list_t *fields)
{
    ngx_str_t               value;
    ngx_http_dt_regions_t  *regions;

    regions = ctx->regions;

    ngx_http_dt_regions_write(regions);
    regions->start = regions->end;

    value.data = regions->value;
    value.len = regions->last - regions->value;

    return ngx_http_dt_push_field(fields, "Detemplate-Regions", &value);
}
