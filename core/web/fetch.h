
/*
 * Copyright (C) The detemplate authors
 *
 * Fetches pages of a site over HTTP.  Only fetch.c uses libcurl's transfers.
 * Learning takes any function of type dt_fetch_pt, so that tests and the
 * program's --root need no network.
 */


#ifndef DT_FETCH_H_INCLUDED_
#define DT_FETCH_H_INCLUDED_


#include "core/base/arena.h"
#include "core/base/dt.h"
#include "core/web/robots.h"
#include "core/web/url.h"


typedef struct {
    const char *connect_to; /* "host:port" to connect to instead of the URL's
                               host, or NULL */
    const char *origin;     /* URL without the last slash, or NULL: pages are
                               fetched below it, by path and query, with the
                               host of their own URL as Host */
    const char *agent;      /* User-Agent; default "detemplate/VERSION" */
    const char *header;     /* one more request line, or NULL: the secret by
                               which our own server recognises the learner
                               */
    size_t max_bytes;       /* decoded; 4 MiB */
    unsigned max_ratio;     /* decoded to received bytes, from 64 KiB on; 100
                             */
    long connect_ms;        /* 2,000 */
    int64_t total_ms;       /* per page; 10,000 */
    int64_t all_ms;         /* for all pages; no bound.  The time between them
                               does not count: on a busy machine it is long */
    int64_t pause_ms;       /* paced: waiting between requests, in all;
                               240,000 */
    unsigned max_requests;  /* with those for redirects; no bound */
    unsigned max_redirects; /* on the same site; 3 */
    unsigned tls_insecure : 1; /* do not check the peer's certificate; only
                                  for our own server over loopback */
    unsigned shared : 1;       /* only pages that caches may share: without
                                  Set-Cookie, and without Cache-Control private
                                  or no-store */
    unsigned post : 1;         /* requests are POST, without a body */
    unsigned paced : 1;  /* a call waits before its requests for as long as
                            those of the last call took, and for at least 20 ms
                            and Crawl-delay */
    unsigned learns : 1; /* redirects are followed only to pages that may be
                            learned from, see dt_page_kind() */
} dt_fetch_opts_t;

void dt_fetch_opts_init(dt_fetch_opts_t *o);


typedef struct dt_fetcher_s dt_fetcher_t;

/*
 * Creates a fetcher with its connections; it copies o and its strings.  The
 * caller destroys it.  NULL: no memory.
 */
dt_fetcher_t *dt_fetcher_create(const dt_fetch_opts_t *o);
void dt_fetcher_destroy(dt_fetcher_t *f);

/*
 * Makes the fetcher obey a robots.txt: redirects are not followed to pages
 * that it forbids, and Crawl-delay is the least time between requests.  robots
 * must outlive the fetcher; NULL: all is allowed.
 */
void dt_fetcher_obey(dt_fetcher_t *f, const dt_robots_t *robots);

/* Returns how many requests the fetcher has sent. */
unsigned dt_fetcher_requests(const dt_fetcher_t *f);

/*
 * A dt_fetch_many_pt over libcurl.  data is a dt_fetcher_t; n is at most
 * DT_FETCH_ONCE.  These are refused, with a reason: a status other than 200, a
 * type other than HTML or XHTML, a redirect to another site or to a target
 * that may not be fetched, a body over max_bytes or max_ratio, and, with
 * shared, pages that caches may not share.  There are no cookies and no proxy
 * from the environment, and only http and https.
 */
void dt_fetcher_get_many(void *data, dt_fetch_t *pages, unsigned n);

/* A dt_fetch_pt: dt_fetcher_get_many() for one page. */
void dt_fetcher_get(void *data, const char *url, dt_arena_t *a,
                    dt_fetched_t *out);

/*
 * Like dt_fetcher_get(), but with any status and type, and pages that caches
 * may not share: for robots.txt and sitemaps.
 */
void dt_fetcher_get_raw(void *data, const char *url, dt_arena_t *a,
                        dt_fetched_t *out);


#endif /* DT_FETCH_H_INCLUDED_ */
