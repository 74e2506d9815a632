
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/zone/backoff.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/wake.h"


static void ngx_http_dt_wake_close(void *data);


/*
 * The pipe is the zone's: workers of before a reload wake the manager of after
 * it.  Each cycle has descriptors of its own, and closes them when it goes.
 */

ngx_int_t
ngx_http_dt_wake_open(ngx_http_dt_zone_t *zone, ngx_http_dt_zone_t *ozone,
    ngx_log_t *log)
{
    int                  rc;
    ngx_uint_t           i;
    ngx_pool_cleanup_t  *cln;

    cln = ngx_pool_cleanup_add(zone->cycle->pool, 0);
    if (cln == NULL) {
        return NGX_ERROR;
    }

    zone->pipe[0] = -1;
    zone->pipe[1] = -1;

    cln->handler = ngx_http_dt_wake_close;
    cln->data = zone;

    if (ozone && ozone->manager) {
        zone->pipe[0] = dup(ozone->pipe[0]);
        zone->pipe[1] = dup(ozone->pipe[1]);
        rc = ngx_min(zone->pipe[0], zone->pipe[1]);

    } else {
        rc = pipe(zone->pipe);
    }

    if (rc == -1) {
        ngx_log_error(NGX_LOG_EMERG, log, ngx_errno,
                      "detemplate: no pipe to the manager");
        return NGX_ERROR;
    }

    for (i = 0; i < 2; i++) {
        if (ngx_nonblocking(zone->pipe[i]) == -1
            || fcntl(zone->pipe[i], F_SETFD, FD_CLOEXEC) == -1)
        {
            ngx_log_error(NGX_LOG_EMERG, log, ngx_errno,
                          "detemplate: fcntl() failed");
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static void
ngx_http_dt_wake_close(void *data)
{
    ngx_http_dt_zone_t  *zone = data;

    ngx_uint_t  i;

    for (i = 0; i < 2; i++) {
        if (zone->pipe[i] != -1 && close(zone->pipe[i]) == -1) {
            ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                          "detemplate: close() failed");
        }
    }
}


/* after the lock: where the pipe is full, the manager is woken anyway */

void
ngx_http_dt_wake(ngx_http_dt_zone_t *zone)
{
    if (zone->wake) {
        zone->wake = 0;

        if (write(zone->pipe[1], "", 1) == -1 && ngx_errno != NGX_EAGAIN) {
            ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                          "detemplate: the manager is not woken");
        }
    }
}


ngx_fd_t
ngx_http_dt_wake_fd(ngx_http_dt_zone_t *zone)
{
    return zone->pipe[0];
}


void
ngx_http_dt_wake_heard(ngx_http_dt_zone_t *zone)
{
    u_char   buf[128];
    ssize_t  n;

    do {
        n = read(zone->pipe[0], buf, sizeof(buf));
    } while (n == sizeof(buf));
}


ngx_msec_t
ngx_http_dt_wake_due(ngx_http_dt_zone_t *zone, ngx_msec_t max,
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
        node = ngx_queue_data(q, ngx_http_dt_node_t, jobs);

        if (node->owner != ngx_pid) {
            *foreign = 1;
        }
    }

    for (q = ngx_queue_head(&sh->queued);
         q != ngx_queue_sentinel(&sh->queued);
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, jobs);
        left = (ngx_msec_int_t) (node->not_before - ngx_current_msec);
        least = ngx_min(least, left);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return ngx_max(least, 0);
}


ngx_int_t
ngx_http_dt_wake_renew(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work)
{
    uint32_t             hash;
    ngx_int_t            rc;
    ngx_http_dt_node_t  *node;

    rc = NGX_DECLINED;
    hash = ngx_http_dt_node_hash(zone, &work->site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, &work->site, hash);

    if (ngx_http_dt_node_owned(node, work)) {
        node->deadline = ngx_current_msec + NGX_HTTP_DT_LEASE;
        rc = NGX_OK;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return rc;
}


ngx_uint_t
ngx_http_dt_wake_reclaim(ngx_http_dt_zone_t *zone)
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
        node = ngx_queue_data(q, ngx_http_dt_node_t, jobs);

        if ((ngx_msec_int_t) (node->deadline - ngx_current_msec) <= 0) {
            (void) ngx_http_dt_backoff_failed(zone, node, NULL);
            ngx_http_dt_node_idle(zone, node);
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
