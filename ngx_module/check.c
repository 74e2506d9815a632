
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/check.h"
#include "core/base/tags.h"
#include "core/base/wire.h"
#include "ngx_module/request/keypage.h"
#include "ngx_module/zone/site.h"


static void ngx_http_dt_check_listeners(ngx_http_core_main_conf_t *cmcf);
static ngx_uint_t ngx_http_dt_check_reached(ngx_http_listen_opt_t *opt);
static void ngx_http_dt_check_server(ngx_conf_t *cf,
    ngx_http_core_srv_conf_t *cscf);
static void ngx_http_dt_check_shared(ngx_conf_t *cf,
    ngx_http_core_main_conf_t *cmcf);
static int ngx_libc_cdecl ngx_http_dt_check_cmp(const void *one,
    const void *two);
static ngx_uint_t ngx_http_dt_check_root(ngx_http_core_srv_conf_t *one,
    ngx_http_core_srv_conf_t *two);
static ngx_uint_t ngx_http_dt_is_origin(ngx_conf_t *cf, ngx_str_t *origin);
static ngx_str_t *ngx_http_dt_check_site(ngx_http_core_srv_conf_t *cscf);


/* a server that has one site */

typedef struct {
    ngx_str_t                     *site;
    ngx_uint_t                     n;          /* in the configuration */
    ngx_http_core_srv_conf_t      *cscf;
} ngx_http_dt_check_server_t;


#define ngx_http_dt_check_srv(cscf)                                           \
    ((ngx_http_dt_srv_conf_t *)                                               \
     (cscf)->ctx->srv_conf[ngx_http_detemplate_filter_module.ctx_index])

#define ngx_http_dt_check_loc(cscf, module)                                   \
    ((cscf)->ctx->loc_conf[(module).ctx_index])


void
ngx_http_dt_check_servers(ngx_conf_t *cf)
{
    ngx_uint_t                  s;
    ngx_http_core_srv_conf_t  **cscfp;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    cscfp = cmcf->servers.elts;

    ngx_http_dt_check_listeners(cmcf);

    for (s = 0; s < cmcf->servers.nelts; s++) {
        ngx_http_dt_check_server(cf, cscfp[s]);
    }

    ngx_http_dt_check_shared(cf, cmcf);
}


/* notes which servers have a listener that the learner can use */

static void
ngx_http_dt_check_listeners(ngx_http_core_main_conf_t *cmcf)
{
    ngx_uint_t                  p, a, s;
    ngx_http_conf_addr_t       *addr;
    ngx_http_conf_port_t       *port;
    ngx_http_core_srv_conf_t  **cscfp;

    if (cmcf->ports == NULL) {
        return;
    }

    port = cmcf->ports->elts;

    for (p = 0; p < cmcf->ports->nelts; p++) {
        addr = port[p].addrs.elts;

        for (a = 0; a < port[p].addrs.nelts; a++) {

            if (!ngx_http_dt_check_reached(&addr[a].opt)) {
                continue;
            }

            cscfp = addr[a].servers.elts;

            for (s = 0; s < addr[a].servers.nelts; s++) {
                ngx_http_dt_check_srv(cscfp[s])->reached = 1;
            }
        }
    }
}


/* ngx_http_dt_keypage() checks the same of a connection */

static ngx_uint_t
ngx_http_dt_check_reached(ngx_http_listen_opt_t *opt)
{
    if (opt->sockaddr->sa_family == AF_UNIX || opt->proxy_protocol) {
        return 0;
    }

#if (nginx_version >= 1025001)
    return !opt->quic;
#else
    return !opt->http2 || opt->ssl;
#endif
}


static void
ngx_http_dt_check_server(ngx_conf_t *cf, ngx_http_core_srv_conf_t *cscf)
{
    ngx_http_dt_srv_conf_t  *dscf;

    dscf = ngx_http_dt_check_srv(cscf);

    if (dscf->no_origin && !dscf->reached) {
        ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                      "nothing is learned from the server in %s:%ui: the "
                      "learner can use none of its listeners (unix sockets, "
                      "PROXY protocol, HTTP/2 without TLS), set "
                      "\"detemplate_origin\"", cscf->file_name, cscf->line);
    }

    if (dscf->no_site && cscf->server_name.len == 0) {
        ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                      "pages of the server in %s:%ui pass unchanged: it has "
                      "neither \"server_name\" nor \"detemplate_site\"",
                      cscf->file_name, cscf->line);
    }
}


/*
 * Warns of servers that have one template by accident.  One site may well have
 * several servers, as for HTTP and HTTPS, but then they serve the same files.
 */

static void
ngx_http_dt_check_shared(ngx_conf_t *cf, ngx_http_core_main_conf_t *cmcf)
{
    ngx_str_t                   *site;
    ngx_uint_t                   s, n;
    ngx_http_core_srv_conf_t   **cscfp, *cscf, *first, *other;
    ngx_http_dt_check_server_t  *server;

    server = ngx_palloc(cf->temp_pool, (cmcf->servers.nelts + 1)
                                       * sizeof(ngx_http_dt_check_server_t));
    if (server == NULL) {
        return;
    }

    cscfp = cmcf->servers.elts;
    n = 0;

    for (s = 0; s < cmcf->servers.nelts; s++) {
        site = ngx_http_dt_check_site(cscfp[s]);

        if (site) {
            server[n].site = site;
            server[n].n = s;
            server[n].cscf = cscfp[s];
            n++;
        }
    }

    ngx_qsort(server, n, sizeof(ngx_http_dt_check_server_t),
              ngx_http_dt_check_cmp);

    /* of each site: its first server, and the first one with another root */

    first = NULL;
    other = NULL;

    for (s = 0; s < n; s++) {
        site = server[s].site;
        cscf = server[s].cscf;

        if (s == 0 || !ngx_http_dt_equal(site, server[s - 1].site)) {
            first = cscf;
            other = NULL;
            continue;
        }

        if (!ngx_http_dt_check_root(first, cscf)) {
            other = other ? other : cscf;
            cscf = first;

        } else if (other) {
            cscf = other;

        } else {
            continue;
        }

        ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                      "the servers in %s:%ui and %s:%ui have one template, "
                      "that of the site \"%V\", but not one root: if they are "
                      "different sites, set \"detemplate_site\" in one of "
                      "them", cscf->file_name, cscf->line,
                      server[s].cscf->file_name, server[s].cscf->line, site);
    }
}


/* by site, then as in the configuration */

static int ngx_libc_cdecl
ngx_http_dt_check_cmp(const void *one, const void *two)
{
    const ngx_http_dt_check_server_t *a = one;
    const ngx_http_dt_check_server_t *b = two;

    ngx_int_t  rc;

    rc = ngx_memn2cmp(a->site->data, b->site->data, a->site->len,
                      b->site->len);

    return rc ? (int) rc : (a->n > b->n) - (a->n < b->n);
}


static ngx_uint_t
ngx_http_dt_check_root(ngx_http_core_srv_conf_t *one,
    ngx_http_core_srv_conf_t *two)
{
    ngx_str_t  *a, *b;

    a = &((ngx_http_core_loc_conf_t *)
          ngx_http_dt_check_loc(one, ngx_http_core_module))->root;
    b = &((ngx_http_core_loc_conf_t *)
          ngx_http_dt_check_loc(two, ngx_http_core_module))->root;

    return ngx_http_dt_equal(a, b);
}


/* the site of a server that learns, if it is always the same */

static ngx_str_t *
ngx_http_dt_check_site(ngx_http_core_srv_conf_t *cscf)
{
    ngx_str_t               *own;
    ngx_http_dt_loc_conf_t  *dlcf;

    dlcf = ngx_http_dt_check_loc(cscf, ngx_http_detemplate_filter_module);

    if (dlcf->mode == NULL || dlcf->learn == NGX_HTTP_DT_LEARN_OFF) {
        return NULL;
    }

    if (dlcf->site == NULL) {
        own = &ngx_http_dt_check_srv(cscf)->own;
        return own->len ? own : NULL;
    }

    return dlcf->site->lengths ? NULL : &dlcf->site->value;
}


ngx_int_t
ngx_http_dt_check_numbers(ngx_conf_t *cf, ngx_http_dt_loc_conf_t *conf)
{
    ngx_int_t  candidates;

    candidates = ngx_http_dt_keypage_candidates(conf);

    if (conf->votes > candidates) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_votes\" is %i of only %i "
                           "\"detemplate_candidates\", lower the one or "
                           "raise the other",
                           conf->votes, candidates);
        return NGX_ERROR;
    }

    if (conf->loads != NGX_CONF_UNSET && conf->loads < candidates) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_loads\" is %i, less than the %i "
                           "\"detemplate_candidates\", raise it",
                           conf->loads, candidates);
        return NGX_ERROR;
    }

    if (conf->refresh > conf->valid) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_refresh\" is %T s, longer than the "
                           "%T s of \"detemplate_valid\", lower it",
                           conf->refresh, conf->valid);
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* "html" would match no response, and all pages would pass without a word */

char *
ngx_http_dt_set_types(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t   *value;
    ngx_uint_t   i;

    value = cf->args->elts;

    for (i = 1; i < cf->args->nelts; i++) {

        if (ngx_strcmp(value[i].data, "*") != 0
            && ngx_strchr(value[i].data, '/') == NULL)
        {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid type \"%V\" in \"detemplate_types\", "
                               "it must be like text/html, or *", &value[i]);
            return NGX_CONF_ERROR;
        }
    }

    return ngx_http_types_slot(cf, cmd, conf);
}


char *
ngx_http_dt_set_origin(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    ngx_str_t  *value;

    if (dlcf->origin.data) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (ngx_strcmp(value[1].data, "off") == 0) {

        /* an empty value that is set disables the inherited one */

        ngx_str_set(&dlcf->origin, "");
        return NGX_CONF_OK;
    }

    dlcf->origin = value[1];

    while (dlcf->origin.len && dlcf->origin.data[dlcf->origin.len - 1] == '/')
    {
        dlcf->origin.len--;
    }

    if (!ngx_http_dt_is_origin(cf, &dlcf->origin)) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid URL \"%V\" in \"detemplate_origin\", it "
                           "must be http://host[:port][/path], https:// or "
                           "off",
                           &value[1]);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/* whether pages can be requested below the URL */

static ngx_uint_t
ngx_http_dt_is_origin(ngx_conf_t *cf, ngx_str_t *origin)
{
    size_t      scheme;
    u_char     *p, *last;
    ngx_url_t   u;

    p = origin->data;
    last = p + origin->len;

    scheme = (ngx_strncasecmp(p, (u_char *) "http://", 7) == 0) ? 7
             : (ngx_strncasecmp(p, (u_char *) "https://", 8) == 0) ? 8 : 0;

    if (scheme == 0
        || origin->len <= scheme
        || origin->len > NGX_HTTP_DT_MAX_ORIGIN)
    {
        return 0;
    }

    for ( /* void */ ; p < last; p++) {
        if (*p <= ' ' || *p >= 0x7f || *p == '?' || *p == '#') {
            return 0;
        }
    }

    ngx_memzero(&u, sizeof(ngx_url_t));

    u.url.len = origin->len - scheme;
    u.url.data = origin->data + scheme;
    u.default_port = (scheme == 7) ? 80 : 443;
    u.uri_part = 1;
    u.no_resolve = 1;

    if (ngx_parse_url(cf->pool, &u) != NGX_OK || u.family == AF_UNIX) {
        return 0;
    }

    /* a host name or an address, and no user before it */

    for (p = u.host.data; p < u.host.data + u.host.len; p++) {
        if (!dt_is_alnum(*p) && !ngx_strchr("-._:[]", *p)) {
            return 0;
        }
    }

    return 1;
}


char *
ngx_http_dt_set_detector(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    ngx_str_t   *value;
    ngx_uint_t   i;

    if (dlcf->detector != NGX_CONF_UNSET_UINT) {
        return "is duplicate";
    }

    value = cf->args->elts;

    for (i = 0; dt_job_detectors[i]; i++) {

        if (ngx_strcmp(value[1].data, dt_job_detectors[i]) == 0) {
            dlcf->detector = i;
            return NGX_CONF_OK;
        }
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "unknown method \"%V\" in \"detemplate_detector\", "
                       "the default is \"%s\"",
                       &value[1], dt_job_detectors[0]);

    return NGX_CONF_ERROR;
}
