
/*
 * Copyright (C) The detemplate authors
 *
 * The request fields on which the form of a page depends: detemplate_vary, and
 * what detemplate_accept looks at.
 */


#ifndef _NGX_HTTP_DT_VARY_H_INCLUDED_
#define _NGX_HTTP_DT_VARY_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* cmd->offset is the offset of a pointer to an array in conf */
char *ngx_http_dt_set_vary(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* adds the fields that Vary does not name yet; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_vary(ngx_http_request_t *r, ngx_array_t *vary);

/* the same with one field, whose name is also given in lower case */
ngx_int_t ngx_http_dt_vary_by(ngx_http_request_t *r, char *name, char *lower);


#endif /* _NGX_HTTP_DT_VARY_H_INCLUDED_ */
