
/*
 * Copyright (C) The detemplate authors
 *
 * The body of a page: a buffer in, slices of it out.
 */


#ifndef _NGX_HTTP_DT_BODY_H_INCLUDED_
#define _NGX_HTTP_DT_BODY_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * A page is held until its end has come.  Then one call decides about it, and
 * its header and its body are sent.
 */

/*
 * Begins to hold a page.  NGX_DECLINED: it is larger than is held, or the
 * worker holds too much; status and reason say so.
 */
ngx_int_t ngx_http_dt_hold_start(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Takes bytes of the page; *in becomes the rest that was not taken.
 * NGX_AGAIN: more bytes follow; NGX_OK: the whole page is held; NGX_DECLINED:
 * the page cannot be held any further, status and reason say why.
 */
ngx_int_t ngx_http_dt_hold_read(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_chain_t **in);

/*
 * Makes room for len more bytes behind buf->last; buf may have no memory yet,
 * and the memory that it has may move.  NGX_DECLINED: the buffer would exceed
 * max bytes, or the worker holds too much; status and reason say so.
 */
ngx_int_t ngx_http_dt_hold_room(ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf,
    size_t len, size_t max);

/* gives the memory of a buffer back */
void ngx_http_dt_hold_free(ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf);

/*
 * Counts bytes for the request, until its end.  NGX_DECLINED: the worker has
 * taken too much for pages that it holds; status and reason say so.
 */
ngx_int_t ngx_http_dt_hold_take(ngx_http_dt_ctx_t *ctx, size_t size);

/* the request has ended */
void ngx_http_dt_hold_end(ngx_http_dt_ctx_t *ctx);


/*
 * Makes ctx->source the bytes of the held page as they are without a coding.
 * NGX_DECLINED: the page is sent as it came, status and reason say why.
 */
ngx_int_t ngx_http_dt_body_read(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Rewrites ctx->source into the chain ctx->out, which has ctx->length bytes.
 * ctx->tmpl has its bytes, if there is a template, and ctx->host and ctx->path
 * are set.  NGX_DECLINED: the page is sent as it came, status and reason say
 * why.
 */
ngx_int_t ngx_http_dt_body(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* frees what is not needed to send the rewritten page; ctx->source is gone */
void ngx_http_dt_body_trim(ngx_http_dt_ctx_t *ctx);

/* the output chain, which refers to bytes of the page and to other bytes */

/* adds bytes, which are not copied; NGX_DECLINED: no memory, status and reason
   say so */
ngx_int_t ngx_http_dt_out_add(ngx_http_dt_ctx_t *ctx, u_char *p, size_t len);

/* nothing more is added; NGX_DECLINED: likewise */
ngx_int_t ngx_http_dt_out_end(ngx_http_dt_ctx_t *ctx);

/* takes all of it out */
void ngx_http_dt_out_reset(ngx_http_dt_ctx_t *ctx);


/* Why a page is sent as it came.  All of these return NGX_DECLINED. */

ngx_int_t ngx_http_dt_pass(ngx_http_dt_ctx_t *ctx, ngx_uint_t status,
    ngx_uint_t reason);

/* the same for want of memory, of which the log has a line */
ngx_int_t ngx_http_dt_no_memory(ngx_http_dt_ctx_t *ctx);


/* pages that come compressed: gzip and deflate */

typedef enum {
    NGX_HTTP_DT_CODING_NONE = 0,
    NGX_HTTP_DT_CODING_GZIP,
    NGX_HTTP_DT_CODING_DEFLATE,
    NGX_HTTP_DT_CODING_OTHER    /* or several */
} ngx_http_dt_coding_e;


/* the coding that the response's Content-Encoding names */
ngx_uint_t ngx_http_dt_coding(ngx_http_request_t *r);

/* the response is not compressed any more */
void ngx_http_dt_clear_coding(ngx_http_request_t *r);

/*
 * Inflates the whole page that is held into buf, which has no memory yet.
 * NGX_DECLINED: it is not sound, or too large; status and reason say so.
 */
ngx_int_t ngx_http_dt_inflate(ngx_http_dt_ctx_t *ctx, ngx_uint_t coding,
    ngx_buf_t *buf);


/*
 * Charsets in which markup is more than ASCII bytes with others between, and
 * the charset that a page declares.
 */

/* first bytes of a body that may say its charset */
#define NGX_HTTP_DT_SNIFF  1024


/* whether markup in this charset is more than ASCII bytes with others */
ngx_uint_t ngx_http_dt_foreign_charset(u_char *p, size_t len);

/* the same for the first bytes of a body: its BOM, or the charset it names */
ngx_uint_t ngx_http_dt_foreign_body(u_char *p, size_t len);

/* the length of the charset name at the start of a value: up to the first byte
   that no name contains */
size_t ngx_http_dt_charset_len(u_char *p, size_t len);


/* pages that are sent as Markdown or as text */

/* whether the response is XHTML, which is read as XML */
ngx_uint_t ngx_http_dt_convert_is_xml(ngx_http_request_t *r);

/* whether a response of this type, in this charset, can be converted; R_NONE,
   or why not */
ngx_uint_t ngx_http_dt_convert_reason(ngx_http_request_t *r,
    ngx_str_t *charset);

/*
 * Converts the page html, of which kept remains, and sets ctx->out.
 * NGX_DECLINED: it cannot be converted; status and reason say why.
 */
ngx_int_t ngx_http_dt_convert(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *html, ngx_buf_t *kept);

/*
 * Sets the fields of a response that is converted: its type, a link to the
 * page, and how many tokens it has and the origin's page has, by the estimate
 * of doc/figures.md.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_fields(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* writes a URL, with its bytes that no URL has in three; returns its end */
u_char *ngx_http_dt_convert_encode(u_char *p, ngx_str_t *url);

/* sets the tag by which the links of a page lead where they do in it, when it
   is served from another URL; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_convert_base(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Adds a link to the form of the page that can be had as Markdown, unless the
 * response has one.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_link(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Mode headers: the field Detemplate-Regions says where the template stands in
 * a page, for clients that leave it out themselves.
 */

/* makes ctx->regions, which is empty; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_regions_start(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* a dt_region_pt: adds a region to those of the context data */
void ngx_http_dt_regions_add(void *data, uint64_t start, uint32_t len);

/* adds the field to the header of the page */
ngx_int_t ngx_http_dt_regions_push(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/* detemplate_marks: the marks that annotate inserts for a certain reader */

struct ngx_http_dt_marks_s {
    dt_wrap_t                      wrap;
    dt_str_t                       before;      /* around an element */
    dt_str_t                       after;
};


/* how the page is cut or marked, and by which marks */
void ngx_http_dt_marks_opts(ngx_http_dt_ctx_t *ctx, dt_rewrite_opts_t *opts);

/* cmd->offset is the offset of a pointer to marks in conf */
char *ngx_http_dt_set_marks(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


/* selectors of the configuration: detemplate_keep and detemplate_force */

/* the setter of both directives: checks selectors, and adds them to an array
   of ngx_str_t, which "off" leaves empty */
char *ngx_http_dt_set_hand(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* sets conf->hand when its lists are merged; prev has those around */
ngx_int_t ngx_http_dt_hand_merge(ngx_conf_t *cf, ngx_http_dt_loc_conf_t *prev,
    ngx_http_dt_loc_conf_t *conf);


/*
 * Mode preview: the page unchanged, with the template tinted, so that an
 * operator can decide whether to switch the module on.
 */

/* the elements and attributes that the style tints */
extern const dt_wrap_t  ngx_http_dt_preview_wrap;


/* whether the response has the one type that can be previewed */
ngx_uint_t ngx_http_dt_preview_type(ngx_http_request_t *r);

/*
 * Sets fields so that no cache stores the page, no search engine indexes it,
 * and its policy allows our style.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_preview_fields(ngx_http_request_t *r);

/* adds the style and the badge, which follow the page, to ctx->out;
   NGX_DECLINED: no memory, status and reason say so */
ngx_int_t ngx_http_dt_preview_badge(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_BODY_H_INCLUDED_ */
