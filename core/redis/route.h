
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_ROUTE_H_INCLUDED_
#define DT_ROUTE_H_INCLUDED_


#include "core/redis/conn.h"


/*
 * Routes: chooses the connection for a request, to the only server, to the
 * master that sentinels know, or to a node of a cluster.
 */

#define DT_REDIS_NODES 64
#define DT_REDIS_SLOTS 16384


typedef struct {
    dt_redis_conn_t conn;
    char host[256]; /* empty: as configured */
    int port;
    unsigned opened;  /* counts its connections */
    unsigned failed;  /* failed attempts in a row */
    int64_t retry_at; /* no attempt to connect before this */
} dt_redis_node_t;

/* the nodes of a cluster; of other servers there is only the first */
typedef struct {
    const dt_redis_conf_t *conf;
    dt_redis_tally_t *tally;
    dt_redis_node_t nodes[DT_REDIS_NODES];
    unsigned n;
    unsigned cluster : 1;
    unsigned last;   /* the node that answered last */
    unsigned opened; /* counts connections */
    int64_t answered_at;
    int64_t due;
    int64_t patient_at; /* no request waits for a server before this */
    int64_t latency;    /* in us; negative: unknown */
    size_t held;        /* bytes of the answers of a run */
    uint8_t slots[DT_REDIS_SLOTS];
    char errstr[DT_ERRSTR];
} dt_redis_route_t;


/* Returns the slot of a key. */
unsigned dt_redis_slot(dt_str_t key);

/* Returns the back-off in ms after *failed failures, and adds one to
   *failed. */
long dt_redis_backoff(unsigned *failed);

void dt_redis_route_init(dt_redis_route_t *r, const dt_redis_conf_t *conf,
                         dt_redis_tally_t *tally);
void dt_redis_route_close(dt_redis_route_t *r);

/* Whether there is a connection. */
int dt_redis_route_is_open(const dt_redis_route_t *r);

/* Connects.  DT_EIO: r->errstr says why there is no connection. */
dt_status_t dt_redis_route_open(dt_redis_route_t *r);

/* Tends open connections when due: closes those that the server has closed,
   and sends PING to an idle server. */
void dt_redis_route_tick(dt_redis_route_t *r);

/* Returns the node that an error MOVED or ASK names, which came from the node
   from, or -1.  MOVED changes the slot. */
int dt_redis_route_redirect(dt_redis_route_t *r, unsigned from,
                            const char *text);

/* Opens a connection of its own to where keys of the slot are read. */
dt_status_t dt_redis_route_dial(dt_redis_route_t *r, dt_redis_conn_t *c,
                                unsigned slot);

/* Carries out n requests, and sets rc and answers of each. */
void dt_redis_route_run(dt_redis_route_t *r, dt_redis_request_t *const *q,
                        size_t n);


#endif /* DT_ROUTE_H_INCLUDED_ */
