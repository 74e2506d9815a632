
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/zone/node.h"
#include "ngx_module/zone/wake.h"


static void ngx_http_dt_wake_close(void *data);


/*
 * The pipe outlives a reload, so that workers of the old cycle can wake the
 * new manager.  Each cycle has its own descriptors, and closes them when it
 * ends.
 */

ngx_int_t
ngx_http_dt_wake_open(ngx_http_dt_zone_t *zone, ngx_http_dt_zone_t *ozone,
    ngx_log_t *log)
{
    int                  rc;
    ngx_uint_t           i;
    ngx_pool_cleanup_t  *cln;

    cln = ngx_pool_cleanup_add(zone->cycle->pool, 0);
    if (cln == NULL) {
        return NGX_ERROR;
    }

    zone->pipe[0] = -1;
    zone->pipe[1] = -1;

    cln->handler = ngx_http_dt_wake_close;
    cln->data = zone;

    if (ozone && ozone->manager) {
        zone->pipe[0] = dup(ozone->pipe[0]);
        zone->pipe[1] = dup(ozone->pipe[1]);
        rc = ngx_min(zone->pipe[0], zone->pipe[1]);

    } else {
        rc = pipe(zone->pipe);
    }

    if (rc == -1) {
        ngx_log_error(NGX_LOG_EMERG, log, ngx_errno,
                      "detemplate: no pipe to the manager");
        return NGX_ERROR;
    }

    for (i = 0; i < 2; i++) {
        if (ngx_nonblocking(zone->pipe[i]) == -1
            || fcntl(zone->pipe[i], F_SETFD, FD_CLOEXEC) == -1)
        {
            ngx_log_error(NGX_LOG_EMERG, log, ngx_errno,
                          "detemplate: fcntl() failed");
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static void
ngx_http_dt_wake_close(void *data)
{
    ngx_http_dt_zone_t  *zone = data;

    ngx_uint_t  i;

    for (i = 0; i < 2; i++) {
        if (zone->pipe[i] != -1 && close(zone->pipe[i]) == -1) {
            ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                          "detemplate: close() failed");
        }
    }
}


/* a full pipe is no error: the manager is woken already */

void
ngx_http_dt_wake(ngx_http_dt_zone_t *zone)
{
    if (zone->wake) {
        zone->wake = 0;

        if (write(zone->pipe[1], "", 1) == -1 && ngx_errno != NGX_EAGAIN) {
            ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                          "detemplate: write() to the manager's pipe failed");
        }
    }
}


ngx_fd_t
ngx_http_dt_wake_fd(ngx_http_dt_zone_t *zone)
{
    return zone->pipe[0];
}


void
ngx_http_dt_wake_drain(ngx_http_dt_zone_t *zone)
{
    u_char   buf[128];
    ssize_t  n;

    do {
        n = read(zone->pipe[0], buf, sizeof(buf));
    } while (n == sizeof(buf));
}
