
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/stats.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/want.h"


/* the strings of a row */

#define NGX_HTTP_DT_STATS_TEXT                                                \
    (NGX_HTTP_DT_MAX_SITE + 2 * NGX_HTTP_DT_MAX_LINK                          \
     + NGX_HTTP_DT_REASON_LEN + NGX_HTTP_DT_DETAIL)


static void ngx_http_dt_stats_off(ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_stats_row(ngx_http_dt_row_t *row,
    ngx_http_dt_node_t *node, u_char *p);
static ngx_uint_t ngx_http_dt_stats_refused(ngx_http_dt_zone_t *zone,
    ngx_http_dt_logged_t *logged);
static u_char *ngx_http_dt_stats_trouble(ngx_http_dt_row_t *row,
    ngx_http_dt_trouble_t *trouble, u_char *p);
static u_char *ngx_http_dt_stats_text(ngx_str_t *text, u_char *src,
    u_char *p);


ngx_int_t
ngx_http_dt_stats(ngx_http_dt_zone_t *zone, ngx_uint_t max, ngx_pool_t *pool,
    ngx_http_dt_stats_t *out)
{
    u_char                *p;
    ngx_uint_t             i, n;
    ngx_queue_t           *q;
    ngx_http_dt_row_t     *row;
    ngx_http_dt_shctx_t   *sh;
    ngx_http_dt_logged_t  *logged;

    sh = zone->sh;

    /* memory is allocated outside the lock, new sites may be left out */

    ngx_shmtx_lock(&zone->shpool->mutex);
    n = ngx_min(sh->counters.nodes, max);
    ngx_shmtx_unlock(&zone->shpool->mutex);

    out->rows = ngx_palloc(pool, (n + NGX_HTTP_DT_MAX_LOGGED
                                  + NGX_HTTP_DT_MAX_OFF)
                                 * (sizeof(ngx_http_dt_row_t)
                                    + NGX_HTTP_DT_STATS_TEXT));
    if (out->rows == NULL) {
        return NGX_ERROR;
    }

    row = out->rows;
    p = (u_char *) &out->rows[n + NGX_HTTP_DT_MAX_LOGGED
                              + NGX_HTTP_DT_MAX_OFF];

    ngx_shmtx_lock(&zone->shpool->mutex);

    out->counters = sh->counters;
    out->fleet = sh->fleet;
    out->size = zone->shm_zone->shm.size;
    out->free = zone->shpool->pfree * ngx_pagesize;

    for (q = ngx_queue_head(&sh->lru);
         q != ngx_queue_sentinel(&sh->lru) && row < out->rows + n;
         q = ngx_queue_next(q))
    {
        p = ngx_http_dt_stats_row(row++,
                                  ngx_queue_data(q, ngx_http_dt_node_t, lru),
                                  p);
    }

    for (i = 0; i < NGX_HTTP_DT_MAX_LOGGED; i++) {
        logged = &sh->logged[i];

        if (ngx_http_dt_stats_refused(zone, logged)) {
            ngx_memzero(row, sizeof(ngx_http_dt_row_t));
            row->list = NGX_HTTP_DT_LIST_WITHOUT;
            row->reason = ngx_http_dt_reasons[logged->reason];
            row->state = ngx_http_dt_states[NGX_HTTP_DT_STATE_IDLE];
            p = ngx_http_dt_stats_trouble(row++, logged->trouble, p);
        }
    }

    for (i = 0; i < NGX_HTTP_DT_MAX_OFF && sh->off[i]; i++) {
        ngx_memzero(row, sizeof(ngx_http_dt_row_t));
        row->list = NGX_HTTP_DT_LIST_OFF;
        p = ngx_http_dt_stats_trouble(row++, sh->off[i], p);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    out->nrows = row - out->rows;
    ngx_http_dt_stats_off(out);

    out->connected = !out->fleet.away;
    out->without = out->counters.nodes - out->counters.sites;

    if (out->fleet.away) {
        out->fleet.peer[0] = '\0';
    }

    out->tokens = ngx_http_dt_tokens(out->counters.removed);

    ngx_memzero(out->requests, sizeof(out->requests));
    ngx_memzero(out->reasons, sizeof(out->reasons));

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        for (n = 0; n < NGX_HTTP_DT_REASONS; n++) {
            if (n != NGX_HTTP_DT_R_TYPE) {
                out->requests[i] += out->counters.requests[i][n];
            }

            out->reasons[n] += out->counters.requests[i][n];
        }
    }

    return NGX_OK;
}


/* counts the pages of each site that showed nothing of its template */

static void
ngx_http_dt_stats_off(ngx_http_dt_stats_t *stats)
{
    ngx_uint_t          i, n;
    ngx_http_dt_row_t  *off, *site;

    for (i = 0; i < stats->nrows; i++) {
        off = &stats->rows[i];

        for (n = 0; off->list == NGX_HTTP_DT_LIST_OFF && n < i; n++) {
            site = &stats->rows[n];

            site->off += (site->list == NGX_HTTP_DT_LIST_SITES
                          && ngx_http_dt_equal(&site->name, &off->name));
        }
    }
}


/* fills a row, with its strings from p on; returns their end */

static u_char *
ngx_http_dt_stats_row(ngx_http_dt_row_t *row, ngx_http_dt_node_t *node,
    u_char *p)
{
    u_char  *url;

    ngx_memzero(row, sizeof(ngx_http_dt_row_t));

    row->list = node->blob ? NGX_HTTP_DT_LIST_SITES : NGX_HTTP_DT_LIST_WITHOUT;
    row->redesigned_at = node->redesigned_at;
    row->pinned = node->pinned;
    row->served = node->served;

    if (node->blob) {
        row->source = ngx_http_dt_sources[node->source];
        row->size = node->info.serve_size;
        row->evidence = node->info.size - node->info.serve_size;
        row->info = node->info;

        url = (u_char *) node->blob + node->info.serve_size;
        row->url.len = ngx_strlen(url);
        row->url.data = p;
        p = ngx_cpymem(p, url, row->url.len);

    } else {
        row->state = ngx_http_dt_states[node->state];
        row->wait = ngx_http_dt_want_rest(node);
    }

    if (node->trouble) {
        p = ngx_http_dt_stats_trouble(row, node->trouble, p);
    }

    p = ngx_http_dt_stats_text(&row->reason, node->reason, p);

    row->name.len = node->name.len;
    row->name.data = p;

    return ngx_cpymem(p, node->name.data, node->name.len);
}


/* whether this is a page that was refused, of a site that never had a job */

static ngx_uint_t
ngx_http_dt_stats_refused(ngx_http_dt_zone_t *zone,
    ngx_http_dt_logged_t *logged)
{
    u_char     *text;
    ngx_str_t   site;

    if (!logged->used || logged->trouble == NULL) {
        return 0;
    }

    text = ngx_http_dt_trouble_next(logged->trouble->text);

    site.data = ngx_http_dt_trouble_next(text);
    site.len = ngx_strlen(site.data);

    return ngx_http_dt_node_find(zone, &site,
                                 ngx_http_dt_node_hash(zone, &site))
           == NULL;
}


static u_char *
ngx_http_dt_stats_trouble(ngx_http_dt_row_t *row,
    ngx_http_dt_trouble_t *trouble, u_char *p)
{
    u_char  *text;

    row->failed_at = trouble->at;

    text = trouble->text;
    p = ngx_http_dt_stats_text(&row->detail, text, p);

    text = ngx_http_dt_trouble_next(text);
    p = ngx_http_dt_stats_text(&row->page, text, p);

    text = ngx_http_dt_trouble_next(text);

    return ngx_http_dt_stats_text(&row->name, text, p);
}


static u_char *
ngx_http_dt_stats_text(ngx_str_t *text, u_char *src, u_char *p)
{
    text->len = ngx_strlen(src);
    text->data = p;

    return ngx_cpymem(p, src, text->len);
}
