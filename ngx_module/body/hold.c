
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/hold.h"


/* bytes of a worker, from which on no further page is held */
#define NGX_HTTP_DT_TAKEN  134217728

/* bytes of the first buffer for a page whose length is not known */
#define NGX_HTTP_DT_FIRST  16384


static size_t  ngx_http_dt_taken;      /* by all requests of this worker */
static time_t  ngx_http_dt_taken_said;


ngx_int_t
ngx_http_dt_hold_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    off_t   length;
    size_t  max;

    max = ctx->conf->hold;
    length = r->headers_out.content_length_n;

    if (length == -1) {
        length = ngx_min(max, NGX_HTTP_DT_FIRST);
    }

    if (length > (off_t) max) {
        return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                  NGX_HTTP_DT_R_SIZE);
    }

    return ngx_http_dt_hold_room(ctx, &ctx->page, length, max);
}


/* the bytes are copied, since the sender needs its buffers to send more */

ngx_int_t
ngx_http_dt_hold_read(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t **in)
{
    size_t      len;
    ngx_int_t   rc;
    ngx_buf_t  *b;

    for ( /* void */ ; *in; *in = (*in)->next) {
        b = (*in)->buf;
        len = ngx_buf_size(b);

        if (len && !ngx_buf_in_memory(b)) {
            ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                          "detemplate: a page has bytes that are not in "
                          "memory, it passes");
            return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_ERROR,
                                      NGX_HTTP_DT_R_MEMORY);
        }

        if (len) {
            rc = ngx_http_dt_hold_room(ctx, &ctx->page, len, ctx->conf->hold);
            if (rc != NGX_OK) {
                return rc;
            }

            ctx->page.last = ngx_cpymem(ctx->page.last, b->pos, len);
            b->pos = b->last;

            if (b->in_file) {
                b->file_pos = b->file_last;
            }
        }

        if (b->last_buf) {
            return NGX_OK;
        }
    }

    return NGX_AGAIN;
}


ngx_int_t
ngx_http_dt_hold_room(ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf, size_t len,
    size_t max)
{
    size_t     used, size;
    ngx_buf_t  old;

    if ((size_t) (buf->end - buf->last) >= len) {
        return NGX_OK;
    }

    old = *buf;
    used = old.last - old.start;
    size = old.end - old.start;

    if (len > max - used) {
        return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                  NGX_HTTP_DT_R_SIZE);
    }

    size = ngx_min(ngx_max(2 * size, used + len), max);

    if (ngx_http_dt_hold_take(ctx, size) != NGX_OK) {
        return NGX_DECLINED;
    }

    buf->start = ngx_palloc(ctx->request->pool, size);

    if (buf->start == NULL) {
        *buf = old;
        return ngx_http_dt_no_memory(ctx);
    }

    buf->pos = buf->start;
    buf->last = buf->start;
    buf->end = buf->start + size;

    if (used) {
        buf->last = ngx_cpymem(buf->last, old.start, used);
        ngx_http_dt_hold_free(ctx, &old);
    }

    return NGX_OK;
}


void
ngx_http_dt_hold_free(ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf)
{
    /* small allocations are freed with the pool */

    if (ngx_pfree(ctx->request->pool, buf->start) == NGX_OK) {
        ngx_http_dt_taken -= buf->end - buf->start;
        ctx->taken -= buf->end - buf->start;
    }

    buf->start = NULL;
    buf->pos = NULL;
    buf->last = NULL;
    buf->end = NULL;
}


ngx_int_t
ngx_http_dt_hold_take(ngx_http_dt_ctx_t *ctx, size_t size)
{
    if (ngx_http_dt_taken <= NGX_HTTP_DT_TAKEN
        && size <= NGX_HTTP_DT_TAKEN - ngx_http_dt_taken)
    {
        ngx_http_dt_taken += size;
        ctx->taken += size;

        return NGX_OK;
    }

    /* a flood of such pages must not become one of lines */

    if (ngx_http_dt_taken_said != ngx_time()) {
        ngx_http_dt_taken_said = ngx_time();

        ngx_log_error(NGX_LOG_WARN, ctx->request->connection->log, 0,
                      "detemplate: pages of this worker have taken %uz bytes, "
                      "so that this one passes", ngx_http_dt_taken);
    }

    return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_ERROR, NGX_HTTP_DT_R_MEMORY);
}


void
ngx_http_dt_hold_end(ngx_http_dt_ctx_t *ctx)
{
    ngx_http_dt_taken -= ctx->taken;
    ctx->taken = 0;
}


/* clients may read slowly, and only the bytes to send are still needed */

void
ngx_http_dt_hold_trim(ngx_http_dt_ctx_t *ctx)
{
    if (ctx->source.start != ctx->page.start) {
        ngx_http_dt_hold_free(ctx, &ctx->page);
        ctx->page = ctx->source;
    }

    if (ngx_http_dt_converts(ctx)) {
        ngx_http_dt_hold_free(ctx, &ctx->page);
    }
}


ngx_int_t
ngx_http_dt_no_memory(ngx_http_dt_ctx_t *ctx)
{
    ngx_log_error(NGX_LOG_ERR, ctx->request->connection->log, 0,
                  "detemplate: no memory, the page passes");

    return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_ERROR, NGX_HTTP_DT_R_MEMORY);
}


/* bytes of memory that a slice takes on its way to the client */

#define NGX_HTTP_DT_SLICE  (sizeof(ngx_buf_t) + sizeof(ngx_chain_t))


static ngx_int_t ngx_http_dt_out_link(ngx_http_dt_ctx_t *ctx);


ngx_int_t
ngx_http_dt_out_add(ngx_http_dt_ctx_t *ctx, u_char *p, size_t len)
{
    ngx_buf_t  *b;

    if (len == 0) {
        return NGX_OK;
    }

    ctx->length += len;

    if (ctx->out && ctx->last_out->buf->last == p) {
        ctx->last_out->buf->last += len;
        return NGX_OK;
    }

    if (ngx_http_dt_out_link(ctx) != NGX_OK) {
        return NGX_DECLINED;
    }

    b = ctx->last_out->buf;

    b->memory = 1;
    b->pos = p;
    b->last = p + len;

    return NGX_OK;
}


ngx_int_t
ngx_http_dt_out_end(ngx_http_dt_ctx_t *ctx)
{
    ngx_buf_t  *b;

    if (ctx->out == NULL && ngx_http_dt_out_link(ctx) != NGX_OK) {
        return NGX_DECLINED;
    }

    b = ctx->last_out->buf;

    b->last_buf = 1;
    b->last_in_chain = 1;

    return NGX_OK;
}


void
ngx_http_dt_out_reset(ngx_http_dt_ctx_t *ctx)
{
    ctx->out = NULL;
    ctx->length = 0;
}


/* an empty one */

static ngx_int_t
ngx_http_dt_out_link(ngx_http_dt_ctx_t *ctx)
{
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    if (ngx_http_dt_hold_take(ctx, NGX_HTTP_DT_SLICE) != NGX_OK) {
        return NGX_DECLINED;
    }

    b = ngx_calloc_buf(ctx->request->pool);
    cl = ngx_alloc_chain_link(ctx->request->pool);

    if (b == NULL || cl == NULL) {
        return ngx_http_dt_no_memory(ctx);
    }

    cl->buf = b;
    cl->next = NULL;

    if (ctx->out) {
        ctx->last_out->next = cl;

    } else {
        ctx->out = cl;
    }

    ctx->last_out = cl;

    return NGX_OK;
}
