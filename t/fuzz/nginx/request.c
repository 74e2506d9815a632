
/*
 * Copyright (C) The detemplate authors
 *
 * What a client sends.  A whole nginx stands behind it, in this process: an
 * input becomes a request on a connection of its own, nginx parses it, chooses
 * the server and sends the page, and the module does with that what it does
 * in a worker.  Wherever it makes a job of the request, that is made here
 * twice, and looked at; it is queued only where requests wait for it, so that
 * inputs do not meet.
 *
 * An input is lines: what is done (OPT_, one byte), the host, the path, the
 * arguments, fields.  With a second byte, zeros are put before a port, the
 * request is made again, which is to bring the same page (FIRST_AGAIN), and
 * the client is there to the end (FIRST_STAYS).
 */


#include <ftw.h>
#include <stdio.h>
#include <sys/socket.h>

#include <ngx_event.h>

#include "core/base/page.h"
#include "core/base/dt.h"
#include "core/base/wire.h"
#include "ngx_module/zone/work.h"
#include "nginx.h"
#include "ngx_module/zone/zone.h"
#include "t/core/site.h"


enum {
    OPT_PORT = 3,     /* of ports[] */
    OPT_MODE = 28,    /* of modes[] */
    OPT_HEAD = 32,    /* no body is asked for */
    OPT_OLD = 64,     /* HTTP/1.0, whose bodies end with the connection */
    OPT_LEARNER = 128 /* the learner asks */
};

enum {
    FIRST_ZEROS = 15, /* a power of two */
    FIRST_AGAIN = 48, /* so many times */
    FIRST_STAYS = 64
};

#define ODD "<&'\"\\>" /* the name of a site */
#define TURNS 1000     /* of the event loop, for one request */
#define IN_MAX ((size_t) 1 << 16)
#define OUT_MAX ((size_t) 1 << 17)

#define TEXT                                                                  \
    "<nav><a href=/a>#</a> <a href=/b>%</a></nav><h1>@</h1><p>@ text</p>"     \
    "<footer>%</footer>"

/* clang-format off */
#define SERVER(more)                                                          \
    "server { listen unix:%s/socket; root %s;"                                \
    "location / { try_files /page.html =404; } " more "}\n"

static const char conf[] =
    "error_log /dev/null info; user root; pid pid;"
    "events { worker_connections 32; }\n"
    "http { access_log off; sendfile on; lingering_close off;"
    "default_type text/html;"
    "large_client_header_buffers 4 16k;"
    "client_header_timeout 1ms; client_body_timeout 1ms;"
    "detemplate_zone z:1m; detemplate_program /bin/true;"
    "map $http_x_mode $mode { default $http_x_mode; '' strip; }"
    "detemplate $mode; detemplate_vary X-Mode;\n"

    SERVER("server_name named.test www.named.test *.wild.test pre.*;"
           "location = /status { detemplate_status public;"
           "add_header X-Status 1; }")
    SERVER("server_name .origin.test;"
           "detemplate_origin http://127.0.0.1:81/below;"
           "location /keep/ { detemplate_links keep; }")
    SERVER("server_name site.test *.site.test; detemplate_site $host;"
           "detemplate_marks nosnippet htdig;"
           "detemplate_origin http://[::1]:82;")
    SERVER("server_name fields.test; detemplate_site named.test;"
           "add_header Content-Security-Policy $http_x_csp;"
           "add_header Content-Security-Policy-Report-Only $http_x_report;"
           "add_header ETag $http_x_etag; add_header Vary $http_x_vary;"
           "add_header Cache-Control $http_x_cache;"
           "add_header Link $http_x_link; add_header Digest $http_x_digest;")
    SERVER("server_name _;")
    SERVER("server_name public.test; detemplate_learn public;"
           "detemplate_cut bold; detemplate_bypass $arg_pass;")
    SERVER("server_name wait.test; detemplate_wait 1ms;")
    "}\n";
/* clang-format on */

static const unsigned ports[] = { 80, 8080, 65535, 0 /* a unix socket */ };
static const char *const modes[] = {
    "strip", "annotate", "preview", "headers", "shadow", "off", "", "other",
};


static char dir[] = "/dev/shm/detemplate-fuzz-XXXXXX";
static buf_t page;
static size_t stripped; /* bytes of it, at the least */
static char out[OUT_MAX];
static size_t jobs;
static size_t waited; /* jobs that somebody has waited for */


ngx_http_dt_job_t *__wrap_ngx_http_dt_keypage(ngx_http_request_t *r,
                                              ngx_http_dt_ctx_t *ctx,
                                              ngx_http_dt_job_t *job);
ngx_http_dt_job_t *__real_ngx_http_dt_keypage(ngx_http_request_t *r,
                                              ngx_http_dt_ctx_t *ctx,
                                              ngx_http_dt_job_t *job);


static void
writer(ngx_log_t *log, ngx_uint_t level, u_char *buf, size_t len)
{
    (void) log;
    (void) buf;
    fuzz_assert(len > 0 && level > NGX_LOG_CRIT);
}


static int
removed(const char *path, const struct stat *s, int what, struct FTW *ftw)
{
    (void) s;
    (void) what;
    (void) ftw;

    return remove(path);
}


static void
cleanup(void)
{
    (void) nftw(dir, removed, 8, FTW_DEPTH | FTW_PHYS);
}


static void
write_file(const char *name, const char *data, size_t len)
{
    FILE *fp;
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    fp = fopen(path, "w");
    fuzz_assert(fp != NULL && fwrite(data, 1, len, fp) == len);
    fuzz_assert(fclose(fp) == 0);
}


/* the configuration, each "%s" the folder */
static void
configure(void)
{
    buf_t b = { 0 };
    const char *p, *next;

    for (p = conf; (next = strstr(p, "%s")) != NULL; p = next + 2) {
        buf_add(&b, p, (size_t) (next - p));
        buf_puts(&b, dir);
    }

    buf_puts(&b, p);
    write_file("nginx.conf", b.data, b.len);
    buf_free(&b);
}


static ngx_http_dt_zone_t *
zone(void)
{
    volatile ngx_cycle_t *cycle = ngx_cycle;
    ngx_http_dt_main_conf_t *dmcf;

    dmcf = ngx_http_cycle_get_module_main_conf(
        cycle, ngx_http_detemplate_filter_module);

    return dmcf->shm_zone->data;
}


/* as main() does it, and then a worker */
static void
start(void)
{
    ngx_uint_t i;
    ngx_cycle_t *cycle;
    static char prefix[64], file[64], *argv[] = { prefix, NULL };
    static ngx_cycle_t first;

    fuzz_nginx();
    snprintf(prefix, sizeof(prefix), "%s/", dir);
    snprintf(file, sizeof(file), "%s/nginx.conf", dir);

    first.log = &fuzz_log;
    ngx_cycle = &first;
    first.pool = ngx_create_pool(1024, &fuzz_log);
    first.prefix.data = first.conf_prefix.data = (u_char *) prefix;
    first.prefix.len = first.conf_prefix.len = strlen(prefix);
    first.conf_file.data = (u_char *) file;
    first.conf_file.len = strlen(file);
    ngx_str_set(&first.error_log, "/dev/null");

    ngx_argc = 1;
    ngx_argv = ngx_os_argv = argv;
    ngx_max_sockets = -1;
    ngx_use_stderr = 1; /* it is not to be redirected */

    for (i = ngx_pagesize; i >>= 1; ngx_pagesize_shift++) { /* void */
    }

    fuzz_assert(ngx_os_specific_init(&fuzz_log) == NGX_OK);
    fuzz_assert(ngx_crc32_table_init() == NGX_OK);
    ngx_slab_sizes_init();
    fuzz_assert(ngx_preinit_modules() == NGX_OK);
    cycle = ngx_init_cycle(&first);
    fuzz_assert(cycle != NULL);

    ngx_cycle = cycle;
    ngx_process = NGX_PROCESS_WORKER;
    ngx_use_stderr = 0;
    cycle->log->writer = writer;

    for (i = 0; cycle->modules[i] != NULL; i++) {
        fuzz_assert(cycle->modules[i]->init_process == NULL
                    || cycle->modules[i]->init_process(cycle) == NGX_OK);
    }
}


/* a site that has a template */
static void
publish(const char *name)
{
    size_t len;
    ngx_str_t site = { strlen(name), (u_char *) name };
    ngx_http_dt_publish_t pub = { 0 };

    pub.data = site_learn(TEXT, sizeof(TEXT) - 1, &len);
    fuzz_assert(pub.data != NULL);
    dt_template_info(pub.data, &pub.info);
    pub.info.learned_at = ngx_time();
    pub.valid = ngx_time() + 1000000;
    pub.refresh = ngx_time() + 1000000;
    fuzz_assert(ngx_http_dt_publish(zone(), &site, &pub) == NGX_OK);
    free(pub.data);
}


/* a path as an origin reads it, with nothing left that could be decoded */
static dt_str_t
decoded(dt_str_t path, dt_arena_t *a)
{
    int c;
    char *p = dt_arena_alloc(a, path.len + 1);
    size_t n = 0;

    fuzz_assert(p != NULL);

    while (path.len) {
        c = dt_percent_decode(path);
        p[n] = c < 0 ? path.data[0] : (char) c;
        p[n] = p[n] == '%' ? '-' : p[n];
        n++;
        path.data += c < 0 ? 1 : 3;
        path.len -= c < 0 ? 1 : 3;
    }

    return (dt_str_t){ n, p };
}


/* the URL that a request asked for, as nginx has understood it; 0: it was said
   in more bytes than a URL has */
static int
asked(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx, dt_arena_t *a,
      dt_url_t *u)
{
    int n;
    char as[16], *buf;
    const char *p, *last;
    dt_status_t rc;
    unsigned port = ngx_inet_get_port(r->connection->local_sockaddr);
    dt_str_t host = { 0, "" };
    ngx_str_t own;

    own = ctx->conf->origin.len ? ctx->server : r->headers_in.server;
    buf = malloc(own.len + r->unparsed_uri.len + 64);
    fuzz_assert(buf != NULL);

    /* what is behind the name */

    if (r->headers_in.host) {
        host.data = (char *) r->headers_in.host->value.data;
        host.len = r->headers_in.host->value.len;
        p = host.data[0] == '[' ? memchr(host.data, ']', host.len) : NULL;
        p = p ? p : host.data;
        last = host.data + host.len;
        p = memchr(p, ':', (size_t) (last - p));
        host = p ? (dt_str_t){ (size_t) (last - p), p } : dt_str("");
    }

    /* a port is said when the client says it, and means this one */

    snprintf(as, sizeof(as), ":%u", port);

    if (port == 80 || port == 0 || !dt_str_eq(host, dt_cstr(as))) {
        as[0] = '\0';
    }

    n = snprintf(buf, own.len + 32, "http://%.*s%s", (int) own.len, own.data,
                 as);
    n += (int) dt_page_target(
        (dt_str_t){ r->unparsed_uri.len, (char *) r->unparsed_uri.data },
        buf + n);

    rc = dt_url_resolve(NULL, (dt_str_t){ (size_t) n, buf }, a, u);
    free(buf);
    fuzz_assert(rc == DT_OK || rc == DT_ELIMIT);
    fuzz_assert(rc != DT_OK || dt_links_plain(u, a) == DT_OK);

    return rc == DT_OK;
}


/* the path that nginx makes of a target, and of its merge_slashes */
static ngx_str_t
served(ngx_http_request_t *r, const char *target, size_t len)
{
    ngx_buf_t *b = ngx_create_temp_buf(r->pool, len + 32);
    ngx_http_request_t q;

    fuzz_assert(b != NULL);
    b->last =
        ngx_slprintf(b->pos, b->end, "GET %*s HTTP/1.0\r\n", len, target);

    memset(&q, 0, sizeof(q));
    q.pool = r->pool;
    q.connection = r->connection;
    q.srv_conf = r->srv_conf;
    fuzz_assert(ngx_http_parse_request_line(&q, b) == NGX_OK);
    fuzz_assert(ngx_http_process_request_uri(&q) == NGX_OK);

    return q.uri;
}


/* what the learner makes of the job is what the request has asked for */
static void
look(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
     const ngx_http_dt_job_t *job)
{
    char *p;
    size_t i, n;
    dt_str_t what;
    dt_url_t url, again;
    ngx_str_t own, asks;
    dt_arena_t *a = dt_arena_create((size_t) 1 << 20);

    n = strnlen((char *) job->url, sizeof(job->url));
    fuzz_assert(n < sizeof(job->url) && n < DT_JOB_STRING);
    fuzz_assert(strnlen((char *) job->origin, sizeof(job->origin))
                < sizeof(job->origin));
    fuzz_assert(strnlen((char *) job->connect, sizeof(job->connect))
                < sizeof(job->connect));

    for (i = 0; i < n; i++) {
        fuzz_assert(job->url[i] > 0x20 && job->url[i] < 0x7f);
    }

    fuzz_assert(r->method == NGX_HTTP_GET && job->connect[0] == '\0');
    fuzz_assert(r->connection->local_sockaddr->sa_family == AF_INET
                || ctx->conf->origin.len);

    /* nothing changes when the learner reads it, but how it is written */

    fuzz_assert(dt_url_resolve(NULL, dt_cstr((char *) job->url), a, &url)
                == DT_OK);
    fuzz_assert(dt_links_plain(&url, a) == DT_OK);
    fuzz_assert(dt_url_resolve(NULL, url.href, a, &again) == DT_OK);
    fuzz_assert(dt_links_plain(&again, a) == DT_OK);
    fuzz_assert(dt_str_eq(url.href, again.href));

    fuzz_assert(!asked(r, ctx, a, &again) || dt_str_eq(url.href, again.href));
    fuzz_assert(url.host.len >= ctx->server.len
                && memcmp(url.host.data, ctx->server.data, ctx->server.len)
                       == 0
                && (url.host.len == ctx->server.len
                    || url.host.data[ctx->server.len] == ':'));

    p = malloc(r->unparsed_uri.len + 1);
    fuzz_assert(p != NULL);
    n = dt_page_target(
        (dt_str_t){ r->unparsed_uri.len, (char *) r->unparsed_uri.data }, p);
    own = served(r, p, n);
    asks = served(r, dt_url_target(&url).data, dt_url_target(&url).len);
    fuzz_assert(own.len == asks.len
                && memcmp(own.data, asks.data, own.len) == 0);
    free(p);

    /* and so written it is a page still, also to who decodes it */

    fuzz_assert(dt_page_kind(url.path, url.query, &what) == DT_PAGE_OK);
    fuzz_assert(dt_page_kind(decoded(url.path, a), url.query, &what)
                == DT_PAGE_OK);

    dt_arena_destroy(a);
}


/* in a room of its own, so that what is written behind it is seen */
ngx_http_dt_job_t *
__wrap_ngx_http_dt_keypage(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
                           ngx_http_dt_job_t *job)
{
    ngx_uint_t why;
    ngx_http_dt_job_t *one, *two, *queued = NULL;

    one = malloc(sizeof(*one));
    two = malloc(sizeof(*two));
    fuzz_assert(one != NULL && two != NULL);

    if (__real_ngx_http_dt_keypage(r, ctx, one) == NULL) {
        why = ctx->unlearned;
        fuzz_assert(why != NGX_HTTP_DT_R_NONE);
        fuzz_assert(ctx->detail.len == 0 || ctx->detail.data != NULL);
        fuzz_assert(__real_ngx_http_dt_keypage(r, ctx, two) == NULL);
        fuzz_assert(ctx->unlearned == why);

    } else {
        fuzz_assert(__real_ngx_http_dt_keypage(r, ctx, two) == two);
        fuzz_assert(one->key == two->key);
        fuzz_assert(memcmp(one->url, two->url, sizeof(one->url)) == 0);
        look(r, ctx, one);
        jobs++;

        if (ctx->conf->wait) {
            *job = *one;
            queued = job;
            waited++;
        }
    }

    free(one);
    free(two);

    return queued;
}


/* as nginx does it with what it has accepted */
static ngx_connection_t *
accepted(int fd, unsigned port)
{
    ngx_log_t *log;
    ngx_connection_t *c;
    static struct sockaddr_in client, local;
    static struct sockaddr unix_local;

    c = ngx_get_connection(fd, ngx_cycle->log);
    fuzz_assert(c != NULL && ngx_nonblocking(fd) == 0);

    c->pool = ngx_create_pool(256, ngx_cycle->log);
    log = ngx_palloc(c->pool, sizeof(ngx_log_t));
    fuzz_assert(log != NULL);
    *log = *ngx_cycle->log;
    c->log = c->pool->log = c->read->log = c->write->log = log;

    client.sin_family = local.sin_family = AF_INET;
    client.sin_addr.s_addr = local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    local.sin_port = htons((uint16_t) port);
    unix_local.sa_family = AF_UNIX;

    c->type = SOCK_STREAM;
    c->sockaddr = (struct sockaddr *) &client;
    c->socklen = sizeof(client);
    c->local_sockaddr = port ? (struct sockaddr *) &local : &unix_local;
    c->local_socklen = port ? sizeof(local) : sizeof(unix_local);
    ngx_str_set(&c->addr_text, "127.0.0.1");
    c->listening = ngx_cycle->listening.elts;
    c->tcp_nopush = NGX_TCP_NOPUSH_DISABLED;
    c->tcp_nodelay = NGX_TCP_NODELAY_DISABLED;
    c->recv = ngx_recv;
    c->send = ngx_send;
    c->recv_chain = ngx_recv_chain;
    c->send_chain = ngx_send_chain;
    c->read->ready = c->write->ready = 1;

    return c;
}


/* all that is answered to a request; in out */
static size_t
ask(const buf_t *request, unsigned port, int stays)
{
    int turns, fd[2], size = 1 << 18;
    size_t len = 0;
    ssize_t n;
    ngx_connection_t *c;
    ngx_atomic_uint_t number;

    fuzz_assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
    (void) setsockopt(fd[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
    n = send(fd[1], request->data, request->len, MSG_DONTWAIT);
    fuzz_assert(n == (ssize_t) request->len);
    fuzz_assert(stays || shutdown(fd[1], SHUT_WR) == 0);

    c = accepted(fd[0], port);
    number = c->number = ngx_next_temp_number(0);
    ngx_http_init_connection(c);

    for (turns = 0;; turns++) {
        while ((n = recv(fd[1], out + len, OUT_MAX - len, MSG_DONTWAIT)) > 0) {
            len += (size_t) n;
            fuzz_assert(len < OUT_MAX);
        }

        if (c->fd == (ngx_socket_t) -1 || c->number != number) {
            break;
        }

        fuzz_assert(turns < TURNS);
        ngx_process_events_and_timers((ngx_cycle_t *) ngx_cycle);
    }

    close(fd[1]);
    out[len] = '\0';

    return len;
}


/* an answer is taken apart: its header ends before *body; the value of a
   field, or none */
static dt_str_t
field(const char *name, const char *body)
{
    size_t len = strlen(name);
    dt_str_t value = { 0, NULL };
    const char *p, *end;

    for (p = out; p < body; p = end + 2) {
        end = memmem(p, (size_t) (body - p), "\r\n", 2);
        fuzz_assert(end != NULL);

        if ((size_t) (end - p) > len + 1 && memcmp(p, name, len) == 0
            && memcmp(p + len, ": ", 2) == 0)
        {
            fuzz_assert(value.data == NULL);
            value = (dt_str_t){ (size_t) (end - p) - len - 2, p + len + 2 };
        }
    }

    return value;
}


/* whether b is a with more in between */
static int
within(const buf_t *a, const buf_t *b)
{
    size_t i, n;

    for (i = n = 0; i < b->len && n < a->len; i++) {
        n += b->data[i] == a->data[n];
    }

    return n == a->len;
}


/* looks at an answer; its body where that is the page and not in chunks */
static buf_t
answered(size_t len, unsigned opt)
{
    char *body;
    size_t i;
    buf_t got = { 0 };
    dt_str_t said;
    unsigned mode = (opt & OPT_MODE) >> 2;

    /* nothing: it was not said that a request has ended */

    if (len == 0) {
        return (buf_t){ 0 };
    }

    /* HTTP/0.9 has no header */

    if (len < 9 || memcmp(out, "HTTP/1.1 ", 9) != 0) {
        return (buf_t){ 0 };
    }

    body = memmem(out, len, "\r\n\r\n", 4);
    fuzz_assert(body != NULL);
    body += 4;
    said = field("Detemplate", body);

    for (i = 0; i < said.len; i++) {
        fuzz_assert(said.data[i] >= ' ' && said.data[i] < 0x7f);
    }

    got.data = body;
    got.len = len - (size_t) (body - out);

    /* whatever the format is, something of that has to be written otherwise */

    if (field("X-Status", body).len) {
        fuzz_assert(memmem(out, len, ODD, sizeof(ODD) - 1) == NULL);
        return (buf_t){ 0 };
    }

    if (!(opt & OPT_OLD) || memcmp(out + 9, "200", 3) != 0) {
        return (buf_t){ 0 };
    }

    fuzz_assert(said.len || mode >= 5);

    if (opt & OPT_HEAD) {
        fuzz_assert(got.len == 0);

    } else if (mode == 0 || mode == 6) {
        fuzz_assert(got.len >= stripped && within(&got, &page));

    } else if (mode == 1 || mode == 2) {
        fuzz_assert(within(&page, &got));

    } else {
        fuzz_assert(buf_eq(&got, &page));
    }
    return got;
}


/* the next line; what it ends with is left out */
static dt_str_t
line(const uint8_t **p, size_t *size)
{
    const uint8_t *nl = *size ? memchr(*p, '\n', *size) : NULL;
    dt_str_t s = { nl ? (size_t) (nl - *p) : *size, (const char *) *p };

    *p += s.len + (nl != NULL);
    *size -= s.len + (nl != NULL);

    return s;
}


static void
add(buf_t *b, const char *before, dt_str_t s, const char *after)
{
    buf_puts(b, before);
    buf_add(b, s.data, s.len);
    buf_puts(b, after);
}


static size_t
request(const uint8_t *data, size_t size, unsigned opt, unsigned first)
{
    dt_str_t host, path, args, more;
    buf_t b = { 0 };
    size_t n, len;
    const char *colon;

    host = line(&data, &size);
    path = line(&data, &size);
    args = line(&data, &size);

    add(&b, opt & OPT_HEAD ? "HEAD " : "GET ", path, "");

    if (args.len) {
        add(&b, "?", args, "");
    }

    buf_puts(&b, opt & OPT_OLD ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");

    if (host.len) {
        colon = memchr(host.data, ':', host.len);
        n = colon ? (size_t) (colon - host.data) + 1 : host.len;
        add(&b, "Host: ", (dt_str_t){ n, host.data }, "");
        buf_fill(&b, "0",
                 first & FIRST_ZEROS ? 1u << (first & FIRST_ZEROS) : 0);
        add(&b, "", (dt_str_t){ host.len - n, host.data + n }, "\r\n");
    }

    add(&b, "X-Mode: ", dt_cstr(modes[(opt & OPT_MODE) >> 2]), "\r\n");

    if (opt & OPT_LEARNER) {
        buf_puts(&b, DT_JOB_MARKER ": ");
        buf_add(&b, (char *) ngx_http_dt_zone_key(zone()),
                NGX_HTTP_DT_KEY_LEN);
        buf_puts(&b, "\r\n");
    }

    while (size) {
        more = line(&data, &size);

        if (more.len) {
            add(&b, "", more, "\r\n");
        }
    }

    buf_puts(&b, "Connection: close\r\n\r\n");
    len = ask(&b, ports[opt & OPT_PORT], (first & FIRST_STAYS) != 0);
    buf_free(&b);

    return len;
}


static void
setup(void)
{
    int i;
    char *body;
    size_t len;
    static const char *const other = "other.test\n/p?a=1";
    static const char *const waits = "wait.test\n/p";

    fuzz_assert(mkdtemp(dir) != NULL);
    atexit(cleanup);
    configure();
    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    write_file("page.html", page.data, page.len);
    start();
    publish("named.test");
    publish(ODD);

    /* the page is cut, and jobs are looked at */

    for (i = 0; i < 4; i++) {
        len = request((const uint8_t *) "named.test\n/dir/p", 17, OPT_OLD, 0);
        body = memmem(out, len, "\r\n\r\n", 4);
        fuzz_assert(body != NULL && memcmp(out, "HTTP/1.1 200", 12) == 0);
        stripped = len - (size_t) (body + 4 - out);
        fuzz_assert(stripped && stripped < page.len);
    }

    (void) request((const uint8_t *) other, strlen(other), 1, 0);
    fuzz_assert(jobs);
    len = request((const uint8_t *) waits, strlen(waits), 1, FIRST_STAYS);
    fuzz_assert(waited && memmem(out, len, "learning", 8) != NULL);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t len;
    unsigned i, opt, more;
    dt_str_t first;
    buf_t body, before = { 0 };

    if (page.data == NULL) {
        setup();
    }

    if (size == 0 || size > IN_MAX) {
        return 0;
    }

    first = line(&data, &size);

    if (first.len == 0) {
        return 0;
    }

    opt = (uint8_t) first.data[0];
    more = first.len > 1 ? (uint8_t) first.data[1] : 0;

    for (i = 0; i <= (more & FIRST_AGAIN) / 16; i++) {
        len = request(data, size, opt, more);
        body = answered(len, opt);

        if (before.len == 0) {
            buf_add(&before, body.data, body.len);

        } else if (body.len) {
            fuzz_assert(buf_eq(&before, &body));
        }
    }

    buf_free(&before);

    return 0;
}
