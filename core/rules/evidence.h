
/*
 * Copyright (C) The detemplate authors
 *
 * The evidence: which of the pages that were loaded for a site, over all
 * learnings, showed which pattern at which place.  A template carries it. Each
 * learning adds its pages, and then decides about everything again.
 */


#ifndef DT_EVIDENCE_H_INCLUDED_
#define DT_EVIDENCE_H_INCLUDED_


#include "core/base/index.h"
#include "core/dom/dom.h"
#include "core/rules/rules.h"
#include "core/scan/scan.h"
#include "core/template/table.h"


/* bounds while learning */
#define DT_EVIDENCE_PATTERNS (1u << 17)
#define DT_EVIDENCE_PLACES (1u << 14)


/* the identity of a page */
typedef struct {
    uint64_t url;  /* hash of its URL */
    uint64_t name; /* hash of the last part of its path, without extension */
    dt_str_t path; /* used only during a call */
} dt_page_id_t;


/* a directory of the pages: see quorum.c */
typedef struct {
    uint64_t pages;  /* set of the pages in it */
    uint64_t hash;   /* 0: the whole site */
    unsigned number; /* in the template; 0: it has none */
} dt_quorum_dir_t;


/* half of the key of a pattern that a group stands for */
typedef struct {
    uint64_t key; /* its high half */
    uint32_t at;  /* number of the group; DT_SEEN_NONE: the pattern was split
                     off */
} dt_seen_t;

#define DT_SEEN_NONE UINT32_MAX

/* the path of texts that the scanner does not reach: they are never cut */
#define DT_EVIDENCE_REST 2


/* the evidence of all learnings, and the state of the current one */
typedef struct {
    dt_arena_t *arena;
    dt_template_head_t prev; /* head of the previous template; zero: none */
    dt_rules_t rules;
    uint64_t seed; /* with which pages must be scanned */

    dt_evidence_page_t pages[DT_PAGES_MAX];
    unsigned npages;
    uint64_t fresh;   /* set of the pages of this learning */
    uint32_t typical; /* words of template on the typical page */
    uint32_t most;    /* the most words of template on a page */
    uint32_t guarded; /* number of patterns that the guard keeps */

    dt_quorum_dir_t *dirs; /* directories of the pages; [0] is the site */
    unsigned ndirs;
    dt_quorum_dir_t *limits[DT_DIRS_MAX]; /* those with a number, from 1 on */
    unsigned nlimits;

    struct dt_score_trace_s *traces; /* of each pattern, or NULL */

    dt_index_t places;   /* dt_evidence_place_t */
    dt_index_t patterns; /* dt_pattern_t */
    dt_index_t seen;     /* dt_seen_t */
} dt_evidence_t;


/*
 * Begins a learning by these rules, with the evidence and seed of prev (whole
 * bytes of a template, checked; they may be freed after the call).  If prev is
 * NULL, there is no evidence, and the seed is the given one, or a random one
 * if that is 0.  All memory comes from the arena.  NULL: there is no memory.
 */
dt_evidence_t *dt_evidence_create(const void *prev, const dt_rules_t *rules,
                                  uint64_t seed, dt_arena_t *arena);

/* Returns whether the page was loaded after the time since, in seconds. */
int dt_evidence_knows(const dt_evidence_t *ev, const dt_page_id_t *id,
                      int64_t since);

/*
 * Adds a page by its n records.  If dom is not NULL, only sound records count:
 * those that a parser sees as the scanner does.  The page replaces its own
 * earlier records; if there are DT_PAGES_MAX others, it replaces the oldest.
 * now is the time in seconds.  *page becomes the number of the page, for the
 * functions below.  DT_ENOMEM: there is no memory, and the page has no
 * patterns.
 */
dt_status_t dt_evidence_add(dt_evidence_t *ev, const dt_page_id_t *id,
                            const dt_dom_t *dom, const dt_record_t *records,
                            size_t n, int64_t now, unsigned *page);

/*
 * Notes which patterns of the key page the detector found, where dom and
 * records are of that page.  nodes[i] is not 0 if the detector found node i of
 * dom.  It is cleared for the nodes of which not all nodes below were found.
 */
void dt_evidence_detected(dt_evidence_t *ev, const dt_dom_t *dom,
                          const dt_record_t *records, size_t n,
                          uint8_t *nodes);


/* Returns the set of all pages.  Patterns of a template from Redis or a file
   may name other pages too. */
static inline uint64_t
dt_evidence_pages(const dt_evidence_t *ev)
{
    return ev->npages < 64 ? ((uint64_t) 1 << ev->npages) - 1 : UINT64_MAX;
}


#endif /* DT_EVIDENCE_H_INCLUDED_ */
