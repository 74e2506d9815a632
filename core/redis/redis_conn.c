
/*
 * Copyright (C) The detemplate authors
 *
 * A connection that is opened and closed as needed.  All calls go over it in
 * their order.
 *
 * There are two kinds of errors.  Some concern a command (a key of another
 * type, no memory left, a missing right), and the connection stays.  After all
 * others it is closed, and all its calls fail.  Further calls fail at once
 * until the back-off has passed, so a server that does not answer costs one
 * time-out, not one for each call.  Jobs wait for answers, so a slow server is
 * as bad: some slow answers in a row count as a failure.
 */


#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/redis/redis_conn_i.h"
#include "core/template/template.h"


#define DT_REDIS_PATIENCE 10 /* time-outs that a call may take in all */
#define DT_REDIS_ELEMENTS 64 /* of all arrays in the replies to a call */
#define DT_REDIS_CALLS 256   /* that may wait for answers */
#define DT_REDIS_UNSENT                                                       \
    (8u << 20) /* bytes waiting, beyond which no call is taken */
#define DT_REDIS_BACKOFF 500
#define DT_REDIS_BACKOFF_MAX 30000


int64_t
dt_redis_conn_now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);

    return (int64_t) ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}


dt_redis_conn_t *
dt_redis_conn_create(const dt_redis_conf_t *conf)
{
    dt_redis_conn_t *conn;

    conn = calloc(1, sizeof(dt_redis_conn_t));
    if (conn != NULL) {
        conn->conf = *conf;
        conn->tail = &conn->head;
    }

    return conn;
}


void
dt_redis_conn_on_close(dt_redis_conn_t *conn, void (*closing)(void *data),
                       void *data)
{
    conn->closing = closing;
    conn->data = data;
}


/* frees the connection, but not the calls that wait for one */
static void
dt_redis_conn_let_go(dt_redis_conn_t *conn)
{
    if (conn->c != NULL) {
        if (conn->closing != NULL) {
            conn->closing(conn->data);
        }

        redisFree(conn->c);
        conn->c = NULL;
    }
}


void
dt_redis_conn_close(dt_redis_conn_t *conn, dt_status_t rc)
{
    dt_redis_call_t *call, *next;

    dt_redis_conn_let_go(conn);

    call = conn->head;
    conn->head = NULL;
    conn->tail = &conn->head;
    conn->calls = 0;
    conn->unsent = 0;
    conn->leaving = 0;

    for (; call != NULL; call = next) {
        next = call->next;

        if (rc != DT_OK) {
            dt_redis_call_tell(call, rc, (dt_str_t){ 0, NULL });
        }

        dt_redis_call_destroy(call);
    }
}


void
dt_redis_conn_destroy(dt_redis_conn_t *conn)
{
    if (conn != NULL) {
        dt_redis_conn_close(conn, DT_OK);
        explicit_bzero(conn, sizeof(dt_redis_conn_t));
        free(conn);
    }
}


const char *
dt_redis_conn_errstr(const dt_redis_conn_t *conn)
{
    return conn->errstr;
}


/* the server's text goes to logs, so only printable ASCII is copied */
void
dt_redis_conn_error(dt_redis_conn_t *conn, const char *what, const char *text,
                    size_t len)
{
    snprintf(conn->errstr, DT_ERRSTR, "redis: %s%s%.*s", what, len ? ": " : "",
             (int) (len < DT_ERRSTR ? len : DT_ERRSTR), text);

    for (char *p = conn->errstr; *p; p++) {
        if (*p < ' ' || *p > '~') {
            *p = '?';
        }
    }
}


/* closes the connection; the next attempt waits about twice as long as the
   last one */
dt_status_t
dt_redis_conn_broken(dt_redis_conn_t *conn)
{
    int64_t wait, now;

    wait = DT_REDIS_BACKOFF;
    for (unsigned i = 0; i < conn->failures && wait < DT_REDIS_BACKOFF_MAX;
         i++) {
        wait *= 2;
    }

    if (wait > DT_REDIS_BACKOFF_MAX) {
        wait = DT_REDIS_BACKOFF_MAX;
    }

    /* jitter: a fleet that lost its server must not reconnect all at once */
    now = dt_redis_conn_now();
    wait -= (int64_t) (dt_mix((uint64_t) now, (uintptr_t) conn)
                       % (uint64_t) (wait / 2));

    conn->retry_at = now + wait;
    conn->failures++;
    conn->slow = 0;

    dt_redis_conn_close(conn, DT_EIO);

    return DT_EIO;
}


dt_status_t
dt_redis_conn_io_broken(dt_redis_conn_t *conn, const char *what,
                        const char *why)
{
    dt_redis_conn_error(conn, what, why, strlen(why));

    return dt_redis_conn_broken(conn);
}


void
dt_redis_conn_turn(dt_redis_conn_t *conn)
{
    conn->since = dt_redis_conn_now();
    conn->active_at = conn->since;
    conn->due = conn->since + conn->conf.timeout * DT_REDIS_PATIENCE;
    conn->bytes = conn->c->reader->len - conn->c->reader->pos;
    conn->arrays.budget = DT_REDIS_ELEMENTS;
}


static void
dt_redis_conn_push(dt_redis_conn_t *conn, dt_redis_call_t *call)
{
    if (conn->head == NULL) {
        dt_redis_conn_turn(conn);
    }

    *conn->tail = call;
    conn->tail = &call->next;
    conn->unsent += call->len;
}


/* queues the calls of the log-in; an error of the second may be caused by the
   first */
static dt_status_t
dt_redis_conn_login(dt_redis_conn_t *conn)
{
    dt_redis_conf_t *c = &conn->conf;
    dt_redis_call_t *call;

    if (c->file[0] != '\0' && !dt_redis_conf_password(c)) {
        return dt_redis_conn_io_broken(conn, "cannot read a password from",
                                       c->file);
    }

    for (int i = 0; i < 2; i++) {
        if (i == 0 ? c->password[0] == '\0' : c->db == 0) {
            continue;
        }

        call = dt_redis_call_create(NULL, (dt_redis_done_t){ NULL, NULL });
        if (call == NULL) {
            return dt_redis_conn_io_broken(conn, "out of memory", "");
        }

        call->login = 1;
        call->secret = (i == 0);

        if (i == 1) {
            dt_redis_conn_append(call, "SELECT %u", c->db);

        } else if (c->user[0] != '\0') {
            dt_redis_conn_append(call, "AUTH %s %s", c->user, c->password);

        } else {
            dt_redis_conn_append(call, "AUTH %s", c->password);
        }

        dt_redis_conn_push(conn, call);

        if (call->nomem) {
            return dt_redis_conn_io_broken(conn, "out of memory", "");
        }
    }

    return DT_OK;
}


/* connects hiredis to the next address; NULL: there is none left */
static redisContext *
dt_redis_conn_context(dt_redis_conn_t *conn)
{
    dt_redis_conf_t *c = &conn->conf;

    if (c->path[0] != '\0') {
        return conn->tried++ ? NULL : redisConnectUnixNonBlock(c->path);
    }

    return conn->tried < c->addrs.n
               ? redisConnectNonBlock(c->addrs.text[conn->tried++], c->port)
               : NULL;
}


dt_status_t
dt_redis_conn_next(dt_redis_conn_t *conn, const char *what, const char *why)
{
    redisContext *c;

    while ((c = dt_redis_conn_context(conn)) != NULL) {
        dt_redis_conn_let_go(conn);
        conn->c = c;

        if (c->err == 0) {
            (void) fcntl(c->fd, F_SETFD, FD_CLOEXEC);

            conn->connecting = 1;
            conn->arrays.refused = 0;
            dt_redis_arrays_bound(&conn->arrays, c->reader);
            conn->active_at = dt_redis_conn_now();

            return DT_OK;
        }

        what = "connect";
        why = c->errstr;
    }

    return dt_redis_conn_io_broken(conn, what, why);
}


static dt_status_t
dt_redis_conn_connect(dt_redis_conn_t *conn)
{
    dt_status_t rc;

    conn->tried = 0;
    rc = dt_redis_conn_next(conn, "connect", "no address");

    return rc == DT_OK ? dt_redis_conn_login(conn) : rc;
}


/* whether a call may be made; DT_EIO: the message says why not */
static dt_status_t
dt_redis_conn_begin(dt_redis_conn_t *conn)
{
    struct pollfd pfd;

    if (conn->leaving || (conn->failures && conn->calls)) {
        return DT_EIO;
    }

    if (conn->calls >= DT_REDIS_CALLS || conn->unsent > DT_REDIS_UNSENT) {
        dt_redis_conn_error(conn, "too many calls are waiting", "", 0);
        return DT_ELIMIT;
    }

    if (conn->c != NULL && conn->head == NULL) {
        /* no answer is expected, so readable means that the server has closed
         */
        pfd = (struct pollfd){ .fd = conn->c->fd, .events = POLLIN };

        if (poll(&pfd, 1, 0) != 0) {
            dt_redis_conn_close(conn, DT_OK);
        }
    }

    if (conn->c != NULL) {
        return DT_OK;
    }

    /* the message of the last attempt is still true */
    if (conn->failures && dt_redis_conn_now() < conn->retry_at) {
        return DT_EIO;
    }

    return dt_redis_conn_connect(conn);
}


dt_redis_call_t *
dt_redis_conn_call(dt_redis_conn_t *conn, dt_redis_judge_t judge,
                   dt_redis_done_t done)
{
    dt_status_t rc;
    dt_redis_call_t *call = NULL;

    rc = dt_redis_conn_begin(conn);

    if (rc == DT_OK) {
        call = dt_redis_call_create(judge, done);
        rc = DT_ENOMEM;
    }

    if (call == NULL) {
        if (rc == DT_ENOMEM) {
            dt_redis_conn_error(conn, "out of memory", "", 0);
        }

        done.fn(done.data, rc, (dt_str_t){ 0, NULL });
    }

    return call;
}


void
dt_redis_conn_send(dt_redis_conn_t *conn, dt_redis_call_t *call)
{
    if (call->nomem) {
        dt_redis_conn_error(conn, "out of memory", "", 0);
        dt_redis_call_tell(call, DT_ENOMEM, (dt_str_t){ 0, NULL });
        dt_redis_call_destroy(call);
        return;
    }

    call->alone = (conn->calls++ == 0);
    dt_redis_conn_push(conn, call);

    /* the caller does not wait for a test of whether Redis answers */
    if (conn->failures) {
        dt_redis_call_tell(call, DT_EIO, (dt_str_t){ 0, NULL });
    }
}
