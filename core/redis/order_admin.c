
/*
 * Copyright (C) The detemplate authors
 *
 * The orders of people.  A pinned template does not expire, since nobody
 * learns it again.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/order_i.h"


#define DT_REDIS_HEAD ((unsigned) sizeof(dt_template_head_t) - 1)


/* the keys that expire with a template */
static const char *const dt_redis_living[] = { "template", "evidence",
                                               "meta" };

#define DT_REDIS_LIVING (sizeof(dt_redis_living) / sizeof(dt_redis_living[0]))


void
dt_redis_forget_begin(dt_redis_order_t *o)
{
    const char *k = o->key;
    dt_redis_request_t *q = dt_redis_order_request(o, 0);

    dt_redis_request_add(q, "MULTI");
    dt_redis_request_add(q, "DEL %s:template", k);
    dt_redis_request_add(q,
                         "DEL %s:evidence %s:template.1 %s:template.2"
                         " %s:template.3 %s:meta %s:lock",
                         k, k, k, k, k, k);
    dt_redis_request_add(q, "EXEC");
}


void
dt_redis_forget_next(dt_redis_order_t *o)
{
    const redisReply *exec = o->q[0].answers[3];

    if (o->to == 3) {
        if (dt_redis_order_failed(o, 1, NULL)
            || dt_redis_order_failed(o, 2, NULL)) {
            return;
        }

        dt_redis_order_end(o,
                           exec->type == REDIS_REPLY_ARRAY && exec->elements
                                   && exec->element[0]->integer == 1
                               ? DT_OK
                               : DT_DECLINED,
                           "");
        return;
    }

    if (dt_redis_order_failed(o, 0, NULL)) {
        return;
    }

    o->link->version = 0;
    o->link->learned_at = 0;

    dt_redis_order_list(o, 1, "ZREM %s %s");
    dt_redis_order_tell(o, 2, DT_LINK_DID_FORGET);
    o->from = 1;
    o->to = 3;
}


void
dt_redis_relearn_begin(dt_redis_order_t *o)
{
    dt_redis_order_tell(o, 0, DT_LINK_DID_RELEARN);
}


void
dt_redis_pin_begin(dt_redis_order_t *o)
{
    dt_redis_request_t *q = dt_redis_order_request(o, 0);

    dt_redis_request_add(q, "GETRANGE %s:template 0 %u", o->key,
                         DT_REDIS_HEAD);

    for (int i = 1; i <= DT_REDIS_EARLIER; i++) {
        dt_redis_request_add(q, "GETRANGE %s:template.%d 0 %u", o->key, i,
                             DT_REDIS_HEAD);
    }
}


void
dt_redis_list_begin(dt_redis_order_t *o)
{
    dt_redis_pin_begin(o);
    dt_redis_request_add(&o->q[0], "HMGET %s:meta pinned", o->key);
}


void
dt_redis_list_next(dt_redis_order_t *o)
{
    int found = 0;
    dt_template_head_t *heads;

    if (dt_redis_order_failed(o, 0, NULL)) {
        return;
    }

    heads = calloc(DT_REDIS_EARLIER + 1, sizeof(*heads));
    if (heads == NULL) {
        dt_redis_order_end(o, DT_ENOMEM, "redis: no memory");
        return;
    }

    o->joined = (char *) heads;

    for (int i = 0; i <= DT_REDIS_EARLIER; i++) {
        if (dt_redis_head(dt_redis_string(o->q[0].answers[i]), &heads[i])) {
            found = 1;

        } else {
            memset(&heads[i], 0, sizeof(*heads));
        }
    }

    if (dt_redis_pinned(o->q[0].answers[DT_REDIS_EARLIER + 1], 0)) {
        o->link->flags |= DT_LINK_PINNED;
    }

    dt_redis_order_known(o, &heads[0]);
    o->link->bytes =
        (dt_str_t){ (DT_REDIS_EARLIER + 1) * sizeof(*heads), o->joined };
    dt_redis_order_end(o, found ? DT_OK : DT_DECLINED, "");
}


/* reads the earlier template number n */
static void
dt_redis_restore_read(dt_redis_order_t *o, unsigned n)
{
    dt_redis_request_free(&o->q[0]);
    dt_redis_request_add(dt_redis_order_request(o, 0),
                         "GETRANGE %s:template.%u 0 %u", o->key, n,
                         DT_TEMPLATE_MAX);
    o->found = n;
    o->from = 0;
    o->to = 1;
}


/* keeps what is there from expiring */
static void
dt_redis_persist(dt_redis_order_t *o, dt_redis_request_t *q)
{
    for (size_t i = 0; i < DT_REDIS_LIVING; i++) {
        dt_redis_request_add(q, "PERSIST %s:%s", o->key, dt_redis_living[i]);
    }
}


/* ends PIN and RESTORE when the others were told */
static void
dt_redis_pin_end(dt_redis_order_t *o)
{
    if (!dt_redis_order_failed(o, 2, NULL)) {
        o->link->flags |= DT_LINK_PINNED;
        o->link->bytes = (dt_str_t){ 0, NULL };
        dt_redis_order_end(o, DT_OK, "");
    }
}


/* pins the present template if it is the one, or restores an earlier one */
static void
dt_redis_pin_found(dt_redis_order_t *o)
{
    uint32_t version = o->link->version;
    dt_template_head_t h;
    dt_redis_request_t *q;

    for (unsigned i = 0; i <= DT_REDIS_EARLIER; i++) {
        if (!dt_redis_head(dt_redis_string(o->q[0].answers[i]), &h)
            || (version != 0 && h.version != version))
        {
            if (version == 0) {
                break;
            }

            continue;
        }

        if (i) {
            dt_redis_restore_read(o, i);
            return;
        }

        dt_redis_order_known(o, &h);

        q = dt_redis_order_request(o, 1);
        dt_redis_request_add(q, "MULTI");
        dt_redis_order_meta(o, q, h.size, "pinned", dt_str("1"));
        dt_redis_persist(o, q);
        dt_redis_request_add(q, "EXEC");
        o->from = 1;
        o->to = 2;
        return;
    }

    dt_redis_order_end(o, DT_DECLINED, "");
}


void
dt_redis_pin_next(dt_redis_order_t *o)
{
    if (o->found || o->to != 1) {
        dt_redis_restore_next(o);

    } else if (!dt_redis_order_failed(o, 0, NULL)) {
        dt_redis_pin_found(o);
    }
}


void
dt_redis_restore_begin(dt_redis_order_t *o)
{
    if (o->link->n < 1 || o->link->n > DT_REDIS_EARLIER) {
        dt_redis_order_end(o, DT_DECLINED,
                           "redis: three earlier templates are kept");
        return;
    }

    dt_redis_restore_read(o, o->link->n);
}


/* writes it as the present one; those before it move up */
static void
dt_redis_restore_write(dt_redis_order_t *o)
{
    dt_str_t bytes = dt_redis_string(o->q[0].answers[0]);
    dt_template_head_t h;
    dt_redis_request_t *q;

    if (!dt_redis_head(bytes, &h) || bytes.len > DT_TEMPLATE_MAX
        || dt_template_check(bytes.data, bytes.len, NULL) != DT_OK)
    {
        dt_redis_order_end(o, DT_DECLINED,
                           bytes.len ? "redis: the template is not sound"
                                     : "");
        return;
    }

    dt_redis_order_known(o, &h);

    q = dt_redis_order_request(o, 1);
    dt_redis_request_add(q, "MULTI");

    dt_redis_order_shift(o, q, o->found);
    dt_redis_request_add(q, "SET %s:template %b", o->key, bytes.data,
                         bytes.len);
    dt_redis_request_add(q, "DEL %s:evidence", o->key);
    dt_redis_order_meta(o, q, h.size, "pinned", dt_str("1"));
    dt_redis_request_add(q, "PERSIST %s:meta", o->key);
    dt_redis_request_add(q, "EXEC");
    o->from = 1;
    o->to = 2;
}


void
dt_redis_restore_next(dt_redis_order_t *o)
{
    if (o->to == 1) {
        if (!dt_redis_order_failed(o, 0, NULL)) {
            dt_redis_restore_write(o);
        }

    } else if (o->to == 2) {
        if (!dt_redis_order_failed(o, 1, "ERR no such key")) {
            dt_redis_order_tell(o, 2, DT_LINK_DID_PIN);
            o->from = 2;
            o->to = 3;
        }

    } else {
        dt_redis_pin_end(o);
    }
}


void
dt_redis_unpin_begin(dt_redis_order_t *o)
{
    dt_redis_request_t *q = dt_redis_order_request(o, 0);

    dt_redis_request_add(q, "GETRANGE %s:template 0 %u", o->key,
                         DT_REDIS_HEAD);
    dt_redis_request_add(q, "HDEL %s:meta pinned", o->key);

    for (size_t i = 0; i < DT_REDIS_LIVING; i++) {
        dt_redis_request_add(q, "EXPIRE %s:%s %u", o->key, dt_redis_living[i],
                             dt_redis_order_ttl(o));
    }
}


void
dt_redis_unpin_next(dt_redis_order_t *o)
{
    dt_template_head_t h;

    if (o->to == 3) {
        if (!dt_redis_order_failed(o, 2, NULL)) {
            o->link->flags &= ~(uint32_t) DT_LINK_PINNED;
            dt_redis_order_end(o, DT_OK, "");
        }

        return;
    }

    if (dt_redis_order_failed(o, 0, NULL)) {
        return;
    }

    if (!dt_redis_head(dt_redis_string(o->q[0].answers[0]), &h)) {
        dt_redis_order_end(o, DT_DECLINED, "");
        return;
    }

    dt_redis_order_known(o, &h);
    dt_redis_order_tell(o, 2, DT_LINK_DID_UNPIN);
    o->from = 2;
    o->to = 3;
}
