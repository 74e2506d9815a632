
/*
 * Copyright (C) The detemplate authors
 *
 * When are two nodes of two pages the same?
 */


#ifndef DT_EQUAL_H_INCLUDED_
#define DT_EQUAL_H_INCLUDED_


#include "core/dom/dom.h"


#define DT_EQUAL (0.9 - 1e-9) /* the least rank of an equal pair */

/*
 * How equal element b of page is to element a of key; DT_EQUAL and more is
 * equal, 0 for different tags.  The order of ranks: same id; all alike; all
 * but the place alike; the weighted rest.
 */
double dt_equal_rank(const dt_dom_t *key, const dt_dom_t *page, uint32_t a,
                     uint32_t b);

/*
 * A hash of what is in the subtree of each node: tags and text, without
 * attributes.  dom->n numbers in arena, or NULL.
 */
uint64_t *dt_equal_says(const dt_dom_t *dom, dt_arena_t *arena);


#endif /* DT_EQUAL_H_INCLUDED_ */
