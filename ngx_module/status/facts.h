
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_FACTS_H_INCLUDED_
#define _NGX_HTTP_DT_FACTS_H_INCLUDED_


#include "ngx_module/status/put.h"
#include "ngx_module/zone/stats.h"


typedef enum {
    NGX_HTTP_DT_KIND_NUMBER = 0,
    NGX_HTTP_DT_KIND_BYTES,
    NGX_HTTP_DT_KIND_SHARE,      /* in thousandths */
    NGX_HTTP_DT_KIND_TIME,       /* people read its age */
    NGX_HTTP_DT_KIND_WAIT,       /* in milliseconds */
    NGX_HTTP_DT_KIND_MICROS,     /* the metric is in seconds */
    NGX_HTTP_DT_KIND_BOOL,
    NGX_HTTP_DT_KIND_TRUE,       /* JSON has it only if it is not 0 */
    NGX_HTTP_DT_KIND_ONCE,       /* a time, likewise */
    NGX_HTTP_DT_KIND_SINCE,      /* 0: omitted, with all that follows */
    NGX_HTTP_DT_KIND_CHARS,      /* JSON has them only if there are any */
    NGX_HTTP_DT_KIND_TEXT,
    NGX_HTTP_DT_KIND_SITE,       /* a text, and a link to its key page */
    NGX_HTTP_DT_KIND_FAILURE,    /* a text, and the detail */
    NGX_HTTP_DT_KIND_LAST,       /* likewise; empty: as KIND_SINCE */
    NGX_HTTP_DT_KIND_STATUSES,   /* a number for each */
    NGX_HTTP_DT_KIND_REASONS     /* likewise */
} ngx_http_dt_kind_e;


/* one value of the status, or of its row about a site or page */

typedef struct {
    char                          *group;      /* in JSON, or "" */
    char                          *name;       /* NULL: JSON has it not */
    ngx_uint_t                     kind;
    size_t                         offset;     /* in ngx_http_dt_stats_t, or
                                                  in ngx_http_dt_row_t */
    size_t                         size;
    char                          *heading;    /* for people, of a column */
    char                          *metric;     /* NULL: it is none */
    char                          *label;      /* with its value, or "";
                                                  of a list, only its name */
    char                          *help;       /* NULL: the fact before has
                                                  the same metric */
} ngx_http_dt_fact_t;


/* by ngx_http_dt_list_e, each with a row without a group at its end */
extern ngx_http_dt_fact_t  *ngx_http_dt_columns[];


/* the row of a list behind this one, or the first; NULL: there is none */
ngx_http_dt_row_t *ngx_http_dt_list_next(ngx_http_dt_stats_t *stats,
    ngx_uint_t list, ngx_http_dt_row_t *row);

/* the number of this size at p */
uint64_t ngx_http_dt_number(u_char *p, size_t size);

void ngx_http_dt_json(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats);

/* the text format of Prometheus; drops the sites that get no metrics */
void ngx_http_dt_metrics(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats);


#endif /* _NGX_HTTP_DT_FACTS_H_INCLUDED_ */
