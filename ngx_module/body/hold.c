
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/body.h"
#include "ngx_module/zone/zone.h"


/* the bytes are copied, since the sender needs its buffers to send more */


#define NGX_HTTP_DT_HOLD_BUF  32768    /* bytes at once */


static void ngx_http_dt_hold_linger(ngx_connection_t *c, int onoff);
static ngx_int_t ngx_http_dt_hold_copy(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf, size_t len);
static ngx_int_t ngx_http_dt_hold_buf(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t **buf);


/*
 * HTTP/1.0 has no chunks: without a length, a response ends with its
 * connection, and caches such as nginx's own store and send it without one.
 * The tag of what is sent is known at its end.  The range filters must see the
 * header before the body.
 */

ngx_uint_t
ngx_http_dt_hold_header(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    return (ctx->mode == NGX_HTTP_DT_MODE_HEADERS
            || ngx_http_dt_hashes_body(ctx)
            || (r->http_version < NGX_HTTP_VERSION_11
                && r->method != NGX_HTTP_HEAD
                && !ngx_http_dt_watch_only(ctx)
                && ngx_http_dt_coding(r) == NGX_HTTP_DT_CODING_NONE))
           && r->headers_in.range == NULL
           && r->headers_out.content_length_n < (off_t) ctx->conf->hold;
}


/*
 * Besides the end of the page, four things end the wait: a page that is too
 * large, a worker that holds too much, bytes that are not in memory, and a
 * buffer that only says "flush", which also comes when the upstream has
 * failed; where the tag needs the whole page, only then.  The header of a page
 * that is converted waits for its first bytes only.
 */

ngx_int_t
ngx_http_dt_hold(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    off_t         size;
    ngx_int_t     rc;
    ngx_buf_t    *b;
    ngx_uint_t    over;
    ngx_chain_t  *cl;

    over = ctx->last;

    while (ctx->out && !over) {
        cl = ctx->out;
        b = cl->buf;
        size = ngx_buf_size(b);

        if ((size == 0 && b->flush
             && (ctx->failed || !ngx_http_dt_hashes_body(ctx)))
            || (size && !ngx_buf_in_memory(b))
            || (size && !ctx->length && ngx_http_dt_converts(ctx))
            || size > (off_t) (ctx->conf->hold - ctx->held_size))
        {
            over = 1;
            break;
        }

        rc = ngx_http_dt_hold_copy(r, ctx, b, size);

        if (rc == NGX_DECLINED) {
            over = 1;
            break;
        }

        if (rc != NGX_OK) {
            return NGX_ERROR;
        }

        ctx->out = cl->next;
        ngx_http_dt_body_free_link(ctx, cl);
    }

    if (ctx->out == NULL) {
        ctx->last_out = &ctx->out;
    }

    ctx->copied = NULL;

    if (!over) {
        return NGX_AGAIN;
    }

    if (ctx->failed
        && !ctx->last
        && r->http_version < NGX_HTTP_VERSION_11
        && r->headers_out.content_length_n == -1)
    {
        return NGX_ERROR;
    }

    if (ctx->last
        && !ngx_http_dt_watch_only(ctx)
        && (r->method != NGX_HTTP_HEAD || ngx_http_dt_hold_knows(ctx)))
    {
        r->headers_out.content_length_n = ctx->held_size;

        for (cl = ctx->out; cl; cl = cl->next) {
            r->headers_out.content_length_n += ngx_buf_size(cl->buf);
        }
    }

    if (ctx->held) {
        *ctx->last_held = ctx->out;

        if (ctx->out == NULL) {
            ctx->last_out = ctx->last_held;
        }

        ctx->out = ctx->held;
        ctx->held = NULL;
    }

    return NGX_OK;
}


/* NGX_DECLINED: the worker holds too much; a part may have been copied */

static ngx_int_t
ngx_http_dt_hold_copy(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *buf, size_t len)
{
    size_t      n;
    ngx_int_t   rc;
    ngx_buf_t  *b;

    while (len) {
        rc = ngx_http_dt_hold_buf(r, ctx, &b);
        if (rc != NGX_OK) {
            return rc;
        }

        n = ngx_min(len, (size_t) (b->end - b->last));
        b->last = ngx_cpymem(b->last, buf->pos, n);

        buf->pos += n;

        if (buf->in_file) {
            buf->file_pos += n;
        }

        len -= n;
        ctx->held_size += n;
    }

    return NGX_OK;
}


/* the last held buffer, or a new one if that is full */

static ngx_int_t
ngx_http_dt_hold_buf(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t **buf)
{
    size_t        size;
    ngx_chain_t  *cl;

    if (ctx->held) {
        cl = ngx_queue_data(ctx->last_held, ngx_chain_t, next);
        *buf = cl->buf;

        if (cl->buf->last < cl->buf->end) {
            return NGX_OK;
        }

    } else {
        ctx->last_held = &ctx->held;
    }

    size = NGX_HTTP_DT_HOLD_BUF;

    if (r->headers_out.content_length_n > (off_t) ctx->held_size) {
        size = r->headers_out.content_length_n - ctx->held_size;
    }

    if (ngx_http_dt_take(ctx, size, NGX_HTTP_DT_TAKEN_HELD) != NGX_OK) {
        ngx_http_dt_zone_event(ngx_http_dt_get_zone(r), not_held);
        return NGX_DECLINED;
    }

    *buf = ngx_create_temp_buf(r->pool, size);
    cl = ngx_alloc_chain_link(r->pool);

    if (*buf == NULL || cl == NULL) {
        return NGX_ERROR;
    }

    cl->buf = *buf;
    cl->next = NULL;

    *ctx->last_held = cl;
    ctx->last_held = &cl->next;

    return NGX_OK;
}


void
ngx_http_dt_hold_reset(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (r->http_version >= NGX_HTTP_VERSION_20
        || r->chunked
        || r->header_only
        || r->headers_out.content_length_n != -1)
    {
        return;
    }

    ctx->reset = 1;
    ngx_http_dt_hold_linger(r->connection, 1);
}


void
ngx_http_dt_hold_sent(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_connection_t  *c;

    if (!ctx->reset) {
        return;
    }

    c = r->connection;

    if (ctx->last && r->out == NULL
        && !c->buffered && !c->error && !c->timedout)
    {
        ngx_http_dt_hold_linger(c, 0);
        return;
    }

    /* TLS must not say that this is the end either */

    c->error = 1;
}


static void
ngx_http_dt_hold_linger(ngx_connection_t *c, int onoff)
{
    struct linger  linger;

    linger.l_onoff = onoff;
    linger.l_linger = 0;

    if (setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger))
        == -1)
    {
        ngx_log_error(NGX_LOG_INFO, c->log, ngx_socket_errno,
                      "detemplate: setsockopt(SO_LINGER) failed");
    }
}


ngx_uint_t
ngx_http_dt_hold_knows(ngx_http_dt_ctx_t *ctx)
{
    dt_rewrite_stats_t  stats;

    if (ctx->phase != NGX_HTTP_DT_HOLD || !ctx->last) {
        return 0;
    }

    dt_rewrite_stats(ctx->rewrite, &stats);

    return stats.in != 0;
}


void
ngx_http_dt_hold_drop(ngx_http_dt_ctx_t *ctx)
{
    ngx_chain_t  *cl;

    while (ctx->out) {
        cl = ctx->out;
        ctx->out = cl->next;

        ngx_http_dt_body_free_link(ctx, cl);
    }

    ctx->last_out = &ctx->out;
}


static size_t  ngx_http_dt_taken;      /* by all requests of this worker */
static time_t  ngx_http_dt_taken_said;


ngx_int_t
ngx_http_dt_take(ngx_http_dt_ctx_t *ctx, size_t size, size_t most)
{
    if (ngx_http_dt_taken <= most && size <= most - ngx_http_dt_taken) {
        ngx_http_dt_taken += size;
        ctx->taken += size;

        return NGX_OK;
    }

    /* a flood of such pages must not become one of lines */

    if (ngx_http_dt_taken_said != ngx_time()) {
        ngx_http_dt_taken_said = ngx_time();

        ngx_log_error(NGX_LOG_WARN, ctx->request->connection->log, 0,
                      "detemplate: pages of this worker have taken %uz bytes, "
                      "so that this one %s", ngx_http_dt_taken,
                      (most == NGX_HTTP_DT_TAKEN_HELD) ? "is not held"
                                                       : "passes");
    }

    return NGX_DECLINED;
}


void
ngx_http_dt_taken_back(ngx_http_dt_ctx_t *ctx)
{
    ngx_http_dt_taken -= ctx->taken;
    ctx->taken = 0;
}
