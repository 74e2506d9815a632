
/*
 * Copyright (C) The detemplate authors
 *
 * A connection to Redis that is opened and closed as needed, and the calls
 * that wait for answers on it.  For redis.c only.
 */


#ifndef DT_REDIS_CONN_H_INCLUDED_
#define DT_REDIS_CONN_H_INCLUDED_


#include "core/redis/redis_conf.h"


typedef struct dt_redis_conn_s dt_redis_conn_t;
typedef struct dt_redis_call_s dt_redis_call_t;

/* a reply: nothing, a number, bytes, or a status without an error */
typedef struct {
    unsigned nil : 1;
    int64_t integer;
    dt_str_t str;
} dt_redis_value_t;

/* returns the status that the last reply of a call means for its caller */
typedef dt_status_t (*dt_redis_judge_t)(dt_redis_conn_t *conn,
                                        const dt_redis_value_t *v);


/* Creates a connection, and copies conf; NULL without memory. */
dt_redis_conn_t *dt_redis_conn_create(const dt_redis_conf_t *conf);
void dt_redis_conn_destroy(dt_redis_conn_t *conn);

/* Says why the last call failed, or why Redis is not used; otherwise empty. */
const char *dt_redis_conn_errstr(const dt_redis_conn_t *conn);

/* Sets the message to "redis: what: text", without unprintable bytes. */
void dt_redis_conn_error(dt_redis_conn_t *conn, const char *what,
                         const char *text, size_t len);

/*
 * Creates a call, and begins to connect if needed.  NULL: done was called, and
 * the message says why.
 */
dt_redis_call_t *dt_redis_conn_call(dt_redis_conn_t *conn,
                                    dt_redis_judge_t judge,
                                    dt_redis_done_t done);

/* Appends one command, in the format of hiredis. */
void dt_redis_conn_append(dt_redis_call_t *call, const char *format, ...);

/*
 * Queues the call, which the connection owns from here on.  Its callback gets
 * the status of the last reply; or DT_EINVAL if any reply, or part of a reply
 * to EXEC, is an error about a command.
 */
void dt_redis_conn_send(dt_redis_conn_t *conn, dt_redis_call_t *call);

/* see redis.h */
int dt_redis_conn_fd(const dt_redis_conn_t *conn, int *writing);
long dt_redis_conn_wait(const dt_redis_conn_t *conn);
void dt_redis_conn_process(dt_redis_conn_t *conn);
void dt_redis_conn_on_close(dt_redis_conn_t *conn, void (*closing)(void *data),
                            void *data);


#endif /* DT_REDIS_CONN_H_INCLUDED_ */
