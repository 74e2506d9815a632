
/*
 * Copyright (C) The detemplate authors
 *
 * Which new sites get into the zone: names that somebody invents must neither
 * fill it nor keep learners from others.
 */


#ifndef _NGX_HTTP_DT_ADMIT_H_INCLUDED_
#define _NGX_HTTP_DT_ADMIT_H_INCLUDED_


#include "ngx_module/zone/node.h"


/*
 * Whether the site of a job, which has no node, may get one now; counts it if
 * so.  A site that the configuration names always may.  The caller holds the
 * lock.
 */
ngx_uint_t ngx_http_dt_admit(ngx_http_dt_zone_t *zone,
    ngx_http_dt_job_t *job);


#endif /* _NGX_HTTP_DT_ADMIT_H_INCLUDED_ */
