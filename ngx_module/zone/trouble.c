
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/node.h"


/* a line is logged again after this time */

#define NGX_HTTP_DT_LOG_AGAIN    3600000    /* ms */

/* another line may take the entry of a line that is older than this */

#define NGX_HTTP_DT_LOG_REPLACE  60000      /* ms */


static u_char *ngx_http_dt_trouble_text(u_char *p, ngx_str_t *text,
    size_t max);


void
ngx_http_dt_trouble_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble, ngx_str_t *detail, ngx_str_t *url,
    ngx_str_t *site)
{
    u_char                 *p;
    ngx_http_dt_trouble_t  *t;

    ngx_http_dt_trouble_drop(zone, trouble);

    t = ngx_slab_alloc_locked(zone->shpool,
                              sizeof(ngx_http_dt_trouble_t) + 3
                              + ngx_min(detail->len, NGX_HTTP_DT_DETAIL)
                              + ngx_min(url->len, NGX_HTTP_DT_MAX_LINK)
                              + ngx_min(site->len, NGX_HTTP_DT_MAX_SITE));
    if (t == NULL) {
        return;
    }

    t->at = ngx_time();

    p = ngx_http_dt_trouble_text(t->text, detail, NGX_HTTP_DT_DETAIL);
    p = ngx_http_dt_trouble_text(p, url, NGX_HTTP_DT_MAX_LINK);
    (void) ngx_http_dt_trouble_text(p, site, NGX_HTTP_DT_MAX_SITE);

    *trouble = t;
}


/* bytes that are not printable would end the text or harm who reads it */

static u_char *
ngx_http_dt_trouble_text(u_char *p, ngx_str_t *text, size_t max)
{
    ngx_http_dt_printable(p, text->data, ngx_min(text->len, max) + 1);

    return p + ngx_strlen(p) + 1;
}


void
ngx_http_dt_trouble_drop(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble)
{
    if (*trouble) {
        ngx_slab_free_locked(zone->shpool, *trouble);
        *trouble = NULL;
    }
}


ngx_uint_t
ngx_http_dt_trouble_log(ngx_http_dt_zone_t *zone, ngx_str_t *site,
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


void
ngx_http_dt_trouble_off(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_str_t *uri)
{
    u_char                  *text;
    ngx_str_t                page;
    ngx_uint_t               i;
    ngx_http_dt_trouble_t  **off, *known;

    static ngx_str_t  none = ngx_null_string;

    page.data = uri->data;
    page.len = ngx_min(uri->len, NGX_HTTP_DT_MAX_LINK);

    ngx_shmtx_lock(&zone->shpool->mutex);

    off = zone->sh->off;

    /* a page that is there already moves to the front, else the last one goes;
       its texts have printable bytes only, so another page is another entry */

    for (i = 0; i < NGX_HTTP_DT_MAX_OFF - 1 && off[i]; i++) {
        text = ngx_http_dt_trouble_next(off[i]->text);

        if (ngx_strncmp(text, page.data, page.len) == 0
            && text[page.len] == '\0'
            && ngx_strncmp(text + page.len + 1, site->data, site->len) == 0
            && text[page.len + 1 + site->len] == '\0')
        {
            break;
        }
    }

    known = off[i];
    ngx_http_dt_trouble_set(zone, &known, &none, &page, site);

    if (known) {
        ngx_memmove(&off[1], off, i * sizeof(ngx_http_dt_trouble_t *));
        off[0] = known;

    } else {

        /* the zone is full: what was at i is gone */

        ngx_memmove(&off[i], &off[i + 1],
                    (NGX_HTTP_DT_MAX_OFF - 1 - i)
                    * sizeof(ngx_http_dt_trouble_t *));
        off[NGX_HTTP_DT_MAX_OFF - 1] = NULL;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}
