
/*
 * Copyright (C) The detemplate authors
 *
 * Requests, and what their answers say.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/route.h"


void
dt_redis_request_add(dt_redis_request_t *q, const char *format, ...)
{
    va_list args;

    va_start(args, format);

    if (q->n == DT_REDIS_ANSWERS
        || dt_redis_vcommand(&q->cmds, &q->len, format, args) != DT_OK)
    {
        q->nomem = 1;
    }

    va_end(args);

    q->ends[q->n < DT_REDIS_ANSWERS ? q->n : 0] = q->len;
    q->n += q->n < DT_REDIS_ANSWERS;
}


static int
dt_redis_request_is_multi(const dt_redis_request_t *q)
{
    return q->len > 13 && memcmp(q->cmds, "*1\r\n$5\r\nMULTI", 13) == 0;
}


/* whether command i is sent.  While a slot is moved, some keys of a site are
   here and others there, so what was answered here is not asked there. */
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


/* CRC-16 of the XMODEM protocol, bit by bit: keys are short */
static unsigned
dt_redis_crc(dt_str_t s)
{
    unsigned crc = 0;

    for (size_t i = 0; i < s.len; i++) {
        crc ^= (unsigned) (unsigned char) s.data[i] << 8;

        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
        }
    }

    return crc & 0xffff;
}


unsigned
dt_redis_slot(dt_str_t key)
{
    const char *end, *open;

    open = key.len ? memchr(key.data, '{', key.len) : NULL;

    if (open != NULL) {
        open++;
        end = memchr(open, '}', key.len - (size_t) (open - key.data));

        if (end != NULL && end != open) {
            key = (dt_str_t){ (size_t) (end - open), open };
        }
    }

    return dt_redis_crc(key) % DT_REDIS_SLOTS;
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
