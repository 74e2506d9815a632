
/*
 * Copyright (C) The detemplate authors
 *
 * What a page is, by its target: the path and the query that a request asks
 * for.  Requests and learning go by the same rules, so they are in the room
 * that needs nothing.
 */


#ifndef DT_PAGE_H_INCLUDED_
#define DT_PAGE_H_INCLUDED_


#include "core/base/dt.h"


#define DT_PAGE_ARGS 4 /* arguments of a page, at most */


typedef enum {
    DT_PAGE_OK = 0,
    DT_PAGE_QUERY,  /* more arguments than a page has */
    DT_PAGE_ACTION, /* it acts, or is for one user, or another order or form
                       of a page: login, delete, sort, print, a token */
    DT_PAGE_SEARCH  /* made of what somebody looks for */
} dt_page_kind_t;

/*
 * Writes target without session ids, tracking arguments and fragment, what
 * needs no encoding (letters, digits, "-._~") as it is, the rest untouched, to
 * out, which has room for target.len bytes and gets no NUL.  Returns the bytes
 * written.
 * Session ids are arguments, and parameters of the path (";jsessionid=...").
 */
size_t dt_page_target(dt_str_t target, char *out);

/* The path without a session id at its end; points into it. */
dt_str_t dt_page_path(dt_str_t path);

/*
 * A number for what the query says: the order of arguments, session ids and
 * tracking do not count.  0 when nothing is left.
 */
uint64_t dt_page_query(dt_str_t query);

/* How many arguments it has, without those that do not count. */
unsigned dt_page_args(dt_str_t query);

/*
 * Whether that may be a page to learn from.  If not, what is the part of path
 * or query that decided; it points into them.
 */
dt_page_kind_t dt_page_kind(dt_str_t path, dt_str_t query, dt_str_t *what);


#endif /* DT_PAGE_H_INCLUDED_ */
