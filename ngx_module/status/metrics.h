
/*
 * Copyright (C) The detemplate authors
 *
 * The status as metrics in the text format of Prometheus.
 */


#ifndef _NGX_HTTP_DT_METRICS_H_INCLUDED_
#define _NGX_HTTP_DT_METRICS_H_INCLUDED_


#include "ngx_module/zone/stats.h"


/* the room that the metrics need; drops the sites that get no metrics */
size_t ngx_http_dt_metrics_size(ngx_http_dt_stats_t *stats);

/* writes them from p on, up to last at the most; returns their end */
u_char *ngx_http_dt_metrics(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);


#endif /* _NGX_HTTP_DT_METRICS_H_INCLUDED_ */
