
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/zone/fleet.h"
#include "ngx_module/zone/node.h"


#define NGX_HTTP_DT_FLEET_SLOTS  4096  /* that are looked at in one go */


static void ngx_http_dt_fleet_site(ngx_http_dt_fleet_site_t *site,
    ngx_http_dt_node_t *node);


void
ngx_http_dt_fleet_set(ngx_http_dt_zone_t *zone, ngx_http_dt_fleet_t *state)
{
    ngx_shmtx_lock(&zone->shpool->mutex);
    zone->sh->fleet = *state;
    ngx_shmtx_unlock(&zone->shpool->mutex);
}


/* slots of the table are read whole, so that sites may come and go between */

ngx_uint_t
ngx_http_dt_fleet_sites(ngx_http_dt_zone_t *zone, ngx_uint_t *next,
    ngx_http_dt_fleet_site_t *sites)
{
    ngx_uint_t            i, n, end;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;
    n = 0;
    end = ngx_min(*next + NGX_HTTP_DT_FLEET_SLOTS, sh->nsites);

    ngx_shmtx_lock(&zone->shpool->mutex);

    for (i = *next; i < end && n < NGX_HTTP_DT_BATCH / 2; i++) {
        for (node = sh->sites[i]; node; node = node->next_node) {

            if (node->blob && n < NGX_HTTP_DT_BATCH) {
                ngx_http_dt_fleet_site(&sites[n++], node);
            }
        }
    }

    *next = (i < sh->nsites) ? i : 0;

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return n;
}


static void
ngx_http_dt_fleet_site(ngx_http_dt_fleet_site_t *site,
    ngx_http_dt_node_t *node)
{
    site->site.len = node->name.len;
    site->site.data = site->name;
    ngx_memcpy(site->name, node->name.data, node->name.len);

    site->version = node->info.version;
    site->learned_at = node->info.learned_at;
    site->pinned = ngx_http_dt_node_stays(node) ? node->pinned : 0;
}
