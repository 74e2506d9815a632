
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/filter.h"
#include "core/base/wire.h"
#include "core/template/template.h"
#include "ngx_module/body/body.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/body/marks.h"
#include "ngx_module/fields.h"
#include "ngx_module/request/accept.h"
#include "ngx_module/request/conditions.h"
#include "ngx_module/request/request.h"
#include "ngx_module/request/response.h"
#include "ngx_module/zone/site.h"


static ngx_int_t ngx_http_dt_header_filter(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_vary_page(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_loc_conf_t *dlcf);
static ngx_http_dt_ctx_t *ngx_http_dt_shared_ctx(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_loc_conf_t *dlcf, ngx_uint_t reason);
static ngx_int_t ngx_http_dt_send_header(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);
static ngx_int_t ngx_http_dt_whole(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_uint_t ngx_http_dt_waits(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_finish(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_uint_t ngx_http_dt_failed(ngx_http_request_t *r, ngx_chain_t *in);
static ngx_int_t ngx_http_dt_send(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_send_page(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_chain_t *in, ngx_uint_t last);
static ngx_int_t ngx_http_dt_send_part(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_send_out(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_chain_t *out);
static void ngx_http_dt_held(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);
static void ngx_http_dt_timer_handler(ngx_event_t *ev);


#define NGX_HTTP_DT_POLL  50      /* ms between look-ups */


static ngx_str_t  ngx_http_dt_own_fields[] = {
    ngx_string("detemplate"),
    ngx_string("detemplate-regions"),
    ngx_null_string
};


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;


void
ngx_http_dt_filter_init(void)
{
    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_dt_header_filter;

    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_dt_body_filter;
}


/*
 * Restores the position among the filters that the order of modules asks for.
 * A module that is loaded later and asks for the same position was put in
 * between, and pages would come to us compressed by it.  While a directive is
 * read, nobody goes through the modules in order to call them.
 */

void
ngx_http_dt_filter_position(ngx_cycle_t *cycle)
{
    ngx_uint_t      i, own, next;
    ngx_module_t  **modules;

    own = 0;
    next = 0;
    modules = cycle->modules;

    for (i = 0; modules[i]; i++) {

        if (modules[i] == &ngx_http_detemplate_filter_module) {
            own = i;

        } else if (ngx_strcmp(modules[i]->name,
                              "ngx_http_postpone_filter_module")
                   == 0)
        {
            next = i;
        }
    }

    for (i = own; i + 1 < next; i++) {
        modules[i] = modules[i + 1];
    }

    modules[i] = &ngx_http_detemplate_filter_module;
}


static ngx_int_t
ngx_http_dt_header_filter(ngx_http_request_t *r)
{
    ngx_uint_t               reason;
    ngx_http_dt_ctx_t       *ctx, *shared;
    ngx_http_dt_loc_conf_t  *dlcf;

    static ngx_str_t  off = ngx_string("off");

    if (r != r->main) {
        return ngx_http_next_header_filter(r);
    }

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);
    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || (dlcf->mode == NULL && ctx->shared)) {
        return ngx_http_next_header_filter(r);
    }

    /* the fields are needed whether or not this response is rewritten */

    if (ngx_http_dt_vary_page(r, ctx, dlcf) != NGX_OK) {
        return NGX_ERROR;
    }

    /* tells our learner not to use the page as evidence, even if pages that it
       learns from link to it */

    if (ctx->learner && dlcf->learn == NGX_HTTP_DT_LEARN_OFF
        && ngx_http_dt_push_field(&r->headers_out.headers, DT_JOB_MARKER, &off)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    reason = ngx_http_dt_pass_reason(r, dlcf);
    shared = ngx_http_dt_shared_ctx(r, ctx, dlcf, reason);

    if (shared) {
        return ngx_http_dt_send_header(r, shared);
    }

    ctx = ngx_http_dt_prepare(r);

    if (ctx == NULL) {
        return ngx_http_next_header_filter(r);
    }

    /* an error page may replace a page that is held */

    ngx_http_dt_held(r, ctx);

    if (ngx_http_dt_response(r, ctx, reason) != NGX_OK) {
        return NGX_ERROR;
    }

    if (ctx->mode == NGX_HTTP_DT_MODE_OFF) {
        return ngx_http_next_header_filter(r);
    }

    if (ctx->only.len
        && r->headers_out.status == NGX_HTTP_OK
        && (ctx->phase != NGX_HTTP_DT_READ
            || ctx->found.tmpl == NULL
            || !ngx_http_dt_equal(&ctx->only, &ctx->site)))
    {
        /* no part of this page, or of this site, is cut */

        ctx->only.len = 0;
        ctx->phase = NGX_HTTP_DT_PASS;

        return ngx_http_filter_finalize_request(r, NULL, NGX_HTTP_NOT_FOUND);
    }

    if (ctx->phase != NGX_HTTP_DT_READ) {
        return ngx_http_dt_send_header(r, ctx);
    }

    ctx->event.data = ctx;
    ctx->event.handler = ngx_http_dt_timer_handler;
    ctx->event.log = r->connection->log;

    ngx_add_timer(&ctx->event, ctx->conf->hold_time);

    r->connection->buffered |= NGX_HTTP_DT_BUFFERED;

    return NGX_OK;
}


/*
 * A URL with the suffix has one form, which depends neither on Accept nor on
 * the mode, but other directives may have variables as well.
 */

static ngx_int_t
ngx_http_dt_vary_page(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_loc_conf_t *dlcf)
{
    ngx_uint_t  twin;

    twin = (!ctx->shared && ctx->twin && dlcf->twin.len);

    if (dlcf->vary
        && (!twin || dlcf->bypass || dlcf->links || dlcf->cut)
        && ngx_http_dt_vary(r, dlcf->vary) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if ((dlcf->accept == 0 && dlcf->url_vary == NULL)
        || !ngx_http_dt_is_page(r, dlcf))
    {
        return NGX_OK;
    }

    if (dlcf->accept && !twin
        && ngx_http_dt_vary_by(r, "Accept", "accept") != NGX_OK)
    {
        return NGX_ERROR;
    }

    return dlcf->url_vary ? ngx_http_dt_vary(r, dlcf->url_vary) : NGX_OK;
}


/*
 * Gives a response that passes the shared context for this reason.  NULL: the
 * response needs a context of its own.
 */

static ngx_http_dt_ctx_t *
ngx_http_dt_shared_ctx(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_loc_conf_t *dlcf, ngx_uint_t reason)
{
    ngx_http_dt_main_conf_t   *dmcf;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    /* a shared context is not found again after a post_action */

    if (!dlcf->fixed
        || !ctx->shared
        || reason == NGX_HTTP_DT_R_NONE
        || clcf->post_action.data)
    {
        return NULL;
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);
    ctx = &dmcf->shared[reason];
    ngx_http_set_ctx(r, ctx, ngx_http_detemplate_filter_module);

    return ctx;
}


static ngx_int_t
ngx_http_dt_send_header(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate response: %V", &ctx->field);

    /* fields of the origin, or ours of the response that an error page
       replaces */

    if (r->upstream || r->err_status || r->error_page) {
        ngx_http_dt_hide_fields(&r->headers_out.headers,
                                ngx_http_dt_own_fields);
    }

    if (ngx_http_dt_push_field(&r->headers_out.headers, "Detemplate",
                               &ctx->field)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->phase == NGX_HTTP_DT_DONE
        && ctx->regions
        && (ctx->status == NGX_HTTP_DT_S_HIT
            || ctx->status == NGX_HTTP_DT_S_STALE)
        && ngx_http_dt_regions_push(r, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_next_header_filter(r);
}


/*
 * A page is held from its header to its end, even if the origin flushes in
 * between.  Then its rewritten form is sent; a page that cannot be held any
 * further, or not be rewritten, is sent unchanged.
 */

static ngx_int_t
ngx_http_dt_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_int_t           rc;
    ngx_uint_t          failed;
    ngx_http_dt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_detemplate_filter_module);

    if (ctx == NULL || ctx->phase < NGX_HTTP_DT_READ || r != r->main) {
        return ngx_http_next_body_filter(r, in);
    }

    switch (ctx->phase) {

    case NGX_HTTP_DT_READ:

        failed = ngx_http_dt_failed(r, in);
        rc = ngx_http_dt_hold_read(r, ctx, &in);

        switch (rc) {

        case NGX_OK:
            return ngx_http_dt_whole(r, ctx);

        case NGX_AGAIN:
            return failed ? ngx_http_dt_send_part(r, ctx) : NGX_OK;

        default: /* NGX_DECLINED */
            return ngx_http_dt_send_page(r, ctx, in, 0);
        }

    case NGX_HTTP_DT_WAIT:
        return NGX_OK;

    case NGX_HTTP_DT_DONE:
        return ngx_http_next_body_filter(r, in);

    default: /* NGX_HTTP_DT_BROKEN */
        return NGX_ERROR;
    }
}


/*
 * The whole page is held.  A page without a template is shown to the zone
 * first, since it may have the site learned, and may wait for the result.
 */

static ngx_int_t
ngx_http_dt_whole(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (ngx_http_dt_body_read(r, ctx) != NGX_OK) {
        return ngx_http_dt_send_page(r, ctx, NULL, 1);
    }

    if (ctx->found.tmpl == NULL && ctx->found.due) {
        ngx_http_dt_visit(r, ctx, 0);
    }

    if (ctx->conf->wait && !ngx_http_dt_credentials(r)) {
        ctx->deadline = ngx_current_msec + ctx->conf->wait;
        ctx->phase = NGX_HTTP_DT_WAIT;

        if (ngx_http_dt_waits(r, ctx)) {
            return NGX_OK;
        }
    }

    return ngx_http_dt_finish(r, ctx);
}


/*
 * Whether the page goes on waiting, for a first template or one of more pages.
 * A worker that exits may have outlived the manager, and nothing is learned.
 */

static ngx_uint_t
ngx_http_dt_waits(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_uint_t                 reason;
    ngx_event_t               *wev;
    ngx_msec_int_t             left;
    ngx_http_core_loc_conf_t  *clcf;

    left = (ngx_msec_int_t) (ctx->deadline - ngx_current_msec);
    reason = ctx->reason;

    if (ctx->found.tmpl == NULL || ctx->found.grows) {
        ngx_http_dt_lookup(r, ctx);
    }

    if (left <= 0
        || ngx_exiting
        || (ctx->found.tmpl ? !ctx->found.grows
                            : ctx->reason != NGX_HTTP_DT_R_LEARNING))
    {
        /* without a template, a learning that the page waited for has failed;
           otherwise the reason is that of the page, not of the site */

        if (ctx->found.tmpl == NULL
            && ctx->reason == NGX_HTTP_DT_R_NO_TEMPLATE)
        {
            (void) ngx_http_dt_result(ctx, ctx->status,
                                      (reason == NGX_HTTP_DT_R_LEARNING)
                                      ? NGX_HTTP_DT_R_BACKOFF : reason);
        }

        return 0;
    }

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate waits, %M ms left", (ngx_msec_t) left);

    if (ctx->event.timer_set) {
        ngx_del_timer(&ctx->event);
    }

    ngx_add_timer(&ctx->event, ngx_min(left, NGX_HTTP_DT_POLL));

    /* nothing is sent meanwhile, and the client is not to blame */

    wev = r->connection->write;

    if (wev->timer_set) {
        clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
        ngx_add_timer(wev, clcf->send_timeout);
    }

    return 1;
}


/* sends the whole page, rewritten if that can be done */

static ngx_int_t
ngx_http_dt_finish(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_int_t  rc;

    if (ctx->found.tmpl) {
        rc = ngx_http_dt_load_template(r, ctx);

        if (rc == NGX_ERROR) {
            (void) ngx_http_dt_no_memory(ctx);
            return ngx_http_dt_send_page(r, ctx, NULL, 1);
        }
    }

    if ((ctx->found.tmpl == NULL && !ngx_http_dt_converts(ctx))
        || ngx_http_dt_body(r, ctx) != NGX_OK)
    {
        return ngx_http_dt_send_page(r, ctx, NULL, 1);
    }

    if (ctx->found.tmpl
        && (ctx->status == NGX_HTTP_DT_S_HIT
            || ctx->status == NGX_HTTP_DT_S_STALE))
    {
        ngx_http_dt_visit(r, ctx, dt_template_low(ctx->found.tmpl->data,
                                                  ctx->stats.words));
    }

    ngx_http_dt_hold_trim(ctx);

    return ngx_http_dt_send(r, ctx);
}


/*
 * After an upstream has failed, nginx sends a buffer that says "flush", and no
 * end of the body.
 */

static ngx_uint_t
ngx_http_dt_failed(ngx_http_request_t *r, ngx_chain_t *in)
{
    if (r->upstream == NULL || r->upstream->peer.connection) {
        return 0;
    }

    for ( /* void */ ; in; in = in->next) {
        if (in->buf->flush && ngx_buf_size(in->buf) == 0
            && !in->buf->last_buf)
        {
            return 1;
        }
    }

    return 0;
}


/* sends the page as it is rewritten */

static ngx_int_t
ngx_http_dt_send(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ctx->phase = NGX_HTTP_DT_DONE;

    if (ngx_http_dt_rewritten(r, ctx) != NGX_OK) {
        ctx->phase = NGX_HTTP_DT_BROKEN;
        return NGX_ERROR;
    }

    return ngx_http_dt_send_out(r, ctx, ctx->out);
}


/*
 * Sends the bytes read so far unchanged, and passes all that follow; last: the
 * page is complete.
 */

static ngx_int_t
ngx_http_dt_send_page(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t *in, ngx_uint_t last)
{
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    ctx->phase = NGX_HTTP_DT_PAGE;
    ngx_memzero(&ctx->stats, sizeof(dt_rewrite_stats_t));

    /* the body filter of ranges did not know the header */

    if (r->headers_in.range) {
        ngx_http_clear_accept_ranges(r);
    }

    b = ngx_calloc_buf(r->pool);
    cl = ngx_alloc_chain_link(r->pool);

    if (b == NULL || cl == NULL) {
        ctx->phase = NGX_HTTP_DT_BROKEN;
        return NGX_ERROR;
    }

    b->pos = ctx->page.pos;
    b->last = ctx->page.last;
    b->memory = (b->pos != b->last);
    b->flush = !last;
    b->last_buf = last;
    b->last_in_chain = last;

    cl->buf = b;
    cl->next = in;

    return ngx_http_dt_send_out(r, ctx, cl);
}


/*
 * The origin has failed.  A client must not mistake the bytes received so far
 * for the whole page, so it gets none where neither a chunk nor a frame would
 * show the loss.
 */

static ngx_int_t
ngx_http_dt_send_part(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    (void) ngx_http_dt_result(ctx, NGX_HTTP_DT_S_ERROR, NGX_HTTP_DT_R_SLOW);

    if (r->http_version < NGX_HTTP_VERSION_11
        || (r->http_version == NGX_HTTP_VERSION_11
            && !clcf->chunked_transfer_encoding))
    {
        ctx->phase = NGX_HTTP_DT_BROKEN;
        return NGX_ERROR;
    }

    return ngx_http_dt_send_page(r, ctx, NULL, 0);
}


static ngx_int_t
ngx_http_dt_send_out(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t *out)
{
    ngx_int_t  rc;

    ngx_http_dt_held(r, ctx);

    if (ngx_http_dt_field(r->pool, ctx) != NGX_OK) {
        ctx->phase = NGX_HTTP_DT_BROKEN;
        return NGX_ERROR;
    }

    rc = ngx_http_dt_send_header(r, ctx);

    if (rc == NGX_ERROR || rc > NGX_OK) {
        return NGX_ERROR;
    }

    return r->header_only ? rc : ngx_http_next_body_filter(r, out);
}


/* the page is held no more */

static void
ngx_http_dt_held(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (ctx->event.timer_set) {
        ngx_del_timer(&ctx->event);
    }

    r->connection->buffered &= ~NGX_HTTP_DT_BUFFERED;
}


/*
 * The page has not come in time, or it waits and looks for its template.  The
 * write event is posted, so that the handler that the request waits in sees
 * the new state.
 */

static void
ngx_http_dt_timer_handler(ngx_event_t *ev)
{
    ngx_int_t            rc;
    ngx_connection_t    *c;
    ngx_http_dt_ctx_t   *ctx;
    ngx_http_request_t  *r;

    ctx = ev->data;
    r = ctx->request;
    c = r->connection;

    ngx_http_set_log_request(c->log, r);

    if (ctx->phase == NGX_HTTP_DT_WAIT) {

        if (ngx_http_dt_waits(r, ctx)) {
            return;
        }

        rc = ngx_http_dt_finish(r, ctx);

    } else {
        (void) ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS,
                                  NGX_HTTP_DT_R_SLOW);
        rc = ngx_http_dt_send_page(r, ctx, NULL, 0);
    }

    if (rc == NGX_ERROR) {
        c->error = 1;
    }

    ngx_post_event(c->write, &ngx_posted_events);
}
