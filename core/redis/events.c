
/*
 * Copyright (C) The detemplate authors
 *
 * XREAD waits at the server, so an event comes as soon as it is written, and a
 * connection that gives no answer for longer is dead.  Entries that were
 * trimmed before they were read are a gap; so is another Redis, whose stream
 * ends before the entry that was seen last.  Any client of Redis may have
 * written an entry.
 */


#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/redis/events.h"
#include "core/base/dt.h"
#include "core/redis/conn.h"


#define DT_REDIS_BLOCK 2000 /* ms that XREAD waits */
#define DT_REDIS_COUNT 500  /* entries of an answer */


void
dt_redis_events_init(dt_redis_events_t *e, dt_redis_route_t *route)
{
    memset(e, 0, sizeof(*e));
    dt_redis_conn_init(&e->conn, route->tally);
    e->conf = route->conf;
    e->route = route;
    snprintf(e->stream, sizeof(e->stream), "%sevents", e->conf->prefix);
}


/* parses "ms-seq"; 0: it is no number of an entry */
static int
dt_redis_event_id(const redisReply *reply, dt_redis_id_t *id)
{
    const char *dash;
    dt_str_t s = dt_redis_string(reply);

    dash = s.len ? memchr(s.data, '-', s.len) : NULL;

    return dash != NULL
           && dt_str_number((dt_str_t){ (size_t) (dash - s.data), s.data },
                            UINT64_MAX, &id->ms)
           && dt_str_number(
               (dt_str_t){ s.len - (size_t) (dash - s.data) - 1, dash + 1 },
               UINT64_MAX, &id->seq);
}


/* reads a field of an entry; 0: the entry is not reported */
static int
dt_redis_event_field(const char *token, dt_str_t name, dt_str_t value,
                     char site[DT_LINK_SITE], dt_frame_t *news)
{
    int sound = 1;
    uint64_t n = 0;
    uint32_t flag = dt_str_eq(value, dt_str("1")) ? UINT32_MAX : 0;

    if (dt_str_eq(name, dt_str("site"))) {
        n = dt_percent_copy(value, site, DT_LINK_SITE);
        sound = n != SIZE_MAX && n != 0;
        news->site = (dt_str_t){ sound ? (size_t) n : 0, site };

    } else if (dt_str_eq(name, dt_str("version"))) {
        sound = dt_str_number(value, UINT32_MAX, &n);
        news->version = (uint32_t) n;

    } else if (dt_str_eq(name, dt_str("learned_at"))) {
        sound = dt_str_number(value, INT64_MAX, &n);
        news->learned_at = (int64_t) n;

    } else if (dt_str_eq(name, dt_str("added"))) {
        news->flags |= flag & DT_LINK_ADDED;

    } else if (dt_str_eq(name, dt_str("redesign"))) {
        news->flags |= flag & DT_LINK_REDESIGNED;

    } else if (dt_str_eq(name, dt_str("by"))) {
        sound = token[0] == '\0' || !dt_str_eq(value, dt_cstr(token));

    } else if (dt_str_eq(name, dt_str("do"))) {
        news->event = 0;

        while (news->event < DT_LINK_DIDS
               && !dt_str_eq(value, dt_cstr(dt_link_dids[news->event])))
        {
            news->event++;
        }

        /* events of a later version are not for us */

        sound = news->event < DT_LINK_DIDS;
    }

    return sound;
}


/* reads the fields of an entry; 0: it is not reported, as it is malformed or
   our own */
static int
dt_redis_event(dt_redis_events_t *e, const redisReply *fields,
               char site[DT_LINK_SITE], dt_frame_t *news)
{
    memset(news, 0, sizeof(*news));
    news->what = DT_LINK_EVENT;
    news->event = DT_LINK_DIDS;

    if (fields->type != REDIS_REPLY_ARRAY) {
        return 0;
    }

    for (size_t i = 0; i + 1 < fields->elements; i += 2) {
        if (!dt_redis_event_field(
                e->conf->token, dt_redis_string(fields->element[i]),
                dt_redis_string(fields->element[i + 1]), site, news))
        {
            return 0;
        }
    }

    /* earlier versions of the program do not name their action */

    if (news->event == DT_LINK_DIDS) {
        news->event = news->version ? DT_LINK_DID_LEARN : DT_LINK_DID_FORGET;
    }

    if (news->site.len == 0) {
        return 0;
    }

    /* templates of older machines have no time */

    if (news->event == DT_LINK_DID_LEARN && news->learned_at == 0) {
        e->older = 1;
    }

    return 1;
}


static int
dt_redis_events_before(dt_redis_id_t a, dt_redis_id_t b)
{
    return a.ms < b.ms || (a.ms == b.ms && a.seq < b.seq);
}


/* the number of the only entry of an answer: 1; 0: there is none; -1: the
   answer makes no sense */
static int
dt_redis_events_one(const redisReply *reply, dt_redis_id_t *id)
{
    const redisReply *entry;

    if (reply->type != REDIS_REPLY_ARRAY) {
        return -1;
    }

    if (reply->elements == 0) {
        return 0;
    }

    entry = reply->element[0];

    return entry->type == REDIS_REPLY_ARRAY && entry->elements >= 1
                   && dt_redis_event_id(entry->element[0], id)
               ? 1
               : -1;
}


/* closes after an answer that has no entries; the stream may be elsewhere */
static void
dt_redis_events_refused(dt_redis_events_t *e, const redisReply *reply)
{
    unsigned slot = dt_redis_slot(dt_cstr(e->stream));

    if (reply->type != REDIS_REPLY_ERROR) {
        (void) dt_redis_conn_broken(&e->conn, e->stream, "no entries");
        e->conn.garbled = 1;
        return;
    }

    e->moved =
        dt_redis_is(reply->str, "MOVED")
        && dt_redis_route_redirect(e->route, e->route->slots[slot], reply->str)
               != -1;
    (void) dt_redis_conn_broken(&e->conn, e->stream, reply->str);
}


/* waits for the answer to XRANGE or XREVRANGE: as dt_redis_events_one(); -1:
   the connection is closed.  last: the fields of the entry are read too. */
static int
dt_redis_events_edge(dt_redis_events_t *e, dt_redis_id_t *id, int last)
{
    int rc;
    char site[DT_LINK_SITE];
    dt_frame_t news;
    redisReply *reply;

    reply = dt_redis_conn_answer(&e->conn);
    if (reply == NULL) {
        return -1;
    }

    rc = dt_redis_events_one(reply, id);

    if (rc == -1) {
        dt_redis_events_refused(e, reply);

    } else if (rc && last && reply->element[0]->elements == 2) {
        (void) dt_redis_event(e, reply->element[0]->element[1], site, &news);
    }

    freeReplyObject(reply);

    return rc;
}


/* asks for the entries behind the last one */
static dt_status_t
dt_redis_events_ask(dt_redis_events_t *e)
{
    e->answered_at = dt_now();
    e->conn.due = INT64_MAX;

    return dt_redis_send(&e->conn,
                         "XREAD BLOCK %d COUNT %d STREAMS %s"
                         " %" PRIu64 "-%" PRIu64,
                         DT_REDIS_BLOCK, DT_REDIS_COUNT, e->stream, e->last.ms,
                         e->last.seq);
}


/* finds the entry after which to go on */
static dt_status_t
dt_redis_events_place(dt_redis_events_t *e)
{
    int some, more;
    struct timespec now;
    dt_redis_id_t first = { 0, 0 }, last = { 0, 0 };

    if (e->blind) {
        clock_gettime(CLOCK_REALTIME, &now);
        e->last.ms =
            (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
        e->last.seq = 0;
        e->blind = 0;
        e->gap = 1;
        return DT_OK;
    }

    dt_redis_conn_time(&e->conn, e->conf->timeout * 10);

    if (dt_redis_send(&e->conn, "XRANGE %s - + COUNT 1", e->stream) != DT_OK
        || dt_redis_send(&e->conn, "XREVRANGE %s + - COUNT 1", e->stream)
               != DT_OK)
    {
        return DT_EIO;
    }

    some = dt_redis_events_edge(e, &first, 0);
    if (some == -1) {
        return DT_EIO;
    }

    more = dt_redis_events_edge(e, &last, 1);
    if (more == -1) {
        return DT_EIO;
    }

    if (!e->known || dt_redis_events_before(last, e->last)) {
        e->last = last;
        e->gap = 1;

    } else if (some && dt_redis_events_before(e->last, first)) {
        e->gap = 1;
    }

    e->known = 1;

    return DT_OK;
}


static long
dt_redis_events_failed(dt_redis_events_t *e)
{
    long ms;

    /* an answer that cannot be read would come again and again, so we go on
       with the entries written from now on */

    e->blind = e->conn.garbled;
    e->conn.garbled = 0;

    ms = dt_redis_backoff(&e->failed);

    /* connects at once to the named node, but not in a circle */

    if (e->moved && e->failed == 1) {
        ms = 0;
    }

    e->retry_at = dt_now() + ms;
    e->moved = 0;

    return ms;
}


long
dt_redis_events_tick(dt_redis_events_t *e)
{
    int64_t now = dt_now();
    int64_t dead = e->answered_at + DT_REDIS_BLOCK + e->conf->timeout;

    if (e->conn.fd != -1) {
        if (now < dead) {
            return (long) (dead - now);
        }

        (void) dt_redis_conn_broken(&e->conn, "events", "timed out");
        e->route->answered_at = 0;

        return dt_redis_events_failed(e);
    }

    if (now < e->retry_at) {
        return (long) (e->retry_at - now);
    }

    if (dt_redis_route_dial(e->route, &e->conn,
                            dt_redis_slot(dt_cstr(e->stream)))
            != DT_OK
        || dt_redis_events_place(e) != DT_OK
        || dt_redis_events_ask(e) != DT_OK)
    {
        return dt_redis_events_failed(e);
    }

    e->failed = 0;

    return DT_REDIS_BLOCK + e->conf->timeout;
}


/* reports an entry, unless it is ours or malformed */
static void
dt_redis_events_entry(dt_redis_events_t *e, const redisReply *entry,
                      dt_redis_news_t fn, void *data)
{
    char site[DT_LINK_SITE];
    dt_frame_t news;

    if (entry->type != REDIS_REPLY_ARRAY || entry->elements != 2
        || !dt_redis_event_id(entry->element[0], &e->last))
    {
        return;
    }

    if (dt_redis_event(e, entry->element[1], site, &news)) {
        e->event_at = (int64_t) time(NULL);
        fn(data, &news);
    }
}


/* reports all entries of an answer to XREAD; returns their number, or -1 with
   the connection closed */
static long
dt_redis_events_answer(dt_redis_events_t *e, const redisReply *reply,
                       dt_redis_news_t fn, void *data)
{
    const redisReply *stream, *entries;

    if (reply->type == REDIS_REPLY_NIL) {
        return 0;
    }

    stream = reply->type == REDIS_REPLY_ARRAY && reply->elements == 1
                 ? reply->element[0]
                 : NULL;
    entries = stream != NULL && stream->type == REDIS_REPLY_ARRAY
                      && stream->elements == 2
                  ? stream->element[1]
                  : NULL;

    if (entries == NULL || entries->type != REDIS_REPLY_ARRAY) {
        dt_redis_events_refused(e, reply);
        return -1;
    }

    for (size_t i = 0; i < entries->elements; i++) {
        dt_redis_events_entry(e, entries->element[i], fn, data);
    }

    return (long) entries->elements;
}


static void
dt_redis_events_tell_gap(dt_redis_events_t *e, dt_redis_news_t fn, void *data)
{
    dt_frame_t news;

    if (e->gap) {
        memset(&news, 0, sizeof(news));
        news.what = DT_LINK_GAP;
        e->gap = 0;
        fn(data, &news);
    }
}


void
dt_redis_events_read(dt_redis_events_t *e, dt_redis_news_t fn, void *data)
{
    long n;
    redisReply *reply;

    dt_redis_events_tell_gap(e, fn, data);

    while (e->conn.fd != -1 && dt_redis_conn_take(&e->conn, &reply) == DT_OK) {
        n = dt_redis_events_answer(e, reply, fn, data);
        freeReplyObject(reply);

        /* behind a full answer, entries may have been trimmed */

        if (n < 0 || (n >= DT_REDIS_COUNT && dt_redis_events_place(e) != DT_OK)
            || dt_redis_events_ask(e) != DT_OK)
        {
            break;
        }

        dt_redis_events_tell_gap(e, fn, data);
    }

    if (e->conn.fd == -1 && dt_now() >= e->retry_at) {
        (void) dt_redis_events_failed(e);
    }
}
