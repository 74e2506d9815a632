
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/check.h"
#include "ngx_module/conf.h"
#include "ngx_module/manager/child.h"
#include "ngx_module/request/conditions.h"
#include "ngx_module/request/filter.h"
#include "ngx_module/request/host.h"
#include "ngx_module/request/markdown.h"
#include "ngx_module/request/request.h"
#include "ngx_module/request/response.h"
#include "ngx_module/request/stranger.h"
#include "ngx_module/status/status.h"
#include "ngx_module/zone/site.h"


/* data of the variables */

typedef enum {
    NGX_HTTP_DT_V_STATUS = 0,
    NGX_HTTP_DT_V_REASON,
    NGX_HTTP_DT_V_REMOVED,
    NGX_HTTP_DT_V_VERSION,
    NGX_HTTP_DT_V_FORM
} ngx_http_dt_variable_e;


static ngx_int_t ngx_http_dt_handler(ngx_http_request_t *r);

static ngx_http_dt_ctx_t *ngx_http_dt_variable_ctx(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);

static ngx_int_t ngx_http_dt_uri_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);

static ngx_int_t ngx_http_dt_add_variables(ngx_conf_t *cf);
static ngx_int_t ngx_http_dt_share(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf);
static ngx_int_t ngx_http_dt_init(ngx_conf_t *cf);
static ngx_int_t ngx_http_dt_add_handler(ngx_http_core_main_conf_t *cmcf,
    ngx_uint_t phase, ngx_http_handler_pt handler, ngx_uint_t last);


static ngx_http_module_t  ngx_http_detemplate_filter_module_ctx = {
    ngx_http_dt_add_variables,     /* preconfiguration */
    ngx_http_dt_init,              /* postconfiguration */

    ngx_http_dt_create_main_conf,  /* create main configuration */
    ngx_http_dt_init_main_conf,    /* init main configuration */

    ngx_http_dt_create_srv_conf,   /* create server configuration */
    ngx_http_dt_merge_srv_conf,    /* merge server configuration */

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

    { ngx_string("detemplate_form"), NULL, ngx_http_dt_variable,
      NGX_HTTP_DT_V_FORM, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("detemplate_uri"), NULL, ngx_http_dt_uri_variable,
      0, NGX_HTTP_VAR_NOCACHEABLE, 0 },

      ngx_http_null_variable
};


/* runs after the access phase: see ngx_http_dt_before_content() */

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

    if (dlcf->control && r->method == NGX_HTTP_GET) {
        rc = ngx_http_dt_only(r, dlcf->public || ngx_http_dt_local(r));

        if (rc != NGX_DECLINED) {
            return rc;
        }
    }

    /* most requests are for no page, and need no context of their own */

    if (dlcf->mode
        && (!dlcf->fixed
            || dlcf->wait
            || ngx_http_dt_conditional(r)))
    {
        rc = ngx_http_dt_before_content(r, dlcf);
    }

    return rc;
}


static ngx_int_t
ngx_http_dt_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    ngx_str_t           value;
    ngx_uint_t          status, reason;
    ngx_http_dt_ctx_t  *ctx;

    ctx = ngx_http_dt_variable_ctx(r->main);

    status = ctx ? ctx->status : NGX_HTTP_DT_S_OFF;
    reason = ctx ? ctx->reason : NGX_HTTP_DT_R_OFF;

    ngx_str_null(&value);

    switch (data) {

    case NGX_HTTP_DT_V_STATUS:
        value = ngx_http_dt_statuses[status];
        break;

    case NGX_HTTP_DT_V_REASON:
        value = ngx_http_dt_reasons[reason];
        break;

    case NGX_HTTP_DT_V_FORM:
        ngx_str_set(&value, "html");

        if (ctx && ngx_http_dt_converts(ctx)
            && status != NGX_HTTP_DT_S_BYPASS
            && status != NGX_HTTP_DT_S_ERROR)
        {
            value = ngx_http_dt_modes[ctx->mode];
        }

        break;

    default:

        if (data == NGX_HTTP_DT_V_VERSION
            && (ctx == NULL || ctx->found.tmpl == NULL))
        {
            break;
        }

        value.data = ngx_pnalloc(r->pool, NGX_INT64_LEN);
        if (value.data == NULL) {
            return NGX_ERROR;
        }

        value.len = ngx_sprintf(value.data, "%uL",
                                (data == NGX_HTTP_DT_V_REMOVED)
                                ? (ctx ? ctx->stats.removed : 0)
                                : (uint64_t) ctx->found.tmpl->version)
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


/*
 * The context with all that can be decided now.  add_header evaluates
 * variables when there is a response, but before our header filter runs.
 */

static ngx_http_dt_ctx_t *
ngx_http_dt_variable_ctx(ngx_http_request_t *r)
{
    ngx_http_dt_ctx_t  *ctx;

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || ctx->phase != NGX_HTTP_DT_NO_RESPONSE) {
        return ctx;
    }

    ctx = ngx_http_dt_prepare(r);

    if (ctx
        && ctx->mode != NGX_HTTP_DT_MODE_OFF
        && !ctx->learner
        && r->headers_out.status)
    {
        (void) ngx_http_dt_decide(r, ctx,
                                  ngx_http_dt_pass_reason(r, ctx->conf));
    }

    return ctx;
}


/* for applications that look at the request's URI and not at a path */

static ngx_int_t
ngx_http_dt_uri_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    ngx_str_t          *uri;
    ngx_http_dt_ctx_t  *ctx;

    ctx = ngx_http_dt_get_ctx(r->main);
    uri = ctx ? ngx_http_dt_target(r->main, ctx) : &r->main->unparsed_uri;

    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;
    v->len = uri->len;
    v->data = uri->data;

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


/*
 * Most responses are no pages.  They share contexts, one for each reason, with
 * the field that says so.
 */

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
        ctx[i].phase = (i != NGX_HTTP_DT_R_NONE) ? NGX_HTTP_DT_PASS
                                                 : NGX_HTTP_DT_NO_RESPONSE;
        ctx[i].status = NGX_HTTP_DT_S_BYPASS;
        ctx[i].reason = i;

        if (ngx_http_dt_field(cf->pool, &ctx[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_init(ngx_conf_t *cf)
{
    ngx_http_dt_main_conf_t    *dmcf;
    ngx_http_core_main_conf_t  *cmcf;

    dmcf = ngx_http_conf_get_module_main_conf(cf,
                                            ngx_http_detemplate_filter_module);

    if (!dmcf->used) {
        return NGX_OK;
    }

    if ((dmcf->learns || dmcf->redis.url)
        && ngx_http_dt_program_find(cf, dmcf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_http_dt_share(cf, dmcf) != NGX_OK
        || ngx_http_dt_host_init(cf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_dt_check_servers(cf);

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    /* realip must set addresses before us, after the headers are read and for
       a location; try_files, which may change the location, must run before
       us as well */

    if (ngx_http_dt_add_handler(cmcf, NGX_HTTP_POST_READ_PHASE,
                                ngx_http_dt_stranger_handler, 1)
        != NGX_OK
        || ngx_http_dt_add_handler(cmcf, NGX_HTTP_POST_READ_PHASE,
                                   ngx_http_dt_twin_handler, 0)
           != NGX_OK
        || ngx_http_dt_add_handler(cmcf, NGX_HTTP_REWRITE_PHASE,
                                   ngx_http_dt_twin_location, 1)
           != NGX_OK
        || ngx_http_dt_add_handler(cmcf, NGX_HTTP_ACCESS_PHASE,
                                   ngx_http_dt_stranger_handler, 0)
           != NGX_OK
        || ngx_http_dt_add_handler(cmcf, NGX_HTTP_PRECONTENT_PHASE,
                                   ngx_http_dt_handler, 1)
           != NGX_OK
        || ngx_http_dt_add_handler(cmcf, NGX_HTTP_LOG_PHASE,
                                   ngx_http_dt_log_handler, 0)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_dt_filter_init();

    return NGX_OK;
}


/* handlers of a phase run from the last of the array to the first */

static ngx_int_t
ngx_http_dt_add_handler(ngx_http_core_main_conf_t *cmcf, ngx_uint_t phase,
    ngx_http_handler_pt handler, ngx_uint_t last)
{
    ngx_array_t          *handlers;
    ngx_http_handler_pt  *h;

    handlers = &cmcf->phases[phase].handlers;

    h = ngx_array_push(handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    if (last) {
        h = handlers->elts;
        ngx_memmove(&h[1], h, (handlers->nelts - 1) * sizeof(*h));
    }

    *h = handler;

    return NGX_OK;
}
