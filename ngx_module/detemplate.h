
/*
 * Copyright (C) The detemplate authors
 *
 * Types that all files of the module share: configuration, request context.
 */


#ifndef _NGX_HTTP_DT_H_INCLUDED_
#define _NGX_HTTP_DT_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/redis/url.h"
#include "core/scan/rewrite.h"
#include "ngx_module/names.h"


typedef struct ngx_http_dt_ctx_s        ngx_http_dt_ctx_t;
typedef struct ngx_http_dt_twin_s       ngx_http_dt_twin_t;
typedef struct ngx_http_dt_marks_s      ngx_http_dt_marks_t;
typedef struct ngx_http_dt_template_s   ngx_http_dt_template_t;
typedef struct ngx_http_dt_regions_s    ngx_http_dt_regions_t;


/* server level */

typedef struct {
    ngx_array_t                   *names;
    ngx_str_t                      own;         /* the first that is plain */
    ngx_uint_t                     any;         /* there is "_" */
    uint32_t                       server;      /* a hash of where it is
                                                   configured: a reload that
                                                   leaves it there keeps it */
    ngx_str_t                      status;      /* its page, for a link */
    ngx_str_t                      learner;     /* its address; empty: the
                                                   default */
    ngx_uint_t                     client;      /* it is that of the client
                                                   whose request was first */
    unsigned                       no_origin:1; /* pages are learned from that
                                                   have no detemplate_origin */
    unsigned                       no_site:1;   /* likewise */
    unsigned                       reached:1;   /* the learner can connect to
                                                   a listener */
    ngx_array_t                   *suffixes;    /* ngx_str_t, of all locations;
                                                   NULL: none */
} ngx_http_dt_srv_conf_t;


/* http level: the zone, the path, Redis, learners */

typedef struct {
    ngx_shm_zone_t                *shm_zone;
    ngx_path_t                    *path;
    off_t                          max_size;    /* of its snapshots */
    dt_redis_opts_t                redis;       /* without url: not used */
    ngx_uint_t                     learners;
    ngx_str_t                      program;     /* that learns; absolute */
    u_char                        *program_file;  /* where it is said, or */
    ngx_uint_t                     program_line;  /* NULL: nowhere */
    ngx_flag_t                     used;        /* some location is not off */
    ngx_flag_t                     learns;      /* and may want to learn */
    ngx_http_dt_ctx_t             *shared;      /* contexts, by reason */
} ngx_http_dt_main_conf_t;


/* detemplate_learn */

typedef enum {
    NGX_HTTP_DT_LEARN_OFF = 0,
    NGX_HTTP_DT_LEARN_ON,
    NGX_HTTP_DT_LEARN_PUBLIC,
    NGX_HTTP_DT_LEARN_ALL,
    NGX_HTTP_DT_LEARN_SERVED,
    NGX_HTTP_DT_LEARN_SERVED_ALL
} ngx_http_dt_learn_e;


/* location level; the fields that each response needs come first */

typedef struct {
    ngx_http_complex_value_t      *mode;        /* NULL: off */
    ngx_msec_t                     wait;
    size_t                         hold;        /* bytes of a page, and */
    ngx_msec_t                     hold_time;   /* how long it may take */
    ngx_hash_t                     types;
    uint64_t                       lengths;     /* of the types, modulo 64 */
    ngx_uint_t                     fixed;       /* on; needs no variables */
    ngx_array_t                   *types_keys;
    ngx_uint_t                     accept;      /* bits of forms */
    ngx_flag_t                     front;
    ngx_flag_t                     llms;
    ngx_flag_t                     anchors;
    ngx_uint_t                     hidden;    /* not 0: it is kept */
    ngx_str_t                      twin;        /* of URLs of Markdown */
    ngx_array_t                   *bypass;
    ngx_array_t                   *vary;
    ngx_http_complex_value_t      *url;         /* NULL: as nginx has it */
    ngx_array_t                   *url_vary;    /* its fields, as vary */
    ngx_http_complex_value_t      *site;        /* NULL: $server_name */
    ngx_http_complex_value_t      *links;       /* NULL: cut */
    ngx_http_complex_value_t      *cut;         /* NULL: bold */
    ngx_http_dt_marks_t           *marks;       /* NULL: data-template */
    const dt_hand_t               *hand;        /* of the next two, or NULL */
    ngx_array_t                   *keep;        /* ngx_str_t; NULL: none */
    ngx_array_t                   *force;       /* likewise */
    ngx_str_t                      origin;      /* without the last slash */
    ngx_int_t                      candidates;  /* or not set */
    ngx_int_t                      votes;       /* or not set */
    ngx_int_t                      loads;       /* or not set */
    ngx_uint_t                     detector;
    time_t                         valid;
    time_t                         refresh;     /* or not set */
    ngx_uint_t                     learn;       /* or, if variables say so: */
    ngx_http_complex_value_t      *learn_by;    /* NULL: none do */
    ngx_flag_t                     robots;      /* robots.txt is obeyed */
    ngx_int_t                      once;        /* pages to load at once */
    ngx_str_t                      preview;     /* argument, for the status */
    ngx_uint_t                     control;     /* commands are taken there */
    ngx_uint_t                     public;      /* the status is for anyone */
    time_t                         told;        /* an unknown value, by this
                                                   worker */
} ngx_http_dt_loc_conf_t;

/* in the connection's buffered, beside NGX_HTTP_GZIP_BUFFERED and the like */
#define NGX_HTTP_DT_BUFFERED  0x40


/* the phases of a response, in this order */

typedef enum {
    NGX_HTTP_DT_NO_RESPONSE = 0,
    NGX_HTTP_DT_PASS,        /* it passes as it came */
    NGX_HTTP_DT_PAGE,        /* it is a page that could be rewritten */
    NGX_HTTP_DT_HEADER,      /* its header is that of a rewritten page */
    NGX_HTTP_DT_READ,        /* its body is held; its header waits */
    NGX_HTTP_DT_WAIT,        /* its whole body is; both wait for a template */
    NGX_HTTP_DT_DONE,        /* it was rewritten */
    NGX_HTTP_DT_BROKEN       /* nothing of it can be sent */
} ngx_http_dt_phase_e;


/* the template of a site, and whether the site is to be learned */

typedef struct {
    ngx_uint_t                     status;      /* HIT, MISS or STALE */
    ngx_uint_t                     reason;
    ngx_http_dt_template_t        *tmpl;        /* on HIT and STALE; the caller
                                                   releases it */
    unsigned                       due:1;       /* the page should be shown to
                                                   ngx_http_dt_zone_visit() */
    unsigned                       settled:1;   /* learning has nothing more to
                                                   do */
    unsigned                       grows:1;     /* the template is of few
                                                   pages, and more are being
                                                   learned from */
} ngx_http_dt_lookup_t;


/* one request: the decisions about it, and the state of its body */

struct ngx_http_dt_ctx_s {
    ngx_uint_t                       phase;
    ngx_uint_t                       status;
    ngx_uint_t                       reason;
    ngx_str_t                        field;     /* value of Detemplate */
    ngx_http_request_t              *request;
    unsigned                         shared:1;  /* by all, so never written */

    /* the request: request.c, markdown.c, stranger.c */

    ngx_http_dt_loc_conf_t          *conf;      /* decisions are for it */
    ngx_uint_t                       mode;
    ngx_uint_t                       excluded;  /* reason why the request
                                                   rules rewriting out */
    ngx_uint_t                       learn;
    unsigned                         learner:1; /* our own learner asks */
    unsigned                         links:1;   /* detemplate_links keep */
    unsigned                         bold:1;    /* detemplate_cut bold */
    unsigned                         asking:1;  /* detemplate_bypass is being
                                                   evaluated */
    unsigned                         twin:1;    /* the URL asks for the page
                                                    as Markdown */
    unsigned                         html:1;    /* with only: as HTML, not as
                                                   Markdown */
    ngx_http_dt_twin_t              *asked;     /* NULL: the URL has no suffix
                                                   */
    ngx_str_t                        target;    /* path and query of the page
                                                   as requested, without the
                                                   suffix */
    ngx_str_t                        only;      /* not empty: the request asks
                                                   for the cut parts of this
                                                   page, if the page is of this
                                                   site */
    ngx_str_t                        client;    /* from the learner: whose
                                                   request was first */
    ngx_addr_t                      *stranger;  /* the learner's address, once
                                                   it is set */
    ngx_str_t                        none_match; /* If-None-Match of the
                                                    client */

    /* its site and the URL of its page: request.c */

    ngx_str_t                        site;      /* empty: not known yet */
    unsigned                         from_host:1; /* the field Host chose the
                                                    site */
    unsigned                         named:1;   /* the configuration names the
                                                   site */
    ngx_http_dt_lookup_t             found;     /* by the last look-up */
    ngx_str_t                        host;      /* of the page's URL */
    ngx_str_t                        path;
    ngx_str_t                        base;      /* of absolute URLs that the
                                                   page gets; may be empty */

    /* the job that learns from the page: keypage.c */

    ngx_uint_t                       unlearned; /* reason why the page cannot
                                                   be a key page */
    ngx_str_t                        detail;    /* text that decided this */
    ngx_str_t                        server;    /* name for the learner */
    unsigned                         copied:1;  /* the zone should have a copy
                                                   of the page */

    /* the response: response.c */

    ngx_str_t                        charset;   /* that of the header */
    unsigned                         xml:1;     /* the response is XHTML */
    unsigned                         begun:1;   /* an earlier response of this
                                                   request was rewritten */
    dt_str_t                         head;      /* inserted into heads of
                                                   pages; may be empty */

    /* the body, while it comes: filter.c, hold.c */

    ngx_event_t                      event;     /* it has taken too long */
    ngx_msec_t                       deadline;  /* of detemplate_wait */
    ngx_buf_t                        page;
    ngx_buf_t                        source;    /* the whole page, inflated:
                                                   page, or another buffer */
    size_t                           taken;     /* of the worker's memory */

    /* and when it has come: body.c, hold.c, marks.c, convert.c */

    dt_rewrite_stats_t               stats;
    unsigned                         strange:1; /* the page shows hardly
                                                   anything of the template */
    ngx_chain_t                     *out;       /* the output, */
    ngx_chain_t                     *last_out;
    off_t                            length;    /* and how many bytes; */
    size_t                           untagged;  /* of these, those at the end
                                                   that have no part in the
                                                   entity tag */
    ngx_http_dt_regions_t           *regions;   /* NULL: of no interest */
    ngx_str_t                        canonical; /* as the page says */
    ngx_str_t                        url;       /* of the page; empty: its host
                                                   is not known */
};


/* sets the result so far; returns NGX_DECLINED, as for a page that passes */

static ngx_inline ngx_int_t
ngx_http_dt_result(ngx_http_dt_ctx_t *ctx, ngx_uint_t status,
    ngx_uint_t reason)
{
    ctx->status = status;
    ctx->reason = reason;

    return NGX_DECLINED;
}


/* path and query of the page that the request is for, as requested */
#define ngx_http_dt_target(r, ctx)                                            \
    ((ctx)->target.len ? &(ctx)->target : &(r)->unparsed_uri)


/* the body passes as it came, and so do validators */
#define ngx_http_dt_watch_only(ctx)                                           \
    ((ctx)->mode == NGX_HTTP_DT_MODE_HEADERS                                  \
     || (ctx)->mode == NGX_HTTP_DT_MODE_SHADOW)


/* the page is converted, whether or not there is a template */
#define ngx_http_dt_converts(ctx)                                             \
    ((ctx)->mode >= NGX_HTTP_DT_MODE_MARKDOWN)


extern ngx_module_t  ngx_http_detemplate_filter_module;


/* a directive needs the zone */
#define ngx_http_dt_use(cf)                                                   \
    ((ngx_http_dt_main_conf_t *) ngx_http_conf_get_module_main_conf(cf,       \
                                   ngx_http_detemplate_filter_module))->used  \
        = 1


#endif /* _NGX_HTTP_DT_H_INCLUDED_ */
