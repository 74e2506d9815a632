
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_PLAN_H_INCLUDED_
#define _NGX_HTTP_DT_PLAN_H_INCLUDED_


#include "ngx_module/zone/site.h"


/*
 * The plan: which sites are to be learned, and in which order.  It is in the
 * manager's own memory.  A successor reads the same from the zone.
 */

typedef struct {
    ngx_queue_t                    wishes;     /* empty at first */
    uint64_t                       turns[NGX_HTTP_DT_CLASS_NEW + 1];
                                               /* taken last, of each class */
} ngx_http_dt_plan_t;


/* adds all sites of the zone's mail */
void ngx_http_dt_plan_mail(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone);

/*
 * Takes the site that is next of those whose time has come; NGX_DECLINED:
 * there is none.  Without from_host, no site is taken that a client names.
 */
ngx_int_t ngx_http_dt_plan_take(ngx_http_dt_plan_t *plan,
    ngx_http_dt_zone_t *zone, ngx_uint_t from_host, ngx_http_dt_work_t *work);

/* adds a site that was taken, for the time in delay milliseconds */
void ngx_http_dt_plan_again(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_msec_t delay);

/* milliseconds until the time of some site has come, at most max */
ngx_msec_t ngx_http_dt_plan_due(ngx_http_dt_plan_t *plan, ngx_msec_t max);


#endif /* _NGX_HTTP_DT_PLAN_H_INCLUDED_ */
