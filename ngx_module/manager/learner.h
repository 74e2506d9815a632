
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_LEARNER_H_INCLUDED_
#define _NGX_HTTP_DT_LEARNER_H_INCLUDED_


#include "core/base/job.h"
#include "ngx_module/manager/program.h"
#include "ngx_module/zone/publish.h"


#define NGX_HTTP_DT_HELLO  64


/*
 * A job on its way to a learner process, and that, as the manager sees it; all
 * zero when there is none
 */

typedef struct {
    ngx_pid_t                      pid;
    ngx_fd_t                       in;         /* of its standard input, */
    ngx_fd_t                       out;        /* output, */
    ngx_fd_t                       err;        /* and error: our ends */
    ngx_msec_t                     started;
    ngx_msec_t                     deadline;   /* without pid: to get one */
    ngx_uint_t                     locked;     /* in Redis, perhaps */
    ngx_http_dt_work_t             work;
    ngx_http_dt_program_t          program;    /* what is executed */

    u_char                        *job;        /* bytes on their way to it */
    size_t                         size;
    size_t                         sent;

    u_char                         hello[NGX_HTTP_DT_HELLO];
    size_t                         heard;      /* of it */
    size_t                         received;   /* answer and template */
    dt_answer_t                    answer;
    u_char                        *data;       /* the template */
    u_char                         line[DT_ERRSTR];
                                               /* of standard error, so far */
    size_t                         len;
    u_char                         said[DT_ERRSTR];
                                               /* the last whole line of it */
    const char                    *fault;      /* what was wrong with it */
    unsigned                       taken:1;    /* there is a job, */
    unsigned                       asked:1;    /* and Redis about it, */
    unsigned                       denied:1;   /* where others learn it */
    unsigned                       killed:1;
    unsigned                       refused:1;  /* is of another version */
} ngx_http_dt_learner_t;


/*
 * Executes program, which is to learn learner->work.  key goes with its
 * requests; the site's snapshot in dir is what it adds to.  NGX_DECLINED: it
 * is not there, and the site has to be learned anew.
 */
ngx_int_t ngx_http_dt_learner_start(
    ngx_http_dt_learner_t *learner, ngx_str_t *program, ngx_str_t *dir,
    u_char *key, ngx_log_t *log);

/*
 * NGX_AGAIN: still at work.  NGX_OK: ended, data is a whole template that was
 * checked.  NGX_DECLINED: ended without, the answer has reason and errstr, and
 * data, if there is any and no fault, has evidence only.
 * NGX_ABORT: the program is of another version, hello says which.  After
 * these three learner must be closed.
 */
ngx_int_t ngx_http_dt_learner_poll(
    ngx_http_dt_learner_t *learner, ngx_log_t *log);

/* frees what the learner left and makes it all zero */
void ngx_http_dt_learner_close(ngx_http_dt_learner_t *learner, ngx_log_t *log);

/* the template of an answer that was sound, on its way into the zone */
void ngx_http_dt_learner_answer(ngx_http_dt_learner_t *learner,
    ngx_http_dt_publish_t *pub);

/* what came from outside must not write lines of its own into the log */
void ngx_http_dt_printable(u_char *dst, u_char *src, size_t n);


#endif /* _NGX_HTTP_DT_LEARNER_H_INCLUDED_ */
