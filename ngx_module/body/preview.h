
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_PREVIEW_H_INCLUDED_
#define _NGX_HTTP_DT_PREVIEW_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Mode preview: the page unchanged, with the template tinted, so that an
 * operator can decide whether to switch the module on.
 */

/* the elements and attributes that the style tints */
extern const dt_wrap_t  ngx_http_dt_preview_wrap;


/*
 * Sets fields so that no cache stores the page, no search engine indexes it,
 * and its policy allows our style.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_preview_fields(ngx_http_request_t *r);

/* adds the style and the badge, which follow the page, to ctx->out;
   NGX_DECLINED: no memory, status and reason say so */
ngx_int_t ngx_http_dt_preview_badge(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_PREVIEW_H_INCLUDED_ */
