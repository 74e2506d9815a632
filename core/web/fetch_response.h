
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_FETCH_RESPONSE_H_INCLUDED_
#define DT_FETCH_RESPONSE_H_INCLUDED_


#include "core/web/fetched.h"
#include "core/web/url.h"


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


#endif /* DT_FETCH_RESPONSE_H_INCLUDED_ */
