
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_FETCHED_H_INCLUDED_
#define DT_FETCHED_H_INCLUDED_


#include "core/base/arena.h"


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


#endif /* DT_FETCHED_H_INCLUDED_ */
