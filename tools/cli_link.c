
/*
 * Copyright (C) The detemplate authors
 *
 * The command link, which nginx executes to speak to Redis, see
 * core/base/wire.h.  It reads frames from standard input, and writes frames to
 * standard output.  It waits for orders and for events of Redis at once, and
 * carries out in batches the orders that have come together.
 */


#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/wire.h"
#include "core/base/dt.h"
#include "cli.h"
#include "cli_redis.h"


#define DT_CLI_AHEAD ((size_t) 16 << 20) /* bytes of frames that are read */
#define DT_CLI_END 5 /* seconds for orders that came before the end of input */
#define DT_CLI_STATE 1000     /* ms */
#define DT_CLI_MORE 2         /* ms in which more orders may come */
#define DT_CLI_PIPE (1 << 20) /* bytes that a pipe should hold */


typedef struct {
    dt_redis_t *redis; /* NULL: not configured yet */
    char *buf;         /* frames */
    size_t len;
    size_t room;
    int ended;       /* there is no more input */
    int failed;      /* output has failed */
    int64_t told_at; /* when the state was written */
} dt_cli_link_t;


/* writes a frame to standard output, whose end may be nonblocking */
static void
dt_cli_link_write(void *data, dt_frame_t *frame)
{
    char *buf;
    size_t size, done = 0;
    ssize_t n;
    dt_cli_link_t *l = data;
    struct pollfd pfd = { .fd = STDOUT_FILENO, .events = POLLOUT };

    size = dt_wire_size(&dt_wire_frame, frame);
    buf = size ? malloc(size) : NULL;

    if (buf == NULL) {
        l->failed = 1;
        return;
    }

    dt_wire_encode(&dt_wire_frame, frame, buf);

    while (done < size && !l->failed) {
        n = write(STDOUT_FILENO, buf + done, size - done);

        if (n >= 0) {
            done += (size_t) n;

        } else if (errno == EAGAIN) {
            (void) poll(&pfd, 1, -1);

        } else if (errno != EINTR) {
            l->failed = 1;
        }
    }

    free(buf);
}


/* reads the input that has come, up to a bound */
static int
dt_cli_link_read(dt_cli_link_t *l)
{
    char *p;
    size_t room;
    ssize_t n;

    if (l->room - l->len < 65536 && l->room < DT_CLI_AHEAD) {
        room = l->room ? l->room * 2 : 262144;
        p = realloc(l->buf, room);

        if (p == NULL) {
            return dt_cli_error(DT_EXIT_NOTHING, "out of memory");
        }

        l->buf = p;
        l->room = room;
    }

    if (l->len == l->room) {
        return DT_EXIT_OK;
    }

    n = read(STDIN_FILENO, l->buf + l->len, l->room - l->len);

    if (n > 0) {
        l->len += (size_t) n;

    } else if (n == 0) {
        l->ended = 1;

    } else if (errno != EAGAIN && errno != EINTR) {
        return dt_cli_error(DT_EXIT_NOTHING, "standard input: %s",
                            strerror(errno));
    }

    return DT_EXIT_OK;
}


/* Reads all that comes at once.  A batch costs a round trip or two, however
   many orders it has, and nginx writes no more than a pipe holds. */
static int
dt_cli_link_read_all(dt_cli_link_t *l)
{
    int code;
    size_t len;
    struct pollfd pfd = { .fd = STDIN_FILENO, .events = POLLIN };

    do {
        len = l->len;
        code = dt_cli_link_read(l);

    } while (code == DT_EXIT_OK && !l->ended && l->len > len
             && poll(&pfd, 1, DT_CLI_MORE) > 0);

    return code;
}


/* configures by lines "name=value", of which there is one for each name */
static int
dt_cli_link_conf(dt_cli_link_t *l, dt_str_t lines)
{
    char *text, errstr[DT_ERRSTR];
    dt_redis_opts_t o = { 0 };

    text = malloc(lines.len + 1);
    if (text == NULL) {
        return dt_cli_error(DT_EXIT_NOTHING, "out of memory");
    }

    memcpy(text, lines.data, lines.len);
    text[lines.len] = '\0';

    dt_redis_destroy(l->redis);
    l->redis = NULL;

    if (memchr(text, '\0', lines.len) != NULL) {
        snprintf(errstr, sizeof(errstr), "redis: a NUL in the options");

    } else if (dt_cli_redis_opts(text, "\n", &o, errstr) == DT_OK
               && dt_redis_check(&o, errstr) == DT_OK)
    {
        l->redis = dt_redis_create(&o);
        snprintf(errstr, sizeof(errstr), "out of memory");
    }

    free(text);

    return l->redis != NULL ? DT_EXIT_OK
                            : dt_cli_error(DT_EXIT_NOTHING, "%s", errstr);
}


/* takes as many frames as are carried out at once; *used: their bytes */
static int
dt_cli_link_take(dt_cli_link_t *l, dt_frame_t *orders, size_t *n, size_t *used)
{
    int code;
    size_t size;
    const char *why;

    *n = 0;
    *used = 0;

    while (*n < DT_REDIS_BATCH) {
        size = dt_wire_promise(&dt_wire_frame, l->buf + *used, l->len - *used);

        if (size == 0 || (size != SIZE_MAX && size > l->len - *used)) {
            break;
        }

        if (size == SIZE_MAX
            || dt_wire_decode(&dt_wire_frame, l->buf + *used, size,
                              &orders[*n], &why)
                   != DT_OK
            || orders[*n].what >= DT_LINK_EVENT
            || (l->redis == NULL && orders[*n].what != DT_LINK_CONF))
        {
            return dt_cli_error(DT_EXIT_NOTHING,
                                "standard input: not a sound frame");
        }

        if (orders[*n].what != DT_LINK_CONF) {
            *used += size;
            (*n)++;
            continue;
        }

        /* orders before it belong to the old configuration */

        if (*n) {
            break;
        }

        code = dt_cli_link_conf(l, orders[0].text);
        if (code != DT_EXIT_OK) {
            return code;
        }

        *used += size;
        (void) dt_redis_tick(l->redis);
    }

    return DT_EXIT_OK;
}


/* writes the state when it has changed, and each second; returns the ms until
   that */
static long
dt_cli_link_state(dt_cli_link_t *l)
{
    int other;
    int64_t now = dt_now();
    dt_frame_t state;

    other = dt_redis_state(l->redis, &state);

    if (other || now - l->told_at >= DT_CLI_STATE) {
        l->told_at = now;
        dt_cli_link_write(l, &state);
    }

    return (long) (l->told_at + DT_CLI_STATE - now);
}


/* carries out all whole frames that were read */
static int
dt_cli_link_do(dt_cli_link_t *l)
{
    int code;
    size_t n, used;
    dt_frame_t orders[DT_REDIS_BATCH];

    do {
        code = dt_cli_link_take(l, orders, &n, &used);
        if (code != DT_EXIT_OK) {
            return code;
        }

        /* the state reports a lost server before the failed orders follow */

        if (n) {
            dt_redis_do(l->redis, orders, n);
            (void) dt_cli_link_state(l);
        }

        for (size_t i = 0; i < n; i++) {
            dt_cli_link_write(l, &orders[i]);
        }

        if (l->buf != NULL && used) {
            memmove(l->buf, l->buf + used, l->len - used);
            l->len -= used;
        }

    } while (n && !l->failed);

    return DT_EXIT_OK;
}


static void
dt_cli_link_late(int sig)
{
    (void) sig;
    _exit(DT_EXIT_OK);
}


/* waits for something to do, and does it */
static int
dt_cli_link_turn(dt_cli_link_t *l)
{
    int code = DT_EXIT_OK;
    long wait, ms = -1;
    struct pollfd pfd[2];

    if (l->redis != NULL) {
        ms = dt_redis_tick(l->redis);
        dt_redis_events(l->redis, dt_cli_link_write, l);
        wait = dt_cli_link_state(l);
        ms = wait < ms ? wait : ms;
    }

    pfd[0] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
    pfd[1] = (struct pollfd){ .fd = -1, .events = POLLIN };

    if (l->redis != NULL) {
        pfd[1].fd = dt_redis_fd(l->redis);
    }

    if (poll(pfd, 2, (int) ms) == -1) {
        return errno == EINTR ? DT_EXIT_OK
                              : dt_cli_error(DT_EXIT_NOTHING, "poll: %s",
                                             strerror(errno));
    }

    if (pfd[0].revents) {
        code = dt_cli_link_read_all(l);

        if (l->ended) {
            signal(SIGALRM, dt_cli_link_late);
            alarm(DT_CLI_END);
        }

        if (code == DT_EXIT_OK) {
            code = dt_cli_link_do(l);
        }
    }

    return code;
}


int
dt_cli_link(const dt_cli_args_t *args)
{
    int code = DT_EXIT_OK;
    dt_cli_link_t l = { 0 };

    (void) args;

    /* While a name is looked up, the link does nothing else.  By itself, glibc
       asks each resolver twice, and waits five seconds each time.  Once for a
       second is sufficient, as the link tries again soon. */

    (void) setenv("RES_OPTIONS", "timeout:1 attempts:1", 1);

    /* an nginx of another version sees this at once, and need not wait */

    fputs(DT_JOB_HELLO, stdout);
    fflush(stdout);

    (void) fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    (void) fcntl(STDIN_FILENO, F_SETPIPE_SZ, DT_CLI_PIPE);
    (void) fcntl(STDOUT_FILENO, F_SETPIPE_SZ, DT_CLI_PIPE);

    while (code == DT_EXIT_OK && !l.ended && !l.failed) {
        code = dt_cli_link_turn(&l);
    }

    dt_redis_destroy(l.redis);
    free(l.buf);

    return code;
}
