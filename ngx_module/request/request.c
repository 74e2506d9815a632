
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/page.h"
#include "ngx_module/request/request.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/body/marks.h"
#include "ngx_module/request/accept.h"
#include "ngx_module/request/conditions.h"
#include "ngx_module/request/host.h"
#include "ngx_module/request/keypage.h"
#include "ngx_module/zone/copies.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/store.h"
#include "ngx_module/zone/zone.h"


static void ngx_http_dt_cleanup(void *data);
static ngx_uint_t ngx_http_dt_word(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf, ngx_http_complex_value_t *cv,
    ngx_str_t *words, char *directive);
static ngx_uint_t ngx_http_dt_request_reason(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


ngx_int_t
ngx_http_dt_before_content(ngx_http_request_t *r, ngx_http_dt_loc_conf_t *dlcf)
{
    ngx_msec_t          wait;
    ngx_uint_t          early;
    ngx_http_dt_ctx_t  *ctx;

    wait = ngx_http_dt_credentials(r) ? 0 : dlcf->wait;

    early = (wait || ngx_http_dt_conditional(r))
            && (r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))
            && ngx_http_dt_page(r);

    if (!early && dlcf->fixed) {
        return NGX_DECLINED;
    }

    ctx = ngx_http_dt_prepare(r);

    if (!early || ctx == NULL || ngx_http_dt_find_site(r, ctx) != NGX_OK) {
        return NGX_DECLINED;
    }

    if (ctx->found.tmpl == NULL) {
        ngx_http_dt_lookup(r, ctx);
    }

    /* a page that waits for its template may be rewritten with that */

    if (ctx->found.tmpl == NULL && !ngx_http_dt_converts(ctx)
        && (wait == 0 || ctx->reason == NGX_HTTP_DT_R_BACKOFF))
    {
        return NGX_DECLINED;
    }

    if (!ngx_http_dt_watch_only(ctx)
        && ngx_http_dt_take_conditions(r, ctx) != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return NGX_DECLINED;
}


ngx_http_dt_ctx_t *
ngx_http_dt_get_ctx(ngx_http_request_t *r)
{
    ngx_int_t                 rc;
    ngx_str_t                 client;
    ngx_http_dt_ctx_t        *ctx;
    ngx_pool_cleanup_t       *cln;
    ngx_http_dt_main_conf_t  *dmcf;

    ctx = ngx_http_get_module_ctx(r, ngx_http_detemplate_filter_module);

    if (ctx) {
        return ctx;
    }

    /*
     * An internal redirect clears the contexts of all modules.  By then the
     * marker and the conditions were taken out of the request, so the context
     * is still needed; the cleanup handler knows it.
     */

    if (r->internal || r->filter_finalize) {

        for (cln = r->pool->cleanup; cln; cln = cln->next) {

            if (cln->handler == ngx_http_dt_cleanup) {
                ctx = cln->data;
                ngx_http_set_ctx(r, ctx, ngx_http_detemplate_filter_module);
                return ctx;
            }
        }
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);

    if (!dmcf->used) {
        return NULL;
    }

    rc = ngx_http_dt_take_marker(r, &client);

    if (rc == NGX_ERROR) {
        return NULL;
    }

    if (rc == NGX_OK) {
        ctx = ngx_http_dt_create_ctx(r);

        if (ctx) {
            ctx->learner = 1;
            ctx->client = client;
        }

        return ctx;
    }

    ctx = &dmcf->shared[NGX_HTTP_DT_R_NONE];
    ngx_http_set_ctx(r, ctx, ngx_http_detemplate_filter_module);

    return ctx;
}


ngx_http_dt_ctx_t *
ngx_http_dt_create_ctx(ngx_http_request_t *r)
{
    ngx_http_dt_ctx_t   *ctx;
    ngx_pool_cleanup_t  *cln;

    cln = ngx_pool_cleanup_add(r->pool, sizeof(ngx_http_dt_ctx_t));
    if (cln == NULL) {
        return NULL;
    }

    ctx = cln->data;
    ngx_memzero(ctx, sizeof(ngx_http_dt_ctx_t));

    ctx->request = r;

    cln->handler = ngx_http_dt_cleanup;

    ngx_http_set_ctx(r, ctx, ngx_http_detemplate_filter_module);

    return ctx;
}


static void
ngx_http_dt_cleanup(void *data)
{
    ngx_http_dt_ctx_t *ctx = data;

    if (ctx->event.timer_set) {
        ngx_del_timer(&ctx->event);
    }

    ngx_http_dt_hold_end(ctx);

    if (ctx->found.tmpl) {
        ngx_http_dt_copy_release(ctx->found.tmpl);
    }
}


ngx_http_dt_ctx_t *
ngx_http_dt_prepare(ngx_http_request_t *r)
{
    ngx_http_dt_ctx_t       *ctx;
    ngx_http_dt_loc_conf_t  *dlcf;

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || (ctx->shared && dlcf->mode == NULL)) {
        return NULL;
    }

    if (ctx->shared) {
        ctx = ngx_http_dt_create_ctx(r);

        if (ctx == NULL) {
            return NULL;
        }
    }

    if (ctx->conf == dlcf) {
        return ctx;
    }

    ctx->conf = dlcf;
    ctx->site.len = 0;
    ctx->excluded = NGX_HTTP_DT_R_OFF;
    ctx->mode = ctx->learner ? NGX_HTTP_DT_MODE_OFF
                : (ctx->only.len && ctx->html) ? NGX_HTTP_DT_MODE_STRIP
                : (ctx->only.len || (ctx->twin && dlcf->twin.len))
                  ? NGX_HTTP_DT_MODE_MARKDOWN
                : ngx_http_dt_accept(r, dlcf);

    if (ctx->mode == NGX_HTTP_DT_MODE_OFF) {
        ctx->mode = ngx_http_dt_word(r, dlcf, dlcf->mode, ngx_http_dt_modes,
                                     "detemplate");
    }

    if (ctx->mode == NGX_HTTP_DT_MODE_OFF) {
        (void) ngx_http_dt_result(ctx, NGX_HTTP_DT_S_OFF, NGX_HTTP_DT_R_OFF);

        ngx_log_debug0(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                       "detemplate request: off");
        return ctx;
    }

    ctx->links = ngx_http_dt_word(r, dlcf, dlcf->links, ngx_http_dt_links,
                                  "detemplate_links");
    ctx->bold = !ngx_http_dt_word(r, dlcf, dlcf->cut, ngx_http_dt_cut,
                                  "detemplate_cut");
    ctx->learn = dlcf->learn_by
                 ? ngx_http_dt_word(r, dlcf, dlcf->learn_by,
                                    ngx_http_dt_learn_words,
                                    "detemplate_learn")
                 : dlcf->learn;
    ctx->excluded = ngx_http_dt_request_reason(r, ctx);
    (void) ngx_http_dt_result(ctx, (ctx->excluded == NGX_HTTP_DT_R_NONE)
                                   ? NGX_HTTP_DT_S_MISS : NGX_HTTP_DT_S_BYPASS,
                              ctx->excluded);

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate request: mode:%V \"%V\"",
                   &ngx_http_dt_modes[ctx->mode],
                   &ngx_http_dt_reasons[ctx->reason]);

    return ctx;
}


/*
 * Returns the index of the value among the words, or 0.  Values of variables
 * are known only now, so a wrong one is logged here, once an hour by each
 * worker.  Only the configuration can help, so the line is for all logs.
 */

static ngx_uint_t
ngx_http_dt_word(ngx_http_request_t *r, ngx_http_dt_loc_conf_t *dlcf,
    ngx_http_complex_value_t *cv, ngx_str_t *words, char *directive)
{
    u_char      text[NGX_HTTP_DT_DETAIL], choices[NGX_HTTP_DT_CHOICES], *p;
    ngx_str_t   value;
    ngx_uint_t  i;

    if (cv == NULL
        || ngx_http_complex_value(r, cv, &value) != NGX_OK
        || value.len == 0)
    {
        return 0;
    }

    i = ngx_http_dt_find_word(words, &value);

    if (words[i].len) {
        return i;
    }

    if (ngx_time() - dlcf->told >= 3600) {
        dlcf->told = ngx_time();

        p = ngx_slprintf(text, text + sizeof(text) - 1, "%V", &value);
        *p = '\0';
        ngx_http_dt_printable(text, text, sizeof(text));

        p = ngx_http_dt_choices(choices, choices + sizeof(choices), words);

        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "detemplate: unknown value \"%s\" of the variable in "
                      "\"%s\" means \"%V\", it must be one of %*s",
                      text, directive, &words[0], p - choices, choices);
    }

    return 0;
}


static ngx_uint_t
ngx_http_dt_request_reason(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (ctx->learner) {
        return NGX_HTTP_DT_R_LEARNER;
    }

    if (ngx_http_test_predicates(r, ctx->conf->bypass) != NGX_OK) {
        return NGX_HTTP_DT_R_BYPASS;
    }

    return NGX_HTTP_DT_R_NONE;
}


/* called only for possible pages, as most requests are for other things */

ngx_int_t
ngx_http_dt_find_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_t  site;

    if (ctx->site.len) {
        return NGX_OK;
    }

    ngx_str_null(&site);

    if (ctx->excluded == NGX_HTTP_DT_R_NONE
        && ngx_http_dt_site(r, ctx, &site) != NGX_OK)
    {
        ctx->excluded = NGX_HTTP_DT_R_SITE;
    }

    if (ctx->excluded != NGX_HTTP_DT_R_NONE) {
        return ngx_http_dt_result(ctx, NGX_HTTP_DT_S_BYPASS, ctx->excluded);
    }

    if (ctx->found.tmpl && !ngx_http_dt_equal(&site, &ctx->found.tmpl->site)) {
        ngx_http_dt_copy_release(ctx->found.tmpl);
        ctx->found.tmpl = NULL;
    }

    ctx->site = site;

    return NGX_OK;
}


/*
 * All exact names of a server are one site.  A wildcard name, a regular
 * expression and a default server can serve any number of sites with
 * different owners, so there each name is a site of its own.
 */

ngx_int_t
ngx_http_dt_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *site)
{
    ngx_uint_t                 kind;
    ngx_http_dt_loc_conf_t    *dlcf;
    ngx_http_core_srv_conf_t  *cscf;

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);
    cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);

    kind = ngx_http_dt_host(r, site);
    ctx->from_host = (dlcf->site == NULL
                   && kind != NGX_HTTP_DT_HOST_NAMED);
    ctx->named = dlcf->site ? dlcf->site->lengths == NULL
                            : kind == NGX_HTTP_DT_HOST_NAMED;

    if (dlcf->site) {

        if (ngx_http_complex_value(r, dlcf->site, site) != NGX_OK) {
            return NGX_ERROR;
        }

    } else if (cscf->server_name.len == 0) {
        return NGX_DECLINED;
    }

    return ngx_http_dt_host_site(site) ? NGX_OK : NGX_DECLINED;
}


/* pictures and downloads keep their ranges and conditions */

ngx_uint_t
ngx_http_dt_page(ngx_http_request_t *r)
{
    void                      *type;
    u_char                    *exten;
    ngx_str_t                 *name;
    ngx_uint_t                 hash;
    ngx_http_dt_loc_conf_t    *dlcf;
    ngx_http_core_loc_conf_t  *clcf;

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    if (r->exten.len == 0 || dlcf->types.size == 0) {
        return 1;
    }

    exten = ngx_pnalloc(r->pool, r->exten.len);
    if (exten == NULL) {
        return 0;
    }

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    hash = ngx_hash_strlow(exten, r->exten.data, r->exten.len);
    name = ngx_hash_find(&clcf->types_hash, hash, exten, r->exten.len);

    if (name == NULL) {
        return 1;
    }

    type = ngx_hash_find(&dlcf->types, ngx_hash_key(name->data, name->len),
                         name->data, name->len);

    return type != NULL;
}


/*
 * The page's URL as its own links write it, and as its learner asks for it:
 * the name by which nginx chose the server, its port if the client names it,
 * and the path as requested, without a session.
 */

ngx_int_t
ngx_http_dt_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    u_char     *p;
    dt_str_t    path;
    ngx_str_t   host, port, *target;

    if (ctx->host.data) {
        return NGX_OK;
    }

    target = ngx_http_dt_target(r, ctx);
    path.data = (char *) target->data;

    for (path.len = 0; path.len < target->len; path.len++) {
        if (path.data[path.len] == '?' || path.data[path.len] == '#') {
            break;
        }
    }

    ctx->path.data = target->data;
    ctx->path.len = dt_page_path(path).len;

    host = r->headers_in.server;

    if (!ngx_http_dt_host_of_url(&host)) {
        host.len = 0;
    }

    p = ngx_pnalloc(r->pool, host.len + sizeof(":65535"));
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->host.data = p;
    p = ngx_cpymem(p, host.data, host.len);

    if (host.len && ngx_http_dt_host_port(r, &port)) {
        p = ngx_sprintf(p, ":%V", &port);
    }

    ctx->host.len = p - ctx->host.data;

    return ngx_http_dt_host_base(r, &ctx->base);
}


void
ngx_http_dt_lookup(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_uint_t             reason;
    ngx_http_dt_lookup_t  *found;

    found = &ctx->found;

    if (found->tmpl) {
        ngx_http_dt_copy_release(found->tmpl);
    }

    ngx_http_dt_zone_lookup(ngx_http_dt_get_zone(r), &ctx->site,
                            ctx->conf->valid,
                            ngx_http_dt_keypage_refresh(ctx->conf), found);

    reason = (found->reason == NGX_HTTP_DT_R_NO_TEMPLATE
              && ctx->unlearned != NGX_HTTP_DT_R_NONE)
             ? ctx->unlearned : found->reason;

    (void) ngx_http_dt_result(ctx, found->status, reason);

    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate look-up: \"%V\" %V \"%V\" version:%uD",
                   &ctx->site, &ngx_http_dt_statuses[ctx->status],
                   &ngx_http_dt_reasons[ctx->reason],
                   ctx->found.tmpl ? ctx->found.tmpl->version : 0);
}


ngx_int_t
ngx_http_dt_load_template(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_int_t            rc;
    ngx_http_dt_zone_t  *zone;

    zone = ngx_http_dt_get_zone(r);
    rc = ngx_http_dt_copy_load(zone, &ctx->found.tmpl);

    if (rc == NGX_DECLINED) {
        ngx_http_dt_lookup(r, ctx);

        if (ctx->found.tmpl == NULL) {
            return NGX_DECLINED;
        }

        rc = (ngx_http_dt_copy_load(zone, &ctx->found.tmpl) == NGX_OK)
             ? NGX_OK : NGX_ERROR;
    }

    return (rc == NGX_OK && ctx->mode == NGX_HTTP_DT_MODE_HEADERS)
           ? ngx_http_dt_regions_start(r, ctx) : rc;
}


void
ngx_http_dt_learn(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_http_dt_job_t  job;

    if (ctx->phase == NGX_HTTP_DT_PAGE && ctx->found.due) {
        ctx->found.due = (ngx_http_dt_keypage(r, ctx, &job) != NULL);
        ctx->copied = (ctx->found.due
                       && ngx_http_dt_zone_lacks(ngx_http_dt_get_zone(r),
                                                 &ctx->site, &job, 0));

        if (!ctx->found.due && ctx->reason == NGX_HTTP_DT_R_NO_TEMPLATE) {
            (void) ngx_http_dt_result(ctx, ctx->status, ctx->unlearned);
        }
    }

    ngx_http_dt_keypage_refused(r, ctx);
}


void
ngx_http_dt_visit(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t low)
{
    ngx_str_t                 page;
    ngx_http_dt_job_t        *job, room;
    ngx_http_dt_zone_t       *zone;
    ngx_http_dt_lookup_t      lookup;
    ngx_http_dt_main_conf_t  *dmcf;

    job = ngx_http_dt_keypage(r, ctx, &room);

    if (job == NULL) {
        return;
    }

    ctx->found.due = 0;
    zone = ngx_http_dt_get_zone(r);
    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);

    page.data = ctx->source.pos;
    page.len = ctx->source.last - ctx->source.pos;

    job->stored = (page.len
                   && ngx_http_dt_zone_lacks(zone, &ctx->site, job, low)
                   && ngx_http_dt_store(zone, &dmcf->path->name, &ctx->site,
                                        job, &page, r->connection->log)
                      == NGX_OK);

    lookup = ctx->found;
    lookup.status = ctx->status;
    lookup.reason = ctx->reason;

    ngx_http_dt_zone_visit(zone, &ctx->site, job, low, &lookup);

    ctx->found.settled = lookup.settled;
    (void) ngx_http_dt_result(ctx, lookup.status, lookup.reason);
}


ngx_int_t
ngx_http_dt_log_handler(ngx_http_request_t *r)
{
    ngx_http_dt_ctx_t   *ctx;
    ngx_http_dt_zone_t  *zone;

    /* with log_subrequest, this phase also runs for subrequests */

    if (r != r->main) {
        return NGX_OK;
    }

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || ctx->phase == NGX_HTTP_DT_NO_RESPONSE) {
        return NGX_OK;
    }

    zone = ngx_http_dt_get_zone(r);

    if (ctx->shared) {
        ngx_http_dt_zone_count(zone, ctx->status, ctx->reason, NULL, NULL);
        return NGX_OK;
    }

    if (ctx->learner || ctx->conf->mode == NULL) {
        return NGX_OK;
    }

    ngx_log_debug6(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate result: %V \"%V\" in:%uL removed:%uL "
                   "regions:%uD words:%uD", &ngx_http_dt_statuses[ctx->status],
                   &ngx_http_dt_reasons[ctx->reason], ctx->stats.in,
                   ctx->stats.removed, ctx->stats.regions, ctx->stats.words);

    ngx_http_dt_zone_count(zone, ctx->status, ctx->reason, &ctx->stats,
                           ctx->found.tmpl);

    if ((ctx->phase >= NGX_HTTP_DT_PAGE && ctx->reason != NGX_HTTP_DT_R_NONE)
        || ctx->reason == NGX_HTTP_DT_R_CHARSET
        || ctx->reason == NGX_HTTP_DT_R_ENCODING)
    {
        ngx_log_error(NGX_LOG_INFO, r->connection->log, 0,
                      "detemplate: page of \"%V\" passed: %V", &ctx->site,
                      &ngx_http_dt_reasons[ctx->reason]);
    }

    if (ctx->phase == NGX_HTTP_DT_DONE
        && ctx->reason == NGX_HTTP_DT_R_NO_MATCH)
    {
        ngx_http_dt_trouble_off(zone, &ctx->site, ngx_http_dt_target(r, ctx));
    }

    return NGX_OK;
}
