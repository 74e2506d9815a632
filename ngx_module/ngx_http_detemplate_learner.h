
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DETEMPLATE_LEARNER_H_INCLUDED_
#define _NGX_HTTP_DETEMPLATE_LEARNER_H_INCLUDED_


#include "core/base/dt.h"
#include "ngx_http_detemplate_zone.h"


/* what a learner says before the template's bytes */

typedef struct {
    uint32_t                       magic;
    uint32_t                       rc;         /* dt_status_t */
    uint32_t                       size;       /* of the template */
    uint32_t                       loads;
    uint32_t                       candidates;
    u_char                         reason[28];
    u_char                         errstr[DT_ERRSTR];
} ngx_http_detemplate_answer_t;


/* a learner process, as the manager sees it; all zero when there is none */

typedef struct {
    ngx_pid_t                      pid;
    ngx_fd_t                       fd;         /* reading end of its pipe */
    ngx_msec_t                     deadline;
    ngx_uint_t                     locked;     /* in Redis */
    ngx_http_detemplate_work_t     work;

    size_t                         received;   /* head and template */
    ngx_http_detemplate_answer_t   answer;
    u_char                        *data;       /* the template */
    const char                    *fault;      /* what was wrong with it */
    unsigned                       closed:1;   /* the pipe is at its end */
    unsigned                       killed:1;
} ngx_http_detemplate_learner_t;


/*
 * Forks a process that learns learner->work.  zone's key goes with its
 * requests; the site's snapshot in dir is what it adds to.
 */
ngx_int_t ngx_http_detemplate_learner_start(
    ngx_http_detemplate_learner_t *learner, ngx_cycle_t *cycle, ngx_str_t *dir,
    u_char *key);

/*
 * NGX_AGAIN: still at work.  NGX_OK: ended, data is a whole template that was
 * checked.  NGX_DECLINED: ended without; the answer has reason and errstr.
 * After these two learner must be closed.
 */
ngx_int_t ngx_http_detemplate_learner_poll(
    ngx_http_detemplate_learner_t *learner, ngx_log_t *log);

/* frees what the learner left and makes it all zero */
void ngx_http_detemplate_learner_close(ngx_http_detemplate_learner_t *learner,
    ngx_log_t *log);


#endif /* _NGX_HTTP_DETEMPLATE_LEARNER_H_INCLUDED_ */
