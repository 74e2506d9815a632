
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/zone/node.h"
#include "ngx_module/zone/publish.h"
#include "ngx_module/zone/want.h"


static ngx_http_dt_node_t *ngx_http_dt_publish_node(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, size_t size,
    ngx_uint_t if_room);
static void ngx_http_dt_publish_fill(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_publish_t *pub);


ngx_int_t
ngx_http_dt_publish(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_publish_t *pub)
{
    size_t               size;
    uint64_t             tag;
    ngx_http_dt_node_t  *node;

    size = pub->info.serve_size + ngx_strlen(pub->url) + 1;
    tag = dt_template_tag(pub->data);

    if (size > (size_t) (zone->shpool->end - zone->shpool->start)) {

        /* no eviction would make enough room */

        return NGX_DECLINED;
    }

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_publish_node(zone, site, size, pub->if_room);

    if (node == NULL) {
        ngx_shmtx_unlock(&zone->shpool->mutex);

        ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate not published: \"%V\" no room for "
                       "%uz bytes",
                       site, size);

        return NGX_DECLINED;
    }

    node->tag = tag;
    ngx_http_dt_publish_fill(zone, node, pub);

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug4(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate published: \"%V\" version:%uD source:%ui "
                   "%uz bytes",
                   site, pub->info.version, pub->source, size);

    return NGX_OK;
}


static void
ngx_http_dt_publish_fill(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_publish_t *pub)
{
    u_char  *p;

    p = ngx_cpymem(node->blob, pub->data, pub->info.serve_size);
    ngx_memcpy(p, pub->url, ngx_strlen(pub->url) + 1);

    node->generation = ++zone->sh->generation;
    node->info = pub->info;
    node->valid = pub->valid;
    node->refresh = pub->refresh;
    node->source = pub->source;
    node->pinned = pub->pinned;
    node->anew = 0;
    node->expired = 0;
    ngx_http_dt_want_clear(zone, node);

    if (pub->redesigned) {
        node->redesigned_at = ngx_time();
        zone->sh->counters.redesigns++;
    }

    zone->sh->counters.sites++;

    /*
     * After a start, a request may have wanted the site to be learned before
     * its snapshot was read.  Nothing replaces a template that another machine
     * has pinned, or has learned; but pages that showed little may be new to
     * that, too.
     */

    if (pub->pinned
        || (ngx_time() < node->refresh
            && (pub->ends_job || node->state == NGX_HTTP_DT_STATE_QUEUED)
            && !ngx_http_dt_pages_low(node)))
    {
        ngx_http_dt_node_idle(zone, node);
    }

    switch (pub->source) {

    case NGX_HTTP_DT_SOURCE_REDIS:
        zone->sh->counters.redis_taken++;
        break;

    case NGX_HTTP_DT_SOURCE_SNAPSHOT:
        zone->sh->counters.snapshots_taken++;
        break;
    }
}


/* the site's node, which may be new, with room in place of its template */

static ngx_http_dt_node_t *
ngx_http_dt_publish_node(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    size_t size, ngx_uint_t if_room)
{
    void                *blob;
    uint32_t             hash;
    ngx_http_dt_node_t  *node;

    if (if_room && zone->shpool->pfree < size / ngx_pagesize + 4) {
        return NULL;
    }

    hash = ngx_http_dt_node_hash(zone, site);
    node = ngx_http_dt_node_find(zone, site, hash);

    if (node == NULL) {
        node = ngx_http_dt_node_create(zone, site, hash);
        if (node == NULL) {
            return NULL;
        }
    }

    blob = ngx_http_dt_node_alloc(zone, node, size);

    if (blob == NULL && node->blob) {
        ngx_http_dt_node_drop_template(zone, node);
        blob = ngx_http_dt_node_alloc(zone, node, size);
    }

    if (blob == NULL) {
        return NULL;
    }

    ngx_http_dt_node_drop_template(zone, node);
    node->blob = blob;

    return node;
}


ngx_uint_t
ngx_http_dt_published(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    ngx_uint_t           has;
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_node_lock(zone, site);
    has = (node && node->blob);

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return has;
}
