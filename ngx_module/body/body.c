
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/body.h"
#include "core/template/template.h"
#include "ngx_module/body/convert.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/body/inflate.h"
#include "ngx_module/body/marks.h"
#include "ngx_module/body/preview.h"
#include "ngx_module/zone/site.h"


/*
 * A page of a layout that was not learned shows less than this part of the
 * usual number of template elements: only those that all layouts share, such
 * as a footer.
 */

#define NGX_HTTP_DT_STRANGE  4


static ngx_int_t ngx_http_dt_body_make(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t *html);
static ngx_int_t ngx_http_dt_body_rewrite(ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *html);
static int ngx_http_dt_body_slice(void *data, const char *p, size_t len,
    dt_out_kind_t kind);
static ngx_int_t ngx_http_dt_body_convert(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t *html);
static void ngx_http_dt_body_result(ngx_http_dt_ctx_t *ctx);


/* the memory of the scanner, which this worker's pages take in turn */

static dt_work_t  *ngx_http_dt_work;


ngx_int_t
ngx_http_dt_body_read(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_int_t   rc;
    ngx_uint_t  coding;

    coding = ngx_http_dt_coding(r);

    if (coding == NGX_HTTP_DT_CODING_NONE) {
        ctx->source = ctx->page;

    } else {
        rc = ngx_http_dt_inflate(ctx, coding, &ctx->source);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_dt_body(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_int_t  rc;

    rc = ngx_http_dt_body_make(r, ctx, &ctx->source);

    if (rc == NGX_OK) {
        rc = ngx_http_dt_out_end(ctx);
    }

    if (rc == NGX_OK) {
        ngx_log_debug2(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                       "detemplate page: %uz bytes, %O are sent",
                       (size_t) (ctx->source.last - ctx->source.pos),
                       ctx->length);
    }

    return rc;
}


static ngx_int_t
ngx_http_dt_body_make(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *html)
{
    size_t     len;
    ngx_int_t  rc;

    len = html->last - html->pos;

    if (ngx_http_dt_foreign_body(html->pos,
                                 ngx_min(len, NGX_HTTP_DT_SNIFF)))
    {
        return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                  NGX_HTTP_DT_R_CHARSET);
    }

    rc = ngx_http_dt_body_rewrite(ctx, html);

    if (rc != NGX_OK) {
        return rc;
    }

    ngx_http_dt_body_result(ctx);

    if (ngx_http_dt_converts(ctx)) {
        return ngx_http_dt_body_convert(r, ctx, html);
    }

    if (ngx_http_dt_watch_only(ctx)) {
        ngx_http_dt_out_reset(ctx);

        return ngx_http_dt_out_add(ctx, html->pos, len);
    }

    return (ctx->mode == NGX_HTTP_DT_MODE_PREVIEW)
           ? ngx_http_dt_preview_badge(r, ctx) : NGX_OK;
}


static ngx_int_t
ngx_http_dt_body_rewrite(ngx_http_dt_ctx_t *ctx, ngx_buf_t *html)
{
    dt_status_t        rc;
    dt_rewrite_opts_t  opts;

    if (ngx_http_dt_work == NULL) {
        ngx_http_dt_work = dt_work_create();

        if (ngx_http_dt_work == NULL) {
            return ngx_http_dt_no_memory(ctx);
        }
    }

    ngx_memzero(&opts, sizeof(dt_rewrite_opts_t));

    ngx_http_dt_marks_opts(ctx, &opts);

    opts.tmpl = ctx->found.tmpl ? ctx->found.tmpl->data : NULL;
    opts.keep_links = ctx->links;
    opts.bold = ctx->bold;
    opts.xml = ctx->xml;
    opts.hand = ctx->conf->hand;
    opts.work = ngx_http_dt_work;
    opts.head = ctx->head;
    opts.host = ngx_http_dt_str(&ctx->host);
    opts.path = ngx_http_dt_str(&ctx->path);
    opts.out = ngx_http_dt_body_slice;
    opts.region = ctx->regions ? ngx_http_dt_regions_add : NULL;
    opts.out_data = ctx;

    rc = dt_rewrite_page(&opts, (dt_str_t) { html->last - html->pos,
                                             (char *) html->pos },
                         &ctx->stats);

    if (rc == DT_ENOMEM) {
        return ngx_http_dt_no_memory(ctx);
    }

    return (rc == DT_OK) ? NGX_OK : NGX_DECLINED;
}


static int
ngx_http_dt_body_slice(void *data, const char *p, size_t len,
    dt_out_kind_t kind)
{
    return ngx_http_dt_out_add(data, (u_char *) p, len) != NGX_OK;
}


/* the converter needs its input in one piece */

static ngx_int_t
ngx_http_dt_body_convert(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *html)
{
    ngx_int_t     rc;
    ngx_buf_t     kept, *b;
    ngx_chain_t  *cl;

    ngx_memzero(&kept, sizeof(ngx_buf_t));

    rc = ngx_http_dt_hold_room(ctx, &kept, ctx->length, ctx->length);

    if (rc != NGX_OK) {
        return rc;
    }

    for (cl = ctx->out; cl; cl = cl->next) {
        b = cl->buf;
        kept.last = ngx_cpymem(kept.last, b->pos, b->last - b->pos);
    }

    ngx_http_dt_out_reset(ctx);

    rc = ngx_http_dt_convert(r, ctx, html, &kept);

    ngx_http_dt_hold_free(ctx, &kept);

    return rc;
}


static void
ngx_http_dt_body_result(ngx_http_dt_ctx_t *ctx)
{
    if (ctx->status != NGX_HTTP_DT_S_HIT
        && ctx->status != NGX_HTTP_DT_S_STALE)
    {
        return;
    }

    if (ctx->stats.guard || ctx->stats.too_deep) {
        (void) ngx_http_dt_result(ctx, NGX_HTTP_DT_S_GUARD,
                                  ctx->stats.guard ? NGX_HTTP_DT_R_GUARD
                                                   : NGX_HTTP_DT_R_TOO_DEEP);
        return;
    }

    if (ctx->stats.regions == 0) {
        (void) ngx_http_dt_result(ctx, ctx->status, NGX_HTTP_DT_R_NO_MATCH);
    }

    if (dt_template_low(ctx->found.tmpl->data,
                        NGX_HTTP_DT_STRANGE * ctx->stats.words))
    {
        ctx->strange = 1;
    }
}
