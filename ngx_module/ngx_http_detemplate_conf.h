
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DETEMPLATE_CONF_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_CONF_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


extern ngx_command_t  ngx_http_detemplate_commands[];


void *ngx_http_detemplate_create_main_conf(ngx_conf_t *cf);
char *ngx_http_detemplate_init_main_conf(ngx_conf_t *cf, void *conf);

void *ngx_http_detemplate_create_loc_conf(ngx_conf_t *cf);
char *ngx_http_detemplate_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);


#endif /* _NGX_HTTP_DETEMPLATE_CONF_H_INCLUDED_ */
