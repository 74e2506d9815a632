
/*
 * Copyright (C) The detemplate authors
 *
 * The status as JSON.
 */


#ifndef _NGX_HTTP_DT_JSON_H_INCLUDED_
#define _NGX_HTTP_DT_JSON_H_INCLUDED_


#include "ngx_module/zone/stats.h"


/* the room that the status needs as JSON */
size_t ngx_http_dt_json_size(ngx_http_dt_stats_t *stats);

/* writes it from p on, up to last at the most; returns its end */
u_char *ngx_http_dt_json(u_char *p, u_char *last, ngx_http_dt_stats_t *stats);


/* writes text from p on, where there is room for six bytes for each of it */
u_char *ngx_http_dt_json_escape(u_char *p, ngx_str_t *text);


#endif /* _NGX_HTTP_DT_JSON_H_INCLUDED_ */
