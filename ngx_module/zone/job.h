
/*
 * Copyright (C) The detemplate authors
 *
 * A job as the zone stores it: one block of memory, without unused bytes.
 */


#ifndef _NGX_HTTP_DT_JOB_H_INCLUDED_
#define _NGX_HTTP_DT_JOB_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/* the bytes that the packed job takes */
size_t ngx_http_dt_job_size(ngx_http_dt_job_t *job);

void ngx_http_dt_job_pack(u_char *p, ngx_http_dt_job_t *job);
void ngx_http_dt_job_unpack(u_char *p, ngx_http_dt_job_t *job);


#endif /* _NGX_HTTP_DT_JOB_H_INCLUDED_ */
