
/*
 * Copyright (C) The detemplate authors
 *
 * What is kept and cut by hand: detemplate_keep and detemplate_force.
 */


#ifndef _NGX_HTTP_DT_HAND_H_INCLUDED_
#define _NGX_HTTP_DT_HAND_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* the setter of both directives: checks selectors, and adds them to an array
   of ngx_str_t, which "off" leaves empty */
char *ngx_http_dt_set_hand(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* sets conf->hand when its lists are merged; prev has those around */
ngx_int_t ngx_http_dt_hand_merge(ngx_conf_t *cf, ngx_http_dt_loc_conf_t *prev,
    ngx_http_dt_loc_conf_t *conf);

/* the hash of the lists, or 0 when there are none */
uint64_t ngx_http_dt_hand_hash(ngx_http_dt_loc_conf_t *conf);


#endif /* _NGX_HTTP_DT_HAND_H_INCLUDED_ */
