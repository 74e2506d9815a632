
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/hash.h"
#include "ngx_module/body/body.h"
#include "ngx_module/changes/changes.h"
#include "ngx_module/request/request.h"


static void ngx_http_dt_modified(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    uint64_t hash);


ngx_int_t
ngx_http_dt_validators(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    uint64_t    hash;
    ngx_int_t   rc;
    ngx_uint_t  knows;

    hash = 0;
    rc = NGX_DECLINED;
    knows = ngx_http_dt_hold_knows(ctx);

    if (knows) {
        rc = ngx_http_dt_body_hash(r, ctx->out, ctx->conf->hold, &hash);
    }

    if (rc == NGX_OK && ctx->conf->changes) {
        ngx_http_dt_modified(r, ctx, hash);
    }

    if (!ngx_http_dt_tags_body(ctx) || (knows && rc != NGX_OK)) {
        return NGX_OK;
    }

    return ngx_http_dt_body_etag(r, ctx->out, &ctx->none_match,
                                 ctx->mode == NGX_HTTP_DT_MODE_JSON,
                                 knows ? &hash : NULL);
}


/*
 * A form of a page is told apart by all that decides its bytes but the
 * template.  A page for somebody who is known is that of nobody else, so its
 * time would be that of another one.
 */

static void
ngx_http_dt_modified(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    uint64_t hash)
{
    size_t                     skip;
    uint64_t                   site;
    ngx_http_dt_job_t          job;
    ngx_http_dt_seen_t         page;
    ngx_http_core_loc_conf_t  *clcf;

    if (ngx_http_dt_credentials(r)) {
        return;
    }

    skip = sizeof(";dt=0123456789abcdef") - 1;

    site = ngx_http_dt_modified_site(&ctx->site);
    page.form = dt_hash((char *) r->unparsed_uri.data, r->unparsed_uri.len,
                        site);
    page.form = dt_hash((char *) ctx->suffix.data + skip,
                        ctx->suffix.len - skip, page.form);
    page.form += (page.form == 0);
    page.hash = hash;
    page.modified = ctx->modified;

    if (ngx_http_dt_changes_see(ctx->conf->changes, &page)
        && ngx_http_dt_keypage(r, ctx, &job))
    {
        ngx_http_dt_changes_news(ctx->conf->changes, &page, site,
                                 &r->unparsed_uri);
    }

    r->headers_out.last_modified_time = page.modified;
    ctx->modified = page.modified;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (ctx->since >= page.modified
        && ctx->none_match.len == 0
        && clcf->if_modified_since != NGX_HTTP_IMS_OFF)
    {
        ngx_http_dt_not_modified(r);
    }
}


uint64_t
ngx_http_dt_modified_site(ngx_str_t *site)
{
    return dt_hash((char *) site->data, site->len, 0);
}
