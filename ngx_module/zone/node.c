
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/base/hash.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/backoff.h"


/*
 * Sites lie in a table by the hash of their names, and in a queue by last use;
 * those with a job are also in the queue of jobs or in that of running ones.
 * Everything is behind the slab pool's mutex, which nginx unlocks when its
 * holder dies.  Names may be chosen by requests: the hash has a secret seed.
 */


static ngx_http_dt_node_t **ngx_http_dt_node_slot(
    ngx_http_dt_zone_t *zone, uint32_t hash);
static ngx_int_t ngx_http_dt_evict(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *keep);


ngx_str_t  ngx_http_dt_kinds[] = {
    ngx_string("first"),
    ngx_string("relearn"),
    ngx_string("extend")
};


ngx_str_t  ngx_http_dt_states[] = {
    ngx_string("idle"),
    ngx_string("queued"),
    ngx_string("running")
};


ngx_str_t  ngx_http_dt_results[] = {
    ngx_string("done"),
    ngx_string("taken"),
    ngx_string("known"),
    ngx_string("lost"),
    ngx_string("failed"),
    ngx_string("no-room"),
    ngx_string("stopped")
};


uint32_t
ngx_http_dt_node_hash(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    return (uint32_t) dt_hash((char *) site->data, site->len, zone->seed);
}


ngx_http_dt_node_t *
ngx_http_dt_node_find(ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash)
{
    ngx_http_dt_node_t  *node;

    for (node = *ngx_http_dt_node_slot(zone, hash);
         node;
         node = node->other)
    {
        if (node->hash == hash
            && node->name.len == site->len
            && ngx_memcmp(node->name.data, site->data, site->len) == 0)
        {
            break;
        }
    }

    return node;
}


static ngx_http_dt_node_t **
ngx_http_dt_node_slot(ngx_http_dt_zone_t *zone, uint32_t hash)
{
    return &zone->sh->sites[hash & (zone->sh->nsites - 1)];
}


ngx_http_dt_node_t *
ngx_http_dt_node_create(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    uint32_t hash)
{
    ngx_http_dt_node_t  *node, **slot;

    node = ngx_http_dt_node_alloc(zone, NULL, sizeof(ngx_http_dt_node_t)
                                  + site->len);
    if (node == NULL) {
        return NULL;
    }

    ngx_memzero(node, sizeof(ngx_http_dt_node_t));

    node->hash = hash;
    node->name.len = site->len;
    node->name.data = (u_char *) &node[1];
    ngx_memcpy(node->name.data, site->data, site->len);

    node->accessed = ngx_time();

    slot = ngx_http_dt_node_slot(zone, hash);
    node->other = *slot;
    *slot = node;

    ngx_queue_insert_head(&zone->sh->lru, &node->lru);
    zone->sh->counters.nodes++;

    return node;
}


/* the order within one second is of no use, so busy sites seldom move */

void
ngx_http_dt_node_touch(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    if (node->accessed != ngx_time()) {
        node->accessed = ngx_time();
        ngx_queue_remove(&node->lru);
        ngx_queue_insert_head(&zone->sh->lru, &node->lru);
    }
}


void
ngx_http_dt_node_delete(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_http_dt_node_t  **slot;

    ngx_http_dt_node_idle(zone, node);
    ngx_http_dt_node_clear(zone, node);
    ngx_http_dt_later_clear(zone, node);

    slot = ngx_http_dt_node_slot(zone, node->hash);

    while (*slot != node) {
        slot = &(*slot)->other;
    }

    *slot = node->other;

    zone->sh->counters.nodes--;
    ngx_queue_remove(&node->lru);
    ngx_slab_free_locked(zone->shpool, node);
}


void
ngx_http_dt_node_idle(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    switch (node->state) {

    case NGX_HTTP_DT_STATE_IDLE:
        return;

    case NGX_HTTP_DT_STATE_QUEUED:
        zone->sh->counters.queued--;

        ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate job dropped: \"%V\" %V", &node->name,
                       &ngx_http_dt_kinds[node->kind]);
        break;

    default: /* NGX_HTTP_DT_STATE_RUNNING */
        zone->sh->counters.running--;
    }

    ngx_queue_remove(&node->jobs);
    ngx_slab_free_locked(zone->shpool, node->job);

    node->job = NULL;
    node->denied = 0;
    node->bad = 0;
    node->state = NGX_HTTP_DT_STATE_IDLE;
}


void
ngx_http_dt_node_clear(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    if (node->blob) {
        ngx_slab_free_locked(zone->shpool, node->blob);
        node->blob = NULL;
        zone->sh->counters.sites--;
    }
}


ngx_uint_t
ngx_http_dt_node_owned(ngx_http_dt_node_t *node, ngx_http_dt_work_t *work)
{
    return node
           && node->state == NGX_HTTP_DT_STATE_RUNNING
           && node->ticket == work->ticket;
}


ngx_int_t
ngx_http_dt_node_enqueue(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t kind)
{
    ngx_msec_t  wait;

    if (job == NULL || !zone->manager) {
        return NGX_DECLINED;
    }

    wait = ngx_http_dt_backoff_wait(node, job);

    if (node->state != NGX_HTTP_DT_STATE_IDLE
        || wait
        || ngx_http_dt_node_full(zone, job))
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

    ngx_http_dt_job_store(node->job, job);

    node->state = NGX_HTTP_DT_STATE_QUEUED;
    node->kind = kind;
    node->not_before = ngx_current_msec;

    ngx_queue_insert_tail(&zone->sh->queued, &node->jobs);
    zone->sh->counters.queued++;
    zone->wake = 1;

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job queued: \"%V\" %V \"%s\"", &node->name,
                   &ngx_http_dt_kinds[kind], job->url);

    return NGX_OK;
}


ngx_uint_t
ngx_http_dt_node_full(ngx_http_dt_zone_t *zone, ngx_http_dt_job_t *job)
{
    ngx_uint_t  most;

    most = NGX_HTTP_DT_MAX_QUEUED;

    return zone->sh->counters.queued >= (job->chosen ? most / 2 : most);
}


size_t
ngx_http_dt_job_size(ngx_http_dt_job_t *job)
{
    return NGX_HTTP_DT_JOB_TAIL + ngx_strlen(job->url) + 1
           + ngx_strlen(job->origin) + 1;
}


void
ngx_http_dt_job_store(u_char *p, ngx_http_dt_job_t *job)
{
    p = ngx_cpymem(p, job->connect, NGX_HTTP_DT_JOB_TAIL);
    p = ngx_cpymem(p, job->url, ngx_strlen(job->url) + 1);
    ngx_memcpy(p, job->origin, ngx_strlen(job->origin) + 1);
}


void
ngx_http_dt_job_load(u_char *p, ngx_http_dt_job_t *job)
{
    ngx_memcpy(job->connect, p, NGX_HTTP_DT_JOB_TAIL);

    p += NGX_HTTP_DT_JOB_TAIL;
    ngx_cpystrn(job->url, p, NGX_HTTP_DT_MAX_URI);

    p += ngx_strlen(p) + 1;
    ngx_cpystrn(job->origin, p, sizeof(job->origin));
}


void *
ngx_http_dt_node_alloc(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *keep,
    size_t size)
{
    void  *p;

    for ( ;; ) {
        p = ngx_slab_alloc_locked(zone->shpool, size);

        if (p || ngx_http_dt_evict(zone, keep) != NGX_OK) {
            return p;
        }
    }
}


static ngx_int_t
ngx_http_dt_evict(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *keep)
{
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *node;

    for (q = ngx_queue_last(&zone->sh->lru);
         q != ngx_queue_sentinel(&zone->sh->lru);
         q = ngx_queue_prev(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, lru);

        if (node != keep && node->state != NGX_HTTP_DT_STATE_RUNNING) {

            ngx_log_debug1(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                           "detemplate site evicted: \"%V\"",
                           &node->name);

            ngx_http_dt_node_delete(zone, node);
            zone->sh->counters.evicted++;
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}
