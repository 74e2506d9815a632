
/*
 * Copyright (C) The detemplate authors
 *
 * Putting a template into the zone.
 */


#ifndef _NGX_HTTP_DT_PUBLISH_H_INCLUDED_
#define _NGX_HTTP_DT_PUBLISH_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/* a template on its way into the zone, and its times */

typedef struct {
    void                          *data;       /* checked bytes */
    size_t                         size;       /* of data: info.size, or
                                                  info.serve_size */
    dt_template_info_t             info;
    time_t                         valid;      /* absolute */
    time_t                         refresh;    /* absolute */
    ngx_uint_t                     source;
    u_char                         url[NGX_HTTP_DT_MAX_LINK + 1];
                                               /* of its key page, or empty */
    unsigned                       ends_job:1; /* the site need not be learned
                                                  now */
    unsigned                       if_room:1;  /* evict nothing for it */
    unsigned                       from_host:1;  /* see ngx_http_dt_job_t */
    unsigned                       pinned:2;   /* it stays */
    unsigned                       redesigned:1;  /* pages that were known have
                                                  another design */
} ngx_http_dt_publish_t;


/*
 * Makes a template the site's: copies the part that serves, and evicts other
 * sites when there is no room.  NGX_DECLINED: there is still no room.
 */
ngx_int_t ngx_http_dt_publish(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_publish_t *pub);

/* whether the site has a template now */
ngx_uint_t ngx_http_dt_published(ngx_http_dt_zone_t *zone, ngx_str_t *site);


#endif /* _NGX_HTTP_DT_PUBLISH_H_INCLUDED_ */
