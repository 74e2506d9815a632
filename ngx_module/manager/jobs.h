
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_JOBS_H_INCLUDED_
#define _NGX_HTTP_DT_JOBS_H_INCLUDED_


#include "ngx_module/manager/plan.h"
#include "ngx_module/manager/redis.h"
#include "ngx_module/manager/snapshot.h"


/* the steps of a job in the manager: snapshot, Redis, learner */

typedef struct {
    ngx_http_dt_main_conf_t       *dmcf;
    ngx_http_dt_zone_t            *zone;

    ngx_http_dt_learner_t         *slots;      /* of jobs with a learner, and
                                                  of jobs ahead of them */
    ngx_uint_t                     nslots;
    ngx_uint_t                     taken;      /* slots that are not free */
    ngx_uint_t                     ahead;      /* bound of the jobs taken, by
                                                  the present speed of
                                                  learning */
    ngx_uint_t                     nlearners;  /* that run */
    ngx_uint_t                     max_learners;

    ngx_http_dt_plan_t             plan;
    ngx_http_dt_redis_t           *redis;      /* or NULL */
    ngx_http_dt_redis_pt           news;       /* of it */
    void                         (*wake)(void *data);
    ngx_http_dt_walk_t             walk;       /* over the snapshots */

    ngx_http_dt_program_t          refused;    /* of another version */
    unsigned                       stopped:1;  /* while refused is there */
    unsigned                       counted:1;  /* walk has counted snapshots */
} ngx_http_dt_jobs_t;


/*
 * jobs is all zero.  news is called with jobs and each event of Redis, and
 * with a gap that names a site whose template came from a snapshot; wake,
 * after answers and events, and when a learner has written something.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_jobs_create(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_main_conf_t *dmcf, ngx_http_dt_redis_pt news,
    void (*wake)(void *data));

/* checks the learners, and ends the jobs of those that have ended */
void ngx_http_dt_jobs_poll(ngx_http_dt_jobs_t *jobs);

/* takes jobs from the plan, and starts learners */
void ngx_http_dt_jobs_take(ngx_http_dt_jobs_t *jobs);

/*
 * Publishes the template of an answer, if it is newer than ours.  NGX_OK:
 * nothing has to be learned.
 */
ngx_int_t ngx_http_dt_jobs_newer(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work, dt_frame_t *answer);


#endif /* _NGX_HTTP_DT_JOBS_H_INCLUDED_ */
