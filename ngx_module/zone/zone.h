
/*
 * Copyright (C) The detemplate authors
 *
 * Shared memory, as workers see it: look-ups, visits, counters.  The manager's
 * view is in work.h.
 */


#ifndef _NGX_HTTP_DT_ZONE_H_INCLUDED_
#define _NGX_HTTP_DT_ZONE_H_INCLUDED_


#include "ngx_module/detemplate.h"
#include "ngx_module/zone/site.h"


/* for workers */

/* adds the zone at configuration time and sets its init handler */
char *ngx_http_dt_zone_add(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *name, size_t size);

/*
 * Looks the site up and takes its template, whose bytes may not be there yet:
 * see ngx_http_dt_copy_load().  Never fails: without memory, the result is a
 * MISS with a reason.  valid and refresh, in seconds, limit the template's
 * life and freshness, even if it was learned with longer ones.
 */
void ngx_http_dt_zone_lookup(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    time_t valid, time_t refresh, ngx_http_dt_lookup_t *lookup);

/*
 * A visitor has asked for the page of a job: it may go into its site's
 * reservoir.  The site is to be learned if it has no template or one that is
 * due, or if the page showed little of it (low).  Without low, the function
 * sets status and reason of the look-up by the site's new state; its template
 * stays.
 */
void ngx_http_dt_zone_visit(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t low, ngx_http_dt_lookup_t *lookup);

/* whether the page of a job should be stored for the site's next learning */
ngx_uint_t ngx_http_dt_zone_lacks(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t low);


/*
 * Counts a finished main request and the result for its page.  stats and tmpl
 * are NULL if there is none.
 */
void ngx_http_dt_zone_count(ngx_http_dt_zone_t *zone, ngx_uint_t status,
    ngx_uint_t reason, dt_rewrite_stats_t *stats,
    ngx_http_dt_template_t *tmpl);

/* adds one to a counter of ngx_http_dt_counters_t that is no atomic */
#define ngx_http_dt_zone_event(zone, counter)                                 \
    ngx_http_dt_zone_add_one(zone, offsetof(ngx_http_dt_counters_t, counter))

void ngx_http_dt_zone_add_one(ngx_http_dt_zone_t *zone, size_t counter);

/* wakes the manager if this process has queued a job; not under the lock */
void ngx_http_dt_wake(ngx_http_dt_zone_t *zone);

/* the secret key: NGX_HTTP_DT_KEY_LEN hex digits and a NUL */
u_char *ngx_http_dt_zone_key(ngx_http_dt_zone_t *zone);


/* for the manager */

/* the descriptor that becomes readable when the manager is woken */
ngx_fd_t ngx_http_dt_wake_fd(ngx_http_dt_zone_t *zone);

/* empties the pipe behind it */
void ngx_http_dt_wake_drain(ngx_http_dt_zone_t *zone);

/*
 * The time when the site was last asked for, or 0 if all requests came within
 * NGX_HTTP_DT_AGAIN seconds: those are one visit, or one request that waits.
 */
time_t ngx_http_dt_zone_used(ngx_http_dt_zone_t *zone, ngx_str_t *site);

/* whether snapshots were read since the zone was created; set marks them so */
ngx_uint_t ngx_http_dt_zone_loaded(ngx_http_dt_zone_t *zone, ngx_uint_t set);

/* names this zone as the owner of a lock in Redis: hex digits, not secret */
u_char *ngx_http_dt_zone_token(ngx_http_dt_zone_t *zone);


#endif /* _NGX_HTTP_DT_ZONE_H_INCLUDED_ */
