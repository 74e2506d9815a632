
/*
 * Copyright (C) The detemplate authors
 *
 * What jobs ask of the fleet's Redis, through the link.
 */


#ifndef _NGX_HTTP_DT_REDIS_H_INCLUDED_
#define _NGX_HTTP_DT_REDIS_H_INCLUDED_


#include "ngx_module/manager/learner.h"
#include "ngx_module/manager/link.h"


typedef struct ngx_http_dt_redis_s          ngx_http_dt_redis_t;

/* the answer has the site's template, unchecked, if its rc is DT_OK */
typedef void (*ngx_http_dt_redis_pt)(void *data,
    ngx_http_dt_learner_t *learner, dt_frame_t *answer);


/* news and done as for ngx_http_dt_link_create(); NULL: no memory */
ngx_http_dt_redis_t *ngx_http_dt_redis_create(
    ngx_http_dt_main_conf_t *dmcf, ngx_http_dt_link_pt news,
    void (*done)(void *data), void *data);

/*
 * Asks for the lock and for the template of the learner's site, in one trip;
 * with whole, for its evidence too.  The state is ASKING until got is called,
 * perhaps at once.  It is DENIED then if another machine has the lock;
 * learner->locked says whether we have it.
 */
void ngx_http_dt_redis_ask(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_uint_t whole,
    ngx_http_dt_redis_pt got);

/* gives an order about a site that no job waits for; see link.h */
void ngx_http_dt_redis_order(ngx_http_dt_redis_t *redis, ngx_uint_t what,
    ngx_str_t *site, ngx_http_dt_link_pt answered, void *data);

/* the same to read a template that is not older than this, if there is one */
void ngx_http_dt_redis_get(ngx_http_dt_redis_t *redis, ngx_str_t *site,
    uint32_t version, int64_t learned_at, ngx_http_dt_link_pt answered,
    void *data);

/*
 * Checks a template and sets what pub says of it.  Otherwise the log says why,
 * once for a job.
 */
ngx_int_t ngx_http_dt_redis_check(ngx_http_dt_redis_t *redis,
    ngx_http_dt_work_t *work, dt_str_t bytes, ngx_http_dt_publish_t *pub);

/* nobody waits for the answers to these orders */

/* stores what the learner has learned, and gives the lock back */
void ngx_http_dt_redis_put(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_publish_t *pub);

/* gives the lock back, if there is one */
void ngx_http_dt_redis_unlock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner);

/* logs and counts why an order failed, unless Redis is away as a whole */
void ngx_http_dt_redis_note(ngx_http_dt_redis_t *redis, dt_frame_t *answer);

/* whether Redis does not answer, as far as is known */
ngx_uint_t ngx_http_dt_redis_away(ngx_http_dt_redis_t *redis);


#endif /* _NGX_HTTP_DT_REDIS_H_INCLUDED_ */
