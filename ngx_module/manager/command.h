
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_COMMAND_H_INCLUDED_
#define _NGX_HTTP_DT_COMMAND_H_INCLUDED_


#include "ngx_module/manager/jobs.h"


/* commands about one site: of operators, and of other machines by Redis */

/* takes the commands of operators from the zone, and answers them */
void ngx_http_dt_command_take(ngx_http_dt_jobs_t *jobs);


/* following the fleet: events of other machines are repeated on this one */

typedef struct {
    ngx_http_dt_jobs_t            *jobs;
    ngx_uint_t                     asked;      /* orders without an answer */
    ngx_uint_t                     compared;   /* of them, to compare */
    ngx_uint_t                     next;       /* sites to compare, see
                                                  ngx_http_dt_fleet_sites() */
    unsigned                       gap:1;      /* events were missed */
    unsigned                       comparing:1;
} ngx_http_dt_follow_t;


/* carries an event out, or notes a gap */
void ngx_http_dt_follow(ngx_http_dt_follow_t *f, dt_frame_t *news);

/* after a gap, goes on to compare the sites of the zone with Redis */
void ngx_http_dt_follow_go_on(ngx_http_dt_follow_t *f);


#endif /* _NGX_HTTP_DT_COMMAND_H_INCLUDED_ */
