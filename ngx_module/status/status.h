
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_STATUS_H_INCLUDED_
#define _NGX_HTTP_DT_STATUS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* sets the directive detemplate_status */
char *ngx_http_dt_set_status(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* answers a request for the status */
ngx_int_t ngx_http_dt_status_handler(ngx_http_request_t *r);


#endif /* _NGX_HTTP_DT_STATUS_H_INCLUDED_ */
