
/*
 * Copyright (C) The detemplate authors
 *
 * When the words of pages changed: a zone of its own, and a file of it.
 */


#ifndef _NGX_HTTP_DT_CHANGES_H_INCLUDED_
#define _NGX_HTTP_DT_CHANGES_H_INCLUDED_


#include "ngx_module/detemplate.h"


#define NGX_HTTP_DT_CHANGES_URL  1024   /* bytes of a URL in a list */


/* a page that has been sent */

typedef struct {
    uint64_t                       form;      /* identifies what was sent, */
    uint64_t                       hash;      /* which says this */
    time_t                         modified;  /* by the origin, or -1; then
                                                 when that was seen to be
                                                 new */
} ngx_http_dt_seen_t;


/* a page in a list; its URL is in the pool */

typedef struct {
    time_t                         modified;
    ngx_str_t                      url;
} ngx_http_dt_changed_t;


/* detemplate_changes: sets dmcf->changes */
char *ngx_http_dt_set_changes(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* notes a page; returns whether what it says is new */
ngx_uint_t ngx_http_dt_changes_see(ngx_shm_zone_t *shm_zone,
    ngx_http_dt_seen_t *page);

/* lists its URL, a path and a query, as one that is new */
void ngx_http_dt_changes_news(ngx_shm_zone_t *shm_zone,
    ngx_http_dt_seen_t *page, uint64_t site, ngx_str_t *url);

/*
 * Lists pages of a site that were seen to be new since then, the latest first,
 * and each once.  *whole: these are all.  NULL: no memory.
 */
ngx_array_t *ngx_http_dt_changes_list(ngx_shm_zone_t *shm_zone,
    ngx_pool_t *pool, uint64_t site, time_t since, ngx_uint_t *whole);

/* saves what has changed since the last time; now and then, from now on */
void ngx_http_dt_changes_save(ngx_shm_zone_t *shm_zone, ngx_log_t *log);
void ngx_http_dt_changes_start(ngx_shm_zone_t *shm_zone);


#endif /* _NGX_HTTP_DT_CHANGES_H_INCLUDED_ */
