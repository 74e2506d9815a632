
/*
 * Copyright (C) The detemplate authors
 *
 * The status as metrics in the text format of Prometheus.
 */


#ifndef _NGX_HTTP_DT_METRICS_H_INCLUDED_
#define _NGX_HTTP_DT_METRICS_H_INCLUDED_


#include "ngx_module/zone/stats.h"


/* the room that the metrics need */
#define NGX_HTTP_DT_METRICS_SIZE  8192

/* writes them from p on, up to last at the most; returns their end */
u_char *ngx_http_dt_metrics(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);


#endif /* _NGX_HTTP_DT_METRICS_H_INCLUDED_ */
