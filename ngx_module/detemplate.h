
/*
 * Copyright (C) The detemplate authors
 *
 * What all of the module calls by the same names.
 */


#ifndef _NGX_HTTP_DT_H_INCLUDED_
#define _NGX_HTTP_DT_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


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
    NGX_HTTP_DT_REASONS
} ngx_http_dt_reason_e;

extern ngx_str_t  ngx_http_dt_statuses[];
extern ngx_str_t  ngx_http_dt_reasons[];


/* what a location does */

typedef enum {
    NGX_HTTP_DT_MODE_OFF = 0,
    NGX_HTTP_DT_MODE_STRIP,
    NGX_HTTP_DT_MODE_ANNOTATE,
    NGX_HTTP_DT_MODE_PREVIEW,
    NGX_HTTP_DT_MODE_HEADERS,
    NGX_HTTP_DT_MODE_SHADOW
} ngx_http_dt_mode_e;


typedef struct ngx_http_dt_ctx_s          ngx_http_dt_ctx_t;


extern ngx_module_t  ngx_http_detemplate_filter_module;


/* puts the module in its place again, when others have been loaded later */

void ngx_http_dt_place(ngx_cycle_t *cycle);


#endif /* _NGX_HTTP_DT_H_INCLUDED_ */
