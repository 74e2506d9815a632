
/*
 * Copyright (C) The detemplate authors
 *
 * The reservoir of a site: some of the pages that visitors asked for.  The
 * caller holds the lock.
 */


#ifndef _NGX_HTTP_DT_PAGES_H_INCLUDED_
#define _NGX_HTTP_DT_PAGES_H_INCLUDED_


#include "ngx_module/zone/zone.h"


#define NGX_HTTP_DT_PAGES     16
#define NGX_HTTP_DT_LOW       8     /* of them, for pages that showed little */


struct ngx_http_dt_node_s;

typedef struct {
    u_char                        *url;        /* with a NUL */
    uint64_t                       key;        /* see ngx_http_dt_job_t */
    uint32_t                       shape;      /* of the path */
    uint32_t                       where;      /* it is asked: a hash */
    unsigned                       low:1;      /* it showed little */
    unsigned                       tried:1;    /* as a key page, in vain */
} ngx_http_dt_page_t;


/*
 * Offers the page of a job.  It goes in if it is lucky, and if there is memory
 * without evicting a site.  Returns whether it is there and was not tried.
 */
ngx_uint_t ngx_http_dt_pages_add(ngx_http_dt_zone_t *zone,
    struct ngx_http_dt_node_s *node, ngx_http_dt_job_t *job, ngx_uint_t low);

/* frees the i-th page */
void ngx_http_dt_pages_drop(ngx_http_dt_zone_t *zone,
    struct ngx_http_dt_node_s *node, ngx_uint_t i);

/* the page with this key was tried; returns whether there is another one */
ngx_uint_t ngx_http_dt_pages_tried(struct ngx_http_dt_node_s *node,
    uint64_t key);

/* whether a page showed little since pages were drawn */
ngx_uint_t ngx_http_dt_pages_low(struct ngx_http_dt_node_s *node);

/*
 * Draws a key page for job, which is the site's last, from the pages that are
 * asked where its own is, those first that were not tried.  Writes all of them
 * to buf, each with a newline behind it but the last, those first that showed
 * little.  From now on other pages will be lucky.  buf has room for
 * NGX_HTTP_DT_PAGES strings of NGX_HTTP_DT_MAX_URI bytes.
 */
void ngx_http_dt_pages_draw(struct ngx_http_dt_node_s *node,
    ngx_http_dt_job_t *job, u_char *buf);


#endif /* _NGX_HTTP_DT_PAGES_H_INCLUDED_ */
