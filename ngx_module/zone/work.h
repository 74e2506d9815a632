
/*
 * Copyright (C) The detemplate authors
 *
 * Work: the manager's view of the sites that want to be learned, and its
 * reports about those that it learns.
 */


#ifndef _NGX_HTTP_DT_WORK_H_INCLUDED_
#define _NGX_HTTP_DT_WORK_H_INCLUDED_


#include "core/template/template.h"
#include "ngx_module/zone/site.h"


/* a site that wants to be learned; the manager's plan keeps it, with the
   results of earlier attempts */

typedef struct {
    ngx_queue_t                    queue;
    uint64_t                       turn;       /* in its class */
    ngx_msec_t                     locked_since;  /* see work */
    ngx_uint_t                     unsound;    /* likewise */
    ngx_str_t                      site;       /* in name */
    ngx_uint_t                     class;
    uint32_t                       server;     /* see ngx_http_dt_job_t */
    ngx_uint_t                     from_host;  /* likewise */
    ngx_msec_t                     at;         /* the time for it */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_wish_t;


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
 * Makes this process the one that learns, once its predecessor has ended or
 * impatient is set; returns whether it is.  All sites of the predecessor's
 * plan are then in the mail again; *lost is the number of learnings that died
 * with it.
 */
ngx_uint_t ngx_http_dt_work_lead(ngx_http_dt_zone_t *zone,
    ngx_uint_t impatient, ngx_uint_t *lost);

/* takes a site from the mail; NGX_DECLINED: there is none */
ngx_int_t ngx_http_dt_work_mail(ngx_http_dt_zone_t *zone,
    ngx_http_dt_wish_t *wish);

/* begins to learn; NGX_DECLINED: the site does not want it any more */
ngx_int_t ngx_http_dt_work_take(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work);

/*
 * Fills in work from the zone's data about the site, for a command that is no
 * job.  NGX_DECLINED: the site is not known, or nothing tells how long a
 * template of it is valid.
 */
ngx_int_t ngx_http_dt_work_look(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work);

/* draws pages from the reservoir, see ngx_http_dt_pages_draw() */
void ngx_http_dt_work_pages(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    u_char *visited);

/* counts the requests that the learner has sent to the site */
void ngx_http_dt_work_asked(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work);

/* the site has to wait */
void ngx_http_dt_work_wait(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work);

/* NGX_DECLINED: the site was forgotten, say, or its template was pinned */
ngx_int_t ngx_http_dt_work_mine(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work);

/*
 * Ends the work with a RESULT_, if it is still ours.  Returns the seconds
 * until the site may be learned again.
 */
time_t ngx_http_dt_work_finish(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_uint_t result);


/*
 * Makes a template the site's: copies the part that serves, and evicts other
 * sites when there is no room.  NGX_DECLINED: there is still no room.
 */
ngx_int_t ngx_http_dt_publish(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_publish_t *pub);

/* whether the site has a template now */
ngx_uint_t ngx_http_dt_published(ngx_http_dt_zone_t *zone, ngx_str_t *site);


#define NGX_HTTP_DT_BATCH  64    /* sites that are compared at once */


typedef struct {
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE];
} ngx_http_dt_fleet_site_t;

/*
 * Copies names of sites with templates, some at a time.  *next is 0 at first,
 * and 0 again after the last ones.  sites has room for NGX_HTTP_DT_BATCH.
 * Returns how many there are, which may be none.
 */
ngx_uint_t ngx_http_dt_fleet_sites(ngx_http_dt_zone_t *zone, ngx_uint_t *next,
    ngx_http_dt_fleet_site_t *sites);

/* stores the state of Redis in the zone */
void ngx_http_dt_fleet_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_fleet_t *state);


#endif /* _NGX_HTTP_DT_WORK_H_INCLUDED_ */
