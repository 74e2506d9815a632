
/*
 * Copyright (C) The detemplate authors
 *
 * A page's URL with a suffix, which has the Markdown of the page.
 */


#ifndef _NGX_HTTP_DT_TWIN_H_INCLUDED_
#define _NGX_HTTP_DT_TWIN_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* detemplate_suffix, and the handler that heeds it */
char *ngx_http_dt_set_suffix(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
ngx_int_t ngx_http_dt_twin_handler(ngx_http_request_t *r);


#endif /* _NGX_HTTP_DT_TWIN_H_INCLUDED_ */
