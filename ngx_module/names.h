
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_NAMES_H_INCLUDED_
#define _NGX_HTTP_DT_NAMES_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>


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

/* and by those of zone/site.h and zone/control.h */

extern ngx_str_t  ngx_http_dt_sources[];
extern ngx_str_t  ngx_http_dt_states[];
extern ngx_str_t  ngx_http_dt_results[];
extern ngx_str_t  ngx_http_dt_dos[];
extern ngx_str_t  ngx_http_dt_dids[];

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


#endif /* _NGX_HTTP_DT_NAMES_H_INCLUDED_ */
