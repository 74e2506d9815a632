
/*
 * Copyright (C) The detemplate authors
 *
 * No server is asked whether there is a cluster.  All slots belong to the
 * first node until a MOVED says otherwise.  Data from servers are bounded: the
 * table has DT_REDIS_NODES nodes, and those without a slot make room for
 * others.  An empty host is the host that was asked.  A request that a server
 * has refused is repeated as a whole: all its commands can be sent twice.  A
 * request that was sent and not answered is not repeated.
 */


#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/redis/route.h"
#include "core/base/dt.h"
#include "core/redis/conn.h"
#include "core/redis/dial.h"


#define DT_REDIS_REDIRECTIONS 5 /* of a request */
#define DT_REDIS_WAITS 6 /* of a request for a server that is not ready */
#define DT_REDIS_PATIENCE 5000   /* ms until a server is waited for again */
#define DT_REDIS_RETRY 500       /* ms of the first back-off */
#define DT_REDIS_RETRIES 3       /* times that it is doubled */
#define DT_REDIS_IDLE 10000      /* ms until an idle server gets a PING */
#define DT_REDIS_HELD (64 << 20) /* bytes of all answers of a run */


/* CRC-16 of the XMODEM protocol, bit by bit: keys are short */
static unsigned
dt_redis_crc(dt_str_t s)
{
    unsigned crc = 0;

    for (size_t i = 0; i < s.len; i++) {
        crc ^= (unsigned) (unsigned char) s.data[i] << 8;

        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
        }
    }

    return crc & 0xffff;
}


unsigned
dt_redis_slot(dt_str_t key)
{
    const char *end, *open;

    open = key.len ? memchr(key.data, '{', key.len) : NULL;

    if (open != NULL) {
        open++;
        end = memchr(open, '}', key.len - (size_t) (open - key.data));

        if (end != NULL && end != open) {
            key = (dt_str_t){ (size_t) (end - open), open };
        }
    }

    return dt_redis_crc(key) % DT_REDIS_SLOTS;
}


long
dt_redis_backoff(unsigned *failed)
{
    long ms = DT_REDIS_RETRY << *failed;

    *failed += *failed < DT_REDIS_RETRIES;

    return ms;
}


void
dt_redis_route_init(dt_redis_route_t *r, const dt_redis_conf_t *conf,
                    dt_redis_tally_t *tally)
{
    memset(r, 0, sizeof(*r));
    r->conf = conf;
    r->tally = tally;
    r->n = 1;

    for (size_t i = 0; i < DT_REDIS_NODES; i++) {
        dt_redis_conn_init(&r->nodes[i].conn, tally);
    }
}


void
dt_redis_route_close(dt_redis_route_t *r)
{
    for (size_t i = 0; i < DT_REDIS_NODES; i++) {
        dt_redis_conn_close(&r->nodes[i].conn);
    }
}


int
dt_redis_route_is_open(const dt_redis_route_t *r)
{
    for (size_t i = 0; i < r->n; i++) {
        if (r->nodes[i].conn.fd != -1) {
            return 1;
        }
    }

    return 0;
}


/* the name of a node; that of the first may be as configured */
static const char *
dt_redis_route_name(const dt_redis_route_t *r, unsigned i, int *port)
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
dt_redis_route_room(dt_redis_route_t *r)
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
dt_redis_route_at(dt_redis_route_t *r, unsigned from, dt_str_t host, int port)
{
    int i, p;
    const char *name;
    dt_redis_node_t *node;

    name = dt_redis_route_name(r, from, &p);

    if (host.len == 0) {
        host = dt_cstr(name);
    }

    if (host.len == 0 || host.len >= sizeof(node->host) || port < 1
        || port > 65535 || memchr(host.data, '\0', host.len) != NULL)
    {
        return -1;
    }

    for (i = 0; i < (int) r->n; i++) {
        name = dt_redis_route_name(r, (unsigned) i, &p);

        if (p == port && dt_str_eq(dt_cstr(name), host)) {
            return i;
        }
    }

    i = dt_redis_route_room(r);
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
dt_redis_route_redirect(dt_redis_route_t *r, unsigned from, const char *text)
{
    int node;
    uint64_t slot, port;
    const char *p = strchr(text, ' ');
    const char *host = p ? strchr(p + 1, ' ') : NULL;
    const char *colon = host ? strrchr(host, ':') : NULL;

    if (colon == NULL
        || !dt_str_number((dt_str_t){ (size_t) (host - p) - 1, p + 1 },
                          DT_REDIS_SLOTS - 1, &slot)
        || !dt_str_number(dt_cstr(colon + 1), 65535, &port))
    {
        return -1;
    }

    host++;
    node = dt_redis_route_at(
        r, from, (dt_str_t){ (size_t) (colon - host), host }, (int) port);

    if (node != -1) {
        r->cluster = 1;

        if (text[0] == 'M') {
            r->slots[slot] = (uint8_t) node;
        }
    }

    return node;
}


/* connects c to where node is */
static dt_status_t
dt_redis_route_connect(dt_redis_route_t *r, unsigned i, dt_redis_conn_t *c)
{
    const dt_redis_node_t *node = &r->nodes[i];
    const dt_redis_conf_t *conf = r->conf;
    const dt_redis_url_t *url = &conf->url;
    dt_redis_server_t s = { .path = url->path,
                            .user = url->user,
                            .password = url->password,
                            .user_file = conf->user_file,
                            .password_file = conf->password_file,
                            .db = url->db,
                            .tls = url->tls };

    if (node->host[0]) {
        s.host = node->host;
        s.port = node->port;

        /* a cluster may announce addresses while its certificates have the
           name */

        if (url->nhosts && dt_redis_tls_address(node->host)
            && !dt_redis_tls_address(url->hosts[0].name))
        {
            s.name = url->hosts[0].name;
        }

    } else if (url->master[0]) {
        return dt_redis_sentinel_dial(c, conf, &s);

    } else if (url->nhosts) {
        s.host = url->hosts[0].name;
        s.port = url->hosts[0].port;
    }

    return dt_redis_dial(c, conf, &s);
}


/* opens a node's connection, unless it failed shortly before */
static dt_status_t
dt_redis_route_node(dt_redis_route_t *r, unsigned i)
{
    dt_redis_node_t *node = &r->nodes[i];

    if (node->conn.fd != -1) {
        return DT_OK;
    }

    if (dt_now() < node->retry_at) {
        return DT_EIO;
    }

    if (dt_redis_route_connect(r, i, &node->conn) != DT_OK) {
        node->retry_at = dt_now() + dt_redis_backoff(&node->failed);
        memcpy(r->errstr, node->conn.errstr, DT_ERRSTR);

        return DT_EIO;
    }

    node->failed = 0;
    node->retry_at = 0;
    node->opened++;
    r->opened++;
    r->answered_at = dt_now();

    return DT_OK;
}


dt_status_t
dt_redis_route_open(dt_redis_route_t *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        r->nodes[i].retry_at = 0;

        if (dt_redis_route_node(r, i) == DT_OK) {
            r->errstr[0] = '\0';
            r->last = i;
            return DT_OK;
        }
    }

    return DT_EIO;
}


/* chooses another node of a cluster, which will name the slot's owner; 0:
   there is none */
static int
dt_redis_route_other(dt_redis_route_t *r, unsigned slot)
{
    for (unsigned i = 0; r->cluster && i < r->n; i++) {
        if (i != r->slots[slot] && dt_redis_route_node(r, i) == DT_OK) {
            r->slots[slot] = (uint8_t) i;
            return 1;
        }
    }

    return 0;
}


dt_status_t
dt_redis_route_dial(dt_redis_route_t *r, dt_redis_conn_t *c, unsigned slot)
{
    dt_status_t rc = dt_redis_route_connect(r, r->slots[slot], c);

    if (rc != DT_OK) {
        (void) dt_redis_route_other(r, slot);
    }

    return rc;
}


static void
dt_redis_route_fail(dt_redis_route_t *r, dt_redis_request_t *q,
                    const char *why)
{
    q->todo = 0;
    q->rc = DT_EIO;
    memcpy(q->errstr, why, DT_ERRSTR);
    memcpy(r->errstr, why, DT_ERRSTR);
}


/* the connection is lost, and the request is done */
static void
dt_redis_route_lost(dt_redis_route_t *r, dt_redis_request_t *q)
{
    dt_redis_route_fail(r, q, r->nodes[q->node].conn.errstr);
}


static void
dt_redis_route_send(dt_redis_route_t *r, dt_redis_request_t *q)
{
    dt_redis_node_t *node;
    dt_redis_conn_t *c;

    if (!q->asking) {
        q->node = r->slots[q->slot];
    }

    node = &r->nodes[q->node];
    c = &node->conn;

    /* connects to a node of a cluster when it is needed; in place of a dead
       node, asks another one, once, in the next round */

    if (c->fd == -1 && r->cluster && dt_redis_route_node(r, q->node) != DT_OK
        && !q->asking && !q->other && dt_redis_route_other(r, q->slot))
    {
        q->other = 1;
        return;
    }

    q->opened = node->opened;
    c->due = r->due;

    if (dt_redis_request_send(q, c) != DT_OK) {
        dt_redis_route_lost(r, q);
    }
}


/* reads all answers to a request; 0: the connection is lost */
static int
dt_redis_route_receive(dt_redis_route_t *r, dt_redis_request_t *q)
{
    dt_redis_node_t *node = &r->nodes[q->node];

    if (node->opened != q->opened
        || dt_redis_request_receive(q, &node->conn) != DT_OK)
    {
        return 0;
    }

    if (r->latency < 0) {
        r->latency += dt_now_us();
    }

    r->last = q->node;
    r->answered_at = dt_now();

    return 1;
}


/* whether a server says that it is not ready yet */
static int
dt_redis_route_not_ready(const char *text)
{
    static const char *const codes[] = { "TRYAGAIN", "CLUSTERDOWN", "LOADING",
                                         "MASTERDOWN", "BUSY" };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (dt_redis_is(text, codes[i])) {
            return 1;
        }
    }

    return 0;
}


/* Whether to wait for a server that is not ready.  After a wait in vain no
   request waits again soon, except on TRYAGAIN, which is about one slot. */
static int
dt_redis_route_wait(dt_redis_route_t *r, dt_redis_request_t *q, int slot)
{
    int64_t now = dt_now();

    if (q->waited++ < DT_REDIS_WAITS && now < r->due
        && (slot || now >= r->patient_at))
    {
        return 1;
    }

    if (!slot) {
        r->patient_at = now + DT_REDIS_PATIENCE;
    }

    return 0;
}


/* Handles an error that sends the request to another server, or to this one
   again.  Returns 0 when the request is done. */
static int
dt_redis_route_again(dt_redis_route_t *r, dt_redis_request_t *q,
                     const char *text)
{
    int node;
    dt_redis_conn_t *c = &r->nodes[q->node].conn;

    q->asking = 0;

    if (dt_redis_is(text, "MOVED") || dt_redis_is(text, "ASK")) {
        node = dt_redis_route_redirect(r, q->node, text);
        q->node = (unsigned) node;
        q->asking = text[0] == 'A';

        return node >= 0 && q->redirected++ < DT_REDIS_REDIRECTIONS;
    }

    if (dt_redis_route_not_ready(text)) {
        return dt_redis_route_wait(r, q, dt_redis_is(text, "TRYAGAIN"));
    }

    /* a replica, after a failover; or we may not be here any more */

    if (c->fd != -1) {
        (void) dt_redis_conn_broken(c, "server", text);
    }

    r->nodes[q->node].retry_at = 0;

    if (q->redirected++ != 0) {
        return 0;
    }

    return dt_redis_route_node(r, q->node) == DT_OK;
}


/* looks at all answers to a request, and decides whether it is sent again */
static void
dt_redis_route_judge(dt_redis_route_t *r, dt_redis_request_t *q)
{
    char what[DT_ERRSTR];
    const redisReply *e = NULL;

    q->todo = 0;
    q->rc = DT_OK;

    for (unsigned i = 0; i < q->n; i++) {
        if (q->answers[i]->type == REDIS_REPLY_STRING) {
            r->held += (size_t) q->answers[i]->len;
        }
    }

    if (r->held > DT_REDIS_HELD) {
        dt_redis_request_drop(q);
        q->rc = DT_ELIMIT;
        snprintf(q->errstr, DT_ERRSTR, "redis: templates of over %d MiB",
                 DT_REDIS_HELD >> 20);
        return;
    }

    for (unsigned i = 0; i < q->n && e == NULL; i++) {
        e = dt_redis_error(q->answers[i], NULL);

        if (e != NULL && !dt_redis_is(e->str, "MOVED")
            && !dt_redis_is(e->str, "ASK") && !dt_redis_is(e->str, "READONLY")
            && !dt_redis_is(e->str, "NOAUTH")
            && !dt_redis_route_not_ready(e->str))
        {
            e = NULL;
        }
    }

    if (e == NULL) {
        return;
    }

    snprintf(what, sizeof(what), "redis %.100s: %.*s",
             r->nodes[q->node].conn.peer, (int) strcspn(e->str, "\r\n"),
             e->str);

    if (dt_redis_route_again(r, q, e->str)) {
        q->todo = 1;

    } else {
        dt_redis_route_fail(r, q, what);
    }
}


/* closes idle connections that the other side has closed; that is no failure,
   so the first is opened again at once */
static void
dt_redis_route_look(dt_redis_route_t *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        dt_redis_conn_t *c = &r->nodes[i].conn;

        if (c->fd != -1) {
            c->due = r->due;

            if (!dt_redis_conn_alive(c) && dt_redis_route_node(r, i) == DT_OK)
            {
                c->due = r->due;
            }
        }
    }
}


void
dt_redis_route_tick(dt_redis_route_t *r)
{
    int64_t at;
    redisReply *reply;
    dt_redis_conn_t *c;

    dt_redis_route_look(r);

    if (dt_now() - r->answered_at < DT_REDIS_IDLE) {
        return;
    }

    for (unsigned i = 0; i < r->n; i++) {
        at = dt_now_us();
        c = &r->nodes[i].conn;
        dt_redis_conn_time(c, r->conf->timeout * 10);

        if (c->fd == -1) {
            continue;
        }

        if (dt_redis_send(c, "PING") == DT_OK
            && (reply = dt_redis_conn_answer(c)) != NULL)
        {
            r->latency = dt_now_us() - at;
            freeReplyObject(reply);

        } else {
            memcpy(r->errstr, c->errstr, DT_ERRSTR);
        }
    }

    r->answered_at = dt_now();
}


void
dt_redis_route_run(dt_redis_route_t *r, dt_redis_request_t *const *q, size_t n)
{
    size_t left = n;
    unsigned waits = 0, waited;

    r->due = dt_now() + r->conf->timeout * 10;
    r->held = 0;

    for (size_t i = 0; i < n; i++) {
        q[i]->todo = 1;
    }

    dt_redis_route_look(r);

    while (left) {
        waited = waits;
        r->latency = -dt_now_us();

        for (size_t i = 0; i < n; i++) {
            q[i]->opened = 0;

            if (q[i]->todo) {
                dt_redis_route_send(r, q[i]);
            }
        }

        for (size_t i = 0; i < n; i++) {
            if (!q[i]->todo || q[i]->opened == 0) {
                continue;
            }

            if (dt_redis_route_receive(r, q[i])) {
                dt_redis_route_judge(r, q[i]);

            } else {
                q[i]->asking = 0;
                dt_redis_route_lost(r, q[i]);
            }
        }

        left = 0;

        for (size_t i = 0; i < n; i++) {
            left += q[i]->todo;
            waits = q[i]->todo && q[i]->waited > waits ? q[i]->waited : waits;
        }

        if (waits > waited) {
            (void) poll(NULL, 0, 25 << waits);
        }
    }
}
