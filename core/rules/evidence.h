
/*
 * Copyright (C) The detemplate authors
 *
 * What pages showed.  A template keeps its evidence: which of the pages loaded
 * for the site, over all learnings, showed which subtree at which place.
 * Every learning adds its pages, and all is decided anew.
 */


#ifndef DT_EVIDENCE_H_INCLUDED_
#define DT_EVIDENCE_H_INCLUDED_


#include "core/base/index.h"
#include "core/dom/dom.h"
#include "core/rules/rules.h"
#include "core/scan/scan.h"
#include "core/template/table.h"


#define DT_EVIDENCE_PATTERNS (1u << 17) /* at most, while learning */
#define DT_EVIDENCE_PLACES (1u << 14)


/* what a page is known by */
typedef struct {
    uint64_t url;  /* hash of its URL */
    uint64_t name; /* hash of what names it, whatever directory it is in */
    dt_str_t path;
} dt_page_id_t;


/* a directory, of those that the pages are in */
typedef struct {
    uint64_t pages;
    uint64_t hash;   /* 0: all of the site */
    unsigned number; /* in the template, 0: not there */
} dt_quorum_dir_t;


/* what the pages of all learnings showed, and this one's */
typedef struct {
    dt_arena_t *arena;
    dt_template_head_t prev;
    dt_rules_t rules;
    uint64_t seed;

    dt_evidence_page_t pages[DT_PAGES_MAX];
    unsigned npages;
    uint64_t fresh;   /* pages of this learning */
    uint32_t typical; /* words of template on the middle page */
    uint32_t most;    /* and at the most */
    uint32_t guarded; /* patterns that would have left nothing of a page */

    dt_quorum_dir_t *dirs; /* that the pages are in; first, all of the site */
    unsigned ndirs;
    dt_quorum_dir_t *limits[DT_DIRS_MAX]; /* those that are in the template */
    unsigned nlimits;

    struct dt_score_trace_s *traces; /* of each pattern, to explain; or NULL */

    dt_index_t places;   /* dt_evidence_place_t */
    dt_index_t patterns; /* dt_pattern_t */
} dt_evidence_t;


/*
 * Begins a learning by these rules, with the evidence of prev (checked whole
 * bytes, or NULL) and its seed; without it with this seed, 0: with one made
 * up.  All memory comes from the arena.  NULL: no memory.
 */
dt_evidence_t *dt_evidence_create(const void *prev, const dt_rules_t *rules,
                                  uint64_t seed, dt_arena_t *arena);

/* the seed that pages must be scanned with */
uint64_t dt_evidence_seed(const dt_evidence_t *ev);

/* Whether the page was loaded, after the time since. */
int dt_evidence_knows(const dt_evidence_t *ev, const dt_page_id_t *id,
                      int64_t since);

/*
 * Adds a page: its records and, where dom is not NULL, only those that a
 * parser sees as the scanner does.  A page loaded before is replaced.  *page
 * is its number for dt_evidence_detected().
 */
dt_status_t dt_evidence_add(dt_evidence_t *ev, const dt_page_id_t *id,
                            const dt_dom_t *dom, const dt_record_t *records,
                            size_t n, int64_t now, unsigned *page);

/* The page and another one, of those loaded now, link to one another. */
void dt_evidence_linked(dt_evidence_t *ev, unsigned page);

/*
 * Whether the page shows hardly anything of what pages usually show of the
 * template so far, as when the site has another design.
 */
int dt_evidence_strange(const dt_evidence_t *ev, unsigned page);

/*
 * The detector's word on the key page: nodes[i] is set for each node of dom
 * that is template.  Only those are left in which all is.
 */
dt_status_t dt_evidence_detected(dt_evidence_t *ev, const dt_dom_t *dom,
                                 const dt_record_t *records, size_t n,
                                 uint8_t *nodes);


/* the pages that there are; patterns from elsewhere may name others */
static inline uint64_t
dt_evidence_pages(const dt_evidence_t *ev)
{
    return ev->npages < 64 ? ((uint64_t) 1 << ev->npages) - 1 : UINT64_MAX;
}


#endif /* DT_EVIDENCE_H_INCLUDED_ */
