
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CHILD_H_INCLUDED_
#define _NGX_HTTP_DT_CHILD_H_INCLUDED_


#include "core/base/wire.h"
#include "ngx_module/detemplate.h"


/*
 * Checks at configuration time that the program that learns can be executed.
 * An empty path is set to that of the program beside the module.  NGX_ERROR:
 * it cannot be executed, and the log says so.
 */
ngx_int_t ngx_http_dt_program_find(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf);


/*
 * A child of the manager: the program, which learns or speaks to Redis.  All
 * that comes from it is messages, see core/base/wire.h.  The manager never
 * waits for it: messages are written when the pipe takes them, and read when
 * they come.
 */

#define NGX_HTTP_DT_HELLO  64  /* bytes of a first line */

/* seconds that a learner may run: on a busy machine it mostly waits for the
   CPU */
#define NGX_HTTP_DT_LEARN_TIME  300


typedef enum {
    NGX_HTTP_DT_CHILD_LEARNER = 0,  /* its time is limited, it dies with its
                                       parent, and gets one message */
    NGX_HTTP_DT_CHILD_LINK          /* ends when its input does */
} ngx_http_dt_child_e;


typedef struct ngx_http_dt_unsent_s  ngx_http_dt_unsent_t;


/* all fields are zero before the start and after the close */

typedef struct {
    ngx_pid_t                      pid;        /* 0: it does not run */
    ngx_connection_t              *in;         /* our ends of its standard */
    ngx_connection_t              *out;        /* input, output and error; */
    ngx_fd_t                       err;        /* NULL or 0: closed */
    void                         (*handler)(void *data);
    void                          *data;

    ngx_http_dt_unsent_t          *unsent;     /* messages for it */
    size_t                         nunsent;    /* bytes */
    size_t                         sent;       /* bytes of the first one */

    u_char                        *buf;        /* its output */
    size_t                         size;
    size_t                         len;
    size_t                         taken;      /* bytes of messages */
    size_t                         promised;   /* bytes of the next one */
    ngx_msec_t                     heard;      /* when the last bytes came */

    u_char                         line[DT_ERRSTR];  /* of standard error, */
    size_t                         line_len;   /* received so far */
    u_char                         last_line[DT_ERRSTR];  /* that is whole */

    const char                    *fault;      /* of its output */
    u_char                         other[NGX_HTTP_DT_HELLO];
                                               /* the name and version of
                                                  another program */
    unsigned                       greeted:1;  /* the first line was right */
    unsigned                       once:1;     /* it gets one message */
} ngx_http_dt_child_t;


/*
 * Executes a command of the program.  handler is called with data each time
 * when it has written something, or closed its output.  NGX_ERROR: the log
 * says why, and the child is to be closed like one that runs.
 */
ngx_int_t ngx_http_dt_child_start(ngx_http_dt_child_t *child,
    ngx_str_t *program, ngx_http_dt_child_e command,
    void (*handler)(void *data), void *data);

/* sends a message; not NGX_OK: it is too large, or too many wait */
ngx_int_t ngx_http_dt_child_send(ngx_http_dt_child_t *child,
    const dt_wire_t *kind, void *msg);

/* NGX_DONE: its output has ended; NGX_AGAIN: no more has come */
ngx_int_t ngx_http_dt_child_read(ngx_http_dt_child_t *child);

/*
 * Takes the next message from the output; its slices are valid until the next
 * read.  NGX_AGAIN: the message is not complete yet.  NGX_ERROR: the message
 * is not sound; fault is one word that says why.
 */
ngx_int_t ngx_http_dt_child_next(ngx_http_dt_child_t *child,
    const dt_wire_t *kind, void *msg);

/* keeps the last line of standard error, or the beginning of a long one */
void ngx_http_dt_child_listen(ngx_http_dt_child_t *child);

/* reads nothing more of its output */
void ngx_http_dt_child_shut(ngx_http_dt_child_t *child);

/* kills it with all that it has started */
void ngx_http_dt_child_kill(ngx_http_dt_child_t *child);

/* ends it, if it still runs, and closes its pipes */
void ngx_http_dt_child_close(ngx_http_dt_child_t *child);


#endif /* _NGX_HTTP_DT_CHILD_H_INCLUDED_ */
