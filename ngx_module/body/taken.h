
/*
 * Copyright (C) The detemplate authors
 *
 * What all pages that a worker rewrites take of its memory.  A client that
 * reads slowly keeps what its page takes, and there may be any number of such
 * clients.
 */


#ifndef _NGX_HTTP_DT_TAKEN_H_INCLUDED_
#define _NGX_HTTP_DT_TAKEN_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* bytes of a worker, from which on no further page is held, or rewritten */
#define NGX_HTTP_DT_TAKEN_HELD  33554432
#define NGX_HTTP_DT_TAKEN_ALL   134217728

/* what a page takes that is rewritten; more, if it is converted or inflated */
#define NGX_HTTP_DT_TAKEN_PAGE     65536
#define NGX_HTTP_DT_TAKEN_TEXT     65536
#define NGX_HTTP_DT_TAKEN_INFLATE  73728


/*
 * Counts bytes for the request, until its end.  NGX_DECLINED: with them, the
 * worker would have taken more than most.
 */
ngx_int_t ngx_http_dt_take(ngx_http_dt_ctx_t *ctx, size_t size, size_t most);

/* the request has ended */
void ngx_http_dt_taken_back(ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_TAKEN_H_INCLUDED_ */
