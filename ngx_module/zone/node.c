
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/base/hash.h"
#include "ngx_module/zone/node.h"


/*
 * A node is in a table, by the hash of its site's name, and in a queue, by the
 * time of its last use.  What the manager has not seen yet is also in another
 * queue.  The mutex of the slab pool guards all of it; nginx unlocks that
 * mutex when its holder dies.  The hash has a secret seed, because clients may
 * choose names of sites.
 */


static ngx_http_dt_node_t **ngx_http_dt_node_slot(
    ngx_http_dt_zone_t *zone, uint32_t hash);
static ngx_int_t ngx_http_dt_node_evict(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *keep);


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
         node = node->next_node)
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


ngx_http_dt_node_t *
ngx_http_dt_node_lock(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    uint32_t  hash;

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    return ngx_http_dt_node_find(zone, site, hash);
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

    node->created = ngx_time();
    node->accessed = node->created;

    slot = ngx_http_dt_node_slot(zone, hash);
    node->next_node = *slot;
    *slot = node;

    ngx_queue_insert_head(&zone->sh->lru, &node->lru);
    zone->sh->counters.nodes++;

    return node;
}


/* the order within one second does not matter, so busy sites seldom move */

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
    ngx_http_dt_node_drop_template(zone, node);
    ngx_http_dt_trouble_drop(zone, &node->trouble);

    while (node->npages) {
        ngx_http_dt_pages_drop(zone, node, node->npages - 1);
    }

    if (node->job) {
        ngx_slab_free_locked(zone->shpool, node->job);
    }

    slot = ngx_http_dt_node_slot(zone, node->hash);

    while (*slot != node) {
        slot = &(*slot)->next_node;
    }

    *slot = node->next_node;

    zone->sh->counters.nodes--;
    ngx_queue_remove(&node->lru);
    ngx_slab_free_locked(zone->shpool, node);
}


void
ngx_http_dt_node_state(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_uint_t state)
{
    ngx_http_dt_counters_t  *c;

    c = &zone->sh->counters;

    c->queued -= (node->state == NGX_HTTP_DT_STATE_QUEUED);
    c->running -= (node->state == NGX_HTTP_DT_STATE_RUNNING);
    c->queued += (state == NGX_HTTP_DT_STATE_QUEUED);
    c->running += (state == NGX_HTTP_DT_STATE_RUNNING);

    node->state = state;
}


void
ngx_http_dt_node_idle(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_http_dt_node_state(zone, node, NGX_HTTP_DT_STATE_IDLE);

    if (node->mailed) {
        node->mailed = 0;
        ngx_queue_remove(&node->mail);
    }

    node->wanted = 0;
}


void
ngx_http_dt_node_drop_template(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node)
{
    if (node->blob) {
        ngx_slab_free_locked(zone->shpool, node->blob);
        node->blob = NULL;
        zone->sh->counters.sites--;
    }
}


void *
ngx_http_dt_node_alloc(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *keep,
    size_t size)
{
    void  *p;

    for ( ;; ) {
        p = ngx_slab_alloc_locked(zone->shpool, size);

        if (p || ngx_http_dt_node_evict(zone, keep) != NGX_OK) {
            return p;
        }
    }
}


static ngx_int_t
ngx_http_dt_node_evict(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *keep)
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
