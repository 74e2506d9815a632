
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_LEARNER_H_INCLUDED_
#define _NGX_HTTP_DT_LEARNER_H_INCLUDED_


#include "ngx_module/manager/child.h"
#include "ngx_module/zone/work.h"


/* identifies a file until it is replaced or changed; all zero: none is seen */

typedef struct {
    ngx_file_uniq_t                uniq;
    time_t                         mtime;
    off_t                          size;
} ngx_http_dt_program_t;


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


/* A slot: the work, its learner, and the learner's result.  All zero while it
   is free. */

typedef struct {
    void                          *jobs;       /* whose slot it is */
    ngx_uint_t                     state;
    ngx_http_dt_child_t            child;
    ngx_msec_t                     started;
    ngx_msec_t                     deadline;   /* READY: to get a learner by;
                                                  LEARNING: to end by */
    ngx_msec_t                     locked;     /* since then we have the lock
                                                  in Redis; or 0 */
    ngx_http_dt_work_t             work;
    ngx_http_dt_program_t          program;    /* the file that is executed */

    dt_answer_t                    answer;
    u_char                        *data;       /* its template */
    const char                    *fault;      /* NULL: the answer is sound */
    unsigned                       answered:1;
} ngx_http_dt_learner_t;


/* executes the program, which learns learner->work; handler: as above */
ngx_int_t ngx_http_dt_learner_start(ngx_http_dt_learner_t *learner,
    ngx_http_dt_main_conf_t *dmcf, void (*handler)(void *data), void *data);

/*
 * NGX_AGAIN: the learner still runs.  After the others, close it.
 * NGX_OK: it has ended, and data is a whole template that was checked.
 * NGX_DECLINED: it has ended without one; answer has reason and errstr, and
 * data, if there is any and no fault, has only evidence.
 * NGX_ABORT: its program is of another version, which child.other names.
 */
ngx_int_t ngx_http_dt_learner_poll(ngx_http_dt_learner_t *learner);

/* frees the slot */
void ngx_http_dt_learner_close(ngx_http_dt_learner_t *learner);

/* sets pub from the template of a sound answer */
void ngx_http_dt_learner_answer(ngx_http_dt_learner_t *learner,
    ngx_http_dt_publish_t *pub);


#endif /* _NGX_HTTP_DT_LEARNER_H_INCLUDED_ */
