
/*
 * Copyright (C) The detemplate authors
 *
 * URLs through libcurl's URL API: resolve, normalise, compare.
 */


#ifndef DT_URL_H_INCLUDED_
#define DT_URL_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


typedef struct {
    dt_str_t href;   /* the whole URL, normalised, without fragment */
    dt_str_t scheme; /* "http" or "https" */
    dt_str_t host;   /* lower case, with the port where it is not default */
    dt_str_t path;   /* begins with "/"; dot segments removed */
    dt_str_t query;  /* without "?", may be empty */
} dt_url_t;


#define DT_URL_MAX 2048 /* a longer URL is DT_ELIMIT */

/*
 * Resolves ref (as it stands in a href) against base (NULL: ref must be
 * absolute) and normalises: scheme and host in lower case, default port and
 * fragment dropped, dot segments removed, percent-encoding upper case and
 * only where needed.  Strings are NUL-ended arena memory.  DT_DECLINED: not
 * http or https (mailto:, javascript:, data:).  DT_EINVAL: not a URL, or one
 * with a user, or with a host that is not ASCII (xn-- names are).
 */
dt_status_t dt_url_resolve(const dt_url_t *base, dt_str_t ref, dt_arena_t *a,
                           dt_url_t *out);

/*
 * Writes s in the one spelling of percent-encoding: unreserved characters are
 * decoded, all others but those in plain encoded, sequences in upper case
 * and otherwise kept.  out has room for 3 * s.len bytes and gets no NUL.
 * Returns the bytes written.
 */
size_t dt_url_encode(dt_str_t s, const char *plain, char *out);

/* Path and query, as they are asked for; NUL-ended, in u's memory. */
dt_str_t dt_url_target(const dt_url_t *u);

/*
 * The host without its port, an IPv6 address in its brackets; port becomes
 * what is behind it: ":" and the port, or nothing.  Both point into u's
 * memory.
 */
dt_str_t dt_url_name(const dt_url_t *u, dt_str_t *port);

/* Whether both are of one site: the same host, a leading "www." aside. */
int dt_url_same_site(const dt_url_t *a, const dt_url_t *b);

/*
 * The hyperlink distance from one page's directory to another's (Alarte et
 * al. 2015, Fig. 2): 0 the same directory; n > 0: n directories below; -n:
 * above, or aside with n the steps up and down.
 */
int dt_url_distance(const dt_url_t *from, const dt_url_t *to);


#endif /* DT_URL_H_INCLUDED_ */
