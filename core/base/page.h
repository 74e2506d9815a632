
/*
 * Copyright (C) The detemplate authors
 *
 * Which targets (path and query) are pages, and which are the same page.
 * Requests and learning use the same rules, so these are in the room that
 * needs no library.
 */


#ifndef DT_PAGE_H_INCLUDED_
#define DT_PAGE_H_INCLUDED_


#include "core/base/dt.h"


#define DT_PAGE_ARGS 4 /* arguments of a page, at most */


typedef enum {
    DT_PAGE_OK = 0,
    DT_PAGE_QUERY,  /* more than DT_PAGE_ARGS arguments */
    DT_PAGE_ACTION, /* it acts, is for one user, or is another order or form of
                       a page: login, delete, sort, print, a token */
    DT_PAGE_SEARCH  /* the result of a search */
} dt_page_kind_t;

/*
 * Writes target to out without session ids, tracking arguments and fragment.
 * Characters that need no encoding (letters, digits, "-._~") are decoded, the
 * rest stays as it is.  Session ids are arguments and path parameters
 * (";jsessionid=...").  out has room for target.len bytes and gets no NUL.
 * Returns the bytes written.
 */
size_t dt_page_target(dt_str_t target, char *out);

/* Returns the path without a session id at its end; points into it. */
dt_str_t dt_page_path(dt_str_t path);

/*
 * Returns a hash of the query, which does not depend on the order of the
 * arguments, session ids and tracking.  0: there is no other argument.
 */
uint64_t dt_page_query(dt_str_t query);

/* Returns the number of arguments without session ids and tracking. */
unsigned dt_page_args(dt_str_t query);

/*
 * Returns whether path and query may be a page to learn from.  If not, sets
 * *what to the part of path or query that decided.
 */
dt_page_kind_t dt_page_kind(dt_str_t path, dt_str_t query, dt_str_t *what);

/* Returns whether the path ends in the extension of a file that is no page of
   HTML. */
int dt_page_is_file(dt_str_t path);

/* Whether a list of strings, sorted as bsearch() needs it, has the word. */
#define dt_page_listed(word, list)                                            \
    (bsearch(word, list, sizeof(list) / sizeof(char *), sizeof(char *),       \
             dt_page_cmp)                                                     \
     != NULL)

int dt_page_cmp(const void *key, const void *item);


#endif /* DT_PAGE_H_INCLUDED_ */
