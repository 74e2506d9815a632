
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/want.h"
#include "core/base/wire.h"
#include "ngx_module/zone/node.h"


#define NGX_HTTP_DT_REST        10000      /* ms, the first time */
#define NGX_HTTP_DT_MAX_REST    3600000    /* of a site that fails */
#define NGX_HTTP_DT_MAX_CHEAP   60000      /* likewise, with few requests */
#define NGX_HTTP_DT_MAX_LULL    86400000   /* of one that shows nothing new */

#define NGX_HTTP_DT_FEW         2          /* requests */

/* the number of pages tried in a row, as fast as visitors bring them; and the
   number where pages link to few others */

#define NGX_HTTP_DT_AT_ONCE     4
#define NGX_HTTP_DT_THIN        16

/* failures in a row after which a site is not asked any more */

#define NGX_HTTP_DT_PATIENT     5
#define NGX_HTTP_DT_SHUT        3          /* where all pages are denied */

/* back-off: a site rests for this multiple of the CPU time that its learning
   used */

#define NGX_HTTP_DT_COST        30
#define NGX_HTTP_DT_FREE        2000       /* ms that cost nothing */

#define NGX_HTTP_DT_MAX_WAITING 128        /* sites that wait to be learned */
#define NGX_HTTP_DT_ADMITTED    20         /* sites at once */
#define NGX_HTTP_DT_ADMIT_TIME  3000       /* ms for one more */
#define NGX_HTTP_DT_ADMIT_FULL  (NGX_HTTP_DT_ADMITTED * NGX_HTTP_DT_ADMIT_TIME)

/* requests to a site in an hour; a site whose learnings may send more may get
   those of one; and the least number to begin with */

#define NGX_HTTP_DT_HOUR        3600000    /* ms */
#define NGX_HTTP_DT_ASKED       120
#define NGX_HTTP_DT_LEAST       8

/* the bytes of a packed job before its two URLs, which end with a NUL each */

#define NGX_HTTP_DT_JOB_FIXED                                                 \
    (sizeof(ngx_http_dt_job_t)                                                \
     - offsetof(ngx_http_dt_job_t, connect))


static ngx_uint_t ngx_http_dt_want_room(ngx_http_dt_zone_t *zone,
    uint32_t server);
static ngx_http_dt_bucket_t *ngx_http_dt_want_bucket(
    ngx_http_dt_bucket_t *buckets, ngx_uint_t n, uint32_t key,
    ngx_msec_t full);
static ngx_msec_t ngx_http_dt_want_left(ngx_http_dt_bucket_t *bucket,
    ngx_msec_t full);
static ngx_msec_t ngx_http_dt_want_drip(ngx_http_dt_job_t *job);
static ngx_int_t ngx_http_dt_want_pack(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_job_t *job);
static void ngx_http_dt_want_tire(ngx_http_dt_node_t *node);
static ngx_uint_t ngx_http_dt_want_thin(ngx_http_dt_work_t *work);
static ngx_uint_t ngx_http_dt_want_barren(ngx_http_dt_work_t *work);
static ngx_msec_t ngx_http_dt_want_lull(ngx_http_dt_work_t *work);
static ngx_msec_t ngx_http_dt_want_failed(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_work_t *work, ngx_uint_t result);
static ngx_uint_t ngx_http_dt_want_shut(ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work);
static ngx_msec_t ngx_http_dt_want_delay(ngx_msec_t first, ngx_uint_t n,
    ngx_msec_t max);


ngx_uint_t
ngx_http_dt_want_admit(ngx_http_dt_zone_t *zone, ngx_http_dt_job_t *job)
{
    ngx_msec_t             left;
    ngx_http_dt_bucket_t  *b;

    if (job->named) {
        return 1;
    }

    if (!job->from_host) {
        return zone->sh->counters.queued < NGX_HTTP_DT_MAX_WAITING;
    }

    b = ngx_http_dt_want_bucket(zone->sh->buckets, NGX_HTTP_DT_BUCKETS,
                                job->server, NGX_HTTP_DT_ADMIT_FULL);
    left = ngx_http_dt_want_left(b, NGX_HTTP_DT_ADMIT_FULL);

    if (left > (NGX_HTTP_DT_ADMITTED - 1) * NGX_HTTP_DT_ADMIT_TIME) {
        return 0;
    }

    b->empty = ngx_current_msec + left + NGX_HTTP_DT_ADMIT_TIME;

    return ngx_http_dt_want_room(zone, job->server);
}


/*
 * A quarter of the waiting places is for sites that no client names.  Of the
 * rest, the sites that clients name of one server may take as many places as
 * they leave free.
 */

static ngx_uint_t
ngx_http_dt_want_room(ngx_http_dt_zone_t *zone, uint32_t server)
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
 * nothing, so that a key that has none takes the emptiest.
 */

static ngx_http_dt_bucket_t *
ngx_http_dt_want_bucket(ngx_http_dt_bucket_t *buckets, ngx_uint_t n,
    uint32_t key, ngx_msec_t full)
{
    ngx_http_dt_bucket_t  *b, *best;

    best = buckets;

    for (b = buckets; b < buckets + n; b++) {

        if (b->key == key) {
            return b;
        }

        if (ngx_http_dt_want_left(b, full) < ngx_http_dt_want_left(best, full))
        {
            best = b;
        }
    }

    ngx_memzero(best, sizeof(ngx_http_dt_bucket_t));
    best->key = key;

    return best;
}


/* milliseconds until the bucket is empty; an old time may look like a late one
   where ngx_msec_t has 32 bits */

static ngx_msec_t
ngx_http_dt_want_left(ngx_http_dt_bucket_t *bucket, ngx_msec_t full)
{
    ngx_msec_t  left;

    left = bucket->empty - ngx_current_msec;

    return (left <= full) ? left : 0;
}


/*
 * Sites share nothing but the table, so that a site that is forgotten, evicted
 * or wanted by other machines has its requests counted all the same.
 */

ngx_uint_t
ngx_http_dt_want_requests(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job)
{
    ngx_msec_t             left, drip;
    ngx_uint_t             n;
    ngx_http_dt_bucket_t  *b;

    b = ngx_http_dt_want_bucket(zone->sh->asked, NGX_HTTP_DT_SITES_ASKED,
                                node->hash, NGX_HTTP_DT_HOUR);
    left = ngx_http_dt_want_left(b, NGX_HTTP_DT_HOUR);
    drip = ngx_http_dt_want_drip(job);
    n = (NGX_HTTP_DT_HOUR - left) / drip;

    if (n < NGX_HTTP_DT_LEAST) {

        /* until there are more, the site is learned from what it serves */

        node->mute = ngx_time() + 1 + (NGX_HTTP_DT_LEAST * drip + left
                                       - NGX_HTTP_DT_HOUR) / 1000;
        return 0;
    }

    return ngx_min(n, DT_JOB_REQUESTS);
}


void
ngx_http_dt_want_asked(ngx_http_dt_zone_t *zone, uint32_t hash,
    ngx_http_dt_job_t *job, ngx_uint_t n)
{
    ngx_msec_t             left;
    ngx_http_dt_bucket_t  *b;

    b = ngx_http_dt_want_bucket(zone->sh->asked, NGX_HTTP_DT_SITES_ASKED,
                                hash, NGX_HTTP_DT_HOUR);
    left = ngx_http_dt_want_left(b, NGX_HTTP_DT_HOUR)
           + n * ngx_http_dt_want_drip(job);

    b->empty = ngx_current_msec + ngx_min(left, NGX_HTTP_DT_HOUR);

    zone->sh->counters.asked += n;
}


/* milliseconds for one request to a site */

static ngx_msec_t
ngx_http_dt_want_drip(ngx_http_dt_job_t *job)
{
    return NGX_HTTP_DT_HOUR / ngx_max(NGX_HTTP_DT_ASKED, 3 * job->loads);
}


ngx_int_t
ngx_http_dt_want(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job)
{
    if (ngx_http_dt_node_stays(node)) {
        return NGX_DECLINED;
    }

    if (node->state != NGX_HTTP_DT_STATE_IDLE
        && node->state != NGX_HTTP_DT_STATE_RUNNING)
    {
        return NGX_OK;
    }

    if (ngx_http_dt_want_pack(zone, node, job) != NGX_OK) {
        return NGX_DECLINED;
    }

    node->from_host = job->from_host;
    node->named = job->named;
    node->server = job->server;

    /* a running learning goes on; then the site is mailed again */

    if (ngx_http_dt_node_runs(node)) {
        ngx_http_dt_node_state(zone, node, NGX_HTTP_DT_STATE_AGAIN);

    } else {
        ngx_http_dt_want_mail(zone, node);
    }

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate site wanted: \"%V\" \"%s\" rest:%M",
                   &node->name, job->url, ngx_http_dt_want_rest(node));

    return NGX_OK;
}


/* stores a job in one block of memory, without unused bytes */

static ngx_int_t
ngx_http_dt_want_pack(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job)
{
    size_t   url, origin;
    u_char  *packed, *p;

    url = ngx_strlen(job->url) + 1;
    origin = ngx_strlen(job->origin) + 1;

    packed = ngx_http_dt_node_alloc(zone, node,
                                    NGX_HTTP_DT_JOB_FIXED + url + origin);
    if (packed == NULL) {
        return NGX_DECLINED;
    }

    p = ngx_cpymem(packed, job->connect, NGX_HTTP_DT_JOB_FIXED);
    p = ngx_cpymem(p, job->url, url);
    ngx_memcpy(p, job->origin, origin);

    if (node->job) {
        ngx_slab_free_locked(zone->shpool, node->job);
    }

    node->job = packed;

    return NGX_OK;
}


void
ngx_http_dt_want_job(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job)
{
    u_char  *p;

    p = node->job;
    ngx_memcpy(job->connect, p, NGX_HTTP_DT_JOB_FIXED);

    p += NGX_HTTP_DT_JOB_FIXED;
    ngx_cpystrn(job->url, p, NGX_HTTP_DT_MAX_URI);

    p += ngx_strlen(p) + 1;
    ngx_cpystrn(job->origin, p, sizeof(job->origin));
}


void
ngx_http_dt_want_mail(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_http_dt_node_state(zone, node, ngx_http_dt_want_rest(node)
                                       ? NGX_HTTP_DT_STATE_RESTING
                                       : NGX_HTTP_DT_STATE_QUEUED);

    if (!node->mailed) {
        node->mailed = 1;
        ngx_queue_insert_tail(&zone->sh->mail, &node->mail);
    }

    zone->wake = 1;
}


ngx_msec_t
ngx_http_dt_want_rest(ngx_http_dt_node_t *node)
{
    ngx_msec_int_t  left;

    left = (ngx_msec_int_t) (node->next - ngx_current_msec);

    return (left > 0) ? left : 0;
}


/* the n-th delay in a row, each twice as long as the one before */

static ngx_msec_t
ngx_http_dt_want_delay(ngx_msec_t first, ngx_uint_t n, ngx_msec_t max)
{
    while (--n && first < max) {
        first *= 2;
    }

    return ngx_min(first, max);
}


ngx_msec_t
ngx_http_dt_want_ended(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work, ngx_uint_t result)
{
    ngx_msec_t  rest, more;

    rest = 0;
    ngx_http_dt_want_tire(node);

    if (result == NGX_HTTP_DT_RESULT_TAKEN && !work->unkept) {
        return 0;
    }

    if (result == NGX_HTTP_DT_RESULT_STOPPED) {
        rest = NGX_HTTP_DT_REST;

    } else if (result == NGX_HTTP_DT_RESULT_TAKEN) {
        rest = ngx_http_dt_want_lull(work);

    } else if (result == NGX_HTTP_DT_RESULT_DONE) {
        zone->sh->counters.done++;

        node->failures = 0;
        node->thin = ngx_http_dt_want_thin(work) ? node->thin + 1 : 0;
        node->barren = work->served ? node->barren
                                    : ngx_http_dt_want_barren(work);
        node->vain = (work->fresh || ngx_http_dt_want_grows(node))
                     ? 0 : work->vain + 1;
        more = ngx_http_dt_want_lull(work);

        /*
         * The first page that shows little of a first template need not wait,
         * as the sample may lack such pages by chance.  The sample of a site
         * that links to few pages lacks most of the others.  The next learning
         * would replace, and not extend, a template that was not kept.
         */

        if (work->unkept) {
            rest = more;

        } else if (work->version && !ngx_http_dt_want_grows(node)) {
            rest = ngx_http_dt_want_delay(NGX_HTTP_DT_REST, node->vain + 1,
                                          more);
        }

    } else {
        rest = ngx_http_dt_want_failed(zone, node, work, result);
    }

    if (work->cpu >= NGX_HTTP_DT_FREE) {
        ngx_http_dt_want_tire(node);
        more = ngx_http_dt_want_delay(ngx_min(work->cpu * NGX_HTTP_DT_COST,
                                              NGX_HTTP_DT_MAX_REST),
                                      ngx_max(node->vain, 1),
                                      NGX_HTTP_DT_MAX_REST);
        rest = ngx_max(rest, more);
    }

    if (work->retry_after) {
        ngx_http_dt_want_tire(node);
        more = ngx_min(work->retry_after, NGX_HTTP_DT_MAX_REST / 1000) * 1000;
        rest = ngx_max(rest, more);
    }

    if (node->rest == NGX_HTTP_DT_REST_LIGHT
        && ngx_http_dt_pages_tried(node, work->job.key))
    {
        node->rest = NGX_HTTP_DT_REST_ROUSED;
        ngx_http_dt_node_state(zone, node, NGX_HTTP_DT_STATE_AGAIN);
        rest = 0;
    }

    node->next = ngx_current_msec + rest;

    return rest;
}


/* a page that was not tried is no reason to end the rest */

static void
ngx_http_dt_want_tire(ngx_http_dt_node_t *node)
{
    if (node->rest == NGX_HTTP_DT_REST_LIGHT) {
        node->rest = NGX_HTTP_DT_REST_FULL;
    }
}


void
ngx_http_dt_want_rouse(ngx_http_dt_node_t *node)
{
    if (node->rest == NGX_HTTP_DT_REST_LIGHT) {
        node->rest = NGX_HTTP_DT_REST_ROUSED;
        node->next = ngx_current_msec;
    }
}


/* fewer pages were found than were to be loaded */

static ngx_uint_t
ngx_http_dt_want_thin(ngx_http_dt_work_t *work)
{
    return work->loads < work->job.loads;
}


/* half as many requests as pages that were to be loaded were in vain */

static ngx_uint_t
ngx_http_dt_want_barren(ngx_http_dt_work_t *work)
{
    return work->tries >= work->loads + work->job.loads / 2;
}


ngx_uint_t
ngx_http_dt_want_grows(ngx_http_dt_node_t *node)
{
    return node->thin && node->thin < NGX_HTTP_DT_THIN;
}


ngx_uint_t
ngx_http_dt_want_waits(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job)
{
    return ngx_http_dt_want_mute(node, job)
           || (job->copied
               && node->blob
               && !node->anew
               && node->barren
               && ngx_http_dt_want_grows(node)
               && ngx_time() < node->refresh);
}


/* the longest that a site rests without a failure */

static ngx_msec_t
ngx_http_dt_want_lull(ngx_http_dt_work_t *work)
{
    return ngx_min(work->job.refresh, NGX_HTTP_DT_MAX_LULL / 1000) * 1000;
}


/*
 * After a page that has failed, another one may succeed.  So the full back-off
 * begins only when several have failed, or one has used much CPU time.
 */

static ngx_msec_t
ngx_http_dt_want_failed(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work, ngx_uint_t result)
{
    ngx_str_t   url;
    ngx_uint_t  few, light;

    static ngx_str_t  none = ngx_null_string;

    zone->sh->counters.failed++;

    work->told = (ngx_strcmp(node->reason, work->reason) == 0);
    work->first = (node->blob == NULL && !node->failing);
    ngx_memcpy(node->reason, work->reason, sizeof(node->reason));

    url.data = work->job.url;
    url.len = ngx_strlen(url.data);
    ngx_http_dt_trouble_set(zone, &node->trouble, &work->detail, &url, &none);

    node->failing = (result == NGX_HTTP_DT_RESULT_NO_ROOM)
                    ? NGX_HTTP_DT_FAIL_ROOM : NGX_HTTP_DT_FAIL;
    node->failures++;

    if (ngx_http_dt_want_shut(node, work)) {

        /* the next learning has only to wait for pages */

        node->mute = ngx_time() + work->job.refresh;
        node->failures = 0;
        node->vain = 0;
        work->mute = 1;

        return 0;
    }

    node->vain += (node->rest != NGX_HTTP_DT_REST_ROUSED);

    (void) ngx_http_dt_pages_tried(node, work->job.key);

    few = (work->tries <= NGX_HTTP_DT_FEW
           && (ngx_strcmp(work->reason, "key-page") == 0
               || ngx_strcmp(work->reason, "no-links") == 0));

    /* the learner sent no request, so the page did not cause the failure */

    light = (node->failing != NGX_HTTP_DT_FAIL_ROOM
             && (work->tries || work->served)
             && node->failures % (ngx_http_dt_want_thin(work)
                                  ? NGX_HTTP_DT_THIN
                                  : NGX_HTTP_DT_AT_ONCE) != 0);

    node->rest = light ? NGX_HTTP_DT_REST_LIGHT : NGX_HTTP_DT_REST_FULL;

    return ngx_http_dt_want_delay(NGX_HTTP_DT_REST, ngx_max(node->vain, 1),
                                  few ? NGX_HTTP_DT_MAX_CHEAP
                                      : NGX_HTTP_DT_MAX_REST);
}


/* whether a site whose pages may be requested does not let that be done */

static ngx_uint_t
ngx_http_dt_want_shut(ngx_http_dt_node_t *node, ngx_http_dt_work_t *work)
{
    if (work->served || work->job.shared) {
        return 0;
    }

    /* a log-in is told by a redirect, of which the detail is about */

    return ngx_strcmp(work->reason, "robots") == 0
           || (node->failures >= NGX_HTTP_DT_SHUT
               && (ngx_strcmp(work->reason, "denied") == 0
                   || (work->detail.len >= 10
                       && ngx_strncmp(work->detail.data, "redirected", 10)
                          == 0)))
           || (node->failures >= NGX_HTTP_DT_PATIENT
               && (ngx_strcmp(work->reason, "key-page") == 0
                   || ngx_strcmp(work->reason, "no-candidates") == 0));
}


void
ngx_http_dt_want_clear(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_memzero(node->reason, sizeof(node->reason));
    ngx_http_dt_trouble_drop(zone, &node->trouble);

    /* the site has been learned, here or elsewhere, so its failures are
       over */

    if (node->failing) {
        node->failures = 0;
        node->vain = 0;
        node->next = ngx_current_msec;
    }

    node->failing = NGX_HTTP_DT_FAIL_NONE;
}
