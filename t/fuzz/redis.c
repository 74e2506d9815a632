
/*
 * Copyright (C) The detemplate authors
 *
 * What comes to the link: answers of a hostile Redis to every order, and
 * as events; frames of nginx; and URLs.  The first byte says
 * which.  No name is resolved, so redirections end.
 */


#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/redis/events.h"
#include "core/redis/order.h"
#include "fuzz.h"
#include "core/redis/conn.h"


int __wrap_getaddrinfo(const char *host, const char *port,
                       const struct addrinfo *hints, struct addrinfo **out);
int __wrap_poll(struct pollfd *fds, nfds_t n, int ms);
int __real_poll(struct pollfd *fds, nfds_t n, int ms);


int
__wrap_getaddrinfo(const char *host, const char *port,
                   const struct addrinfo *hints, struct addrinfo **out)
{
    fuzz_assert(host != NULL && strlen(host) < 256 && port != NULL);
    fuzz_assert(hints != NULL && out != NULL);

    return EAI_FAIL;
}


/* nobody waits for a server that is not ready */
int
__wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
    return fds == NULL ? 0 : __real_poll(fds, n, ms < 1 ? ms : 1);
}


/* opens c to a server that says no more than this */
static void
serve(dt_redis_conn_t *c, const uint8_t *data, size_t size)
{
    int sv[2], room = 1 << 20;

    fuzz_assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sv) == 0);
    (void) setsockopt(sv[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
    (void) !write(sv[1], data, size);
    (void) shutdown(sv[1], SHUT_WR);
    fuzz_assert(dt_redis_conn_use(c, sv[0], 10) == DT_OK);
    dt_redis_conn_time(c, 100);
    close(sv[1]);
}


static void
answers(dt_redis_route_t *r, uint32_t what, const uint8_t *data, size_t size)
{
    dt_frame_t link = { .what = what,
                        .flags = DT_LINK_WHOLE,
                        .n = 1 + what % 3,
                        .version = what % 2,
                        .ttl = 60,
                        .site = dt_str("a.test") };
    dt_redis_order_t *o;
    dt_redis_request_t *q[DT_REDIS_STEPS];
    size_t n;

    o = calloc(1, sizeof(*o));
    fuzz_assert(o != NULL);

    serve(&r->nodes[0].conn, data, size);
    dt_redis_order_begin(o, &link, r->conf, size & 1);

    while (o->from < o->to) {
        n = 0;

        for (unsigned i = o->from; i < o->to; i++) {
            q[n++] = &o->q[i];
        }

        dt_redis_route_run(r, q, n);
        dt_redis_order_next(o);
    }

    fuzz_assert(link.rc <= DT_EBUG);
    fuzz_assert(link.bytes.len <= DT_LINK_BYTES);
    fuzz_assert((uintptr_t) link.bytes.data % 8 == 0);
    fuzz_assert(link.text.len < DT_ERRSTR);
    fuzz_assert(dt_wire_size(&dt_wire_frame, &link) != 0);

    for (size_t i = 0; i < DT_REDIS_SLOTS; i++) {
        fuzz_assert(r->slots[i] < r->n);
    }

    dt_redis_order_free(o);
    free(o);
}


static void
news(void *data, dt_frame_t *frame)
{
    (void) data;

    fuzz_assert(frame->what == DT_LINK_GAP
                || (frame->what == DT_LINK_EVENT && frame->site.len));
    fuzz_assert(dt_wire_size(&dt_wire_frame, frame) != 0);
}


/* an events connection whose question was sent */
static void
events(dt_redis_route_t *r, const uint8_t *data, size_t size)
{
    dt_redis_events_t e;

    dt_redis_events_init(&e, r);
    serve(&e.conn, data, size);
    e.conn.waiting = 1;
    e.gap = 1;
    dt_redis_events_read(&e, news, NULL);
    dt_redis_conn_close(&e.conn);
}


static void
frame(const uint8_t *data, size_t size)
{
    char *in, *out;
    dt_frame_t f;
    const char *why;

    in = malloc(size ? size : 1);
    fuzz_assert(in != NULL);
    memcpy(in, data, size);

    if (dt_wire_decode(&dt_wire_frame, in, size, &f, &why) == DT_OK) {
        fuzz_assert(dt_wire_size(&dt_wire_frame, &f) == size);
        out = malloc(size);
        fuzz_assert(out != NULL);
        dt_wire_encode(&dt_wire_frame, &f, out);
        fuzz_assert(dt_wire_promise(&dt_wire_frame, out, size) == size);
        free(out);
    }

    free(in);
}


static void
url(const uint8_t *data, size_t size)
{
    char *text, errstr[DT_ERRSTR];
    dt_redis_opts_t o = { .prefix = "p:" };

    text = malloc(size + 1);
    fuzz_assert(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    o.url = text;

    if (dt_redis_check(&o, errstr) != DT_OK) {
        fuzz_assert(strncmp(errstr, "redis: ", 7) == 0);
    }

    free(text);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char errstr[DT_ERRSTR];
    dt_redis_opts_t o = { .url = "redis://a", .token = "t", .timeout_ms = 1 };
    static dt_redis_conf_t conf;
    static dt_redis_route_t r;
    dt_redis_tally_t tally = { 0, 0 };
    unsigned what;

    if (size == 0) {
        return 0;
    }

    what = data[0] % 16;
    data++;
    size--;

    fuzz_assert(dt_redis_parse(&o, &conf, errstr) == DT_OK);
    dt_redis_route_init(&r, &conf, &tally);

    switch (what) {
    case 12:
        events(&r, data, size);
        break;
    case 14:
        frame(data, size);
        break;
    case 15:
        url(data, size);
        break;
    case 0:
    case 1:
        break;
    default:
        answers(&r, what, data, size);
    }

    dt_redis_route_close(&r);

    return 0;
}
