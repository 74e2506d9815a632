
/*
 * Copyright (C) The detemplate authors
 *
 * One request: what was decided for it, and the state of its body.
 */


#ifndef _NGX_HTTP_DT_REQUEST_H_INCLUDED_
#define _NGX_HTTP_DT_REQUEST_H_INCLUDED_


#include "core/scan/rewrite.h"
#include "ngx_module/zone/zone.h"
#include "ngx_module/body/inflate.h"


/* in the connection's buffered, beside NGX_HTTP_GZIP_BUFFERED and the like */
#define NGX_HTTP_DT_BUFFERED  0x40

#define NGX_HTTP_DT_REGIONS  2048      /* bytes of the field */


typedef struct ngx_http_dt_room_s           ngx_http_dt_room_t;
typedef struct ngx_http_dt_block_s          ngx_http_dt_block_t;


/* the value of the field Detemplate-Regions, as far as it is known */

typedef struct {
    uint64_t                         start;    /* the last region; it is */
    uint64_t                         end;      /* not in the value yet */
    u_char                          *last;     /* the end of the value */
    u_char                           value[NGX_HTTP_DT_REGIONS];
} ngx_http_dt_regions_t;


struct ngx_http_dt_ctx_s {
    unsigned                         shared:1;    /* never written to */
    unsigned                         counted:1;   /* there is a response */
    unsigned                         learner:1;
    unsigned                         candidate:1; /* as for its request */
    unsigned                         named:1;     /* site is set */
    unsigned                         links:1;     /* stay */
    unsigned                         bold:1;      /* shapes go */
    unsigned                         chosen:1;    /* by the request */
    unsigned                         eligible:1;  /* as for its response */
    unsigned                         due:1;       /* tmpl is, and no job is */
    unsigned                         asking:1;    /* what says "bypass" */
    unsigned                         restored:1;  /* an entity tag of ours */
    unsigned                         begun:1;     /* a response was HIT */
    unsigned                         active:1;    /* the body is rewritten */
    unsigned                         no_memory:1;
    unsigned                         broken:1;  /* it cannot be inflated */
    unsigned                         last:1;
    unsigned                         flushed:1; /* nothing came since then */
    unsigned                         copy:1;    /* buf is a small one */
    unsigned                         window:1;  /* a part of buf is in out */
    unsigned                         trailer:1; /* regions come at the end */
    unsigned                         hold:1;    /* the header is not sent */

    ngx_uint_t                       mode;
    ngx_uint_t                       status;
    ngx_uint_t                       reason;
    ngx_str_t                        field;     /* of the response */

    ngx_http_request_t              *request;
    ngx_http_dt_loc_conf_t          *conf;      /* for which all is decided */
    ngx_http_dt_template_t          *tmpl;
    ngx_uint_t                       found;     /* HIT or STALE, with tmpl */

    ngx_str_t                        site;
    ngx_str_t                        own;       /* by which it is learned */
    ngx_uint_t                       why;       /* nothing is learned */
    ngx_str_t                        what;      /* that is why */
    ngx_str_t                        host;
    ngx_str_t                        path;
    ngx_str_t                        suffix;    /* of our entity tags */
    ngx_msec_t                       until;     /* waits for a template */

    dt_rewrite_t                    *rewrite;
    ngx_http_dt_room_t              *room;      /* NULL: no page is scanned */
    ngx_event_t                      event;     /* of the next turn */
    size_t                           turn;      /* bytes fed in this one */
    ngx_http_dt_inflate_t           *inflate;   /* NULL: as it comes */
    ngx_chain_t                     *in;        /* not fed yet */
    ngx_buf_t                       *buf;       /* being fed */
    ngx_buf_t                       *added;     /* last one that came of it */
    ngx_buf_t                       *copied;    /* last of out, if a copy */
    ngx_chain_t                     *out;
    ngx_chain_t                    **last_out;
    ngx_chain_t                     *busy;
    ngx_chain_t                     *free;
    ngx_http_dt_block_t             *block;     /* copies go there */
    ngx_http_dt_block_t             *free_blocks;

    ngx_http_dt_regions_t           *regions;   /* NULL: of no interest */
    ngx_chain_t                     *held;      /* the page, with its header */
    ngx_chain_t                    **last_held;
    size_t                           held_size; /* bytes */

    size_t                           sniffed;   /* bytes, for a charset */
};


/*
 * The request's context, also after an internal redirect: a shared one as long
 * as nothing is known of it but that the learner does not ask.  NULL when the
 * module is not used.
 */
ngx_http_dt_ctx_t *ngx_http_dt_get_ctx(ngx_http_request_t *r);


/* the body passes as it came, and so do validators */
#define ngx_http_dt_watches(ctx)                                              \
    ((ctx)->mode == NGX_HTTP_DT_MODE_HEADERS                                  \
     || (ctx)->mode == NGX_HTTP_DT_MODE_SHADOW)


/* decisions before there is a response */


/* by ngx_http_dt_mode_e, ended by an empty name */
extern ngx_str_t  ngx_http_dt_modes[];

/* what is done when access is granted: conditions, Range, detemplate_wait */
ngx_int_t ngx_http_dt_early(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/* the same behind a redirect within nginx, last; not NGX_OK: no memory */
ngx_int_t ngx_http_dt_elsewhere(ngx_http_request_t *r);

/*
 * The context with everything decided that the request and its present
 * location say; NULL when the module has nothing to do here.
 */
ngx_http_dt_ctx_t *ngx_http_dt_prepare(ngx_http_request_t *r);

/* sets ctx->host and ctx->path, once; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* sets the site, or the status and reason why it has none: not NGX_OK then */
ngx_int_t ngx_http_dt_name(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Sets status and reason, and ctx->tmpl if there is one; with learn, queues
 * the page as a job if that is due, which few look-ups find.
 */
void ngx_http_dt_lookup(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t learn);

/* queues the page where an earlier look-up has found that to be due */
void ngx_http_dt_relearn(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* sets ctx->suffix, by which our entity tags differ from the origin's */
ngx_int_t ngx_http_dt_suffix(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_REQUEST_H_INCLUDED_ */
