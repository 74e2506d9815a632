
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_DETECT_TREE_H_INCLUDED_
#define DT_DETECT_TREE_H_INCLUDED_


#include "core/base/hash.h"
#include "core/detect/detect.h"


/* Whether key is one of the pages of d. */
static inline int
dt_detect_has(const dt_detect_t *d, const dt_dom_t *key)
{
    size_t p;

    for (p = 0; p < d->n && d->pages[p] != key; p++) {
        /* void */
    }

    return p < d->n;
}


/* a tree from which nodes are removed; it knows where its nodes are in the
   page that it was copied from */
typedef struct {
    dt_dom_t dom;
    uint32_t *places;
    uint32_t *at; /* working memory */
} dt_tree_t;

/* Copies the nodes of key into t, with memory from arena; the rest is shared
   with key. */
dt_status_t dt_tree_copy(const dt_dom_t *key, dt_arena_t *arena,
                         dt_tree_t *out);

/* Removes the nodes whose map is DT_DOM_NONE; the others must be a tree. */
void dt_tree_keep(dt_tree_t *t, const uint32_t *map);

/* Returns a hash of a node without its subtree; attrs: with its attributes. */
uint64_t dt_tree_label(const dt_dom_t *dom, uint32_t i, int attrs);

/*
 * Returns for each node a hash of the labels in its subtree and of their
 * order: dom->n numbers in arena, or NULL without memory.
 */
uint64_t *dt_tree_hashes(const dt_dom_t *dom, int attrs, dt_arena_t *arena);

#define DT_TREE_OPEN 2 /* a leaf that gets the mark of its parent */

/*
 * Extends the marks of leaves (1: template, 0: not, DT_TREE_OPEN) to all
 * nodes. An element is template, with all that is in it, when some of its
 * leaves are template and none is not.
 */
void dt_tree_close(const dt_dom_t *dom, uint8_t *out);

/*
 * Removes marks of elements that hold words, but no word that is marked: that
 * a mapping finds the element around a page's own words does not make it
 * template.  A node without words is template only inside a template element.
 */
void dt_tree_prune(const dt_dom_t *dom, uint8_t *out);


/* reads the words of texts, for detectors that count them */

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


/* says when two nodes of two pages are equal */

/*
 * Returns how equal element b of page is to element a of key: 0 for different
 * tags.  The highest rank, 4, is for the same id; then for equality in
 * everything, 3; in everything but the position, 2; and then the weighted sum,
 * which is equality from equal_threshold on.
 */
double dt_equal_rank(const dt_detect_opts_t *o, const dt_dom_t *key,
                     const dt_dom_t *page, uint32_t a, uint32_t b);

/* Returns whether that rank is one of an equal pair. */
static inline int
dt_equal(const dt_detect_opts_t *o, double rank)
{
    return rank > 0 && rank * 100 > o->equal_threshold - 1e-6;
}


#endif /* DT_DETECT_TREE_H_INCLUDED_ */
