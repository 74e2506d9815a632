
/*
 * Copyright (C) The detemplate authors
 *
 * Pages of a site over HTTP.  The only file that knows libcurl's transfers is
 * fetch.c; learning takes any function of type dt_fetch_pt, so that tests
 * and the CLI's --root need no network.
 */


#ifndef DT_FETCH_H_INCLUDED_
#define DT_FETCH_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


typedef struct {
    dt_status_t rc;       /* DT_OK: body is a page; else errstr says why not */
    long status;          /* HTTP status, 0 when there was none */
    dt_str_t body;        /* decoded bytes, in the arena */
    dt_str_t type;        /* Content-Type as sent, or empty */
    dt_str_t url;         /* after redirects */
    const char *reason;   /* static word: "ok", "status", "type", "too-large",
                             "timeout", "connect", "redirect", "encoding",
                             "cookie", "private", "memory", ... */
    unsigned retry_after; /* seconds that Retry-After asks for, or 0 */
    char errstr[DT_ERRSTR];
} dt_fetched_t;

/*
 * Gets url (absolute, NUL-ended) into out with memory from a.  A page that
 * cannot be had is not an error of the call: out->rc says so.
 */
typedef void (*dt_fetch_pt)(void *data, const char *url, dt_arena_t *a,
                            dt_fetched_t *out);


typedef struct {
    const char *connect_to;    /* "host:port" or NULL: where to connect to
                                  whatever the URL's host says */
    const char *origin;        /* URL without the last slash, or NULL: pages
                                  are got below it, by path and query, and
                                  asked for by the host of their own URL */
    const char *agent;         /* User-Agent; default "detemplate/VERSION" */
    const char *header;        /* one more request line, or NULL: the marker by
                                  which our own server knows the learner */
    size_t max_bytes;          /* decoded; 4 MiB */
    unsigned max_ratio;        /* decoded to received, from 64 KB on; 100 */
    long connect_ms;           /* 2,000 */
    int64_t total_ms;          /* per page; 10,000 */
    unsigned max_redirects;    /* on the same site; 3 */
    unsigned tls_insecure : 1; /* do not check the peer's certificate; only
                                  for our own server over loopback */
    unsigned shared : 1;       /* only pages that caches may share: without
                                  Set-Cookie, and Cache-Control private or
                                  no-store */
    unsigned learns : 1;       /* a redirect leads only to what may be learned
                                  from, see dt_page_kind() */
} dt_fetch_opts_t;

void dt_fetch_opts_init(dt_fetch_opts_t *o);


typedef struct dt_fetcher_s dt_fetcher_t;

/* A fetcher with its connections; copies o and its strings.  NULL: memory. */
dt_fetcher_t *dt_fetcher_create(const dt_fetch_opts_t *o);
void dt_fetcher_destroy(dt_fetcher_t *f);

/*
 * Asks whether a target (path and query) may be got before a redirect to it is
 * followed; data outlives the fetcher.
 */
void dt_fetcher_ask(dt_fetcher_t *f,
                    int (*allowed)(void *data, const char *target),
                    void *data);

/*
 * A dt_fetch_pt over libcurl; data is a dt_fetcher_t, for one page at a time.
 * Refused, with reason: a status other than 200, a type other than HTML or
 * XHTML, a redirect off the site, or to what may not be got, a body over
 * max_bytes or max_ratio, and, when asked for, what caches may not share.  No
 * cookies, no proxy from the environment, http and https only.
 */
void dt_fetcher_get(void *data, const char *url, dt_arena_t *a,
                    dt_fetched_t *out);

/*
 * Any status and type, shared or not, for robots.txt; otherwise as
 * dt_fetcher_get().
 */
void dt_fetcher_get_raw(dt_fetcher_t *f, const char *url, dt_arena_t *a,
                        dt_fetched_t *out);


/*
 * A dt_fetch_pt over files, for --root and tests: the URL's path under the
 * directory, "index.html" for directories, ".html" tried.
 */
typedef struct {
    const char *root; /* directory */
    const char *base; /* URL that the directory stands for, ends with "/" */
} dt_fetch_files_t;

void dt_fetch_file(void *data, const char *url, dt_arena_t *a,
                   dt_fetched_t *out);


#endif /* DT_FETCH_H_INCLUDED_ */
