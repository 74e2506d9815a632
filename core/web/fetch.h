
/*
 * Copyright (C) The detemplate authors
 *
 * Fetches pages of a site over HTTP.  Only fetch.c uses libcurl's transfers.
 * Learning takes any function of type dt_fetch_pt, so that tests and the
 * program's --root need no network.
 */


#ifndef DT_FETCH_H_INCLUDED_
#define DT_FETCH_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


typedef struct {
    dt_status_t rc;  /* DT_OK: body is a page; otherwise errstr says why not */
    long status;     /* HTTP status, 0: there was no response */
    dt_str_t body;   /* decoded bytes, in the caller's arena */
    dt_str_t type;   /* Content-Type as sent, or empty */
    dt_str_t url;    /* after redirects */
    dt_str_t served; /* the field Detemplate, by which nginx says what it did;
                        or empty */
    const char *reason;   /* static word: "ok", "status", "type", "too-large",
                             "timeout", "connect", "redirect", "encoding",
                             "cookie", "private", "excluded", "memory", ...
                             */
    unsigned retry_after; /* seconds that Retry-After asks for, or 0 */
    char errstr[DT_ERRSTR];
} dt_fetched_t;

/*
 * Fetches url (absolute, with a NUL at its end) into out, with memory from a.
 * The call itself does not fail: out->rc says whether there is a page.
 */
typedef void (*dt_fetch_pt)(void *data, const char *url, dt_arena_t *a,
                            dt_fetched_t *out);


/* pages that are fetched at once, at most */
#define DT_FETCH_ONCE 4

typedef struct {
    const char *url;
    dt_arena_t *arena;
    dt_fetched_t got;
} dt_fetch_t;

/* The same for n pages at once; returns when each is there, or is not. */
typedef void (*dt_fetch_many_pt)(void *data, dt_fetch_t *pages, unsigned n);


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
    unsigned max_redirects; /* on the same site; 3 */
    unsigned tls_insecure : 1; /* do not check the peer's certificate; only
                                  for our own server over loopback */
    unsigned shared : 1;       /* only pages that caches may share: without
                                  Set-Cookie, and without Cache-Control private
                                  or no-store */
    unsigned post : 1;         /* requests are POST, without a body */
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
 * Sets a function that says whether a target (path and query) may be fetched.
 * It is called before a redirect is followed.  data must outlive the fetcher.
 */
void dt_fetcher_ask(dt_fetcher_t *f,
                    int (*allowed)(void *data, const char *target),
                    void *data);

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


/*
 * A dt_fetch_pt over files, for --root and tests.  It reads the URL's path
 * below the directory; then "index.html" in it; then the name with ".html".
 */
typedef struct {
    const char *root; /* directory */
    const char *base; /* the URL that the directory stands for; ends in "/" */
} dt_fetch_files_t;

void dt_fetch_file(void *data, const char *url, dt_arena_t *a,
                   dt_fetched_t *out);


#endif /* DT_FETCH_H_INCLUDED_ */
