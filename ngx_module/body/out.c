
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/out.h"
#include "ngx_module/body/hold.h"


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
