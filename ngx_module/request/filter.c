
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/wire.h"
#include "ngx_module/body/body.h"
#include "ngx_module/request/request.h"


static ngx_int_t ngx_http_dt_header_filter(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_vary_page(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_loc_conf_t *dlcf);
static ngx_http_dt_ctx_t *ngx_http_dt_shared_ctx(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_loc_conf_t *dlcf, ngx_uint_t reason);
static ngx_int_t ngx_http_dt_send_header(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_add_field(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

static ngx_int_t ngx_http_dt_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);
static ngx_uint_t ngx_http_dt_failed(ngx_http_request_t *r, ngx_chain_t *in);
static ngx_int_t ngx_http_dt_inflated(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_chain_t *in);
static ngx_int_t ngx_http_dt_send(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_chain_t *in);
static ngx_int_t ngx_http_dt_send_held(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static void ngx_http_dt_turn_handler(ngx_event_t *ev);


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

    /* tells our learner that the page is no evidence, whoever links to it */

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

    if (ngx_http_dt_response(r, ctx, reason) != NGX_OK) {
        return NGX_ERROR;
    }

    if (ctx->mode == NGX_HTTP_DT_MODE_OFF) {
        return ngx_http_next_header_filter(r);
    }

    if (ctx->only.len
        && r->headers_out.status == NGX_HTTP_OK
        && (ctx->phase != NGX_HTTP_DT_HOLD
            || ctx->tmpl == NULL
            || !ngx_http_dt_equal(&ctx->only, &ctx->site)))
    {
        /* there is nothing that is cut of this page, or of this site */

        ctx->only.len = 0;
        ctx->phase = NGX_HTTP_DT_PASS;

        return ngx_http_filter_finalize_request(r, NULL, NGX_HTTP_NOT_FOUND);
    }

    ctx->event.data = ctx;
    ctx->event.handler = ngx_http_dt_turn_handler;
    ctx->event.log = r->connection->log;

    if (ctx->phase == NGX_HTTP_DT_HOLD) {
        return NGX_OK;
    }

    return ngx_http_dt_send_header(r, ctx);
}


/*
 * A URL with the suffix has one form, whatever Accept and the mode say, but
 * other directives may have variables as well.
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
 * Gives a response that passes the context that all share for this reason.
 * NULL: the response needs a context of its own.
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
    ngx_int_t  rc;

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate response: %V", &ctx->field);

    if (ngx_http_dt_add_field(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_http_next_header_filter(r);

    if (rc != NGX_ERROR && rc <= NGX_OK
        && ctx->phase >= NGX_HTTP_DT_HOLD)
    {
        ngx_http_dt_hold_reset(r, ctx);
    }

    return rc;
}


static ngx_int_t
ngx_http_dt_add_field(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
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

    if (ctx->mode == NGX_HTTP_DT_MODE_HEADERS
        && (ctx->status == NGX_HTTP_DT_S_HIT
            || ctx->status == NGX_HTTP_DT_S_STALE))
    {
        return ngx_http_dt_hold_knows(ctx)
               ? ngx_http_dt_regions_push(ctx, &r->headers_out.headers)
               : ngx_http_dt_regions_announce(r, ctx);
    }

    return NGX_OK;
}


/*
 * Whatever happens to the rewriting, the bytes of the page go on.  NGX_ERROR
 * means that there is no memory for buffers, or that a compressed page is
 * broken.
 */

static ngx_int_t
ngx_http_dt_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_int_t           rc;
    ngx_http_dt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_detemplate_filter_module);

    if (ctx == NULL
        || ctx->phase < NGX_HTTP_DT_HOLD
        || r != r->main
        || (in == NULL
            && ctx->phase != NGX_HTTP_DT_HOLD
            && ctx->in == NULL
            && ctx->busy == NULL
            && !ngx_http_dt_inflate_waits(ctx->inflate)))
    {
        return ngx_http_next_body_filter(r, in);
    }

    if (ctx->phase == NGX_HTTP_DT_BROKEN) {
        return NGX_ERROR;
    }

    if (ngx_http_dt_watch_only(ctx)
        && r->headers_out.status != NGX_HTTP_OK)
    {
        /* the range filter, which runs after ours, made it a part */

        ctx->phase = NGX_HTTP_DT_PAGE;
        ctx->status = NGX_HTTP_DT_S_BYPASS;
        ctx->reason = NGX_HTTP_DT_R_RANGE;

        return ngx_http_next_body_filter(r, in);
    }

    if (ngx_http_dt_failed(r, in)) {
        ctx->failed = 1;
    }

    rc = ctx->inflate ? ngx_http_dt_inflated(r, ctx, in)
                      : ngx_http_dt_send(r, ctx, in);

    /* a request that fails is closed without further ado */

    return (ctx->failed && ctx->reset && ctx->in == NULL
            && !ngx_http_dt_inflate_waits(ctx->inflate))
           ? NGX_ERROR : rc;
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


/*
 * There is one buffer, so the page is inflated only as fast as it is sent.  By
 * then the header is sent, and the compressed bytes cannot follow if they turn
 * out to be broken.  The response then ends as if the connection to the
 * upstream were lost, and never as if it were complete; without its header,
 * if that waits for the body.
 */

static ngx_int_t
ngx_http_dt_inflated(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t *in)
{
    ngx_int_t     rc, next;
    ngx_buf_t    *b;
    ngx_uint_t    held;
    ngx_chain_t   cl;

    if (in && ngx_http_dt_inflate_add(ctx->inflate, in) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = NGX_OK;

    if (ctx->busy || ctx->in) {
        rc = ngx_http_dt_send(r, ctx, NULL);
    }

    while (rc != NGX_ERROR && ctx->in == NULL) {

        /* a few compressed bytes may become many */

        if (ngx_http_dt_inflate_waits(ctx->inflate)
            && ngx_http_dt_body_turn(r, ctx) == NGX_AGAIN)
        {
            break;
        }

        next = ngx_http_dt_inflate(ctx->inflate, &b);

        if (next == NGX_DECLINED) {
            break;
        }

        if (next == NGX_ERROR) {
            held = (ctx->phase == NGX_HTTP_DT_HOLD);
            ngx_http_dt_body_give_up(ctx, NGX_HTTP_DT_S_ERROR);

            if (held) {
                return NGX_ERROR;
            }

        } else if (ngx_http_dt_inflate_is_over(ctx->inflate)
                   && ctx->reason != NGX_HTTP_DT_R_ENCODING)
        {
            ngx_http_dt_body_give_up(ctx, NGX_HTTP_DT_S_GUARD);
        }

        cl.buf = b;
        cl.next = NULL;

        rc = ngx_http_dt_send(r, ctx, &cl);

        if (next == NGX_ERROR) {
            return NGX_ERROR;
        }
    }

    if (rc != NGX_ERROR && ngx_http_dt_inflate_waits(ctx->inflate)) {
        r->connection->buffered |= NGX_HTTP_DT_BUFFERED;
        rc = NGX_AGAIN;
    }

    return rc;
}


static ngx_int_t
ngx_http_dt_send(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t *in)
{
    ngx_int_t  rc, again;

    if (in && ngx_chain_add_copy(r->pool, &ctx->in, in) != NGX_OK) {
        return NGX_ERROR;
    }

    again = ngx_http_dt_body_feed(r, ctx);

    if (again != NGX_ERROR && ctx->phase == NGX_HTTP_DT_HOLD) {
        rc = ngx_http_dt_send_held(r, ctx);

        if (rc != NGX_OK) {
            return (rc == NGX_AGAIN) ? again : rc;
        }
    }

    if (r->header_only) {
        ngx_http_dt_hold_drop(ctx);
        return again;
    }

    if (again == NGX_ERROR || (again == NGX_AGAIN && ctx->out == NULL)) {
        return again;
    }

    if (ctx->out == NULL && ctx->busy == NULL) {

        /* all bytes so far were cut or are held */

        return NGX_OK;
    }

    rc = ngx_http_next_body_filter(r, ctx->out);

    ngx_http_dt_body_sent(ctx);

    return (rc == NGX_OK) ? again : rc;
}


/* NGX_AGAIN: the page is held further */

static ngx_int_t
ngx_http_dt_send_held(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_int_t  rc;

    rc = ngx_http_dt_hold(r, ctx);

    if (rc != NGX_OK) {
        return rc;
    }

    if (ctx->text
        && (ngx_http_dt_convert_fields(r, ctx) != NGX_OK
            || ngx_http_dt_convert_sizes(r, ctx) != NGX_OK))
    {
        return NGX_ERROR;
    }

    if (ctx->last
        && ngx_http_dt_hashes_body(ctx)
        && ngx_http_dt_validators(r, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_dt_shown(ctx);

    if (ctx->last
        && ngx_http_dt_is_json(ctx)
        && ngx_http_dt_convert_end(r, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* the body may have changed status and reason */

    if (ngx_http_dt_field(r->pool, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_http_dt_send_header(r, ctx);

    ctx->phase = NGX_HTTP_DT_BODY;

    return (rc == NGX_ERROR || rc > NGX_OK) ? NGX_ERROR : NGX_OK;
}


/*
 * Feeds what the last turn has left, whatever else the request waits for.
 * Then the write event is posted, since buffers may be free again.
 */

static void
ngx_http_dt_turn_handler(ngx_event_t *ev)
{
    ngx_connection_t   *c;
    ngx_http_dt_ctx_t  *ctx;

    ctx = ev->data;
    c = ctx->request->connection;

    ngx_http_set_log_request(c->log, ctx->request);

    ngx_log_debug0(NGX_LOG_DEBUG_HTTP, c->log, 0, "detemplate next turn");

    ctx->turn = 0;

    if ((ctx->in || ngx_http_dt_inflate_waits(ctx->inflate))
        && ngx_http_dt_body_filter(ctx->request, NULL) == NGX_ERROR)
    {
        c->error = 1;
    }

    if (!ev->posted || c->error) {
        ngx_post_event(c->write, &ngx_posted_events);
    }
}
