
/*
 * Copyright (C) The detemplate authors
 *
 * detemplate_accept: clients choose the form of a page by their field Accept.
 */


#ifndef _NGX_HTTP_DT_ACCEPT_H_INCLUDED_
#define _NGX_HTTP_DT_ACCEPT_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* sets conf->accept */
char *ngx_http_dt_set_accept(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Sees that conf->mode, which is merged, is there when clients may choose
 * another one, and is NULL when it can only be off.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_merge_accept(ngx_conf_t *cf,
    ngx_http_dt_loc_conf_t *conf);

/* the mode that the request asks for; MODE_OFF: the one of the location */
ngx_uint_t ngx_http_dt_accept(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);


#endif /* _NGX_HTTP_DT_ACCEPT_H_INCLUDED_ */
