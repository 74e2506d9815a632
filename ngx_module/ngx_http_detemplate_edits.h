
/*
 * Copyright (C) The detemplate authors
 *
 * Pages seen before: the list of edits of one response.
 */


#ifndef _NGX_HTTP_DETEMPLATE_EDITS_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_EDITS_H_INCLUDED_


#include "ngx_http_detemplate_request.h"


/*
 * Sets ctx->key if the response is one that can be told when it comes again,
 * and ctx->result if it is known what becomes of it, or, for a response with a
 * body, ctx->edits if there is a list of it.  ctx->host, ctx->path and
 * ctx->tmpl are set, the fields of the response are as they came.
 */
void ngx_http_detemplate_edits_find(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/*
 * Makes the result of a page of which there is a list, if it is worth it: sets
 * ctx->result.  o: as for a rewriter of the list.
 */
ngx_int_t ngx_http_detemplate_edits_make(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, const dt_rewrite_opts_t *o);

/*
 * Takes the whole page as it comes, and gives out what it became when it was
 * asked for before: ctx->result.
 */
ngx_int_t ngx_http_detemplate_edits_result(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_chain_t *in, ngx_chain_t **out);

/* counts the bytes of the page that come as its file has them */
void ngx_http_detemplate_edits_lay(ngx_http_detemplate_ctx_t *ctx,
    ngx_buf_t *buf);

/* whether what the list needs may be read from the file the page is in */
ngx_uint_t ngx_http_detemplate_edits_stored(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/*
 * Rewrites the whole page, in the file that buf stands for.  NGX_DECLINED: not
 * the whole one.
 */
ngx_int_t ngx_http_detemplate_edits_file(ngx_http_detemplate_ctx_t *ctx,
    ngx_buf_t *buf);

/* all of the page was seen: keeps its list, or gives up one that was wrong */
void ngx_http_detemplate_edits_done(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);


#endif /* _NGX_HTTP_DETEMPLATE_EDITS_H_INCLUDED_ */
