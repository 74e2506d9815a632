
/*
 * Copyright (C) The detemplate authors
 *
 * Writes and reads as much as possible without waiting, when the event loop
 * asks for it.  Neither a silent server nor one that sends byte by byte can
 * extend the time limits.  The memory for replies is bounded.
 */


#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/redis/redis_conn_i.h"
#include "core/template/template.h"


#define DT_REDIS_REPLIES                                                      \
    (DT_TEMPLATE_MAX + 65536) /* bytes of the replies to a call */
#define DT_REDIS_SLOW                                                         \
    4 /* an answer is slow after a time-out divided by this */
#define DT_REDIS_SLOW_MAX                                                     \
    3 /* slow answers in a row; after a failure, one is enough */


/* whether the attempt to connect has succeeded */
static int
dt_redis_conn_connected(dt_redis_conn_t *conn)
{
    int err = 0;
    socklen_t len = sizeof(int);
    struct pollfd pfd = { .fd = conn->c->fd, .events = POLLOUT };

    if (!conn->connecting) {
        return 1;
    }

    if (poll(&pfd, 1, 0) == 0) {
        return 0;
    }

    if (getsockopt(conn->c->fd, SOL_SOCKET, SO_ERROR, &err, &len) != 0) {
        err = errno;
    }

    if (err) {
        (void) dt_redis_conn_next(conn, "connect", strerror(err));
        return 0;
    }

    conn->connecting = 0;
    conn->since = dt_redis_conn_now();
    conn->active_at = conn->since;

    return 1;
}


/* returns the first call with bytes that may be sent, or NULL */
static dt_redis_call_t *
dt_redis_conn_unsent(const dt_redis_conn_t *conn)
{
    dt_redis_call_t *call = conn->head;

    while (call != NULL && call->sent == call->len) {
        if (call->login) {
            return NULL;
        }

        call = call->next;
    }

    return call;
}


/* writes; DT_OK: everything that may be sent was; DT_DECLINED: the socket is
   full */
static dt_status_t
dt_redis_conn_write(dt_redis_conn_t *conn)
{
    ssize_t n;
    dt_redis_call_t *call;

    while ((call = dt_redis_conn_unsent(conn)) != NULL) {
        n = send(conn->c->fd, call->out + call->sent, call->len - call->sent,
                 MSG_NOSIGNAL);

        if (n >= 0) {
            call->sent += (size_t) n;
            conn->unsent -= (size_t) n;
            conn->active_at = dt_redis_conn_now();

        } else if (errno == EAGAIN) {
            return DT_DECLINED;

        } else if (errno != EINTR) {
            return dt_redis_conn_io_broken(conn, "write", strerror(errno));
        }
    }

    return DT_OK;
}


/* counts a slow answer, after a call; the answer itself is valid */
static void
dt_redis_conn_answered(dt_redis_conn_t *conn, int64_t ms)
{
    if (ms * DT_REDIS_SLOW <= conn->conf.timeout) {
        conn->slow = 0;
        conn->failures = 0;
        return;
    }

    if (++conn->slow >= DT_REDIS_SLOW_MAX || conn->failures) {
        dt_redis_conn_error(conn, "server answers too slowly", "", 0);
        conn->leaving = 1;
    }
}


/* returns the status of a call with this last reply */
static dt_status_t
dt_redis_conn_value(dt_redis_conn_t *conn, const dt_redis_call_t *call,
                    const redisReply *reply, dt_redis_value_t *v)
{
    *v = (dt_redis_value_t){ .nil = reply->type == REDIS_REPLY_NIL };

    if (!call->failed && !conn->leaving) {
        conn->errstr[0] = '\0';
    }

    /* a call behind others also waited for them, so its time is not judged */
    if (call->alone) {
        dt_redis_conn_answered(conn, dt_redis_conn_now() - conn->since);
    }

    if (call->failed) {
        return DT_EINVAL;
    }

    if (reply->type == REDIS_REPLY_INTEGER) {
        v->integer = reply->integer;

    } else if (reply->type == REDIS_REPLY_STRING) {
        v->str = (dt_str_t){ (size_t) reply->len, reply->str };
    }

    return call->judge(conn, v);
}


/*
 * Takes one reply to the first call.  Only the first error is reported: in a
 * transaction, later ones follow from it.  An error about a secret may quote
 * the command, so only its code is reported.
 */
static dt_status_t
dt_redis_conn_reply(dt_redis_conn_t *conn, const redisReply *reply)
{
    int64_t due;
    dt_status_t rc;
    dt_redis_call_t *call = conn->head;
    dt_redis_value_t v;
    const redisReply *e;

    e = dt_redis_reply_error(reply);

    if (e != NULL && !call->failed) {
        call->failed = 1;
        call->broken = call->login || !dt_redis_error_of_command(e->str);
        dt_redis_conn_error(conn, call->secret ? "log-in refused" : "server",
                            e->str,
                            strcspn(e->str, call->secret ? " " : "\r\n"));
    }

    if (--call->replies) {
        return DT_OK;
    }

    if (call->sent < call->len) {
        return dt_redis_conn_io_broken(conn, "reply",
                                       "came before its command");
    }

    if (call->broken) {
        return dt_redis_conn_broken(conn);
    }

    conn->head = call->next;
    if (conn->head == NULL) {
        conn->tail = &conn->head;
    }

    if (call->login) {
        due = conn->due;
        dt_redis_conn_turn(conn);
        conn->due = due;

    } else {
        conn->calls--;
        rc = dt_redis_conn_value(conn, call, reply, &v);
        dt_redis_conn_turn(conn);
        dt_redis_call_tell(call, rc, rc == DT_OK ? v.str : dt_str(""));
    }

    dt_redis_call_destroy(call);

    return conn->leaving && conn->head == NULL ? dt_redis_conn_broken(conn)
                                               : DT_OK;
}


/* takes all replies that have arrived */
static dt_status_t
dt_redis_conn_replies(dt_redis_conn_t *conn)
{
    void *reply;
    dt_status_t rc = DT_OK;

    while (rc == DT_OK && conn->c != NULL) {
        if (redisGetReplyFromReader(conn->c, &reply) != REDIS_OK) {
            return dt_redis_conn_io_broken(
                conn, "reply",
                conn->arrays.refused ? "too many elements" : conn->c->errstr);
        }

        if (reply == NULL) {
            /* no reply to our commands is longer than a template */
            if (conn->bytes > DT_REDIS_REPLIES) {
                return dt_redis_conn_io_broken(conn, "reply", "too long");
            }

            return DT_OK;
        }

        if (conn->head != NULL) {
            rc = dt_redis_conn_reply(conn, reply);

        } else {
            dt_redis_conn_close(conn, DT_OK);
        }

        freeReplyObject(reply);
    }

    return rc;
}


static dt_status_t
dt_redis_conn_read(dt_redis_conn_t *conn)
{
    size_t len;
    dt_status_t rc = DT_OK;

    while (rc == DT_OK && conn->c != NULL && !conn->connecting) {
        len = conn->c->reader->len;

        if (redisBufferRead(conn->c) != REDIS_OK) {
            if (conn->head != NULL) {
                return dt_redis_conn_io_broken(conn, "read", conn->c->errstr);
            }

            /* an idle connection that ends is not a failure */
            dt_redis_conn_close(conn, DT_OK);
            return DT_OK;
        }

        len = conn->c->reader->len - len;
        if (len == 0) {
            break;
        }

        conn->bytes += len;
        conn->active_at = dt_redis_conn_now();
        rc = dt_redis_conn_replies(conn);
    }

    return rc;
}


/* checks whether the first call waits too long for the next byte, or in all */
static void
dt_redis_conn_late(dt_redis_conn_t *conn)
{
    int64_t now;
    const char *what;

    now = dt_redis_conn_now();
    what = conn->connecting             ? "connect"
           : dt_redis_conn_unsent(conn) ? "write"
                                        : "read";

    if (now - conn->active_at >= conn->conf.timeout) {
        if (conn->connecting) {
            (void) dt_redis_conn_next(conn, what, "timed out");

        } else {
            (void) dt_redis_conn_io_broken(conn, what, "timed out");
        }

    } else if (now >= conn->due) {
        (void) dt_redis_conn_io_broken(conn, what, "too slow");
    }
}


/* writes again after reading, since a reply may allow more to be sent */
void
dt_redis_conn_process(dt_redis_conn_t *conn)
{
    dt_status_t rc = DT_OK;

    while (rc == DT_OK && conn->c != NULL && dt_redis_conn_connected(conn)) {
        rc = dt_redis_conn_write(conn);

        if (rc != DT_EIO && dt_redis_conn_read(conn) != DT_OK) {
            rc = DT_EIO;
        }

        if (dt_redis_conn_unsent(conn) == NULL) {
            break;
        }
    }

    if (conn->head != NULL) {
        dt_redis_conn_late(conn);
    }
}


int
dt_redis_conn_fd(const dt_redis_conn_t *conn, int *writing)
{
    *writing = conn->connecting || dt_redis_conn_unsent(conn) != NULL;

    return conn->c != NULL ? conn->c->fd : -1;
}


long
dt_redis_conn_wait(const dt_redis_conn_t *conn)
{
    int64_t at, now;

    if (conn->head == NULL) {
        return -1;
    }

    at = conn->active_at + conn->conf.timeout;
    if (at > conn->due) {
        at = conn->due;
    }

    now = dt_redis_conn_now();

    return at > now ? (long) (at - now) : 0;
}
