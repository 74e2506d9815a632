
/*
 * Copyright (C) The detemplate authors
 *
 * Mode headers: the field Detemplate-Regions says where the template stands in
 * a page, for clients that leave it out themselves.
 */


#ifndef _NGX_HTTP_DT_REGIONS_H_INCLUDED_
#define _NGX_HTTP_DT_REGIONS_H_INCLUDED_


#include "ngx_module/detemplate.h"


#define NGX_HTTP_DT_REGIONS  2048      /* bytes of the field */


/* the value of the field Detemplate-Regions, as far as it is known */

struct ngx_http_dt_regions_s {
    uint64_t                         start;    /* the last region; it is */
    uint64_t                         end;      /* not in the value yet */
    u_char                          *last;     /* the end of the value */
    u_char                           value[NGX_HTTP_DT_REGIONS];
};


/* makes ctx->regions, which is empty; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_regions_start(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* a dt_region_pt: adds a region to those of the context data */
void ngx_http_dt_regions_add(void *data, uint64_t start, uint32_t len);

/* adds the field to the header of a page whose regions are all known */
ngx_int_t ngx_http_dt_regions_header(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* announces the field as a trailer, if the response can have trailers */
ngx_int_t ngx_http_dt_regions_announce(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* adds the field to the trailers, if it was announced */
ngx_int_t ngx_http_dt_regions_trailer(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_REGIONS_H_INCLUDED_ */
