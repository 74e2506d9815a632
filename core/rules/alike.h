
/*
 * Copyright (C) The detemplate authors
 *
 * Finds pages that are alike, which have one vote together.
 */


#ifndef DT_ALIKE_H_INCLUDED_
#define DT_ALIKE_H_INCLUDED_


#include "core/rules/evidence.h"


/* which pages are alike: the result of dt_alike() */
typedef struct {
    uint64_t alike[DT_PAGES_MAX]; /* for each page, the set of the pages that
                                     are alike with it, and itself */
    uint8_t order[DT_PAGES_MAX];  /* the pages, from the one that says least */
    unsigned npages;
} dt_voters_t;

/* share[i][j], for pages i < j: the words that both pages show, in thousandths
   of the words of the page that has less; words are weighed by rarity */
typedef struct {
    uint16_t share[DT_PAGES_MAX][DT_PAGES_MAX];
} dt_alike_t;

/*
 * Sets which pages are alike, such as a page and its print view.  If alike is
 * not NULL, its shares are set too.
 */
void dt_alike(const dt_evidence_t *ev, dt_voters_t *voters, dt_alike_t *alike);


/*
 * Returns the votes of a set of pages, which has a bit for each page: as many
 * as it has pages of which no two are alike, where a page that says less comes
 * before one that says more.  So a page that contains others adds no vote to
 * theirs, and takes none of them.
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


#endif /* DT_ALIKE_H_INCLUDED_ */
