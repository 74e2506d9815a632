
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


#endif /* _NGX_HTTP_DT_MANAGER_H_INCLUDED_ */
