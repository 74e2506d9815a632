
/*
 * Copyright (C) The detemplate authors
 *
 * From what pages showed to template bytes.  A template keeps its evidence:
 * which of the pages loaded for the site, over all learnings, showed which
 * subtree at which place.  Every learning adds its pages and decides anew.
 */


#ifndef DT_COMPILE_H_INCLUDED_
#define DT_COMPILE_H_INCLUDED_


#include "core/dom/dom.h"
#include "core/scan/scan.h"
#include "core/web/url.h"


/* what counts as template; the defaults are what the accuracy bench chose */
typedef struct {
    unsigned support;     /* pages that must show a subtree, at the least, */
    unsigned share;       /* and percent of the pages that have its place; */
    unsigned share_low;   /* percent, where less than calm percent of the
                             text is repeated; */
    unsigned share_text;  /* percent of all pages, for what is not links, */
    unsigned share_label; /* and for headings and the like; */
    unsigned calm;        /* see share_low */
    unsigned words;       /* words of what is cut on its own among text that is
                             mostly not repeated, links aside; */
    unsigned varied_words; /* the same, when pages show it a different number
                              of times */
    unsigned hollow;       /* percent of its text that must be repeated for an
                              element to go when all of its children go */
    unsigned alike;      /* percent of words that two pages share: one vote */
    unsigned alike_rare; /* the same, when rare words weigh much more */
    unsigned stay;       /* percent of a page's words that must stay */
} dt_rules_t;

void dt_rules_init(dt_rules_t *r);


typedef struct dt_compile_s dt_compile_t;

/*
 * Begins a learning, with the evidence of prev (checked whole bytes, or
 * NULL) and its seed; without it with this seed, 0: with one made up.  All
 * memory comes from the arena.  NULL: no memory.
 */
dt_compile_t *dt_compile_create(const void *prev, uint64_t seed,
                                dt_arena_t *arena);

/* the seed that pages must be scanned with */
uint64_t dt_compile_seed(const dt_compile_t *c);

/* Whether the page at url was loaded, after the time since. */
int dt_compile_knows(const dt_compile_t *c, const dt_url_t *url,
                     int64_t since);

/*
 * Adds a page: its records and, where dom is not NULL, only those that a
 * parser sees as the scanner does.  A page loaded before is replaced.  *page
 * is its number for dt_compile_detected().
 */
dt_status_t dt_compile_page(dt_compile_t *c, const dt_url_t *url,
                            const dt_dom_t *dom, const dt_record_t *records,
                            size_t n, int64_t now, unsigned *page);

/*
 * Whether the page shows less than a tenth of what pages usually show of the
 * template so far, as when the site has another design.
 */
int dt_compile_strange(const dt_compile_t *c, const dt_rules_t *rules,
                       unsigned page);

/*
 * Which page each page votes with, by their numbers: the first of those that
 * are alike (print view, soft 404).  with has DT_PAGES_MAX places.
 */
void dt_compile_alike(const dt_compile_t *c, const dt_rules_t *rules,
                      uint8_t *with);

/*
 * The detector's word on the key page: nodes[i] is set for each node of dom
 * that is template.  Only those are left in which all is.
 */
dt_status_t dt_compile_detected(dt_compile_t *c, const dt_dom_t *dom,
                                const dt_record_t *records, size_t n,
                                uint8_t *nodes);


typedef struct {
    uint32_t candidates;
    uint32_t loads; /* of this learning */
    int64_t now;
    const dt_record_t *key; /* the key page, to count what is covered */
    size_t nkey;
} dt_compile_info_t;

typedef struct {
    void *bytes; /* malloc()ed */
    size_t len;
    uint32_t patterns;
    uint32_t guarded;      /* patterns that stay: see guard.c */
    uint32_t words;        /* of the key page */
    uint32_t static_words; /* of it, template */
    uint32_t static_bytes;
} dt_compiled_t;

/*
 * Decides and writes the template.  DT_DECLINED: nothing is template.
 */
dt_status_t dt_compile_finish(dt_compile_t *c, const dt_rules_t *rules,
                              const dt_compile_info_t *info,
                              dt_compiled_t *out);


#endif /* DT_COMPILE_H_INCLUDED_ */
