
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/stranger.h"
#include "ngx_module/request/request.h"


/* the client that a request had before */

typedef struct {
    ngx_connection_t              *connection;
    struct sockaddr               *sockaddr;
    socklen_t                      socklen;
    ngx_str_t                      addr_text;
} ngx_http_dt_former_t;


static ngx_int_t ngx_http_dt_stranger_quiet(ngx_http_request_t *r);
static ngx_addr_t *ngx_http_dt_stranger_address(ngx_http_request_t *r,
    ngx_str_t *client);
static ngx_str_t *ngx_http_dt_stranger_default(struct sockaddr *sockaddr);
static void ngx_http_dt_stranger_cleanup(void *data);


char *
ngx_http_dt_set_learner_address(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_srv_conf_t *dscf = conf;

    ngx_str_t   *value;
    ngx_addr_t   addr;

    if (dscf->learner.data) {
        return "is duplicate";
    }

    value = cf->args->elts;
    dscf->learner = value[1];
    dscf->client = (ngx_strcmp(value[1].data, "client") == 0);

    if (dscf->client
        || ngx_parse_addr(cf->pool, &addr, value[1].data, value[1].len)
           == NGX_OK)
    {
        return NGX_CONF_OK;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid address \"%V\" in "
                       "\"detemplate_learner_address\", it must be an IPv4 "
                       "or IPv6 address or \"client\"",
                       &value[1]);

    return NGX_CONF_ERROR;
}


ngx_int_t
ngx_http_dt_stranger_handler(ngx_http_request_t *r)
{
    ngx_connection_t      *c;
    ngx_http_dt_ctx_t     *ctx;
    ngx_pool_cleanup_t    *cln;
    ngx_http_dt_former_t  *former;

    /* this also removes the learner's marker, before other modules see it */

    ctx = ngx_http_dt_get_ctx(r);

    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    c = r->connection;

    if (ctx->learner && ngx_http_dt_stranger_quiet(r) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (!ctx->learner
        || (ctx->stranger && c->sockaddr == ctx->stranger->sockaddr))
    {
        return NGX_DECLINED;
    }

    if (ctx->stranger == NULL) {
        ctx->stranger = ngx_http_dt_stranger_address(r, &ctx->client);
    }

    cln = ngx_pool_cleanup_add(r->pool, sizeof(ngx_http_dt_former_t));

    if (ctx->stranger == NULL || cln == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    former = cln->data;
    former->connection = c;
    former->sockaddr = c->sockaddr;
    former->socklen = c->socklen;
    former->addr_text = c->addr_text;

    cln->handler = ngx_http_dt_stranger_cleanup;

    c->sockaddr = ctx->stranger->sockaddr;
    c->socklen = ctx->stranger->socklen;
    c->addr_text = ctx->stranger->name;

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, c->log, 0,
                   "detemplate learner's address: %V", &c->addr_text);

    return NGX_DECLINED;
}


/*
 * A learner asks for files that there may not be, such as robots.txt, and
 * follows links that are dead.  These are no errors of the server, so for its
 * requests log_not_found is off.
 */

static ngx_int_t
ngx_http_dt_stranger_quiet(ngx_http_request_t *r)
{
    void                      **conf;
    ngx_http_core_loc_conf_t   *clcf, *quiet;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (!clcf->log_not_found) {
        return NGX_OK;
    }

    conf = ngx_palloc(r->pool, ngx_http_max_module * sizeof(void *));
    quiet = ngx_palloc(r->pool, sizeof(ngx_http_core_loc_conf_t));

    if (conf == NULL || quiet == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(conf, r->loc_conf, ngx_http_max_module * sizeof(void *));
    *quiet = *clcf;
    quiet->log_not_found = 0;

    conf[ngx_http_core_module.ctx_index] = quiet;
    r->loc_conf = conf;

    return NGX_OK;
}


/* NULL: no memory */

static ngx_addr_t *
ngx_http_dt_stranger_address(ngx_http_request_t *r, ngx_str_t *client)
{
    u_char                   text[NGX_SOCKADDR_STRLEN];
    ngx_int_t                rc;
    ngx_str_t               *name;
    ngx_addr_t              *addr;
    ngx_http_dt_srv_conf_t  *dscf;

    dscf = ngx_http_get_module_srv_conf(r, ngx_http_detemplate_filter_module);

    addr = ngx_palloc(r->pool, sizeof(ngx_addr_t));
    if (addr == NULL) {
        return NULL;
    }

    name = dscf->client ? client : &dscf->learner;
    rc = ngx_parse_addr(r->pool, addr, name->data, name->len);

    if (rc == NGX_DECLINED) {

        /* no address is set, or the client has none, as on a Unix-domain
           socket */

        name = ngx_http_dt_stranger_default(r->connection->sockaddr);
        rc = ngx_parse_addr(r->pool, addr, name->data, name->len);
    }

    if (rc != NGX_OK) {
        return NULL;
    }

    addr->name.len = ngx_sock_ntop(addr->sockaddr, addr->socklen, text,
                                   NGX_SOCKADDR_STRLEN, 0);

    addr->name.data = ngx_pnalloc(r->pool, addr->name.len);
    if (addr->name.data == NULL) {
        return NULL;
    }

    ngx_memcpy(addr->name.data, text, addr->name.len);

    return addr;
}


/*
 * A documentation address, which no client has.  It is of the family in which
 * the learner came, since rules for one family let the other one pass.
 */

static ngx_str_t *
ngx_http_dt_stranger_default(struct sockaddr *sockaddr)
{
    static ngx_str_t  inet = ngx_string("192.0.2.1");
#if (NGX_HAVE_INET6)
    static ngx_str_t  inet6 = ngx_string("2001:db8::1");

    if (sockaddr->sa_family == AF_INET6
        && !IN6_IS_ADDR_V4MAPPED(
                              &((struct sockaddr_in6 *) sockaddr)->sin6_addr))
    {
        return &inet6;
    }

#endif

    return &inet;
}


static void
ngx_http_dt_stranger_cleanup(void *data)
{
    ngx_http_dt_former_t *former = data;

    ngx_connection_t  *c;

    c = former->connection;

    c->sockaddr = former->sockaddr;
    c->socklen = former->socklen;
    c->addr_text = former->addr_text;
}
