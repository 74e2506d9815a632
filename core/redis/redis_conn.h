
/*
 * Copyright (C) The detemplate authors
 *
 * A connection to Redis that comes and goes, and the calls that wait for
 * answers on it: for redis.c only.
 */


#ifndef DT_REDIS_CONN_H_INCLUDED_
#define DT_REDIS_CONN_H_INCLUDED_


#include "core/redis/redis_conf.h"


typedef struct dt_redis_conn_s dt_redis_conn_t;
typedef struct dt_redis_call_s dt_redis_call_t;

/* what a reply may be to us: nothing, a number, bytes, or just no error */
typedef struct {
    unsigned nil : 1;
    int64_t integer;
    dt_str_t str;
} dt_redis_value_t;

/* what the last reply of a call means: the status that its caller is told */
typedef dt_status_t (*dt_redis_judge_t)(dt_redis_conn_t *conn,
                                        const dt_redis_value_t *v);


/* Copies conf; NULL without memory. */
dt_redis_conn_t *dt_redis_conn_create(const dt_redis_conf_t *conf);
void dt_redis_conn_destroy(dt_redis_conn_t *conn);

/* Why the last call failed, or Redis is left alone; else empty. */
const char *dt_redis_conn_errstr(const dt_redis_conn_t *conn);

/* Makes the message "redis: what: text", without unprintable bytes. */
void dt_redis_conn_error(dt_redis_conn_t *conn, const char *what,
                         const char *text, size_t len);

/*
 * A new call; begins to connect where that is due.  NULL: done was told why
 * not, with the message.
 */
dt_redis_call_t *dt_redis_conn_call(dt_redis_conn_t *conn,
                                    dt_redis_judge_t judge,
                                    dt_redis_done_t done);

/* Appends one command, in the format of hiredis. */
void dt_redis_conn_append(dt_redis_call_t *call, const char *format, ...);

/*
 * Puts the call into the queue, after which it is the connection's.  Its done
 * is told the status of the last reply, or DT_EINVAL if any is the error of a
 * command, also inside of what EXEC gives.
 */
void dt_redis_conn_send(dt_redis_conn_t *conn, dt_redis_call_t *call);

/* see redis.h */
int dt_redis_conn_fd(const dt_redis_conn_t *conn, int *writing);
long dt_redis_conn_wait(const dt_redis_conn_t *conn);
void dt_redis_conn_process(dt_redis_conn_t *conn);
void dt_redis_conn_on_close(dt_redis_conn_t *conn, void (*closing)(void *data),
                            void *data);


#endif /* DT_REDIS_CONN_H_INCLUDED_ */
