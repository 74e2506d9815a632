
/*
 * Copyright (C) The detemplate authors
 *
 * One request: what was decided for it, and the state of its body.
 */


#ifndef _NGX_HTTP_DETEMPLATE_REQUEST_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_REQUEST_H_INCLUDED_


#include "ngx_http_detemplate_filter_module.h"


/* in the connection's buffered, beside NGX_HTTP_GZIP_BUFFERED and the like */
#define NGX_HTTP_DETEMPLATE_BUFFERED  0x40


struct ngx_http_detemplate_ctx_s {
    unsigned                         shared:1;    /* never written to */
    unsigned                         counted:1;   /* there is a response */
    unsigned                         learner:1;
    unsigned                         candidate:1; /* as for its request */
    unsigned                         named:1;     /* site is set */
    unsigned                         eligible:1;  /* as for its response */
    unsigned                         restored:1;  /* an entity tag of ours */
    unsigned                         active:1;    /* the body is rewritten */
    unsigned                         no_memory:1;
    unsigned                         last:1;

    ngx_uint_t                       mode;
    ngx_uint_t                       status;
    ngx_uint_t                       reason;
    ngx_str_t                        field;     /* of the response */

    ngx_http_request_t              *request;
    ngx_http_detemplate_loc_conf_t  *conf;      /* for which all is decided */
    ngx_http_detemplate_template_t  *tmpl;
    ngx_uint_t                       found;     /* HIT or STALE, with tmpl */

    ngx_str_t                        site;
    ngx_str_t                        host;
    ngx_str_t                        path;
    ngx_str_t                        suffix;    /* of our entity tags */
    ngx_msec_t                       until;     /* waits for a template */

    dt_rewrite_t                    *rewrite;
    ngx_event_t                      event;     /* of the next turn */
    size_t                           turn;      /* bytes fed in this one */
    ngx_chain_t                     *in;        /* not fed yet */
    ngx_buf_t                       *buf;       /* being fed */
    ngx_buf_t                       *added;     /* last one that came of it */
    ngx_chain_t                     *out;
    ngx_chain_t                    **last_out;
    ngx_chain_t                     *busy;
    ngx_chain_t                     *free;      /* windows */
    ngx_chain_t                     *free_held; /* with memory of their own */

    u_char                          *sniff;
    size_t                           sniffed;
};


/* ngx_http_detemplate_filter_module.c: the hooks, and contexts for them */

/*
 * The request's context, also after an internal redirect: a shared one as long
 * as nothing is known of it but that the learner does not ask.  NULL when the
 * module is not used.
 */
ngx_http_detemplate_ctx_t *ngx_http_detemplate_get_ctx(ngx_http_request_t *r);

/* the request's own; NULL: no memory */
ngx_http_detemplate_ctx_t *ngx_http_detemplate_create_ctx(
    ngx_http_request_t *r);

/* the handler of ctx->event */
void ngx_http_detemplate_turn_handler(ngx_event_t *ev);


/* ngx_http_detemplate_request.c: decisions before there is a response */

/* by ngx_http_detemplate_mode_e, ended by an empty name */
extern ngx_str_t  ngx_http_detemplate_modes[];

/* what the preaccess phase does: conditions, Range, detemplate_wait */
ngx_int_t ngx_http_detemplate_early(ngx_http_request_t *r,
    ngx_http_detemplate_loc_conf_t *dlcf);

/*
 * The context with everything decided that the request and its present
 * location say; NULL when the module has nothing to do here.
 */
ngx_http_detemplate_ctx_t *ngx_http_detemplate_decide(ngx_http_request_t *r);

/* sets ctx->host and ctx->path, once; NGX_ERROR: no memory */
ngx_int_t ngx_http_detemplate_url(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/* sets the site, or the status and reason why it has none: not NGX_OK then */
ngx_int_t ngx_http_detemplate_name(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/* sets status and reason, and ctx->tmpl if there is one; queues job if due */
void ngx_http_detemplate_lookup(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_job_t *job);

/* fills job with the request's page; NULL: not one to be learned from */
ngx_http_detemplate_job_t *ngx_http_detemplate_job(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_job_t *job);

/* sets ctx->suffix, by which our entity tags differ from the origin's */
ngx_int_t ngx_http_detemplate_suffix(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);


/* ngx_http_detemplate_response.c: decisions now that it is there */

/* whether it may be a page when any type is one */
ngx_uint_t ngx_http_detemplate_any_type(ngx_http_request_t *r);

/*
 * Sets status and reason, the latter to the one given if that is not R_NONE,
 * and the field; gets the response ready if it is to be rewritten.  NGX_ERROR:
 * no memory.
 */
ngx_int_t ngx_http_detemplate_response(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_uint_t reason);

/* sets ctx->field by status and reason; NGX_ERROR: no memory */
ngx_int_t ngx_http_detemplate_field(ngx_pool_t *pool,
    ngx_http_detemplate_ctx_t *ctx);


/* ngx_http_detemplate_body.c: buffers in, slices of them out */

/* NGX_ERROR: no memory, the body is to pass unchanged */
ngx_int_t ngx_http_detemplate_body_start(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/*
 * Adds to ctx->out what is decided with the buffers of ctx->in.  NGX_AGAIN:
 * this turn is over, the others are fed when ctx->event comes.
 */
ngx_int_t ngx_http_detemplate_body_feed(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx);

/* ctx->out was sent: takes back the buffers that are through */
void ngx_http_detemplate_body_sent(ngx_http_detemplate_ctx_t *ctx);


#endif /* _NGX_HTTP_DETEMPLATE_REQUEST_H_INCLUDED_ */
