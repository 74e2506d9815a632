
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_VOTES_H_INCLUDED_
#define DT_VOTES_H_INCLUDED_


#include <stdint.h>


/*
 * Returns the votes of a set of pages: pages with the same voter have one vote
 * together.  voter is the result of dt_alike(); pages has a bit for each page.
 */
static inline unsigned
dt_rules_votes(uint64_t pages, const uint8_t *voter)
{
    uint64_t set = 0;

    for (; pages; pages &= pages - 1) {
        set |= (uint64_t) 1 << voter[__builtin_ctzll(pages)];
    }

    return (unsigned) __builtin_popcountll(set);
}


#endif /* DT_VOTES_H_INCLUDED_ */
