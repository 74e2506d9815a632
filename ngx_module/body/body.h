
/*
 * Copyright (C) The detemplate authors
 *
 * The body of a page: buffers in, slices of them out.
 */


#ifndef _NGX_HTTP_DT_BODY_H_INCLUDED_
#define _NGX_HTTP_DT_BODY_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Gets ready to rewrite a body that comes in this coding; ctx->tmpl has its
 * bytes, ctx->host and ctx->path are set.  NGX_ERROR: no memory, the body is
 * to pass unchanged.
 */
ngx_int_t ngx_http_dt_body_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t coding);

/*
 * Feeds the buffers of ctx->in, and adds what is decided to ctx->out.
 * NGX_AGAIN: this turn is over, and ctx->event is posted for the next one.
 */
ngx_int_t ngx_http_dt_body_feed(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* NGX_AGAIN: likewise, for input that waits to be inflated */
ngx_int_t ngx_http_dt_body_turn(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* takes out fields that are not true of a body which was rewritten */
void ngx_http_dt_body_fields(ngx_list_t *fields);

/*
 * Moves what is held to ctx->out: the body cannot be inflated (ERROR), or it
 * has passed a bound and is not scanned any further (GUARD).
 */
void ngx_http_dt_body_give_up(ngx_http_dt_ctx_t *ctx, ngx_uint_t status);

/* frees a link of output, all bytes of which were sent or copied */
void ngx_http_dt_body_free_link(ngx_http_dt_ctx_t *ctx, ngx_chain_t *cl);

/* ctx->out was passed to the next filter: frees buffers that were sent */
void ngx_http_dt_body_sent(ngx_http_dt_ctx_t *ctx);

/* frees what the request's body has taken besides its pool */
void ngx_http_dt_body_cleanup(ngx_http_dt_ctx_t *ctx);


/*
 * A page is held until its end has come, so that its header can tell more: in
 * mode headers its regions, and for HTTP/1.0 the length of a rewritten page.
 */

/* whether the header of this response can wait for its body */
ngx_uint_t ngx_http_dt_hold_header(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Takes the buffers of ctx->out.  NGX_AGAIN: the page is held further.
 * NGX_OK: it is to be sent now, header first; ctx->out has all of it that was
 * held.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_hold(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * The header was sent.  A body without a length or chunks ends with the
 * connection: unless its end was sent, that is reset, whatever closes it.
 */
void ngx_http_dt_hold_reset(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* the request has ended: closes the connection as usual if all was sent */
void ngx_http_dt_hold_sent(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* whether all of the page was seen: an upstream has no body for HEAD */
ngx_uint_t ngx_http_dt_hold_knows(ngx_http_dt_ctx_t *ctx);

/* the response has no body: gives the buffers of ctx->out back */
void ngx_http_dt_hold_drop(ngx_http_dt_ctx_t *ctx);


/* pages that come compressed: gzip and deflate, inflated as they come */

typedef enum {
    NGX_HTTP_DT_CODING_NONE = 0,
    NGX_HTTP_DT_CODING_GZIP,
    NGX_HTTP_DT_CODING_DEFLATE,
    NGX_HTTP_DT_CODING_OTHER    /* or several */
} ngx_http_dt_coding_e;


/* what the Content-Encoding of the response says */
ngx_uint_t ngx_http_dt_coding(ngx_http_request_t *r);

/* the response is not compressed any more */
void ngx_http_dt_clear_coding(ngx_http_request_t *r);

/*
 * For a body in one of the two codings: some 72 KB until it ends, of the pool
 * of the request.  NULL: no memory.
 */
ngx_http_dt_inflate_t *ngx_http_dt_inflate_create(
    ngx_http_request_t *r, ngx_uint_t coding);

/* further buffers of the body; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_inflate_add(ngx_http_dt_inflate_t *inf, ngx_chain_t *in);

/*
 * NGX_OK: *buf is what comes next of the page, with its flags.  It is always
 * the same one, which is filled again when all of it was sent; until then, and
 * without input, NGX_DECLINED.  NGX_ERROR: the body is not sound, and the log
 * says so; *buf has what came before, if anything, and this is not to be
 * called again.
 */
ngx_int_t ngx_http_dt_inflate(ngx_http_dt_inflate_t *inf, ngx_buf_t **buf);

/* whether the body is longer than what is looked at; the log says so */
ngx_uint_t ngx_http_dt_inflate_is_over(ngx_http_dt_inflate_t *inf);

/* whether there is input that waits for the buffer to be sent; inf may be
   NULL */
ngx_uint_t ngx_http_dt_inflate_waits(ngx_http_dt_inflate_t *inf);


/*
 * Charsets in which markup is more than ASCII bytes with others between, and
 * what a page says of its own.
 */

/* first bytes of a body that may say its charset */
#define NGX_HTTP_DT_SNIFF  1024


/* whether markup in this charset is more than ASCII bytes with others */
ngx_uint_t ngx_http_dt_foreign_charset(u_char *p, size_t len);

/* the same for the first bytes of a body: its BOM, or the charset it names */
ngx_uint_t ngx_http_dt_foreign_body(u_char *p, size_t len);

/* the length of the name that begins a value, up to what no name has */
size_t ngx_http_dt_charset_len(u_char *p, size_t len);


/* pages that are sent as Markdown or as text */

/* whether the response is XHTML, which is read as XML */
ngx_uint_t ngx_http_dt_convert_is_xml(ngx_http_request_t *r);

/* whether a response of this type, in this charset, can be converted; R_NONE,
   or why not */
ngx_uint_t ngx_http_dt_convert_reason(ngx_http_request_t *r,
    ngx_str_t *charset);

/*
 * Begins the conversion of a page whose first bytes are p; opts has memory and
 * output.  If it cannot be converted, status and reason say why, and ctx->text
 * stays NULL.
 */
void ngx_http_dt_convert_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    dt_text_opts_t *opts, u_char *p, size_t len);

/*
 * Sets the fields of a response that is converted: its type, and a link to the
 * page.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_fields(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* the page is being converted to JSON */
#define ngx_http_dt_is_json(ctx)                                              \
    ((ctx)->text && (ctx)->mode == NGX_HTTP_DT_MODE_JSON)

/* writes a URL, with its bytes that no URL has in three; returns its end */
u_char *ngx_http_dt_convert_encode(u_char *p, ngx_str_t *url);

/*
 * The end of a page in JSON: its time and its template.  It is no part of
 * entity tags: the template may be learned anew with the same result.  NULL:
 * no memory.
 */
ngx_chain_t *ngx_http_dt_convert_tail(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* the same, added to a page that is held to its end */
ngx_int_t ngx_http_dt_convert_end(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Adds a link to the form of the page that can be had as Markdown, unless the
 * response has one.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_convert_link(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Adds to a page that is held to its end how many tokens it has, and how many
 * the origin's page has, by the estimate of doc/figures.md.
 */
ngx_int_t ngx_http_dt_convert_sizes(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/*
 * Mode headers: the field Detemplate-Regions says where the template stands in
 * a page, for clients that leave it out themselves.
 */

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

/* adds the field to the header of a page whose regions are all known, or to
   the trailers */
ngx_int_t ngx_http_dt_regions_push(ngx_http_dt_ctx_t *ctx, ngx_list_t *fields);

/* announces the field as a trailer, if the response can have trailers */
ngx_int_t ngx_http_dt_regions_announce(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* adds the field to the trailers, if it was announced */
ngx_int_t ngx_http_dt_regions_trailer(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/*
 * The memory of a worker that all pages take while they are rewritten.  A
 * client that reads slowly keeps that of its page, and there may be any number
 * of such clients.
 */

/* bytes of a worker, from which on no further page is held, or rewritten */
#define NGX_HTTP_DT_TAKEN_HELD  33554432
#define NGX_HTTP_DT_TAKEN_ALL   134217728

/* bytes that a rewritten page takes; more, if it is converted or inflated */
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


/* detemplate_marks: what annotate inserts into a page for a certain reader */

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
 * Mode preview: the page unchanged, with the template tinted, for a person who
 * decides whether to switch the module on.
 */

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


#endif /* _NGX_HTTP_DT_BODY_H_INCLUDED_ */
