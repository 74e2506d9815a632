
/*
 * Copyright (C) The detemplate authors
 *
 * A server that answers calls with any bytes, in pieces, late or not at all,
 * and closes when it likes.  The input says in turns what is called, what is
 * answered, and what time it is.  Each call is told once, at the latest when
 * its time is up, and nothing but a template has bytes.
 */


#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"
#include "core/redis/redis.h"
#include "core/template/template.h"


#define CALLS 512
#define TIMEOUT 200         /* ms */
#define LATE (11 * TIMEOUT) /* nothing is waited for any more */


typedef struct {
    const uint8_t *p, *end; /* the rest of the input */
    dt_redis_t *redis;
    int fd; /* of the server, or -1 */
    unsigned made, told;
    unsigned char waits[CALLS];
} calls_t;


static struct sockaddr_un at = { .sun_family = AF_UNIX };
static char dir[] = "/tmp/dt-calls-XXXXXX";
static int64_t now; /* ms */
static int listening = -1;
static calls_t *calls;


int __wrap_clock_gettime(clockid_t id, struct timespec *ts);
static void call(unsigned kind);


int
__wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
    (void) id;

    ts->tv_sec = (time_t) (now / 1000);
    ts->tv_nsec = (long) (now % 1000 * 1000000);

    return 0;
}


static unsigned
next(void)
{
    return calls->p < calls->end ? *calls->p++ : 0;
}


static void
told(void *data, dt_status_t rc, dt_str_t bytes)
{
    unsigned char *waits = data;
    unsigned kind = *waits;

    fuzz_assert(kind != 0);
    fuzz_assert(rc == DT_OK || rc == DT_DECLINED || rc == DT_EIO
                || rc == DT_EINVAL || rc == DT_ELIMIT);
    fuzz_assert(bytes.len <= DT_TEMPLATE_MAX);
    fuzz_assert(bytes.len == 0 || rc == DT_OK);
    fuzz_assert(rc == DT_OK || rc == DT_DECLINED
                || dt_redis_errstr(calls->redis)[0] != '\0');

    *waits = 0;
    calls->told++;

    /* as a job that has its answer goes on */

    if (rc == DT_OK && kind == 'g') {
        call('u');
    }
}


static void
call(unsigned kind)
{
    unsigned char *waits = &calls->waits[calls->made];
    dt_redis_t *r = calls->redis;
    dt_str_t site = dt_str("example.com");
    dt_redis_done_t done = { told, waits };
    dt_redis_meta_t meta = { .url = "http://example.com/" };
    static char bytes[1 << 18];

    if (calls->made == CALLS) {
        return;
    }

    calls->made++;
    *waits = (unsigned char) kind;

    switch (kind) {

    case 'g':
        dt_redis_get(r, site, done);
        return;

    case 'l':
        dt_redis_lock(r, site, "token", 60, done);
        return;

    case 'u':
        dt_redis_unlock(r, site, "token", done);
        return;

    default:
        dt_redis_put(r, site, (dt_str_t){ 1 + next() * 1024, bytes }, &meta,
                     60, next() & 1 ? "token" : NULL, done);
    }
}


static void
server_close(void *data)
{
    (void) data;

    if (calls->fd != -1) {
        close(calls->fd);
        calls->fd = -1;
    }
}


/* the newest connection; those before it have been closed */
static void
server_accept(void)
{
    int fd;

    while ((fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK)) != -1) {
        server_close(NULL);
        calls->fd = fd;
    }
}


static void
answer(size_t len)
{
    size_t rest = (size_t) (calls->end - calls->p);

    len = len < rest ? len : rest;
    server_accept();

    if (calls->fd != -1) {
        (void) send(calls->fd, calls->p, len, MSG_NOSIGNAL);
    }

    calls->p += len;
}


static void
process(void)
{
    char buf[65536];

    dt_redis_process(calls->redis);
    server_accept();

    while (calls->fd != -1 && recv(calls->fd, buf, sizeof(buf), 0) > 0) {
        /* what is asked does not matter */
    }

    /* what has not come in time is not waited for */

    fuzz_assert(calls->told == calls->made || dt_redis_wait(calls->redis) > 0);
    fuzz_assert(dt_redis_wait(calls->redis) <= TIMEOUT);
}


static void
end(void)
{
    (void) unlink(at.sun_path);
    (void) rmdir(dir);
}


static void
server_begin(void)
{
    fuzz_assert(mkdtemp(dir) != NULL);
    snprintf(at.sun_path, sizeof(at.sun_path), "%s/s", dir);
    atexit(end);

    listening = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    fuzz_assert(bind(listening, (struct sockaddr *) &at, sizeof(at)) == 0);
    fuzz_assert(listen(listening, 16) == 0);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char url[160];
    calls_t c = { .p = data, .end = data + size, .fd = -1 };
    dt_redis_opts_t o = { .url = url, .timeout_ms = TIMEOUT };

    if (listening == -1) {
        server_begin();
    }

    now = 1000000;
    calls = &c;
    snprintf(url, sizeof(url), "unix:%s%s", next() & 1 ? "user:secret@" : "",
             at.sun_path);
    c.redis = dt_redis_create(&o);
    fuzz_assert(c.redis != NULL);
    dt_redis_on_close(c.redis, server_close, NULL);

    while (c.p < c.end) {
        switch (*c.p++) {

        case 'g':
        case 'l':
        case 'p':
        case 'u':
            call(c.p[-1]);
            continue; /* others may be made before they are sent */

        case 't':
            now += next() * 8;
            break;

        case 'c':
            server_close(NULL);
            break;

        case 'a':
            answer(next());
            break;

        default:
            answer((size_t) (c.end - c.p));
        }

        process();
    }

    now += LATE;
    process();
    fuzz_assert(c.told == c.made);
    fuzz_assert(dt_redis_wait(c.redis) == -1);

    dt_redis_destroy(c.redis);
    server_accept();
    server_close(NULL);

    return 0;
}
