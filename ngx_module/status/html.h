
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_HTML_H_INCLUDED_
#define _NGX_HTTP_DT_HTML_H_INCLUDED_


#include "ngx_module/zone/stats.h"


/*
 * The room that the status needs as a page for browsers.  If preview has data,
 * sites have a link to their key page with this argument.
 */
size_t ngx_http_dt_html_size(ngx_http_dt_stats_t *stats, ngx_str_t *preview);

/* writes it from p on, up to last at the most; returns its end */
u_char *ngx_http_dt_html(u_char *p, u_char *last, ngx_http_dt_stats_t *stats,
    ngx_str_t *preview);


#endif /* _NGX_HTTP_DT_HTML_H_INCLUDED_ */
