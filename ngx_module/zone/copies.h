
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_COPIES_H_INCLUDED_
#define _NGX_HTTP_DT_COPIES_H_INCLUDED_


#include "ngx_module/zone/site.h"


/* a worker's own copies of templates */

/* the largest number of copies in a worker, however small they are */
#define NGX_HTTP_DT_COPIES  64


/*
 * Takes the template of a site.  found has the version, generation and size
 * that a look-up has found; if it is NULL, the site has no template, and
 * an old copy is dropped.  The bytes are there only if the worker has copied
 * them already.  The caller releases the template.  NULL: found is NULL, or
 * there is no memory.
 */
ngx_http_dt_template_t *ngx_http_dt_copy_get(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash,
    ngx_http_dt_template_t *found);

/*
 * Copies the bytes of *tmpl unless they are there; *tmpl may become another
 * one of the same generation.  NGX_DECLINED: meanwhile the site has another
 * template, or none.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_copy_load(ngx_http_dt_zone_t *zone,
    ngx_http_dt_template_t **tmpl);

void ngx_http_dt_copy_release(ngx_http_dt_template_t *t);


#endif /* _NGX_HTTP_DT_COPIES_H_INCLUDED_ */
