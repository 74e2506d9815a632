
/*
 * Copyright (C) The detemplate authors
 *
 * The votes of pages, and the verdicts about patterns that they lead to.
 */


#ifndef DT_VERDICT_H_INCLUDED_
#define DT_VERDICT_H_INCLUDED_


#include "core/rules/evidence.h"


/* which pages are alike: alike.c */
typedef struct {
    uint64_t alike[DT_PAGES_MAX]; /* for each page, the set of the pages that
                                     are alike with it, and itself */
    uint8_t order[DT_PAGES_MAX];  /* the pages, from the one with the fewest
                                     words */
    unsigned npages;
} dt_voters_t;


/*
 * Returns the votes of a set of pages, which has a bit for each page.  The
 * pages are counted from the one with the fewest words on; a page that is
 * alike with a counted one does not count.  So a page that contains others
 * adds no vote to theirs, and takes none of them.
 */
static inline unsigned
dt_rules_votes(uint64_t pages, const dt_voters_t *voters)
{
    unsigned i, p, n = 0;

    for (i = 0; i < voters->npages && pages; i++) {
        p = voters->order[i];

        if (pages >> p & 1) {
            pages &= ~voters->alike[p];
            n++;
        }
    }

    return n;
}


/* the verdict about a pattern */
typedef struct {
    uint64_t cut;     /* set of the pages on which it is cut alone */
    uint64_t removed; /* texts: the same, and those on which an element around
                       it is cut */
    uint8_t active;   /* it may be cut as part of a larger pattern */
    uint8_t dir;      /* number of the only directory in which it is cut alone;
                         0: it is cut everywhere */
} dt_verdict_t;


/* sums over all patterns at a place and below it: the first three of places by
   their path, the others of named ones */
typedef struct {
    uint64_t pages;     /* set of the pages that have the place */
    uint64_t words;     /* of texts; each counts once for each page */
    uint64_t repeated;  /* the words of texts that have support */
    uint64_t said;      /* the words of texts without support that are no
                           links */
    uint64_t own_pages; /* set of the pages that have elements at the place
                           without support, */
    uint64_t own;       /* and how many such elements they have together */
    uint32_t inside;    /* not 0: there are places in it */
    uint32_t main;      /* not 0: a named place in the main region */
} dt_place_sums_t;


/* whether a pattern is main content, by its elements or its region */
static inline int
dt_rules_in_main(const dt_place_sums_t *sums, const dt_pattern_t *e)
{
    return sums[e->named].main || (e->flags & DT_PATTERN_MAIN);
}


/* whether a pattern may be data: it is main content, and no navigation */
static inline int
dt_rules_is_data(const dt_place_sums_t *sums, const dt_pattern_t *e)
{
    return !(e->flags & DT_PATTERN_LINKS) && dt_rules_in_main(sums, e);
}


/* the question of decide.c that keeps a pattern from being cut alone */
typedef enum {
    DT_QUESTION_NONE = 0, /* it is cut alone */
    DT_QUESTION_SUPPORT,
    DT_QUESTION_SCORE,
    DT_QUESTION_SHARE,
    DT_QUESTION_KIND,
    DT_QUESTION_GUARD,
    DT_QUESTION_SLOT,
    DT_QUESTION_SENTENCE /* it is cut alone, but not on this page:
                            core/scan/line.c, unit.c */
} dt_question_t;


#endif /* DT_VERDICT_H_INCLUDED_ */
