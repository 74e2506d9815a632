
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_EVENTS_H_INCLUDED_
#define DT_EVENTS_H_INCLUDED_


#include "core/redis/route.h"


/*
 * Follows the stream of events, on a connection of its own.  For redis.c only.
 */

/* the number of an entry */
typedef struct {
    uint64_t ms;
    uint64_t seq;
} dt_redis_id_t;

typedef struct {
    dt_redis_conn_t conn;
    const dt_redis_conf_t *conf;
    dt_redis_route_t *route;
    char stream[DT_REDIS_PREFIX + 8];
    dt_redis_id_t last;  /* the entry that was seen last */
    unsigned known : 1;  /* there is such an entry, or there was none */
    unsigned blind : 1;  /* the stream cannot be read */
    unsigned moved : 1;  /* the stream is at another node */
    unsigned gap : 1;    /* a gap must be reported */
    unsigned older : 1;  /* older machines, which read only whole templates,
                            also learn */
    unsigned failed;     /* attempts to connect in a row */
    int64_t retry_at;    /* no attempt before this */
    int64_t answered_at; /* monotonic, in ms */
    int64_t event_at;    /* seconds since 1970, or 0 */
} dt_redis_events_t;

typedef void (*dt_redis_news_t)(void *data, dt_frame_t *news);


void dt_redis_events_init(dt_redis_events_t *e, dt_redis_route_t *route);

/* Connects if it is time to, and closes a connection that has died.  Returns
   the ms until it should be called again. */
long dt_redis_events_tick(dt_redis_events_t *e);

/* Reads the events that have arrived. */
void dt_redis_events_read(dt_redis_events_t *e, dt_redis_news_t fn,
                          void *data);


#endif /* DT_EVENTS_H_INCLUDED_ */
