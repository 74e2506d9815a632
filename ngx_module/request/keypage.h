
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_KEYPAGE_H_INCLUDED_
#define _NGX_HTTP_DT_KEYPAGE_H_INCLUDED_


#include "ngx_module/zone/site.h"


/* the job to learn from a request's page, or the reason why there is none */

/*
 * Fills job with the request's page as a key page.  NULL: it cannot be one;
 * ctx->unlearned is the reason, and ctx->detail the part of the request or
 * response that decided.
 */
ngx_http_dt_job_t *ngx_http_dt_keypage(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_job_t *job);


/* how many pages the detector compares, where the configuration may not say */
ngx_int_t ngx_http_dt_keypage_candidates(ngx_http_dt_loc_conf_t *conf);

/* the seconds after which a site is learned anew */
time_t ngx_http_dt_keypage_refresh(ngx_http_dt_loc_conf_t *dlcf);

/* logs ctx->unlearned, if that is the reason why the page passed; once an hour
   for each site and reason */
void ngx_http_dt_keypage_refused(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_KEYPAGE_H_INCLUDED_ */
