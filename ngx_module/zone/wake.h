
/*
 * Copyright (C) The detemplate authors
 *
 * The pipe by which workers wake the manager.
 */


#ifndef _NGX_HTTP_DT_WAKE_H_INCLUDED_
#define _NGX_HTTP_DT_WAKE_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/*
 * Opens the pipe, or takes over that of the zone before a reload.  The cycle
 * of the zone closes it.
 */
ngx_int_t ngx_http_dt_wake_open(ngx_http_dt_zone_t *zone,
    ngx_http_dt_zone_t *ozone, ngx_log_t *log);

/* wakes the manager if this process has queued a job; not under the lock */
void ngx_http_dt_wake(ngx_http_dt_zone_t *zone);


/* for the manager */

/* the descriptor that becomes readable when the manager is woken */
ngx_fd_t ngx_http_dt_wake_fd(ngx_http_dt_zone_t *zone);

/* empties the pipe */
void ngx_http_dt_wake_drain(ngx_http_dt_zone_t *zone);


#endif /* _NGX_HTTP_DT_WAKE_H_INCLUDED_ */
