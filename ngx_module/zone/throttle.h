
/*
 * Copyright (C) The detemplate authors
 *
 * Log lines that requests cause: each is logged once an hour for a site.
 */


#ifndef _NGX_HTTP_DT_THROTTLE_H_INCLUDED_
#define _NGX_HTTP_DT_THROTTLE_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/*
 * Whether a line about this site and reason may be logged now.  If so, counts
 * it as logged, and keeps for the status what decided and the URI.
 */
ngx_uint_t ngx_http_dt_throttle_log(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t reason, ngx_str_t *detail, ngx_str_t *uri);


#endif /* _NGX_HTTP_DT_THROTTLE_H_INCLUDED_ */
