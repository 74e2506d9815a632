
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
#include "core/web/url.h"


typedef struct {
    dt_status_t rc;  /* DT_OK: body is a page; otherwise errstr says why not */
    long status;     /* HTTP status, 0: there was no response */
    dt_str_t body;   /* decoded bytes, in the caller's arena */
    dt_str_t type;   /* Content-Type as sent, or empty */
    dt_str_t url;    /* after redirects */
    dt_str_t served; /* the field Detemplate, in which nginx reports its
                        result; or empty */
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
typedef struct dt_robots_s dt_robots_t;

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


/*
 * An origin: a URL below which the pages of a site are fetched, each by its
 * path and query, instead of at their own URLs.
 */

typedef struct dt_origin_s dt_origin_t;

/* Creates an origin from a URL without the last slash, which is copied.  NULL:
   no memory, or not a URL. */
dt_origin_t *dt_origin_create(const char *url);
void dt_origin_destroy(dt_origin_t *o); /* NULL is allowed */

/*
 * Writes the URL at which page is fetched into buf, with a NUL; without origin
 * (NULL) that is the page's own URL.  Returns the bytes that this takes, as
 * snprintf() does.
 */
int dt_origin_url(const dt_origin_t *o, const dt_url_t *page, char *buf,
                  size_t size);

/*
 * Translates next, a URL that the origin sent in a response for page.  The
 * origin may call itself, or the site, by its own name, port and path: then
 * next becomes the site's URL, with memory from a.  Other URLs stay as they
 * are.
 */
dt_status_t dt_origin_public(const dt_origin_t *o, const dt_url_t *page,
                             dt_arena_t *a, dt_url_t *next);


/* robots.txt (RFC 9309) */

/*
 * Reads the groups for agent ("detemplate"), or else those for "*", from the
 * first 500 KiB of text.  *out is arena memory.  DT_ENOMEM: no memory.
 */
dt_status_t dt_robots_parse(dt_str_t text, dt_str_t agent, dt_arena_t *a,
                            dt_robots_t **out);

/*
 * Fetches and reads the robots.txt of a site, of which site is any page, with
 * a fetch that takes any type of response.  If there is a file but it cannot
 * be had, *out forbids all.  *out and what it holds is arena memory.
 * DT_ENOMEM: no memory.
 */
dt_status_t dt_robots_get(dt_fetch_pt fetch, void *data, const dt_url_t *site,
                          dt_arena_t *a, dt_robots_t **out);

/* Whether there is a file that cannot be had. */
int dt_robots_closed(const dt_robots_t *r);

/* Drops all rules; the text stays. */
void dt_robots_ignore(dt_robots_t *r);

/* Whether path (with its query) may be fetched; the longest match decides. */
int dt_robots_allowed(const dt_robots_t *r, dt_str_t path);

/* Returns the milliseconds that Crawl-delay asks for between requests, at most
   10,000. */
unsigned dt_robots_delay(const dt_robots_t *r);

/* Returns the file as it came, and why a page is forbidden, for a message. */
dt_str_t dt_robots_text(const dt_robots_t *r);
const char *dt_robots_why(const dt_robots_t *r);


/* sitemaps (sitemaps.org), by which a site names its pages */

#define DT_SITEMAP_FILES 3                  /* that are read */
#define DT_SITEMAP_BYTES ((size_t) 4 << 20) /* of all of them, decoded */

/*
 * Calls name() with the URL of each page that the sitemaps of a site name: the
 * files that robots.txt names, or else /sitemap.xml; and files that these
 * name.  Files of other hosts, and files that robots.txt forbids, are not
 * asked for.  site is any page of the site; fetch takes any type of response.
 *  URLs are as the files have them,
 * with a NUL behind, in the arena.  Files that cannot be fetched or read are
 * skipped.
 */
void dt_sitemap(dt_fetch_pt fetch, void *fetch_data, const dt_url_t *site,
                const dt_robots_t *robots, dt_arena_t *a,
                void (*name)(void *data, dt_str_t url), void *data);


/*
 * Takes one HTTP response as it comes in: decides whether it can be a page,
 * and collects its body within bounds.  It does not depend on libcurl.
 */

/* embedded by the caller, which sets the first four after
   dt_response_init() */
typedef struct {
    dt_arena_t *arena;

    size_t max_bytes;
    unsigned max_ratio;
    unsigned raw : 1;    /* any status and type is accepted */
    unsigned shared : 1; /* only pages that caches may share */

    unsigned headed : 1;   /* the header is complete */
    unsigned moved : 1;    /* it redirects to location */
    unsigned excluded : 1; /* the server says that it is no evidence */

    long status;
    unsigned retry_after;
    size_t header; /* bytes of the header */
    dt_str_t type;
    dt_str_t location;
    dt_str_t served;
    const char *refused; /* static word: why caches may not share it */
    char field[64];      /* the field that said so */
    dt_str_t body;
    char *buf; /* the body */
    size_t size;

    dt_status_t rc;     /* why it is refused, when reason is set */
    const char *reason; /* static word */
    char errstr[DT_ERRSTR];
} dt_response_t;


/* Initialises a response; its strings and its body are allocated from a. */
void dt_response_init(dt_response_t *r, dt_arena_t *a);

/*
 * Takes the next line of the header, including the empty line at its end, and
 * lines of trailers.  Not 0: the rest of the response is not needed, since it
 * is a redirect (moved) or refused (reason).
 */
int dt_response_header(dt_response_t *r, const char *p, size_t n);

/* Takes the next n decoded bytes of the body.  Not 0: refused. */
int dt_response_body(dt_response_t *r, const char *p, size_t n);

/* Ends the body, for which that number of bytes was received; may refuse
   it. */
void dt_response_end(dt_response_t *r, uint64_t received);

/*
 * Replaces url, which the response is for, by the URL that it redirects to.
 * origin is where the site's pages are fetched, or NULL for their own URLs.
 * Not 0: refused, since the URL is on another site, or no hops are left.
 */
int dt_response_follow(dt_response_t *r, const dt_origin_t *origin,
                       dt_url_t *url, unsigned hops);

/* Fills in all of out but the URL; a response that is not refused is a page.
 */
void dt_response_result(const dt_response_t *r, dt_fetched_t *out);

/* Refuses the response, unless it is refused already; returns 1. */
int dt_response_refuse(dt_response_t *r, dt_status_t rc, const char *reason,
                       const char *what);


#endif /* DT_FETCH_H_INCLUDED_ */
