
/*
 * Copyright (C) The detemplate authors
 *
 * A connection to Redis that comes and goes: for redis.c only.
 */


#ifndef DT_REDIS_CONN_H_INCLUDED_
#define DT_REDIS_CONN_H_INCLUDED_


#include "core/redis/redis_conf.h"


typedef struct dt_redis_conn_s dt_redis_conn_t;

/* what a reply may be to us: nothing, a number, bytes, or just no error */
typedef struct {
    unsigned nil : 1;
    int64_t integer;
    dt_str_t str; /* until dt_redis_conn_end() */
} dt_redis_value_t;


/* Copies conf; NULL without memory. */
dt_redis_conn_t *dt_redis_conn_create(const dt_redis_conf_t *conf);
void dt_redis_conn_destroy(dt_redis_conn_t *conn);

/* Why the last call failed, or Redis is left alone; else empty. */
const char *dt_redis_conn_errstr(const dt_redis_conn_t *conn);

/* Makes the message "redis: what: text", without unprintable bytes. */
void dt_redis_conn_error(dt_redis_conn_t *conn, const char *what,
                         const char *text, size_t len);

/*
 * Connects and logs in where that is due.  DT_EIO: Redis is away, or was and
 * the back-off has not passed; the message tells.
 */
dt_status_t dt_redis_conn_begin(dt_redis_conn_t *conn);

/* Appends one command to the pipeline, in the format of hiredis. */
void dt_redis_conn_append(dt_redis_conn_t *conn, const char *format, ...);

/*
 * Sends the pipeline and waits for all replies; out is the last one. DT_EINVAL
 * if any of them is the error of a command, also inside of what EXEC gives.
 */
dt_status_t dt_redis_conn_run(dt_redis_conn_t *conn, dt_redis_value_t *out);

/* Frees the reply; done by begin and destroy as well. */
void dt_redis_conn_end(dt_redis_conn_t *conn);


#endif /* DT_REDIS_CONN_H_INCLUDED_ */
