
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/body.h"
#include "ngx_module/request/request.h"


static void ngx_http_dt_seen(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_zone_t *zone, uint32_t words);


ngx_int_t
ngx_http_dt_log_handler(ngx_http_request_t *r)
{
    ngx_uint_t           status, reason;
    ngx_http_dt_ctx_t   *ctx;
    dt_rewrite_stats_t   stats;
    ngx_http_dt_zone_t  *zone;

    /* with log_subrequest, this phase also runs for subrequests */

    if (r != r->main) {
        return NGX_OK;
    }

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || ctx->phase == NGX_HTTP_DT_NO_RESPONSE) {
        return NGX_OK;
    }

    ngx_http_dt_hold_sent(r, ctx);

    zone = ngx_http_dt_get_zone(r);

    if (ctx->shared) {
        ngx_http_dt_zone_count(zone, ctx->status, ctx->reason, NULL, NULL);
        return NGX_OK;
    }

    if (ctx->learner || ctx->conf->mode == NULL) {
        return NGX_OK;
    }

    ngx_http_dt_result(ctx, &status, &reason, &stats);

    ngx_log_debug6(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate result: %V \"%V\" in:%uL removed:%uL "
                   "regions:%uD words:%uD", &ngx_http_dt_statuses[status],
                   &ngx_http_dt_reasons[reason], stats.in, stats.removed,
                   stats.regions, stats.words);

    ngx_http_dt_zone_count(zone, status, reason, &stats, ctx->tmpl);

    if (ctx->phase != NGX_HTTP_DT_BROKEN
        && ((ctx->phase >= NGX_HTTP_DT_PAGE && reason != NGX_HTTP_DT_R_NONE)
            || reason == NGX_HTTP_DT_R_CHARSET
            || reason == NGX_HTTP_DT_R_ENCODING))
    {
        ngx_log_error(NGX_LOG_INFO, r->connection->log, 0,
                      "detemplate: page of \"%V\" passed: %V", &ctx->site,
                      &ngx_http_dt_reasons[reason]);
    }

    if (ctx->phase >= NGX_HTTP_DT_HOLD
        && ctx->last
        && (status == NGX_HTTP_DT_S_HIT
            || status == NGX_HTTP_DT_S_STALE))
    {
        ngx_http_dt_seen(r, ctx, zone, stats.words);

        if (reason == NGX_HTTP_DT_R_NO_MATCH) {
            ngx_http_dt_trouble_off(zone, &ctx->site, &r->unparsed_uri);
        }
    }

    return NGX_OK;
}


/* shows the page to the zone, and says whether it showed little */

static void
ngx_http_dt_seen(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_zone_t *zone, uint32_t words)
{
    ngx_http_dt_job_t  job;

    if (ngx_http_dt_keypage(r, ctx, &job)) {
        ngx_http_dt_zone_visit(zone, &ctx->site, &job,
                               dt_template_low(ctx->tmpl->data, words), NULL);
    }
}


void
ngx_http_dt_result(ngx_http_dt_ctx_t *ctx, ngx_uint_t *status,
    ngx_uint_t *reason, dt_rewrite_stats_t *stats)
{
    *status = ctx->status;
    *reason = ctx->reason;

    ngx_memzero(stats, sizeof(dt_rewrite_stats_t));

    if (ctx->phase < NGX_HTTP_DT_HOLD) {
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
