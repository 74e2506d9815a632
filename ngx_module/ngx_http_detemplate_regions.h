
/*
 * Copyright (C) The detemplate authors
 *
 * Mode headers: where the template stands in a page, for those who leave it
 * out themselves.
 */


#ifndef _NGX_HTTP_DETEMPLATE_REGIONS_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_REGIONS_H_INCLUDED_


#include "ngx_http_detemplate_request.h"


/*
 * The header of a page in mode headers: adds the regions, if they are known,
 * or has them come behind the body, if that can be.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_detemplate_regions_header(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/* all of the page was seen: its regions, where they are to come now */
ngx_int_t ngx_http_detemplate_regions_trailer(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);


#endif /* _NGX_HTTP_DETEMPLATE_REGIONS_H_INCLUDED_ */
