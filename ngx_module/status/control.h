
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CONTROL_H_INCLUDED_
#define _NGX_HTTP_DT_CONTROL_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* detemplate_control */
char *ngx_http_dt_set_control(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


#endif /* _NGX_HTTP_DT_CONTROL_H_INCLUDED_ */
