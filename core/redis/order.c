
/*
 * Copyright (C) The detemplate authors
 *
 * How an order is carried out.  It reads, looks at the answers, changes the
 * site's keys in one transaction, and tells the other machines.  The list of
 * sites and the events have slots of their own, so they follow when the
 * transaction has succeeded.  A single server executes all commands of a PUT
 * in the order sent.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/order.h"
#include "core/base/tags.h"
#include "core/redis/conn.h"
#include "core/redis/route.h"


/* whether a byte needs no encoding in a key; "{", "}" and "%" do */
static int
dt_redis_plain(unsigned char c)
{
    return dt_is_alnum(c)
           || (c != '\0' && strchr("-._~:/[]@!$&()*+,;=", c) != NULL);
}


static void
dt_redis_site_encode(dt_str_t site, char *out)
{
    unsigned char c;

    for (size_t i = 0; i < site.len; i++) {
        c = (unsigned char) site.data[i];

        if (dt_redis_plain(c)) {
            *out++ = (char) c;

        } else {
            out = dt_percent_encode(out, c);
        }
    }

    *out = '\0';
}


/* adds the next requests; the order is done if there are none */
static void
dt_redis_order_step(dt_redis_order_t *o)
{
    unsigned n, more = 1;

    o->from = o->to;

    while (more && o->to < DT_REDIS_STEPS) {
        n = o->to++;

        if (o->row->add[n] == NULL) {
            o->from += o->from == n;
            continue;
        }

        o->q[n].slot = dt_redis_slot(dt_cstr(o->key));
        o->row->add[n](o, &o->q[n]);

        if (o->ended) {
            return;
        }

        /* an event of a template that was not written does no harm */

        more =
            n > DT_REDIS_WRITE
            || (n == DT_REDIS_WRITE && o->one && o->link->what == DT_LINK_PUT);
    }

    if (o->from == o->to) {
        o->row->done(o);
    }
}


void
dt_redis_order_begin(dt_redis_order_t *o, dt_frame_t *link,
                     const dt_redis_conf_t *conf, unsigned one)
{
    memset(o, 0, sizeof(*o));
    o->one = one != 0;
    o->link = link;
    o->conf = conf;

    link->flags &= ~(uint32_t) (DT_LINK_LOCKED | DT_LINK_PINNED);

    if (link->what >= DT_LINK_LAST || dt_redis_rows[link->what].done == NULL) {
        dt_redis_order_end(o, DT_EINVAL, "redis: there is no such order");
        return;
    }

    if (link->site.len == 0 || link->site.len > DT_LINK_SITE) {
        dt_redis_order_end(o, DT_ELIMIT,
                           "redis: the site's name must have 1 to 255 bytes");
        return;
    }

    o->row = &dt_redis_rows[link->what];
    dt_redis_site_encode(link->site, o->site);
    snprintf(o->key, sizeof(o->key), "%s{%s}", conf->prefix, o->site);
    dt_redis_order_step(o);
}


/* ends the order if request n has no answers, or an answer is an error */
static void
dt_redis_order_judge(dt_redis_order_t *o, unsigned n)
{
    char text[DT_ERRSTR];
    const redisReply *e = NULL;
    dt_status_t rc = DT_EINVAL;
    const dt_redis_request_t *q = &o->q[n];

    /* a key that is not there cannot be renamed */

    for (unsigned i = 0; i < q->n && q->rc == DT_OK && e == NULL; i++) {
        e = dt_redis_error(q->answers[i], "ERR no such key");
    }

    if (q->rc == DT_OK && e == NULL) {
        return;
    }

    if (e != NULL) {
        snprintf(text, sizeof(text), "redis: %.*s",
                 (int) strcspn(e->str, "\r\n"), e->str);

    } else {
        rc = q->rc;
        memcpy(text, q->errstr, sizeof(text));
    }

    /* the template is stored; the missing event deserves a log line */

    dt_redis_order_end(
        o, o->link->what == DT_LINK_PUT && n > DT_REDIS_WRITE ? DT_OK : rc,
        text);
}


void
dt_redis_order_next(dt_redis_order_t *o)
{
    unsigned from = o->from, to = o->to;

    for (unsigned i = from; i < to; i++) {
        dt_redis_request_sent(&o->q[i]);

        if (!o->ended) {
            dt_redis_order_judge(o, i);
        }
    }

    if (!o->ended && from == DT_REDIS_READ && o->row->look != NULL) {
        o->row->look(o);
    }

    if (!o->ended) {
        dt_redis_order_step(o);
    }
}


void
dt_redis_order_end(dt_redis_order_t *o, dt_status_t rc, const char *text)
{
    snprintf(o->text, sizeof(o->text), "%s", text);
    dt_redis_printable(o->text);

    o->ended = 1;
    o->from = 0;
    o->to = 0;
    o->link->rc = rc;
    o->link->text = dt_cstr(o->text);
}


void
dt_redis_order_free(dt_redis_order_t *o)
{
    for (size_t i = 0; i < DT_REDIS_STEPS; i++) {
        dt_redis_request_free(&o->q[i]);
    }

    free(o->joined);
    o->joined = NULL;
}
