
/*
 * Copyright (C) The detemplate authors
 *
 * What the zone knows of the fleet: the state of the link to Redis, and the
 * sites whose templates other machines may change.
 */


#ifndef _NGX_HTTP_DT_FLEET_H_INCLUDED_
#define _NGX_HTTP_DT_FLEET_H_INCLUDED_


#include "ngx_module/zone/zone.h"


#define NGX_HTTP_DT_PEER   128   /* bytes of an address */
#define NGX_HTTP_DT_BATCH  64    /* sites that are compared at once */


/* the state of the link; times are seconds since 1970 */

typedef struct {
    ngx_uint_t                     away;       /* Redis does not answer */
    time_t                         since;      /* 0: there is no link */
    time_t                         event_at;   /* the last one, or 0 */
    ngx_uint_t                     latency;    /* us, of the last answer */
    ngx_uint_t                     reconnects;
    ngx_uint_t                     restarts;   /* of the link */
    uint64_t                       received;   /* bytes */
    uint64_t                       sent;
    u_char                         peer[NGX_HTTP_DT_PEER];
    u_char                         why[DT_ERRSTR];  /* it is away */
} ngx_http_dt_fleet_t;


void ngx_http_dt_fleet_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_fleet_t *state);


/* the name and template of a site */

typedef struct {
    ngx_str_t                      site;       /* in name */
    uint32_t                       version;
    int64_t                        learned_at;
    ngx_uint_t                     pinned;
    u_char                         name[NGX_HTTP_DT_MAX_SITE];
} ngx_http_dt_fleet_site_t;

/*
 * Copies sites with templates, some at a time.  *next is 0 at first, and 0
 * again after the last ones.  sites has room for NGX_HTTP_DT_BATCH.  Returns
 * how many there are, which may be none.
 */
ngx_uint_t ngx_http_dt_fleet_sites(ngx_http_dt_zone_t *zone, ngx_uint_t *next,
    ngx_http_dt_fleet_site_t *sites);


#endif /* _NGX_HTTP_DT_FLEET_H_INCLUDED_ */
