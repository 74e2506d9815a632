
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_OUT_H_INCLUDED_
#define _NGX_HTTP_DT_OUT_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* the output chain, which refers to bytes of the page and to other bytes */

/* adds bytes, which are not copied; NGX_DECLINED: no memory, status and reason
   say so */
ngx_int_t ngx_http_dt_out_add(ngx_http_dt_ctx_t *ctx, u_char *p, size_t len);

/* nothing more is added; NGX_DECLINED: likewise */
ngx_int_t ngx_http_dt_out_end(ngx_http_dt_ctx_t *ctx);

/* takes all of it out */
void ngx_http_dt_out_reset(ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_OUT_H_INCLUDED_ */
