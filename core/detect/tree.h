
/*
 * Copyright (C) The detemplate authors
 *
 * Operations on trees that several detectors need.
 */


#ifndef DT_TREE_H_INCLUDED_
#define DT_TREE_H_INCLUDED_


#include "core/dom/dom.h"


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

#define DT_TREE_OPEN 2 /* a leaf that gets the mark of what is around it */

/*
 * Extends the marks of leaves (1: template, 0: not, DT_TREE_OPEN) to all
 * nodes. An element is template, with all that is in it, when some of its
 * leaves are template and none is not.
 */
void dt_tree_close(const dt_dom_t *dom, uint8_t *out);


#endif /* DT_TREE_H_INCLUDED_ */
