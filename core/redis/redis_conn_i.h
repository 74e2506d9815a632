
/*
 * Copyright (C) The detemplate authors
 *
 * The inside of a connection, for redis_conn.c, which opens and closes it, and
 * redis_io.c, which writes and reads.
 */


#ifndef DT_REDIS_CONN_I_H_INCLUDED_
#define DT_REDIS_CONN_I_H_INCLUDED_


#include "core/redis/redis_call.h"
#include "core/redis/redis_reply.h"


struct dt_redis_conn_s {
    dt_redis_conf_t conf;
    redisContext *c;         /* NULL: not connected */
    dt_redis_call_t *head;   /* the first call that waits */
    dt_redis_call_t **tail;  /* where the next one is linked */
    unsigned calls;          /* that wait, without those of the log-in */
    size_t unsent;           /* bytes of all calls */
    size_t bytes;            /* read for the first call */
    int64_t active_at;       /* when bytes were read or written last */
    int64_t since;           /* when the first call became the first */
    int64_t due;             /* when its time is over */
    unsigned tried;          /* addresses tried in this attempt to connect */
    unsigned failures;       /* failures in a row */
    unsigned slow;           /* slow answers in a row */
    int64_t retry_at;        /* no attempt to connect before this */
    unsigned connecting : 1; /* not yet connected */
    unsigned leaving : 1;    /* too slow: closed when no call waits */
    void (*closing)(void *data);
    void *data;
    dt_redis_arrays_t arrays;
    char errstr[DT_ERRSTR];
};


/* Returns the monotonic time in ms. */
int64_t dt_redis_conn_now(void);

/* Starts the time of the first call, after the first call has changed. */
void dt_redis_conn_turn(dt_redis_conn_t *conn);

/* Closes; calls that wait end with rc, unless that is DT_OK. */
void dt_redis_conn_close(dt_redis_conn_t *conn, dt_status_t rc);

/* Closes, starts a back-off, and returns DT_EIO. */
dt_status_t dt_redis_conn_broken(dt_redis_conn_t *conn);

/*
 * Connects to the server's next address.  If there is none, it does the same
 * as dt_redis_conn_broken(), with the message "redis: what: why".
 */
dt_status_t dt_redis_conn_next(dt_redis_conn_t *conn, const char *what,
                               const char *why);

/* Does the same as dt_redis_conn_broken(), with the message. */
dt_status_t dt_redis_conn_io_broken(dt_redis_conn_t *conn, const char *what,
                                    const char *why);


#endif /* DT_REDIS_CONN_I_H_INCLUDED_ */
