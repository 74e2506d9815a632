
/*
 * Copyright (C) The detemplate authors
 *
 * What several detectors do with trees.
 */


#ifndef DT_TREE_H_INCLUDED_
#define DT_TREE_H_INCLUDED_


#include "core/dom/dom.h"


/* a tree that loses nodes, and where they stood in the page it came from */
typedef struct {
    dt_dom_t dom;
    uint32_t *places;
    uint32_t *at; /* work */
} dt_tree_t;

/* All of key; only the nodes are copied. */
dt_status_t dt_tree_copy(const dt_dom_t *key, dt_arena_t *arena,
                         dt_tree_t *out);

/* Keeps the nodes whose map is not DT_DOM_NONE; they are a tree. */
void dt_tree_keep(dt_tree_t *t, const uint32_t *map);

/* A hash of a node alone, attrs: with its attributes. */
uint64_t dt_tree_label(const dt_dom_t *dom, uint32_t i, int attrs);

/*
 * A hash of the subtree of each node, of its labels and their order; dom->n
 * numbers in arena, or NULL.
 */
uint64_t *dt_tree_hashes(const dt_dom_t *dom, int attrs, dt_arena_t *arena);

#define DT_TREE_OPEN 2 /* of a leaf: goes with what is around it */

/*
 * From what is known of leaves (1 template, 0 not, DT_TREE_OPEN) to all nodes:
 * an element is template when leaves in it are, and none is not; so is what is
 * in it.
 */
void dt_tree_close(const dt_dom_t *dom, uint8_t *out);


#endif /* DT_TREE_H_INCLUDED_ */
