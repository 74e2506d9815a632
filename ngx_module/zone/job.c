
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/node.h"
#include "ngx_module/zone/job.h"


/* what a packed job begins with; its two URLs follow, each with a NUL */

#define NGX_HTTP_DT_JOB_FIXED                                                 \
    (sizeof(ngx_http_dt_job_t)                                                \
     - offsetof(ngx_http_dt_job_t, connect))


size_t
ngx_http_dt_job_size(ngx_http_dt_job_t *job)
{
    return NGX_HTTP_DT_JOB_FIXED + ngx_strlen(job->url) + 1
           + ngx_strlen(job->origin) + 1;
}


void
ngx_http_dt_job_pack(u_char *p, ngx_http_dt_job_t *job)
{
    p = ngx_cpymem(p, job->connect, NGX_HTTP_DT_JOB_FIXED);
    p = ngx_cpymem(p, job->url, ngx_strlen(job->url) + 1);
    ngx_memcpy(p, job->origin, ngx_strlen(job->origin) + 1);
}


void
ngx_http_dt_job_unpack(u_char *p, ngx_http_dt_job_t *job)
{
    ngx_memcpy(job->connect, p, NGX_HTTP_DT_JOB_FIXED);

    p += NGX_HTTP_DT_JOB_FIXED;
    ngx_cpystrn(job->url, p, NGX_HTTP_DT_MAX_URI);

    p += ngx_strlen(p) + 1;
    ngx_cpystrn(job->origin, p, sizeof(job->origin));
}
