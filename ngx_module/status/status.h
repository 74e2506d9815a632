
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

/* whether the client is this machine: a loopback address or a unix socket */
ngx_uint_t ngx_http_dt_local(ngx_http_request_t *r);

/* answers with JSON, and this status */
ngx_int_t ngx_http_dt_send_json(ngx_http_request_t *r, ngx_buf_t *b,
    ngx_uint_t status);


#endif /* _NGX_HTTP_DT_STATUS_H_INCLUDED_ */
