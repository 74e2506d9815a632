
/*
 * Copyright (C) The detemplate authors
 *
 * The state of a learning, for learn.c and learn_page.c.
 */


#ifndef DT_LEARN_I_H_INCLUDED_
#define DT_LEARN_I_H_INCLUDED_


#include <time.h>

#include "core/learn/digraph.h"
#include "core/learn/learn.h"
#include "core/learn/links.h"


#define DT_LEARN_PAGES DT_DIGRAPH_MAX


typedef struct {
    dt_url_t asked;    /* the URL in links */
    dt_url_t url;      /* the URL after redirects */
    dt_arena_t *arena; /* the page's own; NULL: it was not read */
    dt_dom_t *dom;
    dt_record_t *records; /* malloc()ed */
    size_t n;
    dt_links_t links;
    dt_status_t rc;  /* of fetching it */
    long status;     /* likewise, in HTTP */
    unsigned number; /* in the evidence */
} dt_loaded_t;


typedef struct {
    const dt_learn_opts_t *o;
    dt_learned_t *out;
    dt_arena_t *arena;
    size_t room;
    clock_t began; /* processor time */
    dt_evidence_t *evidence;
    dt_digraph_t graph;
    dt_loaded_t key;
    dt_loaded_t pages[DT_LEARN_PAGES];
    unsigned number[DT_LEARN_PAGES]; /* in out->pages */
    unsigned npages;
    unsigned busy; /* the server asked for no more requests */
} dt_learn_t;


/* Reports a page that was requested. */
void dt_learn_report(dt_learn_t *l, const char *url, const char *result);

/* Sets the message that says what was wrong with the last page. */
void dt_learn_error(dt_learn_t *l, const char *why);

/* Loads and parses a page.  Returns a static word: "ok", or what was wrong. */
const char *dt_learn_load(dt_learn_t *l, const dt_url_t *url,
                          dt_loaded_t *page);

/* Frees what a page has. */
void dt_learn_drop(dt_loaded_t *page);

/* Whether the page was loaded already, under any URL. */
int dt_learn_seen(const dt_learn_t *l, const dt_loaded_t *page);

/* Adds the page that was loaded last to the digraph. */
void dt_learn_join(dt_learn_t *l);

/* Notes in the evidence which pages link to one another, when all are loaded.
 */
void dt_learn_linked(dt_learn_t *l);


#endif /* DT_LEARN_I_H_INCLUDED_ */
