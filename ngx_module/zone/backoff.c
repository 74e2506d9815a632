
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/backoff.h"
#include "ngx_module/zone/extend.h"
#include "ngx_module/zone/job.h"
#include "ngx_module/zone/trouble.h"


#define NGX_HTTP_DT_MIN_BACKOFF  10000      /* ms */
#define NGX_HTTP_DT_MAX_BACKOFF  3600000

/* learnings that may fail between two rests of the site, from other pages */

#define NGX_HTTP_DT_AT_ONCE      4

/*
 * A page rests for so many times the time of the processor that its learning
 * has used.  So does the site, when that was more than one page may cost.
 */

#define NGX_HTTP_DT_COST         30
#define NGX_HTTP_DT_CHEAP        2000       /* ms */


static ngx_msec_t ngx_http_dt_backoff_left(ngx_msec_t at);
static ngx_msec_t ngx_http_dt_backoff_delay(ngx_msec_t first, ngx_uint_t n);
static ngx_msec_t ngx_http_dt_backoff_rest(ngx_http_dt_node_t *node,
    ngx_msec_t delay);
static ngx_http_dt_failed_t *ngx_http_dt_backoff_find(
    ngx_http_dt_node_t *node, uint64_t key, ngx_uint_t make);


static ngx_msec_t
ngx_http_dt_backoff_left(ngx_msec_t at)
{
    ngx_msec_int_t  left;

    left = (ngx_msec_int_t) (at - ngx_current_msec);

    return ngx_max(left, 0);
}


/* the delay behind n others, each twice as long as the one before */

static ngx_msec_t
ngx_http_dt_backoff_delay(ngx_msec_t first, ngx_uint_t n)
{
    first = ngx_min(first, NGX_HTTP_DT_MAX_BACKOFF) << ngx_min(n, 10);

    return ngx_min(first, NGX_HTTP_DT_MAX_BACKOFF);
}


/* lets the site rest, unless it rests for longer already */

static ngx_msec_t
ngx_http_dt_backoff_rest(ngx_http_dt_node_t *node, ngx_msec_t delay)
{
    if (!node->resting || ngx_http_dt_backoff_left(node->next) < delay) {
        node->next = ngx_current_msec + delay;
        node->resting = 1;
    }

    return delay;
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
    ngx_str_t              url;
    ngx_uint_t             n;
    ngx_msec_t             delay;
    ngx_http_dt_job_t      job;
    ngx_http_dt_failed_t  *f;

    static ngx_str_t  none = ngx_null_string;

    zone->sh->counters.failed++;

    ngx_http_dt_job_unpack(node->job, &job);

    if (work) {
        work->told = (ngx_strcmp(node->reason, work->reason) == 0);
        work->first = (node->blob == NULL && !node->failing);
        ngx_memcpy(node->reason, work->reason, sizeof(node->reason));

        url.data = job.url;
        url.len = ngx_strlen(job.url);
        ngx_http_dt_trouble_set(zone, &node->trouble, &work->detail, &url,
                                &none);
    }

    if (node->kind == NGX_HTTP_DT_KIND_EXTEND
        && !node->no_room
        && !ngx_http_dt_extend_page_due(node, &job, 100))
    {
        /* it was a key page, so that it is not tried again */

        return 0;
    }

    f = ngx_http_dt_backoff_find(node, job.key, 1);
    delay = ngx_http_dt_backoff_delay(NGX_HTTP_DT_MIN_BACKOFF, f->failures++);

    if (work) {
        delay = ngx_max(delay, (ngx_msec_t) work->retry_after * 1000);
        delay = ngx_max(delay, work->cpu * NGX_HTTP_DT_COST);
    }

    f->next = ngx_current_msec + delay;

    node->failing = 1;
    node->failures++;

    n = node->no_room ? 1 : NGX_HTTP_DT_AT_ONCE;

    if (node->failures % n == 0) {
        delay = ngx_http_dt_backoff_delay(NGX_HTTP_DT_MIN_BACKOFF,
                                          node->failures / n - 1);
        (void) ngx_http_dt_backoff_rest(node, delay);
    }

    return ngx_http_dt_backoff_wait(node, &job);
}


ngx_msec_t
ngx_http_dt_backoff_cost(ngx_http_dt_node_t *node, ngx_http_dt_work_t *work)
{
    ngx_uint_t  n;
    ngx_msec_t  delay, asked;

    delay = 0;

    if (work->cpu >= NGX_HTTP_DT_CHEAP) {
        n = node->failures ? node->failures - 1 : 0;
        delay = ngx_http_dt_backoff_delay(work->cpu * NGX_HTTP_DT_COST, n);
    }

    asked = (ngx_msec_t) work->retry_after * 1000;
    asked = ngx_min(asked, NGX_HTTP_DT_MAX_BACKOFF);
    delay = ngx_max(delay, asked);

    return delay ? ngx_http_dt_backoff_rest(node, delay) : 0;
}


ngx_msec_t
ngx_http_dt_backoff_stopped(ngx_http_dt_node_t *node)
{
    return ngx_http_dt_backoff_rest(node, NGX_HTTP_DT_MIN_BACKOFF);
}


void
ngx_http_dt_backoff_clear(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_memzero(node->failed, sizeof(node->failed));
    ngx_memzero(node->reason, sizeof(node->reason));
    ngx_http_dt_trouble_drop(zone, &node->trouble);

    node->failures = 0;
    node->failing = 0;
    node->resting = 0;
    node->no_room = 0;
}
