
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_HTML_H_INCLUDED_
#define _NGX_HTTP_DT_HTML_H_INCLUDED_


#include "ngx_module/status/put.h"
#include "ngx_module/zone/stats.h"


/*
 * A page for browsers.  If preview has data, sites have a link to their key
 * page with this argument.
 */
void ngx_http_dt_html(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats,
    ngx_str_t *preview);


#endif /* _NGX_HTTP_DT_HTML_H_INCLUDED_ */
