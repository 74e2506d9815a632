
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_STORE_H_INCLUDED_
#define _NGX_HTTP_DT_STORE_H_INCLUDED_


#include "ngx_module/zone/site.h"


/*
 * Stores the page of a job below dir, for a learning that need not request it.
 * NGX_DECLINED: it is there already, or it cannot be stored; the log says so.
 */
ngx_int_t ngx_http_dt_store(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, ngx_http_dt_job_t *job, ngx_str_t *page, ngx_log_t *log);


/* pages that workers have stored below dir, for learnings */

/* takes those of a site for its job; path, of NGX_MAX_PATH bytes, becomes the
   folder that they are in, or empty if there are none */
void ngx_http_dt_store_take(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, u_char *path);

/* removes those that its job has taken; with all, those that were stored
   since, too */
void ngx_http_dt_store_drop(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, ngx_uint_t all);

/* removes those of all sites that are older than that; 0: all */
void ngx_http_dt_store_clean(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    time_t before);


#endif /* _NGX_HTTP_DT_STORE_H_INCLUDED_ */
