
/*
 * Copyright (C) The detemplate authors
 *
 * The manager's Redis: its socket in nginx's event loop, its log lines.
 */


#ifndef _NGX_HTTP_DT_REDIS_H_INCLUDED_
#define _NGX_HTTP_DT_REDIS_H_INCLUDED_


#include "core/redis/redis.h"
#include "ngx_module/manager/learner.h"


typedef struct ngx_http_dt_redis_s          ngx_http_dt_redis_t;

/* bytes is the site's template, unchecked: only with DT_OK, and only during
   the call */
typedef void (*ngx_http_dt_redis_pt)(void *data,
    ngx_http_dt_learner_t *learner, dt_status_t rc, dt_str_t bytes);


/* detemplate_redis */
char *ngx_http_dt_set_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* work is called after all answers of a turn of the event loop */
ngx_http_dt_redis_t *ngx_http_dt_redis_create(
    ngx_http_dt_main_conf_t *dmcf, void (*work)(void *data), void *data);

/*
 * Asks for the lock and for the template of the learner's site, in one trip.
 * The state is ASKING until got is called, perhaps at once.  It is DENIED then
 * if another machine has the lock; learner->locked says whether we have it.
 */
void ngx_http_dt_redis_ask(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_redis_pt got);

/* NGX_OK: the template is sound, and info is set.  Otherwise the log says why,
   once for a job */
ngx_int_t ngx_http_dt_redis_check(ngx_http_dt_redis_t *redis,
    ngx_http_dt_work_t *work, dt_str_t bytes, dt_template_info_t *info);

/* nobody waits for the answers to these calls */

/* stores what the learner has learned, and gives the lock back */
void ngx_http_dt_redis_put(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_publish_t *pub);

/* gives the lock back, if there is one */
void ngx_http_dt_redis_unlock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner);

/* removes what there is of the site; done calls ngx_http_dt_redis_note() */
void ngx_http_dt_redis_forget(ngx_http_dt_redis_t *redis, ngx_str_t *site,
    dt_redis_done_t done);

/* logs a line when Redis goes away, when it is back, and when it refuses */
void ngx_http_dt_redis_note(ngx_http_dt_redis_t *redis, dt_status_t rc);

/* whether Redis does not answer, as far as is known */
ngx_uint_t ngx_http_dt_redis_away(ngx_http_dt_redis_t *redis);


#endif /* _NGX_HTTP_DT_REDIS_H_INCLUDED_ */
