
/*
 * Copyright (C) The detemplate authors
 *
 * Resolves, normalises and compares URLs, with libcurl's URL API.
 */


#ifndef DT_URL_H_INCLUDED_
#define DT_URL_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


typedef struct {
    dt_str_t href;   /* the whole URL, normalised, without fragment */
    dt_str_t scheme; /* "http" or "https" */
    dt_str_t host;   /* lower case, with a port that is not the default */
    dt_str_t path;   /* begins with "/"; without dot segments */
    dt_str_t query;  /* without "?", may be empty */
} dt_url_t;


#define DT_URL_MAX 2048 /* bytes; a longer URL gives DT_ELIMIT */

/*
 * Resolves ref (as written in a href) against base (NULL: ref must be
 * absolute), and normalises the result: scheme and host in lower case, no
 * default port, fragment and dot segments, percent-encoding in upper case and
 * only where needed.  Strings are in the arena and have a NUL at their ends.
 * DT_DECLINED: not http or https (mailto:, javascript:, data:).  DT_EINVAL:
 * not a URL, or one with a user, or with a host that is not ASCII (xn-- names
 * are). DT_ELIMIT: longer than DT_URL_MAX.  DT_ENOMEM: no memory.
 */
dt_status_t dt_url_resolve(const dt_url_t *base, dt_str_t ref, dt_arena_t *a,
                           dt_url_t *out);

/*
 * Writes s in one spelling of percent-encoding: unreserved characters are
 * decoded, all others but those in plain are encoded, and sequences are put in
 * upper case.  out has room for 3 * s.len bytes and gets no NUL.  Returns the
 * bytes written.
 */
size_t dt_url_encode(dt_str_t s, const char *plain, char *out);

/* Returns path and query as in a request; points into u, with a NUL behind. */
dt_str_t dt_url_target(const dt_url_t *u);

/*
 * Returns the host without its port, an IPv6 address in its brackets.  port
 * becomes ":" and the port, or empty.  Both point into u.
 */
dt_str_t dt_url_name(const dt_url_t *u, dt_str_t *port);

/* Returns a host without a leading "www." of any case; points into host. */
dt_str_t dt_url_bare_host(dt_str_t host);

/* Whether both are on one site: the same host, apart from a leading "www.". */
int dt_url_same_site(const dt_url_t *a, const dt_url_t *b);

/*
 * Returns the hyperlink distance from one page's directory to another's
 * (Alarte et al. 2015, Fig. 2): 0: the same directory; n > 0: n directories
 * below; -n: n directories above, or beside it with n steps up and down.
 */
int dt_url_distance(const dt_url_t *from, const dt_url_t *to);


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


#endif /* DT_URL_H_INCLUDED_ */
