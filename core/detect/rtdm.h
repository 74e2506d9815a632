
/*
 * Copyright (C) The detemplate authors
 *
 * The restricted top-down mapping of Vieira et al. 2006.
 */


#ifndef DT_RTDM_H_INCLUDED_
#define DT_RTDM_H_INCLUDED_


#include "core/dom/dom.h"


/* cells of matrices, for one template: of no labelled page a hundredth */
#define DT_RTDM_CELLS ((uint64_t) 1 << 26)


typedef struct {
    int attrs;      /* labels of elements have their attributes */
    uint64_t cells; /* that may be filled; counts down */
    uint64_t cost;  /* of the last mapping */
} dt_rtdm_t;

/*
 * RTDM-TD and retrieveTemplate: a mapping from a to b of the least cost, with
 * 1 for each node removed, inserted or replaced.  map[i] is the node of b that
 * node i of a is, unchanged, or DT_DOM_NONE.  When the cells run out, what
 * is not yet compared is mapped where it is identical, and the cost is no
 * longer the least.
 */
dt_status_t dt_rtdm_map(dt_rtdm_t *r, const dt_dom_t *a, const dt_dom_t *b,
                        uint32_t *map);

/*
 * Finds the tree a in b in linear time: children that are identical first, in
 * order, then, between those, children of the same label.  map as above.
 * Returns in *whole whether all of a is there.
 */
dt_status_t dt_rtdm_find(const dt_dom_t *a, const dt_dom_t *b, int attrs,
                         dt_arena_t *arena, uint32_t *map, int *whole);


#endif /* DT_RTDM_H_INCLUDED_ */
