
/*
 * Copyright (C) The detemplate authors
 *
 * Templates as a worker holds them.
 */


#ifndef _NGX_HTTP_DT_COPIES_H_INCLUDED_
#define _NGX_HTTP_DT_COPIES_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/*
 * The template of a site that a look-up found; found: its version, generation,
 * tag and size, or NULL if there is none, and then a copy of it goes.  The
 * bytes are there only when the worker has them already.  The caller releases
 * it; NULL: nothing found, or no memory.
 */
ngx_http_dt_template_t *ngx_http_dt_template_get(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash,
    ngx_http_dt_template_t *found);


#endif /* _NGX_HTTP_DT_COPIES_H_INCLUDED_ */
