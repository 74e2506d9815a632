
/*
 * Copyright (C) The detemplate authors
 *
 * Pages as they were rewritten, kept by a worker for the next time that the
 * same file is asked for.
 */


#ifndef _NGX_HTTP_DETEMPLATE_KEPT_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_KEPT_H_INCLUDED_


#include "ngx_http_detemplate_zone.h"


typedef struct ngx_http_detemplate_part_s  ngx_http_detemplate_part_t;


typedef struct {
    uint64_t                       key;        /* of list, mode and marks */
    uint64_t                       file;       /* that the page was in */
    uint64_t                       in;         /* bytes of the page */
    uint64_t                       removed;
    uint32_t                       off;        /* in the part */
    uint32_t                       len;
    uint32_t                       regions;
    uint32_t                       words;
    uint32_t                       times;      /* of the part */
    uint16_t                       part;
    uint16_t                       want;       /* see dt_template_want() */
    time_t                         accessed;
} ngx_http_detemplate_kept_t;


/* NULL: there is none.  It stays until the next one is kept. */
ngx_http_detemplate_kept_t *ngx_http_detemplate_kept_find(uint64_t key);

/* a buffer of the pool with the result; its part stays until it is released */
ngx_buf_t *ngx_http_detemplate_kept_buf(ngx_http_detemplate_kept_t *result,
    ngx_pool_t *pool, ngx_http_detemplate_part_t **part);
void ngx_http_detemplate_part_release(ngx_http_detemplate_part_t *part);

/* a page came that may be kept the next time */
void ngx_http_detemplate_kept_seen(uint64_t key);

/*
 * Begins a result of some len bytes, of which only the key is set.
 * NGX_DECLINED: the key was not seen before, or there is no room.
 */
ngx_int_t ngx_http_detemplate_kept_begin(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_kept_t *result, size_t len);

/* adds to the one that was begun last; not NGX_OK: it must not be put */
ngx_int_t ngx_http_detemplate_kept_write(ngx_http_detemplate_kept_t *result,
    u_char *p, size_t len);

/* it is complete; returns where it is kept, as find() would */
ngx_http_detemplate_kept_t *ngx_http_detemplate_kept_put(
    ngx_http_detemplate_kept_t *result);


#endif /* _NGX_HTTP_DETEMPLATE_KEPT_H_INCLUDED_ */
