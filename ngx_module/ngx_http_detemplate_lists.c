
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_http_detemplate_lists.h"
#include "ngx_http_detemplate_node.h"


/*
 * Lists lie in a tree by key and in a queue by last use, behind the slab
 * pool's mutex.  They are what a full zone gives up first: a template is worth
 * more than any of them.
 */


#define NGX_HTTP_DETEMPLATE_LISTS_PART   2    /* of the zone: a half */
#define NGX_HTTP_DETEMPLATE_LISTS_EVICT  16   /* for a new one, at most */


typedef struct {
    ngx_rbtree_node_t              node;
    ngx_queue_t                    lru;
    uint64_t                       key;
    uint64_t                       file;      /* 0: none */
    time_t                         accessed;
    ngx_uint_t                     want;
    dt_edits_t                     list;      /* more behind it */
} ngx_http_detemplate_list_t;


static ngx_http_detemplate_list_t *ngx_http_detemplate_list_find(
    ngx_http_detemplate_zone_t *zone, uint64_t key);
static void ngx_http_detemplate_list_touch(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_list_t *l);
static ngx_http_detemplate_list_t *ngx_http_detemplate_list_alloc(
    ngx_http_detemplate_zone_t *zone, size_t size);
static void ngx_http_detemplate_list_delete(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_list_t *l);
static size_t ngx_http_detemplate_list_room(size_t size);


uint64_t
ngx_http_detemplate_list_seed(ngx_http_detemplate_zone_t *zone)
{
    return zone->seed;
}


static ngx_http_detemplate_list_t *
ngx_http_detemplate_list_find(ngx_http_detemplate_zone_t *zone, uint64_t key)
{
    ngx_rbtree_key_t             hash;
    ngx_rbtree_node_t           *node, *sentinel;
    ngx_http_detemplate_list_t  *l;

    hash = (ngx_rbtree_key_t) key;
    node = zone->sh->lists.root;
    sentinel = zone->sh->lists.sentinel;

    while (node != sentinel) {

        if (hash != node->key) {
            node = (hash < node->key) ? node->left : node->right;
            continue;
        }

        l = (ngx_http_detemplate_list_t *) node;

        /* there is only one of each key of the tree, see below */

        return (l->key == key) ? l : NULL;
    }

    return NULL;
}


dt_edits_t *
ngx_http_detemplate_list_get(ngx_http_detemplate_zone_t *zone, uint64_t key,
    ngx_pool_t *pool, uint64_t *file, ngx_uint_t *want)
{
    dt_edits_t                  *list;
    ngx_http_detemplate_list_t  *l;

    /* memory is not taken behind the lock */

    static union {
        dt_edits_t               list;
        u_char                   bytes[DT_EDITS_MAX];
    }                            copy;

    list = NULL;

    ngx_shmtx_lock(&zone->shpool->mutex);

    l = ngx_http_detemplate_list_find(zone, key);

    if (l) {
        ngx_http_detemplate_list_touch(zone, l);

        zone->sh->counters.lists_applied++;
        ngx_memcpy(&copy, &l->list, l->list.size);
        *file = l->file;
        *want = l->want;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    if (l) {
        list = ngx_palloc(pool, copy.list.size);

        if (list) {
            ngx_memcpy(list, &copy, copy.list.size);
        }
    }

    return list;
}


void
ngx_http_detemplate_list_used(ngx_http_detemplate_zone_t *zone, uint64_t key,
    ngx_uint_t touch)
{
    ngx_http_detemplate_list_t  *l;

    ngx_shmtx_lock(&zone->shpool->mutex);

    zone->sh->counters.lists_applied++;

    l = touch ? ngx_http_detemplate_list_find(zone, key) : NULL;

    if (l) {
        ngx_http_detemplate_list_touch(zone, l);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


/* the order within one second is of no use */

static void
ngx_http_detemplate_list_touch(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_list_t *l)
{
    if (l->accessed != ngx_time()) {
        l->accessed = ngx_time();
        ngx_queue_remove(&l->lru);
        ngx_queue_insert_head(&zone->sh->lists_lru, &l->lru);
    }
}


void
ngx_http_detemplate_list_put(ngx_http_detemplate_zone_t *zone, uint64_t key,
    const dt_edits_t *list, ngx_uint_t want)
{
    size_t                       size;
    ngx_rbtree_node_t           *node, *sentinel;
    ngx_http_detemplate_list_t  *l;

    size = offsetof(ngx_http_detemplate_list_t, list) + list->size;

    ngx_shmtx_lock(&zone->shpool->mutex);

    /* another worker may have been sooner, or two keys be one in the tree */

    node = zone->sh->lists.root;
    sentinel = zone->sh->lists.sentinel;

    while (node != sentinel && node->key != (ngx_rbtree_key_t) key) {
        node = ((ngx_rbtree_key_t) key < node->key) ? node->left
                                                    : node->right;
    }

    if (node != sentinel) {
        ngx_http_detemplate_list_delete(zone,
                                        (ngx_http_detemplate_list_t *) node);
    }

    l = ngx_http_detemplate_list_alloc(zone, size);

    if (l) {
        l->node.key = (ngx_rbtree_key_t) key;
        l->key = key;
        l->file = 0;
        l->want = want;
        l->accessed = ngx_time();
        ngx_memcpy(&l->list, list, list->size);

        ngx_rbtree_insert(&zone->sh->lists, &l->node);
        ngx_queue_insert_head(&zone->sh->lists_lru, &l->lru);

        zone->sh->counters.lists++;
        zone->sh->counters.lists_made++;
        zone->sh->counters.lists_bytes += ngx_http_detemplate_list_room(size);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


/* room for one more, in that part of the zone which is for lists */

static ngx_http_detemplate_list_t *
ngx_http_detemplate_list_alloc(ngx_http_detemplate_zone_t *zone, size_t size)
{
    size_t                       most;
    ngx_uint_t                   i;
    ngx_http_detemplate_list_t  *l;

    most = zone->shm_zone->shm.size / NGX_HTTP_DETEMPLATE_LISTS_PART
           - ngx_http_detemplate_list_room(size);

    for (i = 0; i < NGX_HTTP_DETEMPLATE_LISTS_EVICT; i++) {

        if (zone->sh->counters.lists_bytes <= most) {
            l = ngx_slab_alloc_locked(zone->shpool, size);
            if (l) {
                return l;
            }
        }

        if (ngx_http_detemplate_list_evict(zone) != NGX_OK) {
            break;
        }
    }

    return NULL;
}


void
ngx_http_detemplate_list_trust(ngx_http_detemplate_zone_t *zone, uint64_t key,
    uint64_t file, const dt_edits_t *list)
{
    ngx_http_detemplate_list_t  *l;

    ngx_shmtx_lock(&zone->shpool->mutex);

    l = ngx_http_detemplate_list_find(zone, key);

    /* while the file was read, another list may have come in its place */

    if (l
        && l->list.size == list->size
        && ngx_memcmp(&l->list, list, list->size) == 0)
    {
        l->file = file;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


void
ngx_http_detemplate_list_drop(ngx_http_detemplate_zone_t *zone, uint64_t key)
{
    ngx_http_detemplate_list_t  *l;

    ngx_shmtx_lock(&zone->shpool->mutex);

    zone->sh->counters.lists_changed++;

    l = ngx_http_detemplate_list_find(zone, key);

    if (l) {
        ngx_http_detemplate_list_delete(zone, l);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


ngx_int_t
ngx_http_detemplate_list_evict(ngx_http_detemplate_zone_t *zone)
{
    ngx_queue_t  *q;

    if (ngx_queue_empty(&zone->sh->lists_lru)) {
        return NGX_DECLINED;
    }

    q = ngx_queue_last(&zone->sh->lists_lru);

    ngx_http_detemplate_list_delete(zone,
                        ngx_queue_data(q, ngx_http_detemplate_list_t, lru));

    zone->sh->counters.lists_evicted++;

    return NGX_OK;
}


static void
ngx_http_detemplate_list_delete(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_list_t *l)
{
    zone->sh->counters.lists--;
    zone->sh->counters.lists_bytes -= ngx_http_detemplate_list_room(
                    offsetof(ngx_http_detemplate_list_t, list) + l->list.size);

    ngx_queue_remove(&l->lru);
    ngx_rbtree_delete(&zone->sh->lists, &l->node);
    ngx_slab_free_locked(zone->shpool, l);
}


/* what the slab allocator takes for size bytes */

static size_t
ngx_http_detemplate_list_room(size_t size)
{
    size_t  room;

    if (size > ngx_pagesize / 2) {
        return ngx_align(size, ngx_pagesize);
    }

    for (room = 8; room < size; room <<= 1) { /* void */ }

    return room;
}
