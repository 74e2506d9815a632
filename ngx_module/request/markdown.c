
/*
 * Copyright (C) The detemplate authors
 *
 * Markdown under addresses of its own: of a page, whose URL has a suffix; and
 * of what is cut of a page, by do=template.
 */


#include "ngx_module/request/request.h"


#define NGX_HTTP_DT_ONLY_URL  2048


static ngx_int_t ngx_http_dt_only_arg(ngx_http_request_t *r, char *name,
    size_t len, size_t max, ngx_str_t *value);
static ngx_int_t ngx_http_dt_only_path(ngx_http_request_t *r, ngx_str_t *url);


char *
ngx_http_dt_set_suffix(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char                     *rv;
    u_char                   *p;
    ngx_str_t                *value;
    ngx_http_dt_loc_conf_t   *dlcf;

    rv = ngx_conf_set_str_slot(cf, cmd, conf);
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    dlcf = conf;
    value = &dlcf->twin;

    if (ngx_strcmp(value->data, "off") == 0) {
        value->len = 0;
        return NGX_CONF_OK;
    }

    p = value->data;

    if (*p == '.') {
        do {
            p++;
        } while ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'));
    }

    if (value->len < 2 || *p != '\0') {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid value \"%V\" in \"detemplate_suffix\", it "
                           "must be like .md, or off", value);
        return NGX_CONF_ERROR;
    }

    ngx_http_dt_use(cf);

    return NGX_CONF_OK;
}


/*
 * Makes of a request for a page's URL with the suffix one for the page itself,
 * before its location is chosen.  Unlike "rewrite" it stays a client's, so
 * that it may go to no location that is internal.
 */

ngx_int_t
ngx_http_dt_twin_handler(ngx_http_request_t *r)
{
    u_char                  *p;
    size_t                   n, end, root;
    ngx_str_t               *suffix, *url, path;
    ngx_file_info_t          fi;
    ngx_http_dt_ctx_t       *ctx;
    ngx_http_dt_loc_conf_t  *dlcf;

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);
    suffix = &dlcf->twin;
    n = suffix->len;

    if (n == 0
        || r != r->main
        || r->uri_changed
        || !(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))
        || r->uri.len <= n
        || ngx_memcmp(r->uri.data + r->uri.len - n, suffix->data, n) != 0)
    {
        return NGX_DECLINED;
    }

    url = &r->unparsed_uri;
    p = ngx_strlchr(url->data, url->data + url->len, '?');
    end = p ? (size_t) (p - url->data) : url->len;

    if (end <= n || ngx_memcmp(url->data + end - n, suffix->data, n) != 0) {
        return NGX_DECLINED;
    }

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || ctx->learner || (!ctx->shared && ctx->twin)) {
        return NGX_DECLINED;
    }

    p = ngx_http_map_uri_to_path(r, &path, &root, 0);

    if (p && ngx_file_info(path.data, &fi) != NGX_FILE_ERROR) {
        return NGX_DECLINED;
    }

    if (end >= n + 6
        && r->uri.len >= n + 6
        && ngx_memcmp(url->data + end - n - 6, "/index", 6) == 0
        && ngx_memcmp(r->uri.data + r->uri.len - n - 6, "/index", 6) == 0)
    {
        n += 5;
    }

    ctx = ctx->shared ? ngx_http_dt_create_ctx(r) : ctx;
    p = ngx_pnalloc(r->pool, url->len - n);

    if (ctx == NULL || p == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->twin = 1;
    ctx->conf = NULL;

    ngx_memcpy(p, url->data, end - n);
    ngx_memcpy(p + end - n, url->data + end, url->len - end);

    url->data = p;
    url->len -= n;

    r->uri.len -= n;
    r->uri_changed = 1;
    r->valid_unparsed_uri = 0;
    ngx_http_set_exten(r);

    return NGX_DECLINED;
}


/*
 * The request becomes one for the page, from its first phase on: as that of a
 * client, so that the rights of the page's location count, and it may go to
 * none that is internal.
 */

ngx_int_t
ngx_http_dt_only(ngx_http_request_t *r, ngx_uint_t allowed)
{
    ngx_str_t                  site, url, uri, args;
    ngx_uint_t                 flags;
    ngx_http_dt_ctx_t         *ctx;
    ngx_http_core_srv_conf_t  *cscf;

    if (ngx_http_arg(r, (u_char *) "do", 2, &uri) != NGX_OK
        || uri.len != 8
        || ngx_memcmp(uri.data, "template", 8) != 0)
    {
        return NGX_DECLINED;
    }

    if (!allowed) {
        return NGX_HTTP_FORBIDDEN;
    }

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx && ctx->shared) {
        ctx = ngx_http_dt_create_ctx(r);
    }

    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    flags = 0;

    if (ctx->learner
        || ctx->only.len
        || ngx_http_dt_only_arg(r, "site", 4, NGX_HTTP_DT_MAX_SITE, &site)
           != NGX_OK
        || ngx_http_dt_only_arg(r, "url", 3, NGX_HTTP_DT_ONLY_URL, &url)
           != NGX_OK
        || ngx_http_dt_only_path(r, &url) != NGX_OK)
    {
        return NGX_HTTP_BAD_REQUEST;
    }

    uri = url;
    ngx_str_null(&args);

    if (ngx_http_parse_unsafe_uri(r, &uri, &args, &flags) != NGX_OK) {
        return NGX_HTTP_BAD_REQUEST;
    }

    ngx_memzero(r->ctx, sizeof(void *) * ngx_http_max_module);
    ngx_http_set_ctx(r, ctx, ngx_http_detemplate_filter_module);

    ctx->only = site;
    ctx->conf = NULL;

    r->unparsed_uri = url;
    r->valid_unparsed_uri = 0;
    r->uri = uri;
    r->args = args;
    ngx_http_set_exten(r);

    cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
    r->loc_conf = cscf->ctx->loc_conf;
    ngx_http_update_location_config(r);

    ngx_http_handler(r);

    return NGX_DONE;
}


/* an argument without its escapes, of at most max bytes that a URL may have */

static ngx_int_t
ngx_http_dt_only_arg(ngx_http_request_t *r, char *name, size_t len, size_t max,
    ngx_str_t *value)
{
    u_char      *to, *from;
    ngx_uint_t   i;

    if (ngx_http_arg(r, (u_char *) name, len, value) != NGX_OK
        || value->len > 3 * max)
    {
        return NGX_ERROR;
    }

    to = ngx_pnalloc(r->pool, value->len + 1);
    if (to == NULL) {
        return NGX_ERROR;
    }

    from = value->data;
    value->data = to;
    ngx_unescape_uri(&to, &from, value->len, 0);
    value->len = to - value->data;
    *to = '\0';

    for (i = 0; i < value->len; i++) {
        if (value->data[i] <= ' ' || value->data[i] == 0x7f) {
            return NGX_ERROR;
        }
    }

    return (value->len == 0 || value->len > max) ? NGX_ERROR : NGX_OK;
}


/* leaves of a URL what a request line has of it; the host must be this one */

static ngx_int_t
ngx_http_dt_only_path(ngx_http_request_t *r, ngx_str_t *url)
{
    u_char     *p, *last, *host;
    ngx_str_t  *own;

    last = url->data + url->len;
    p = ngx_strlchr(url->data, last, '#');
    last = p ? p : last;
    p = url->data;

    if (ngx_strncasecmp(p, (u_char *) "http", 4) == 0) {
        p += 4 + (p[4] == 's' || p[4] == 'S');

        if (ngx_strncmp(p, "://", 3) != 0) {
            return NGX_ERROR;
        }

        host = p + 3;
        own = &r->headers_in.server;

        if ((size_t) (last - host) <= own->len
            || ngx_strncasecmp(host, own->data, own->len) != 0)
        {
            return NGX_ERROR;
        }

        p = host + own->len;

        if (*p == ':') {
            do {
                p++;
            } while (*p >= '0' && *p <= '9');
        }
    }

    url->data = p;
    url->len = last - p;

    return (p < last && *p == '/') ? NGX_OK : NGX_ERROR;
}
