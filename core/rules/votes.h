
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_VOTES_H_INCLUDED_
#define DT_VOTES_H_INCLUDED_


#include "core/template/table.h"


/* which pages are alike: the result of dt_alike() */
typedef struct {
    uint64_t alike[DT_PAGES_MAX]; /* for each page, the set of the pages that
                                     are alike with it, and itself */
    uint8_t order[DT_PAGES_MAX];  /* the pages, from the one that says least */
    unsigned npages;
} dt_voters_t;


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


#endif /* DT_VOTES_H_INCLUDED_ */
