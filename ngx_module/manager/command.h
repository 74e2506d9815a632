
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_COMMAND_H_INCLUDED_
#define _NGX_HTTP_DT_COMMAND_H_INCLUDED_


#include "ngx_module/manager/jobs.h"
#include "ngx_module/zone/control.h"


/* takes the commands of operators from the zone, and answers them */
void ngx_http_dt_command_take(ngx_http_dt_jobs_t *jobs);

/*
 * Does one command, except for what Redis has: a site that is forgotten is
 * still there.  Sets all of c but its first fields, which say what to do.
 */
void ngx_http_dt_command(ngx_http_dt_jobs_t *jobs, ngx_http_dt_control_t *c);


#endif /* _NGX_HTTP_DT_COMMAND_H_INCLUDED_ */
