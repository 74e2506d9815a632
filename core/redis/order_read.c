
/*
 * Copyright (C) The detemplate authors
 *
 * The orders that read a template, and the lock, which is the one of the Redis
 * manual: SET with NX and EX and a random token.  A lock with our own token is
 * ours, since a manager of ours that died may have left it.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/order_i.h"


/* adds the commands that read the template; its evidence is the second */
static void
dt_redis_read(dt_redis_order_t *o, dt_redis_request_t *q)
{
    /* one byte more than allowed reveals a value that is too long */

    dt_redis_request_add(q, "GETRANGE %s:template 0 %u", o->key,
                         DT_TEMPLATE_MAX);

    if (o->link->flags & DT_LINK_WHOLE) {
        dt_redis_request_add(q, "GETRANGE %s:evidence 0 %u", o->key,
                             DT_TEMPLATE_MAX);
    }

    dt_redis_request_add(q, "HMGET %s:meta pinned last", o->key);
}


int
dt_redis_pinned(const redisReply *meta, size_t i)
{
    return meta != NULL && meta->type == REDIS_REPLY_ARRAY
           && meta->elements > i
           && dt_str_eq(dt_redis_string(meta->element[i]), dt_str("1"));
}


/* returns a number of a hash, within its bounds, or 0 */
static int64_t
dt_redis_meta_number(const redisReply *e, int64_t max)
{
    char *end;
    long long n;
    dt_str_t s = dt_redis_string(e);

    n = s.len ? strtoll(s.data, &end, 10) : 0;

    return s.len && end == s.data + s.len && n > 0 && n <= max ? n : 0;
}


/* joins the template with its evidence if they belong together */
static void
dt_redis_join(dt_redis_order_t *o, const dt_template_head_t *h, dt_str_t bytes,
              dt_str_t evidence)
{
    if (bytes.len != h->serve_size || evidence.len == 0
        || bytes.len + evidence.len != h->size)
    {
        return;
    }

    o->joined = malloc(h->size);
    if (o->joined == NULL) {
        return;
    }

    memcpy(o->joined, bytes.data, bytes.len);
    memcpy(o->joined + bytes.len, evidence.data, evidence.len);
    o->link->bytes = (dt_str_t){ h->size, o->joined };
}


/* gives the template that was read, of which answers[i] is the first */
static void
dt_redis_take(dt_redis_order_t *o, unsigned i)
{
    int whole = (o->link->flags & DT_LINK_WHOLE) != 0;
    redisReply *const *answers = o->q[0].answers + i;
    dt_str_t bytes = dt_redis_string(answers[0]);
    dt_template_head_t h;

    const redisReply *meta = answers[1 + whole];

    if (dt_redis_pinned(meta, 0)) {
        o->link->flags |= DT_LINK_PINNED;
    }

    if (meta != NULL && meta->type == REDIS_REPLY_ARRAY && meta->elements > 1)
    {
        o->link->n =
            (uint32_t) dt_redis_meta_number(meta->element[1], UINT32_MAX);
    }

    if (bytes.len == 0) {
        dt_redis_order_end(o, DT_DECLINED, "");
        return;
    }

    if (bytes.len > DT_TEMPLATE_MAX) {
        dt_redis_order_end(o, DT_ELIMIT, "redis: the template is over 4 MiB");
        return;
    }

    o->link->bytes = bytes;

    if (dt_redis_head(bytes, &h)) {
        dt_redis_order_known(o, &h);

        if (whole) {
            dt_redis_join(o, &h, bytes, dt_redis_string(answers[1]));

        } else if (bytes.len > h.serve_size) {
            o->link->bytes.len = h.serve_size;
        }
    }

    dt_redis_order_end(o, DT_OK, "");
}


void
dt_redis_get_begin(dt_redis_order_t *o)
{
    dt_redis_read(o, dt_redis_order_request(o, 0));
}


void
dt_redis_get_next(dt_redis_order_t *o)
{
    if (!dt_redis_order_failed(o, 0, NULL)) {
        dt_redis_take(o, 0);
    }
}


void
dt_redis_lock_begin(dt_redis_order_t *o)
{
    dt_redis_request_t *q = dt_redis_order_request(o, 0);

    if (o->link->ttl == 0 || o->conf->token[0] == '\0') {
        dt_redis_order_end(o, DT_EINVAL,
                           "redis: a lock needs a time and a token");
        return;
    }

    dt_redis_request_add(q, "SET %s:lock %s NX EX %u", o->key, o->conf->token,
                         o->link->ttl);
    dt_redis_request_add(q, "GET %s:lock", o->key);
    dt_redis_read(o, q);
}


void
dt_redis_lock_next(dt_redis_order_t *o)
{
    int got, ours;
    redisReply *const *answers = o->q[0].answers;

    if (o->to == 2) {
        /* renewed; it makes no difference if the lock is gone */
        dt_redis_take(o, 2);
        return;
    }

    if (dt_redis_order_failed(o, 0, NULL)) {
        return;
    }

    got = answers[0]->type != REDIS_REPLY_NIL;
    ours = dt_str_eq(dt_redis_string(answers[1]), dt_cstr(o->conf->token));

    if (got || !ours) {
        o->link->flags |= got ? 0 : DT_LINK_LOCKED;
        dt_redis_take(o, 2);
        return;
    }

    dt_redis_request_add(dt_redis_order_request(o, 1),
                         "SET %s:lock %s XX EX %u", o->key, o->conf->token,
                         o->link->ttl);
    o->from = 1;
    o->to = 2;
}


void
dt_redis_compare_begin(dt_redis_order_t *o)
{
    dt_redis_request_add(dt_redis_order_request(o, 0),
                         "HMGET %s:meta version learned_at pinned", o->key);
}


void
dt_redis_compare_next(dt_redis_order_t *o)
{
    const redisReply *meta;

    if (dt_redis_order_failed(o, 0, NULL)) {
        return;
    }

    meta = o->q[0].answers[0];

    if (meta->type != REDIS_REPLY_ARRAY || meta->elements != 3
        || dt_redis_meta_number(meta->element[0], UINT32_MAX) == 0)
    {
        dt_redis_order_end(o, DT_DECLINED, "");
        return;
    }

    o->link->version =
        (uint32_t) dt_redis_meta_number(meta->element[0], UINT32_MAX);
    o->link->learned_at = dt_redis_meta_number(meta->element[1], INT64_MAX);

    if (dt_redis_pinned(meta, 2)) {
        o->link->flags |= DT_LINK_PINNED;
    }

    dt_redis_order_end(o, DT_OK, "");
}
