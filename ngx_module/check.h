
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CHECK_H_INCLUDED_
#define _NGX_HTTP_DT_CHECK_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Warnings at nginx -t: about servers whose pages would silently pass
 * unchanged, and about numbers.
 */

/*
 * Warns of servers from which nothing can be learned, because they have no
 * name, or because no listener can be used by the learner; and of servers that
 * share a template though they are different sites.  All of the configuration
 * has been read and merged.
 */
void ngx_http_dt_check_servers(ngx_conf_t *cf);

/*
 * Refuses numbers of a location that contradict one another.  Those that are
 * not set depend on others, see ngx_http_dt_keypage().
 */
ngx_int_t ngx_http_dt_check_numbers(ngx_conf_t *cf,
    ngx_http_dt_loc_conf_t *conf);

/* directives: lists and words that nginx itself would take, or not name */
char *ngx_http_dt_set_types(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_dt_set_origin(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_dt_set_detector(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


#endif /* _NGX_HTTP_DT_CHECK_H_INCLUDED_ */
