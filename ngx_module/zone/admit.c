
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/admit.h"


#define NGX_HTTP_DT_MAX_WAITING 128    /* sites that wait to be learned */
#define NGX_HTTP_DT_ADMITTED    20     /* sites at once */
#define NGX_HTTP_DT_ADMIT_TIME  3000   /* ms for one more */


static ngx_uint_t ngx_http_dt_admit_room(ngx_http_dt_zone_t *zone,
    uint32_t server);
static ngx_http_dt_bucket_t *ngx_http_dt_admit_bucket(
    ngx_http_dt_shctx_t *sh, uint32_t server);
static ngx_msec_t ngx_http_dt_admit_left(ngx_http_dt_bucket_t *bucket);


ngx_uint_t
ngx_http_dt_admit(ngx_http_dt_zone_t *zone, ngx_http_dt_job_t *job)
{
    ngx_msec_t             left;
    ngx_http_dt_bucket_t  *b;

    if (job->named) {
        return 1;
    }

    if (!job->from_host) {
        return zone->sh->counters.queued < NGX_HTTP_DT_MAX_WAITING;
    }

    b = ngx_http_dt_admit_bucket(zone->sh, job->server);
    left = ngx_http_dt_admit_left(b);

    if (left > (NGX_HTTP_DT_ADMITTED - 1) * NGX_HTTP_DT_ADMIT_TIME) {
        return 0;
    }

    b->empty = ngx_current_msec + left + NGX_HTTP_DT_ADMIT_TIME;

    return ngx_http_dt_admit_room(zone, job->server);
}


/*
 * A quarter of those that may wait is for sites that no client names.  Of the
 * rest, those that clients name of one server may be as many as they leave
 * free.
 */

static ngx_uint_t
ngx_http_dt_admit_room(ngx_http_dt_zone_t *zone, uint32_t server)
{
    ngx_uint_t           n;
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *node;

    n = zone->sh->counters.queued;

    for (q = ngx_queue_head(&zone->sh->lru);
         n && q != ngx_queue_sentinel(&zone->sh->lru);
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, lru);
        n += (node->state == NGX_HTTP_DT_STATE_QUEUED
              && node->from_host
              && node->server == server);
    }

    return n < NGX_HTTP_DT_MAX_WAITING * 3 / 4;
}


/*
 * A bucket is stored as the time at which it will be empty.  An empty one says
 * nothing, so that a server that has none takes the emptiest.
 */

static ngx_http_dt_bucket_t *
ngx_http_dt_admit_bucket(ngx_http_dt_shctx_t *sh, uint32_t server)
{
    ngx_uint_t             i;
    ngx_http_dt_bucket_t  *b, *best;

    best = sh->buckets;

    for (i = 0; i < NGX_HTTP_DT_BUCKETS; i++) {
        b = &sh->buckets[i];

        if (b->server == server) {
            return b;
        }

        if (ngx_http_dt_admit_left(b) < ngx_http_dt_admit_left(best)) {
            best = b;
        }
    }

    ngx_memzero(best, sizeof(ngx_http_dt_bucket_t));
    best->server = server;

    return best;
}


/* milliseconds until the bucket is empty; an old time may look like a late one
   where ngx_msec_t has 32 bits */

static ngx_msec_t
ngx_http_dt_admit_left(ngx_http_dt_bucket_t *bucket)
{
    ngx_msec_t  left;

    left = bucket->empty - ngx_current_msec;

    return (left <= NGX_HTTP_DT_ADMITTED * NGX_HTTP_DT_ADMIT_TIME) ? left : 0;
}
