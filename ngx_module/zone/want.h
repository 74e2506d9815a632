
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_WANT_H_INCLUDED_
#define _NGX_HTTP_DT_WANT_H_INCLUDED_


#include "ngx_module/zone/node.h"


/*
 * When a site is learned: whether it wants learning, and its back-off: the
 * time before which nothing is tried.  The caller holds the lock.
 */

/*
 * Has the site learned as soon as its time has come, and tells the manager.
 * job is that of a page.  NGX_DECLINED: its template stays, or there is no
 * memory.
 */
ngx_int_t ngx_http_dt_want(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job);

/* puts the site into the manager's mail; it is woken when the lock is free */
void ngx_http_dt_want_mail(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node);

/*
 * Whether the site of a job, which has no node, may get one now; counts it if
 * so.  Invented names must neither fill the zone nor keep learners from other
 * sites.  A site that the configuration names always gets a node.
 */
ngx_uint_t ngx_http_dt_want_admit(ngx_http_dt_zone_t *zone,
    ngx_http_dt_job_t *job);

/*
 * Returns how many requests a learner may send to the node's site now; 0: too
 * few, so that the site is mute until there are more.
 */
ngx_uint_t ngx_http_dt_want_requests(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_job_t *job);

/* counts requests that a learner has sent to a site */
void ngx_http_dt_want_asked(ngx_http_dt_zone_t *zone, uint32_t hash,
    ngx_http_dt_job_t *job, ngx_uint_t n);

/* copies the site's last job */
void ngx_http_dt_want_job(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job);

/* whether pages of the site are not to be requested */
#define ngx_http_dt_want_mute(node, job)                                      \
    ((job)->served || ngx_time() < (node)->mute)

/*
 * Whether the site is learned from when enough of its pages are stored: they
 * are not to be requested; or requests were mostly in vain, so that visitors
 * bring the pages that there are.
 */
ngx_uint_t ngx_http_dt_want_waits(ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job);

/*
 * Whether as many pages of such a site are stored as a learning should have:
 * three, or, of a template that is of few pages, which were not requested,
 * more than the last time.
 */
#define ngx_http_dt_want_enough(node)                                         \
    ((node)->stored                                                           \
     >= (ngx_uint_t) 3 << ((node)->barren ? 0 : ngx_min((node)->thin, 2)))

/* whether the template is of few pages, and more are found again and again */
ngx_uint_t ngx_http_dt_want_grows(ngx_http_dt_node_t *node);

/* milliseconds until the end of the back-off */
ngx_msec_t ngx_http_dt_want_rest(ngx_http_dt_node_t *node);

/*
 * Sets the site's back-off after work that has ended with a RESULT_, or after
 * a lost learner if work is NULL; returns the milliseconds.  For work that
 * failed, sets work->told and work->first.
 */
ngx_msec_t ngx_http_dt_want_ended(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_work_t *work, ngx_uint_t result);

/* a page that was not tried ends a light rest */
void ngx_http_dt_want_rouse(ngx_http_dt_node_t *node);

/* forgets failures, because the site has a new template */
void ngx_http_dt_want_clear(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);


#endif /* _NGX_HTTP_DT_WANT_H_INCLUDED_ */
