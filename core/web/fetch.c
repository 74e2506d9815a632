
/*
 * Copyright (C) The detemplate authors
 *
 * Fetches a few pages at once over libcurl's multi interface, which keeps the
 * connections.  Redirects are followed here, since libcurl would follow them
 * to any host.  All hops of a page share the time that one page has.
 */


#include <limits.h>
#include <poll.h>
#include <stdlib.h>

#include <curl/curl.h>

#include "core/base/page.h"
#include "core/web/fetch.h"
#include "core/web/fetch_response.h"
#include "core/web/robots.h"
#include "core/web/url.h"


#define DT_FETCH_SLOW_BYTES                                                   \
    64L /* bytes a second, below which it is too slow */
#define DT_FETCH_SLOW_TIME 5L
#define DT_FETCH_PAUSE 20 /* ms between requests, at least */


/* a page being fetched */
typedef struct {
    CURL *easy;
    struct curl_slist host; /* precedes the lines that all requests have */
    dt_url_t url;
    dt_arena_t *arena;
    dt_response_t response;
    int64_t deadline;
    unsigned hops; /* redirects that are left */
    unsigned raw : 1;
    unsigned busy : 1; /* libcurl has a request of it */
    char error[CURL_ERROR_SIZE];
    char line[DT_URL_MAX + sizeof("Host: ")];
} dt_transfer_t;


struct dt_fetcher_s {
    dt_fetch_opts_t o; /* all_ms: the time that is left */
    CURLM *multi;
    struct curl_slist accept; /* lists of one line, built by hand */
    struct curl_slist marker;
    struct curl_slist connect;
    dt_origin_t *origin;
    const dt_robots_t *robots; /* NULL: all is allowed */
    unsigned requests;
    int64_t took; /* ms, by the last call; -1: there was none */
    int64_t done; /* when it ended */
    dt_transfer_t transfers[DT_FETCH_ONCE];
};


void
dt_fetch_opts_init(dt_fetch_opts_t *o)
{
    memset(o, 0, sizeof(dt_fetch_opts_t));

    o->agent = "detemplate/" DT_VERSION;
    o->max_bytes = (size_t) 4 << 20;
    o->max_ratio = 100;
    o->connect_ms = 2000;
    o->total_ms = 10000;
    o->all_ms = INT64_MAX;
    o->pause_ms = 240000;
    o->max_requests = UINT_MAX;
    o->max_redirects = 3;
}


static size_t
dt_fetch_on_header(char *p, size_t size, size_t n, void *data)
{
    dt_transfer_t *t = data;

    (void) size;

    return dt_response_header(&t->response, p, n) ? 0 : n;
}


static size_t
dt_fetch_on_body(char *p, size_t size, size_t n, void *data)
{
    dt_transfer_t *t = data;

    (void) size;

    return dt_response_body(&t->response, p, n) ? 0 : n;
}


/* sets the strings that libcurl does not copy, and the origin; not 0: no
   memory */
static int
dt_fetch_lists(dt_fetcher_t *f, const dt_fetch_opts_t *o)
{
    static char accept[] = "Accept: text/html, application/xhtml+xml, "
                           "*/*;q=0.1";

    f->accept.data = accept;
    f->marker.next = &f->accept;

    if ((o->header != NULL && (f->marker.data = strdup(o->header)) == NULL)
        || (o->origin != NULL
            && (f->origin = dt_origin_create(o->origin)) == NULL))
    {
        return 1;
    }

    if (o->connect_to != NULL
        && asprintf(&f->connect.data, "::%s", o->connect_to) == -1)
    {
        f->connect.data = NULL;
        return 1;
    }

    return 0;
}


/* sets the options that are the same for all pages; libcurl copies strings but
   not lists */
static int
dt_fetch_setup(dt_fetcher_t *f, const dt_fetch_opts_t *o, dt_transfer_t *t)
{
    CURL *e;
    CURLcode rc;
    const char *file = getenv("SSL_CERT_FILE"), *dir = getenv("SSL_CERT_DIR");

    t->host.data = t->line;
    t->host.next = f->marker.data ? &f->marker : &f->accept;
    t->easy = e = curl_easy_init();
    if (e == NULL) {
        return 1;
    }

#define DT_SET(option, value)                                                 \
    if (rc == CURLE_OK) {                                                     \
        rc = curl_easy_setopt(e, option, value);                              \
    }

    rc = CURLE_OK;

#if LIBCURL_VERSION_NUM >= 0x075500
    DT_SET(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    DT_SET(CURLOPT_PROTOCOLS, (long) (CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif

    DT_SET(CURLOPT_NOSIGNAL, 1L);
    DT_SET(CURLOPT_PROXY, "");
    DT_SET(CURLOPT_ACCEPT_ENCODING, "");
    DT_SET(CURLOPT_USERAGENT, o->agent);
    DT_SET(CURLOPT_HTTPHEADER, &t->host);
    DT_SET(CURLOPT_CONNECTTIMEOUT_MS, o->connect_ms);
    DT_SET(CURLOPT_LOW_SPEED_LIMIT, DT_FETCH_SLOW_BYTES);
    DT_SET(CURLOPT_LOW_SPEED_TIME, DT_FETCH_SLOW_TIME);
    DT_SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t) o->max_bytes);
    DT_SET(CURLOPT_HEADERFUNCTION, dt_fetch_on_header);
    DT_SET(CURLOPT_HEADERDATA, t);
    DT_SET(CURLOPT_WRITEFUNCTION, dt_fetch_on_body);
    DT_SET(CURLOPT_WRITEDATA, t);
    DT_SET(CURLOPT_ERRORBUFFER, t->error);
    DT_SET(CURLOPT_PRIVATE, t);

    if (f->connect.data != NULL) {
        DT_SET(CURLOPT_CONNECT_TO, &f->connect);
    }

    if (o->post) {
        DT_SET(CURLOPT_POSTFIELDS, "");
    }

    if (o->tls_insecure) {
        DT_SET(CURLOPT_SSL_VERIFYPEER, 0L);
        DT_SET(CURLOPT_SSL_VERIFYHOST, 0L);
    }

    /* libcurl does not read these variables itself */
    if (file != NULL && *file) {
        DT_SET(CURLOPT_CAINFO, file);
    }

    if (dir != NULL && *dir) {
        DT_SET(CURLOPT_CAPATH, dir);
    }

#undef DT_SET

    return rc != CURLE_OK;
}


dt_fetcher_t *
dt_fetcher_create(const dt_fetch_opts_t *o)
{
    int failed;
    unsigned i;
    dt_fetcher_t *f;

    f = calloc(1, sizeof(dt_fetcher_t));
    if (f == NULL) {
        return NULL;
    }

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(f);
        return NULL;
    }

    f->o = *o;
    f->took = -1;

    f->multi = curl_multi_init();
    failed = f->multi == NULL || dt_fetch_lists(f, o);

    for (i = 0; i < DT_FETCH_ONCE && !failed; i++) {
        failed = dt_fetch_setup(f, o, &f->transfers[i]);
    }

    if (failed) {
        dt_fetcher_destroy(f);
        return NULL;
    }

    /* the caller may free these strings from here on */
    f->o.connect_to = f->o.agent = f->o.header = f->o.origin = NULL;

    return f;
}


void
dt_fetcher_destroy(dt_fetcher_t *f)
{
    unsigned i;

    if (f == NULL) {
        return;
    }

    for (i = 0; i < DT_FETCH_ONCE; i++) {
        curl_easy_cleanup(f->transfers[i].easy);
    }

    curl_multi_cleanup(f->multi);
    free(f->marker.data);
    free(f->connect.data);
    dt_origin_destroy(f->origin);
    curl_global_cleanup();
    free(f);
}


/* translates libcurl's error into a reason and a message */
static void
dt_fetch_failed(dt_transfer_t *t, CURLcode code)
{
    size_t i;
    const char *what;

    static const struct {
        CURLcode code;
        dt_status_t rc;
        const char *reason;
    } errors[] = {
        { CURLE_OPERATION_TIMEDOUT, DT_EIO, "timeout" },
        { CURLE_COULDNT_RESOLVE_HOST, DT_EIO, "connect" },
        { CURLE_COULDNT_CONNECT, DT_EIO, "connect" },
        { CURLE_SSL_CONNECT_ERROR, DT_EIO, "connect" },
        { CURLE_PEER_FAILED_VERIFICATION, DT_EIO, "connect" },
        { CURLE_PARTIAL_FILE, DT_EIO, "truncated" },
        { CURLE_BAD_CONTENT_ENCODING, DT_EIO, "encoding" },
        { CURLE_FILESIZE_EXCEEDED, DT_ELIMIT, "too-large" },
        { CURLE_OUT_OF_MEMORY, DT_ENOMEM, "memory" },
        { CURLE_OK, DT_EIO, "network" },
    };

    for (i = 0; errors[i].code != CURLE_OK; i++) {
        if (errors[i].code == code) {
            break;
        }
    }

    /* the same message as for a body that was too large while it came */

    what = code == CURLE_FILESIZE_EXCEEDED ? "body too large"
           : t->error[0]                   ? t->error
                                           : curl_easy_strerror(code);
    (void) dt_response_refuse(&t->response, errors[i].rc, errors[i].reason,
                              what);
}


/* begins a request for t->url; if it cannot, t->response says why */
static void
dt_fetch_hop(dt_fetcher_t *f, dt_transfer_t *t)
{
    char url[2 * DT_URL_MAX];
    int64_t left;
    dt_response_t *r = &t->response;

    dt_response_init(r, t->arena);
    r->max_bytes = f->o.max_bytes;
    r->max_ratio = f->o.max_ratio;
    r->raw = t->raw;
    r->shared = f->o.shared;

    t->error[0] = '\0';
    left = t->deadline - dt_now();

    if (left <= 0) {
        (void) dt_response_refuse(r, DT_EIO, "timeout",
                                  "time for loading pages is over");
        return;
    }

    if (f->requests == f->o.max_requests) {
        (void) dt_response_refuse(r, DT_EIO, "requests",
                                  "too many requests in an hour");
        return;
    }

    /* the origin and the path behind it have at most DT_URL_MAX bytes each */

    (void) dt_origin_url(f->origin, &t->url, url, sizeof(url));
    (void) snprintf(t->line, sizeof(t->line), "Host: %s", t->url.host.data);

    if (curl_easy_setopt(t->easy, CURLOPT_URL, url) != CURLE_OK
        || curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS, (long) left)
               != CURLE_OK
        || curl_multi_add_handle(f->multi, t->easy) != CURLM_OK)
    {
        (void) dt_response_refuse(r, DT_ENOMEM, "memory", "out of memory");
        return;
    }

    t->busy = 1;
    f->requests++;
}


/* whether the response redirects to a URL that may be fetched; t->url becomes
   that URL */
static int
dt_fetch_moved(dt_fetcher_t *f, dt_transfer_t *t)
{
    dt_str_t what;
    dt_response_t *r = &t->response;

    if (!r->moved || dt_response_follow(r, f->origin, &t->url, t->hops) != 0) {
        return 0;
    }

    if (!t->raw && f->o.learns
        && dt_page_kind(t->url.path, t->url.query, &what) != DT_PAGE_OK)
    {
        (void) dt_response_refuse(
            r, DT_DECLINED, "redirect",
            "redirected to a page that is not learned from");
        return 0;
    }

    if (!t->raw && f->robots != NULL
        && !dt_robots_allowed(f->robots, dt_url_target(&t->url)))
    {
        (void) dt_response_refuse(
            r, DT_DECLINED, "robots",
            "redirected to a page that robots.txt forbids");
        return 0;
    }

    return 1;
}


static void
dt_fetch_begin(dt_fetcher_t *f, dt_transfer_t *t, const char *url,
               dt_arena_t *a, unsigned raw)
{
    dt_status_t rc;

    t->arena = a;
    t->raw = raw & 1;
    t->busy = 0;
    t->hops = f->o.max_redirects;
    t->deadline =
        dt_now() + (f->o.total_ms < f->o.all_ms ? f->o.total_ms : f->o.all_ms);

    rc = dt_url_resolve(NULL, dt_cstr(url), a, &t->url);

    if (rc != DT_OK) {
        t->url.href = dt_str("");
        dt_response_init(&t->response, a);
        (void) dt_response_refuse(&t->response, rc,
                                  rc == DT_ENOMEM ? "memory" : "url",
                                  "URL cannot be fetched");
        return;
    }

    dt_fetch_hop(f, t);
}


/* ends the request that libcurl has done; begins the next one if the page is
   elsewhere */
static void
dt_fetch_done(dt_fetcher_t *f, dt_transfer_t *t, CURLcode rc)
{
    curl_off_t received = 0;

    (void) curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
    (void) curl_multi_remove_handle(f->multi, t->easy);
    t->busy = 0;

    if (t->response.moved) {
        if (dt_fetch_moved(f, t)) {
            t->hops--;
            dt_fetch_hop(f, t);
        }

    } else if (rc != CURLE_OK) {
        dt_fetch_failed(t, rc);

    } else {
        dt_response_end(&t->response, (uint64_t) received);
    }
}


/* waits until libcurl has done all requests */
static void
dt_fetch_wait(dt_fetcher_t *f, unsigned n)
{
    int running, left;
    char *data;
    unsigned i;
    CURLMsg *msg;
    CURLMcode rc = CURLM_OK;

    for (;;) {
        rc = rc == CURLM_OK ? curl_multi_perform(f->multi, &running) : rc;

        while ((msg = curl_multi_info_read(f->multi, &left)) != NULL) {
            if (msg->msg == CURLMSG_DONE
                && curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &data)
                       == CURLE_OK)
            {
                dt_fetch_done(f, (dt_transfer_t *) (void *) data,
                              msg->data.result);
            }
        }

        for (i = 0; i < n && !f->transfers[i].busy; i++) { /* void */
        }

        if (i == n) {
            return;
        }

        if (rc != CURLM_OK) {
            dt_fetch_done(f, &f->transfers[i], CURLE_OUT_OF_MEMORY);
            continue;
        }

        rc = curl_multi_poll(f->multi, NULL, 0, 1000, NULL);
    }
}


/* waits before the next requests, so that the server has at least as much time
   for others */
static void
dt_fetch_pause(dt_fetcher_t *f)
{
    int64_t left = f->took > DT_FETCH_PAUSE ? f->took : DT_FETCH_PAUSE;

    if (!f->o.paced || f->took < 0) {
        return;
    }

    if (f->robots != NULL && left < dt_robots_delay(f->robots)) {
        left = dt_robots_delay(f->robots);
    }

    left -= dt_now() - f->done;

    /* without time to wait, no more is loaded either */

    if (left > f->o.pause_ms) {
        f->o.all_ms = 0;

    } else if (left > 0) {
        f->o.pause_ms -= left;
        (void) poll(NULL, 0, (int) left);
    }
}


static void
dt_fetch_pages(dt_fetcher_t *f, dt_fetch_t *pages, unsigned n, unsigned raw)
{
    unsigned i;
    int64_t began;
    dt_transfer_t *t = f->transfers;

    dt_fetch_pause(f);
    began = dt_now();

    for (i = 0; i < n; i++) {
        dt_fetch_begin(f, &t[i], pages[i].url, pages[i].arena, raw);
    }

    dt_fetch_wait(f, n);

    f->done = dt_now();
    f->took = f->done - began;
    f->o.all_ms -= f->took;

    for (i = 0; i < n; i++) {
        pages[i].got.url = t[i].url.href;
        dt_response_result(&t[i].response, &pages[i].got);
    }
}


void
dt_fetcher_obey(dt_fetcher_t *f, const dt_robots_t *robots)
{
    f->robots = robots;
}


unsigned
dt_fetcher_requests(const dt_fetcher_t *f)
{
    return f->requests;
}


void
dt_fetcher_get_many(void *data, dt_fetch_t *pages, unsigned n)
{
    dt_fetch_pages(data, pages, n, 0);
}


void
dt_fetcher_get(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    dt_fetch_t page = { url, a, *out };

    dt_fetch_pages(data, &page, 1, 0);
    *out = page.got;
}


void
dt_fetcher_get_raw(void *data, const char *url, dt_arena_t *a,
                   dt_fetched_t *out)
{
    dt_fetch_t page = { url, a, *out };

    dt_fetch_pages(data, &page, 1, 1);
    *out = page.got;
}
