
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

/* Returns the pattern with that key, or the one that stands for it; NULL: no
   page shows any. */
static inline const dt_pattern_t *
dt_evidence_find(const dt_evidence_t *ev, uint64_t key)
{
    const dt_seen_t *s;
    const dt_pattern_t *e = dt_index_find(&ev->patterns, key);

    if (e == NULL) {
        s = dt_index_find(&ev->seen, key >> 32 << 32);
        e = s != NULL && s->at != DT_SEEN_NONE
                ? dt_index_elt(&ev->patterns, s->at)
                : NULL;
    }

    return e;
}

/* Returns the element around a pattern, on the page that showed the pattern
   last; NULL: there is none. */
static inline const dt_pattern_t *
dt_evidence_around(const dt_evidence_t *ev, const dt_pattern_t *e)
{
    return e->up ? dt_index_find(&ev->patterns, e->up) : NULL;
}


/* the part of the evidence that a template keeps */

/* most patterns, those of groups included */
#define DT_STORE_PATTERNS 49152u

/* most groups */
#define DT_STORE_GROUPS 3072u

/* bytes of evidence up to which keys of patterns in groups are added */
#define DT_STORE_SIZE (256u << 10)


typedef struct {
    dt_pattern_t *patterns;
    uint32_t npatterns;
    dt_evidence_place_t *places;
    uint32_t nplaces;

    uint32_t *keys; /* of patterns that others stand for, see dt_seen_t */
    uint16_t *at;   /* the number of the pattern that does */
    uint32_t nseen;
} dt_stored_t;


/*
 * Chooses the part of the evidence to keep, in the evidence's arena.  Where
 * the bounds do not allow all, keys of the latest pages come first.
 */
dt_status_t dt_store(const dt_evidence_t *ev, dt_stored_t *out);

/* Copies the evidence of a checked template into ev, which is empty.
   DT_EINVAL: it contradicts itself; DT_ENOMEM. */
dt_status_t dt_store_load(dt_evidence_t *ev, const dt_template_head_t *h);


/* compiles evidence into the bytes of a template */

/* facts about the learning */
typedef struct {
    uint32_t candidates;
    uint32_t loads;         /* of this learning */
    int64_t now;            /* seconds */
    const dt_record_t *key; /* records of the key page, for the coverage */
    size_t nkey;
} dt_compile_info_t;

typedef struct {
    void *bytes; /* malloc()ed; the caller frees them; NULL: none */
    size_t len;
    uint32_t patterns;     /* number of active patterns */
    uint32_t guarded;      /* number of patterns that the guard keeps */
    uint32_t words;        /* of the key page */
    uint32_t static_words; /* those of them that are template */
    uint32_t static_bytes; /* bytes of the key page that are template */
    uint64_t shown;        /* words of template on the pages of this learning
                            */
} dt_compiled_t;

/*
 * Decides about the evidence and writes a template into out.  DT_DECLINED:
 * nothing is template, and the bytes contain evidence only.  DT_ENOMEM: there
 * is no memory; DT_ELIMIT: the template would be larger than DT_TEMPLATE_MAX.
 * After these two there are no bytes.
 */
dt_status_t dt_compile(dt_evidence_t *ev, const dt_compile_info_t *info,
                       dt_compiled_t *out);


#endif /* DT_EVIDENCE_H_INCLUDED_ */
