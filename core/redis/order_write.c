
/*
 * Copyright (C) The detemplate authors
 *
 * The orders of learners.  What belongs to a site changes in one transaction.
 * The list of sites and the events have slots of their own.  One server does
 * all of it in the order in which it is sent; in a cluster they follow when
 * the transaction has succeeded.
 *
 * Without a script, a lock cannot be compared and removed at once.  The caller
 * gives back only a lock that it has and that cannot have expired.
 */


#include <stdio.h>

#include "core/redis/order_i.h"


#define DT_REDIS_SITES 10000 /* names that the list keeps */


void
dt_redis_unlock_begin(dt_redis_order_t *o)
{
    dt_redis_request_add(dt_redis_order_request(o, 0), "DEL %s:lock", o->key);
}


void
dt_redis_done_next(dt_redis_order_t *o)
{
    if (!dt_redis_order_failed(o, 0, NULL)) {
        dt_redis_order_end(o, DT_OK, "");
    }
}


/* the list of sites, and the event */
static void
dt_redis_put_tell(dt_redis_order_t *o)
{
    char sites[DT_REDIS_PREFIX + 8];
    dt_redis_request_t *q = &o->q[1];

    snprintf(sites, sizeof(sites), "%ssites", o->conf->prefix);

    q->slot = dt_redis_slot(dt_cstr(sites));
    dt_redis_request_add(q, "ZADD %s %lld %s", sites,
                         (long long) o->link->learned_at, o->site);
    dt_redis_request_add(q, "ZREMRANGEBYSCORE %s -inf (%lld", sites,
                         (long long) time(NULL) - o->link->ttl);
    dt_redis_request_add(q, "ZREMRANGEBYRANK %s 0 %d", sites,
                         -DT_REDIS_SITES - 1);

    dt_redis_order_tell(o, 2, DT_LINK_DID_LEARN);
    o->from = 1;
    o->to = 3;
}


void
dt_redis_put_begin(dt_redis_order_t *o)
{
    dt_frame_t *link = o->link;
    dt_redis_request_t *q = dt_redis_order_request(o, 0);
    dt_template_head_t h;
    size_t serve;

    if (link->ttl == 0 || !dt_redis_head(link->bytes, &h)
        || (link->bytes.len != h.size && link->bytes.len != h.serve_size))
    {
        dt_redis_order_end(o, DT_EINVAL,
                           "redis: the order is no template with a time");
        return;
    }

    serve = link->flags & DT_LINK_WHOLE ? link->bytes.len : h.serve_size;

    dt_redis_request_add(q, "MULTI");

    if (!(link->flags & DT_LINK_ADDED)) {
        dt_redis_order_shift(o, q, DT_REDIS_EARLIER);
    }

    dt_redis_request_add(q, "SET %s:template %b EX %u", o->key,
                         link->bytes.data, serve, link->ttl);

    if (link->bytes.len > serve) {
        dt_redis_request_add(q, "SET %s:evidence %b EX %u", o->key,
                             link->bytes.data + serve, link->bytes.len - serve,
                             link->ttl);

    } else {
        dt_redis_request_add(q, "DEL %s:evidence", o->key);
    }

    dt_redis_order_meta(o, q, link->bytes.len, "url", link->text);

    dt_redis_request_add(q, "HSET %s:meta last %u", o->key, link->version);

    /* a learning ends the pin */

    dt_redis_request_add(q, "HDEL %s:meta pinned", o->key);
    dt_redis_request_add(q, "EXPIRE %s:meta %u", o->key, link->ttl);

    if (link->flags & DT_LINK_GIVE_BACK) {
        dt_redis_request_add(q, "DEL %s:lock", o->key);
    }

    dt_redis_request_add(q, "EXEC");

    /* an event of a template that was not written does no harm */

    if (o->one) {
        dt_redis_put_tell(o);
        o->from = 0;
    }
}


void
dt_redis_put_next(dt_redis_order_t *o)
{
    if (o->from == 0 && dt_redis_order_failed(o, 0, "ERR no such key")) {
        return;
    }

    if (o->to == 1) {
        dt_redis_put_tell(o);
        return;
    }

    /* the template is there; that others are not told is worth a line */

    if (!dt_redis_order_failed(o, 1, NULL)
        && !dt_redis_order_failed(o, 2, NULL)) {
        dt_redis_order_end(o, DT_OK, "");
    }

    o->link->rc = DT_OK;
    o->link->bytes = (dt_str_t){ 0, NULL };
}
