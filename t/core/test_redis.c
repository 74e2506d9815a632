
/*
 * Copyright (C) The detemplate authors
 *
 * The schema against real servers, started here on loopback and a socket in
 * a folder of their own; and children that answer as no server should.
 */


#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hiredis/hiredis.h>

#include "core/redis/redis.h"
#include "core/template/template.h"
#include "test.h"


#define ACL_RULE                                                              \
    "resetkeys ~dt:* resetchannels -@all +auth +select +multi +exec "         \
    "+getrange +set +hset +expire +zadd +zremrangebyscore "                   \
    "+zremrangebyrank +zrem +xadd +get +del +eval"

#define CALL_MS 300
#define LONG                                                                  \
    "a-name-of-more-than-sixty-four-bytes-which-is-longer-than-it-may-be"


typedef struct {
    char dir[32];
    char sock[64];
    char url[80]; /* over the socket */
    int port;
    pid_t pid;
} server_t;


static int
free_port(void)
{
    int fd, port = 0;
    socklen_t len;
    struct sockaddr_in sin;

    memset(&sin, 0, sizeof(sin));
    sin.sin_family = AF_INET;
    sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    len = sizeof(sin);

    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *) &sin, len) == 0
        && getsockname(fd, (struct sockaddr *) &sin, &len) == 0)
    {
        port = ntohs(sin.sin_port);
    }

    close(fd);

    return port;
}


static void
pause_ms(long ms)
{
    struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

    nanosleep(&ts, NULL);
}


/* starts a server with more arguments; does not wait for it */
static void
server_spawn(server_t *s, const char *a1, const char *a2, const char *a3,
             const char *a4)
{
    char port[16];
    struct rlimit stack;

    snprintf(port, sizeof(port), "%d", s->port);

    s->pid = fork();
    if (s->pid == 0) {
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);

        /* ours may be small */
        (void) getrlimit(RLIMIT_STACK, &stack);
        stack.rlim_cur = stack.rlim_max;
        (void) setrlimit(RLIMIT_STACK, &stack);

        if (chdir(s->dir) != 0 || freopen("log", "a", stdout) == NULL) {
            _exit(1);
        }

        execlp("redis-server", "redis-server", "--port", port, "--bind",
               "127.0.0.1", "--unixsocket", s->sock, "--save", "",
               "--daemonize", "no", a1, a2, a3, a4, (char *) NULL);
        _exit(1);
    }
}


static redisContext *
raw_connect(const server_t *s)
{
    redisContext *c = NULL;

    for (int i = 0; i < 100; i++) {
        c = redisConnectUnix(s->sock);
        if (c != NULL && !c->err) {
            return c;
        }

        redisFree(c);
        pause_ms(50);
    }

    printf("Bail out! redis-server does not start\n");
    exit(1);
}


static void
server_stop(server_t *s, int sig)
{
    if (s->pid > 0) {
        kill(s->pid, sig);
        waitpid(s->pid, NULL, 0);
        s->pid = 0;
    }
}


static void
server_init(server_t *s)
{
    memset(s, 0, sizeof(server_t));
    memcpy(s->dir, "/tmp/dt-redis-XXXXXX", 21);

    if (mkdtemp(s->dir) == NULL) {
        printf("Bail out! no temporary folder\n");
        exit(1);
    }

    snprintf(s->sock, sizeof(s->sock), "%s/sock", s->dir);
    snprintf(s->url, sizeof(s->url), "unix:%s", s->sock);
    s->port = free_port();
}


static void
server_done(server_t *s)
{
    static const char *const files[] = {
        "sock", "log", "password", "dump.rdb", "conf",
    };
    char path[80];

    server_stop(s, SIGKILL);

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", s->dir, files[i]);
        unlink(path);
    }

    rmdir(s->dir);
}


/* a reply as text, as redis-cli would show it on one line */
static const char *
raw(redisContext *c, const char *format, ...)
{
    static char buf[512];
    va_list ap;
    redisReply *r;

    va_start(ap, format);
    r = redisvCommand(c, format, ap);
    va_end(ap);

    if (r == NULL) {
        return c->errstr;
    }

    if (r->type == REDIS_REPLY_INTEGER) {
        snprintf(buf, sizeof(buf), "%lld", r->integer);

    } else if (r->type == REDIS_REPLY_NIL) {
        snprintf(buf, sizeof(buf), "nil");

    } else if (r->type == REDIS_REPLY_ARRAY) {
        snprintf(buf, sizeof(buf), "%zu elements", r->elements);

    } else {
        snprintf(buf, sizeof(buf), "%.*s", (int) r->len, r->str);
    }

    freeReplyObject(r);

    return buf;
}


static void
is_raw(const char *got, const char *want, const char *name)
{
    is_str(got, strlen(got), want, name);
}


static dt_redis_t *
patient(const char *url, const char *file, long ms)
{
    dt_redis_opts_t o = { .url = url, .timeout_ms = ms };

    o.password_file = file;

    return dt_redis_create(&o);
}


static dt_redis_t *
client(const char *url, const char *file)
{
    return patient(url, file, CALL_MS);
}


/* what a call has given */
typedef struct {
    unsigned told; /* how often */
    dt_status_t rc;
    char *bytes;
    size_t len;
} answer_t;


static void
tell(void *data, dt_status_t rc, dt_str_t bytes)
{
    answer_t *a = data;

    a->told++;
    a->rc = rc;
    a->len = bytes.len;
    a->bytes = NULL;

    if (bytes.len) {
        a->bytes = malloc(bytes.len);
        memcpy(a->bytes, bytes.data, bytes.len);
    }
}


static dt_redis_done_t
to(answer_t *a)
{
    memset(a, 0, sizeof(answer_t));

    return (dt_redis_done_t){ tell, a };
}


/* one turn of an event loop */
static void
turn(dt_redis_t *r, long ms)
{
    int writing;
    long wait;
    struct pollfd pfd;

    pfd.fd = dt_redis_fd(r, &writing);
    pfd.events = writing ? POLLIN | POLLOUT : POLLIN;
    wait = dt_redis_wait(r);

    (void) poll(&pfd, 1, (int) (wait < 0 || wait > ms ? ms : wait));
    dt_redis_process(r);
}


/* the loop, until the call has ended */
static dt_status_t
ended(dt_redis_t *r, answer_t *a)
{
    while (!a->told) {
        turn(r, 1000);
    }

    return a->rc;
}


static dt_status_t
fetch(dt_redis_t *r, dt_str_t site, char **p, size_t *len)
{
    answer_t a;

    dt_redis_process(r);
    dt_redis_get(r, site, to(&a));
    (void) ended(r, &a);
    *p = a.bytes;
    *len = a.len;

    return a.rc;
}


static dt_status_t
publish(dt_redis_t *r, dt_str_t site, dt_str_t bytes, const dt_redis_meta_t *m,
        long ttl_s)
{
    answer_t a;

    dt_redis_process(r);
    dt_redis_put(r, site, bytes, m, ttl_s, NULL, to(&a));

    return ended(r, &a);
}


static dt_status_t
lock(dt_redis_t *r, dt_str_t site, const char *token, long ttl_s)
{
    answer_t a;

    dt_redis_process(r);
    dt_redis_lock(r, site, token, ttl_s, to(&a));

    return ended(r, &a);
}


static dt_status_t
unlock(dt_redis_t *r, dt_str_t site, const char *token)
{
    answer_t a;

    dt_redis_process(r);
    dt_redis_unlock(r, site, token, to(&a));

    return ended(r, &a);
}


static dt_status_t
forget(dt_redis_t *r, const char *site)
{
    answer_t a;

    dt_redis_process(r);
    dt_redis_forget(r, dt_cstr(site), to(&a));

    return ended(r, &a);
}


static dt_status_t
get(dt_redis_t *r, const char *site)
{
    char *p;
    size_t len;
    dt_status_t rc;

    rc = fetch(r, dt_cstr(site), &p, &len);
    free(p);

    return rc;
}


static const dt_redis_meta_t meta = {
    .version = 12,
    .patterns = 340,
    .loads = 7,
    .candidates = 3,
    .coverage = 512,
    .url = "http://example.com/a page?b=c",
};


static dt_status_t
put_and_unlock(dt_redis_t *r, const char *site, const char *token)
{
    answer_t a;
    dt_redis_meta_t m = meta;

    m.learned_at = time(NULL);
    dt_redis_process(r);
    dt_redis_put(r, dt_cstr(site), dt_str("bytes"), &m, 60, token, to(&a));

    return ended(r, &a);
}


static dt_status_t
put(dt_redis_t *r, const char *site)
{
    return put_and_unlock(r, site, NULL);
}


/* calls until the back-off has passed, a bounded number of times */
static dt_status_t
get_again(dt_redis_t *r, const char *site)
{
    dt_status_t rc = DT_EIO;

    for (int i = 0; i < 200 && rc == DT_EIO; i++) {
        rc = get(r, site);

        if (rc == DT_EIO) {
            turn(r, 50);
            pause_ms(50);
        }
    }

    return rc;
}


static void
says(const dt_redis_t *r, const char *part, const char *name)
{
    if (!ok(strstr(dt_redis_errstr(r), part) != NULL, name)) {
        printf("#   errstr: %s\n", dt_redis_errstr(r));
    }
}


static void
test_options(void)
{
    static const struct {
        const char *url, *prefix, *file;
        long timeout;
        dt_status_t rc;
    } cases[] = {
        { "redis://localhost", NULL, NULL, 0, DT_OK },
        { "redis://localhost/", NULL, NULL, 0, DT_OK },
        { "redis://localhost:6380/15", "x:", NULL, 60000, DT_OK },
        { "redis://[::1]:6380/0", "", NULL, 1, DT_OK },
        { "redis://:pass@h", NULL, NULL, 0, DT_OK },
        { "redis://u:p%40s%2Fs@h/1", NULL, NULL, 0, DT_OK },
        { "redis://u@h", NULL, "/secret", 0, DT_OK },
        { "unix:/run/redis.sock", NULL, NULL, 0, DT_OK },
        { "unix:u:p@/run/redis.sock", NULL, NULL, 0, DT_OK },
        { "unix:/run/a@b", NULL, NULL, 0, DT_OK },
        { NULL, NULL, NULL, 0, DT_EINVAL },
        { "", NULL, NULL, 0, DT_EINVAL },
        { "http://h", NULL, NULL, 0, DT_EINVAL },
        { "rediss://h", NULL, NULL, 0, DT_EINVAL },
        { "redis://", NULL, NULL, 0, DT_EINVAL },
        { "redis://:6379", NULL, NULL, 0, DT_EINVAL },
        { "redis://h:0", NULL, NULL, 0, DT_EINVAL },
        { "redis://h:65536", NULL, NULL, 0, DT_EINVAL },
        { "redis://h:6379x", NULL, NULL, 0, DT_EINVAL },
        { "redis://h/x", NULL, NULL, 0, DT_EINVAL },
        { "redis://h/1/2", NULL, NULL, 0, DT_EINVAL },
        { "redis://[::1", NULL, NULL, 0, DT_EINVAL },
        { "redis://u:p%4@h", NULL, NULL, 0, DT_EINVAL },
        { "redis://u:p%00@h", NULL, NULL, 0, DT_EINVAL },
        { "redis://u@h", NULL, NULL, 0, DT_EINVAL },
        { "redis://u:p@h", NULL, "/secret", 0, DT_EINVAL },
        { "redis://h", NULL, "", 0, DT_EINVAL },
        { "unix:", NULL, NULL, 0, DT_EINVAL },
        { "unix:relative", NULL, NULL, 0, DT_EINVAL },
        { "redis://h", "a{b}", NULL, 0, DT_EINVAL },
        { "redis://h", "a b", NULL, 0, DT_EINVAL },
        { "redis://h", "a\n", NULL, 0, DT_EINVAL },
        { "redis://h", LONG, NULL, 0, DT_EINVAL },
        { "redis://h:123456", NULL, NULL, 0, DT_EINVAL },
        { "redis://h/1234567", NULL, NULL, 0, DT_EINVAL },
        { "redis://" LONG LONG LONG LONG LONG ":p@h", NULL, NULL, 0,
          DT_EINVAL },
        { "redis://h", NULL, NULL, -1, DT_EINVAL },
        { "redis://h", NULL, NULL, 60001, DT_EINVAL },
    };
    char name[128], errstr[DT_ERRSTR], path[200];
    dt_redis_opts_t o;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        memset(&o, 0, sizeof(o));
        o.url = cases[i].url;
        o.prefix = cases[i].prefix;
        o.password_file = cases[i].file;
        o.timeout_ms = cases[i].timeout;

        snprintf(name, sizeof(name), "options %zu: %s", i,
                 o.url ? o.url : "none");
        is_int(dt_redis_check(&o, errstr), cases[i].rc, name);
    }

    memset(path, 'x', sizeof(path));
    memcpy(path, "unix:/", 6);
    path[199] = '\0';
    memset(&o, 0, sizeof(o));
    o.url = path;
    is_int(dt_redis_check(&o, errstr), DT_EINVAL, "a socket path too long");

    o.url = "redis://u:topsecret@h:bad";
    dt_redis_check(&o, errstr);
    ok(strstr(errstr, "topsecret") == NULL && errstr[0] != '\0',
       "no password in the message");
    ok(dt_redis_create(&o) == NULL, "create refuses what check refuses");
}


/* a socket at which connecting neither succeeds nor fails: it listens, and all
   its places are taken by those of fds */
static void
silent(const char *addr, int port, int fds[4])
{
    struct sockaddr_in sin = { .sin_family = AF_INET };

    sin.sin_port = htons((uint16_t) port);
    (void) inet_pton(AF_INET, addr, &sin.sin_addr);

    for (int i = 0; i < 4; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

        if (i == 0) {
            (void) bind(fds[0], (struct sockaddr *) &sin, sizeof(sin));
            (void) listen(fds[0], 0);

        } else {
            (void) connect(fds[i], (struct sockaddr *) &sin, sizeof(sin));
        }
    }
}


/* what taking a lock gives with these addresses of the server */
static dt_status_t
locks_at(const server_t *s, const char *first, const char *second,
         const char *site, char errstr[DT_ERRSTR])
{
    char url[64];
    dt_redis_t *r;
    dt_status_t rc;
    dt_redis_addrs_t addrs = { .n = second != NULL ? 2 : 1 };
    dt_redis_opts_t o = { .url = url, .timeout_ms = 300, .addrs = &addrs };

    snprintf(url, sizeof(url), "redis://some.name:%d/1", s->port);
    snprintf(addrs.text[0], sizeof(addrs.text[0]), "%s", first);
    snprintf(addrs.text[1], sizeof(addrs.text[1]), "%s",
             second != NULL ? second : "");

    r = dt_redis_create(&o);
    rc = lock(r, dt_cstr(site), "token", 10);
    memcpy(errstr, dt_redis_errstr(r), DT_ERRSTR);
    dt_redis_destroy(r);

    return rc;
}


int __real_getaddrinfo(const char *node, const char *service,
                       const struct addrinfo *hints, struct addrinfo **res);
int __wrap_getaddrinfo(const char *node, const char *service,
                       const struct addrinfo *hints, struct addrinfo **res);


/* many.test has 127.0.0.1 to 127.0.0.12, all else what it has */

int
__wrap_getaddrinfo(const char *node, const char *service,
                   const struct addrinfo *hints, struct addrinfo **res)
{
    int rc;
    char text[24];
    struct addrinfo *next;

    if (strcmp(node, "many.test") != 0) {
        return __real_getaddrinfo(node, service, hints, res);
    }

    next = NULL;

    for (int i = 12; i > 0; i--) {
        snprintf(text, sizeof(text), "127.0.0.%d", i);

        rc = __real_getaddrinfo(text, service, hints, res);
        if (rc != 0) {
            return rc;
        }

        (*res)->ai_next = next;
        next = *res;
    }

    return 0;
}


static void
test_addresses(const server_t *s, redisContext *c)
{
    int fds[4];
    char url[64], errstr[DT_ERRSTR];
    dt_redis_t *r;
    dt_redis_addrs_t addrs;
    dt_redis_opts_t o = { .url = url };

    snprintf(url, sizeof(url), "redis://localhost:%d/0", s->port);
    is_int(dt_redis_resolve(&o, &addrs, errstr), DT_OK, "a name is known");
    ok(addrs.n > 0 && addrs.n <= DT_REDIS_ADDRS, "it has addresses");

    r = dt_redis_create(&o);
    is_int(lock(r, dt_str("name"), "token", 10), DT_EIO,
           "a name is not looked up later");
    ok(strstr(dt_redis_errstr(r), "no address") != NULL, "and that is said");
    dt_redis_destroy(r);

    o.addrs = &addrs;
    r = dt_redis_create(&o);
    is_int(lock(r, dt_str("name"), "token", 10), DT_OK,
           "its addresses are enough");
    dt_redis_destroy(r);

    o = (dt_redis_opts_t){ .url = "redis://user:topsecret@no.invalid" };
    is_int(dt_redis_resolve(&o, &addrs, errstr), DT_DECLINED, "one is not");
    ok(strstr(errstr, "\"no.invalid\"") != NULL
           && strstr(errstr, "topsecret") == NULL,
       "the message names it, and no password");

    o.url = "redis://many.test/0";
    is_int(dt_redis_resolve(&o, &addrs, errstr), DT_OK, "a name of many");
    ok(addrs.n == 8 && strcmp(addrs.text[7], "127.0.0.8") == 0,
       "eight are kept");

    o.url = s->url;
    ok(dt_redis_resolve(&o, &addrs, errstr) == DT_OK && addrs.n == 0,
       "a socket has none");

    o.url = "http://host";
    is_int(dt_redis_resolve(&o, &addrs, errstr), DT_EINVAL, "another URL");

    is_int(locks_at(s, "127.0.0.1", NULL, "one", errstr), DT_OK, "one");
    is_int(locks_at(s, "127.0.0.2", "127.0.0.1", "two", errstr), DT_OK,
           "the first refuses");
    is_str(errstr, strlen(errstr), "", "that is no failure");
    is_int(locks_at(s, "127.0.0.1", "127.0.0.2", "three", errstr), DT_OK,
           "the second would");
    is_int(locks_at(s, "127.0.0.2", "127.0.0.3", "four", errstr), DT_EIO,
           "both refuse");
    ok(strstr(errstr, "refused") != NULL, "and that is said");

    silent("127.0.0.4", s->port, fds);
    is_int(locks_at(s, "127.0.0.4", "127.0.0.1", "six", errstr), DT_OK,
           "the first says nothing");
    is_int(locks_at(s, "127.0.0.1", "127.0.0.4", "seven", errstr), DT_OK,
           "the second would say nothing");
    is_int(locks_at(s, "127.0.0.4", "127.0.0.4", "eight", errstr), DT_EIO,
           "both say nothing");
    ok(strstr(errstr, "timed out") != NULL, "and that is said as well");

    for (int i = 0; i < 4; i++) {
        close(fds[i]);
    }

    (void) raw(c, "SELECT 1");
    is_raw(raw(c, "EXISTS dt:{two}:lock dt:{six}:lock dt:{eight}:lock"), "2",
           "what comes first was asked for once it was there");
    (void) raw(c, "FLUSHDB");
    (void) raw(c, "SELECT 0");
    (void) raw(c, "FLUSHDB");
}


static int
file_has(const char *path, const char *text, int whole)
{
    static char buf[65536];
    FILE *f;
    size_t n;

    f = fopen(path, "rb");
    if (f == NULL) {
        return 0;
    }

    n = fread(buf, 1, sizeof(buf) - 1, f);
    buf[n] = '\0';
    fclose(f);

    return whole ? strcmp(buf, text) == 0 : strstr(buf, text) != NULL;
}


static void
test_docs(void)
{
    ok(file_has("redis-schema/unlock.lua", dt_redis_unlock_lua, 1),
       "unlock.lua is what the program sends");
    ok(file_has("redis-schema/README.md", ACL_RULE, 0),
       "README has the rule that is tested below");
}


static void
test_schema(const server_t *s, redisContext *c)
{
    char *p;
    size_t len;
    char want[32];
    dt_redis_t *r = client(s->url, NULL);
    dt_redis_meta_t m = meta;

    is_int(get(r, "example.com"), DT_DECLINED, "get: nothing there");
    is_raw(dt_redis_errstr(r), "", "no message after success");

    m.learned_at = time(NULL);
    is_int(publish(r, dt_str("example.com"), (dt_str_t){ 6, "a\0b\r\n\xff" },
                   &m, 60),
           DT_OK, "put");

    is_int(fetch(r, dt_str("example.com"), &p, &len), DT_OK, "get");
    ok(len == 6 && memcmp(p, "a\0b\r\n\xff", 6) == 0, "the same bytes");
    free(p);

    is_raw(raw(c, "TTL dt:{example.com}:template"), "60", "template expires");
    is_raw(raw(c, "TTL dt:{example.com}:meta"), "60", "meta expires");
    is_raw(raw(c, "HGET dt:{example.com}:meta version"), "12", "version");
    is_raw(raw(c, "HGET dt:{example.com}:meta patterns"), "340", "patterns");
    is_raw(raw(c, "HGET dt:{example.com}:meta loads"), "7", "loads");
    is_raw(raw(c, "HGET dt:{example.com}:meta candidates"), "3", "candidates");
    is_raw(raw(c, "HGET dt:{example.com}:meta coverage"), "512", "coverage");
    is_raw(raw(c, "HGET dt:{example.com}:meta size"), "6", "size");
    is_raw(raw(c, "HGET dt:{example.com}:meta url"), meta.url, "url");
    snprintf(want, sizeof(want), "%lld", (long long) m.learned_at);
    is_raw(raw(c, "HGET dt:{example.com}:meta learned_at"), want,
           "learned_at");
    is_raw(raw(c, "ZSCORE dt:sites example.com"), want, "in sites");
    is_raw(raw(c, "XLEN dt:events"), "1", "one event");
    is_raw(raw(c, "EVAL %s 0",
               "local e = redis.call('XRANGE', 'dt:events', '-', '+')\n"
               "return table.concat(e[1][2], ' ')"),
           "site example.com version 12", "what the event says");

    m.url = NULL;
    m.redesigned = 1;
    is_int(publish(r, dt_str("nourl"), dt_str("x"), &m, 60), DT_OK,
           "put without URL");
    is_raw(raw(c, "EVAL %s 0",
               "local e = redis.call('XRANGE', 'dt:events', '-', '+')\n"
               "return table.concat(e[2][2], ' ')"),
           "site nourl version 12 redesign 1", "the event of a redesign");
    is_raw(raw(c, "HGET dt:{nourl}:meta url"), "", "an empty url");

    dt_redis_destroy(r);
}


static void
test_bounds(const server_t *s, redisContext *c)
{
    char *big, site[257];
    char *p;
    size_t len;
    dt_redis_t *r = client(s->url, NULL);
    dt_redis_meta_t m = meta;

    m.learned_at = time(NULL);
    big = calloc(1, DT_TEMPLATE_MAX + 1);
    big[DT_TEMPLATE_MAX - 1] = 'z';

    is_int(
        publish(r, dt_str("big"), (dt_str_t){ DT_TEMPLATE_MAX, big }, &m, 60),
        DT_OK, "put: the largest");
    is_int(fetch(r, dt_str("big"), &p, &len), DT_OK, "get: the largest");
    ok(len == DT_TEMPLATE_MAX && memcmp(p, big, len) == 0, "all of it");
    free(p);

    is_int(publish(r, dt_str("big"), (dt_str_t){ DT_TEMPLATE_MAX + 1, big },
                   &m, 60),
           DT_EINVAL, "put: too large");
    is_int(publish(r, dt_str("big"), (dt_str_t){ 0, big }, &m, 60), DT_EINVAL,
           "put: nothing");
    is_int(publish(r, dt_str("big"), (dt_str_t){ 1, big }, &m, 0), DT_EINVAL,
           "put: no time to live");

    raw(c, "APPEND dt:{big}:template z");
    is_int(fetch(r, dt_str("big"), &p, &len), DT_ELIMIT, "get: too large");
    ok(p == NULL && len == 0, "and nothing given out");
    raw(c, "DEL dt:{big}:template");
    free(big);

    memset(site, '{', sizeof(site));
    site[255] = '\0';
    is_int(put(r, site), DT_OK, "a site of 255 braces");
    is_int(get(r, site), DT_OK, "is found");
    site[255] = '{';
    site[256] = '\0';
    is_int(put(r, site), DT_ELIMIT, "a site of 256 bytes");
    is_int(get(r, ""), DT_ELIMIT, "a site without a name");

    m.learned_at = time(NULL) - 61;
    publish(r, dt_str("old"), dt_str("x"), &m, 60);
    is_raw(raw(c, "ZSCORE dt:sites old"), "nil", "sites: the old are gone");

    raw(c, "EVAL %s 0",
        "for i = 1, 10050 do redis.call('ZADD', 'dt:sites', '1e11', i) end\n"
        "for i = 1, 2000 do redis.call('XADD', 'dt:events', '*', 'i', i) end");
    is_int(put(r, "more"), DT_OK, "put into full lists");
    is_raw(raw(c, "ZCARD dt:sites"), "10000", "sites are bounded");
    ok(atoi(raw(c, "XLEN dt:events")) < 1200, "events are bounded");
    raw(c, "DEL dt:sites");

    dt_redis_destroy(r);
}


static void
test_names(const server_t *s, redisContext *c)
{
    static const struct {
        dt_str_t site;
        const char *key;
    } cases[] = {
        { dt_str("example.com:8080"), "dt:{example.com:8080}:template" },
        { dt_str("a}:x"), "dt:{a%7D:x}:template" },
        { dt_str("{}"), "dt:{%7B%7D}:template" },
        { dt_str("a b\r\nDEL x"), "dt:{a%20b%0D%0ADEL%20x}:template" },
        { dt_str("a%7D"), "dt:{a%257D}:template" },
        { dt_str("\0\x1b[2J"), "dt:{%00%1B[2J}:template" },
        { dt_str("b\xc3\xbc"), "dt:{b%C3%BC}:template" },
        { dt_str("%s%n"), "dt:{%25s%25n}:template" },
    };
    char name[128];
    dt_redis_t *r = client(s->url, NULL);
    dt_redis_meta_t m = meta;

    m.learned_at = time(NULL);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(name, sizeof(name), "name %zu: %s", i, cases[i].key);
        publish(r, cases[i].site, dt_str("x"), &m, 60);
        is_raw(raw(c, "EXISTS %s", cases[i].key), "1", name);
    }

    dt_redis_destroy(r);
}


static void
test_lock(const server_t *s, redisContext *c)
{
    dt_str_t site = dt_str("locked");
    dt_redis_t *a = client(s->url, NULL), *b = client(s->url, NULL);

    is_int(lock(a, site, "token-a", 30), DT_OK, "lock");
    is_raw(raw(c, "TTL dt:{locked}:lock"), "30", "it expires");
    is_int(lock(b, site, "token-b", 30), DT_DECLINED, "lock: another has it");
    is_int(unlock(b, site, "token-b"), DT_DECLINED, "unlock: not ours");
    is_raw(raw(c, "GET dt:{locked}:lock"), "token-a", "still there");
    is_int(unlock(a, site, "token-a"), DT_OK, "unlock");
    is_int(unlock(a, site, "token-a"), DT_DECLINED, "unlock: twice");
    is_int(lock(b, site, "token-b", 20), DT_OK, "now the other");
    is_int(lock(b, site, "token-b", 30), DT_OK, "anew, as it is ours");
    is_raw(raw(c, "TTL dt:{locked}:lock"), "30", "for as long again");
    is_int(put_and_unlock(a, "locked", "token-a"), DT_OK, "put: not ours");
    is_raw(raw(c, "GET dt:{locked}:lock"), "token-b", "still there");
    is_int(put_and_unlock(b, "locked", "token-b"), DT_OK, "put and unlock");
    is_raw(raw(c, "EXISTS dt:{locked}:lock"), "0", "the lock is gone");
    is_raw(raw(c, "EXISTS dt:{locked}:template"), "1", "the template is not");
    is_int(put_and_unlock(b, "locked", ""), DT_EINVAL, "put: empty token");
    is_int(lock(b, site, "", 30), DT_EINVAL, "an empty token");
    is_int(lock(b, site, "x", 0), DT_EINVAL, "no time to live");

    dt_redis_destroy(a);
    dt_redis_destroy(b);
}


static void
test_forget(const server_t *s, redisContext *c)
{
    dt_redis_t *r = client(s->url, NULL);

    raw(c, "FLUSHALL");
    put(r, "other");
    is_int(forget(r, "gone"), DT_DECLINED, "forget: nothing is there");
    is_int(put(r, "gone"), DT_OK, "put");
    is_int(forget(r, "gone"), DT_OK, "forget");
    is_raw(raw(c, "EXISTS dt:{gone}:template"), "0", "the template is gone");
    is_raw(raw(c, "EXISTS dt:{gone}:meta"), "0", "and what is known of it");
    is_raw(raw(c, "ZCARD dt:sites"), "1", "another site is there");
    is_raw(raw(c, "EXISTS dt:{other}:template"), "1", "with its template");
    is_raw(raw(c, "XLEN dt:events"), "4", "and each change is an event");
    is_int(forget(r, ""), DT_ELIMIT, "forget: no site");

    dt_redis_destroy(r);
}


static void
test_errors(const server_t *s, redisContext *c)
{
    dt_redis_t *r = client(s->url, NULL);

    raw(c, "FLUSHALL");
    put(r, "good");

    raw(c, "RPUSH dt:{list}:template x");
    is_int(get(r, "list"), DT_EINVAL, "get: another type");
    says(r, "WRONGTYPE", "the message says so");
    is_int(get(r, "good"), DT_OK, "other sites go on");

    raw(c, "RENAME dt:sites dt:was");
    raw(c, "SET dt:sites x");
    is_int(put(r, "good"), DT_EINVAL, "put: another type inside of EXEC");
    says(r, "WRONGTYPE", "the message says so");
    is_int(get(r, "good"), DT_OK, "other calls go on");
    raw(c, "DEL dt:sites");

    raw(c, "RPUSH dt:{good}:lock x");
    is_int(unlock(r, dt_str("good"), "t"), DT_EINVAL, "unlock: another type");
    is_int(get_again(r, "good"), DT_OK, "and on");

    raw(c, "CONFIG SET maxmemory 1");
    is_int(put(r, "good"), DT_EINVAL, "put: server without memory");
    says(r, "OOM", "the message says so");
    is_int(get(r, "good"), DT_OK, "get still works");
    raw(c, "CONFIG SET maxmemory 0");
    is_int(put(r, "good"), DT_OK, "put again");

    raw(c, "REPLICAOF 127.0.0.1 1");
    is_int(put(r, "good"), DT_EIO, "put: read-only replica");
    says(r, "READONLY", "the message says so");
    is_int(get_again(r, "good"), DT_OK, "get from a replica");
    raw(c, "CONFIG SET replica-serve-stale-data no");
    is_int(get(r, "good"), DT_EIO, "get: replica without master");
    says(r, "MASTERDOWN", "the message says so");
    raw(c, "REPLICAOF NO ONE");
    is_int(get(r, "good"), DT_EIO, "not at once after that");
    is_int(get_again(r, "good"), DT_OK, "but after the back-off");

    raw(c, "CLIENT KILL TYPE normal SKIPME yes");
    is_int(get(r, "good"), DT_OK, "closed while idle: connects anew");

    dt_redis_destroy(r);
}


static void
test_login(const server_t *s, redisContext *c)
{
    int fd;
    char url[128], file[64];
    dt_redis_t *r;

    /* another database, over TCP */
    snprintf(url, sizeof(url), "redis://127.0.0.1:%d/3", s->port);
    r = client(url, NULL);
    is_int(get(r, "good"), DT_DECLINED, "database 3 is not 0");
    is_int(put(r, "three"), DT_OK, "put over TCP");
    raw(c, "SELECT 3");
    is_raw(raw(c, "EXISTS dt:{three}:template"), "1", "is in database 3");
    raw(c, "SELECT 0");
    dt_redis_destroy(r);

    snprintf(url, sizeof(url), "redis://127.0.0.1:%d/999", s->port);
    r = client(url, NULL);
    is_int(put(r, "nowhere"), DT_EIO, "no such database");
    says(r, "out of range", "the message says so");
    is_raw(raw(c, "EXISTS dt:{nowhere}:template"), "0", "in no other either");
    dt_redis_destroy(r);

    /* a user with no more rights than README gives */
    is_raw(raw(c, "ACL SETUSER dt on >s%%e@c/ret " ACL_RULE), "OK",
           "the user of README");
    snprintf(url, sizeof(url), "redis://dt:s%%25e%%40c%%2Fret@127.0.0.1:%d",
             s->port);
    r = client(url, NULL);
    is_int(put(r, "acl"), DT_OK, "the user may put");
    is_int(get(r, "acl"), DT_OK, "and get");
    is_int(lock(r, dt_str("acl"), "t", 9), DT_OK, "and lock");
    is_int(unlock(r, dt_str("acl"), "t"), DT_OK, "and unlock");
    is_int(forget(r, "acl"), DT_OK, "and forget");
    is_int(put(r, "acl"), DT_OK, "and put again");

    raw(c, "ACL SETUSER dt -set");
    is_int(put(r, "acl"), DT_EINVAL, "without a right");
    says(r, "NOPERM", "the message says so");
    is_int(get(r, "acl"), DT_OK, "the others are still there");
    dt_redis_destroy(r);

    snprintf(url, sizeof(url), "unix:dt:s%%25e%%40c%%2Fret@%s", s->sock);
    r = client(url, NULL);
    is_int(get(r, "acl"), DT_OK, "the user over the socket");
    dt_redis_destroy(r);

    /* a password for all, from a file */
    raw(c, "CONFIG SET requirepass hidden-word");
    r = client(s->url, NULL);
    is_int(get(r, "good"), DT_EIO, "no password");
    says(r, "NOAUTH", "the message says so");
    dt_redis_destroy(r);

    snprintf(file, sizeof(file), "%s/password", s->dir);
    r = client(s->url, file);
    is_int(get(r, "good"), DT_EIO, "no password file");
    says(r, file, "the message names it");

    fd = open(file, O_WRONLY | O_CREAT, 0600);
    ok(write(fd, "hidden-word\r\n", 13) == 13, "the file is there now");
    close(fd);
    is_int(get_again(r, "good"), DT_OK, "is read at the next connect");
    dt_redis_destroy(r);

    snprintf(url, sizeof(url), "unix::wrong-word@%s", s->sock);
    r = client(url, NULL);
    is_int(get(r, "good"), DT_EIO, "a wrong password");
    says(r, "WRONGPASS", "the message says so");
    ok(strstr(dt_redis_errstr(r), "wrong-word") == NULL, "without the word");
    dt_redis_destroy(r);

    raw(c, "CONFIG SET requirepass %s", "");
}


/* a server without AUTH quotes the command in its error */
static void
test_quoting(void)
{
    char url[128];
    server_t s;
    dt_redis_t *r;
    redisContext *c;

    server_init(&s);
    server_spawn(&s, "--rename-command", "AUTH", "", NULL);
    c = raw_connect(&s);

    ok(strstr(raw(c, "AUTH secret-word"), "secret-word") != NULL,
       "a server that quotes");
    redisFree(c);

    snprintf(url, sizeof(url), "unix::secret-word@%s", s.sock);
    r = client(url, NULL);
    is_int(get(r, "a"), DT_EIO, "refuses");
    says(r, "log-in refused", "the message says so");
    ok(strstr(dt_redis_errstr(r), "secret-word") == NULL, "without the word");
    dt_redis_destroy(r);

    server_done(&s);
}


static void
test_away(void)
{
    char script[] = "for i = 1, 3000 do redis.call('SET', 'k' .. i, "
                    "string.rep('x', 100)) end";
    char moved[256];
    server_t s;
    dt_redis_t *r;
    redisContext *c;

    server_init(&s);
    server_spawn(&s, "--loglevel", "warning", NULL, NULL);
    c = raw_connect(&s);

    /* one that is not found, and at once is again */
    snprintf(moved, sizeof(moved), "%s.moved", s.sock);
    (void) rename(s.sock, moved);

    r = client(s.url, NULL);
    is_int(get(r, "a"), DT_EIO, "no server");
    says(r, "connect", "the message says so");

    (void) rename(moved, s.sock);
    is_int(get(r, "a"), DT_EIO, "not before the back-off has passed");
    says(r, "connect", "the message still says why");
    is_int(get_again(r, "a"), DT_DECLINED, "then it works");

    is_int(put(r, "a"), DT_OK, "put before a crash");
    raw(c, "EVAL %s 0", script);
    raw(c, "SAVE");
    redisFree(c);
    server_stop(&s, SIGKILL);
    is_int(get(r, "a"), DT_EIO, "server killed");

    server_spawn(&s, "--key-load-delay", "1000",
                 "--loading-process-events-interval-bytes", "1024");
    redisFree(raw_connect(&s));
    dt_redis_destroy(r);
    r = client(s.url, NULL);
    is_int(get(r, "a"), DT_EIO, "server is loading its data");
    says(r, "LOADING", "the message says so");
    is_int(get_again(r, "a"), DT_OK, "data is back");

    kill(s.pid, SIGSTOP);
    is_int(get(r, "a"), DT_EIO, "server hangs");
    says(r, "timed out", "the message says so");
    kill(s.pid, SIGCONT);
    is_int(get_again(r, "a"), DT_OK, "and is back");

    dt_redis_destroy(r);
    server_done(&s);
}


static int
listener(int *port)
{
    int fd;
    socklen_t len;
    struct sockaddr_in sin;

    memset(&sin, 0, sizeof(sin));
    sin.sin_family = AF_INET;
    sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    len = sizeof(sin);

    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *) &sin, len) != 0 || listen(fd, 4) != 0
        || getsockname(fd, (struct sockaddr *) &sin, &len) != 0)
    {
        printf("Bail out! no port\n");
        exit(1);
    }

    *port = ntohs(sin.sin_port);

    return fd;
}


/* a child that answers with first, and n times with text, then waits, or ends
   if wait is -1 */
static pid_t
liar(int *port, const char *first, const char *text, size_t n, long wait)
{
    int fd, c;
    char buf[4096];
    pid_t pid;

    fd = listener(port);
    pid = fork();
    if (pid != 0) {
        close(fd);
        return pid;
    }

    alarm(30);
    c = accept(fd, NULL, NULL);
    c = read(c, buf, sizeof(buf)) > 0 ? c : -1;
    (void) !write(c, first, strlen(first));

    for (size_t i = 0; i < n; i++) {
        if (write(c, text, strlen(text)) < 0) {
            break;
        }

        pause_ms(wait);
    }

    if (wait != -1) {
        (void) !read(c, buf, sizeof(buf));
    }

    _exit(0);
}


static void
test_liars(void)
{
    static char zeros[131073], string[131073];
    static const struct {
        const char *first, *text;
        size_t n;
        long wait;
        long ms; /* time of a call */
        const char *says;
        const char *name;
    } cases[] = {
        { "", "", 0, 0, CALL_MS, "timed out", "accepts and never answers" },
        { "", "", 0, -1, CALL_MS, "closed", "closes the connection" },
        { "", "+", 100, 50, CALL_MS, "too slow", "answers without end" },
        { "", "HTTP/1.1 400 Bad Request\r\n\r\n", 1, 0, CALL_MS,
          "Protocol error", "not a Redis server" },
        { "", "$999999999\r\n", 1, 0, CALL_MS, "timed out",
          "announces and sends nothing" },
        { "", "-ERR \x1b[2Jred\r\n", 1, 0, CALL_MS, "ERR ?[2Jred",
          "an error with escapes" },
        { "", "-MOVED 5798 127.0.0.1:1\r\n", 1, 0, CALL_MS, "MOVED 5798",
          "a node of a cluster that has not this key" },
        { "", "-CLUSTERDOWN Hash slot not served\r\n", 1, 0, CALL_MS,
          "CLUSTERDOWN", "a cluster that nobody has set up" },
        { "", "*3\r\n", 1, 0, CALL_MS, "timed out", "half an array" },
        { "", "*64\r\n", 1, 0, CALL_MS, "timed out", "half a larger one" },
        { "", "*65\r\n", 1, 0, CALL_MS, "too many elements",
          "an array that is too large" },
        { "", "*2000000000\r\n", 1, 0, CALL_MS, "too many elements",
          "an array of 16 GB" },
        { "*2\r\n*60\r\n", ":1\r\n", 60, 0, CALL_MS, "timed out",
          "arrays in an array" },
        { "*3\r\n*2\r\n:1\r\n:1\r\n", "*60\r\n", 1, 0, CALL_MS,
          "too many elements", "too large, all in all" },
        { "", zeros, 80, 0, 20000, "too long", "sends more than a template" },
        { "*64\r\n", string, 31, 0, CALL_MS, "timed out",
          "an array as long as a template" },
        { "*64\r\n", string, 40, 0, 20000, "too long",
          "an array of more than a template" },
    };
    int port;
    char url[64];
    pid_t pid;
    dt_redis_t *r;

    memset(zeros, 'x', sizeof(zeros) - 1);
    memcpy(zeros, "+", 1);
    snprintf(string, sizeof(string), "$%d\r\n%.*s\r\n", 131072 - 12,
             131072 - 12, zeros);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        pid = liar(&port, cases[i].first, cases[i].text, cases[i].n,
                   cases[i].wait);
        snprintf(url, sizeof(url), "redis://127.0.0.1:%d", port);

        r = patient(url, NULL, cases[i].ms);
        is_int(get(r, "a"), DT_EIO, cases[i].name);
        says(r, cases[i].says, "the message says so");
        is_int(get(r, "a"), DT_EIO, "no second attempt at once");
        dt_redis_destroy(r);

        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}


static void
on_close(void *data)
{
    unsigned *closed = data;

    ++*closed;
}


/* an answer that nobody waits for ends the connection, not the call before */
static void
test_unasked(void)
{
    int port;
    char url[64];
    unsigned closed = 0;
    pid_t pid;
    dt_redis_t *r;

    pid = liar(&port, "$1\r\na\r\n$1\r\nb\r\n", "", 0, 0);
    snprintf(url, sizeof(url), "redis://127.0.0.1:%d", port);

    r = patient(url, NULL, CALL_MS);
    dt_redis_on_close(r, on_close, &closed);
    is_int(get(r, "a"), DT_OK, "two answers to one command");
    is_int(closed, 1, "the second one ends the connection");
    dt_redis_destroy(r);

    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);

    /* before the log-in has an answer, nothing else is sent */
    pid = liar(&port, "+OK\r\n$1\r\na\r\n", "", 0, 0);
    snprintf(url, sizeof(url), "redis://:pass@127.0.0.1:%d", port);

    r = patient(url, NULL, CALL_MS);
    is_int(get(r, "a"), DT_EIO, "an answer to what was not asked yet");
    says(r, "came before its command", "the message says so");
    dt_redis_destroy(r);

    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}


/* a child that answers the first n calls after so many ms, then at once; with
   the number of the answer */
static pid_t
sluggard(int *port, long ms, int n)
{
    int fd, c, i = 0;
    char buf[4096], answer[16];
    pid_t pid;

    fd = listener(port);
    pid = fork();
    if (pid != 0) {
        close(fd);
        return pid;
    }

    alarm(60);

    for (;;) {
        c = accept(fd, NULL, NULL);

        while (read(c, buf, sizeof(buf)) > 0) {
            pause_ms(i < n ? ms : 0);
            snprintf(answer, sizeof(answer), "$2\r\n%02d\r\n", ++i % 100);
            (void) !write(c, answer, strlen(answer));
        }

        close(c);
    }
}


static void
test_slow(void)
{
    int port;
    char url[64], *p;
    size_t len;
    pid_t pid;
    dt_redis_t *r;

    pid = sluggard(&port, 0, 0);
    snprintf(url, sizeof(url), "redis://127.0.0.1:%d", port);
    r = patient(url, NULL, 4000);

    for (int i = 0; i < 10; i++) {
        is_int(get(r, "a"), DT_OK, "a quick answer");
        is_str(dt_redis_errstr(r), strlen(dt_redis_errstr(r)), "",
               "nothing to say");
    }

    dt_redis_destroy(r);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);

    /* within the time-out, but over a quarter of it: four of them */
    pid = sluggard(&port, 300, 4);
    snprintf(url, sizeof(url), "redis://127.0.0.1:%d", port);
    r = patient(url, NULL, 1000);

    is_int(get(r, "a"), DT_OK, "a slow answer");
    is_int(get(r, "a"), DT_OK, "another one");
    is_str(dt_redis_errstr(r), strlen(dt_redis_errstr(r)), "",
           "nothing to say yet");
    is_int(get(r, "a"), DT_OK, "the third one");
    says(r, "too slowly", "the message says so");
    is_int(get(r, "a"), DT_EIO, "then none is asked for");

    /* the fourth answer goes to nobody, nor does the fifth, which is quick */
    is_int(get_again(r, "a"), DT_OK, "until it is quick");
    (void) fetch(r, dt_str("a"), &p, &len);
    ok(len == 2 && memcmp(p, "07", 2) >= 0, "one slow answer is then enough");
    is_str(dt_redis_errstr(r), strlen(dt_redis_errstr(r)), "",
           "nothing to say any more");
    free(p);

    dt_redis_destroy(r);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}


/* many calls at once, on one connection */
static void
test_queue(const server_t *s)
{
    char *big, site[32];
    answer_t a[300], many = { 0 };
    unsigned told = 0, right = 0;
    dt_redis_t *r = client(s->url, NULL), *gone = client(s->url, NULL);
    dt_redis_meta_t m = meta;

    m.learned_at = time(NULL);

    for (int i = 0; i < 100; i++) {
        snprintf(site, sizeof(site), "queue%d", i);
        dt_redis_put(r, dt_cstr(site), dt_cstr(site), &m, 60, NULL, to(&many));
        dt_redis_get(r, dt_cstr(site), to(&a[i]));
        told += a[i].told;
    }

    is_int(told, 0, "nobody is told before the loop");
    is_int(ended(r, &a[99]), DT_OK, "the last of two hundred calls");

    for (int i = 0; i < 100; i++) {
        snprintf(site, sizeof(site), "queue%d", i);
        told += a[i].told;
        right += a[i].rc == DT_OK && a[i].len == strlen(site)
                 && memcmp(a[i].bytes, site, a[i].len) == 0;
        free(a[i].bytes);
    }

    is_int(told, 100, "each is told once");
    is_int(right, 100, "and in its turn");

    for (int i = 0; i < 300; i++) {
        dt_redis_get(r, dt_str("queue0"), to(&a[i]));
    }

    is_int(a[255].told, 0, "256 calls may wait");
    is_int(a[256].rc, DT_ELIMIT, "and no more");
    says(r, "too many", "the message says so");
    is_int(ended(r, &a[255]), DT_OK, "those that wait are answered");
    is_int(get(r, "queue0"), DT_OK, "and others again");

    for (int i = 0; i < 300; i++) {
        free(a[i].bytes);
    }

    big = calloc(1, DT_TEMPLATE_MAX);

    for (int i = 0; i < 3; i++) {
        dt_redis_put(r, dt_str("big"), (dt_str_t){ DT_TEMPLATE_MAX, big }, &m,
                     60, NULL, to(&a[i]));
    }

    is_int(a[1].told, 0, "8 MiB may wait");
    is_int(a[2].rc, DT_ELIMIT, "and not much more");
    is_int(ended(r, &a[1]), DT_OK, "those that wait are published");
    free(big);

    dt_redis_get(gone, dt_str("queue0"), to(&a[0]));
    dt_redis_destroy(gone);
    is_int(a[0].told, 0, "who waits is not told of the end");

    dt_redis_destroy(r);
}


int
main(void)
{
    server_t s;
    redisContext *c;

    setvbuf(stdout, NULL, _IOLBF, 0);

    if (system("redis-server --version >/dev/null 2>&1") != 0) {
        printf("1..0 # SKIP redis-server is not installed\n");
        return 0;
    }

    signal(SIGPIPE, SIG_IGN);
    alarm(240);

    test_options();
    test_docs();

    server_init(&s);
    server_spawn(&s, "--loglevel", "warning", NULL, NULL);
    c = raw_connect(&s);

    test_schema(&s, c);
    test_bounds(&s, c);
    test_names(&s, c);
    test_lock(&s, c);
    test_forget(&s, c);
    test_errors(&s, c);
    test_login(&s, c);
    test_queue(&s);
    test_addresses(&s, c);

    redisFree(c);
    server_done(&s);

    test_quoting();
    test_away();
    test_liars();
    test_unasked();
    test_slow();

    return done();
}
