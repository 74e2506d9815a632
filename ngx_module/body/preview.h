
/*
 * Copyright (C) The detemplate authors
 *
 * Mode preview: the page unchanged, with the template tinted, for a person who
 * decides whether to switch the module on.
 */


#ifndef _NGX_HTTP_DT_PREVIEW_H_INCLUDED_
#define _NGX_HTTP_DT_PREVIEW_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* what the style tints */
extern const dt_wrap_t  ngx_http_dt_preview_wrap;


/* whether the response has the one type that can be previewed */
ngx_uint_t ngx_http_dt_preview_type(ngx_http_request_t *r);

/*
 * Sets fields so that no cache stores the page, no search engine indexes it,
 * and its policy allows our style.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_preview_fields(ngx_http_request_t *r);

/* the style and the badge, which follow the page; NULL: no memory */
ngx_chain_t *ngx_http_dt_preview_badge(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_PREVIEW_H_INCLUDED_ */
