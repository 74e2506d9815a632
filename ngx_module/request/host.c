
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/host.h"
#include "core/base/hash.h"
#include "core/base/tags.h"
#include "ngx_module/request/accept.h"
#include "ngx_module/zone/site.h"


#define NGX_HTTP_DT_NAME  255     /* bytes, at most */


/* a name of a server */

typedef struct {
    ngx_str_t                      name;
    unsigned                       suffix:1;    /* ".example.com" */
    unsigned                       prefix:1;    /* "www.example." */
#if (NGX_PCRE)
    ngx_regex_t                   *regex;
#endif
} ngx_http_dt_name_t;


static ngx_int_t ngx_http_dt_host_add(ngx_http_dt_srv_conf_t *dscf,
    ngx_http_server_name_t *sn);
static ngx_http_dt_name_t *ngx_http_dt_host_push(ngx_http_dt_srv_conf_t *dscf,
    ngx_str_t *name);
static ngx_uint_t ngx_http_dt_host_match(
    ngx_http_dt_name_t *name, ngx_str_t *host);
static void ngx_http_dt_host_field(ngx_http_request_t *r, ngx_str_t *name,
    ngx_str_t *port);
static ngx_uint_t ngx_http_dt_host_is_base(ngx_str_t *url);


void *
ngx_http_dt_create_srv_conf(ngx_conf_t *cf)
{
    return ngx_pcalloc(cf->pool, sizeof(ngx_http_dt_srv_conf_t));
}


char *
ngx_http_dt_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_dt_srv_conf_t  *prev = parent;
    ngx_http_dt_srv_conf_t  *conf = child;

    if (conf->learner.data == NULL) {
        conf->learner = prev->learner;
        conf->client = prev->client;
    }

    return NGX_CONF_OK;
}


ngx_int_t
ngx_http_dt_host_init(ngx_conf_t *cf)
{
    ngx_uint_t                  s, n;
    ngx_http_server_name_t     *sn;
    ngx_http_dt_srv_conf_t     *dscf;
    ngx_http_core_srv_conf_t  **cscfp;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    cscfp = cmcf->servers.elts;

    for (s = 0; s < cmcf->servers.nelts; s++) {

        dscf = cscfp[s]->ctx->srv_conf[
                                  ngx_http_detemplate_filter_module.ctx_index];
        sn = cscfp[s]->server_names.elts;

        dscf->server = (uint32_t) dt_hash((char *) cscfp[s]->file_name,
                                          ngx_strlen(cscfp[s]->file_name),
                                          cscfp[s]->line);

        dscf->names = ngx_array_create(cf->pool, 2,
                                       sizeof(ngx_http_dt_name_t));
        if (dscf->names == NULL) {
            return NGX_ERROR;
        }

        for (n = 0; n < cscfp[s]->server_names.nelts; n++) {
            if (ngx_http_dt_host_add(dscf, &sn[n]) != NGX_OK) {
                return NGX_ERROR;
            }
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_host_add(ngx_http_dt_srv_conf_t *dscf, ngx_http_server_name_t *sn)
{
    ngx_str_t            bare;
    ngx_http_dt_name_t  *name;

    if (sn->name.len == 0) {
        return NGX_OK;
    }

    if (sn->name.len == 1 && sn->name.data[0] == '_') {
        dscf->any = 1;
        return NGX_OK;
    }

    name = ngx_http_dt_host_push(dscf, &sn->name);
    if (name == NULL) {
        return NGX_ERROR;
    }

#if (NGX_PCRE)
    if (sn->regex) {
        name->regex = sn->regex->regex;
        return NGX_OK;
    }
#endif

    if (sn->name.data[0] == '*') {
        name->suffix = 1;
        name->name.data++;
        name->name.len--;
        return NGX_OK;
    }

    if (sn->name.data[sn->name.len - 1] == '*') {
        name->prefix = 1;
        name->name.len--;
        return NGX_OK;
    }

    if (sn->name.data[0] == '.') {

        /* ".example.com" also stands for "example.com" */

        name->suffix = 1;

        bare.data = sn->name.data + 1;
        bare.len = sn->name.len - 1;

        name = ngx_http_dt_host_push(dscf, &bare);
        if (name == NULL) {
            return NGX_ERROR;
        }
    }

    if (dscf->own.len == 0) {
        dscf->own = name->name;
    }

    return NGX_OK;
}


static ngx_http_dt_name_t *
ngx_http_dt_host_push(ngx_http_dt_srv_conf_t *dscf, ngx_str_t *name)
{
    ngx_http_dt_name_t  *n;

    n = ngx_array_push(dscf->names);

    if (n) {
        ngx_memzero(n, sizeof(ngx_http_dt_name_t));
        n->name = *name;
    }

    return n;
}


ngx_uint_t
ngx_http_dt_host(ngx_http_request_t *r, ngx_str_t *own)
{
    ngx_uint_t               i, kind;
    ngx_http_dt_name_t      *names;
    ngx_http_dt_srv_conf_t  *dscf;

    dscf = ngx_http_get_module_srv_conf(r, ngx_http_detemplate_filter_module);
    names = dscf->names->elts;

    *own = r->headers_in.server;

    kind = dscf->any ? NGX_HTTP_DT_HOST_ANY
                     : NGX_HTTP_DT_HOST_OTHER;

    for (i = 0; i < dscf->names->nelts; i++) {

        switch (ngx_http_dt_host_match(&names[i], own)) {

        case NGX_HTTP_DT_HOST_NAMED:
            *own = dscf->own;
            return NGX_HTTP_DT_HOST_NAMED;

        case NGX_HTTP_DT_HOST_MATCHED:
            kind = NGX_HTTP_DT_HOST_MATCHED;
        }
    }

    return kind;
}


static ngx_uint_t
ngx_http_dt_host_match(ngx_http_dt_name_t *name, ngx_str_t *host)
{
    u_char     *p;
    ngx_str_t  *s;

    s = &name->name;

#if (NGX_PCRE)
    if (name->regex) {
        return (ngx_regex_exec(name->regex, host, NULL, 0) >= 0)
               ? NGX_HTTP_DT_HOST_MATCHED
               : NGX_HTTP_DT_HOST_OTHER;
    }
#endif

    if (!name->suffix && !name->prefix) {
        return ngx_http_dt_equal(s, host) ? NGX_HTTP_DT_HOST_NAMED
                                          : NGX_HTTP_DT_HOST_OTHER;
    }

    if (host->len <= s->len) {
        return NGX_HTTP_DT_HOST_OTHER;
    }

    p = name->prefix ? host->data : host->data + host->len - s->len;

    return (ngx_strncmp(p, s->data, s->len) == 0)
           ? NGX_HTTP_DT_HOST_MATCHED
           : NGX_HTTP_DT_HOST_OTHER;
}


/* the name in the field Host, without a final dot, and the port */

static void
ngx_http_dt_host_field(ngx_http_request_t *r, ngx_str_t *name, ngx_str_t *port)
{
    u_char  *p, *last;

    *name = r->headers_in.host->value;
    p = name->data;
    last = p + name->len;

    if (name->len && *p == '[') {
        while (p < last && *p != ']') {
            p++;
        }
    }

    while (p < last && *p != ':') {
        p++;
    }

    name->len = p - name->data;
    port->data = p + (p < last);
    port->len = last - port->data;

    if (name->len && name->data[name->len - 1] == '.') {
        name->len--;
    }
}


ngx_uint_t
ngx_http_dt_host_site(ngx_str_t *site)
{
    u_char  *p, *last;

    if (site->len == 0 || site->len > NGX_HTTP_DT_MAX_SITE) {
        return 0;
    }

    last = site->data + site->len;

    for (p = site->data; p < last; p++) {

        /* in Redis, braces around the site choose the slot of its keys */

        if (*p <= ' ' || *p >= 0x7f || *p == '{' || *p == '}') {
            return 0;
        }
    }

    return 1;
}


ngx_uint_t
ngx_http_dt_host_differs(ngx_http_request_t *r)
{
    ngx_str_t  name, port;

    if (r->headers_in.server.len == 0) {
        return 1;
    }

    if (r->headers_in.host == NULL) {
        return 0;
    }

    ngx_http_dt_host_field(r, &name, &port);

    return name.len != r->headers_in.server.len
           || ngx_strncasecmp(name.data, r->headers_in.server.data, name.len)
              != 0;
}


ngx_uint_t
ngx_http_dt_host_plain(ngx_str_t *name)
{
    char             *p, text[NGX_HTTP_DT_NAME + 1];
    char              same[INET6_ADDRSTRLEN];
    struct in_addr    addr;
    struct in6_addr   addr6;

    if (name->len == 0 || name->len > NGX_HTTP_DT_NAME) {
        return 0;
    }

    ngx_memcpy(text, name->data, name->len);
    text[name->len] = '\0';

    if (text[0] == '[') {

        p = &text[name->len - 1];

        if (*p != ']') {
            return 0;
        }

        *p = '\0';

        return inet_pton(AF_INET6, &text[1], &addr6) == 1
               && inet_ntop(AF_INET6, &addr6, same, sizeof(same)) != NULL
               && ngx_strcmp(same, &text[1]) == 0;
    }

    for (p = text; *p; p++) {
        if (!(*p >= 'a' && *p <= 'z') && !(*p >= '0' && *p <= '9')
            && *p != '-' && *p != '.' && *p != '_')
        {
            return 0;
        }
    }

    if (p != &text[name->len]) {
        return 0;
    }

    return inet_aton(text, &addr) == 0
           || (inet_ntop(AF_INET, &addr, same, sizeof(same)) != NULL
               && ngx_strcmp(same, text) == 0);
}


ngx_uint_t
ngx_http_dt_host_port(ngx_http_request_t *r, ngx_str_t *port)
{
    ngx_int_t  n, usual;
    ngx_str_t  name;

    if (r->headers_in.host == NULL) {
        return 0;
    }

    usual = 80;

#if (NGX_HTTP_SSL)
    if (r->connection->ssl) {
        usual = 443;
    }
#endif

    ngx_http_dt_host_field(r, &name, port);
    n = ngx_atoi(port->data, port->len);

    /* a port can be written with any number of leading zeros; a URL has room
       for none */

    return n > 0
           && port->data[0] != '0'
           && n != usual
           && n == (ngx_int_t)
                      ngx_inet_get_port(r->connection->local_sockaddr);
}


ngx_uint_t
ngx_http_dt_host_of_url(ngx_str_t *host)
{
    u_char  *p, *last;

    if (host->len > NGX_HTTP_DT_MAX_SITE
        || (host->len == 1 && host->data[0] == '_'))
    {
        return 0;
    }

    last = host->data + host->len;

    for (p = host->data; p < last; p++) {

        if (!dt_is_alnum(*p) && !ngx_strchr("-._:[]", *p)) {
            return 0;
        }
    }

    return host->len != 0;
}


/* scheme, host and maybe a port, and nothing behind them */

static ngx_uint_t
ngx_http_dt_host_is_base(ngx_str_t *url)
{
    size_t     n;
    ngx_str_t  host;

    if (url->len < 8
        || ngx_strncasecmp(url->data, (u_char *) "http", 4) != 0)
    {
        return 0;
    }

    n = 4 + (url->data[4] == 's' || url->data[4] == 'S');

    if (ngx_strncmp(url->data + n, "://", 3) != 0) {
        return 0;
    }

    host.data = url->data + n + 3;
    host.len = url->len - n - 3;

    return host.len != 0
           && (dt_is_alnum(host.data[0]) || host.data[0] == '[')
           && ngx_http_dt_host_of_url(&host);
}


char *
ngx_http_dt_set_url(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    char       *rv;
    ngx_str_t  *value;

    rv = ngx_http_set_complex_value_slot(cf, cmd, conf);

    if (rv != NGX_CONF_OK) {
        return rv;
    }

    value = cf->args->elts;

    if (ngx_strcmp(value[1].data, "off") == 0) {
        dlcf->url = NULL;
        return NGX_CONF_OK;
    }

    if (dlcf->url->lengths == NULL
        && !ngx_http_dt_host_is_base(&dlcf->url->value))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid URL \"%V\" in \"detemplate_url\", it must "
                           "be http://host[:port], https:// or off",
                           &value[1]);
        return NGX_CONF_ERROR;
    }

    return ngx_http_dt_vary_variables(cf, &dlcf->url_vary, &value[1]);
}


ngx_int_t
ngx_http_dt_host_base(ngx_http_request_t *r, ngx_str_t *base)
{
    in_port_t                  port;
    ngx_str_t                  host;
    ngx_uint_t                 https;
    ngx_http_dt_loc_conf_t    *dlcf;
    ngx_http_core_loc_conf_t  *clcf;
    ngx_http_core_srv_conf_t  *cscf;

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    if (dlcf->url) {

        if (ngx_http_complex_value(r, dlcf->url, base) != NGX_OK) {
            return NGX_ERROR;
        }

        if (ngx_http_dt_host_is_base(base)) {
            return NGX_OK;
        }
    }

    ngx_str_null(base);

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);

    host = r->headers_in.server;

    if (host.len == 0 || clcf->server_name_in_redirect) {
        host = cscf->server_name;
    }

    if (!ngx_http_dt_host_of_url(&host)) {
        return NGX_OK;
    }

    https = 0;

#if (NGX_HTTP_SSL)
    https = (r->connection->ssl != NULL);
#endif

    port = ngx_inet_get_port(r->connection->local_sockaddr);

    if (!clcf->port_in_redirect || port == (https ? 443 : 80)) {
        port = 0;
    }

    base->data = ngx_pnalloc(r->pool, sizeof("https://:65535") + host.len);
    if (base->data == NULL) {
        return NGX_ERROR;
    }

    base->len = ngx_sprintf(base->data, "http%s://%V", https ? "s" : "", &host)
                - base->data;

    if (port) {
        base->len = ngx_sprintf(base->data + base->len, ":%ui",
                                (ngx_uint_t) port)
                    - base->data;
    }

    return NGX_OK;
}
