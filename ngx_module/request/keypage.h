
/*
 * Copyright (C) The detemplate authors
 *
 * What is to be learned because of a request, or why nothing is.
 */


#ifndef _NGX_HTTP_DT_JOB_H_INCLUDED_
#define _NGX_HTTP_DT_JOB_H_INCLUDED_


#include "ngx_module/request/request.h"


/*
 * Fills job with the request's page as a key page.  NULL: it cannot be one;
 * ctx->unlearned is the reason, and ctx->detail the part of the request or
 * response that decided.
 */
ngx_http_dt_job_t *ngx_http_dt_keypage(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_job_t *job);

/* the pages that a learner may load */
ngx_uint_t ngx_http_dt_keypage_loads(ngx_http_dt_loc_conf_t *dlcf);

/* the seconds after which a site is learned anew */
time_t ngx_http_dt_keypage_refresh(ngx_http_dt_loc_conf_t *dlcf);

/* logs ctx->unlearned, once an hour for each site and reason */
void ngx_http_dt_keypage_refused(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_JOB_H_INCLUDED_ */
