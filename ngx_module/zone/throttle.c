
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/zone/node.h"
#include "ngx_module/zone/throttle.h"
#include "ngx_module/zone/trouble.h"


/* a line is logged again after this time */

#define NGX_HTTP_DT_LOG_AGAIN    3600000    /* ms */

/* another line may take the entry of a line that is older than this */

#define NGX_HTTP_DT_LOG_REPLACE  60000      /* ms */


ngx_uint_t
ngx_http_dt_throttle_log(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t reason, ngx_str_t *detail, ngx_str_t *uri)
{
    uint32_t               hash;
    ngx_uint_t             i, allowed;
    ngx_msec_int_t         age;
    ngx_http_dt_logged_t  *line, *entry;

    hash = ngx_crc32_short(site->data, site->len) ^ (reason * 0x9e3779b1);

    ngx_shmtx_lock(&zone->shpool->mutex);

    /* the entry of this line, else an unused one, else the oldest */

    entry = zone->sh->logged;

    for (i = 0; i < NGX_HTTP_DT_MAX_LOGGED; i++) {
        line = &zone->sh->logged[i];

        if (line->used && line->hash == hash) {
            entry = line;
            break;
        }

        if (entry->used
            && (!line->used || (ngx_msec_int_t) (line->at - entry->at) < 0))
        {
            entry = line;
        }
    }

    age = (ngx_msec_int_t) (ngx_current_msec - entry->at);

    allowed = !entry->used
              || age >= (entry->hash == hash ? NGX_HTTP_DT_LOG_AGAIN
                                             : NGX_HTTP_DT_LOG_REPLACE);
    if (allowed) {
        entry->used = 1;
        entry->hash = hash;
        entry->at = ngx_current_msec;
        entry->reason = reason;
        ngx_http_dt_trouble_set(zone, &entry->trouble, detail, uri, site);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return allowed;
}
