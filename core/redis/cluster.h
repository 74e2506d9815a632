
/*
 * Copyright (C) The detemplate authors
 *
 * The table of a cluster's nodes and slots.  For route.c only.
 */


#ifndef DT_REDIS_CLUSTER_H_INCLUDED_
#define DT_REDIS_CLUSTER_H_INCLUDED_


#include "core/redis/route.h"


/* Returns the node that an error MOVED or ASK names, which came from the node
   from, or -1.  MOVED changes the slot. */
int dt_redis_cluster_redirect(dt_redis_route_t *r, unsigned from,
                              const char *text);

/* Takes over the answer to CLUSTER SLOTS of the node from; 0: it is not
   sound. */
int dt_redis_cluster_slots(dt_redis_route_t *r, unsigned from,
                           const redisReply *reply);


#endif /* DT_REDIS_CLUSTER_H_INCLUDED_ */
