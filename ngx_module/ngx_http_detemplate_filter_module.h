
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DETEMPLATE_FILTER_MODULE_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_FILTER_MODULE_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/scan/rewrite.h"
#include "core/template/template.h"


/* $detemplate_status */

typedef enum {
    NGX_HTTP_DETEMPLATE_OFF = 0,
    NGX_HTTP_DETEMPLATE_HIT,
    NGX_HTTP_DETEMPLATE_MISS,
    NGX_HTTP_DETEMPLATE_STALE,
    NGX_HTTP_DETEMPLATE_BYPASS,
    NGX_HTTP_DETEMPLATE_GUARD,
    NGX_HTTP_DETEMPLATE_ERROR,
    NGX_HTTP_DETEMPLATE_STATUSES
} ngx_http_detemplate_status_e;


/* $detemplate_reason: one frozen list for variable, log and counters */

typedef enum {
    NGX_HTTP_DETEMPLATE_R_NONE = 0,
    NGX_HTTP_DETEMPLATE_R_OFF,              /* off */
    NGX_HTTP_DETEMPLATE_R_METHOD,           /* method */
    NGX_HTTP_DETEMPLATE_R_STATUS,           /* status */
    NGX_HTTP_DETEMPLATE_R_TYPE,             /* type */
    NGX_HTTP_DETEMPLATE_R_ENCODING,         /* encoding */
    NGX_HTTP_DETEMPLATE_R_CHARSET,          /* charset */
    NGX_HTTP_DETEMPLATE_R_NO_TRANSFORM,     /* no-transform */
    NGX_HTTP_DETEMPLATE_R_RANGE,            /* range */
    NGX_HTTP_DETEMPLATE_R_SIGNATURE,        /* signature */
    NGX_HTTP_DETEMPLATE_R_BYPASS,           /* bypass */
    NGX_HTTP_DETEMPLATE_R_LEARNER,          /* learner: our own request */
    NGX_HTTP_DETEMPLATE_R_SITE,             /* site: empty or too long */
    NGX_HTTP_DETEMPLATE_R_NO_TEMPLATE,      /* no-template */
    NGX_HTTP_DETEMPLATE_R_LEARNING,         /* learning */
    NGX_HTTP_DETEMPLATE_R_BACKOFF,          /* backoff */
    NGX_HTTP_DETEMPLATE_R_EXPIRED,          /* expired */
    NGX_HTTP_DETEMPLATE_R_NO_MATCH,         /* no-match */
    NGX_HTTP_DETEMPLATE_R_GUARD,            /* guard */
    NGX_HTTP_DETEMPLATE_R_TOO_DEEP,         /* too-deep */
    NGX_HTTP_DETEMPLATE_R_MEMORY,           /* memory */
    NGX_HTTP_DETEMPLATE_REASONS
} ngx_http_detemplate_reason_e;

extern ngx_str_t  ngx_http_detemplate_statuses[];
extern ngx_str_t  ngx_http_detemplate_reasons[];


#define NGX_HTTP_DETEMPLATE_MAX_SITE  255
#define NGX_HTTP_DETEMPLATE_MAX_URI   2048
#define NGX_HTTP_DETEMPLATE_MAX_ORIGIN  1024

#define NGX_HTTP_DETEMPLATE_MARKER    "Detemplate-Learner"
#define NGX_HTTP_DETEMPLATE_KEY_LEN   32      /* hex digits */


/* what a learner has to know; fixed size, since it lies in shared memory */

typedef struct {
    u_char                         url[NGX_HTTP_DETEMPLATE_MAX_URI];
                                                /* the key page, NUL-ended */
    u_char                         origin[NGX_HTTP_DETEMPLATE_MAX_ORIGIN + 1];
                                                /* a URL: pages are below it */
    u_char                         connect[NGX_SOCKADDR_STRLEN + 1];
                                                /* without it: host:port */
    ngx_uint_t                     candidates;
    ngx_uint_t                     votes;
    ngx_uint_t                     loads;
    ngx_uint_t                     detector;    /* index in dt_detectors */
    time_t                         valid;
    time_t                         refresh;
} ngx_http_detemplate_job_t;


typedef enum {
    NGX_HTTP_DETEMPLATE_IDLE = 0,
    NGX_HTTP_DETEMPLATE_QUEUED,
    NGX_HTTP_DETEMPLATE_RUNNING
} ngx_http_detemplate_state_e;


typedef struct ngx_http_detemplate_ctx_s   ngx_http_detemplate_ctx_t;
typedef struct ngx_http_detemplate_zone_s  ngx_http_detemplate_zone_t;


/* http level: the zone, the path, Redis, learners */

typedef struct {
    ngx_shm_zone_t                *shm_zone;
    ngx_path_t                    *path;
    ngx_str_t                      redis_url;
    ngx_str_t                      redis_prefix;
    ngx_str_t                      redis_password_file;
    ngx_msec_t                     redis_timeout;
    ngx_uint_t                     learners;
    ngx_flag_t                     used;        /* some location is not off */
    ngx_http_detemplate_ctx_t     *shared;      /* contexts, by reason */
} ngx_http_detemplate_main_conf_t;


/* what a location does */

typedef enum {
    NGX_HTTP_DETEMPLATE_MODE_OFF = 0,
    NGX_HTTP_DETEMPLATE_MODE_STRIP,
    NGX_HTTP_DETEMPLATE_MODE_ANNOTATE
} ngx_http_detemplate_mode_e;


/* location level; first what each response needs */

typedef struct {
    ngx_http_complex_value_t      *mode;        /* NULL: off */
    ngx_msec_t                     wait;
    ngx_hash_t                     types;
    uint64_t                       lengths;     /* of the types, modulo 64 */
    ngx_uint_t                     fixed;       /* on; needs no variables */
    ngx_array_t                   *types_keys;
    ngx_array_t                   *bypass;
    ngx_http_complex_value_t      *site;        /* NULL: $server_name */
    ngx_str_t                      origin;      /* without the last slash */
    ngx_int_t                      candidates;
    ngx_int_t                      votes;       /* or not set */
    ngx_int_t                      loads;       /* or not set */
    ngx_uint_t                     detector;
    time_t                         valid;
    time_t                         refresh;     /* or not set */
    ngx_flag_t                     learn;
} ngx_http_detemplate_loc_conf_t;


/* a template as a worker holds it: its own copy, shared by its requests */

typedef struct {
    ngx_queue_t                    queue;
    ngx_uint_t                     refs;
    uint32_t                       version;
    uint32_t                       hash;
    ngx_str_t                      site;
    void                          *data;        /* checked bytes */
    size_t                         size;
} ngx_http_detemplate_template_t;


typedef struct {
    ngx_uint_t                     status;      /* HIT, MISS or STALE */
    ngx_uint_t                     reason;
    ngx_http_detemplate_template_t  *tmpl;      /* on HIT and STALE; the caller
                                                   releases it */
} ngx_http_detemplate_lookup_t;


/* ngx_http_detemplate_zone.c: shared memory, for workers and the manager */

/* adds the zone at configuration time and sets its init handler */
char *ngx_http_detemplate_zone_add(ngx_conf_t *cf,
    ngx_http_detemplate_main_conf_t *dmcf, ngx_str_t *name, size_t size);

/*
 * Looks the site up; takes this worker's copy of its template, made anew when
 * shared memory has another version.  Queues job when there is no template,
 * or it is due for refresh, and neither a learning nor a back-off is under
 * way.  job may be NULL: nothing is queued then.  Never fails: no memory is a
 * MISS with a reason.
 */
void ngx_http_detemplate_zone_lookup(ngx_http_detemplate_zone_t *zone,
    ngx_str_t *site, ngx_http_detemplate_job_t *job,
    ngx_http_detemplate_lookup_t *out);

void ngx_http_detemplate_template_release(ngx_http_detemplate_template_t *t);

/*
 * A page of the site was served that should be learned from, see
 * dt_template_want(): queue it as a new key page, unless it has been one, or
 * want percent of the site's loads are used up.
 */
void ngx_http_detemplate_zone_covered(ngx_http_detemplate_zone_t *zone,
    ngx_str_t *site, ngx_http_detemplate_job_t *job, uint32_t version,
    ngx_uint_t want);

/* counts one finished main request; bytes of the page and those removed */
void ngx_http_detemplate_zone_count(ngx_http_detemplate_zone_t *zone,
    ngx_uint_t status, ngx_uint_t reason, off_t in, off_t removed);

/* NGX_HTTP_DETEMPLATE_KEY_LEN hex digits: the zone's secret, which the
   learner's requests carry in the field NGX_HTTP_DETEMPLATE_MARKER */
u_char *ngx_http_detemplate_zone_key(ngx_http_detemplate_zone_t *zone);


/* ngx_http_detemplate_manager.c: the cache manager's tick */

/* adds dmcf->path, with manager and loader callbacks, at configuration time */
char *ngx_http_detemplate_manager_add(ngx_conf_t *cf,
    ngx_http_detemplate_main_conf_t *dmcf, ngx_str_t *path);


/* ngx_http_detemplate_status.c: the handler of detemplate_status */

ngx_int_t ngx_http_detemplate_status_handler(ngx_http_request_t *r);


extern ngx_module_t  ngx_http_detemplate_filter_module;


#endif /* _NGX_HTTP_DETEMPLATE_FILTER_MODULE_H_INCLUDED_ */
