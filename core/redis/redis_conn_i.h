
/*
 * Copyright (C) The detemplate authors
 *
 * The connection, for redis_conn.c, which makes and ends it, and redis_io.c,
 * which writes and reads.
 */


#ifndef DT_REDIS_CONN_I_H_INCLUDED_
#define DT_REDIS_CONN_I_H_INCLUDED_


#include "core/redis/redis_call.h"
#include "core/redis/redis_reply.h"


struct dt_redis_conn_s {
    dt_redis_conf_t conf;
    redisContext *c;         /* NULL: not connected */
    dt_redis_call_t *head;   /* calls that wait: the first, */
    dt_redis_call_t **tail;  /* and where the next one goes */
    unsigned calls;          /* of callers, not of the log-in */
    size_t unsent;           /* bytes of all calls */
    size_t bytes;            /* read for the first call */
    int64_t heard;           /* when bytes came or went last */
    int64_t since;           /* when the first call became that */
    int64_t due;             /* when it is too late for it */
    unsigned tried;          /* addresses, of this attempt to connect */
    unsigned failures;       /* in a row */
    unsigned slow;           /* answers in a row */
    int64_t retry_at;        /* no connecting before */
    unsigned connecting : 1; /* not yet there */
    unsigned leaving : 1;    /* too slow: closes when none waits */
    void (*closing)(void *data);
    void *data;
    dt_redis_arrays_t arrays;
    char errstr[DT_ERRSTR];
};


/* Monotonic, in ms. */
int64_t dt_redis_conn_now(void);

/* The first call is another one, or begins to be waited for. */
void dt_redis_conn_turn(dt_redis_conn_t *conn);

/* Those who wait are told rc, but for DT_OK. */
void dt_redis_conn_close(dt_redis_conn_t *conn, dt_status_t rc);

/* Closes, until a back-off has passed, and returns DT_EIO. */
dt_status_t dt_redis_conn_broken(dt_redis_conn_t *conn);

/*
 * Goes on with the server's next address, if there is one; else the same with
 * the message "redis: what: why", of the last attempt.
 */
dt_status_t dt_redis_conn_next(dt_redis_conn_t *conn, const char *what,
                               const char *why);

/* The same with the message. */
dt_status_t dt_redis_conn_io_broken(dt_redis_conn_t *conn, const char *what,
                                    const char *why);


#endif /* DT_REDIS_CONN_I_H_INCLUDED_ */
