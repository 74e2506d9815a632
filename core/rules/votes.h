
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_VOTES_H_INCLUDED_
#define DT_VOTES_H_INCLUDED_


#include <stdint.h>


/*
 * The votes of a set of pages, by dt_alike()'s word of which page each page
 * votes with: those that are alike have one.
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
