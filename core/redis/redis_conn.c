
/*
 * Copyright (C) The detemplate authors
 *
 * What is spoken over hiredis.  Every call is one pipeline: its commands
 * are put into hiredis's buffer, sent, and answered, within a time that a
 * silent or a trickling server cannot stretch.  The read loop is ours for
 * that reason, and because it bounds what a reply may take in memory.
 *
 * Errors are of two kinds.  Some belong to a command (a key of another type,
 * no memory left, a right that the user lacks): the connection stays.  After
 * all others it is closed, and calls fail at once until the back-off has
 * passed; so a server that is away costs one time-out, not one per call.
 * One that is slow is as bad, since the caller waits: after some slow answers
 * in a row it is left alone as if it were away.
 */


#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "core/base/hash.h"
#include "core/redis/redis_conn.h"
#include "core/redis/redis_reply.h"
#include "core/template/template.h"


#define DT_REDIS_PATIENCE 10 /* time-outs that one call may take in all */
#define DT_REDIS_ELEMENTS 64 /* of arrays in all replies of a call */
#define DT_REDIS_REPLIES (DT_TEMPLATE_MAX + 65536) /* bytes of a call's */
#define DT_REDIS_SLOW 4     /* an answer is in a time-out divided by this */
#define DT_REDIS_SLOW_MAX 3 /* in a row, and one after a failure */
#define DT_REDIS_BACKOFF 500
#define DT_REDIS_BACKOFF_MAX 30000


struct dt_redis_conn_s {
    dt_redis_conf_t conf;
    redisContext *c;   /* NULL: not connected */
    redisReply *reply; /* the last one of this call, or NULL */
    unsigned pending;  /* replies to come */
    unsigned failures; /* in a row */
    unsigned slow;     /* answers in a row */
    int64_t retry_at;  /* no connecting before */
    int64_t deadline;  /* of this call */
    size_t bytes;      /* read in this call */
    dt_redis_arrays_t arrays;
    char errstr[DT_ERRSTR];
};


static int64_t
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
    }

    return conn;
}


static void
dt_redis_conn_close(dt_redis_conn_t *conn)
{
    if (conn->c != NULL) {
        redisFree(conn->c);
        conn->c = NULL;
    }

    conn->pending = 0;
}


void
dt_redis_conn_destroy(dt_redis_conn_t *conn)
{
    if (conn != NULL) {
        dt_redis_conn_end(conn);
        dt_redis_conn_close(conn);
        explicit_bzero(conn, sizeof(dt_redis_conn_t));
        free(conn);
    }
}


const char *
dt_redis_conn_errstr(const dt_redis_conn_t *conn)
{
    return conn->errstr;
}


/* what a server says goes to logs: printable ASCII only */
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


/* closes; the next attempt waits about twice as long as the last one did */
static dt_status_t
dt_redis_conn_broken(dt_redis_conn_t *conn)
{
    int64_t wait, now;

    dt_redis_conn_close(conn);

    wait = DT_REDIS_BACKOFF;
    for (unsigned i = 0; i < conn->failures && wait < DT_REDIS_BACKOFF_MAX;
         i++) {
        wait *= 2;
    }

    if (wait > DT_REDIS_BACKOFF_MAX) {
        wait = DT_REDIS_BACKOFF_MAX;
    }

    /* a fleet that lost its server together must not come back together */
    now = dt_redis_conn_now();
    wait -= (int64_t) (dt_mix((uint64_t) now, (uintptr_t) conn)
                       % (uint64_t) (wait / 2));

    conn->retry_at = now + wait;
    conn->failures++;

    return DT_EIO;
}


static dt_status_t
dt_redis_conn_io_broken(dt_redis_conn_t *conn, const char *what)
{
    const char *why;

    if (errno == EAGAIN) {
        why = "timed out";

    } else {
        why = conn->c->errstr;
    }

    dt_redis_conn_error(conn, what, why, strlen(why));

    return dt_redis_conn_broken(conn);
}


/* an error stays in the context and shows when the pipeline is sent */
void
dt_redis_conn_append(dt_redis_conn_t *conn, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    (void) redisvAppendCommand(conn->c, format, ap);
    va_end(ap);

    conn->pending++;
}


static dt_status_t
dt_redis_conn_send(dt_redis_conn_t *conn)
{
    int done = 0;

    while (!done) {
        if (dt_redis_conn_now() > conn->deadline) {
            dt_redis_conn_error(conn, "write: too slow", "", 0);
            return dt_redis_conn_broken(conn);
        }

        errno = 0;
        if (redisBufferWrite(conn->c, &done) != REDIS_OK) {
            return dt_redis_conn_io_broken(conn, "write");
        }
    }

    return DT_OK;
}


static dt_status_t
dt_redis_conn_reply_broken(dt_redis_conn_t *conn)
{
    if (conn->arrays.refused) {
        dt_redis_conn_error(conn, "reply: too many elements", "", 0);
        return dt_redis_conn_broken(conn);
    }

    return dt_redis_conn_io_broken(conn, "reply");
}


/* reads one reply into conn->reply */
static dt_status_t
dt_redis_conn_read(dt_redis_conn_t *conn)
{
    size_t len;
    void *reply = NULL;

    dt_redis_conn_end(conn);

    for (;;) {
        errno = 0;
        if (redisGetReplyFromReader(conn->c, &reply) != REDIS_OK) {
            return dt_redis_conn_reply_broken(conn);
        }

        if (reply != NULL) {
            conn->reply = reply;
            return DT_OK;
        }

        if (dt_redis_conn_now() > conn->deadline) {
            dt_redis_conn_error(conn, "read: too slow", "", 0);
            return dt_redis_conn_broken(conn);
        }

        /* nothing that we ask for is longer than a template */
        if (conn->bytes > DT_REDIS_REPLIES) {
            dt_redis_conn_error(conn, "reply is too long", "", 0);
            return dt_redis_conn_broken(conn);
        }

        len = conn->c->reader->len;

        errno = 0;
        if (redisBufferRead(conn->c) != REDIS_OK) {
            return dt_redis_conn_io_broken(conn, "read");
        }

        conn->bytes += conn->c->reader->len - len;
    }
}


/*
 * Sends what was appended and reads all replies; the last one stays.  The
 * first error among them is the one told: in a transaction the later ones
 * only follow from it.  secret: the server may quote the command in its
 * error, so no more than the code is told.
 */
static dt_status_t
dt_redis_conn_exchange(dt_redis_conn_t *conn, int secret)
{
    int failed = 0, broken = 0;
    dt_status_t rc;
    const redisReply *e;

    rc = dt_redis_conn_send(conn);

    while (rc == DT_OK && conn->pending) {
        rc = dt_redis_conn_read(conn);
        if (rc != DT_OK) {
            return rc;
        }

        conn->pending--;
        e = dt_redis_reply_error(conn->reply);

        if (e != NULL && !failed) {
            failed = 1;
            broken = secret || !dt_redis_error_of_command(e->str);
            dt_redis_conn_error(conn, secret ? "log-in refused" : "server",
                                e->str,
                                strcspn(e->str, secret ? " " : "\r\n"));
        }
    }

    if (rc == DT_OK && failed) {
        return broken ? dt_redis_conn_broken(conn) : DT_EINVAL;
    }

    return rc;
}


static dt_status_t
dt_redis_conn_login(dt_redis_conn_t *conn)
{
    dt_status_t rc = DT_OK;
    dt_redis_conf_t *c = &conn->conf;

    if (c->file[0] != '\0' && !dt_redis_conf_password(c)) {
        dt_redis_conn_error(conn, "cannot read a password from", c->file,
                            strlen(c->file));
        return dt_redis_conn_broken(conn);
    }

    if (c->password[0] != '\0') {
        if (c->user[0] != '\0') {
            dt_redis_conn_append(conn, "AUTH %s %s", c->user, c->password);

        } else {
            dt_redis_conn_append(conn, "AUTH %s", c->password);
        }

        rc = dt_redis_conn_exchange(conn, 1);
    }

    if (rc == DT_OK && c->db != 0) {
        dt_redis_conn_append(conn, "SELECT %u", c->db);
        rc = dt_redis_conn_exchange(conn, 0);

        /* not to go on in another database, whatever the error */
        if (rc != DT_OK && conn->c != NULL) {
            rc = dt_redis_conn_broken(conn);
        }
    }

    return rc;
}


static dt_status_t
dt_redis_conn_connect(dt_redis_conn_t *conn)
{
    struct timeval tv;
    dt_redis_conf_t *c = &conn->conf;

    tv.tv_sec = c->timeout / 1000;
    tv.tv_usec = c->timeout % 1000 * 1000;

    errno = 0;
    conn->c = c->path[0] != '\0'
                  ? redisConnectUnixWithTimeout(c->path, tv)
                  : redisConnectWithTimeout(c->host, c->port, tv);

    if (conn->c == NULL) {
        dt_redis_conn_error(conn, "connect: out of memory", "", 0);
        return dt_redis_conn_broken(conn);
    }

    if (conn->c->err || redisSetTimeout(conn->c, tv) != REDIS_OK) {
        return dt_redis_conn_io_broken(conn, "connect");
    }

    (void) fcntl(conn->c->fd, F_SETFD, FD_CLOEXEC);

    dt_redis_arrays_bound(&conn->arrays, conn->c->reader);

    return dt_redis_conn_login(conn);
}


dt_status_t
dt_redis_conn_begin(dt_redis_conn_t *conn)
{
    struct pollfd pfd;

    dt_redis_conn_end(conn);

    conn->deadline =
        dt_redis_conn_now() + conn->conf.timeout * DT_REDIS_PATIENCE;
    conn->arrays.left = DT_REDIS_ELEMENTS;
    conn->arrays.refused = 0;
    conn->bytes = 0;

    if (conn->c != NULL) {
        /* nothing is due, so there is only one thing to read: the end */
        pfd = (struct pollfd){ .fd = conn->c->fd, .events = POLLIN };

        if (poll(&pfd, 1, 0) == 0) {
            return DT_OK;
        }

        dt_redis_conn_close(conn);
    }

    /* the error of the last attempt still stands */
    if (conn->failures && dt_redis_conn_now() < conn->retry_at) {
        return DT_EIO;
    }

    return dt_redis_conn_connect(conn);
}


/* after a call that was answered; what was answered is still good */
static void
dt_redis_conn_answered(dt_redis_conn_t *conn, int64_t ms)
{
    if (ms * DT_REDIS_SLOW <= conn->conf.timeout) {
        conn->slow = 0;
        conn->failures = 0;
        return;
    }

    if (++conn->slow >= DT_REDIS_SLOW_MAX || conn->failures) {
        conn->slow = 0;
        dt_redis_conn_error(conn, "answers too slowly", "", 0);
        (void) dt_redis_conn_broken(conn);
    }
}


dt_status_t
dt_redis_conn_run(dt_redis_conn_t *conn, dt_redis_value_t *out)
{
    int64_t begin;
    dt_status_t rc;

    begin = dt_redis_conn_now();

    rc = dt_redis_conn_exchange(conn, 0);
    if (rc != DT_OK) {
        return rc;
    }

    conn->errstr[0] = '\0';
    dt_redis_conn_answered(conn, dt_redis_conn_now() - begin);

    out->nil = conn->reply->type == REDIS_REPLY_NIL;
    out->integer = 0;
    out->str = (dt_str_t){ 0, NULL };

    if (conn->reply->type == REDIS_REPLY_INTEGER) {
        out->integer = conn->reply->integer;

    } else if (conn->reply->type == REDIS_REPLY_STRING) {
        out->str.len = (size_t) conn->reply->len;
        out->str.data = conn->reply->str;
    }

    return DT_OK;
}


void
dt_redis_conn_end(dt_redis_conn_t *conn)
{
    if (conn->reply != NULL) {
        freeReplyObject(conn->reply);
        conn->reply = NULL;
    }
}
