
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/keypage.h"
#include "core/base/hash.h"
#include "core/base/page.h"
#include "core/base/dt.h"
#include "ngx_module/fields.h"
#include "ngx_module/request/conditions.h"
#include "ngx_module/request/host.h"
#include "ngx_module/zone/node.h"


static ngx_uint_t ngx_http_dt_keypage_reason(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_uint_t ngx_http_dt_keypage_host(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_str_t *ngx_http_dt_keypage_says(ngx_list_t *headers);
static ngx_uint_t ngx_http_dt_keypage_private(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_uint_t ngx_http_dt_keypage_shared(ngx_http_request_t *r);
static ngx_uint_t ngx_http_dt_keypage_address(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_job_t *job);
static ngx_uint_t ngx_http_dt_keypage_url(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_job_t *job);
static void ngx_http_dt_keypage_write(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_job_t *job, dt_str_t *path,
    dt_str_t *query, dt_str_t *target);
static ngx_uint_t ngx_http_dt_keypage_target(dt_str_t *target);


ngx_http_dt_job_t *
ngx_http_dt_keypage(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_job_t *job)
{
    ngx_connection_t        *c;
    ngx_http_dt_loc_conf_t  *dlcf;
    ngx_http_dt_srv_conf_t  *dscf;

    ngx_str_null(&ctx->detail);
    ctx->unlearned = ngx_http_dt_keypage_reason(r, ctx);

    if (ctx->unlearned != NGX_HTTP_DT_R_NONE) {
        return NULL;
    }

    ngx_memzero(job, sizeof(ngx_http_dt_job_t));

    /* pages that are served need no address */

    if (ctx->learn < NGX_HTTP_DT_LEARN_SERVED) {
        ctx->unlearned = ngx_http_dt_keypage_address(r, ctx, job);
    }

    if (ctx->unlearned == NGX_HTTP_DT_R_NONE) {
        ctx->unlearned = ngx_http_dt_keypage_url(r, ctx, job);
    }

    if (ctx->unlearned != NGX_HTTP_DT_R_NONE) {
        return NULL;
    }

    c = r->connection;
    dlcf = ctx->conf;
    dscf = ngx_http_get_module_srv_conf(r, ngx_http_detemplate_filter_module);

    job->candidates = ngx_http_dt_keypage_candidates(dlcf);
    job->votes = (dlcf->votes != NGX_CONF_UNSET) ? dlcf->votes : 0;
    job->loads = (dlcf->loads != NGX_CONF_UNSET)
                     ? dlcf->loads : ngx_max((ngx_int_t) job->candidates, 30);
    job->once = dlcf->once;
    job->detector = dlcf->detector;
    job->valid = dlcf->valid;
    job->refresh = ngx_http_dt_keypage_refresh(dlcf);
    job->shared = (ctx->learn == NGX_HTTP_DT_LEARN_PUBLIC);
    job->served = (ctx->learn >= NGX_HTTP_DT_LEARN_SERVED);
    job->copied = (job->served
                   || (!ngx_http_dt_credentials(r)
                       && (!job->shared || ngx_http_dt_keypage_shared(r))));
    job->robots = dlcf->robots;
    job->from_host = ctx->from_host;
    job->named = ctx->named;
    job->server = dscf->server;

    if (dscf->client) {

        /* the address that the learner shall have */

        (void) ngx_sock_ntop(c->sockaddr, c->socklen, job->client,
                             NGX_INET6_ADDRSTRLEN, 0);
    }

    return job;
}


ngx_int_t
ngx_http_dt_keypage_candidates(ngx_http_dt_loc_conf_t *conf)
{
    if (conf->candidates != NGX_CONF_UNSET) {
        return conf->candidates;
    }

    /* a learner that may not load this many pages compares fewer */

    return (conf->loads != NGX_CONF_UNSET) ? ngx_min(conf->loads, 6) : 6;
}


time_t
ngx_http_dt_keypage_refresh(ngx_http_dt_loc_conf_t *dlcf)
{
    return (dlcf->refresh != NGX_CONF_UNSET)
           ? dlcf->refresh : ngx_min(dlcf->valid, 24 * 3600);
}


static ngx_uint_t
ngx_http_dt_keypage_reason(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_uint_t  why;

    if (ctx->learn == NGX_HTTP_DT_LEARN_OFF) {
        ngx_str_set(&ctx->detail, "detemplate_learn off");
        return NGX_HTTP_DT_R_LEARN;
    }

    if (r->method != NGX_HTTP_GET) {
        ctx->detail = r->method_name;
        return NGX_HTTP_DT_R_METHOD;
    }

    why = ngx_http_dt_keypage_host(r, ctx);

    return (why != NGX_HTTP_DT_R_NONE)
           ? why : ngx_http_dt_keypage_private(r, ctx);
}


/*
 * The learner requests pages under the name by which nginx chose the server.
 * If the field Host says another name, an application behind us may send other
 * pages.  An origin or a site from the configuration can serve more names than
 * this server has, so there the name must be one of this server or the site.
 */

static ngx_uint_t
ngx_http_dt_keypage_host(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_t               *server;
    ngx_uint_t               kind;
    ngx_http_dt_loc_conf_t  *dlcf;

    server = &r->headers_in.server;

    if (ngx_http_dt_host_differs(r)) {

        if (r->headers_in.host) {
            ctx->detail = r->headers_in.host->value;
        }

        return NGX_HTTP_DT_R_HOST;
    }

    dlcf = ctx->conf;
    kind = ngx_http_dt_host(r, &ctx->server);

    if (kind < (dlcf->origin.len ? NGX_HTTP_DT_HOST_MATCHED
                                 : NGX_HTTP_DT_HOST_ANY)
        && (dlcf->site ? !ngx_http_dt_equal(&ctx->site, server)
                       : dlcf->origin.len != 0))
    {
        ctx->detail = *server;
        return NGX_HTTP_DT_R_HOST;
    }

    if (dlcf->origin.len == 0) {
        ctx->server = *server;
    }

    /* the name becomes a part of a URL */

    if (!ngx_http_dt_host_plain(&ctx->server)) {
        ctx->detail = ctx->server;
        return NGX_HTTP_DT_R_HOST;
    }

    return NGX_HTTP_DT_R_NONE;
}


/*
 * A request with credentials may get a page for one user.  The learner sends
 * no credentials, but it need not request such pages at all, unless all
 * visitors have credentials.  Of pages that are stored, and not requested,
 * only those may be learned from that a cache may share.
 */

static ngx_uint_t
ngx_http_dt_keypage_private(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_t  *word;

    if (ctx->learn == NGX_HTTP_DT_LEARN_SERVED) {

        if (ngx_http_dt_keypage_shared(r)) {
            return NGX_HTTP_DT_R_NONE;
        }

        ngx_str_set(&ctx->detail, "a cache must not share the page, see "
                                  "detemplate_learn served all");
        return NGX_HTTP_DT_R_PRIVATE;
    }

    if (ctx->learn == NGX_HTTP_DT_LEARN_ALL
        || ctx->learn == NGX_HTTP_DT_LEARN_SERVED_ALL
        || !ngx_http_dt_credentials(r))
    {
        return NGX_HTTP_DT_R_NONE;
    }

    word = ngx_http_dt_keypage_says(&r->headers_out.headers);

    if (word == NULL) {
        return NGX_HTTP_DT_R_NONE;
    }

    ctx->detail.data = ngx_pnalloc(r->pool, NGX_HTTP_DT_DETAIL);
    if (ctx->detail.data == NULL) {
        return NGX_HTTP_DT_R_MEMORY;
    }

    ctx->detail.len = ngx_sprintf(ctx->detail.data,
                                  "Cache-Control: %V, and the request had "
                                  "Cookie or Authorization", word)
                      - ctx->detail.data;

    return NGX_HTTP_DT_R_PRIVATE;
}


/* the word by which a response is for one user, or for no cache; or NULL */

static ngx_str_t *
ngx_http_dt_keypage_says(ngx_list_t *headers)
{
    ngx_uint_t  i, other;

    static ngx_str_t  cache_control = ngx_string("cache-control");
    static ngx_str_t  words[] = {
        ngx_string("private"),
        ngx_string("no-store")
    };

    for (i = 0; i < 2; i++) {

        if (ngx_http_dt_count_parts(headers, &cache_control, &words[i],
                                    &other))
        {
            return &words[i];
        }
    }

    return NULL;
}


/*
 * Whether a cache may share the response: nothing says that it is for one
 * user, and a request with credentials got one that is for all.
 */

static ngx_uint_t
ngx_http_dt_keypage_shared(ngx_http_request_t *r)
{
    ngx_uint_t   other, public;
    ngx_list_t  *headers;

    static ngx_str_t  cache_control = ngx_string("cache-control");
    static ngx_str_t  vary = ngx_string("vary");
    static ngx_str_t  cookie = ngx_string("cookie");
    static ngx_str_t  any = ngx_string("*");
    static ngx_str_t  set_cookie[] = ngx_http_dt_one("set-cookie");
    static ngx_str_t  word = ngx_string("public");

    headers = &r->headers_out.headers;

    if (ngx_http_dt_first_field(headers, set_cookie)
        || ngx_http_dt_keypage_says(headers) != NULL)
    {
        return 0;
    }

    public = ngx_http_dt_count_parts(headers, &cache_control, &word, &other);

    return !ngx_http_dt_credentials(r)
           || (public
               && !ngx_http_dt_count_parts(headers, &vary, &cookie, &other)
               && !ngx_http_dt_count_parts(headers, &vary, &any, &other));
}


/* the learner asks the origin, or the address that this request came in on */

static ngx_uint_t
ngx_http_dt_keypage_address(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_job_t *job)
{
    u_char            *p;
    ngx_str_t         *origin;
    ngx_connection_t  *c;

    c = r->connection;
    origin = &ctx->conf->origin;

    if (ngx_connection_local_sockaddr(c, NULL, 0) != NGX_OK) {
        return NGX_HTTP_DT_R_ADDRESS;
    }

    if (origin->len) {

        /* its length is checked when the configuration is read */

        ngx_memcpy(job->origin, origin->data, origin->len);

        return NGX_HTTP_DT_R_NONE;
    }

    if (c->local_sockaddr->sa_family == AF_UNIX) {
        ngx_str_set(&ctx->detail, "a unix socket, set detemplate_origin");
        return NGX_HTTP_DT_R_ADDRESS;
    }

    if (c->proxy_protocol) {
        ngx_str_set(&ctx->detail, "PROXY protocol, set detemplate_origin");
        return NGX_HTTP_DT_R_ADDRESS;
    }

#if (NGX_HTTP_V2 && nginx_version < 1025001)

    /* a listener for HTTP/2 without TLS has no other protocol */

    if (r->stream && c->ssl == NULL) {
        ngx_str_set(&ctx->detail, "HTTP/2 without TLS, set detemplate_origin");
        return NGX_HTTP_DT_R_ADDRESS;
    }

#endif

    p = ngx_cpymem(job->origin, "http://", 7);

#if (NGX_HTTP_SSL)
    if (c->ssl) {

        /* TLS verifies the name in the URL */

        job->origin[0] = '\0';
        p = job->connect;
    }
#endif

    (void) ngx_sock_ntop(c->local_sockaddr, c->local_socklen, p,
                         NGX_SOCKADDR_STRLEN, 1);

    return NGX_HTTP_DT_R_NONE;
}


static ngx_uint_t
ngx_http_dt_keypage_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_job_t *job)
{
    char            *text, *mark;
    dt_str_t         path, query, target, what;
    dt_page_kind_t   kind;

    ctx->detail = *ngx_http_dt_target(r, ctx);

    text = ngx_pnalloc(r->pool, ctx->detail.len + 1);
    if (text == NULL) {
        return NGX_HTTP_DT_R_MEMORY;
    }

    path = ngx_http_dt_str(&ctx->detail);

    target.data = text;
    target.len = dt_page_target(path, text);

    if (sizeof("https://:65535") + ctx->server.len + target.len
        > NGX_HTTP_DT_MAX_URI
        || !ngx_http_dt_keypage_target(&target))
    {
        return NGX_HTTP_DT_R_URL;
    }

    mark = memchr(text, '?', target.len);

    path.data = text;
    path.len = mark ? (size_t) (mark - text) : target.len;
    query.data = text + path.len + (mark != NULL);
    query.len = text + target.len - query.data;

    kind = dt_page_kind(path, query, &what);

    if (kind != DT_PAGE_OK) {
        ctx->detail.data = (u_char *) what.data;
        ctx->detail.len = what.len;

        return (kind == DT_PAGE_QUERY)    ? NGX_HTTP_DT_R_QUERY
               : (kind == DT_PAGE_ACTION) ? NGX_HTTP_DT_R_ACTION
                                          : NGX_HTTP_DT_R_SEARCH;
    }

    ngx_http_dt_keypage_write(r, ctx, job, &path, &query, &target);

    return NGX_HTTP_DT_R_NONE;
}


/* writes the URL of a target, and the key of the page that it leads to */

static void
ngx_http_dt_keypage_write(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_http_dt_job_t *job, dt_str_t *path, dt_str_t *query, dt_str_t *target)
{
    u_char     *p;
    ngx_str_t   port;

    p = ngx_cpymem(job->url, "http", 4);

#if (NGX_HTTP_SSL)
    if (r->connection->ssl) {
        *p++ = 's';
    }
#endif

    p = ngx_cpymem(p, "://", 3);
    p = ngx_cpymem(p, ctx->server.data, ctx->server.len);

    if (ngx_http_dt_host_port(r, &port)) {
        *p++ = ':';
        p = ngx_cpymem(p, port.data, port.len);
    }

    job->key = dt_hash((char *) job->url, p - job->url, 0);
    job->key = dt_hash(path->data, path->len, job->key);
    job->key = dt_mix(job->key, dt_page_query(*query));

    (void) ngx_cpymem(p, target->data, target->len);
}


/* whether all readers of a URL with this path and query resolve it to the same
   URL */

static ngx_uint_t
ngx_http_dt_keypage_target(dt_str_t *target)
{
    size_t       up;
    dt_str_t     rest;
    const char  *p, *last;

    last = target->data + target->len;

    if (target->len == 0 || target->data[0] != '/') {
        return 0;
    }

    for (p = target->data; p < last; p++) {

        if (*p <= ' ' || *p >= 0x7f || ngx_strchr("\"<>\\^`{|}", *p)) {
            return 0;
        }

        /* a percent sign that encodes nothing is read in several ways */

        rest.data = p;
        rest.len = last - p;

        if (*p == '%' && dt_percent_decode(rest) < 0) {
            return 0;
        }
    }

    /* browsers resolve "." and ".." before they send a path */

    for (p = target->data; p < last && *p != '?'; p++) {

        if (*p != '/' || last - p < 2 || p[1] != '.') {
            continue;
        }

        up = (last - p > 2 && p[2] == '.') ? 3 : 2;

        if (p + up == last || p[up] == '/' || p[up] == '?') {
            return 0;
        }
    }

    return 1;
}


void
ngx_http_dt_keypage_refused(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    u_char      text[NGX_HTTP_DT_DETAIL], *p;
    ngx_str_t   what;
    ngx_uint_t  level;

    if (ctx->reason == NGX_HTTP_DT_R_ENCODING) {
        ctx->unlearned = ctx->reason;
        ngx_str_set(&ctx->detail, "Content-Encoding");

        if (r->headers_out.content_encoding) {
            ctx->detail = r->headers_out.content_encoding->value;
        }

    } else if (ctx->reason == NGX_HTTP_DT_R_SITE) {
        ctx->unlearned = ctx->reason;
        ngx_str_set(&ctx->detail, "set server_name or detemplate_site to a "
                    "name of at most 255 plain characters");
    }

    if (ctx->reason == NGX_HTTP_DT_R_NONE
        || ctx->reason != ctx->unlearned
        || ctx->reason == NGX_HTTP_DT_R_METHOD)
    {
        return;
    }

    if (!ngx_http_dt_trouble_log(ngx_http_dt_get_zone(r), &ctx->site,
                                  ctx->unlearned, &ctx->detail,
                                  ngx_http_dt_target(r, ctx)))
    {
        return;
    }

    /* only the configuration can help, so the line is for all logs */

    level = (ctx->unlearned == NGX_HTTP_DT_R_ADDRESS
             || ctx->unlearned == NGX_HTTP_DT_R_SITE)
            ? NGX_LOG_ERR : NGX_LOG_NOTICE;

    what.data = text;
    what.len = ngx_min(ctx->detail.len, NGX_HTTP_DT_DETAIL);

    for (p = text; p < text + what.len; p++) {
        *p = ctx->detail.data[p - text];

        if (*p < 0x20 || *p > 0x7e || *p == '"') {
            *p = '?';
        }
    }

    ngx_log_error(level, r->connection->log, 0,
                  "detemplate: page of \"%V\" is not learned from: %V%s%V%s",
                  &ctx->site, &ngx_http_dt_reasons[ctx->unlearned],
                  what.len ? ", \"" : "", &what, what.len ? "\"" : "");
}
