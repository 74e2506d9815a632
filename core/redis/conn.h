
/*
 * Copyright (C) The detemplate authors
 *
 * Declarations for the files of this room: TLS, connections, the way to a
 * server, orders and events.
 */


#ifndef DT_REDIS_CONN_H_INCLUDED_
#define DT_REDIS_CONN_H_INCLUDED_


#include <sys/types.h>
#include <hiredis/hiredis.h>

#include "core/base/wire.h"
#include "core/redis/tls.h"
#include "core/redis/url.h"


/*
 * One connection: commands go out, and answers come back in their order.  No
 * function takes longer than the times of the connection allow.
 */

#define DT_REDIS_ELEMENTS 32768 /* of all arrays of an answer */
#define DT_REDIS_ANSWERS 20     /* of a request */


/* a bound on the elements of all arrays of an answer */
typedef struct {
    size_t budget;
    unsigned refused : 1; /* more came, so the reader has failed */
    const redisReplyObjectFunctions *hiredis;
    redisReplyObjectFunctions fn;
} dt_redis_arrays_t;

/* counters of all connections of a client */
typedef struct {
    uint64_t sent;     /* bytes */
    uint64_t received; /* bytes */
} dt_redis_tally_t;

typedef struct {
    int fd; /* -1: closed */
    dt_redis_tls_t *tls;
    redisReader *reader;
    dt_redis_arrays_t arrays;
    char *out; /* bytes to be sent */
    size_t len;
    size_t sent;
    size_t room;
    size_t bytes;         /* read for the answer that comes next */
    unsigned waiting;     /* answers that are due */
    unsigned garbled : 1; /* closed because of a malformed answer */
    long timeout;         /* ms without any progress */
    int64_t due;          /* when all must be done */
    dt_redis_tally_t *tally;
    char peer[DT_LINK_PEER + 1];
    char errstr[DT_ERRSTR]; /* why it was closed */
} dt_redis_conn_t;


/* commands about keys of one slot, which are sent together */
typedef struct {
    unsigned slot;
    unsigned nomem : 1; /* a command is missing */
    char *cmds;
    size_t len;
    unsigned n;                    /* commands */
    size_t ends[DT_REDIS_ANSWERS]; /* of each of them, in cmds */

    /* the result: n answers; or DT_EIO and why there are none */

    dt_status_t rc;
    redisReply *answers[DT_REDIS_ANSWERS];
    char errstr[DT_ERRSTR];

    /* of route.c */

    unsigned node;
    unsigned opened;
    unsigned asking : 1;
    unsigned other : 1; /* was asked instead of a dead one */
    unsigned todo : 1;
    unsigned redirected;
    unsigned waited;
} dt_redis_request_t;


/* Initialises a closed connection. */
void dt_redis_conn_init(dt_redis_conn_t *c, dt_redis_tally_t *tally);

/* Makes an open connection of the socket fd, which it owns, as it does c->tls,
   which is NULL at first.  DT_ENOMEM: it is closed. */
dt_status_t dt_redis_conn_use(dt_redis_conn_t *c, int fd, long timeout);
void dt_redis_conn_close(dt_redis_conn_t *c);

/* Closes the connection, with the message "redis PEER: what: why"; of why,
   which may be NULL, the first line counts.  Returns DT_EIO. */
dt_status_t dt_redis_conn_broken(dt_redis_conn_t *c, const char *what,
                                 const char *why);

/* Replaces bytes that cannot be printed by "?". */
void dt_redis_printable(char *text);

/* Sets the deadline of the following calls, in ms from now. */
void dt_redis_conn_time(dt_redis_conn_t *c, long ms);


/* Returns the next answer, which the caller frees, or NULL: the connection was
   closed. */
redisReply *dt_redis_conn_answer(dt_redis_conn_t *c);

/* The same without waiting.  DT_DECLINED: it has not come yet. */
dt_status_t dt_redis_conn_take(dt_redis_conn_t *c, redisReply **reply);

/* Returns the bytes of an answer that is a string, or no bytes. */
dt_str_t dt_redis_string(const redisReply *reply);

/* Whether an idle connection is still open.  If not, it is closed. */
int dt_redis_conn_alive(dt_redis_conn_t *c);

/* Waits for an event on the socket, not longer than the times allow: DT_OK, or
   DT_EIO with the connection closed. */
dt_status_t dt_redis_conn_wait(dt_redis_conn_t *c, short event,
                               const char *what);

/* Appends a command to a request, in the format of hiredis. */
void dt_redis_request_add(dt_redis_request_t *q, const char *format, ...);
void dt_redis_request_free(dt_redis_request_t *q);

/* Sends one command in that format.  DT_EIO: the connection is closed. */
dt_status_t dt_redis_send(dt_redis_conn_t *c, const char *format, ...);

/* Sends the commands on c; while it is asking, with ASKING before them, and
   without those that have an answer. */
dt_status_t dt_redis_request_send(dt_redis_request_t *q, dt_redis_conn_t *c);

/* Reads the answers to the commands sent.  DT_EIO: the connection is
   closed. */
dt_status_t dt_redis_request_receive(dt_redis_request_t *q,
                                     dt_redis_conn_t *c);

/* sent() frees the commands when they are sent, drop() the answers when they
   are read. */
void dt_redis_request_sent(dt_redis_request_t *q);
void dt_redis_request_drop(dt_redis_request_t *q);

/* Returns the error that an answer is, or that an answer to EXEC contains; or
   NULL.  One that begins with skip, unless that is NULL, does not count. */
const redisReply *dt_redis_error(const redisReply *reply, const char *skip);

/* Whether the text of an error has this code. */
int dt_redis_is(const char *text, const char *code);


#endif /* DT_REDIS_CONN_H_INCLUDED_ */
