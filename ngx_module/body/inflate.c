
/*
 * Copyright (C) The detemplate authors
 */


#include <zlib.h>

#include "ngx_module/body/inflate.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/fields.h"


/* the assumed ratio of a page's size to its compressed size */
#define NGX_HTTP_DT_RATIO   4

/* the fixed part of the header of a member of gzip, RFC 1952, 2.3 */
#define NGX_HTTP_DT_MEMBER  10


static ngx_int_t ngx_http_dt_inflate_all(ngx_http_dt_ctx_t *ctx,
    z_stream *strm, ngx_uint_t gzip, ngx_buf_t *buf);
static ngx_int_t ngx_http_dt_inflate_fail(ngx_http_dt_ctx_t *ctx,
    const char *why);


static ngx_str_t  ngx_http_dt_content_encoding[] =
    ngx_http_dt_one("content-encoding");


ngx_uint_t
ngx_http_dt_coding(ngx_http_request_t *r)
{
    ngx_str_t   *name;
    ngx_uint_t   n, other;
    ngx_list_t  *headers;

    static ngx_str_t  names[] = {
        ngx_string("identity"),
        ngx_string("gzip"),
        ngx_string("x-gzip"),
        ngx_string("deflate")
    };

    name = ngx_http_dt_content_encoding;
    headers = &r->headers_out.headers;

    n = ngx_http_dt_count_parts(headers, name, &names[0], &other);

    if (other == 0) {
        return NGX_HTTP_DT_CODING_NONE;
    }

    if (n || other > 1) {
        return NGX_HTTP_DT_CODING_OTHER;
    }

    if (ngx_http_dt_count_parts(headers, name, &names[1], &other)
        || ngx_http_dt_count_parts(headers, name, &names[2], &other))
    {
        return NGX_HTTP_DT_CODING_GZIP;
    }

    return ngx_http_dt_count_parts(headers, name, &names[3], &other)
           ? NGX_HTTP_DT_CODING_DEFLATE
           : NGX_HTTP_DT_CODING_OTHER;
}


void
ngx_http_dt_clear_coding(ngx_http_request_t *r)
{
    ngx_http_dt_hide_fields(&r->headers_out.headers,
                            ngx_http_dt_content_encoding);
    r->headers_out.content_encoding = NULL;
}


ngx_int_t
ngx_http_dt_inflate(ngx_http_dt_ctx_t *ctx, ngx_uint_t coding, ngx_buf_t *buf)
{
    int         bits;
    size_t      len, max;
    z_stream    strm;
    ngx_int_t   rc;
    ngx_uint_t  gzip;

    len = ctx->page.last - ctx->page.pos;
    max = ctx->conf->hold;
    gzip = (coding == NGX_HTTP_DT_CODING_GZIP);

    if (len == 0) {
        return NGX_OK;
    }

    /*
     * RFC 9110, 8.4.1.2, wants deflate in the format of zlib, but some servers
     * send raw deflate.  The format of zlib begins with the method, 8; in raw
     * deflate, these bits would be a stored block whose padding is not zero.
     */

    bits = gzip ? MAX_WBITS + 16
           : (*ctx->page.pos & 0x0f) == Z_DEFLATED ? MAX_WBITS : -MAX_WBITS;

    rc = ngx_http_dt_hold_room(ctx, buf, ngx_min(len * NGX_HTTP_DT_RATIO, max),
                               max);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_memzero(&strm, sizeof(z_stream));

    strm.next_in = ctx->page.pos;
    strm.avail_in = len;

    if (inflateInit2(&strm, bits) != Z_OK) {
        return ngx_http_dt_no_memory(ctx);
    }

    rc = ngx_http_dt_inflate_all(ctx, &strm, gzip, buf);

    (void) inflateEnd(&strm);

    return rc;
}


/* gzip may have several members, and bytes behind the last are ignored */

static ngx_int_t
ngx_http_dt_inflate_all(ngx_http_dt_ctx_t *ctx, z_stream *strm,
    ngx_uint_t gzip, ngx_buf_t *buf)
{
    int         rc;
    ngx_int_t   room;
    ngx_uint_t  members;

    members = 0;

    for ( ;; ) {
        room = ngx_http_dt_hold_room(ctx, buf, 1, ctx->conf->hold);
        if (room != NGX_OK) {
            return room;
        }

        strm->next_out = buf->last;
        strm->avail_out = buf->end - buf->last;

        rc = inflate(strm, Z_FINISH);

        buf->last = strm->next_out;

        if (rc == Z_STREAM_END) {

            if (!gzip || strm->avail_in == 0) {
                return NGX_OK;
            }

            members = 1;
            (void) inflateReset(strm);

        } else if ((rc == Z_OK || rc == Z_BUF_ERROR) && strm->avail_out == 0) {

            continue;

        } else if (members
                   && strm->total_out == 0
                   && strm->total_in < NGX_HTTP_DT_MEMBER)
        {
            return NGX_OK;

        } else if (rc == Z_MEM_ERROR) {
            return ngx_http_dt_no_memory(ctx);

        } else {
            return ngx_http_dt_inflate_fail(ctx,
                                     strm->msg ? strm->msg
                                     : (rc == Z_NEED_DICT) ? "no dictionary"
                                     : "it is truncated");
        }
    }
}


static ngx_int_t
ngx_http_dt_inflate_fail(ngx_http_dt_ctx_t *ctx, const char *why)
{
    ngx_log_error(NGX_LOG_ERR, ctx->request->connection->log, 0,
                  "detemplate: a compressed page of %uz bytes passes: %s",
                  (size_t) (ctx->page.last - ctx->page.pos), why);

    return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_ERROR,
                              NGX_HTTP_DT_R_ENCODING);
}
