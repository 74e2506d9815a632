
/*
 * Copyright (C) The detemplate authors
 *
 * Whether a site has a file, or an application that makes one, only the site
 * can tell.  So it is asked by a subrequest, as ngx_http_auth_request_module
 * does, and each worker remembers the answers of the last sites for a while.
 */


#include "core/base/hash.h"
#include "ngx_module/request/request.h"


#define NGX_HTTP_DT_LLMS_SITES  256
#define NGX_HTTP_DT_LLMS_TIME   600     /* seconds */


typedef struct {
    uint64_t                       site;
    time_t                         expires;
    ngx_uint_t                     has;
} ngx_http_dt_llms_t;


static ngx_http_dt_llms_t *ngx_http_dt_llms_find(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_llms_done(ngx_http_request_t *r, void *data,
    ngx_int_t rc);


static ngx_http_dt_llms_t  ngx_http_dt_llms_sites[NGX_HTTP_DT_LLMS_SITES];


ngx_int_t
ngx_http_dt_llms(ngx_http_request_t *r)
{
    ngx_http_dt_ctx_t           *ctx;
    ngx_http_request_t          *sr;
    ngx_http_dt_llms_t          *site;
    ngx_http_post_subrequest_t  *ps;

    static ngx_str_t  uri = ngx_string("/llms.txt");

    ctx = ngx_http_dt_prepare(r);

    if (ctx == NULL
        || ctx->mode != NGX_HTTP_DT_MODE_MARKDOWN
        || !(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))
        || !ngx_http_dt_page(r))
    {
        return NGX_DECLINED;
    }

    if (ctx->asked) {

        /* a connection that is being read runs the phase as well */

        return ctx->asked->done ? NGX_DECLINED : NGX_AGAIN;
    }

    site = ngx_http_dt_llms_find(r);

    if (site->expires > ngx_time()) {
        ctx->llms = site->has;
        return NGX_DECLINED;
    }

    ps = ngx_palloc(r->pool, sizeof(ngx_http_post_subrequest_t));
    if (ps == NULL) {
        return NGX_ERROR;
    }

    ps->handler = ngx_http_dt_llms_done;
    ps->data = ctx;

    if (ngx_http_subrequest(r, &uri, NULL, &sr, ps,
                            NGX_HTTP_SUBREQUEST_WAITED)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    sr->request_body = ngx_pcalloc(r->pool, sizeof(ngx_http_request_body_t));
    if (sr->request_body == NULL) {
        return NGX_ERROR;
    }

    sr->header_only = 1;
    ctx->asked = sr;

    return NGX_AGAIN;
}


/* the place of the site's answer, which is that of another one if the hash
   does not tell */

static ngx_http_dt_llms_t *
ngx_http_dt_llms_find(ngx_http_request_t *r)
{
    uint64_t                   hash;
    ngx_str_t                 *host;
    ngx_http_dt_llms_t        *site;
    ngx_http_core_srv_conf_t  *cscf;

    host = &r->headers_in.server;
    cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
    hash = dt_hash((char *) host->data, host->len, (uintptr_t) cscf);
    site = &ngx_http_dt_llms_sites[hash % NGX_HTTP_DT_LLMS_SITES];

    if (site->site != hash) {
        site->site = hash;
        site->expires = 0;
    }

    return site;
}


/* what is HTML is a page for whatever is not there */

static ngx_int_t
ngx_http_dt_llms_done(ngx_http_request_t *r, void *data, ngx_int_t rc)
{
    ngx_http_dt_ctx_t *ctx = data;

    ngx_str_t           *type;
    ngx_http_dt_llms_t  *site;

    type = &r->headers_out.content_type;
    site = ngx_http_dt_llms_find(r->main);

    site->has = r->headers_out.status == NGX_HTTP_NOT_MODIFIED
                || (r->headers_out.status == NGX_HTTP_OK
                    && (type->len < 9
                        || ngx_strncasecmp(type->data, (u_char *) "text/html",
                                           9)
                           != 0));

    site->expires = ngx_time() + NGX_HTTP_DT_LLMS_TIME;
    ctx->llms = site->has;

    return rc;
}
