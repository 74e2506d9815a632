
/*
 * Copyright (C) The detemplate authors
 *
 * The locations of the status and of an operator's commands.
 */


#ifndef _NGX_HTTP_DT_STATUS_H_INCLUDED_
#define _NGX_HTTP_DT_STATUS_H_INCLUDED_


#include "ngx_module/status/put.h"


/* answers with JSON, and this status */
ngx_int_t ngx_http_dt_send_json(ngx_http_request_t *r, ngx_http_dt_out_t *out,
    ngx_uint_t status);

/* whether the client is this machine: a loopback address or a unix socket */
ngx_uint_t ngx_http_dt_local(ngx_http_request_t *r);


/* detemplate_status */
char *ngx_http_dt_set_status(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


#endif /* _NGX_HTTP_DT_STATUS_H_INCLUDED_ */
