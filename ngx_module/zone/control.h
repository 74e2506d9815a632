
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_ZONE_CONTROL_H_INCLUDED_
#define _NGX_HTTP_DT_ZONE_CONTROL_H_INCLUDED_


#include "ngx_module/zone/site.h"


/*
 * Commands of an operator about one site.  A worker asks, the manager acts and
 * answers, since it alone has files and Redis.
 */

#define NGX_HTTP_DT_EARLIER  3         /* templates of a site that are kept */
#define NGX_HTTP_DT_PATIENCE 10000     /* ms that a command may take */


typedef enum {
    NGX_HTTP_DT_DO_SHOW = 0,
    NGX_HTTP_DT_DO_RELEARN,
    NGX_HTTP_DT_DO_FORGET,
    NGX_HTTP_DT_DO_PIN,
    NGX_HTTP_DT_DO_UNPIN,
    NGX_HTTP_DT_DO_RESTORE,
    NGX_HTTP_DT_DOS
} ngx_http_dt_do_e;


typedef enum {
    NGX_HTTP_DT_DID = 0,         /* the command is done */
    NGX_HTTP_DT_DID_QUEUE,       /* a learning is queued */
    NGX_HTTP_DT_DID_MARK,        /* the next page that is served queues it */
    NGX_HTTP_DT_DID_UNKNOWN,     /* there is no such site */
    NGX_HTTP_DT_DID_NONE,        /* the site has no such template */
    NGX_HTTP_DT_DID_FAIL         /* the log says why */
} ngx_http_dt_did_e;


/* a template of a site */

typedef struct {
    uint32_t                       version;    /* 0: there is none */
    uint32_t                       coverage;   /* in thousandths */
    int64_t                        learned_at;
} ngx_http_dt_kept_t;


/* a command, and the state of its site when it was done */

typedef struct {
    ngx_uint_t                     what;       /* DO_ */
    ngx_uint_t                     n;          /* earlier template, from 1 */
    ngx_uint_t                     did;        /* DID_ */
    ngx_uint_t                     known;      /* there is or was something */
    ngx_uint_t                     pinned;
    ngx_uint_t                     fleet;      /* it came by Redis */
    ngx_uint_t                     state;      /* of the job, STATE_ */
    ngx_http_dt_kept_t             now;
    ngx_http_dt_kept_t             earlier[NGX_HTTP_DT_EARLIER];
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_control_t;


/* for workers */

/* hands a command to the manager; returns its number, or 0: no room */
uint64_t ngx_http_dt_control_ask(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);

/*
 * NGX_OK: the command was done, and c is the answer.  NGX_AGAIN: not yet.
 * NGX_DECLINED: the zone has dropped it.  Without c, this call drops it.
 */
ngx_int_t ngx_http_dt_control_answer(ngx_http_dt_zone_t *zone, uint64_t id,
    ngx_http_dt_control_t *c);


/* for the manager */

/* takes the next command; returns its number, 0: there is none */
uint64_t ngx_http_dt_control_take(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);

/* answers it */
void ngx_http_dt_control_done(ngx_http_dt_zone_t *zone, uint64_t id,
    ngx_http_dt_control_t *c);

/*
 * Applies a command to the node of its site, and sets did and known.  Of a
 * site without a node it does nothing.
 */
void ngx_http_dt_control_node(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);

/* fills in the present state from the site's node */
void ngx_http_dt_control_state(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);


#endif /* _NGX_HTTP_DT_ZONE_CONTROL_H_INCLUDED_ */
