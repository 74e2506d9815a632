
/*
 * Copyright (C) The detemplate authors
 *
 * What has become of a page, for the log, counters and variables.
 */


#ifndef _NGX_HTTP_DT_RESULT_H_INCLUDED_
#define _NGX_HTTP_DT_RESULT_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* the log phase: counts the page, and has it learned from if that is due */
ngx_int_t ngx_http_dt_log_handler(ngx_http_request_t *r);

/*
 * What is known by now of the page: its body may have changed what the header
 * said.
 */
void ngx_http_dt_result(ngx_http_dt_ctx_t *ctx, ngx_uint_t *status,
    ngx_uint_t *reason, dt_rewrite_stats_t *stats);


#endif /* _NGX_HTTP_DT_RESULT_H_INCLUDED_ */
