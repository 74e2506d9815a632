
/*
 * Copyright (C) The detemplate authors
 *
 * What servers say is bounded: a table of DT_REDIS_NODES nodes, of which those
 * without a slot make room for others.  An empty host is the host that was
 * asked.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/cluster.h"


/* the name of a node; that of the first may be as configured */
static const char *
dt_redis_cluster_host(const dt_redis_route_t *r, unsigned i, int *port)
{
    const dt_redis_node_t *node = &r->nodes[i];
    const dt_redis_url_t *url = &r->conf->url;

    if (node->host[0] || !url->nhosts) {
        *port = node->port;
        return node->host;
    }

    *port = url->hosts[0].port;

    return url->hosts[0].name;
}


/* returns a place for another node, or -1 */
static int
dt_redis_cluster_room(dt_redis_route_t *r)
{
    unsigned char used[DT_REDIS_NODES] = { 0 };

    if (r->n < DT_REDIS_NODES) {
        return (int) r->n++;
    }

    for (size_t i = 0; i < DT_REDIS_SLOTS; i++) {
        used[r->slots[i]] = 1;
    }

    for (int i = 1; i < DT_REDIS_NODES; i++) {
        if (!used[i] && r->nodes[i].conn.waiting == 0) {
            dt_redis_conn_close(&r->nodes[i].conn);
            return i;
        }
    }

    return -1;
}


/* returns the node with this address, which is a new one if need be, or -1 */
static int
dt_redis_cluster_node(dt_redis_route_t *r, unsigned from, dt_str_t host,
                      long long port)
{
    int i, p;
    const char *name;
    dt_redis_node_t *node;

    name = dt_redis_cluster_host(r, from, &p);

    if (host.len == 0) {
        host = dt_cstr(name);
    }

    if (host.len == 0 || host.len >= sizeof(node->host) || port < 1
        || port > 65535 || memchr(host.data, '\0', host.len) != NULL)
    {
        return -1;
    }

    for (i = 0; i < (int) r->n; i++) {
        name = dt_redis_cluster_host(r, (unsigned) i, &p);

        if (p == port && dt_str_eq(dt_cstr(name), host)) {
            return i;
        }
    }

    i = dt_redis_cluster_room(r);
    if (i == -1) {
        return -1;
    }

    node = &r->nodes[i];
    memcpy(node->host, host.data, host.len);
    node->host[host.len] = '\0';
    node->port = (int) port;
    node->failed = 0;
    node->retry_at = 0;

    return i;
}


int
dt_redis_cluster_redirect(dt_redis_route_t *r, unsigned from, const char *text)
{
    int node;
    char *end;
    long slot, port;
    const char *p, *colon;

    p = strchr(text, ' ');
    if (p == NULL) {
        return -1;
    }

    slot = strtol(p, &end, 10);
    if (end == p || *end != ' ' || slot < 0 || slot >= DT_REDIS_SLOTS) {
        return -1;
    }

    p = end + 1;
    colon = strrchr(p, ':');
    if (colon == NULL) {
        return -1;
    }

    port = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0') {
        return -1;
    }

    node = dt_redis_cluster_node(r, from,
                                 (dt_str_t){ (size_t) (colon - p), p }, port);

    if (node != -1) {
        r->cluster = 1;

        if (text[0] == 'M') {
            r->slots[slot] = (uint8_t) node;
            r->stale = 1;
        }
    }

    return node;
}


/* takes over one range of slots; 0: it is not sound */
static int
dt_redis_cluster_range(dt_redis_route_t *r, unsigned from,
                       const redisReply *range)
{
    int node;
    const redisReply *at;
    dt_str_t host = { 0, NULL };

    if (range->type != REDIS_REPLY_ARRAY || range->elements < 3
        || range->element[0]->type != REDIS_REPLY_INTEGER
        || range->element[1]->type != REDIS_REPLY_INTEGER
        || range->element[0]->integer < 0
        || range->element[1]->integer >= DT_REDIS_SLOTS)
    {
        return 0;
    }

    at = range->element[2];

    if (at->type != REDIS_REPLY_ARRAY || at->elements < 2
        || at->element[1]->type != REDIS_REPLY_INTEGER)
    {
        return 0;
    }

    if (at->element[0]->type == REDIS_REPLY_STRING) {
        host = (dt_str_t){ (size_t) at->element[0]->len, at->element[0]->str };
    }

    node = dt_redis_cluster_node(r, from, host, at->element[1]->integer);
    if (node == -1) {
        return 0;
    }

    for (long long i = range->element[0]->integer;
         i <= range->element[1]->integer; i++)
    {
        r->slots[i] = (uint8_t) node;
    }

    return 1;
}


int
dt_redis_cluster_slots(dt_redis_route_t *r, unsigned from,
                       const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements == 0) {
        return 0;
    }

    for (size_t i = 0; i < reply->elements; i++) {
        if (!dt_redis_cluster_range(r, from, reply->element[i])) {
            return 0;
        }
    }

    return 1;
}
