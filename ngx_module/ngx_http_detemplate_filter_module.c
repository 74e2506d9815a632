
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_http_detemplate_filter_module.h"
#include "ngx_http_detemplate_request.h"
#include "ngx_http_detemplate_fields.h"
#include "ngx_http_detemplate_conf.h"


/* data of the variables */

typedef enum {
    NGX_HTTP_DETEMPLATE_V_STATUS = 0,
    NGX_HTTP_DETEMPLATE_V_REASON,
    NGX_HTTP_DETEMPLATE_V_REMOVED,
    NGX_HTTP_DETEMPLATE_V_VERSION
} ngx_http_detemplate_variable_e;


static ngx_int_t ngx_http_detemplate_header_filter(ngx_http_request_t *r);
static void ngx_http_detemplate_response(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);
static ngx_uint_t ngx_http_detemplate_response_reason(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);
static ngx_uint_t ngx_http_detemplate_type(ngx_http_request_t *r,
    ngx_http_detemplate_loc_conf_t *dlcf);
static ngx_int_t ngx_http_detemplate_start(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);
static ngx_int_t ngx_http_detemplate_add_field(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

static ngx_int_t ngx_http_detemplate_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);
static void ngx_http_detemplate_turn_handler(ngx_event_t *ev);

static ngx_int_t ngx_http_detemplate_log_handler(ngx_http_request_t *r);
static void ngx_http_detemplate_result(ngx_http_detemplate_ctx_t *ctx,
    ngx_uint_t *status, ngx_uint_t *reason, dt_rewrite_stats_t *stats);
static ngx_int_t ngx_http_detemplate_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);

static ngx_int_t ngx_http_detemplate_add_variables(ngx_conf_t *cf);
static ngx_int_t ngx_http_detemplate_init(ngx_conf_t *cf);


ngx_str_t  ngx_http_detemplate_statuses[] = {
    ngx_string("OFF"),
    ngx_string("HIT"),
    ngx_string("MISS"),
    ngx_string("STALE"),
    ngx_string("BYPASS"),
    ngx_string("GUARD"),
    ngx_string("ERROR")
};


ngx_str_t  ngx_http_detemplate_reasons[] = {
    ngx_string(""),
    ngx_string("off"),
    ngx_string("method"),
    ngx_string("status"),
    ngx_string("type"),
    ngx_string("encoding"),
    ngx_string("charset"),
    ngx_string("no-transform"),
    ngx_string("range"),
    ngx_string("signature"),
    ngx_string("bypass"),
    ngx_string("learner"),
    ngx_string("site"),
    ngx_string("no-template"),
    ngx_string("learning"),
    ngx_string("backoff"),
    ngx_string("expired"),
    ngx_string("no-match"),
    ngx_string("guard"),
    ngx_string("too-deep"),
    ngx_string("memory")
};


/* fields of the response that are not true of the rewritten body */

static ngx_str_t  ngx_http_detemplate_digests[] = {
    ngx_string("content-digest"),
    ngx_string("repr-digest"),
    ngx_string("digest"),
    ngx_string("content-md5"),
    ngx_null_string
};


static ngx_str_t  ngx_http_detemplate_own_fields[] = {
    ngx_string("detemplate"),
    ngx_null_string
};


static ngx_http_module_t  ngx_http_detemplate_filter_module_ctx = {
    ngx_http_detemplate_add_variables,     /* preconfiguration */
    ngx_http_detemplate_init,              /* postconfiguration */

    ngx_http_detemplate_create_main_conf,  /* create main configuration */
    ngx_http_detemplate_init_main_conf,    /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_http_detemplate_create_loc_conf,   /* create location configuration */
    ngx_http_detemplate_merge_loc_conf     /* merge location configuration */
};


ngx_module_t  ngx_http_detemplate_filter_module = {
    NGX_MODULE_V1,
    &ngx_http_detemplate_filter_module_ctx, /* module context */
    ngx_http_detemplate_commands,          /* module directives */
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


static ngx_http_variable_t  ngx_http_detemplate_vars[] = {

    { ngx_string("detemplate_status"), NULL, ngx_http_detemplate_variable,
      NGX_HTTP_DETEMPLATE_V_STATUS, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("detemplate_reason"), NULL, ngx_http_detemplate_variable,
      NGX_HTTP_DETEMPLATE_V_REASON, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("detemplate_removed"), NULL, ngx_http_detemplate_variable,
      NGX_HTTP_DETEMPLATE_V_REMOVED, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("detemplate_version"), NULL, ngx_http_detemplate_variable,
      NGX_HTTP_DETEMPLATE_V_VERSION, NGX_HTTP_VAR_NOCACHEABLE, 0 },

      ngx_http_null_variable
};


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;


static ngx_int_t
ngx_http_detemplate_header_filter(ngx_http_request_t *r)
{
    ngx_http_detemplate_ctx_t       *ctx;
    ngx_http_detemplate_loc_conf_t  *dlcf;

    if (r != r->main) {
        return ngx_http_next_header_filter(r);
    }

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    if (dlcf->mode == NULL && ngx_http_detemplate_get_ctx(r) == NULL) {
        return ngx_http_next_header_filter(r);
    }

    ctx = ngx_http_detemplate_decide(r);

    if (ctx == NULL) {
        return ngx_http_next_header_filter(r);
    }

    ctx->active = 0;
    ctx->eligible = 0;

    if (ctx->mode == NGX_HTTP_DETEMPLATE_MODE_OFF) {
        return ngx_http_next_header_filter(r);
    }

    ngx_http_detemplate_hide_fields(r, ngx_http_detemplate_own_fields);

    if (ctx->candidate) {
        ngx_http_detemplate_response(r, ctx);
    }

    if (ctx->status == NGX_HTTP_DETEMPLATE_HIT
        || ctx->status == NGX_HTTP_DETEMPLATE_STALE)
    {
        if (ngx_http_detemplate_start(r, ctx) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (ngx_http_detemplate_add_field(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_next_header_filter(r);
}


/* status and reason, now that the response is there */

static void
ngx_http_detemplate_response(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    ngx_uint_t                 reason;
    ngx_http_detemplate_job_t  job;

    reason = ngx_http_detemplate_response_reason(r, ctx);

    if (reason != NGX_HTTP_DETEMPLATE_R_STATUS
        && reason != NGX_HTTP_DETEMPLATE_R_TYPE
        && ngx_http_detemplate_name(r, ctx) != NGX_OK)
    {
        return;
    }

    if (reason != NGX_HTTP_DETEMPLATE_R_NONE) {
        ctx->status = NGX_HTTP_DETEMPLATE_BYPASS;
        ctx->reason = reason;
        return;
    }

    ctx->eligible = 1;

    if (ctx->tmpl) {
        ctx->status = ctx->found;
        ctx->reason = NGX_HTTP_DETEMPLATE_R_NONE;
        return;
    }

    ngx_http_detemplate_lookup(r, ctx, ngx_http_detemplate_job(r, ctx, &job));
}


static ngx_uint_t
ngx_http_detemplate_response_reason(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    ngx_uint_t   n, other;
    ngx_list_t  *headers;

    static ngx_str_t  none = ngx_null_string;
    static ngx_str_t  identity = ngx_string("identity");
    static ngx_str_t  no_transform = ngx_string("no-transform");
    static ngx_str_t  cache_control = ngx_string("cache-control");
    static ngx_str_t  content_encoding = ngx_string("content-encoding");
    static ngx_str_t  signature = ngx_string("signature-input");

    if (r->headers_out.status == NGX_HTTP_NOT_MODIFIED && ctx->restored) {
        return NGX_HTTP_DETEMPLATE_R_NONE;
    }

    if (r->headers_out.status == NGX_HTTP_PARTIAL_CONTENT) {
        return NGX_HTTP_DETEMPLATE_R_RANGE;
    }

    if (r->headers_out.status != NGX_HTTP_OK) {
        return NGX_HTTP_DETEMPLATE_R_STATUS;
    }

    if (!ngx_http_detemplate_type(r, ctx->conf)) {
        return NGX_HTTP_DETEMPLATE_R_TYPE;
    }

    headers = &r->headers_out.headers;

    (void) ngx_http_detemplate_count_parts(headers, &content_encoding,
                                           &identity, &other);
    if (other) {
        return NGX_HTTP_DETEMPLATE_R_ENCODING;
    }

    if (ngx_http_detemplate_foreign_charset(r->headers_out.charset.data,
                                            r->headers_out.charset.len))
    {
        return NGX_HTTP_DETEMPLATE_R_CHARSET;
    }

    if (ngx_http_detemplate_count_parts(headers, &cache_control, &no_transform,
                                        &other))
    {
        return NGX_HTTP_DETEMPLATE_R_NO_TRANSFORM;
    }

    n = ngx_http_detemplate_count_parts(headers, &signature, &none, &other);

    if (n || other) {
        return NGX_HTTP_DETEMPLATE_R_SIGNATURE;
    }

    return NGX_HTTP_DETEMPLATE_R_NONE;
}


static ngx_uint_t
ngx_http_detemplate_type(ngx_http_request_t *r,
    ngx_http_detemplate_loc_conf_t *dlcf)
{
    ngx_str_t  *type;

    type = &r->headers_out.content_type;

    if (type->len == 0
        || ngx_http_test_content_type(r, &dlcf->types) == NULL)
    {
        return 0;
    }

    /* "*" means neither streams of events nor bodies made of several */

    if (dlcf->types.size == 0) {

        if (type->len >= 17
            && ngx_strncasecmp(type->data, (u_char *) "text/event-stream", 17)
               == 0)
        {
            return 0;
        }

        if (type->len >= 10
            && ngx_strncasecmp(type->data, (u_char *) "multipart/", 10) == 0)
        {
            return 0;
        }
    }

    return 1;
}


/* the response to HEAD, and a 304, get the fields of the response to GET */

static ngx_int_t
ngx_http_detemplate_start(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    if (r->method != NGX_HTTP_HEAD
        && r->headers_out.status == NGX_HTTP_OK)
    {
        if (ngx_http_detemplate_body_start(r, ctx) != NGX_OK) {
            ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                          "detemplate: no memory, the page passes");

            ctx->status = NGX_HTTP_DETEMPLATE_ERROR;
            ctx->reason = NGX_HTTP_DETEMPLATE_R_MEMORY;
            return NGX_OK;
        }

        ctx->event.data = ctx;
        ctx->event.handler = ngx_http_detemplate_turn_handler;
        ctx->event.log = r->connection->log;

        ctx->active = 1;
    }

    if (ngx_http_detemplate_suffix(r, ctx) != NGX_OK
        || ngx_http_detemplate_suffix_etag(r, &ctx->suffix) != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_clear_content_length(r);
    ngx_http_clear_accept_ranges(r);
    ngx_http_clear_last_modified(r);
    ngx_http_detemplate_hide_fields(r, ngx_http_detemplate_digests);

    return NGX_OK;
}


static ngx_int_t
ngx_http_detemplate_add_field(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    size_t            len;
    u_char           *p;
    ngx_str_t        *status, *reason, *mode;
    ngx_table_elt_t  *h;

    status = &ngx_http_detemplate_statuses[ctx->status];
    reason = &ngx_http_detemplate_reasons[ctx->reason];
    mode = &ngx_http_detemplate_modes[ctx->mode];

    len = status->len + sizeof("; reason=; mode=; version=") - 1
          + reason->len + mode->len + NGX_INT32_LEN;

    p = ngx_pnalloc(r->pool, len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    h = ngx_list_push(&r->headers_out.headers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    h->hash = 1;
#if (nginx_version >= 1023000)
    h->next = NULL;
#endif
    ngx_str_set(&h->key, "Detemplate");
    h->value.data = p;

    ngx_strlow(p, status->data, status->len);
    p += status->len;

    if (ctx->status == NGX_HTTP_DETEMPLATE_HIT
        || ctx->status == NGX_HTTP_DETEMPLATE_STALE)
    {
        p = ngx_sprintf(p, "; mode=%V; version=%uD", mode,
                        ctx->tmpl->version);

    } else {
        p = ngx_cpymem(p, "; reason=", sizeof("; reason=") - 1);
        p = ngx_cpymem(p, reason->data, reason->len);
    }

    h->value.len = p - h->value.data;

    return NGX_OK;
}


/*
 * Whatever happens to a rewrite, the bytes of the page go on: an error from
 * here means that there is no memory for buffers.
 */

static ngx_int_t
ngx_http_detemplate_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_int_t                   rc, again;
    ngx_http_detemplate_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_detemplate_filter_module);

    if (ctx == NULL
        || !ctx->active
        || r != r->main
        || (in == NULL && ctx->in == NULL && ctx->busy == NULL))
    {
        return ngx_http_next_body_filter(r, in);
    }

    if (in && ngx_chain_add_copy(r->pool, &ctx->in, in) != NGX_OK) {
        return NGX_ERROR;
    }

    again = ngx_http_detemplate_body_feed(r, ctx);

    if (again == NGX_ERROR || (again == NGX_AGAIN && ctx->out == NULL)) {
        return again;
    }

    rc = ngx_http_next_body_filter(r, ctx->out);

    ngx_http_detemplate_body_sent(ctx);

    return (rc == NGX_OK) ? again : rc;
}


/*
 * What a turn has left behind goes on whatever the request waits for at the
 * time; then whoever waits to write finds his buffers free.
 */

static void
ngx_http_detemplate_turn_handler(ngx_event_t *ev)
{
    ngx_connection_t           *c;
    ngx_http_detemplate_ctx_t  *ctx;

    ctx = ev->data;
    c = ctx->request->connection;

    ngx_http_set_log_request(c->log, ctx->request);

    ctx->turn = 0;

    if (ctx->in
        && ngx_http_detemplate_body_filter(ctx->request, NULL) == NGX_ERROR)
    {
        c->error = 1;
    }

    if (ctx->in == NULL || c->error) {
        ngx_post_event(c->write, &ngx_posted_events);
    }
}


static ngx_int_t
ngx_http_detemplate_log_handler(ngx_http_request_t *r)
{
    dt_str_t                          path;
    ngx_uint_t                        status, reason, want;
    dt_rewrite_stats_t                stats;
    ngx_http_detemplate_ctx_t        *ctx;
    ngx_http_detemplate_job_t         job;
    ngx_http_detemplate_zone_t       *zone;
    ngx_http_detemplate_main_conf_t  *dmcf;

    ctx = ngx_http_detemplate_get_ctx(r);

    if (ctx == NULL
        || ctx->learner
        || ctx->conf == NULL
        || ctx->conf->mode == NULL)
    {
        return NGX_OK;
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);
    zone = dmcf->shm_zone->data;

    ngx_http_detemplate_result(ctx, &status, &reason, &stats);

    ngx_http_detemplate_zone_count(zone, status, reason, stats.in,
                                   stats.removed);

    if ((ctx->eligible && reason != NGX_HTTP_DETEMPLATE_R_NONE)
        || reason == NGX_HTTP_DETEMPLATE_R_CHARSET
        || reason == NGX_HTTP_DETEMPLATE_R_ENCODING)
    {
        ngx_log_error(NGX_LOG_INFO, r->connection->log, 0,
                      "detemplate: page of \"%V\" passed: %V",
                      &ctx->site, &ngx_http_detemplate_reasons[reason]);
    }

    if (ctx->active
        && ctx->last
        && (status == NGX_HTTP_DETEMPLATE_HIT
            || status == NGX_HTTP_DETEMPLATE_STALE))
    {
        path.data = (char *) ctx->path.data;
        path.len = ctx->path.len;

        want = dt_template_want(ctx->tmpl->data, path, stats.words);

        if (want) {
            ngx_http_detemplate_zone_covered(zone, &ctx->site,
                                       ngx_http_detemplate_job(r, ctx, &job),
                                       ctx->tmpl->version, want);
        }
    }

    return NGX_OK;
}


/* what has come of it: the body may say more than the header did */

static void
ngx_http_detemplate_result(ngx_http_detemplate_ctx_t *ctx, ngx_uint_t *status,
    ngx_uint_t *reason, dt_rewrite_stats_t *stats)
{
    *status = ctx->status;
    *reason = ctx->reason;

    ngx_memzero(stats, sizeof(dt_rewrite_stats_t));

    if (!ctx->active) {
        return;
    }

    dt_rewrite_stats(ctx->rewrite, stats);

    if (ctx->status != NGX_HTTP_DETEMPLATE_HIT
        && ctx->status != NGX_HTTP_DETEMPLATE_STALE)
    {
        return;
    }

    if (stats->guard) {
        *status = NGX_HTTP_DETEMPLATE_GUARD;
        *reason = NGX_HTTP_DETEMPLATE_R_GUARD;

    } else if (stats->too_deep) {
        *status = NGX_HTTP_DETEMPLATE_GUARD;
        *reason = NGX_HTTP_DETEMPLATE_R_TOO_DEEP;

    } else if (ctx->last && stats->regions == 0) {
        *reason = NGX_HTTP_DETEMPLATE_R_NO_MATCH;
    }
}


static ngx_int_t
ngx_http_detemplate_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_str_t                   value;
    ngx_uint_t                  status, reason;
    dt_rewrite_stats_t          stats;
    ngx_http_detemplate_ctx_t  *ctx;

    ctx = ngx_http_detemplate_get_ctx(r->main);

    if (ctx) {
        ngx_http_detemplate_result(ctx, &status, &reason, &stats);

    } else {
        status = NGX_HTTP_DETEMPLATE_OFF;
        reason = NGX_HTTP_DETEMPLATE_R_OFF;
        ngx_memzero(&stats, sizeof(dt_rewrite_stats_t));
    }

    ngx_str_null(&value);

    switch (data) {

    case NGX_HTTP_DETEMPLATE_V_STATUS:
        value = ngx_http_detemplate_statuses[status];
        break;

    case NGX_HTTP_DETEMPLATE_V_REASON:
        value = ngx_http_detemplate_reasons[reason];
        break;

    default:

        if (data == NGX_HTTP_DETEMPLATE_V_VERSION
            && (ctx == NULL || ctx->tmpl == NULL))
        {
            break;
        }

        value.data = ngx_pnalloc(r->pool, NGX_INT64_LEN);
        if (value.data == NULL) {
            return NGX_ERROR;
        }

        value.len = ngx_sprintf(value.data, "%uL",
                                (data == NGX_HTTP_DETEMPLATE_V_REMOVED)
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
ngx_http_detemplate_add_variables(ngx_conf_t *cf)
{
    ngx_http_variable_t  *var, *v;

    for (v = ngx_http_detemplate_vars; v->name.len; v++) {

        var = ngx_http_add_variable(cf, &v->name, v->flags);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_detemplate_init(ngx_conf_t *cf)
{
    ngx_http_handler_pt              *h;
    ngx_http_core_main_conf_t        *cmcf;
    ngx_http_detemplate_main_conf_t  *dmcf;

    dmcf = ngx_http_conf_get_module_main_conf(cf,
                                            ngx_http_detemplate_filter_module);

    if (!dmcf->used) {
        return NGX_OK;
    }

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_PREACCESS_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_detemplate_handler;

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_LOG_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_detemplate_log_handler;

    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_detemplate_header_filter;

    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_detemplate_body_filter;

    return NGX_OK;
}
