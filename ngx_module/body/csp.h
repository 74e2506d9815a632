
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CSP_H_INCLUDED_
#define _NGX_HTTP_DT_CSP_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/*
 * Makes every Content-Security-Policy of the response, and those that only
 * report, allow one style element of ours by its hash ("'sha256-...'"), and
 * nothing else that they forbid.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_csp_allow(ngx_http_request_t *r, ngx_str_t *hash);


#endif /* _NGX_HTTP_DT_CSP_H_INCLUDED_ */
