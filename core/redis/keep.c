
/*
 * Copyright (C) The detemplate authors
 *
 * What is due between batches.
 */


#include <stdlib.h>

#include "core/redis/cluster.h"


#define DT_REDIS_IDLE 10000      /* ms until an idle server is asked */
#define DT_REDIS_SLOTS_AGAIN 500 /* ms until the slots are read again */


/* the answer to one command; the caller frees it; NULL: there is none */
static redisReply *
dt_redis_route_ask(dt_redis_route_t *r, unsigned i, const char *cmd)
{
    int64_t at = dt_redis_now_us();
    redisReply *reply;
    dt_redis_conn_t *c = &r->nodes[i].conn;

    dt_redis_conn_time(c, r->conf->timeout * 10);
    reply = dt_redis_send(c, cmd) == DT_OK ? dt_redis_conn_answer(c) : NULL;

    if (reply == NULL) {
        memcpy(r->errstr, c->errstr, DT_ERRSTR);

    } else {
        r->latency = dt_redis_now_us() - at;
    }

    return reply;
}


/* reads the slots of a cluster from a node that has them */
static void
dt_redis_route_slots(dt_redis_route_t *r)
{
    int done = 0;
    redisReply *reply;

    for (unsigned i = 0; i < r->n && !done; i++) {
        if (dt_redis_route_node(r, i) != DT_OK) {
            continue;
        }

        reply = dt_redis_route_ask(r, i, "CLUSTER SLOTS");

        /* where the command is forbidden, redirections must do */

        if (reply != NULL) {
            done = reply->type == REDIS_REPLY_ERROR
                   || dt_redis_cluster_slots(r, i, reply);
            freeReplyObject(reply);
        }
    }

    r->stale = !done;
    r->slots_at = dt_redis_now() + DT_REDIS_SLOTS_AGAIN;
}


void
dt_redis_route_tick(dt_redis_route_t *r)
{
    redisReply *reply;

    dt_redis_route_look(r);

    if (r->stale && dt_redis_now() >= r->slots_at) {
        dt_redis_route_slots(r);
    }

    if (dt_redis_now() - r->answered_at >= DT_REDIS_IDLE) {
        for (unsigned i = 0; i < r->n; i++) {
            if (r->nodes[i].conn.fd == -1) {
                continue;
            }

            reply = dt_redis_route_ask(r, i, "PING");
            if (reply != NULL) {
                freeReplyObject(reply);
            }
        }

        r->answered_at = dt_redis_now();
    }
}
