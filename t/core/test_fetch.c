
/*
 * Copyright (C) The detemplate authors
 *
 * Against a real server: a child that answers by path, one child more per
 * connection, on a port of loopback that was free.  What it was asked, and by
 * how many at once, it writes down in memory that all share.
 */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "core/web/fetch.h"
#include "core/web/robots.h"
#include "test.h"

#define HTML                                                                  \
    "HTTP/1.1 200 OK\r\nConnection: close\r\n"                                \
    "Content-Type: text/html\r\n"
#define MOVED                                                                 \
    "HTTP/1.1 302 Found\r\nConnection: close\r\n"                             \
    "Content-Length: 0\r\nLocation: "

typedef struct {
    atomic_int requests;
    char last[4096]; /* the last request */
} shared_t;

static shared_t *shared;
static int port;
static char base[32];
static dt_arena_t *arena;

/* gzip of "<p>unpacked</p>\n" */
static const unsigned char packed[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xb3, 0x29,
    0xb0, 0x2b, 0xcd, 0x2b, 0x48, 0x4c, 0xce, 0x4e, 0x4d, 0xb1, 0xd1, 0x2f,
    0xb0, 0xe3, 0x02, 0x00, 0x84, 0x04, 0xca, 0xb1, 0x10, 0x00, 0x00, 0x00,
};

static int
put(int fd, const void *p, size_t len)
{
    ssize_t n;
    size_t done;

    for (done = 0; done < len; done += (size_t) n) {
        n = send(fd, (const char *) p + done, len - done, MSG_NOSIGNAL);
        if (n <= 0) {
            return -1;
        }
    }

    return 0;
}

static int
puts_to(int fd, const char *s)
{
    return put(fd, s, strlen(s));
}

/* 64 MiB at most, so that the child ends whatever the other side does */
static void
endless(int fd, const char *head)
{
    char buf[16 * 1024];

    memset(buf, 'a', sizeof(buf));
    puts_to(fd, head);

    for (int i = 0; i < 4096 && put(fd, buf, sizeof(buf)) == 0; i++) {
        /* void */
    }
}

/*
 * A gzip stream of one literal and then matches of 258 bytes, in the fixed
 * codes of RFC 1951: 13 bits each, so 158 times smaller than what it becomes.
 */
static void
bomb(int fd)
{
    unsigned char buf[13 * 1024];
    size_t n = 10, bits = 0;
    static const unsigned char head[10] = { 0x1f, 0x8b, 8 };

    /* the order in which bits go out: codes with their high bit first */
    static const char first[] = "110"
                                "10010001";
    static const char match[] = "11000101"
                                "00000";

    puts_to(fd, HTML "Content-Encoding: gzip\r\n\r\n");

    memset(buf, 0, sizeof(buf));
    memcpy(buf, head, sizeof(head));

    for (const char *p = first;; p = match) {
        for (; *p && n < sizeof(buf); p++) {
            buf[n] |= (unsigned char) ((*p == '1') << bits);
            bits = (bits + 1) & 7;
            n += bits == 0;
        }

        if (n == sizeof(buf)) {
            break;
        }
    }

    put(fd, buf, sizeof(buf));
}

/* 100 KB that one chunk of 1,300 bytes becomes, all of it read at once */
static void
much(int fd)
{
    char size[16];
    unsigned char buf[2048];
    unsigned long len = 0;
    z_stream z = { 0 };
    static char text[100 * 1024];

    for (size_t i = 0; i < sizeof(text); i++) {
        text[i] = (char) ('a' + i * i / 977 % 11 * (i % 64 == 0));
    }

    if (deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
        z.next_in = (unsigned char *) text;
        z.avail_in = sizeof(text);
        z.next_out = buf;
        z.avail_out = sizeof(buf);
        (void) deflate(&z, Z_FINISH);
        len = z.total_out;
        (void) deflateEnd(&z);
    }

    snprintf(size, sizeof(size), "%lx\r\n", len);
    puts_to(fd, HTML "Content-Encoding: gzip\r\n"
                     "Transfer-Encoding: chunked\r\n\r\n");
    puts_to(fd, size);
    put(fd, buf, len);
    puts_to(fd, "\r\n0\r\n\r\n");
}

/* five seconds of a body, never so slow that it counts as stalled */
static void
slow(int fd)
{
    char buf[200];

    memset(buf, 'a', sizeof(buf));
    puts_to(fd, HTML "\r\n");

    for (int i = 0; i < 100 && put(fd, buf, sizeof(buf)) == 0; i++) {
        usleep(50 * 1000);
    }
}

static void
reset(int fd)
{
    struct linger l = { 1, 0 };

    puts_to(fd, HTML "Content-Length: 100\r\n\r\nabc");
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof(l));
    close(fd);
    _exit(0);
}

static void
big_header(int fd, size_t lines, size_t len)
{
    char buf[4096];

    memset(buf, 'x', sizeof(buf));
    puts_to(fd, HTML);

    for (size_t i = 0; i < lines; i++) {
        puts_to(fd, "X-Big: ");
        for (size_t done = 0; done < len; done += sizeof(buf)) {
            if (put(fd, buf, sizeof(buf)) == -1) {
                return;
            }
        }
        puts_to(fd, "\r\n");
    }

    puts_to(fd, "\r\nabc");
}

static const char *const canned[][2] = {
    { "/ok", HTML "Content-Length: 9\r\n\r\n<p>ok</p>" },
    { "/ok?q=plums", HTML "\r\nfound" },
    { "/ok?PHPSESSID=1", HTML "\r\nwith it" },
    { "/sub/ok", HTML "Content-Length: 3\r\n\r\nsub" },
    { "/empty", HTML "Content-Length: 0\r\n\r\n" },
    { "/chunked", HTML "Transfer-Encoding: chunked\r\n\r\n"
                       "3\r\n<p>\r\n6\r\nab</p>\r\n0\r\nX-Sum: 1\r\n\r\n" },
    { "/half-chunked", HTML "Transfer-Encoding: chunked\r\n\r\n"
                            "3\r\n<p>\r\n" },
    { "/early",
      "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=b\r\n\r\n" HTML "\r\nafter" },
    { "/xhtml", "HTTP/1.0 200 OK\r\nContent-Type: Application/XHTML+xml ; "
                "charset=utf-8\r\n\r\nx" },
    { "/public", HTML "Cache-Control: public, max-age=60\r\n\r\npublic" },

    { "/404", "HTTP/1.1 404 Not Found\r\nConnection: close\r\n"
              "Content-Type: text/html\r\n\r\nnone" },
    { "/503", "HTTP/1.1 503 Busy\r\nConnection: close\r\n\r\nlater" },
    { "/204", "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n" },
    { "/png", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nabc" },
    { "/like", "HTTP/1.1 200 OK\r\nContent-Type: text/htmlx\r\n\r\nabc" },
    { "/untyped", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc" },
    { "/robots.txt", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                     "Set-Cookie: a=b\r\nConnection: close\r\n\r\nallow" },

    { "/cookie", HTML "Set-Cookie: a=b\r\n\r\nabc" },
    { "/later", "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\n\r\nx" },
    { "/later-date", "HTTP/1.1 429 Many\r\nRetry-After: "
                     "Fri, 01 Jan 2100 00:00:00 GMT\r\n\r\nx" },
    { "/later-never", "HTTP/1.1 503 Busy\r\n"
                      "Retry-After: 99999999999\r\n\r\nx" },
    { "/later-odd", "HTTP/1.1 503 Busy\r\nRetry-After: -1x\r\n\r\nx" },
    { "/later-long", "HTTP/1.1 503 Busy\r\nRetry-After: 120"
                     "                                                    "
                     "                                                  x\r\n"
                     "\r\nx" },
    { "/later-200", HTML "Retry-After: 120\r\n\r\nabc" },
    { "/excluded", HTML "detemplate-learner: off\r\n\r\nabc" },
    { "/excluded-once", "HTTP/1.1 103 Early Hints\r\n"
                        "Detemplate-Learner: off\r\n\r\n" HTML "\r\nabc" },
    { "/private", HTML "Cache-Control: max-age=0, Private\r\n\r\nabc" },
    { "/private-field", HTML "Cache-Control: private=\"x\"\r\n\r\nabc" },
    { "/no-store", HTML "Cache-Control: public\r\n"
                        "cache-control: no-store\r\n\r\nabc" },

    { "/short", HTML "Content-Length: 100\r\n\r\nabc" },
    { "/long", HTML "Content-Length: 99999999\r\n\r\nabc" },
    { "/no-gzip", HTML "Content-Encoding: gzip\r\n\r\nabcdefghijklmnop" },
    { "/coding", HTML "Content-Encoding: secret\r\n\r\nabc" },
    { "/not-http", "hello, who is there?\r\n" },
    { "/nothing", "" },

    { "/moved", MOVED "/ok\r\n\r\n" },
    { "/moved-twice", MOVED "moved\r\n\r\n" },
    { "/moved-cookie", MOVED "/ok\r\nSet-Cookie: a=b\r\n\r\n" },
    { "/moved-search", MOVED "/ok?q=plums\r\n\r\n" },
    { "/moved-through", MOVED "/sub/login/../logout?to=x\r\n\r\n" },
    { "/moved-hidden", MOVED "/x%2Flog%6Fut\r\n\r\n" },
    { "/moved-many", MOVED "/ok?a&b&c&d&e\r\n\r\n" },
    { "/moved-session", MOVED "/ok?PHPSESSID=1\r\n\r\n" },
    { "/loop", MOVED "/loop\r\n\r\n" },
    { "/off-site", MOVED "http://example.com/\r\n\r\n" },
    { "/off-port", MOVED "http://127.0.0.1:1/\r\n\r\n" },
    { "/off-http", MOVED "file:///etc/passwd\r\n\r\n" },
    { "/nowhere", "HTTP/1.1 302 Found\r\nConnection: close\r\n\r\n" },
};

static void
answer(int fd, const char *path)
{
    if (strcmp(path, "/gzip") == 0) {
        puts_to(fd, HTML "Content-Encoding: gzip\r\n\r\n");
        put(fd, packed, sizeof(packed));

    } else if (strcmp(path, "/bomb") == 0) {
        bomb(fd);

    } else if (strcmp(path, "/much") == 0) {
        much(fd);

    } else if (strcmp(path, "/endless") == 0) {
        endless(fd, HTML "\r\n");

    } else if (strcmp(path, "/endless-header") == 0) {
        big_header(fd, 100000, 4096);

    } else if (strcmp(path, "/long-header") == 0) {
        big_header(fd, 1, 1 << 20);

    } else if (strcmp(path, "/slow") == 0) {
        slow(fd);

    } else if (strcmp(path, "/reset") == 0) {
        reset(fd);

    } else if (strncmp(path, "/sub/to?", 8) == 0) {
        puts_to(fd, MOVED);
        puts_to(fd, path + 8);
        puts_to(fd, "\r\n\r\n");
    }

    for (size_t i = 0; i < sizeof(canned) / sizeof(canned[0]); i++) {
        if (strcmp(path, canned[i][0]) == 0) {
            puts_to(fd, canned[i][1]);
        }
    }
}

static void
connection(int fd)
{
    char buf[4096], path[256];
    ssize_t n;
    size_t len;

    alarm(20);

    atomic_fetch_add(&shared->requests, 1);
    for (len = 0; len < sizeof(buf) - 1; len += (size_t) n) {
        n = recv(fd, buf + len, sizeof(buf) - 1 - len, 0);
        if (n <= 0) {
            break;
        }

        buf[len + (size_t) n] = '\0';
        if (strstr(buf, "\r\n\r\n") != NULL) {
            break;
        }
    }

    memcpy(shared->last, buf, sizeof(buf));

    if (sscanf(buf, "GET %255s ", path) == 1) {
        answer(fd, path);
    }

    _exit(0);
}

static void
serve(int fd)
{
    int conn;

    signal(SIGCHLD, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(60);

    for (;;) {
        conn = accept(fd, NULL, NULL);
        if (conn == -1) {
            _exit(1);
        }

        if (fork() == 0) {
            close(fd);
            connection(conn);
        }

        close(conn);
    }
}

/* a server on a free port */
static pid_t
start(void)
{
    int fd;
    pid_t pid;
    socklen_t len;
    struct sockaddr_in sin;

    memset(&sin, 0, sizeof(sin));
    sin.sin_family = AF_INET;
    sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    len = sizeof(sin);

    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *) &sin, len) == -1
        || getsockname(fd, (struct sockaddr *) &sin, &len) == -1)
    {
        return -1;
    }

    port = ntohs(sin.sin_port);
    snprintf(base, sizeof(base), "http://127.0.0.1:%d", port);

    if (listen(fd, 64) == -1) {
        return -1;
    }

    pid = fork();
    if (pid == 0) {
        serve(fd);
    }

    close(fd);

    return pid;
}

static void
stop(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void
get(dt_fetcher_t *f, const char *path, dt_fetched_t *out)
{
    char url[256];

    snprintf(url, sizeof(url), "%s%s", base, path);
    memset(out, 0xff, sizeof(dt_fetched_t));
    dt_fetcher_get(f, url, arena, out);
}

static void
get_raw(dt_fetcher_t *f, const char *path, dt_fetched_t *out)
{
    char url[256];

    snprintf(url, sizeof(url), "%s%s", base, path);
    dt_fetcher_get_raw(f, url, arena, out);
}

static void
gives(dt_fetcher_t *f, const char *path, const char *body, const char *name)
{
    dt_fetched_t got;

    get(f, path, &got);

    if (got.rc != DT_OK) {
        is_str(got.errstr, strlen(got.errstr), "", name);
        return;
    }

    is_str(got.body.data, got.body.len, body, name);
}

static void
refuses(dt_fetcher_t *f, const char *path, dt_status_t rc, const char *reason,
        const char *name)
{
    char text[128];
    dt_fetched_t got;

    get(f, path, &got);

    snprintf(text, sizeof(text), "%s: %s", name, reason);
    is_str(got.reason, strlen(got.reason), reason, text);

    if (got.rc != rc || got.errstr[0] == '\0' || got.body.len) {
        printf("# status %s, errstr '%s'\n", dt_strstatus(got.rc), got.errstr);
        ok(0, "the status is right, and errstr says why");
    }
}

static void
test_pages(dt_fetcher_t *f)
{
    dt_fetched_t got;

    get(f, "/ok", &got);
    is_int(got.rc, DT_OK, "a page");
    is_int(got.status, 200, "its status");
    is_str(got.body.data, got.body.len, "<p>ok</p>", "its body");
    is_str(got.type.data, got.type.len, "text/html", "its type");
    is_str(got.reason, strlen(got.reason), "ok", "its reason");
    ok(strncmp(got.url.data, base, strlen(base)) == 0, "its URL");
    ok(strstr(shared->last, "\r\nUser-Agent: detemplate/") != NULL,
       "the agent says who it is");
    ok(strstr(shared->last, "\r\nX-Marker: 1\r\n") != NULL,
       "the marker is sent");
    ok(strstr(shared->last, "\r\nAccept-Encoding: ") != NULL
           && strstr(shared->last, "gzip") != NULL,
       "compression is asked for");

    gives(f, "/empty", "", "an empty page");
    gives(f, "/chunked", "<p>ab</p>", "in chunks, with a trailer");
    gives(f, "/early", "after", "behind a 103, whose cookie does not count");
    gives(f, "/xhtml", "x", "XHTML, HTTP/1.0");
    gives(f, "/public", "public", "public");
    gives(f, "/gzip", "<p>unpacked</p>\n", "gzip");
    gives(f, "/ok#x", "<p>ok</p>", "a URL with a fragment");

    get(f, "/much", &got);
    is_int(got.rc, DT_OK, "much that comes compressed in a chunk");
    is_int((long long) got.body.len, 100 * 1024, "all of it");

    get(f, "/moved-twice", &got);
    is_int(got.rc, DT_OK, "two redirects");
    is_str(got.url.data + strlen(base), got.url.len - strlen(base), "/ok",
           "the URL is the last one");
    gives(f, "/moved-cookie", "<p>ok</p>", "a redirect that sets a cookie");
    ok(strstr(shared->last, "\r\nCookie:") == NULL, "which is not sent");
}

static void
test_asked(dt_fetcher_t *f)
{
    dt_robots_t *r = NULL;
    dt_arena_t *a = dt_arena_create(65536);

    /* "/moved-twice" leads there */

    (void) dt_robots_parse(dt_str("User-agent: *\nDisallow: /ok\n"),
                           dt_str("detemplate"), a, &r);
    dt_fetcher_obey(f, r);
    gives(f, "/ok", "<p>ok</p>", "the caller knows what it may ask for");
    refuses(f, "/moved-twice", DT_DECLINED, "robots",
            "but not where it leads");
    dt_fetcher_obey(f, NULL);
    dt_arena_destroy(a);
}

/* where a redirect leads is judged as links are, before it is asked for */
static void
test_learns(dt_fetcher_t *f)
{
    size_t i;
    int asked;
    dt_fetcher_t *any;
    dt_fetch_opts_t o;
    dt_fetched_t got;

    static const char *const to[] = {
        "/moved-search",
        "/moved-through",
        "/moved-hidden",
        "/moved-many",
    };

    dt_fetch_opts_init(&o);
    any = dt_fetcher_create(&o);

    for (i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
        asked = shared->requests;
        refuses(f, to[i], DT_DECLINED, "redirect", to[i]);
        is_int(shared->requests - asked, 1, "one request");

        get(any, to[i], &got);
        is_int(shared->requests - asked, 3, "two, when it is not to learn");
    }

    dt_fetcher_destroy(any);

    gives(f, "/moved-session", "with it", "a redirect that adds a session");

    get_raw(f, "/moved-search", &got);
    is_str(got.body.data, got.body.len, "found", "raw: wherever it is");
}

static void
test_refused(dt_fetcher_t *f)
{
    dt_fetched_t got;

    refuses(f, "/404", DT_DECLINED, "status", "not found");
    refuses(f, "/503", DT_EIO, "status", "busy");
    refuses(f, "/204", DT_DECLINED, "status", "no content");
    refuses(f, "/nowhere", DT_DECLINED, "status", "a redirect to nowhere");
    refuses(f, "/png", DT_DECLINED, "type", "an image");
    refuses(f, "/like", DT_DECLINED, "type", "a type that begins like HTML");
    refuses(f, "/untyped", DT_DECLINED, "type", "no type");
    refuses(f, "/robots.txt", DT_DECLINED, "type", "text");

    refuses(f, "/excluded", DT_DECLINED, "excluded", "no evidence");
    gives(f, "/excluded-once", "abc", "only the last header counts");

    refuses(f, "/loop", DT_DECLINED, "redirect", "a loop");
    refuses(f, "/off-site", DT_DECLINED, "redirect", "off the site");
    refuses(f, "/off-port", DT_DECLINED, "redirect", "another port");
    refuses(f, "/off-http", DT_DECLINED, "redirect", "a file");

    refuses(f, "/bomb", DT_ELIMIT, "too-large", "a gzip bomb");
    refuses(f, "/endless", DT_ELIMIT, "too-large", "an endless body");
    refuses(f, "/long", DT_ELIMIT, "too-large", "a long body, announced");
    refuses(f, "/endless-header", DT_ELIMIT, "too-large", "endless headers");
    /* libcurl has its own bound on a line, and other words for it */
    get(f, "/long-header", &got);
    ok(got.rc != DT_OK, "an endless line of a header");

    refuses(f, "/no-gzip", DT_EIO, "encoding", "gzip that is none");
    refuses(f, "/coding", DT_EIO, "encoding", "an unknown coding");

    refuses(f, "/short", DT_EIO, "truncated", "less than announced");
    refuses(f, "/half-chunked", DT_EIO, "truncated", "no last chunk");
    refuses(f, "/reset", DT_EIO, "network", "a reset");
    refuses(f, "/not-http", DT_EIO, "network", "not HTTP");
    refuses(f, "/nothing", DT_EIO, "network", "no answer");

    gives(f, "/ok", "<p>ok</p>", "and a page again");
}

/* pages that caches may not share */
static void
test_shared(void)
{
    unsigned i;
    dt_fetcher_t *f;
    dt_fetch_opts_t o;
    dt_fetched_t got;

    static const char *const cases[][3] = {
        { "/cookie", "cookie", "sent Set-Cookie" },
        { "/private", "private", "sent Cache-Control: max-age=0, Private" },
        { "/private-field", "private", "sent Cache-Control: private=\"x\"" },
        { "/no-store", "private", "sent Cache-Control: no-store" },
    };

    for (i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        dt_fetch_opts_init(&o);
        o.shared = i & 1;
        f = dt_fetcher_create(&o);
        get(f, cases[i / 2][0], &got);
        is_int(got.rc, o.shared ? DT_DECLINED : DT_OK, cases[i / 2][0]);

        if (o.shared) {
            is_str(got.reason, strlen(got.reason), cases[i / 2][1], "reason");
            is_str(got.errstr, strlen(got.errstr), cases[i / 2][2], "field");
        }

        dt_fetcher_destroy(f);
    }
}

/* how long a server wants to be left alone */
static void
test_retry(dt_fetcher_t *f)
{
    unsigned i;
    dt_fetched_t got;

    static const struct {
        const char *path;
        unsigned least;
        unsigned most;
    } cases[] = {
        { "/later", 120, 120 },
        /* to be had where time_t does not end before */
        { "/later-date", sizeof(time_t) < 8 ? 0 : 86400, 86400 },
        { "/later-never", 86400, 86400 },
        { "/later-odd", 0, 0 },
        { "/later-long", 0, 0 },
        { "/later-200", 0, 0 },
        { "/404", 0, 0 },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        get(f, cases[i].path, &got);
        ok(got.retry_after >= cases[i].least
               && got.retry_after <= cases[i].most,
           cases[i].path);
    }
}

/* what depends on other options */
static void
test_options(void)
{
    char to[32], url[128];
    dt_fetcher_t *f;
    dt_fetched_t got;
    dt_fetch_opts_t o;
    dt_arena_t *small;

    dt_fetch_opts_init(&o);
    o.total_ms = 300;
    o.max_redirects = 1;
    o.agent = "detemplate/x (test)";
    f = dt_fetcher_create(&o);
    refuses(f, "/slow", DT_EIO, "timeout", "a slow body");
    refuses(f, "/moved-twice", DT_DECLINED, "redirect", "one hop allowed");
    gives(f, "/moved", "<p>ok</p>", "one hop made");
    ok(strstr(shared->last, "\r\nUser-Agent: detemplate/x (test)\r\n") != NULL,
       "another agent");
    dt_fetcher_destroy(f);

    /* time for all pages, of which what passes between them is no part */

    dt_fetch_opts_init(&o);
    o.all_ms = 1000;
    f = dt_fetcher_create(&o);
    gives(f, "/ok", "<p>ok</p>", "time for all, first page");
    usleep(1100000);
    gives(f, "/ok", "<p>ok</p>", "time for all, a pause is no part of it");
    refuses(f, "/slow", DT_EIO, "timeout", "time for all, a slow body");
    refuses(f, "/ok", DT_EIO, "timeout", "time for all, none is left");
    dt_fetcher_destroy(f);

    dt_fetch_opts_init(&o);
    o.max_bytes = 8;
    f = dt_fetcher_create(&o);
    refuses(f, "/ok", DT_ELIMIT, "too-large", "nine bytes of eight");
    gives(f, "/public", "public", "six of them");
    dt_fetcher_destroy(f);

    dt_fetch_opts_init(&o);
    o.max_ratio = 1000;
    o.max_bytes = 200000;
    f = dt_fetcher_create(&o);
    refuses(f, "/bomb", DT_ELIMIT, "too-large", "a bomb under the ratio");
    dt_fetcher_destroy(f);

    snprintf(to, sizeof(to), "127.0.0.1:%d", port);
    dt_fetch_opts_init(&o);
    o.connect_to = to;
    f = dt_fetcher_create(&o);
    memset(to, 0, sizeof(to));
    dt_fetcher_get(f, "http://no.such.example/ok", arena, &got);
    is_int(got.rc, DT_OK, "a host that is connected to elsewhere");
    ok(strstr(shared->last, "\r\nHost: no.such.example\r\n") != NULL,
       "is the one that is asked for");

    small = dt_arena_create(20 * 1024);
    snprintf(url, sizeof(url), "%s/endless", base);
    dt_fetcher_get(f, url, small, &got);
    is_int(got.rc, DT_ENOMEM, "an arena that is full");
    dt_arena_destroy(small);

    dt_fetcher_get(f, "ftp://127.0.0.1/", arena, &got);
    is_str(got.reason, strlen(got.reason), "url", "a URL that is not ours");
    dt_fetcher_destroy(f);

    dt_fetch_opts_init(&o);
    f = dt_fetcher_create(&o);
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    gives(f, "/ok", "<p>ok</p>", "no proxy from the environment");
    unsetenv("http_proxy");
    dt_fetcher_get(f, "http://127.0.0.1:1/", arena, &got);
    is_str(got.reason, strlen(got.reason), "connect", "nobody listens");
    is_int(got.rc, DT_EIO, "may work later");
    dt_fetcher_destroy(f);
}

/* a site whose pages lie elsewhere */
static void
test_origin(void)
{
    size_t i;
    char origin[64], url[256];
    dt_fetch_opts_t o;
    dt_fetcher_t *f;
    dt_fetched_t got;

    static const struct {
        const char *to; /* %d: the port */
        dt_status_t rc;
        const char *name;
    } moves[] = {
        { "/ok", DT_OK, "a path" },
        { "http://www.no.such.example/ok", DT_OK, "the site" },
        { "http://no.such.example:%d/sub/ok", DT_OK, "with its port" },
        { "http://127.0.0.1:%d/sub/ok", DT_OK, "itself" },
        { "http://127.0.0.1:%d/ok", DT_DECLINED, "beside it" },
        { "http://127.0.0.1:%d/sub//a.example/ok", DT_DECLINED,
          "two slashes" },
        { "http://127.0.0.1/sub/ok", DT_DECLINED, "another port" },
        { "http://other.example:%d/sub/ok", DT_DECLINED, "another host" },
    };

    snprintf(origin, sizeof(origin), "%s/sub", base);
    dt_fetch_opts_init(&o);
    o.origin = origin;
    f = dt_fetcher_create(&o);
    memset(origin, 0, sizeof(origin));

    dt_fetcher_get(f, "https://no.such.example:8/ok", arena, &got);
    is_str(got.body.data, got.body.len, "sub", "origin: a page below it");
    is_str(got.url.data, got.url.len, "https://no.such.example:8/ok",
           "origin: its URL");
    ok(strncmp(shared->last, "GET /sub/ok HTTP/", 17) == 0, "origin: path");
    ok(strstr(shared->last, "\r\nHost: no.such.example:8\r\n") != NULL,
       "origin: host");

    for (i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        snprintf(url, sizeof(url), "http://no.such.example/to?");
        snprintf(url + strlen(url), sizeof(url) - strlen(url), moves[i].to,
                 port);
        dt_fetcher_get(f, url, arena, &got);
        is_int(got.rc, moves[i].rc, moves[i].name);
    }

    dt_fetcher_destroy(f);
}

static void
test_raw(dt_fetcher_t *f)
{
    dt_fetched_t got;

    get_raw(f, "/robots.txt", &got);
    is_int(got.rc, DT_OK, "raw: text");
    is_str(got.body.data, got.body.len, "allow", "raw: its body");

    get_raw(f, "/404", &got);
    is_int(got.rc, DT_OK, "raw: a missing file is an answer");
    is_int(got.status, 404, "raw: its status");

    get_raw(f, "/off-site", &got);
    is_str(got.reason, strlen(got.reason), "redirect", "raw: off the site");
}

int
main(void)
{
    pid_t pid;
    dt_fetcher_t *f;
    dt_fetch_opts_t o;

    shared = mmap(NULL, sizeof(shared_t), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    arena = dt_arena_create(256 << 20);
    setbuf(stdout, NULL);

    if (shared == MAP_FAILED || arena == NULL) {
        return 1;
    }

    pid = start();
    if (pid == -1) {
        return 1;
    }

    dt_fetch_opts_init(&o);
    o.header = "X-Marker: 1";
    o.learns = 1;
    f = dt_fetcher_create(&o);

    test_pages(f);
    test_asked(f);
    test_learns(f);
    test_refused(f);
    test_raw(f);
    test_retry(f);
    dt_fetcher_destroy(f);

    test_shared();

    test_options();
    test_origin();
    stop(pid);

    dt_arena_destroy(arena);
    munmap(shared, sizeof(shared_t));

    return done();
}
