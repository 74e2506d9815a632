
/*
 * Copyright (C) The detemplate authors
 *
 * Additional addresses of a page: the URL with a suffix serves the page as
 * Markdown, and do=template serves the parts that are cut.
 */


#include "ngx_module/request/markdown.h"
#include "ngx_module/request/request.h"
#include "ngx_module/zone/site.h"


#define NGX_HTTP_DT_ONLY_URL  2048


/* a request for a page's URL with the suffix, as it was made */

struct ngx_http_dt_twin_s {
    ngx_str_t                      uri;
    ngx_str_t                      args;
    size_t                         suffix;      /* bytes at the end of uri */
    ngx_uint_t                     valid_unparsed_uri;
    ngx_http_variable_value_t      variables[]; /* as they were then */
};


static size_t ngx_http_dt_twin_suffix(ngx_http_request_t *r,
    ngx_array_t *suffixes, size_t end);
static ngx_uint_t ngx_http_dt_twin_file(ngx_http_request_t *r,
    ngx_http_dt_twin_t *asked);
static ngx_int_t ngx_http_dt_again(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_str_t *uri, ngx_str_t *args);
static ngx_int_t ngx_http_dt_only_format(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
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


/* the suffixes of a server must be known before a location is chosen */

ngx_int_t
ngx_http_dt_merge_suffix(ngx_conf_t *cf, ngx_http_dt_loc_conf_t *conf)
{
    ngx_str_t               *suffix;
    ngx_uint_t               i;
    ngx_http_dt_srv_conf_t  *dscf;

    if (conf->twin.len == 0) {
        return NGX_OK;
    }

    dscf = ngx_http_conf_get_module_srv_conf(cf,
                                            ngx_http_detemplate_filter_module);

    if (dscf->suffixes == NULL) {
        dscf->suffixes = ngx_array_create(cf->pool, 1, sizeof(ngx_str_t));

        if (dscf->suffixes == NULL) {
            return NGX_ERROR;
        }
    }

    suffix = dscf->suffixes->elts;

    for (i = 0; i < dscf->suffixes->nelts; i++) {
        if (ngx_http_dt_equal(&suffix[i], &conf->twin)) {
            return NGX_OK;
        }
    }

    suffix = ngx_array_push(dscf->suffixes);
    if (suffix == NULL) {
        return NGX_ERROR;
    }

    *suffix = conf->twin;

    return NGX_OK;
}


/*
 * Turns a request for a page's URL with the suffix into a request for the page
 * itself, before any rule of the server sees it: where the page is refused,
 * that URL is refused as well.  Unlike after "rewrite" the request remains
 * external, so that it cannot reach internal locations.
 */

ngx_int_t
ngx_http_dt_twin_handler(ngx_http_request_t *r)
{
    u_char                     *p;
    size_t                      n, end;
    ngx_str_t                  *url;
    ngx_http_dt_ctx_t          *ctx;
    ngx_http_dt_twin_t         *asked;
    ngx_http_dt_srv_conf_t     *dscf;
    ngx_http_core_main_conf_t  *cmcf;

    dscf = ngx_http_get_module_srv_conf(r, ngx_http_detemplate_filter_module);

    if (dscf->suffixes == NULL
        || r != r->main
        || !(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD)))
    {
        return NGX_DECLINED;
    }

    url = &r->unparsed_uri;
    p = ngx_strlchr(url->data, url->data + url->len, '?');
    end = p ? (size_t) (p - url->data) : url->len;

    n = ngx_http_dt_twin_suffix(r, dscf->suffixes, end);

    if (n == 0) {
        return NGX_DECLINED;
    }

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL || ctx->learner || (!ctx->shared && ctx->asked)) {
        return NGX_DECLINED;
    }

    cmcf = ngx_http_get_module_main_conf(r, ngx_http_core_module);

    ctx = ctx->shared ? ngx_http_dt_create_ctx(r) : ctx;
    asked = ngx_palloc(r->pool, sizeof(ngx_http_dt_twin_t)
                                + cmcf->variables.nelts
                                  * sizeof(ngx_http_variable_value_t));
    p = ngx_pnalloc(r->pool, url->len - n);

    if (ctx == NULL || asked == NULL || p == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    asked->uri = r->uri;
    asked->args = r->args;
    asked->suffix = n;
    asked->valid_unparsed_uri = r->valid_unparsed_uri;
    ngx_memcpy(asked->variables, r->variables,
               cmcf->variables.nelts * sizeof(ngx_http_variable_value_t));

    ctx->twin = 1;
    ctx->conf = NULL;
    ctx->asked = asked;
    ctx->target.data = p;
    ctx->target.len = url->len - n;

    p = ngx_cpymem(p, url->data, end - n);
    ngx_memcpy(p, url->data + end, url->len - end);

    r->uri.len -= n;
    r->valid_unparsed_uri = 0;
    ngx_http_set_exten(r);

    return NGX_DECLINED;
}


/*
 * Returns the length of a path's suffix, with the name of a directory's index,
 * or 0; end is the end of the requested path.
 */

static size_t
ngx_http_dt_twin_suffix(ngx_http_request_t *r, ngx_array_t *suffixes,
    size_t end)
{
    u_char      *path, *raw;
    size_t       n;
    ngx_str_t   *suffix;
    ngx_uint_t   i;

    path = r->uri.data + r->uri.len;
    raw = r->unparsed_uri.data + end;
    suffix = suffixes->elts;

    for (i = 0; i < suffixes->nelts; i++) {
        n = suffix[i].len;

        if (r->uri.len <= n
            || end <= n
            || ngx_memcmp(path - n, suffix[i].data, n) != 0
            || ngx_memcmp(raw - n, suffix[i].data, n) != 0)
        {
            continue;
        }

        if (r->uri.len >= n + 6
            && end >= n + 6
            && ngx_memcmp(path - n - 6, "/index", 6) == 0
            && ngx_memcmp(raw - n - 6, "/index", 6) == 0)
        {
            n += 5;
        }

        return n;
    }

    return 0;
}


/*
 * The location of the page is known.  Where it has no such URLs, or a file of
 * that name, the request begins again as it was made, and all rules see that.
 */

ngx_int_t
ngx_http_dt_twin_location(ngx_http_request_t *r)
{
    ngx_http_dt_ctx_t          *ctx;
    ngx_http_dt_twin_t         *asked;
    ngx_http_dt_loc_conf_t     *dlcf;
    ngx_http_core_main_conf_t  *cmcf;

    ctx = ngx_http_get_module_ctx(r, ngx_http_detemplate_filter_module);

    if (r != r->main
        || r->internal
        || r->uri_changed
        || ctx == NULL
        || ctx->shared
        || !ctx->twin)
    {
        return NGX_DECLINED;
    }

    asked = ctx->asked;
    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    if (dlcf->twin.len
        && dlcf->twin.len < asked->uri.len
        && ngx_memcmp(asked->uri.data + asked->uri.len - dlcf->twin.len,
                      dlcf->twin.data, dlcf->twin.len)
           == 0
        && !ngx_http_dt_twin_file(r, asked))
    {
        return NGX_DECLINED;
    }

    cmcf = ngx_http_get_module_main_conf(r, ngx_http_core_module);

    ngx_memcpy(r->variables, asked->variables,
               cmcf->variables.nelts * sizeof(ngx_http_variable_value_t));

    ctx->twin = 0;
    ngx_str_null(&ctx->target);

    r->valid_unparsed_uri = asked->valid_unparsed_uri;

    return ngx_http_dt_again(r, ctx, &asked->uri, &asked->args);
}


/* whether the page's location has a file with the suffix */

static ngx_uint_t
ngx_http_dt_twin_file(ngx_http_request_t *r, ngx_http_dt_twin_t *asked)
{
    u_char                    *p;
    size_t                     root;
    ngx_str_t                  path;
    ngx_file_info_t            fi;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (clcf->alias && !r->valid_location) {
        return 0;
    }

    p = ngx_http_map_uri_to_path(r, &path, &root, asked->suffix);

    if (p == NULL) {
        return 0;
    }

    p = ngx_cpymem(p, asked->uri.data + asked->uri.len - asked->suffix,
                   asked->suffix);
    *p = '\0';

    return ngx_file_info(path.data, &fi) != NGX_FILE_ERROR;
}


/*
 * Lets the request begin again for another URI, from its first phase on: as
 * that of a client, so that the rights of its location count, and it may go to
 * none that is internal.
 */

static ngx_int_t
ngx_http_dt_again(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *uri, ngx_str_t *args)
{
    ngx_http_core_srv_conf_t  *cscf;

    ngx_memzero(r->ctx, sizeof(void *) * ngx_http_max_module);
    ngx_http_set_ctx(r, ctx, ngx_http_detemplate_filter_module);

    ctx->conf = NULL;

    r->uri = *uri;
    r->args = *args;
    r->uri_changes = NGX_HTTP_MAX_URI_CHANGES + 1;
    ngx_http_set_exten(r);

    cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
    r->loc_conf = cscf->ctx->loc_conf;
    ngx_http_update_location_config(r);

    ngx_http_handler(r);

    return NGX_DONE;
}


ngx_int_t
ngx_http_dt_only(ngx_http_request_t *r, ngx_uint_t allowed)
{
    ngx_str_t           site, url, uri, args;
    ngx_uint_t          flags;
    ngx_http_dt_ctx_t  *ctx;

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
        || ngx_http_dt_only_format(r, ctx) != NGX_OK
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

    ctx->only = site;

    r->unparsed_uri = url;
    r->valid_unparsed_uri = 0;

    return ngx_http_dt_again(r, ctx, &uri, &args);
}


static ngx_int_t
ngx_http_dt_only_format(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_t  format;

    if (ngx_http_arg(r, (u_char *) "format", 6, &format) != NGX_OK) {
        return NGX_OK;
    }

    ctx->html = (format.len == 4 && ngx_memcmp(format.data, "html", 4) == 0);

    return (ctx->html
            || (format.len == 8
                && ngx_memcmp(format.data, "markdown", 8) == 0))
           ? NGX_OK : NGX_ERROR;
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


/* reduces a URL to its request target; the host must be this one */

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
