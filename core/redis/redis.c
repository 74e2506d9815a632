
/*
 * Copyright (C) The detemplate authors
 *
 * Batches of orders, and the state.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/redis.h"
#include "core/redis/conn.h"
#include "core/redis/events.h"
#include "core/redis/order.h"


struct dt_redis_s {
    dt_redis_conf_t conf;
    dt_redis_tally_t tally;
    dt_redis_route_t route;
    dt_redis_events_t events;
    dt_redis_order_t orders[DT_REDIS_BATCH];
    size_t norders;
    unsigned failed;  /* attempts to connect in a row */
    int64_t retry_at; /* no attempt before this */
    int64_t since;    /* seconds since 1970 */
    unsigned away;    /* there is no connection */
    unsigned told;    /* dt_redis_state() was called */
    unsigned told_away;
    char told_text[DT_ERRSTR];
    char told_peer[DT_LINK_PEER + 1];
    char text[DT_ERRSTR];
    char peer[DT_LINK_PEER + 1];
};


dt_redis_t *
dt_redis_create(const dt_redis_opts_t *o)
{
    char errstr[DT_ERRSTR];
    dt_redis_t *r;

    r = calloc(1, sizeof(*r));
    if (r == NULL) {
        return NULL;
    }

    if (dt_redis_parse(o, &r->conf, errstr) != DT_OK) {
        free(r);
        return NULL;
    }

    dt_redis_route_init(&r->route, &r->conf, &r->tally);
    dt_redis_events_init(&r->events, &r->route);
    r->away = 1;
    r->since = (int64_t) time(NULL);
    snprintf(r->text, sizeof(r->text), "redis: not connected yet");

    return r;
}


static void
dt_redis_drop(dt_redis_t *r)
{
    for (size_t i = 0; i < r->norders; i++) {
        dt_redis_order_free(&r->orders[i]);
    }

    r->norders = 0;
}


void
dt_redis_destroy(dt_redis_t *r)
{
    if (r != NULL) {
        dt_redis_drop(r);
        dt_redis_route_close(&r->route);
        dt_redis_conn_close(&r->events.conn);
        free(r);
    }
}


/* notes whether there is a connection, and since when and why not */
static void
dt_redis_note(dt_redis_t *r)
{
    unsigned away = !dt_redis_route_is_open(&r->route);
    const dt_redis_conn_t *c = &r->route.nodes[r->route.last].conn;

    if (away != r->away) {
        r->away = away;
        r->since = (int64_t) time(NULL);
    }

    memcpy(r->peer, c->peer, sizeof(r->peer));
    snprintf(r->text, sizeof(r->text), "%s",
             !away                ? ""
             : r->route.errstr[0] ? r->route.errstr
                                  : c->errstr);
}


/* back-off, shortened at random, so that a fleet that lost its server does not
   come back at once */
static long
dt_redis_later(dt_redis_t *r)
{
    long ms = dt_redis_backoff(&r->failed);

    ms -= (long) ((uint64_t) dt_now_us() * 2654435761u % 1000003
                  % (uint64_t) (ms / 2 + 1));
    r->retry_at = dt_now() + ms;

    return ms;
}


long
dt_redis_tick(dt_redis_t *r)
{
    long ms;
    int64_t now = dt_now();

    if (dt_redis_route_is_open(&r->route)) {
        dt_redis_route_tick(&r->route);

    } else if (now < r->retry_at) {
        return (long) (r->retry_at - now);

    } else if (dt_redis_route_open(&r->route) == DT_OK) {
        dt_redis_route_tick(&r->route);
        r->failed = 0;
    }

    dt_redis_note(r);

    if (r->away) {
        return dt_redis_later(r);
    }

    ms = dt_redis_events_tick(&r->events);

    return r->events.gap ? 0 : ms < 1000 ? ms : 1000;
}


/* carries out the next requests of the orders; returns 0 when there are
   none */
static int
dt_redis_round(dt_redis_t *r)
{
    size_t n = 0;
    dt_redis_order_t *o;
    dt_redis_request_t *q[DT_REDIS_BATCH * DT_REDIS_STEPS];

    for (size_t i = 0; i < r->norders; i++) {
        o = &r->orders[i];

        for (unsigned k = o->from; k < o->to; k++) {
            q[n++] = &o->q[k];
        }
    }

    if (n == 0) {
        return 0;
    }

    dt_redis_route_run(&r->route, q, n);

    for (size_t i = 0; i < r->norders; i++) {
        o = &r->orders[i];

        if (o->from < o->to) {
            dt_redis_order_next(o);
        }
    }

    return 1;
}


void
dt_redis_do(dt_redis_t *r, dt_frame_t *orders, size_t n)
{
    dt_redis_drop(r);

    if (n > DT_REDIS_BATCH) {
        n = DT_REDIS_BATCH;
    }

    for (size_t i = 0; i < n; i++) {
        orders[i].text.len =
            orders[i].what == DT_LINK_PUT ? orders[i].text.len : 0;

        if (orders[i].what == DT_LINK_PUT && r->events.older) {
            orders[i].flags |= DT_LINK_WHOLE;
        }

        dt_redis_order_begin(&r->orders[i], &orders[i], &r->conf,
                             !r->route.cluster);
    }

    r->norders = n;

    if (r->away) {
        for (size_t i = 0; i < n; i++) {
            dt_redis_order_end(&r->orders[i], DT_EIO, r->text);
        }
    }

    while (dt_redis_round(r)) {
        /* void */
    }

    if (!r->away) {
        dt_redis_note(r);

        if (r->away) {
            (void) dt_redis_later(r);
        }
    }

    /* bytes of an order are not bytes of its answer */

    for (size_t i = 0; i < n; i++) {
        orders[i].flags &= DT_LINK_LOCKED | DT_LINK_PINNED;

        if (orders[i].rc != DT_OK
            || (orders[i].what != DT_LINK_GET && orders[i].what != DT_LINK_LOCK
                && orders[i].what != DT_LINK_LIST))
        {
            orders[i].bytes = (dt_str_t){ 0, NULL };
        }
    }
}


int
dt_redis_fd(const dt_redis_t *r)
{
    return r->events.conn.fd;
}


void
dt_redis_events(dt_redis_t *r, void (*fn)(void *data, dt_frame_t *news),
                void *data)
{
    dt_redis_events_read(&r->events, fn, data);
}


int
dt_redis_state(dt_redis_t *r, dt_frame_t *state)
{
    int other;

    memset(state, 0, sizeof(*state));
    state->what = DT_LINK_STATE;
    state->flags = r->away ? DT_LINK_AWAY : 0;
    state->text = dt_cstr(r->text);
    state->peer = dt_cstr(r->peer);
    state->since = r->since;
    state->event_at = r->events.event_at;
    state->latency = r->route.latency > 0 && r->route.latency < UINT32_MAX
                         ? (uint32_t) r->route.latency
                         : 0;
    state->reconnects = r->route.opened ? r->route.opened - 1 : 0;
    state->received = r->tally.received;
    state->sent = r->tally.sent;

    other = !r->told || r->told_away != r->away
            || strcmp(r->told_text, r->text) != 0
            || strcmp(r->told_peer, r->peer) != 0;

    r->told = 1;
    r->told_away = r->away;
    memcpy(r->told_text, r->text, sizeof(r->text));
    memcpy(r->told_peer, r->peer, sizeof(r->peer));

    return other;
}
