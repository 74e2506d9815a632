
/*
 * Copyright (C) The detemplate authors
 *
 * detemplate_llms: Markdown names the site's /llms.txt, if it has one.
 */


#ifndef _NGX_HTTP_DT_LLMS_H_INCLUDED_
#define _NGX_HTTP_DT_LLMS_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Sets ctx->llms of a request for Markdown.  NGX_AGAIN: the site is asked by a
 * subrequest, and the phase runs again when it has answered; NGX_DECLINED: it
 * is known, or of no interest; NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_llms(ngx_http_request_t *r);


#endif /* _NGX_HTTP_DT_LLMS_H_INCLUDED_ */
