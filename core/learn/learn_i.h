
/*
 * Copyright (C) The detemplate authors
 *
 * A learning under way, for learn.c and learn_page.c.
 */


#ifndef DT_LEARN_I_H_INCLUDED_
#define DT_LEARN_I_H_INCLUDED_


#include "core/learn/digraph.h"
#include "core/learn/learn.h"
#include "core/learn/links.h"


#define DT_LEARN_PAGES DT_DIGRAPH_MAX


typedef struct {
    dt_url_t asked; /* what links say */
    dt_url_t url;   /* where redirects led */
    dt_dom_t *dom;
    dt_record_t *records;
    size_t n;
    dt_links_t links;
    dt_status_t rc; /* of fetching it */
    unsigned retry_after;
    unsigned number; /* in the evidence */
} dt_page_t;


typedef struct {
    const dt_learn_opts_t *o;
    dt_learned_t *out;
    dt_arena_t *arena;
    dt_evidence_t *evidence;
    dt_digraph_t graph;
    dt_page_t key;
    dt_page_t pages[DT_LEARN_PAGES];
    unsigned number[DT_LEARN_PAGES]; /* in out->pages */
    unsigned npages;
} dt_learn_t;


/* Tells of a page that was asked for. */
void dt_learn_told(dt_learn_t *l, const char *url, const char *result);

/* What was wrong with the last page, for the log. */
void dt_learn_why(dt_learn_t *l, const char *why);

/* Loads a page and takes it apart; a static word: "ok", or what was wrong. */
const char *dt_learn_load(dt_learn_t *l, const dt_url_t *url, dt_page_t *page);

/* Whether the page was loaded already, under whatever URL. */
int dt_learn_seen(const dt_learn_t *l, const dt_page_t *page);

/* Adds the page just loaded to the digraph. */
void dt_learn_join(dt_learn_t *l);

/* Tells the evidence which pages link to one another, when all are loaded. */
void dt_learn_linked(dt_learn_t *l);


#endif /* DT_LEARN_I_H_INCLUDED_ */
