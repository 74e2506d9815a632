
/*
 * Copyright (C) The detemplate authors
 *
 * Commands about one site: of operators, and of other machines by Redis.
 */


#ifndef _NGX_HTTP_DT_COMMAND_H_INCLUDED_
#define _NGX_HTTP_DT_COMMAND_H_INCLUDED_


#include "ngx_module/manager/jobs.h"
#include "ngx_module/zone/control.h"


/* takes the commands of operators from the zone, and answers them */
void ngx_http_dt_command_take(ngx_http_dt_jobs_t *jobs);


/* following the fleet: what other machines have done to sites is done here */

typedef struct {
    ngx_http_dt_jobs_t            *jobs;
    ngx_uint_t                     asked;      /* orders without an answer */
    ngx_uint_t                     compared;   /* of them, to compare */
    ngx_uint_t                     next;       /* sites to compare, see
                                                  ngx_http_dt_fleet_sites() */
    unsigned                       gap:1;      /* events were missed */
    unsigned                       comparing:1;
} ngx_http_dt_follow_t;


/* does what an event says, or notes a gap */
void ngx_http_dt_follow(ngx_http_dt_follow_t *f, dt_frame_t *news);

/* after a gap, goes on to compare the sites of the zone with Redis */
void ngx_http_dt_follow_go_on(ngx_http_dt_follow_t *f);


#endif /* _NGX_HTTP_DT_COMMAND_H_INCLUDED_ */
