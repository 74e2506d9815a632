
/*
 * Copyright (C) The detemplate authors
 *
 * An entry of the stream of events.
 */


#ifndef DT_REDIS_EVENT_H_INCLUDED_
#define DT_REDIS_EVENT_H_INCLUDED_


#include "core/redis/conn.h"


/* the number of an entry */
typedef struct {
    uint64_t ms;
    uint64_t seq;
} dt_redis_id_t;


/* Parses "ms-seq"; 0: it is no number of an entry. */
int dt_redis_event_id(const redisReply *reply, dt_redis_id_t *id);

/* Decodes the fields of an entry; site is the room for its name.  0: it is not
   to be told, for it makes no sense, or token says that it is our own. */
int dt_redis_event(const redisReply *fields, const char *token,
                   char site[DT_LINK_SITE], dt_frame_t *news);


#endif /* DT_REDIS_EVENT_H_INCLUDED_ */
