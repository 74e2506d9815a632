
/*
 * Copyright (C) The detemplate authors
 *
 * The options for Redis as text.
 */


#ifndef DT_CLI_REDIS_H_INCLUDED_
#define DT_CLI_REDIS_H_INCLUDED_


#include "core/redis/redis.h"


/*
 * Reads options for Redis, words "name=value" between the bytes ends.  o
 * points into text, which is changed.  DT_EINVAL, with a message.
 */
dt_status_t dt_cli_redis_opts(char *text, const char *ends, dt_redis_opts_t *o,
                              char errstr[DT_ERRSTR]);


#endif /* DT_CLI_REDIS_H_INCLUDED_ */
