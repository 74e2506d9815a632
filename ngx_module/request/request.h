
/*
 * Copyright (C) The detemplate authors
 *
 * The request's context, and the decisions before there is a response.
 */


#ifndef _NGX_HTTP_DT_REQUEST_H_INCLUDED_
#define _NGX_HTTP_DT_REQUEST_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * The request's context, also after an internal redirect: a shared one until
 * something is known beyond that the request is not the learner's.  NULL when
 * the module is not used, or without memory.
 */
ngx_http_dt_ctx_t *ngx_http_dt_get_ctx(ngx_http_request_t *r);

/* a context of the request's own in place of a shared one, or NULL */
ngx_http_dt_ctx_t *ngx_http_dt_create_ctx(ngx_http_request_t *r);


/* decisions before there is a response */

/* runs after the access phase; handles conditions and Range */
ngx_int_t ngx_http_dt_before_content(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/*
 * The context, with all decisions that the request and its present location
 * allow; NULL when the module has nothing to do here.
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
ngx_int_t ngx_http_dt_find_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* the site that the request belongs to; not NGX_OK: none */
ngx_int_t ngx_http_dt_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *site);

/* looks the site up: sets ctx->found, status and reason */
void ngx_http_dt_lookup(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Has the bytes of ctx->found.tmpl, or of the template that has replaced it,
 * and all else that a page with a template needs.  NGX_DECLINED: the site
 * has none any more, and the page passes.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_load_template(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* finds whether the page may be learned from, if that is due, or logs the
   reason why not */
void ngx_http_dt_learn(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Shows the page to the zone, says whether it showed little of the template,
 * and sets status and reason by the result.  The page is stored if it is there
 * (ctx->source), and of use to learn from.
 */
void ngx_http_dt_visit(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t low);


/* the result of a request, for the log, counters and variables */

/* the log phase: counts the page, and offers it for learning if that is due */
ngx_int_t ngx_http_dt_log_handler(ngx_http_request_t *r);


#endif /* _NGX_HTTP_DT_REQUEST_H_INCLUDED_ */
