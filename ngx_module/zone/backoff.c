
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/backoff.h"
#include "ngx_module/zone/extend.h"
#include "ngx_module/zone/job.h"


#define NGX_HTTP_DT_MIN_BACKOFF  10000      /* ms */
#define NGX_HTTP_DT_MAX_BACKOFF  3600000

/* pages that failed learnings may request, for each of the site's loads */

#define NGX_HTTP_DT_MAX_TRIES    4


static ngx_msec_t ngx_http_dt_backoff_left(ngx_msec_t at);
static ngx_msec_t ngx_http_dt_backoff_delay(ngx_uint_t failures);
static ngx_http_dt_failed_t *ngx_http_dt_backoff_find(
    ngx_http_dt_node_t *node, uint64_t key, ngx_uint_t make);


static ngx_msec_t
ngx_http_dt_backoff_left(ngx_msec_t at)
{
    ngx_msec_int_t  left;

    left = (ngx_msec_int_t) (at - ngx_current_msec);

    return ngx_max(left, 0);
}


static ngx_msec_t
ngx_http_dt_backoff_delay(ngx_uint_t failures)
{
    ngx_msec_t  delay;

    delay = NGX_HTTP_DT_MIN_BACKOFF << ngx_min(failures, 10);

    return ngx_min(delay, NGX_HTTP_DT_MAX_BACKOFF);
}


/*
 * The entry of a page; with make, a page without an entry gets the one that is
 * unused or is due first.
 */

static ngx_http_dt_failed_t *
ngx_http_dt_backoff_find(ngx_http_dt_node_t *node, uint64_t key,
    ngx_uint_t make)
{
    ngx_uint_t             i;
    ngx_http_dt_failed_t  *f, *best;

    best = &node->failed[0];

    for (i = 0; i < NGX_HTTP_DT_MAX_FAILED; i++) {
        f = &node->failed[i];

        if (f->failures && f->key == key) {
            return f;
        }

        if (best->failures
            && (f->failures == 0
                || (ngx_msec_int_t) (f->next - best->next) < 0))
        {
            best = f;
        }
    }

    if (!make) {
        return NULL;
    }

    best->key = key;
    best->failures = 0;

    return best;
}


ngx_msec_t
ngx_http_dt_backoff_wait(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job)
{
    ngx_msec_t             site, page;
    ngx_http_dt_failed_t  *f;

    site = node->resting ? ngx_http_dt_backoff_left(node->next) : 0;

    f = ngx_http_dt_backoff_find(node, job->key, 0);
    page = f ? ngx_http_dt_backoff_left(f->next) : 0;

    return ngx_max(site, page);
}


ngx_msec_t
ngx_http_dt_backoff_site(ngx_http_dt_node_t *node)
{
    ngx_uint_t             i, n;
    ngx_msec_t             left, least;
    ngx_http_dt_failed_t  *f;

    if (node->resting) {
        return ngx_http_dt_backoff_left(node->next);
    }

    n = 0;
    least = 0;

    for (i = 0; i < NGX_HTTP_DT_MAX_FAILED; i++) {
        f = &node->failed[i];

        if (f->failures) {
            left = ngx_http_dt_backoff_left(f->next);
            least = n++ ? ngx_min(least, left) : left;
        }
    }

    return least;
}


ngx_msec_t
ngx_http_dt_backoff_failed(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work)
{
    ngx_msec_t             delay;
    ngx_http_dt_job_t      job;
    ngx_http_dt_failed_t  *f;

    zone->sh->counters.failed++;

    ngx_http_dt_job_unpack(node->job, &job);

    if (node->kind == NGX_HTTP_DT_KIND_EXTEND
        && !node->no_room
        && !ngx_http_dt_extend_due(node, &job, 100))
    {
        /* it was a key page, so that it is not tried again */

        return 0;
    }

    f = ngx_http_dt_backoff_find(node, job.key, 1);
    delay = ngx_http_dt_backoff_delay(f->failures++);

    if (work) {
        delay = ngx_max(delay, (ngx_msec_t) work->retry_after * 1000);
        ngx_memcpy(node->reason, work->reason, sizeof(node->reason));
    }

    f->next = ngx_current_msec + delay;

    node->failing = 1;
    node->tries += (work && work->tries) ? work->tries : 1;

    if (node->no_room
        || node->tries >= NGX_HTTP_DT_MAX_TRIES * job.loads)
    {
        node->next = ngx_current_msec
                     + ngx_http_dt_backoff_delay(node->failures++);
        node->resting = 1;
        node->tries = 0;
    }

    return ngx_http_dt_backoff_wait(node, &job);
}


ngx_msec_t
ngx_http_dt_backoff_stopped(ngx_http_dt_node_t *node)
{
    node->next = ngx_current_msec + NGX_HTTP_DT_MIN_BACKOFF;
    node->resting = 1;

    return NGX_HTTP_DT_MIN_BACKOFF;
}


void
ngx_http_dt_backoff_clear(ngx_http_dt_node_t *node)
{
    ngx_memzero(node->failed, sizeof(node->failed));
    ngx_memzero(node->reason, sizeof(node->reason));

    node->tries = 0;
    node->failures = 0;
    node->failing = 0;
    node->resting = 0;
    node->no_room = 0;
}
