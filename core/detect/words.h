
/*
 * Copyright (C) The detemplate authors
 *
 * Reads the words of texts, for detectors that count them.
 */


#ifndef DT_WORDS_H_INCLUDED_
#define DT_WORDS_H_INCLUDED_


#include "core/base/hash.h"
#include "core/dom/dom.h"


/*
 * Reads the next word of the text i: *word becomes its hash, and *at, which
 * starts at 0, moves behind it.  Returns 0 when there is no more.  A text
 * whose bytes in the page are unknown has one word, all of it.
 */
static inline int
dt_words_next(const dt_dom_t *dom, uint32_t i, uint32_t *at, uint64_t *word)
{
    const dt_node_t *node = &dom->nodes[i];
    const char *p, *end, *start;

    if (node->start == node->end) {
        *word = node->text;
        return (*at)++ == 0;
    }

    p = dom->src.data + node->start + *at;
    end = dom->src.data + node->end;

    while (p < end && (unsigned char) *p <= 0x20) {
        p++;
    }

    for (start = p; p < end && (unsigned char) *p > 0x20; p++) {
        /* void */
    }

    *word = dt_hash(start, (size_t) (p - start), 0);
    *at = (uint32_t) (p - dom->src.data) - node->start;

    return p > start;
}


#endif /* DT_WORDS_H_INCLUDED_ */
