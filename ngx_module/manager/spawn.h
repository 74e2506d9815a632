
/*
 * Copyright (C) The detemplate authors
 *
 * Executes the program that learns, and that speaks to Redis.
 */


#ifndef _NGX_HTTP_DT_SPAWN_H_INCLUDED_
#define _NGX_HTTP_DT_SPAWN_H_INCLUDED_


#include "ngx_module/detemplate.h"


typedef enum {
    NGX_HTTP_DT_SPAWN_LEARNER = 0,  /* its time is limited, and it dies with
                                       its parent */
    NGX_HTTP_DT_SPAWN_LINK          /* ends when its input does */
} ngx_http_dt_spawn_e;


/*
 * Executes a command of the program with three pipes.  ours gets our ends of
 * its standard input, output and error, which never block; those that are not
 * 0 must be closed, even after a failure.  Returns the process id, or -1; the
 * log says why.
 */
ngx_pid_t ngx_http_dt_spawn(ngx_str_t *program, ngx_http_dt_spawn_e command,
    ngx_fd_t *ours, ngx_log_t *log);

/* closes the end of a pipe, unless it is 0, and sets it to 0 */
void ngx_http_dt_spawn_close(ngx_fd_t *fd, ngx_log_t *log);


#endif /* _NGX_HTTP_DT_SPAWN_H_INCLUDED_ */
