
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_STATS_H_INCLUDED_
#define _NGX_HTTP_DT_STATS_H_INCLUDED_


#include "core/template/template.h"
#include "ngx_module/zone/site.h"


/* the lists of the status about the zone and its sites */

typedef enum {
    NGX_HTTP_DT_LIST_SITES = 0,  /* with a template */
    NGX_HTTP_DT_LIST_WITHOUT,    /* sites without one */
    NGX_HTTP_DT_LIST_OFF,        /* pages that showed nothing of their site's
                                    template, the latest first */
    NGX_HTTP_DT_LISTS
} ngx_http_dt_list_e;


/* one site, or page */

typedef struct {
    ngx_uint_t                     list;
    ngx_str_t                      name;
    ngx_str_t                      url;        /* of a key page, or empty */
    ngx_str_t                      source;
    size_t                         size;       /* of the serving part */
    size_t                         evidence;   /* of the part only for
                                                  learning */
    dt_template_info_t             info;       /* version 0: no template */
    ngx_str_t                      state;      /* of the job */
    ngx_msec_t                     wait;       /* for the next attempt */
    ngx_str_t                      reason;     /* of the last failure */
    ngx_str_t                      detail;     /* likewise */
    ngx_str_t                      page;       /* likewise: URL of a key page,
                                                  or the URI of a request */
    time_t                         failed_at;
    time_t                         redesigned_at;  /* 0: never */
    ngx_uint_t                     pinned;     /* the template stays */
    ngx_uint_t                     off;        /* its pages in LIST_OFF */
    ngx_http_dt_served_t           served;
} ngx_http_dt_row_t;


typedef struct {
    size_t                         size;
    size_t                         free;
    ngx_uint_t                     requests[NGX_HTTP_DT_STATUSES];
                                               /* but of types that are never
                                                  pages */
    ngx_uint_t                     reasons[NGX_HTTP_DT_REASONS];
    ngx_http_dt_counters_t         counters;
    ngx_http_dt_fleet_t            fleet;
    ngx_uint_t                     connected;  /* the opposite of away */
    uint64_t                       tokens;     /* that were removed */
    uint64_t                       without;    /* sites without a template */
    ngx_uint_t                     nrows;
    ngx_http_dt_row_t             *rows;
} ngx_http_dt_stats_t;


/* an estimate: a token has four characters, which are bytes in most pages */
#define ngx_http_dt_tokens(bytes)  ((bytes) / 4)


/*
 * Copies the counters and at most max sites, latest used first.  Behind them
 * stand sites that never had a job, since no page of theirs may be learned
 * from.
 */
ngx_int_t ngx_http_dt_stats(ngx_http_dt_zone_t *zone, ngx_uint_t max,
    ngx_pool_t *pool, ngx_http_dt_stats_t *out);


#endif /* _NGX_HTTP_DT_STATS_H_INCLUDED_ */
