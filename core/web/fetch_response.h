
/*
 * Copyright (C) The detemplate authors
 *
 * One HTTP response as it comes in: whether it can be a page, and its body,
 * within bounds.  Knows nothing of how it is transferred.
 */


#ifndef DT_FETCH_RESPONSE_H_INCLUDED_
#define DT_FETCH_RESPONSE_H_INCLUDED_


#include "core/web/fetch.h"
#include "core/web/origin.h"


/* embedded by the caller, who sets the four after dt_response_init() */
typedef struct {
    dt_arena_t *arena;

    size_t max_bytes;
    unsigned max_ratio;
    unsigned raw : 1;    /* any status and type will do */
    unsigned shared : 1; /* only what caches may share */

    unsigned headed : 1; /* the header has ended */
    unsigned moved : 1;  /* a redirect, to location */

    long status;
    unsigned retry_after;
    size_t header; /* bytes of it */
    dt_str_t type;
    dt_str_t location;
    const char *refused; /* static word: why it is not to be shared */
    char field[64];      /* the field that said so */
    dt_str_t body;
    char *buf; /* where the body lies */
    size_t size;

    dt_status_t rc;     /* why it is refused, when reason is set */
    const char *reason; /* static word */
    char errstr[DT_ERRSTR];
} dt_response_t;


/* A response that has not begun; a gets what is kept of it. */
void dt_response_init(dt_response_t *r, dt_arena_t *a);

/*
 * The next line of the header, the empty one at its end too; trailers may
 * come here as well.  Not 0: the rest of the response is not wanted, since it
 * is a redirect (moved) or refused (reason).
 */
int dt_response_header(dt_response_t *r, const char *p, size_t n);

/* The next n decoded bytes of the body.  Not 0: refused. */
int dt_response_body(dt_response_t *r, const char *p, size_t n);

/* The body has ended; it was made of received bytes.  May refuse. */
void dt_response_end(dt_response_t *r, uint64_t received);

/*
 * Turns url, which the response is for, into where it redirects to.  When the
 * site's pages are got from elsewhere, that is origin, or else NULL.  Not 0:
 * refused, since it is not on the site, or no hops are left.
 */
int dt_response_follow(dt_response_t *r, const dt_origin_t *origin,
                       dt_url_t *url, unsigned hops);

/* Fills in all of out but the URL; a response not refused is a page. */
void dt_response_result(const dt_response_t *r, dt_fetched_t *out);

/* Refuses, unless it is refused already; always 1. */
int dt_response_refuse(dt_response_t *r, dt_status_t rc, const char *reason,
                       const char *what);


#endif /* DT_FETCH_RESPONSE_H_INCLUDED_ */
