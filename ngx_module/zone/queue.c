
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/zone/backoff.h"
#include "ngx_module/zone/job.h"
#include "ngx_module/zone/queue.h"


static uint64_t ngx_http_dt_queue_turn(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);


ngx_int_t
ngx_http_dt_queue_add(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t kind)
{
    ngx_msec_t  wait;

    wait = ngx_http_dt_backoff_wait(node, job);

    if (node->state != NGX_HTTP_DT_STATE_IDLE
        || ngx_http_dt_node_stays(node)
        || wait
        || ngx_http_dt_queue_full(zone, job))
    {
        ngx_log_debug5(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate job not queued: \"%V\" %V state:%ui "
                       "back-off:%M queued:%uL", &node->name,
                       &ngx_http_dt_kinds[kind], node->state, wait,
                       zone->sh->counters.queued);

        return NGX_DECLINED;
    }

    node->job = ngx_http_dt_node_alloc(zone, node, ngx_http_dt_job_size(job));
    if (node->job == NULL) {
        return NGX_DECLINED;
    }

    ngx_http_dt_job_pack(node->job, job);

    node->state = NGX_HTTP_DT_STATE_QUEUED;
    node->kind = kind;
    node->not_before = ngx_current_msec;
    node->from_host = job->from_host;
    node->server = job->server;

    node->class = job->named ? NGX_HTTP_DT_CLASS_NAMED
                  : (node->blob || node->expired) ? NGX_HTTP_DT_CLASS_SERVED
                  : NGX_HTTP_DT_CLASS_NEW;
    node->turn = ngx_http_dt_queue_turn(zone, node);

    ngx_queue_insert_tail(&zone->sh->queued, &node->queue);
    zone->sh->counters.queued++;
    zone->wake = 1;

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job queued: \"%V\" %V \"%s\"", &node->name,
                   &ngx_http_dt_kinds[kind], job->url);

    return NGX_OK;
}


/*
 * Within a class, servers take turns: each turn has at most one new job of a
 * server, and jobs of an earlier turn are taken first.
 */

static uint64_t
ngx_http_dt_queue_turn(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    uint64_t             turn;
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *other;

    turn = zone->sh->taken[node->class].turn;

    for (q = ngx_queue_head(&zone->sh->queued);
         q != ngx_queue_sentinel(&zone->sh->queued);
         q = ngx_queue_next(q))
    {
        other = ngx_queue_data(q, ngx_http_dt_node_t, queue);

        if (other->class == node->class && other->server == node->server) {
            turn = ngx_max(turn, other->turn);
        }
    }

    return turn + 1;
}


ngx_uint_t
ngx_http_dt_queue_full(ngx_http_dt_zone_t *zone, ngx_http_dt_job_t *job)
{
    ngx_uint_t           n;
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *node;

    n = zone->sh->counters.queued;

    if (!job->from_host) {
        return n >= NGX_HTTP_DT_MAX_QUEUED;
    }

    /* the more servers have jobs, the less room is left for each */

    for (q = ngx_queue_head(&zone->sh->queued);
         q != ngx_queue_sentinel(&zone->sh->queued);
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, queue);
        n += (node->from_host && node->server == job->server);
    }

    return n >= NGX_HTTP_DT_MAX_QUEUED * 3 / 4;
}
