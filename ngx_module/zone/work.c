
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/zone/backoff.h"
#include "ngx_module/zone/job.h"
#include "ngx_module/zone/later.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/work.h"


static ngx_http_dt_node_t *ngx_http_dt_work_first(ngx_http_dt_shctx_t *sh,
    ngx_uint_t from_host);
static ngx_uint_t ngx_http_dt_work_before(ngx_http_dt_shctx_t *sh,
    ngx_http_dt_node_t *node, ngx_http_dt_node_t *other);
static void ngx_http_dt_work_fill(ngx_http_dt_work_t *work,
    ngx_http_dt_node_t *node);
static ngx_uint_t ngx_http_dt_work_owned(ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work);


ngx_int_t
ngx_http_dt_work_take(ngx_http_dt_zone_t *zone, ngx_uint_t max,
    ngx_uint_t from_host, ngx_http_dt_work_t *work)
{
    ngx_http_dt_node_t   *node;
    ngx_http_dt_taken_t  *taken;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = (sh->counters.running < max)
           ? ngx_http_dt_work_first(sh, from_host) : NULL;

    if (node == NULL) {
        ngx_shmtx_unlock(&zone->shpool->mutex);
        return NGX_DECLINED;
    }

    ngx_queue_remove(&node->queue);
    ngx_queue_insert_tail(&sh->running, &node->queue);
    sh->counters.queued--;
    sh->counters.running++;

    node->state = NGX_HTTP_DT_STATE_RUNNING;
    node->ticket = ++sh->ticket;
    node->owner = ngx_pid;
    node->deadline = ngx_current_msec + NGX_HTTP_DT_LEASE;

    taken = &sh->taken[node->class];
    taken->ticket = node->ticket;
    taken->turn = ngx_max(taken->turn, node->turn);

    ngx_http_dt_work_fill(work, node);

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug4(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job taken: \"%V\" %V \"%s\" version:%uD",
                   &work->site, &ngx_http_dt_kinds[work->kind], work->job.url,
                   work->version);

    return NGX_OK;
}


/* the job that is next of those that are due, or NULL */

static ngx_http_dt_node_t *
ngx_http_dt_work_first(ngx_http_dt_shctx_t *sh, ngx_uint_t from_host)
{
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *node, *first;

    first = NULL;

    for (q = ngx_queue_head(&sh->queued);
         q != ngx_queue_sentinel(&sh->queued);
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, queue);

        if ((ngx_msec_int_t) (node->not_before - ngx_current_msec) <= 0
            && (from_host || !node->from_host)
            && (first == NULL || ngx_http_dt_work_before(sh, node, first)))
        {
            first = node;
        }
    }

    return first;
}


/* the class that has waited longest is first, and in it the earliest turn */

static ngx_uint_t
ngx_http_dt_work_before(ngx_http_dt_shctx_t *sh, ngx_http_dt_node_t *node,
    ngx_http_dt_node_t *other)
{
    uint64_t  ticket, other_ticket;

    ticket = sh->taken[node->class].ticket;
    other_ticket = sh->taken[other->class].ticket;

    if (ticket != other_ticket) {
        return ticket < other_ticket;
    }

    return (node->class != other->class) ? node->class < other->class
                                         : node->turn < other->turn;
}


static void
ngx_http_dt_work_fill(ngx_http_dt_work_t *work, ngx_http_dt_node_t *node)
{
    u_char  *job;

    work->ticket = node->ticket;
    work->kind = node->kind;
    work->evidence = 0;
    work->anew = node->anew;
    work->pinned = node->pinned;
    work->told = 0;
    work->first = 0;
    work->version = node->blob ? node->info.version : 0;
    work->learned_at = node->blob ? node->info.learned_at : 0;
    work->pages = node->pages;
    work->locked_since = node->locked_since;
    work->unsound = node->unsound;

    work->site.len = node->name.len;
    work->site.data = work->name;
    ngx_memcpy(work->name, node->name.data, node->name.len);
    work->name[node->name.len] = '\0';

    job = node->job ? node->job : node->last;

    if (job) {
        ngx_http_dt_job_unpack(job, &work->job);

    } else {
        ngx_memzero(&work->job, sizeof(ngx_http_dt_job_t));
    }
}


/*
 * A job says how long a template is valid.  After a restart there may be none,
 * but a template that was read from a snapshot.
 */

ngx_int_t
ngx_http_dt_work_look(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work)
{
    uint32_t             hash;
    ngx_int_t            rc;
    ngx_http_dt_node_t  *node;

    rc = NGX_DECLINED;
    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, site, hash);

    if (node && (node->job || node->last || node->blob)) {
        rc = NGX_OK;
        ngx_http_dt_work_fill(work, node);
        work->ticket = 0;

        if (node->job == NULL && node->last == NULL) {
            work->job.valid = node->valid - (time_t) node->info.learned_at;
            work->job.refresh = node->refresh - (time_t) node->info.learned_at;
            work->job.from_host = node->from_host;
        }
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return rc;
}


void
ngx_http_dt_work_requeue(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    time_t delay)
{
    uint32_t              hash;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;
    hash = ngx_http_dt_node_hash(zone, &work->site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, &work->site, hash);

    if (ngx_http_dt_work_owned(node, work)) {
        ngx_queue_remove(&node->queue);
        ngx_queue_insert_tail(&sh->queued, &node->queue);
        sh->counters.running--;
        sh->counters.queued++;

        node->state = NGX_HTTP_DT_STATE_QUEUED;
        node->not_before = ngx_current_msec + delay * 1000;
        node->locked_since = work->locked_since;
        node->unsound = work->unsound;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job put back: \"%V\" for %T s",
                   &work->site, delay);
}


ngx_int_t
ngx_http_dt_work_renew(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work)
{
    uint32_t             hash;
    ngx_int_t            rc;
    ngx_http_dt_node_t  *node;

    rc = NGX_DECLINED;
    hash = ngx_http_dt_node_hash(zone, &work->site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, &work->site, hash);

    if (ngx_http_dt_work_owned(node, work)) {
        node->deadline = ngx_current_msec + NGX_HTTP_DT_LEASE;
        rc = NGX_OK;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return rc;
}


time_t
ngx_http_dt_work_finish(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    ngx_uint_t result)
{
    uint32_t             hash;
    ngx_msec_t           wait, cost;
    ngx_http_dt_node_t  *node;

    wait = 0;
    hash = ngx_http_dt_node_hash(zone, &work->site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, &work->site, hash);

    if (ngx_http_dt_work_owned(node, work)) {

        if (result != NGX_HTTP_DT_RESULT_STOPPED) {
            node->pages = work->pages;
        }

        switch (result) {

        case NGX_HTTP_DT_RESULT_DONE:
            zone->sh->counters.done++;
            break;

        case NGX_HTTP_DT_RESULT_TAKEN:
        case NGX_HTTP_DT_RESULT_KNOWN:
            break;

        case NGX_HTTP_DT_RESULT_LOST:

            /*
             * The next request queues a job that learns the site anew.  For
             * postponed pages there is nothing to be added to either.
             */

            node->refresh = ngx_time();
            ngx_http_dt_node_drop_later(zone, node);
            break;

        case NGX_HTTP_DT_RESULT_STOPPED:
            wait = ngx_http_dt_backoff_stopped(node);
            break;

        default: /* FAILED, NO_ROOM */
            node->no_room = (result == NGX_HTTP_DT_RESULT_NO_ROOM);
            wait = ngx_http_dt_backoff_failed(zone, node, work);
        }

        cost = ngx_http_dt_backoff_cost(node, work);
        wait = ngx_max(wait, cost);

        ngx_http_dt_node_drop_job(zone, node);
        ngx_http_dt_later_next(zone, node);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job ended: \"%V\" %V, back-off:%M", &work->site,
                   &ngx_http_dt_results[result], wait);

    return (wait + 999) / 1000;
}


/* whether the job is still that of this work; node may be NULL */

static ngx_uint_t
ngx_http_dt_work_owned(ngx_http_dt_node_t *node, ngx_http_dt_work_t *work)
{
    return node
           && node->state == NGX_HTTP_DT_STATE_RUNNING
           && node->ticket == work->ticket;
}


ngx_uint_t
ngx_http_dt_work_reclaim(ngx_http_dt_zone_t *zone)
{
    ngx_uint_t            n;
    ngx_queue_t          *q, *next;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    n = 0;
    sh = zone->sh;

    ngx_shmtx_lock(&zone->shpool->mutex);

    for (q = ngx_queue_head(&sh->running);
         q != ngx_queue_sentinel(&sh->running);
         q = next)
    {
        next = ngx_queue_next(q);
        node = ngx_queue_data(q, ngx_http_dt_node_t, queue);

        if ((ngx_msec_int_t) (node->deadline - ngx_current_msec) <= 0) {
            (void) ngx_http_dt_backoff_failed(zone, node, NULL);
            ngx_http_dt_node_drop_job(zone, node);
            ngx_http_dt_later_next(zone, node);
            n++;
            continue;
        }

        if (kill(node->owner, 0) == -1 && ngx_errno == NGX_ESRCH) {
            ngx_queue_remove(q);
            ngx_queue_insert_head(&sh->queued, q);
            sh->counters.running--;
            sh->counters.queued++;

            node->state = NGX_HTTP_DT_STATE_QUEUED;
            node->not_before = ngx_current_msec;
            n++;
        }
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return n;
}


ngx_msec_t
ngx_http_dt_work_due(ngx_http_dt_zone_t *zone, ngx_msec_t max,
    ngx_uint_t *foreign)
{
    ngx_queue_t          *q;
    ngx_msec_int_t        left, least;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;
    least = max;
    *foreign = 0;

    ngx_shmtx_lock(&zone->shpool->mutex);

    for (q = ngx_queue_head(&sh->running);
         q != ngx_queue_sentinel(&sh->running);
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, queue);

        if (node->owner != ngx_pid) {
            *foreign = 1;
        }
    }

    for (q = ngx_queue_head(&sh->queued);
         q != ngx_queue_sentinel(&sh->queued);
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, queue);
        left = (ngx_msec_int_t) (node->not_before - ngx_current_msec);
        least = ngx_min(least, left);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return ngx_max(least, 0);
}
