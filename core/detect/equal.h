
/*
 * Copyright (C) The detemplate authors
 *
 * Says when two nodes of two pages are equal.
 */


#ifndef DT_EQUAL_H_INCLUDED_
#define DT_EQUAL_H_INCLUDED_


#include "core/dom/dom.h"


#define DT_EQUAL (0.9 - 1e-9) /* the least rank of an equal pair */

/*
 * Returns how equal element b of page is to element a of key: equal from
 * DT_EQUAL on, 0 for different tags.  The highest rank is for the same id;
 * then for equality in everything; in everything but the position; and then
 * the weighted sum.
 */
double dt_equal_rank(const dt_dom_t *key, const dt_dom_t *page, uint32_t a,
                     uint32_t b);

/*
 * Returns for each node a hash of the tags and texts in its subtree, without
 * attributes: dom->n numbers in arena, or NULL without memory.
 */
uint64_t *dt_equal_contents(const dt_dom_t *dom, dt_arena_t *arena);


#endif /* DT_EQUAL_H_INCLUDED_ */
