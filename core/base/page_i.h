
/*
 * Copyright (C) The detemplate authors
 *
 * The arguments of a query, for page.c and page_kind.c.
 */


#ifndef DT_PAGE_I_H_INCLUDED_
#define DT_PAGE_I_H_INCLUDED_


#include <stdlib.h>

#include "core/base/page.h"


#define DT_PAGE_WORD 24   /* bytes of a word and its NUL; no list has longer */
#define DT_PAGE_SECRET 16 /* letters and digits that nobody has chosen */

/* whether a sorted list has the word */
#define dt_page_listed(word, list)                                            \
    (bsearch(word, list, sizeof(list) / sizeof(char *), sizeof(char *),       \
             dt_page_cmp)                                                     \
     != NULL)

int dt_page_cmp(const void *key, const void *item);


/* an argument, as it stands in the query */
typedef struct {
    dt_str_t whole;
    dt_str_t name;
    dt_str_t value;
} dt_page_arg_t;

/* The next argument of the query, which is then the rest; 0: no more. */
int dt_page_next(dt_str_t *query, dt_page_arg_t *arg);

/* Whether an argument says nothing about the page: a session, tracking. */
int dt_page_idle(const dt_page_arg_t *arg);

/* Letters and digits of s in lower case; empty when no list can have it. */
void dt_page_word(dt_str_t s, char out[DT_PAGE_WORD]);

int dt_page_alnum(char c);

/* Whether s is letters and digits that nobody has chosen, and many. */
int dt_page_random(dt_str_t s);


#endif /* DT_PAGE_I_H_INCLUDED_ */
