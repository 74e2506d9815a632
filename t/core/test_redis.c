
/*
 * Copyright (C) The detemplate authors
 *
 * URLs and options; and orders to a server made up, which gives the answers of
 * a table: what no real server does, and what one does at its worst.
 */

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/redis/redis.h"
#include "core/template/table.h"
#include "core/template/template.h"
#include "site.h"
#include "test.h"

#define TEXT                                                                  \
    "<nav><a href=/a>#</a> <a href=/b>%</a></nav><h1>@</h1><p>@ text</p>"     \
    "<footer>%</footer>"

#define CLIENTS 16
#define SERVERS 4

/* the answer to commands that begin so; the first in the table counts */
typedef struct {
    const char *command;
    const char *answer; /* NULL: none, ever; "": the connection is closed */
    unsigned times;     /* it is given so often; 0: always */
    size_t len;         /* of the answer, if it has NULs */
} rule_t;

static const rule_t usual[] = {
    { "PING", "+PONG\r\n", 0, 0 },
    { "SELECT", "+OK\r\n", 0, 0 },
    { "AUTH", "+OK\r\n", 0, 0 },
    { "ROLE", "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n", 0, 0 },
    { "XREAD", NULL, 0, 0 },
    { "XRANGE", "*0\r\n", 0, 0 },
    { "XREVRANGE", "*0\r\n", 0, 0 },
    { "XADD", "$3\r\n1-1\r\n", 0, 0 },
    { "GET ", "$-1\r\n", 0, 0 },
    { "GETRANGE", "$0\r\n\r\n", 0, 0 },
    { "HMGET", "*1\r\n$-1\r\n", 0, 0 },
    { "MULTI", "+OK\r\n", 0, 0 },
    { "EXEC", "*2\r\n:1\r\n:2\r\n", 0, 0 },
    { "", "+OK\r\n", 0, 0 },
};

static pid_t servers[SERVERS];
static char *good;
static size_t good_len;

/* the first bytes of the first command in buf, its words with spaces; returns
   the bytes that it takes, or 0 when it is not whole */
static size_t
command(const char *buf, size_t len, char *out, size_t size)
{
    long n, l;
    char *end;
    const char *p = buf, *last = buf + len;
    size_t used = 0;

    if (memchr(buf, '\n', len) == NULL) {
        return 0;
    }

    n = strtol(buf + 1, &end, 10);
    p = end + 2;

    while (n--) {
        if (p >= last || memchr(p, '\n', (size_t) (last - p)) == NULL) {
            return 0;
        }

        l = strtol(p + 1, &end, 10);
        p = end + 2;

        if (last - p < l + 2) {
            return 0;
        }

        for (long i = 0; i < l && used + 2 < size; i++) {
            out[used++] = p[i];
        }

        if (used + 2 < size) {
            out[used++] = ' ';
        }

        p += l + 2;
    }

    out[used] = '\0';

    return (size_t) (p - buf);
}

/* answers one command; 0: the connection is to be closed */
static int
answer(int fd, const char *text, rule_t *rules)
{
    size_t len, done = 0;
    ssize_t n;

    for (rule_t *r = rules;; r++) {
        if (strncmp(text, r->command, strlen(r->command)) != 0
            || r->times == 1) {
            continue;
        }

        r->times -= r->times != 0;

        if (r->answer == NULL) {
            return 1;
        }

        len = r->len ? r->len : strlen(r->answer);

        while (done < len) {
            n = write(fd, r->answer + done, len - done);
            if (n <= 0) {
                return 0;
            }

            done += (size_t) n;
        }

        return len != 0;
    }
}

static void
serve(int fd, rule_t *rules)
{
    static char buf[CLIENTS][1 << 20];
    static size_t len[CLIENTS];

    char text[512];
    size_t used;
    ssize_t n;
    struct pollfd p[CLIENTS + 1];

    for (int i = 0; i < CLIENTS; i++) {
        p[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
    }

    p[CLIENTS] = (struct pollfd){ .fd = fd, .events = POLLIN };

    for (;;) {
        (void) poll(p, CLIENTS + 1, -1);

        for (int i = 0; i < CLIENTS; i++) {
            if (p[i].fd == -1 && p[CLIENTS].revents) {
                p[i].fd = accept(fd, NULL, NULL);
                p[i].revents = 0;
                p[CLIENTS].revents = 0;
                len[i] = 0;
            }

            if (p[i].fd == -1 || !p[i].revents) {
                continue;
            }

            n = read(p[i].fd, buf[i] + len[i], sizeof(buf[i]) - len[i]);
            len[i] += n > 0 ? (size_t) n : 0;

            while (n > 0 && (used = command(buf[i], len[i], text, 512))) {
                len[i] -= used;
                memmove(buf[i], buf[i] + used, len[i]);
                n = answer(p[i].fd, text, rules);
            }

            if (n <= 0) {
                close(p[i].fd);
                p[i].fd = -1;
            }
        }
    }
}

/* starts server number i with these rules, and those that are usual; returns
   its port */
static int
start(int i, const rule_t *rules, size_t n)
{
    int fd, on = 1;
    rule_t *all;
    socklen_t len = sizeof(struct sockaddr_in);
    struct sockaddr_in sin = { .sin_family = AF_INET };

    sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    (void) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));

    if (bind(fd, (struct sockaddr *) &sin, len) != 0 || listen(fd, 8) != 0
        || getsockname(fd, (struct sockaddr *) &sin, &len) != 0)
    {
        abort();
    }

    fflush(stdout);
    servers[i] = fork();

    if (servers[i] == 0) {
        all = malloc(n * sizeof(*rules) + sizeof(usual));

        if (all != NULL) {
            if (n) {
                memcpy(all, rules, n * sizeof(*rules));
            }

            memcpy(all + n, usual, sizeof(usual));

            for (size_t k = 0; k < n; k++) {
                all[k].times += all[k].times != 0;
            }

            serve(fd, all);
        }

        _exit(0);
    }

    close(fd);

    return ntohs(sin.sin_port);
}

static void
stop(int i)
{
    kill(servers[i], SIGKILL);
    waitpid(servers[i], NULL, 0);
}

/* a client of a server at a port; what it says of itself is in state and text
 */
static dt_frame_t state;
static int changed; /* what it says is new */
static char text[DT_ERRSTR];

static dt_redis_t *
connect_to(int port, const char *form, dt_redis_opts_t *o)
{
    char url[128];
    dt_redis_t *r;

    snprintf(url, sizeof(url), form, port, port);
    o->url = url;
    o->token = "one";
    o->timeout_ms = o->timeout_ms ? o->timeout_ms : 2000;
    r = dt_redis_create(o);
    (void) dt_redis_tick(r);
    changed = dt_redis_state(r, &state);
    snprintf(text, sizeof(text), "%.*s", (int) state.text.len,
             state.text.len ? state.text.data : "");

    return r;
}

static void
test_urls(void)
{
    static const struct {
        dt_redis_opts_t o;
        const char *why; /* NULL: it is sound */
    } cases[] = {
        { { .url = "redis://a" }, NULL },
        { { .url = "REDIS://a:1/15" }, NULL },
        { { .url = "redis://[::1]:6379/" }, NULL },
        { { .url = "rediss://u:p%40@a:6380" }, NULL },
        { { .url = "unix:/run/redis.sock" }, NULL },
        { { .url = "unix:u:p@/run/redis.sock" }, NULL },
        { { .url = "redis+sentinel://a,b:26380,[::1]/name" }, NULL },
        { { .url = "rediss+sentinel://:p@a/name/3" }, NULL },
        { { .url = "redis://u@a", .password_file = "/f" }, NULL },
        { { .url = "rediss://a", .ca = "f", .cert = "f", .key = "f" }, NULL },
        { { .url = "rediss://a", .insecure = 1 }, NULL },
        { { .url = NULL }, "a URL is needed" },
        { { .url = "http://a" }, "must begin with" },
        { { .url = "redis://" }, "needs a host name" },
        { { .url = "redis://:6379" }, "needs a host name" },
        { { .url = "redis://a b" }, "that no name has" },
        { { .url = "redis://a:0" }, "1 to 65535" },
        { { .url = "redis://a:65536" }, "1 to 65535" },
        { { .url = "redis://a:6x" }, "1 to 65535" },
        { { .url = "redis://[::1" }, "\"]\" is missing" },
        { { .url = "redis://[::1]x" }, "must be redis://host" },
        { { .url = "redis://a/x" }, "database number" },
        { { .url = "redis://a/70000" }, "database number" },
        { { .url = "redis://u@a" }, "a user needs a password" },
        { { .url = "redis://u:%zz@a" }, "badly encoded" },
        { { .url = "redis://u:a%00b@a" }, "badly encoded" },
        { { .url = "redis://a,b" }, "database number" },
        { { .url = "redis://%0:p@a" }, "badly encoded" },
        { { .url = "unix:run" }, "must be a path" },
        { { .url = "redis+sentinel://a" }, "needs the name" },
        { { .url = "redis+sentinel://a/" }, "needs the name" },
        { { .url = "redis+sentinel://a,/n" }, "needs a host name" },
        { { .url = "redis+sentinel://a,b,c,d,e,f,g,h,i/n" }, "8 sentinels" },
        { { .url = "redis://a", .prefix = "a{b" }, "prefix may contain" },
        { { .url = "redis://a",
            .token = "12345678901234567890123456789012"
                     "123456789012345678901234567890123" },
          "token is longer" },
        { { .url = "redis://a",
            .prefix = "12345678901234567890123456789012"
                      "12345678901234567890123456789012"
                      "3" },
          "prefix is longer" },
        { { .url = "redis://a", .timeout_ms = 60001 }, "time-out" },
        { { .url = "redis://a", .timeout_ms = -1 }, "time-out" },
        { { .url = "redis://a", .password_file = "" }, "file's name" },
        { { .url = "redis://:p@a", .password_file = "f" }, "leave one out" },
        { { .url = "redis://u:p@a", .user_file = "f" }, "leave one out" },
        { { .url = "redis://a", .sentinel_password_file = "f" },
          "no sentinel" },
        { { .url = "redis://a", .ca = "f" }, "need TLS" },
        { { .url = "rediss://a", .cert = "f" }, "need each other" },
        { { .url = "rediss://a", .ca = "f", .insecure = 1 }, "verify is off" },
    };

    char errstr[DT_ERRSTR];
    dt_status_t rc;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        errstr[0] = '\0';
        rc = dt_redis_check(&cases[i].o, errstr);

        if (cases[i].why == NULL) {
            ok(rc == DT_OK, cases[i].o.url);

        } else if (!ok(rc == DT_EINVAL && strstr(errstr, cases[i].why) != NULL,
                       cases[i].why))
        {
            printf("#   %s\n", errstr);
        }
    }

    ok(dt_redis_create(&cases[11].o) == NULL, "no client of no URL");
}

static dt_frame_t
order(dt_redis_t *r, uint32_t what, uint32_t flags)
{
    dt_frame_t l = { .what = what,
                     .id = 7,
                     .flags = flags,
                     .ttl = 60,
                     .n = 1,
                     .version = 1,
                     .learned_at = 1000,
                     .site = dt_str("a.test") };

    if (what == DT_LINK_PUT) {
        l.bytes = (dt_str_t){ good_len, good };
        l.text = dt_str("http://a.test/");
    }

    if (what == DT_LINK_GET) {
        l.version = 0;
        l.learned_at = 0;
    }

    dt_redis_do(r, &l, 1);

    return l;
}

/* one order to a server with one rule more */
static void
expect(const char *name, uint32_t what, const char *cmd, const char *reply,
       dt_status_t rc, const char *why)
{
    char said[DT_ERRSTR + 1] = "";
    rule_t rule = { cmd, reply, 0, 0 };
    dt_frame_t l;
    dt_redis_t *r;
    dt_redis_opts_t o = { .timeout_ms = reply == NULL ? 50 : 1000 };

    r = connect_to(start(0, &rule, 1), "redis://127.0.0.1:%d", &o);
    l = order(r, what, DT_LINK_WHOLE);
    snprintf(said, sizeof(said), "%.*s", (int) l.text.len,
             l.text.len ? l.text.data : "");
    is_int(l.rc, rc, name);

    if (!ok(strstr(said, why) != NULL, name)) {
        printf("#   %s\n", said);
    }

    dt_redis_destroy(r);
    stop(0);
}

static void
test_answers(void)
{
    size_t n = (6u << 20) + 64;
    char *huge = malloc(n);

    memset(huge, 'x', n);
    memcpy(huge, "$6291456\r\n", 10);
    huge[n - 1] = '\0';

    expect("none", DT_LINK_GET, "?", "", DT_DECLINED, "");
    expect("garbage", DT_LINK_GET, "GETRANGE", "what?\r\n", DT_EIO,
           "answer: ");
    expect("huge promise", DT_LINK_GET, "GETRANGE", "$500000000\r\n", DT_EIO,
           "timed out");
    expect("huge value", DT_LINK_GET, "GETRANGE", huge, DT_EIO,
           "answer: too long");
    expect("huge array", DT_LINK_GET, "GETRANGE", "*1000000000\r\n", DT_EIO,
           "answer: ");
    expect("array of arrays", DT_LINK_GET, "GETRANGE", "*30000\r\n*30000\r\n",
           DT_EIO, "too many elements");
    expect("closed", DT_LINK_GET, "GETRANGE", "", DT_EIO, "closed");
    expect("silent", DT_LINK_GET, "GETRANGE", NULL, DT_EIO, "timed out");
    expect("number", DT_LINK_GET, "GETRANGE", ":7\r\n", DT_DECLINED, "");
    expect("refused", DT_LINK_GET, "GETRANGE", "-WRONGTYPE \x01 no\r\n",
           DT_EINVAL, "redis: WRONGTYPE ? no");
    expect("loading", DT_LINK_GET, "GETRANGE", "-LOADING it\r\n", DT_EIO,
           "LOADING it");
    expect("replica", DT_LINK_PUT, "EXEC", "-READONLY it\r\n", DT_EIO,
           "READONLY it");
    expect("moved to nowhere", DT_LINK_GET, "GETRANGE", "-MOVED 1\r\n", DT_EIO,
           "MOVED");
    expect("moved to no port", DT_LINK_GET, "GETRANGE", "-MOVED 1 a:0\r\n",
           DT_EIO, "MOVED");
    expect("moved to no slot", DT_LINK_GET, "GETRANGE", "-ASK 16384 a:1\r\n",
           DT_EIO, "ASK");
    expect("moved in a circle", DT_LINK_GET, "GETRANGE", "-MOVED 1 :1\r\n",
           DT_EIO, "redis");
    expect("compared", DT_LINK_COMPARE, "HMGET",
           "*3\r\n$1\r\n7\r\n$2\r\n99\r\n$1\r\n1\r\n", DT_OK, "");
    expect("compared with nonsense", DT_LINK_COMPARE, "HMGET",
           "*3\r\n$1\r\nx\r\n$2\r\n99\r\n$1\r\n1\r\n", DT_DECLINED, "");
    expect("compared with too little", DT_LINK_COMPARE, "HMGET", "*0\r\n",
           DT_DECLINED, "");
    expect("locked", DT_LINK_LOCK, "SET ", "+OK\r\n", DT_DECLINED, "");
    expect("unlocked", DT_LINK_UNLOCK, "DEL", ":1\r\n", DT_OK, "");
    expect("put", DT_LINK_PUT, "?", "", DT_OK, "");
    expect("put, not told", DT_LINK_PUT, "XADD", "-OOM no\r\n", DT_OK, "OOM");
    expect("put, full", DT_LINK_PUT, "EXEC", "-OOM no\r\n", DT_EINVAL, "OOM");
    expect("put, half", DT_LINK_PUT, "EXEC", "*1\r\n-OOM no\r\n", DT_EINVAL,
           "OOM");
    expect("put, the first", DT_LINK_PUT, "EXEC",
           "*2\r\n-ERR no such key\r\n+OK\r\n", DT_OK, "");
    expect("forgotten", DT_LINK_FORGET, "?", "", DT_OK, "");
    expect("nothing to forget", DT_LINK_FORGET, "EXEC", "*2\r\n:0\r\n:0\r\n",
           DT_DECLINED, "");
    expect("not forgotten", DT_LINK_FORGET, "ZREM", "-NOPERM x\r\n", DT_EINVAL,
           "NOPERM");
    expect("to be learned", DT_LINK_RELEARN, "?", "", DT_OK, "");
    expect("nothing to pin", DT_LINK_PIN, "?", "", DT_DECLINED, "");
    expect("nothing to unpin", DT_LINK_UNPIN, "?", "", DT_DECLINED, "");
    expect("nothing to restore", DT_LINK_RESTORE, "?", "", DT_DECLINED, "");
    expect("garbage to restore", DT_LINK_RESTORE, "GETRANGE", "$3\r\nabc\r\n",
           DT_DECLINED, "not sound");
    expect("no order", DT_LINK_EVENT, "?", "", DT_EINVAL, "no such order");

    free(huge);
}

/* an answer that is a string; the caller frees it */
static rule_t
string(const char *cmd, const char *bytes, size_t n, unsigned times)
{
    char *p = malloc(n + 32);
    int head = snprintf(p, 32, "$%zu\r\n", n);

    memcpy(p + head, bytes, n);
    memcpy(p + (size_t) head + n, "\r\n", 2);

    return (rule_t){ cmd, p, times, (size_t) head + n + 2 };
}

/* orders to a server that has a template */
static void
test_templates(void)
{
    enum { NOTHING, WHOLE, SERVE };
    static const struct {
        uint32_t what;
        uint32_t flags;
        int bytes;
        int says; /* flags; -1: not looked at */
        const char *name;
    } orders[] = {
        { DT_LINK_GET, DT_LINK_WHOLE, WHOLE, DT_LINK_PINNED, "joined" },
        { DT_LINK_LOCK, DT_LINK_WHOLE, WHOLE, DT_LINK_PINNED, "lock is ours" },
        { DT_LINK_GET, DT_LINK_WHOLE, SERVE, -1, "foreign evidence" },
        { DT_LINK_GET, DT_LINK_WHOLE, WHOLE, -1, "whole as it is" },
        { DT_LINK_GET, 0, SERVE, -1, "cut" },
        { DT_LINK_PIN, 0, NOTHING, DT_LINK_PINNED, "pin" },
        { DT_LINK_RESTORE, 0, NOTHING, DT_LINK_PINNED, "restore" },
        { DT_LINK_UNPIN, 0, NOTHING, 0, "unpin" },
    };
    int port;
    uint32_t version, serve;
    dt_frame_t l;
    dt_redis_t *r;
    dt_template_head_t h;
    dt_redis_opts_t o = { 0 };
    rule_t rules[9];

    memcpy(&h, good, sizeof(h));
    version = h.version;
    serve = h.serve_size;

    rules[0] = string("GETRANGE dt:{a.test}:evidence", good + serve,
                      good_len - serve, 2);
    rules[1] = string("GETRANGE dt:{a.test}:evidence", "foreign", 7, 0);
    rules[2] =
        string("GETRANGE dt:{a.test}:template 0 775", good, sizeof(h), 0);
    rules[3] = string("GETRANGE dt:{a.test}:template 0", good, serve, 3);
    rules[4] = string("GETRANGE dt:{a.test}:template 0", good, good_len, 0);
    rules[5] = string("GETRANGE dt:{a.test}:template.1", good, serve, 0);
    rules[6] = (rule_t){ "HMGET", "*1\r\n$1\r\n1\r\n", 0, 0 };
    rules[7] = (rule_t){ "GET ", "$3\r\none\r\n", 0, 0 };
    rules[8] = (rule_t){ "SET dt:{a.test}:lock one NX", "$-1\r\n", 0, 0 };

    is_int(sizeof(h), 648, "template: size of a head");
    port = start(0, rules, 9);
    r = connect_to(port, "redis://127.0.0.1:%d", &o);

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        l = order(r, orders[i].what, orders[i].flags);
        is_int(l.rc, DT_OK, orders[i].name);

        if (orders[i].bytes) {
            is_int((long long) l.bytes.len,
                   orders[i].bytes == WHOLE ? (long long) good_len : serve,
                   orders[i].name);
            ok(memcmp(l.bytes.data, good, serve) == 0
                   && (orders[i].bytes == SERVE
                       || memcmp(l.bytes.data, good, good_len) == 0),
               orders[i].name);
        }

        if (orders[i].says >= 0) {
            is_int(l.flags, orders[i].says, orders[i].name);
            is_int(l.version, version, orders[i].name);
        }
    }

    is_int(order(r, DT_LINK_PUT, DT_LINK_ADDED | DT_LINK_GIVE_BACK).rc, DT_OK,
           "template: add");

    dt_redis_destroy(r);
    stop(0);

    /* the present one is of another version than the one before */

    h.version++;
    free((char *) (uintptr_t) rules[2].answer);
    rules[2] = string("GETRANGE dt:{a.test}:template 0 775", (const char *) &h,
                      sizeof(h), 0);
    port = start(0, rules, 9);
    r = connect_to(port, "redis://127.0.0.1:%d", &o);
    l = order(r, DT_LINK_PIN, 0);
    is_int(l.rc, DT_OK, "template: pin an earlier one");
    is_int(l.version, version, "template: pin an earlier one, version");
    dt_redis_destroy(r);
    stop(0);

    for (int i = 0; i < 6; i++) {
        free((char *) (uintptr_t) rules[i].answer);
    }
}

/* user and password come from files at each connect */
static void
test_files(void)
{
    FILE *f;
    char user[] = "/tmp/detemplate-user-XXXXXX";
    rule_t rules[] = { { "AUTH eve word ", "+OK\r\n", 0, 0 },
                       { "AUTH", "-WRONGPASS\r\n", 0, 0 } };
    int fd = mkstemp(user), port = start(0, rules, 2);
    dt_redis_t *r;

    static const struct {
        const char *user;
        const char *why;
    } cases[] = {
        { "eve\nbob\n", "" },
        { "eve\r\n", "" },
        { "eve", "" },
        { "bob", ": log-in refused: WRONGPASS" },
        { "", ": the file of the user cannot be read" },
        { "\n", ": the file of the user cannot be read" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dt_redis_opts_t o = { .user_file = user };

        f = fopen(user, "w");
        fputs(cases[i].user, f);
        fclose(f);

        r = connect_to(port, "redis://:word@127.0.0.1:%d", &o);
        ok(strstr(text, cases[i].why) != NULL
               && (cases[i].why[0] != '\0') == (text[0] != '\0'),
           "file of a user");
        dt_redis_destroy(r);
    }

    dt_redis_opts_t o = { .password_file = "/nonexistent" };

    r = connect_to(port, "redis://127.0.0.1:%d", &o);
    is_int(state.flags, DT_LINK_AWAY, "no file of a password");
    dt_redis_destroy(r);

    close(fd);
    unlink(user);
    stop(0);
}

static void
test_log_in(void)
{
    static const struct {
        const char *name;
        rule_t rule;
        const char *why;
    } cases[] = {
        { "a password", { "?", "", 0, 0 }, NULL },
        { "no right to PING", { "PING", "-NOPERM x\r\n", 0, 0 }, NULL },
        { "another password",
          { "AUTH", "-WRONGPASS secret is wrong\r\n", 0, 0 },
          ": log-in refused: WRONGPASS" },
        { "no such database",
          { "SELECT", "-ERR DB index is out of range\r\n", 0, 0 },
          ": server: ERR DB index" },
        { "it loads",
          { "PING", "-LOADING it\r\n", 0, 0 },
          ": server: LOADING it" },
        { "it says nothing", { "PING", NULL, 0, 0 }, ": read: timed out" },
        { "it hangs up", { "AUTH", "", 0, 0 }, "closed" },
    };

    int port;
    dt_redis_t *r;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dt_redis_opts_t o = { .timeout_ms =
                                  cases[i].rule.answer ? 2000 : 100 };

        port = start(0, &cases[i].rule, 1);
        r = connect_to(port, "redis://u:secret@127.0.0.1:%d/3", &o);
        is_int(changed, 1, cases[i].name);
        is_int(dt_redis_state(r, &state), 0, cases[i].name);

        if (cases[i].why == NULL) {
            is_int(state.flags, 0, cases[i].name);
            ok(dt_redis_fd(r) != -1, cases[i].name);

        } else {
            is_int(state.flags, DT_LINK_AWAY, cases[i].name);
            ok(strstr(text, cases[i].why) != NULL
                   && strstr(text, "secret") == NULL,
               cases[i].name);
            is_int(order(r, DT_LINK_GET, 0).rc, DT_EIO, cases[i].name);
            ok(dt_redis_tick(r) > 0, "back-off");
        }

        dt_redis_destroy(r);
        stop(0);
    }
}

typedef struct {
    unsigned n;
    unsigned gaps;
    char text[512];
} heard_t;

static void
hear(void *data, dt_frame_t *news)
{
    heard_t *h = data;
    size_t len = strlen(h->text);

    if (news->what == DT_LINK_GAP) {
        h->gaps++;
        return;
    }

    h->n++;
    snprintf(h->text + len, sizeof(h->text) - len, "%.*s %s %u %u;",
             (int) news->site.len, news->site.data, dt_link_dids[news->event],
             news->version, news->flags);
}

static void
test_events(void)
{
    static const rule_t rules[] = {
        { "XREVRANGE", "*1\r\n*2\r\n$3\r\n5-1\r\n*0\r\n", 0, 0 },
        { "XRANGE", "*1\r\n*2\r\n$3\r\n1-1\r\n*0\r\n", 0, 0 },
        { "XREAD BLOCK 2000 COUNT 500 STREAMS dt:events 5-1",
          "*1\r\n*2\r\n$9\r\ndt:events\r\n*4\r\n"
          "*2\r\n$3\r\n6-1\r\n*4\r\n$4\r\nsite\r\n$6\r\na.test\r\n"
          "$7\r\nversion\r\n$1\r\n2\r\n"
          "*2\r\n$3\r\n6-2\r\n*6\r\n$4\r\nsite\r\n$6\r\nb%2Fst\r\n"
          "$2\r\ndo\r\n$3\r\npin\r\n$8\r\nredesign\r\n$1\r\n1\r\n"
          "*2\r\n$3\r\n6-3\r\n*4\r\n$4\r\nsite\r\n$6\r\nc.test\r\n"
          "$2\r\nby\r\n$3\r\none\r\n"
          "*2\r\n$3\r\n6-4\r\n*2\r\n$4\r\nsite\r\n$6\r\nd.test\r\n",
          0, 0 },
        { "XREAD BLOCK 2000 COUNT 500 STREAMS dt:events 6-4",
          "*1\r\n*2\r\n$9\r\ndt:events\r\n:7\r\n", 1, 0 },
    };

    int port;
    dt_redis_t *r;
    heard_t h = { 0 };
    dt_redis_opts_t o = { 0 };
    struct pollfd p = { .events = POLLIN };

    port = start(0, rules, sizeof(rules) / sizeof(rules[0]));
    r = connect_to(port, "redis://127.0.0.1:%d", &o);

    for (int i = 0; i < 100 && h.n < 3; i++) {
        p.fd = dt_redis_fd(r);
        (void) poll(&p, 1, 50);
        dt_redis_events(r, hear, &h);
    }

    is_int(h.gaps, 1, "events: a gap at first");
    is_str(h.text, strlen(h.text),
           "a.test learn 2 0;b/st pin 0 8;d.test forget 0 0;",
           "events: of others");

    /* an answer that makes no sense ends the connection, and is a gap */

    for (int i = 0; i < 200 && h.gaps < 2; i++) {
        p.fd = dt_redis_fd(r);
        (void) poll(&p, 1, 20);
        (void) dt_redis_tick(r);
        dt_redis_events(r, hear, &h);
    }

    is_int(h.gaps, 2, "events: a gap after nonsense");

    dt_redis_destroy(r);
    stop(0);
}

static void
test_sentinel(void)
{
    char one[128], two[128], url[128];
    int master, replica;
    dt_redis_t *r;
    dt_redis_opts_t o = { .timeout_ms = 2000 };
    rule_t role = { "ROLE", "*1\r\n$5\r\nslave\r\n", 0, 0 };

    master = start(0, NULL, 0);
    replica = start(1, &role, 1);

    snprintf(one, sizeof(one), "*2\r\n$9\r\n127.0.0.1\r\n$5\r\n%05d\r\n",
             replica);
    snprintf(two, sizeof(two), "*2\r\n$9\r\n127.0.0.1\r\n$5\r\n%05d\r\n",
             master);

    rule_t first = { "SENTINEL get-master-addr-by-name it", one, 0, 0 };
    rule_t second = { "SENTINEL get-master-addr-by-name it", two, 0, 0 };

    snprintf(url, sizeof(url), "redis+sentinel://127.0.0.1:%d,127.0.0.1:%d/it",
             start(2, &first, 1), start(3, &second, 1));
    r = connect_to(0, url, &o);
    is_int(state.flags, 0, "sentinel: the second knows the master");
    is_int(order(r, DT_LINK_GET, 0).rc, DT_DECLINED, "sentinel: an order");
    stop(0);
    is_int(order(r, DT_LINK_GET, 0).rc, DT_EIO, "sentinel: master is gone");
    dt_redis_destroy(r);

    r = connect_to(replica, "redis+sentinel://127.0.0.1:%d/it", &o);
    ok(strstr(text, "no such master") != NULL, "sentinel: unknown");
    dt_redis_destroy(r);

    stop(1);
    stop(2);
    stop(3);
}

/* a node that sends on to another, which has all */
static void
test_cluster(void)
{
    char moved[64], ask[64];
    int port, other;
    dt_redis_t *r;
    dt_redis_opts_t o = { 0 };
    rule_t rule = { "GET ", "$-1\r\n", 0, 0 };

    other = start(1, &rule, 1);
    snprintf(moved, sizeof(moved), "-MOVED 1698 127.0.0.1:%d\r\n", other);
    snprintf(ask, sizeof(ask), "-ASK 1698 :%d\r\n", other);

    rule_t rules[] = { { "GETRANGE", ask, 1, 0 },
                       { "HMGET", moved, 0, 0 },
                       { "GETRANGE", "-TRYAGAIN it\r\n", 1, 0 },
                       { "GETRANGE", moved, 0, 0 } };

    port = start(0, rules, sizeof(rules) / sizeof(rules[0]));
    r = connect_to(port, "redis://127.0.0.1:%d", &o);
    is_int(order(r, DT_LINK_GET, 0).rc, DT_DECLINED, "cluster: ASK");
    is_int(order(r, DT_LINK_GET, 0).rc, DT_DECLINED, "cluster: MOVED");
    (void) dt_redis_tick(r);
    stop(0);
    is_int(order(r, DT_LINK_GET, 0).rc, DT_DECLINED, "cluster: one is gone");
    is_int(order(r, DT_LINK_RELEARN, 0).rc, DT_OK, "cluster: all slots");
    dt_redis_destroy(r);
    stop(1);
}

static void
test_tls(void)
{
    int port = start(0, NULL, 0);
    dt_redis_t *r;
    static const struct {
        dt_redis_opts_t o;
        const char *why;
    } cases[] = {
        { { .insecure = 1, .timeout_ms = 100 }, ": TLS handshake" },
        { { .timeout_ms = 100 }, ": TLS handshake" },
        { { .ca = "/nonexistent", .timeout_ms = 100 },
          ": the file of ca cannot be used: No such file" },
        { { .cert = "/nonexistent", .key = "/nonexistent", .timeout_ms = 100 },
          ": the file of cert cannot be used: No such file" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dt_redis_opts_t o = cases[i].o;

        r = connect_to(port, "rediss://127.0.0.1:%d", &o);

        if (!ok(strstr(text, cases[i].why) != NULL, cases[i].why)) {
            printf("#   %s\n", text);
        }

        dt_redis_destroy(r);
    }

    stop(0);
}

int
main(void)
{
    good = site_learn(TEXT, sizeof(TEXT) - 1, &good_len);

    if (good == NULL) {
        return 1;
    }

    signal(SIGPIPE, SIG_IGN);

    test_urls();
    test_answers();
    test_templates();
    test_log_in();
    test_files();
    test_events();
    test_sentinel();
    test_cluster();
    test_tls();

    free(good);

    return done();
}
