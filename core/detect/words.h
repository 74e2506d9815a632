
/*
 * Copyright (C) The detemplate authors
 *
 * The words of texts, for detectors that count them.
 */


#ifndef DT_WORDS_H_INCLUDED_
#define DT_WORDS_H_INCLUDED_


#include "core/base/hash.h"
#include "core/dom/dom.h"


/*
 * The next word of the text i: its hash in *word, *at is moved behind it, from
 * 0 on.  Returns 0 behind the last.  A text whose place in the page is not
 * known has one word, all of it.
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
