
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/request.h"


char *
ngx_http_dt_set_suffix(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char                     *rv;
    u_char                   *p;
    ngx_str_t                *value;
    ngx_http_dt_loc_conf_t   *dlcf;
    ngx_http_dt_main_conf_t  *dmcf;

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

    dmcf = ngx_http_conf_get_module_main_conf(cf,
                                            ngx_http_detemplate_filter_module);
    dmcf->used = 1;

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
