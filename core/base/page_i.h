
/*
 * Copyright (C) The detemplate authors
 *
 * Reads the arguments of a query, for page.c and page_kind.c.
 */


#ifndef DT_PAGE_I_H_INCLUDED_
#define DT_PAGE_I_H_INCLUDED_


#include <stdlib.h>

#include "core/base/page.h"


#define DT_PAGE_WORD 24   /* bytes of the longest word of a list and its NUL */
#define DT_PAGE_SECRET 16 /* least letters and digits of a random value */

/* whether a sorted list has the word */
#define dt_page_listed(word, list)                                            \
    (bsearch(word, list, sizeof(list) / sizeof(char *), sizeof(char *),       \
             dt_page_cmp)                                                     \
     != NULL)

int dt_page_cmp(const void *key, const void *item);


/* an argument as it is written in the query */
typedef struct {
    dt_str_t whole;
    dt_str_t name;
    dt_str_t value;
} dt_page_arg_t;

/* Takes the next argument off the query; 0: there are no more. */
int dt_page_next(dt_str_t *query, dt_page_arg_t *arg);

/* Whether an argument does not identify the page: a session id, tracking. */
int dt_page_ignored(const dt_page_arg_t *arg);

/* Writes the letters and digits of s in lower case, or an empty word when they
   are too long for any list. */
void dt_page_word(dt_str_t s, char out[DT_PAGE_WORD]);

int dt_page_alnum(char c);

/* Whether s looks random: DT_PAGE_SECRET or more letters and digits. */
int dt_page_random(dt_str_t s);


#endif /* DT_PAGE_I_H_INCLUDED_ */
