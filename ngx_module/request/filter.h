
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_FILTER_H_INCLUDED_
#define _NGX_HTTP_DT_FILTER_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* the filters of header and body */

/* puts both filters in front of those that are there */
void ngx_http_dt_filter_init(void);

/* moves the module back to its position, when others were loaded later */
void ngx_http_dt_filter_position(ngx_cycle_t *cycle);


#endif /* _NGX_HTTP_DT_FILTER_H_INCLUDED_ */
