
/*
 * Copyright (C) The detemplate authors
 *
 * Finds the master that sentinels know.  For route.c only.
 */


#ifndef DT_REDIS_SENTINEL_H_INCLUDED_
#define DT_REDIS_SENTINEL_H_INCLUDED_


#include "core/redis/dial.h"


/* Connects c, which is closed, to the master; s says who we are there. */
dt_status_t dt_redis_sentinel_dial(dt_redis_conn_t *c,
                                   const dt_redis_conf_t *conf,
                                   const dt_redis_server_t *s);


#endif /* DT_REDIS_SENTINEL_H_INCLUDED_ */
