
/*
 * Copyright (C) The detemplate authors
 *
 * The cache manager's tick.
 */


#ifndef _NGX_HTTP_DT_MANAGER_H_INCLUDED_
#define _NGX_HTTP_DT_MANAGER_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* adds dmcf->path, with manager and loader callbacks, at configuration time */
char *ngx_http_dt_manager_add(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *path);

/*
 * Checks at configuration time that the program that learns can be executed.
 * An empty path is set to that of the program beside the module.  NGX_ERROR:
 * it cannot be executed, and the log says so.
 */
ngx_int_t ngx_http_dt_program_find(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf);


#endif /* _NGX_HTTP_DT_MANAGER_H_INCLUDED_ */
