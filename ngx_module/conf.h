
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CONF_H_INCLUDED_
#define _NGX_HTTP_DT_CONF_H_INCLUDED_


#include "ngx_module/detemplate.h"


extern ngx_command_t  ngx_http_dt_commands[];


void *ngx_http_dt_create_main_conf(ngx_conf_t *cf);
char *ngx_http_dt_init_main_conf(ngx_conf_t *cf, void *conf);

void *ngx_http_dt_create_loc_conf(ngx_conf_t *cf);
char *ngx_http_dt_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child);


#endif /* _NGX_HTTP_DT_CONF_H_INCLUDED_ */
