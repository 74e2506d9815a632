
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/copies.h"
#include "ngx_module/zone/node.h"


/*
 * A worker serves from its own copy of a template, never from shared memory.
 * So nothing is locked or counted there while a response is sent, and a worker
 * that is killed leaves nothing behind.  Most responses need to know only
 * which template it is; the bytes are copied when a page is scanned.
 */


#define NGX_HTTP_DT_PREFETCH  32768  /* bytes of a template */


static ngx_http_dt_template_t *ngx_http_dt_copy_find(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash);
static ngx_http_dt_template_t *ngx_http_dt_copy_alloc(
    ngx_str_t *site, uint32_t hash, ngx_http_dt_template_t *found,
    size_t size);
static void ngx_http_dt_copy_add(ngx_http_dt_zone_t *zone,
    ngx_http_dt_template_t *t);
static void ngx_http_dt_copy_prefetch(ngx_http_dt_template_t *t);
static void ngx_http_dt_copy_drop(ngx_http_dt_zone_t *zone,
    ngx_http_dt_template_t *t);


ngx_http_dt_template_t *
ngx_http_dt_copy_get(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    uint32_t hash, ngx_http_dt_template_t *found)
{
    ngx_http_dt_template_t  *t;

    t = ngx_http_dt_copy_find(zone, site, hash);

    if (t && (found == NULL || t->generation != found->generation)) {
        ngx_http_dt_copy_drop(zone, t);
        t = NULL;
    }

    if (found == NULL) {
        return NULL;
    }

    if (t) {
        t->cold = (ngx_queue_head(&zone->copies) != &t->queue);

        ngx_queue_remove(&t->queue);
        ngx_queue_insert_head(&zone->copies, &t->queue);
        t->refs++;

        return t;
    }

    return ngx_http_dt_copy_alloc(site, hash, found, 0);
}


/* allocate before the lock is taken */

ngx_int_t
ngx_http_dt_copy_load(ngx_http_dt_zone_t *zone,
    ngx_http_dt_template_t **tmpl)
{
    ngx_http_dt_node_t      *node;
    ngx_http_dt_template_t  *t, *old;

    old = *tmpl;

    if (old->data) {
        ngx_http_dt_copy_prefetch(old);
        return NGX_OK;
    }

    /* another request may have copied it meanwhile */

    t = ngx_http_dt_copy_find(zone, &old->site, old->hash);

    if (t == NULL || t->generation != old->generation) {

        if (t) {
            ngx_http_dt_copy_drop(zone, t);
        }

        t = ngx_http_dt_copy_alloc(&old->site, old->hash, old, old->size);
        if (t == NULL) {
            return NGX_ERROR;
        }

        ngx_shmtx_lock(&zone->shpool->mutex);

        node = ngx_http_dt_node_find(zone, &t->site, t->hash);

        if (node && node->blob && node->generation == t->generation) {
            ngx_memcpy(t->data, node->blob, t->size);

        } else {
            node = NULL;
        }

        ngx_shmtx_unlock(&zone->shpool->mutex);

        if (node == NULL) {
            ngx_free(t);
            return NGX_DECLINED;
        }

        ngx_http_dt_copy_add(zone, t);
    }

    t->refs++;
    *tmpl = t;

    ngx_http_dt_copy_release(old);

    return NGX_OK;
}


void
ngx_http_dt_copy_release(ngx_http_dt_template_t *t)
{
    if (--t->refs == 0) {
        ngx_free(t);
    }
}


static ngx_http_dt_template_t *
ngx_http_dt_copy_find(ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash)
{
    ngx_http_dt_template_t  *t;

    for (t = zone->slots[hash & (zone->nslots - 1)]; t; t = t->next) {

        if (t->hash == hash && ngx_http_dt_equal(&t->site, site)) {
            return t;
        }
    }

    return NULL;
}


/*
 * The scanner reads a template at scattered places, and would wait for memory
 * at each of them.  A template that was the last one used is in caches still.
 */

static void
ngx_http_dt_copy_prefetch(ngx_http_dt_template_t *t)
{
    if (!t->cold) {
        return;
    }

    t->cold = 0;
    dt_prefetch(t->data, ngx_min(t->size, NGX_HTTP_DT_PREFETCH));
}


/* size: of the template's bytes; 0: only the name is allocated */

static ngx_http_dt_template_t *
ngx_http_dt_copy_alloc(ngx_str_t *site, uint32_t hash,
    ngx_http_dt_template_t *found, size_t size)
{
    u_char                  *p;
    size_t                   len, bytes;
    ngx_http_dt_template_t  *t;

    len = sizeof(ngx_http_dt_template_t) + ngx_align(site->len, 8);
    bytes = len + size;

    p = ngx_alloc(bytes, ngx_cycle->log);
    if (p == NULL) {
        return NULL;
    }

    t = (ngx_http_dt_template_t *) p;

    t->refs = 1;
    t->cold = 0;
    t->bytes = bytes;
    t->data = size ? p + len : NULL;
    t->hash = hash;
    t->generation = found->generation;
    t->version = found->version;
    t->size = found->size;

    ngx_http_dt_copy_name(&t->site, (u_char *) &t[1], site);

    return t;
}


/* drops the least used copies for it; a response keeps the copy that it
   uses */

static void
ngx_http_dt_copy_add(ngx_http_dt_zone_t *zone, ngx_http_dt_template_t *t)
{
    ngx_queue_t              *q;
    ngx_http_dt_template_t  **slot;

    slot = &zone->slots[t->hash & (zone->nslots - 1)];

    t->next = *slot;
    *slot = t;

    ngx_queue_insert_head(&zone->copies, &t->queue);

    zone->ncopies++;
    zone->copied += t->bytes;

    while (zone->ncopies > NGX_HTTP_DT_COPIES
           && zone->copied > zone->max_copied)
    {
        q = ngx_queue_last(&zone->copies);

        ngx_http_dt_copy_drop(zone, ngx_queue_data(q, ngx_http_dt_template_t,
                                                   queue));
    }
}


static void
ngx_http_dt_copy_drop(ngx_http_dt_zone_t *zone, ngx_http_dt_template_t *t)
{
    ngx_http_dt_template_t  **slot;

    slot = &zone->slots[t->hash & (zone->nslots - 1)];

    while (*slot != t) {
        slot = &(*slot)->next;
    }

    *slot = t->next;

    ngx_queue_remove(&t->queue);
    zone->ncopies--;
    zone->copied -= t->bytes;

    ngx_http_dt_copy_release(t);
}
