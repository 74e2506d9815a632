
/*
 * Copyright (C) The detemplate authors
 *
 * Every page is a transfer of libcurl's multi interface; one page alone is a
 * list of one.  A transfer is one easy handle that goes through the hops of a
 * redirect itself, since libcurl would follow to any host; all its hops
 * together have the time that one page has.
 */


#include <stdlib.h>

#include <curl/curl.h>

#include "core/web/fetch.h"
#include "core/web/fetch_response.h"
#include "core/web/origin.h"
#include "core/web/url.h"


#define DT_FETCH_INFLIGHT 4
#define DT_FETCH_SLOW_BYTES 64L /* a second, for so many seconds: too slow */
#define DT_FETCH_SLOW_TIME 5L


/* a page on its way */
typedef struct {
    dt_fetcher_t *fetcher;
    CURL *easy;
    dt_fetched_t *out;
    dt_url_t url;
    dt_response_t response;
    struct curl_slist host; /* before the lines that all requests have */
    int64_t deadline;
    unsigned hops;
    unsigned busy : 1;
    char error[CURL_ERROR_SIZE];
    char line[DT_URL_MAX + sizeof("Host: ")];
} dt_transfer_t;


struct dt_fetcher_s {
    dt_fetch_opts_t o;
    CURLM *multi;
    struct curl_slist accept; /* lists of one, made by hand */
    struct curl_slist marker;
    struct curl_slist connect;
    dt_origin_t *origin;
    dt_transfer_t transfers[DT_FETCH_INFLIGHT];
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
    o->max_redirects = 3;
}


static size_t
dt_fetch_on_header(char *p, size_t size, size_t n, void *data)
{
    dt_transfer_t *t;

    (void) size;
    t = data;

    return dt_response_header(&t->response, p, n) ? 0 : n;
}


static size_t
dt_fetch_on_body(char *p, size_t size, size_t n, void *data)
{
    dt_transfer_t *t;

    (void) size;
    t = data;

    return dt_response_body(&t->response, p, n) ? 0 : n;
}


/* what libcurl does not copy, and the origin; not 0 without memory */
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


/* the options that no page changes; libcurl copies strings, not lists */
static int
dt_fetch_setup(dt_fetcher_t *f, dt_transfer_t *t, const dt_fetch_opts_t *o)
{
    CURL *e;
    CURLcode rc;

    t->fetcher = f;
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

    if (f->connect.data != NULL) {
        DT_SET(CURLOPT_CONNECT_TO, &f->connect);
    }

    if (o->unix_socket != NULL) {
        DT_SET(CURLOPT_UNIX_SOCKET_PATH, o->unix_socket);
    }

    if (o->tls_insecure) {
        DT_SET(CURLOPT_SSL_VERIFYPEER, 0L);
        DT_SET(CURLOPT_SSL_VERIFYHOST, 0L);
    }

#undef DT_SET

    return rc != CURLE_OK;
}


dt_fetcher_t *
dt_fetcher_create(const dt_fetch_opts_t *o)
{
    int i;
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
    f->multi = curl_multi_init();

    if (f->multi == NULL || dt_fetch_lists(f, o)) {
        goto failed;
    }

    for (i = 0; i < DT_FETCH_INFLIGHT; i++) {
        if (dt_fetch_setup(f, &f->transfers[i], o)) {
            goto failed;
        }
    }

    /* their owner may free them from here on */
    f->o.connect_to = f->o.unix_socket = f->o.agent = f->o.header = NULL;
    f->o.origin = NULL;

    return f;

failed:

    dt_fetcher_destroy(f);

    return NULL;
}


void
dt_fetcher_destroy(dt_fetcher_t *f)
{
    int i;

    if (f == NULL) {
        return;
    }

    for (i = 0; i < DT_FETCH_INFLIGHT; i++) {
        curl_easy_cleanup(f->transfers[i].easy);
    }

    (void) curl_multi_cleanup(f->multi);
    free(f->marker.data);
    free(f->connect.data);
    dt_origin_destroy(f->origin);
    curl_global_cleanup();
    free(f);
}


static int64_t
dt_fetch_now(void)
{
    struct timespec ts;

    (void) clock_gettime(CLOCK_MONOTONIC, &ts);

    return (int64_t) ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}


/* what libcurl found wrong, in our words */
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

    what = t->error[0] ? t->error : curl_easy_strerror(code);
    (void) dt_response_refuse(&t->response, errors[i].rc, errors[i].reason,
                              what);
}


/* gets t->url; not 0 when it cannot even begin */
static int
dt_fetch_start(dt_transfer_t *t, dt_arena_t *a, unsigned raw)
{
    int n;
    char url[2 * DT_URL_MAX];
    int64_t left;
    dt_fetcher_t *f;
    dt_response_t *r;

    f = t->fetcher;
    r = &t->response;

    dt_response_init(r, a);
    r->max_bytes = f->o.max_bytes;
    r->max_ratio = f->o.max_ratio;
    r->raw = raw & 1;

    t->error[0] = '\0';
    left = t->deadline - dt_fetch_now();

    if (left <= 0) {
        return dt_response_refuse(r, DT_EIO, "timeout", "no time left");
    }

    n = dt_origin_place(f->origin, &t->url, url, sizeof(url));

    if (n < 0 || (size_t) n >= sizeof(url)) {
        return dt_response_refuse(r, DT_ELIMIT, "url", "URL too long");
    }

    (void) snprintf(t->line, sizeof(t->line), "Host: %s", t->url.host.data);

    if (curl_easy_setopt(t->easy, CURLOPT_URL, url) != CURLE_OK
        || curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS, (long) left)
               != CURLE_OK
        || curl_multi_add_handle(f->multi, t->easy) != CURLM_OK)
    {
        return dt_response_refuse(r, DT_ENOMEM, "memory", "out of memory");
    }

    t->busy = 1;

    return 0;
}


/* hands over what there is; the handle is free again */
static void
dt_fetch_finish(dt_transfer_t *t)
{
    t->busy = 0;
    t->out->url = t->url.href;
    dt_response_result(&t->response, t->out);
}


/* a transfer has ended; when that was a hop, the next begins */
static void
dt_fetch_done(dt_transfer_t *t, CURLcode rc)
{
    dt_response_t *r;
    curl_off_t received = 0;

    r = &t->response;
    (void) curl_multi_remove_handle(t->fetcher->multi, t->easy);

    if (r->moved) {
        if (dt_response_follow(r, t->fetcher->origin, &t->url, t->hops) == 0
            && dt_fetch_start(t, r->arena, r->raw) == 0)
        {
            t->hops--;
            return;
        }

    } else if (rc != CURLE_OK) {
        dt_fetch_failed(t, rc);

    } else {
        (void) curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
        dt_response_end(r, (uint64_t) received);
    }

    dt_fetch_finish(t);
}


/* begins a page on a free handle */
static void
dt_fetch_begin(dt_transfer_t *t, const char *url, dt_arena_t *a,
               dt_fetched_t *out, unsigned raw)
{
    dt_status_t rc;

    t->out = out;
    t->hops = t->fetcher->o.max_redirects;
    t->deadline = dt_fetch_now() + t->fetcher->o.total_ms;

    rc = dt_url_resolve(NULL, dt_cstr(url), a, &t->url);

    if (rc != DT_OK) {
        t->url.href = dt_str("");
        dt_response_init(&t->response, a);
        (void) dt_response_refuse(&t->response, rc,
                                  rc == DT_ENOMEM ? "memory" : "url",
                                  "not a URL that can be fetched");

    } else if (dt_fetch_start(t, a, raw) == 0) {
        return;
    }

    dt_fetch_finish(t);
}


/* ends what libcurl has done, or all with failed; how many transfers go on */
static unsigned
dt_fetch_reap(dt_fetcher_t *f, int failed)
{
    int left, i;
    unsigned busy;
    CURLMsg *msg;
    dt_transfer_t *t;

    while ((msg = curl_multi_info_read(f->multi, &left)) != NULL) {
        for (i = 0; f->transfers[i].easy != msg->easy_handle; i++) {
            /* void */
        }

        dt_fetch_done(&f->transfers[i], msg->data.result);
    }

    busy = 0;

    for (i = 0; i < DT_FETCH_INFLIGHT; i++) {
        t = &f->transfers[i];

        if (t->busy && failed) {
            t->response.moved = 0;
            dt_fetch_done(t, CURLE_OUT_OF_MEMORY);
        }

        busy += t->busy;
    }

    return busy;
}


static void
dt_fetch_run(dt_fetcher_t *f, const char *const *urls, size_t n, dt_arena_t *a,
             dt_fetched_t *out, unsigned raw)
{
    int i, running;
    size_t next;
    unsigned busy;
    CURLMcode rc;

    next = 0;

    do {
        for (i = 0; i < DT_FETCH_INFLIGHT; i++) {
            while (next < n && !f->transfers[i].busy) {
                dt_fetch_begin(&f->transfers[i], urls[next], a, &out[next],
                               raw);
                next++;
            }
        }

        rc = curl_multi_perform(f->multi, &running);
        busy = dt_fetch_reap(f, rc != CURLM_OK);

        /* whatever happens, each transfer ends at its own deadline */
        if (busy) {
            rc = curl_multi_poll(f->multi, NULL, 0, 100, NULL);
            busy = dt_fetch_reap(f, rc != CURLM_OK);
        }

    } while (busy || next < n);
}


void
dt_fetcher_get_many(dt_fetcher_t *f, const char *const *urls, size_t n,
                    dt_arena_t *a, dt_fetched_t *out)
{
    dt_fetch_run(f, urls, n, a, out, 0);
}


void
dt_fetcher_get(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    dt_fetch_run(data, &url, 1, a, out, 0);
}


void
dt_fetcher_get_raw(dt_fetcher_t *f, const char *url, dt_arena_t *a,
                   dt_fetched_t *out)
{
    dt_fetch_run(f, &url, 1, a, out, 1);
}
