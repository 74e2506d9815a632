
/*
 * Copyright (C) The detemplate authors
 *
 * Names that all files of the module share: modes, reasons, configuration,
 * request context.
 */


#ifndef _NGX_HTTP_DT_H_INCLUDED_
#define _NGX_HTTP_DT_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/redis/redis.h"
#include "core/scan/rewrite.h"
#include "core/text/text.h"


/* $detemplate_status */

typedef enum {
    NGX_HTTP_DT_S_OFF = 0,
    NGX_HTTP_DT_S_HIT,
    NGX_HTTP_DT_S_MISS,
    NGX_HTTP_DT_S_STALE,
    NGX_HTTP_DT_S_BYPASS,
    NGX_HTTP_DT_S_GUARD,
    NGX_HTTP_DT_S_ERROR,
    NGX_HTTP_DT_STATUSES
} ngx_http_dt_status_e;


/* $detemplate_reason: one frozen list for variable, log and counters */

typedef enum {
    NGX_HTTP_DT_R_NONE = 0,
    NGX_HTTP_DT_R_OFF,              /* off */
    NGX_HTTP_DT_R_METHOD,           /* method */
    NGX_HTTP_DT_R_STATUS,           /* status */
    NGX_HTTP_DT_R_TYPE,             /* type */
    NGX_HTTP_DT_R_ENCODING,         /* encoding */
    NGX_HTTP_DT_R_CHARSET,          /* charset */
    NGX_HTTP_DT_R_NO_TRANSFORM,     /* no-transform */
    NGX_HTTP_DT_R_RANGE,            /* range */
    NGX_HTTP_DT_R_SIGNATURE,        /* signature */
    NGX_HTTP_DT_R_BYPASS,           /* bypass */
    NGX_HTTP_DT_R_LEARNER,          /* learner: our own request */
    NGX_HTTP_DT_R_SITE,             /* site: empty or too long */
    NGX_HTTP_DT_R_NO_TEMPLATE,      /* no-template */
    NGX_HTTP_DT_R_LEARNING,         /* learning */
    NGX_HTTP_DT_R_BACKOFF,          /* backoff */
    NGX_HTTP_DT_R_EXPIRED,          /* expired */
    NGX_HTTP_DT_R_NO_MATCH,         /* no-match */
    NGX_HTTP_DT_R_GUARD,            /* guard */
    NGX_HTTP_DT_R_TOO_DEEP,         /* too-deep */
    NGX_HTTP_DT_R_MEMORY,           /* memory */
    NGX_HTTP_DT_R_HOST,             /* host: not the server's */
    NGX_HTTP_DT_R_URL,              /* url: too long, or none */
    NGX_HTTP_DT_R_QUERY,            /* query: too many arguments */
    NGX_HTTP_DT_R_ACTION,           /* action: it acts */
    NGX_HTTP_DT_R_SEARCH,           /* search */
    NGX_HTTP_DT_R_PRIVATE,          /* private */
    NGX_HTTP_DT_R_ADDRESS,          /* address: a unix socket */
    NGX_HTTP_DT_R_LEARN,            /* learn: detemplate_learn off */
    NGX_HTTP_DT_R_BUSY,             /* busy: too much is queued */
    NGX_HTTP_DT_R_SIZE,             /* size: larger than is held */
    NGX_HTTP_DT_R_SLOW,             /* slow: not here in time */
    NGX_HTTP_DT_REASONS
} ngx_http_dt_reason_e;

/* how a location changes pages */

typedef enum {
    NGX_HTTP_DT_MODE_OFF = 0,
    NGX_HTTP_DT_MODE_STRIP,
    NGX_HTTP_DT_MODE_ANNOTATE,
    NGX_HTTP_DT_MODE_PREVIEW,
    NGX_HTTP_DT_MODE_HEADERS,
    NGX_HTTP_DT_MODE_SHADOW,
    NGX_HTTP_DT_MODE_MARKDOWN,
    NGX_HTTP_DT_MODE_TEXT,
    NGX_HTTP_DT_MODE_JSON
} ngx_http_dt_mode_e;


/* words for the configuration, log and status, by the enumerations above */

extern ngx_str_t  ngx_http_dt_statuses[];
extern ngx_str_t  ngx_http_dt_reasons[];
extern ngx_str_t  ngx_http_dt_modes[];     /* first the default, then others,
                                              then an empty one */
extern ngx_str_t  ngx_http_dt_links[];     /* likewise */
extern ngx_str_t  ngx_http_dt_cut[];       /* likewise */
extern ngx_str_t  ngx_http_dt_learn_words[];     /* likewise */

/* the largest list of choices */
#define NGX_HTTP_DT_CHOICES  128

/* writes such words, quoted, from p on, up to last; returns their end */
u_char *ngx_http_dt_choices(u_char *p, u_char *last, ngx_str_t *words);

/* the number of a word; without it, that of the empty one */
ngx_uint_t ngx_http_dt_find_word(ngx_str_t *words, ngx_str_t *word);

/* a string as the core has it */
#define ngx_http_dt_str(s)  ((dt_str_t) { (s)->len, (char *) (s)->data })

/* copies a name to buf; to becomes that copy */
void ngx_http_dt_copy_name(ngx_str_t *to, u_char *buf, ngx_str_t *name);

#define ngx_http_dt_equal(a, b)                                               \
    ((a)->len == (b)->len && ngx_memcmp((a)->data, (b)->data, (a)->len) == 0)

/*
 * Copies text from outside, which must not begin new lines in the log: src to
 * dst, at most n bytes with a NUL; each byte that is not printable ASCII
 * becomes "?".  dst may be src.
 */
void ngx_http_dt_printable(u_char *dst, u_char *src, size_t n);


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

/* how many pages the detector compares, where the configuration may not say */
ngx_int_t ngx_http_dt_candidates(ngx_http_dt_loc_conf_t *conf);


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


/* one request: the decisions about it, and the state of its body */

struct ngx_http_dt_ctx_s {
    ngx_uint_t                       phase;

    unsigned                         shared:1;  /* by all, so never written */
    unsigned                         learner:1; /* our own learner asks */
    unsigned                         links:1;   /* detemplate_links keep */
    unsigned                         bold:1;    /* detemplate_cut bold */
    unsigned                         from_host:1; /* the field Host chose the
                                                    site */
    unsigned                         named:1;   /* the configuration names the
                                                   site */
    unsigned                         due:1;     /* the zone should see the
                                                   page */
    unsigned                         copied:1;  /* and have a copy of it */
    unsigned                         settled:1; /* learning has nothing more to
                                                   do */
    unsigned                         grows:1;   /* see ngx_http_dt_lookup_t */
    unsigned                         strange:1; /* the page shows hardly
                                                   anything of the template */
    unsigned                         asking:1;  /* detemplate_bypass is being
                                                   evaluated */
    unsigned                         xml:1;     /* the response is XHTML */
    unsigned                         twin:1;    /* the URL asks for the page
                                                    as Markdown */
    unsigned                         begun:1;   /* an earlier response of this
                                                   request was rewritten */
    unsigned                         html:1;    /* with only: as HTML, not as
                                                   Markdown */

    ngx_uint_t                       mode;
    ngx_uint_t                       learn;
    ngx_uint_t                       status;
    ngx_uint_t                       reason;
    ngx_str_t                        field;     /* value of Detemplate */

    ngx_http_request_t              *request;
    ngx_http_dt_twin_t              *asked;     /* NULL: the URL has no suffix
                                                   */
    ngx_str_t                        target;    /* path and query of the page
                                                   as requested, without it */
    ngx_http_dt_loc_conf_t          *conf;      /* decisions are for it */
    ngx_uint_t                       excluded;  /* reason why the request
                                                   rules rewriting out */
    ngx_str_t                        site;      /* empty: not known yet */
    ngx_http_dt_template_t          *tmpl;
    ngx_uint_t                       tmpl_status; /* HIT or STALE */

    ngx_uint_t                       unlearned; /* reason why the page cannot
                                                   be a key page */
    ngx_str_t                        detail;    /* text that decided this */
    ngx_str_t                        only;      /* not empty: the request asks
                                                   for the cut parts of this
                                                   page, if the page is of this
                                                   site */
    ngx_str_t                        server;    /* name for the learner */
    ngx_str_t                        host;      /* of the page's URL */
    ngx_str_t                        base;      /* of absolute URLs that the
                                                   page gets; may be empty */
    ngx_str_t                        path;
    ngx_str_t                        client;    /* from the learner: whose
                                                   request was first */
    ngx_addr_t                      *stranger;  /* the learner's address, once
                                                   it is set */
    dt_str_t                         head;      /* inserted into heads of
                                                   pages; may be empty */
    ngx_str_t                        none_match; /* If-None-Match of the
                                                    client */
    ngx_msec_t                       deadline;  /* of detemplate_wait */

    ngx_str_t                        charset;   /* that of the header */
    ngx_event_t                      event;     /* it has taken too long */

    /* the body, while it comes: see hold.c */

    ngx_buf_t                        page;
    ngx_buf_t                        source;    /* the whole page, inflated:
                                                   page, or another buffer */
    size_t                           taken;     /* of the worker's memory */

    /* and when it has come: see body.c, marks.c and convert.c */

    dt_rewrite_stats_t               stats;
    ngx_chain_t                     *out;       /* the output, */
    ngx_chain_t                     *last_out;
    off_t                            length;    /* and how many bytes; */
    off_t                            hashed;    /* of these, the number for the
                                                   entity tag */
    ngx_http_dt_regions_t           *regions;   /* NULL: of no interest */
    ngx_str_t                        canonical; /* as the page says */
    ngx_str_t                        url;       /* of the page; empty: its host
                                                   is not known */
};


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


/* lines of a header or trailer section */

/*
 * Counts the parts of the comma separated values of all lines with this name,
 * which is in lower case.  Returns how many are token, ignoring case; *other
 * is how many are not.
 */
ngx_uint_t ngx_http_dt_count_parts(ngx_list_t *headers, ngx_str_t *name,
    ngx_str_t *token, ngx_uint_t *other);

/* whether Cache-Control in these lines has "no-transform" */
ngx_uint_t ngx_http_dt_no_transform(ngx_list_t *headers);

/* the next line of a list, see below */
ngx_table_elt_t *ngx_http_dt_next_field(ngx_list_part_t **part, ngx_uint_t *i);

/* whether a line has one of the names, which are in lower case; the last one
   is empty */
ngx_uint_t ngx_http_dt_is_field(ngx_table_elt_t *h, ngx_str_t *names);

/*
 * The next line of a list with one of the names; NULL: there is no more.
 * Before the first call, *part is the list's first part and *i is 0.
 */
ngx_table_elt_t *ngx_http_dt_find_field(ngx_list_part_t **part, ngx_uint_t *i,
    ngx_str_t *names);

/* the first of them */
ngx_table_elt_t *ngx_http_dt_first_field(ngx_list_t *headers,
    ngx_str_t *names);

/*
 * Takes lines out of the header or the trailer section; names are in lower
 * case, the last one is empty.
 */
void ngx_http_dt_hide_fields(ngx_list_t *headers, ngx_str_t *names);

/*
 * Adds a line to those of the header or of the trailer section, unless the
 * value is empty; NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_push_field(ngx_list_t *headers, char *name,
    ngx_str_t *value);


#endif /* _NGX_HTTP_DT_H_INCLUDED_ */
