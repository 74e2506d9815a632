
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_LEARNER_H_INCLUDED_
#define _NGX_HTTP_DT_LEARNER_H_INCLUDED_


#include "core/base/job.h"
#include "ngx_module/manager/program.h"
#include "ngx_module/zone/publish.h"


/* bytes of a first line */
#define NGX_HTTP_DT_HELLO  64


/* a slot of the manager, for one job */

typedef enum {
    NGX_HTTP_DT_SLOT_FREE = 0,
    NGX_HTTP_DT_SLOT_ASKING,     /* Redis has not answered yet */
    NGX_HTTP_DT_SLOT_DENIED,     /* neither, but another machine has the lock,
                                    and learns the site */
    NGX_HTTP_DT_SLOT_READY,      /* the job waits for a learner */
    NGX_HTTP_DT_SLOT_LEARNING,   /* its learner runs */
    NGX_HTTP_DT_SLOT_KILLED      /* its learner was killed, and has to end */
} ngx_http_dt_slot_e;


/*
 * A slot: the work, the order that its learner gets, and the answer that the
 * learner gives.  All zero while it is free.
 */

typedef struct {
    ngx_uint_t                     state;
    ngx_pid_t                      pid;
    ngx_fd_t                       in;         /* our ends of its standard */
    ngx_fd_t                       out;        /* input, output and error; */
    ngx_fd_t                       err;        /* 0: closed */
    ngx_msec_t                     started;
    ngx_msec_t                     deadline;   /* READY: to get a learner;
                                                  LEARNING: to end */
    ngx_msec_t                     locked;     /* since then we have the lock
                                                  in Redis; or 0 */
    ngx_http_dt_work_t             work;
    ngx_http_dt_program_t          program;    /* the file that is executed */

    u_char                        *order;      /* what it reads */
    size_t                         order_size;
    size_t                         order_sent;

    u_char                         hello[NGX_HTTP_DT_HELLO];
                                               /* its first line, */
    size_t                         hello_len;  /* as far as it has come */
    size_t                         received;   /* bytes of answer, template */
    dt_answer_t                    answer;
    u_char                        *data;       /* the template */
    u_char                         line[DT_ERRSTR];
                                               /* of standard error, */
    size_t                         len;        /* as far as it has come */
    u_char                         last_line[DT_ERRSTR];
                                               /* that is whole */
    const char                    *fault;      /* what was wrong with it */
    unsigned                       other_version:1;  /* its program has one */
} ngx_http_dt_learner_t;


/*
 * Executes the program, which learns learner->work.  key goes with its
 * requests; dir has the snapshots.
 */
ngx_int_t ngx_http_dt_learner_start(
    ngx_http_dt_learner_t *learner, ngx_http_dt_zone_t *zone,
    ngx_str_t *program, ngx_str_t *dir, u_char *key, ngx_log_t *log);

/*
 * NGX_AGAIN: the learner still runs.  After the others, close it.
 * NGX_OK: it has ended, and data is a whole template that was checked.
 * NGX_DECLINED: it has ended without one; answer has reason and errstr, and
 * data, if there is any and no fault, has only evidence.
 * NGX_ABORT: its program is of another version, which hello names.
 */
ngx_int_t ngx_http_dt_learner_poll(
    ngx_http_dt_learner_t *learner, ngx_log_t *log);

/* frees the slot */
void ngx_http_dt_learner_close(ngx_http_dt_learner_t *learner, ngx_log_t *log);

/* sets pub from the template of a sound answer */
void ngx_http_dt_learner_answer(ngx_http_dt_learner_t *learner,
    ngx_http_dt_publish_t *pub);


#endif /* _NGX_HTTP_DT_LEARNER_H_INCLUDED_ */
