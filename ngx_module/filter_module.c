
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/conf.h"
#include "ngx_module/zone/zone.h"
#include "ngx_module/fields.h"
#include "ngx_module/manager/program.h"
#include "ngx_module/request/host.h"
#include "ngx_module/request/request.h"
#include "ngx_module/request/keypage.h"
#include "ngx_module/request/response.h"
#include "ngx_module/body/body.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/body/regions.h"
#include "ngx_module/request/vary.h"
#include "ngx_module/request/conditions.h"
#include "ngx_module/body/inflate.h"


/* data of the variables */

typedef enum {
    NGX_HTTP_DT_V_STATUS = 0,
    NGX_HTTP_DT_V_REASON,
    NGX_HTTP_DT_V_REMOVED,
    NGX_HTTP_DT_V_VERSION
} ngx_http_dt_variable_e;


static ngx_int_t ngx_http_dt_marker_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_handler(ngx_http_request_t *r);

static ngx_int_t ngx_http_dt_header_filter(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_send_header(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_add_field(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

static ngx_int_t ngx_http_dt_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);
static ngx_int_t ngx_http_dt_inflated(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_chain_t *in);
static ngx_uint_t ngx_http_dt_waits(ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_send(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_chain_t *in);
static ngx_int_t ngx_http_dt_send_held(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static void ngx_http_dt_turn_handler(ngx_event_t *ev);

static ngx_int_t ngx_http_dt_log_handler(ngx_http_request_t *r);
static void ngx_http_dt_seen(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_zone_t *zone, uint32_t words);
static void ngx_http_dt_result(ngx_http_dt_ctx_t *ctx, ngx_uint_t *status,
    ngx_uint_t *reason, dt_rewrite_stats_t *stats);
static ngx_int_t ngx_http_dt_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);

static ngx_int_t ngx_http_dt_add_variables(ngx_conf_t *cf);
static ngx_int_t ngx_http_dt_share(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf);
static ngx_int_t ngx_http_dt_init(ngx_conf_t *cf);


static ngx_str_t  ngx_http_dt_own_fields[] = {
    ngx_string("detemplate"),
    ngx_string("detemplate-regions"),
    ngx_null_string
};


static ngx_http_module_t  ngx_http_detemplate_filter_module_ctx = {
    ngx_http_dt_add_variables,     /* preconfiguration */
    ngx_http_dt_init,              /* postconfiguration */

    ngx_http_dt_create_main_conf,  /* create main configuration */
    ngx_http_dt_init_main_conf,    /* init main configuration */

    ngx_http_dt_create_srv_conf,   /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_http_dt_create_loc_conf,   /* create location configuration */
    ngx_http_dt_merge_loc_conf     /* merge location configuration */
};


ngx_module_t  ngx_http_detemplate_filter_module = {
    NGX_MODULE_V1,
    &ngx_http_detemplate_filter_module_ctx, /* module context */
    ngx_http_dt_commands,          /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    NULL,                                  /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    NULL,                                  /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static ngx_http_variable_t  ngx_http_dt_vars[] = {

    { ngx_string("detemplate_status"), NULL, ngx_http_dt_variable,
      NGX_HTTP_DT_V_STATUS, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("detemplate_reason"), NULL, ngx_http_dt_variable,
      NGX_HTTP_DT_V_REASON, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("detemplate_removed"), NULL, ngx_http_dt_variable,
      NGX_HTTP_DT_V_REMOVED, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("detemplate_version"), NULL, ngx_http_dt_variable,
      NGX_HTTP_DT_V_VERSION, NGX_HTTP_VAR_NOCACHEABLE, 0 },

      ngx_http_null_variable
};


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;


/* before anything goes upstream: the learner's marker is not for it */

static ngx_int_t
ngx_http_dt_marker_handler(ngx_http_request_t *r)
{
    if (r == r->main) {
        (void) ngx_http_dt_get_ctx(r);
    }

    return NGX_DECLINED;
}


/* who is not let in starts nothing, and waits for nothing */

static ngx_int_t
ngx_http_dt_handler(ngx_http_request_t *r)
{
    ngx_int_t                rc;
    ngx_http_dt_loc_conf_t  *dlcf;

    if (r != r->main || r->post_action) {
        return NGX_DECLINED;
    }

    rc = NGX_DECLINED;
    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    /* most requests are for no page, which needs no context of its own */

    if (dlcf->mode
        && (!dlcf->fixed
            || dlcf->wait
            || ngx_http_dt_conditional(r)))
    {
        rc = ngx_http_dt_early(r, dlcf);
    }

    if (rc == NGX_DECLINED
        && r->internal
        && ngx_http_dt_elsewhere(r) != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return rc;
}


static ngx_int_t
ngx_http_dt_header_filter(ngx_http_request_t *r)
{
    ngx_uint_t                 reason;
    ngx_http_dt_ctx_t         *ctx;
    ngx_http_dt_loc_conf_t    *dlcf;
    ngx_http_dt_main_conf_t   *dmcf;
    ngx_http_core_loc_conf_t  *clcf;

    if (r != r->main) {
        return ngx_http_next_header_filter(r);
    }

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);
    ctx = ngx_http_dt_get_ctx(r);

    if (dlcf->mode == NULL && ctx->shared) {
        return ngx_http_next_header_filter(r);
    }

    /* whatever becomes of this response: another request gets another one */

    if (dlcf->vary
        && ngx_http_dt_vary(r, dlcf->vary) != NGX_OK)
    {
        return NGX_ERROR;
    }

    reason = ngx_http_dt_pass_reason(r, dlcf);
    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    /* one that is shared is not found again behind a post_action */

    if (dlcf->fixed
        && ctx->shared
        && reason != NGX_HTTP_DT_R_NONE
        && clcf->post_action.data == NULL)
    {
        dmcf = ngx_http_get_module_main_conf(r,
                                            ngx_http_detemplate_filter_module);
        ctx = &dmcf->shared[reason];
        ngx_http_set_ctx(r, ctx, ngx_http_detemplate_filter_module);

    } else {
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

        ctx->event.data = ctx;
        ctx->event.handler = ngx_http_dt_turn_handler;
        ctx->event.log = r->connection->log;

        if (ctx->hold) {
            return NGX_OK;
        }
    }

    return ngx_http_dt_send_header(r, ctx);
}


static ngx_int_t
ngx_http_dt_send_header(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate response: %V", &ctx->field);

    if (ngx_http_dt_add_field(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_next_header_filter(r);
}


static ngx_int_t
ngx_http_dt_add_field(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    /* the origin's, or ours: of what an error page came in place of */

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
               ? ngx_http_dt_regions_header(r, ctx)
               : ngx_http_dt_regions_announce(r, ctx);
    }

    return NGX_OK;
}


/*
 * Whatever happens to a rewrite, the bytes of the page go on: an error from
 * here means that there is no memory for buffers, or that a compressed page
 * cannot be inflated any further.
 */

static ngx_int_t
ngx_http_dt_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_http_dt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_detemplate_filter_module);

    if (ctx == NULL
        || !ctx->active
        || r != r->main
        || (in == NULL
            && !ctx->hold
            && ctx->in == NULL
            && ctx->busy == NULL
            && !ngx_http_dt_waits(ctx)))
    {
        return ngx_http_next_body_filter(r, in);
    }

    if (ctx->broken) {
        return NGX_ERROR;
    }

    if (ngx_http_dt_watches(ctx)
        && r->headers_out.status != NGX_HTTP_OK)
    {
        /* a part of the page after all: the header came to us before that */

        ctx->active = 0;
        ctx->status = NGX_HTTP_DT_S_BYPASS;
        ctx->reason = NGX_HTTP_DT_R_RANGE;

        return ngx_http_next_body_filter(r, in);
    }

    if (ctx->inflate) {
        return ngx_http_dt_inflated(r, ctx, in);
    }

    return ngx_http_dt_send(r, ctx, in);
}


/*
 * There is one buffer: the page is inflated only as fast as it is sent.  The
 * header is gone, so the compressed bytes cannot follow when they turn out not
 * to be sound: the response ends there, as if the connection to the upstream
 * had been lost, and never as if it were complete.
 */

static ngx_int_t
ngx_http_dt_inflated(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t *in)
{
    ngx_int_t     rc, next;
    ngx_buf_t    *b;
    ngx_chain_t   cl;

    if (in && ngx_http_dt_inflate_add(ctx->inflate, in) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = NGX_OK;

    if (ctx->busy || ctx->in) {
        rc = ngx_http_dt_send(r, ctx, NULL);
    }

    while (rc != NGX_ERROR && ctx->in == NULL) {

        /* a few bytes may become many, wherever they come from */

        if (ngx_http_dt_waits(ctx)
            && ngx_http_dt_body_turn(r, ctx) == NGX_AGAIN)
        {
            break;
        }

        next = ngx_http_dt_inflate(ctx->inflate, &b);

        if (next == NGX_DECLINED) {
            break;
        }

        if (next == NGX_ERROR) {
            ngx_http_dt_body_give_up(ctx, NGX_HTTP_DT_S_ERROR);

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

    if (rc != NGX_ERROR && ngx_http_dt_waits(ctx)) {
        r->connection->buffered |= NGX_HTTP_DT_BUFFERED;
        rc = NGX_AGAIN;
    }

    return rc;
}


static ngx_uint_t
ngx_http_dt_waits(ngx_http_dt_ctx_t *ctx)
{
    return ctx->inflate && ngx_http_dt_inflate_waits(ctx->inflate);
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

    if (again != NGX_ERROR && ctx->hold) {
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

        /* all that came was cut, or is held */

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

    /* the field says what the body has turned out to be */

    if (ngx_http_dt_field(r->pool, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_http_dt_send_header(r, ctx);

    ctx->hold = 0;

    return (rc == NGX_ERROR || rc > NGX_OK) ? NGX_ERROR : NGX_OK;
}


/*
 * What a turn has left behind goes on whatever the request waits for at the
 * time; then whoever waits to write finds his buffers free.
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

    if ((ctx->in || ngx_http_dt_waits(ctx))
        && ngx_http_dt_body_filter(ctx->request, NULL) == NGX_ERROR)
    {
        c->error = 1;
    }

    if (!ev->posted || c->error) {
        ngx_post_event(c->write, &ngx_posted_events);
    }
}


static ngx_int_t
ngx_http_dt_log_handler(ngx_http_request_t *r)
{
    ngx_uint_t                status, reason;
    ngx_http_dt_ctx_t        *ctx;
    dt_rewrite_stats_t        stats;
    ngx_http_dt_zone_t       *zone;
    ngx_http_dt_main_conf_t  *dmcf;

    /* with log_subrequest, this phase runs for parts of the page as well */

    if (r != r->main) {
        return NGX_OK;
    }

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || !ctx->counted) {
        return NGX_OK;
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);
    zone = dmcf->shm_zone->data;

    if (ctx->shared) {
        ngx_http_dt_zone_count(zone, ctx->status, ctx->reason, 0, 0);
        return NGX_OK;
    }

    ngx_http_dt_result(ctx, &status, &reason, &stats);

    ngx_log_debug6(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate result: %V \"%V\" in:%uL removed:%uL "
                   "regions:%uD words:%uD", &ngx_http_dt_statuses[status],
                   &ngx_http_dt_reasons[reason], stats.in, stats.removed,
                   stats.regions, stats.words);

    ngx_http_dt_zone_count(zone, status, reason, stats.in, stats.removed);

    if (!ctx->broken
        && ((ctx->eligible && reason != NGX_HTTP_DT_R_NONE)
            || reason == NGX_HTTP_DT_R_CHARSET
            || reason == NGX_HTTP_DT_R_ENCODING))
    {
        ngx_log_error(NGX_LOG_INFO, r->connection->log, 0,
                      "detemplate: page of \"%V\" passed: %V", &ctx->site,
                      &ngx_http_dt_reasons[reason]);
    }

    if (ctx->active
        && ctx->last
        && (status == NGX_HTTP_DT_S_HIT
            || status == NGX_HTTP_DT_S_STALE))
    {
        ngx_http_dt_seen(r, ctx, zone, stats.words);
    }

    return NGX_OK;
}


/* a page of which the template knows too little is one to learn from */

static void
ngx_http_dt_seen(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_zone_t *zone, uint32_t words)
{
    dt_str_t           path;
    ngx_uint_t         want;
    ngx_http_dt_job_t  job;

    path.data = (char *) ctx->path.data;
    path.len = ctx->path.len;

    want = dt_template_want(ctx->tmpl->data, path, words);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate want: up to %ui%% of loads", want);

    if (want
        && ngx_http_dt_zone_wants(zone, &ctx->site,
                                     ngx_http_dt_job_loads(ctx->conf), want))
    {
        ngx_http_dt_zone_covered(zone, &ctx->site,
                                       ngx_http_dt_job(r, ctx, &job), want);
    }
}


/* what has come of it: the body may say more than the header did */

static void
ngx_http_dt_result(ngx_http_dt_ctx_t *ctx, ngx_uint_t *status,
    ngx_uint_t *reason, dt_rewrite_stats_t *stats)
{
    *status = ctx->status;
    *reason = ctx->reason;

    ngx_memzero(stats, sizeof(dt_rewrite_stats_t));

    if (!ctx->active) {
        return;
    }

    dt_rewrite_stats(ctx->rewrite, stats);

    if (ctx->status != NGX_HTTP_DT_S_HIT
        && ctx->status != NGX_HTTP_DT_S_STALE)
    {
        return;
    }

    if (stats->guard) {
        *status = NGX_HTTP_DT_S_GUARD;
        *reason = NGX_HTTP_DT_R_GUARD;

    } else if (stats->too_deep) {
        *status = NGX_HTTP_DT_S_GUARD;
        *reason = NGX_HTTP_DT_R_TOO_DEEP;

    } else if (ctx->last && stats->regions == 0) {
        *reason = NGX_HTTP_DT_R_NO_MATCH;
    }
}


static ngx_int_t
ngx_http_dt_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    ngx_str_t           value;
    ngx_uint_t          status, reason;
    ngx_http_dt_ctx_t  *ctx;
    dt_rewrite_stats_t  stats;

    r = r->main;
    ctx = ngx_http_dt_get_ctx(r);

    if (ctx && !ctx->counted) {
        ctx = ngx_http_dt_prepare(r);

        /* add_header makes fields when there is a response, but before us */

        if (ctx
            && ctx->mode != NGX_HTTP_DT_MODE_OFF
            && !ctx->learner
            && r->headers_out.status)
        {
            ngx_http_dt_apply(r, ctx, ngx_http_dt_pass_reason(r, ctx->conf),
                           0);
        }
    }

    if (ctx) {
        ngx_http_dt_result(ctx, &status, &reason, &stats);

    } else {
        status = NGX_HTTP_DT_S_OFF;
        reason = NGX_HTTP_DT_R_OFF;
        ngx_memzero(&stats, sizeof(dt_rewrite_stats_t));
    }

    ngx_str_null(&value);

    switch (data) {

    case NGX_HTTP_DT_V_STATUS:
        value = ngx_http_dt_statuses[status];
        break;

    case NGX_HTTP_DT_V_REASON:
        value = ngx_http_dt_reasons[reason];
        break;

    default:

        if (data == NGX_HTTP_DT_V_VERSION
            && (ctx == NULL || ctx->tmpl == NULL))
        {
            break;
        }

        value.data = ngx_pnalloc(r->pool, NGX_INT64_LEN);
        if (value.data == NULL) {
            return NGX_ERROR;
        }

        value.len = ngx_sprintf(value.data, "%uL",
                                (data == NGX_HTTP_DT_V_REMOVED)
                                ? (uint64_t) stats.removed
                                : (uint64_t) ctx->tmpl->version)
                    - value.data;
    }

    if (value.len == 0) {
        v->not_found = 1;
        return NGX_OK;
    }

    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;
    v->len = value.len;
    v->data = value.data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_add_variables(ngx_conf_t *cf)
{
    ngx_http_variable_t  *var, *v;

    for (v = ngx_http_dt_vars; v->name.len; v++) {

        var = ngx_http_add_variable(cf, &v->name, v->flags);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}


/* what is no page has a context, and a field, that are there from the start */

static ngx_int_t
ngx_http_dt_share(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf)
{
    ngx_uint_t          i;
    ngx_http_dt_ctx_t  *ctx;

    ctx = ngx_pcalloc(cf->pool, NGX_HTTP_DT_REASONS
                                * sizeof(ngx_http_dt_ctx_t));
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    dmcf->shared = ctx;

    for (i = 0; i < NGX_HTTP_DT_REASONS; i++) {
        ctx[i].shared = 1;
        ctx[i].counted = (i != NGX_HTTP_DT_R_NONE);
        ctx[i].status = NGX_HTTP_DT_S_BYPASS;
        ctx[i].reason = i;

        if (ngx_http_dt_field(cf->pool, &ctx[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/*
 * The place among the filters that the order of modules asks for.  One that is
 * loaded later, and asks for the same, was put between: pages would come to
 * us compressed by it.  While a directive is read, nobody is going through
 * the modules in order to call them.
 */

void
ngx_http_dt_place(ngx_cycle_t *cycle)
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
ngx_http_dt_init(ngx_conf_t *cf)
{
    ngx_array_t                *handlers;
    ngx_http_handler_pt        *h;
    ngx_http_dt_main_conf_t    *dmcf;
    ngx_http_core_main_conf_t  *cmcf;

    dmcf = ngx_http_conf_get_module_main_conf(cf,
                                            ngx_http_detemplate_filter_module);

    if (!dmcf->used) {
        return NGX_OK;
    }

    if (dmcf->learns
        && ngx_http_dt_program_find(cf, dmcf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_http_dt_share(cf, dmcf) != NGX_OK
        || ngx_http_dt_host_init(cf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_PREACCESS_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_dt_marker_handler;

    handlers = &cmcf->phases[NGX_HTTP_PRECONTENT_PHASE].handlers;

    if (ngx_array_push(handlers) == NULL) {
        return NGX_ERROR;
    }

    /* the last that is asked: try_files may go to another location */

    h = handlers->elts;
    ngx_memmove(&h[1], h, (handlers->nelts - 1) * sizeof(*h));
    *h = ngx_http_dt_handler;

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_LOG_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_dt_log_handler;

    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_dt_header_filter;

    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_dt_body_filter;

    return NGX_OK;
}
