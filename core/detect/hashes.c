
/*
 * Copyright (C) The detemplate authors
 *
 * The DOM-based algorithm of Gibson, Punera and Tomkins 2005, as described in
 * Prathibha, Sukumar and Sriram 2012, section 3.  A first pass counts the
 * template-hash of each node, of its tag, attributes and content, on all pages
 * of the site.  A second pass takes for each page the outermost nodes whose
 * count is between a lower and an upper threshold.  It unites siblings with
 * small gaps of changing content between them.
 *
 * Left open: the thresholds and the gap.  Here hash-low and hash-high are in
 * percent of the pages, the key page being one of them, low at least two
 * occurrences; the gap is hash-gap words.
 */


#include "core/detect/counts.h"
#include "core/detect/tree.h"


static dt_status_t
dt_hashes_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    uint64_t *hashes;
    dt_index_t *counts;

    counts = dt_counts_make(arena);
    if (counts == NULL) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n; p++) {
        hashes = dt_tree_hashes(d->pages[p], 1, arena);

        if (hashes == NULL
            || dt_counts_add(counts, hashes, d->pages[p]->n, arena) != DT_OK)
        {
            return DT_ENOMEM;
        }
    }

    d->data = counts;

    return DT_OK;
}


/* returns the words in the subtree of each node */
static uint32_t *
dt_hashes_words(const dt_dom_t *dom, dt_arena_t *arena)
{
    uint32_t *words = dt_arena_calloc(arena, dom->n, sizeof(uint32_t));

    for (uint32_t i = dom->n; words != NULL && i-- > 0;) {
        words[i] += dom->nodes[i].words;

        if (i) {
            words[dom->nodes[i].parent] += words[i];
        }
    }

    return words;
}


/* marks small siblings between two that are template */
static void
dt_hashes_unite(const dt_dom_t *dom, uint32_t parent, const uint32_t *words,
                unsigned gap, uint8_t *out)
{
    uint32_t last = DT_DOM_NONE, between = 0;

    for (uint32_t i = parent + 1; i < dom->nodes[parent].next;
         i = dom->nodes[i].next)
    {
        if (!out[i]) {
            between += words[i];
            continue;
        }

        if (last != DT_DOM_NONE && between <= gap) {
            memset(out + last, 1, i - last);
        }

        last = dom->nodes[i].next;
        between = 0;
    }
}


static dt_status_t
dt_hashes_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
                uint8_t *out)
{
    int had = dt_counts_has(d, key);
    uint32_t next, *words;
    uint64_t *hashes, count, pages = d->n + !had;
    dt_index_t *key_counts;

    hashes = dt_tree_hashes(key, 1, arena);
    words = dt_hashes_words(key, arena);
    key_counts = dt_counts_make(arena);

    /* a key page that is not one of the pages is counted too */
    if (hashes == NULL || words == NULL || key_counts == NULL
        || dt_counts_add(key_counts, hashes, had ? 0 : key->n, arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < key->n; i = next) {
        next = i + 1;
        count = dt_counts_get(key_counts, hashes[i])
                + dt_counts_get(d->data, hashes[i]);

        if (count >= 2 && count * 100 >= pages * d->o.hash_low
            && count * 100 <= pages * d->o.hash_high)
        {
            next = key->nodes[i].next;
            memset(out + i, 1, next - i);
        }
    }

    for (uint32_t i = 0; i < key->n; i++) {
        if (!out[i]) {
            dt_hashes_unite(key, i, words, d->o.hash_gap, out);
        }
    }

    return DT_OK;
}


const dt_detector_t dt_detector_hashes = {
    "template-hash",
    "how often a node's hash is on the site (Gibson et al. 2005)",
    dt_hashes_prepare,
    dt_hashes_nodes,
};
