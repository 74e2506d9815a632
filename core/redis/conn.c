
/*
 * Copyright (C) The detemplate authors
 *
 * The socket never blocks; poll() waits, so that neither a silent server nor
 * one that sends byte by byte exceeds its time.  Reading goes on while
 * commands are written, for the server may not read before its answers are.
 * hiredis's reader allocates an array of any announced size at its first line,
 * so sizes are checked here.  It takes a string only when the string is
 * complete, so the bytes of one answer are bounded as well.
 */


#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/redis/conn.h"
#include "core/template/template.h"


#define DT_REDIS_ANSWER (DT_TEMPLATE_MAX + 65536) /* bytes of an answer */


/* the type in which hiredis counts the elements of an array */
#if HIREDIS_MAJOR < 1
typedef int dt_redis_count_t;
#else
typedef size_t dt_redis_count_t;
#endif


static void *
dt_redis_array(const redisReadTask *task, dt_redis_count_t n)
{
    dt_redis_arrays_t *a = task->privdata;

    if ((size_t) n > a->budget) {
        a->refused = 1;
        return NULL;
    }

    a->budget -= (size_t) n;

    return a->hiredis->createArray(task, n);
}


void
dt_redis_conn_init(dt_redis_conn_t *c, dt_redis_tally_t *tally)
{
    memset(c, 0, sizeof(*c));
    c->fd = -1;
    c->tally = tally;
}


dt_status_t
dt_redis_conn_use(dt_redis_conn_t *c, int fd, long timeout)
{
    c->fd = fd;
    c->timeout = timeout;
    c->garbled = 0;
    c->reader = redisReaderCreate();

    if (c->reader == NULL) {
        (void) dt_redis_conn_broken(c, "out of memory", NULL);
        return DT_ENOMEM;
    }

    c->arrays.budget = DT_REDIS_ELEMENTS;
    c->arrays.refused = 0;
    c->arrays.hiredis = c->reader->fn;
    c->arrays.fn = *c->reader->fn;
    c->arrays.fn.createArray = dt_redis_array;
    c->reader->fn = &c->arrays.fn;
    c->reader->privdata = &c->arrays;

    return DT_OK;
}


void
dt_redis_conn_close(dt_redis_conn_t *c)
{
    if (c->fd != -1) {
        dt_redis_tls_destroy(c->tls);
        (void) close(c->fd);
    }

    if (c->reader != NULL) {
        redisReaderFree(c->reader);
    }

    free(c->out);

    c->fd = -1;
    c->tls = NULL;
    c->reader = NULL;
    c->out = NULL;
    c->len = 0;
    c->sent = 0;
    c->room = 0;
    c->bytes = 0;
    c->waiting = 0;
}


void
dt_redis_printable(char *text)
{
    for (char *p = text; *p != '\0'; p++) {
        if (*p < ' ' || *p > '~') {
            *p = '?';
        }
    }
}


dt_status_t
dt_redis_conn_broken(dt_redis_conn_t *c, const char *what, const char *why)
{
    char text[DT_ERRSTR];

    snprintf(text, sizeof(text), "redis%s%.100s: %s%s%.*s",
             c->peer[0] ? " " : "", c->peer, what, why ? ": " : "",
             why ? (int) strcspn(why, "\r\n") : 0, why ? why : "");
    dt_redis_printable(text);

    memcpy(c->errstr, text, sizeof(text));
    dt_redis_conn_close(c);

    return DT_EIO;
}


void
dt_redis_conn_time(dt_redis_conn_t *c, long ms)
{
    c->due = dt_now() + ms;
}


/* writes as many bytes as the socket takes, and adds their number to *n */
static dt_status_t
dt_redis_conn_write(dt_redis_conn_t *c, size_t *n)
{
    size_t done;
    ssize_t rc;
    dt_status_t status;
    char why[DT_ERRSTR];

    while (c->sent < c->len) {
        if (c->tls != NULL) {
            status = dt_redis_tls_write(c->tls, c->out + c->sent,
                                        c->len - c->sent, &done, why);
            if (status != DT_OK) {
                return status == DT_DECLINED
                           ? DT_OK
                           : dt_redis_conn_broken(c, why, NULL);
            }

        } else {
            rc = send(c->fd, c->out + c->sent, c->len - c->sent, MSG_NOSIGNAL);

            if (rc == -1) {
                if (errno == EINTR) {
                    continue;
                }

                return errno == EAGAIN
                           ? DT_OK
                           : dt_redis_conn_broken(c, "write", strerror(errno));
            }

            done = (size_t) rc;
        }

        c->sent += done;
        *n += done;
        c->tally->sent += done;
    }

    c->sent = 0;
    c->len = 0;

    return DT_OK;
}


/* reads up to 64 KB that have arrived, and adds their number to *n */
static dt_status_t
dt_redis_conn_read(dt_redis_conn_t *c, size_t *n)
{
    size_t done = 0;
    ssize_t rc;
    dt_status_t status;
    char why[DT_ERRSTR], buf[65536];

    if (c->tls != NULL) {
        status = dt_redis_tls_read(c->tls, buf, sizeof(buf), &done, why);
        if (status != DT_OK) {
            return status == DT_DECLINED ? DT_OK
                                         : dt_redis_conn_broken(c, why, NULL);
        }

    } else {
        do {
            rc = recv(c->fd, buf, sizeof(buf), 0);
        } while (rc == -1 && errno == EINTR);

        if (rc == -1) {
            return errno == EAGAIN
                       ? DT_OK
                       : dt_redis_conn_broken(c, "read", strerror(errno));
        }

        done = (size_t) rc;
    }

    if (done == 0) {
        return dt_redis_conn_broken(c, "the server closed the connection",
                                    NULL);
    }

    *n += done;
    c->bytes += done;
    c->tally->received += done;

    if (redisReaderFeed(c->reader, buf, done) != REDIS_OK) {
        return dt_redis_conn_broken(c, "out of memory", NULL);
    }

    return DT_OK;
}


/* takes the next answer from the bytes read; DT_DECLINED: it is not
   complete */
static dt_status_t
dt_redis_conn_parse(dt_redis_conn_t *c, redisReply **reply)
{
    void *got = NULL;

    if (redisReaderGetReply(c->reader, &got) != REDIS_OK) {
        c->garbled = 1;

        return dt_redis_conn_broken(c, "answer",
                                    c->arrays.refused ? "too many elements"
                                                      : c->reader->errstr);
    }

    if (got == NULL) {
        if (c->bytes > DT_REDIS_ANSWER) {
            c->garbled = 1;
            return dt_redis_conn_broken(c, "answer", "too long");
        }

        return DT_DECLINED;
    }

    c->arrays.budget = DT_REDIS_ELEMENTS;
    c->bytes = c->reader->len - c->reader->pos;

    if (c->waiting == 0) {
        freeReplyObject(got);
        return dt_redis_conn_broken(c, "answer", "to no command");
    }

    c->waiting--;
    *reply = got;

    return DT_OK;
}


dt_status_t
dt_redis_conn_wait(dt_redis_conn_t *c, short event, const char *what)
{
    int rc;
    int64_t ms;
    struct pollfd pfd = { .fd = c->fd, .events = event };

    ms = c->due - dt_now();

    if (ms <= 0) {
        return dt_redis_conn_broken(c, what, "too slow");
    }

    do {
        rc = poll(&pfd, 1, (int) (ms < c->timeout ? ms : c->timeout));
    } while (rc == -1 && errno == EINTR);

    if (rc == -1) {
        return dt_redis_conn_broken(c, what, strerror(errno));
    }

    return rc ? DT_OK : dt_redis_conn_broken(c, what, "timed out");
}


/* Adds commands whose answers are read later; sends as much as it can without
   waiting.  DT_EIO: the connection is closed. */
static dt_status_t
dt_redis_conn_send(dt_redis_conn_t *c, const char *cmds, size_t len,
                   unsigned n)
{
    char *p;
    size_t room, done = 0;

    if (c->fd == -1) {
        return DT_EIO;
    }

    if (c->len + len > c->room) {
        room = c->len + len + 4096;
        p = realloc(c->out, room);

        if (p == NULL) {
            return dt_redis_conn_broken(c, "out of memory", NULL);
        }

        c->out = p;
        c->room = room;
    }

    memcpy(c->out + c->len, cmds, len);
    c->len += len;
    c->waiting += n;

    return dt_redis_conn_write(c, &done);
}


dt_status_t
dt_redis_conn_take(dt_redis_conn_t *c, redisReply **reply)
{
    size_t n;
    dt_status_t rc;

    *reply = NULL;

    if (c->fd == -1) {
        return DT_EIO;
    }

    do {
        rc = dt_redis_conn_parse(c, reply);
        if (rc != DT_DECLINED) {
            return rc;
        }

        n = 0;

        if (dt_redis_conn_write(c, &n) != DT_OK
            || dt_redis_conn_read(c, &n) != DT_OK) {
            return DT_EIO;
        }

    } while (n);

    return DT_DECLINED;
}


redisReply *
dt_redis_conn_answer(dt_redis_conn_t *c)
{
    dt_status_t rc;
    redisReply *reply;

    while ((rc = dt_redis_conn_take(c, &reply)) == DT_DECLINED) {
        if (dt_redis_conn_wait(c, c->len ? POLLIN | POLLOUT : POLLIN,
                               c->len ? "write" : "read")
            != DT_OK)
        {
            return NULL;
        }
    }

    return rc == DT_OK ? reply : NULL;
}


int
dt_redis_conn_alive(dt_redis_conn_t *c)
{
    redisReply *reply;

    if (c->fd == -1) {
        return 0;
    }

    /* an answer to no command closes the connection as well */

    return dt_redis_conn_take(c, &reply) == DT_DECLINED;
}


dt_str_t
dt_redis_string(const redisReply *reply)
{
    return reply != NULL && reply->type == REDIS_REPLY_STRING
               ? (dt_str_t){ (size_t) reply->len, reply->str }
               : (dt_str_t){ 0, NULL };
}


static void
dt_redis_request_vadd(dt_redis_request_t *q, const char *format, va_list args)
{
    int n;
    char *cmd = NULL, *p = NULL;

    n = redisvFormatCommand(&cmd, format, args);

    if (n > 0 && q->n < DT_REDIS_ANSWERS) {
        p = realloc(q->cmds, q->len + (size_t) n);
    }

    if (p != NULL) {
        memcpy(p + q->len, cmd, (size_t) n);
        q->cmds = p;
        q->len += (size_t) n;
        q->ends[q->n++] = q->len;

    } else {
        q->nomem = 1;
    }

    if (n > 0) {
        redisFreeCommand(cmd);
    }
}


void
dt_redis_request_add(dt_redis_request_t *q, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    dt_redis_request_vadd(q, format, args);
    va_end(args);
}


dt_status_t
dt_redis_send(dt_redis_conn_t *c, const char *format, ...)
{
    va_list args;
    dt_status_t rc;
    dt_redis_request_t q = { 0 };

    va_start(args, format);
    dt_redis_request_vadd(&q, format, args);
    va_end(args);

    rc = dt_redis_request_send(&q, c);
    dt_redis_request_sent(&q);

    return rc;
}


static int
dt_redis_request_is_multi(const dt_redis_request_t *q)
{
    return q->len > 13 && memcmp(q->cmds, "*1\r\n$5\r\nMULTI", 13) == 0;
}


/*
 * whether command i is sent.  While a slot is moved, some keys of a site are
 * on the old node and others on the new one, so commands that the old node has
 * answered are not sent to the new one.
 */
static int
dt_redis_request_sends(const dt_redis_request_t *q, unsigned i)
{
    const redisReply *a = q->answers[i];

    return !q->asking || dt_redis_request_is_multi(q) || a == NULL
           || (a->type == REDIS_REPLY_ERROR && dt_redis_is(a->str, "ASK"));
}


/* whether ASKING goes before command i: a transaction has it once */
static int
dt_redis_request_asks(const dt_redis_request_t *q, unsigned i)
{
    return q->asking && (i == 0 || !dt_redis_request_is_multi(q));
}


dt_status_t
dt_redis_request_send(dt_redis_request_t *q, dt_redis_conn_t *c)
{
    size_t at = 0;
    dt_status_t rc = DT_OK;

    if (q->nomem) {
        return dt_redis_conn_broken(c, "out of memory", NULL);
    }

    if (!q->asking) {
        return dt_redis_conn_send(c, q->cmds, q->len, q->n);
    }

    for (unsigned i = 0; i < q->n && rc == DT_OK; i++) {
        if (dt_redis_request_sends(q, i)) {
            if (dt_redis_request_asks(q, i)) {
                rc = dt_redis_conn_send(c, "*1\r\n$6\r\nASKING\r\n", 16, 1);
            }

            if (rc == DT_OK) {
                rc = dt_redis_conn_send(c, q->cmds + at, q->ends[i] - at, 1);
            }
        }

        at = q->ends[i];
    }

    return rc;
}


dt_status_t
dt_redis_request_receive(dt_redis_request_t *q, dt_redis_conn_t *c)
{
    redisReply *reply;

    for (unsigned i = 0; i < q->n; i++) {
        if (!dt_redis_request_sends(q, i)) {
            continue;
        }

        if (dt_redis_request_asks(q, i)) {
            reply = dt_redis_conn_answer(c);
            if (reply == NULL) {
                return DT_EIO;
            }

            freeReplyObject(reply);
        }

        reply = dt_redis_conn_answer(c);
        if (reply == NULL) {
            return DT_EIO;
        }

        if (q->answers[i] != NULL) {
            freeReplyObject(q->answers[i]);
        }

        q->answers[i] = reply;
    }

    return DT_OK;
}


void
dt_redis_request_sent(dt_redis_request_t *q)
{
    free(q->cmds);
    q->cmds = NULL;
    q->len = 0;
}


void
dt_redis_request_drop(dt_redis_request_t *q)
{
    for (size_t i = 0; i < DT_REDIS_ANSWERS; i++) {
        if (q->answers[i] != NULL) {
            freeReplyObject(q->answers[i]);
            q->answers[i] = NULL;
        }
    }
}


void
dt_redis_request_free(dt_redis_request_t *q)
{
    dt_redis_request_sent(q);
    dt_redis_request_drop(q);
    memset(q, 0, sizeof(*q));
}


int
dt_redis_is(const char *text, const char *code)
{
    size_t len = strlen(code);

    return strncmp(text, code, len) == 0
           && (text[len] == ' ' || text[len] == '\0');
}


const redisReply *
dt_redis_error(const redisReply *reply, const char *skip)
{
    const redisReply *e;

    if (reply->type == REDIS_REPLY_ERROR) {
        return skip != NULL && strncmp(reply->str, skip, strlen(skip)) == 0
                   ? NULL
                   : reply;
    }

    if (reply->type == REDIS_REPLY_ARRAY) {
        for (size_t i = 0; i < reply->elements; i++) {
            e = reply->element[i];

            if (e->type == REDIS_REPLY_ERROR
                && (e = dt_redis_error(e, skip)) != NULL) {
                return e;
            }
        }
    }

    return NULL;
}
