
/*
 * Copyright (C) The detemplate authors
 *
 * Lists of edits in shared memory: what was cut from pages seen before, by
 * what tells such a page.
 */


#ifndef _NGX_HTTP_DETEMPLATE_LISTS_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_LISTS_H_INCLUDED_


#include "core/scan/edits.h"
#include "ngx_http_detemplate_zone.h"


/* the seed of hashes in lists, and of their keys: the zone's secret */
uint64_t ngx_http_detemplate_list_seed(ngx_http_detemplate_zone_t *zone);

/*
 * A copy of the list in the pool, the file by which it is trusted, and what
 * dt_template_want() says of the page; NULL: there is none, or no memory.
 */
dt_edits_t *ngx_http_detemplate_list_get(ngx_http_detemplate_zone_t *zone,
    uint64_t key, ngx_pool_t *pool, uint64_t *file, ngx_uint_t *want);

/* its result was used instead; touch: it is in use */
void ngx_http_detemplate_list_used(ngx_http_detemplate_zone_t *zone,
    uint64_t key, ngx_uint_t touch);

/* the regions of this list are what they were in this file, see edits.c */
void ngx_http_detemplate_list_trust(ngx_http_detemplate_zone_t *zone,
    uint64_t key, uint64_t file, const dt_edits_t *list);

/*
 * Keeps a list; lists not used for longest go for it, sites do not.  When
 * there is no room it is not kept.
 */
void ngx_http_detemplate_list_put(ngx_http_detemplate_zone_t *zone,
    uint64_t key, const dt_edits_t *list, ngx_uint_t want);

/* the page is another than the list says */
void ngx_http_detemplate_list_drop(ngx_http_detemplate_zone_t *zone,
    uint64_t key);

/*
 * Frees the list not used for longest; the caller holds the lock.
 * NGX_DECLINED: there is none.
 */
ngx_int_t ngx_http_detemplate_list_evict(ngx_http_detemplate_zone_t *zone);


#endif /* _NGX_HTTP_DETEMPLATE_LISTS_H_INCLUDED_ */
