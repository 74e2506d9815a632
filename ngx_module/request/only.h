
/*
 * Copyright (C) The detemplate authors
 *
 * What is cut of a page, as Markdown, instead of the page.
 */


#ifndef _NGX_HTTP_DT_ONLY_H_INCLUDED_
#define _NGX_HTTP_DT_ONLY_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Answers a GET of the control location with do=template, by what is cut of
 * the page that its argument url names.  NGX_DONE: the request goes on as one
 * for that page; NGX_DECLINED: something else is asked for; else a status.
 */
ngx_int_t ngx_http_dt_only(ngx_http_request_t *r, ngx_uint_t allowed);


#endif /* _NGX_HTTP_DT_ONLY_H_INCLUDED_ */
