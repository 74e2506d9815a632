
/*
 * Copyright (C) The detemplate authors
 *
 * detemplate_vary: the fields of the request by which one URL has more than
 * one form.
 */


#ifndef _NGX_HTTP_DT_VARY_H_INCLUDED_
#define _NGX_HTTP_DT_VARY_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* cmd->offset is of a pointer to an array, in conf */
char *ngx_http_dt_set_vary(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* names in Vary what it does not name yet; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_vary(ngx_http_request_t *r, ngx_array_t *vary);


#endif /* _NGX_HTTP_DT_VARY_H_INCLUDED_ */
