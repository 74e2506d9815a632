
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_REDIS_H_INCLUDED_
#define _NGX_HTTP_DT_REDIS_H_INCLUDED_


#include "ngx_module/manager/learner.h"


/*
 * The manager's orders to the fleet's Redis, which a program carries out.
 */

typedef struct ngx_http_dt_redis_s          ngx_http_dt_redis_t;

/* the frame and its slices are valid only during the call */
typedef void (*ngx_http_dt_redis_pt)(void *data, dt_frame_t *frame);


/* detemplate_redis */
char *ngx_http_dt_set_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Executes the program, and again when it ends or hangs.  news is called for
 * each event and gap; done, after all frames of a turn of the event loop.
 * NULL: no memory.
 */
ngx_http_dt_redis_t *ngx_http_dt_redis_create(
    ngx_http_dt_main_conf_t *dmcf, ngx_http_dt_redis_pt news,
    void (*done)(void *data), void *data);

/* begins an order about a site */
void ngx_http_dt_redis_begin(dt_frame_t *order, ngx_uint_t what,
    ngx_str_t *site);

/*
 * Gives an order, whose id is set and whose slices are copied.  answered is
 * called once: perhaps at once, if the order cannot be given; and in any case
 * within a time that "timeout=" bounds.  If Redis or the program failed, rc is
 * DT_EIO, and text says why.
 */
void ngx_http_dt_redis_order(ngx_http_dt_redis_t *redis, dt_frame_t *order,
    ngx_http_dt_redis_pt answered, void *data);

/*
 * Asks for the lock and for the template of the learner's site, in one trip;
 * with whole, for its evidence too.  The learner is the data of answered,
 * which first calls ngx_http_dt_redis_locked().
 */
void ngx_http_dt_redis_lock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_uint_t whole,
    ngx_http_dt_redis_pt answered);

/*
 * Sets learner->locked, if we have the lock, and the state to DENIED, if
 * another machine has it.
 */
void ngx_http_dt_redis_locked(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, dt_frame_t *answer);

/* renews the lock of a running learner, if we have it, before it expires */
void ngx_http_dt_redis_renew(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner);

/*
 * Checks a template and describes it in pub.  The reason of a failure is
 * logged once for a job.
 */
ngx_int_t ngx_http_dt_redis_check(ngx_http_dt_redis_t *redis,
    ngx_http_dt_work_t *work, dt_str_t bytes, ngx_http_dt_publish_t *pub);

/* orders whose answers nothing waits for */

/* stores the learned template, and gives the lock back */
void ngx_http_dt_redis_put(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_publish_t *pub);

/* gives the lock back, if there is one; without a lock, redis may be NULL */
void ngx_http_dt_redis_unlock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner);

/* logs and counts why an order failed, unless Redis is away as a whole; data
   is the ngx_http_dt_redis_t */
void ngx_http_dt_redis_note(void *data, dt_frame_t *answer);

/* whether Redis does not answer, as far as is known */
ngx_uint_t ngx_http_dt_redis_away(ngx_http_dt_redis_t *redis);


#endif /* _NGX_HTTP_DT_REDIS_H_INCLUDED_ */
