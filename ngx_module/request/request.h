
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
 * module is not used.
 */
ngx_http_dt_ctx_t *ngx_http_dt_get_ctx(ngx_http_request_t *r);


/* decisions before there is a response */


/* what is done when access is granted: conditions, Range, detemplate_wait */
ngx_int_t ngx_http_dt_early(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/* the same behind a redirect within nginx, last; not NGX_OK: no memory */
ngx_int_t ngx_http_dt_elsewhere(ngx_http_request_t *r);

/*
 * The context with everything decided that the request and its present
 * location say; NULL when the module has nothing to do here.
 */
ngx_http_dt_ctx_t *ngx_http_dt_prepare(ngx_http_request_t *r);

/* sets ctx->host and ctx->path, once; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* sets the site, or the status and reason why it has none: not NGX_OK then */
ngx_int_t ngx_http_dt_name(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Sets status and reason, and ctx->tmpl if there is one; with learn, queues
 * the page as a job if that is due, which few look-ups find.
 */
void ngx_http_dt_lookup(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t learn);

/* queues the page where an earlier look-up has found that to be due */
void ngx_http_dt_relearn(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* sets ctx->suffix, by which our entity tags differ from the origin's */
ngx_int_t ngx_http_dt_suffix(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_REQUEST_H_INCLUDED_ */
