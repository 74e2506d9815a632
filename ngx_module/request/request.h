
/*
 * Copyright (C) The detemplate authors
 *
 * One request: what was decided for it, and the state of its body.
 */


#ifndef _NGX_HTTP_DT_REQUEST_H_INCLUDED_
#define _NGX_HTTP_DT_REQUEST_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/*
 * The request's context, also after an internal redirect: a shared one as long
 * as nothing is known of it but that the learner does not ask.  NULL when the
 * module is not used, or without memory.
 */
ngx_http_dt_ctx_t *ngx_http_dt_get_ctx(ngx_http_request_t *r);

/* a context of the request's own in place of a shared one, or NULL */
ngx_http_dt_ctx_t *ngx_http_dt_create_ctx(ngx_http_request_t *r);


/* decisions before there is a response */


/*
 * Runs after the access phase: a denied request queues nothing and waits for
 * nothing.  Sees to conditions, Range, and detemplate_wait.
 */
ngx_int_t ngx_http_dt_before_content(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/* likewise after an internal redirect; not NGX_OK: no memory */
ngx_int_t ngx_http_dt_redirected(ngx_http_request_t *r);

/*
 * The context with everything decided that the request and its present
 * location say; NULL when the module has nothing to do here.
 */
ngx_http_dt_ctx_t *ngx_http_dt_prepare(ngx_http_request_t *r);

/* whether the extension of the request's path allows a page */
ngx_uint_t ngx_http_dt_page(ngx_http_request_t *r);

/* sets ctx->host and ctx->path, once; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Sets ctx->site.  NGX_DECLINED: the request rules rewriting out, or has no
 * site; status and reason say so.
 */
ngx_int_t ngx_http_dt_set_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* sets status, reason, ctx->tmpl if there is one, and whether a job is due */
/* the site that the request belongs to; not NGX_OK: none */
ngx_int_t ngx_http_dt_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *site);

void ngx_http_dt_lookup(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Shows the page to the zone if the look-up has found that to be due, and sets
 * status and reason by what came of it.
 */
void ngx_http_dt_visit(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* sets ctx->suffix, by which our entity tags differ from the origin's */
ngx_int_t ngx_http_dt_suffix(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_REQUEST_H_INCLUDED_ */
