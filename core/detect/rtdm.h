
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_RTDM_H_INCLUDED_
#define DT_RTDM_H_INCLUDED_


#include "core/dom/dom.h"


/* the restricted top-down mapping of Vieira et al. 2006 */

/* cells of matrices for one template; no labelled page of the corpus needs a
   hundredth of them */
#define DT_RTDM_CELLS ((uint64_t) 1 << 26)


typedef struct {
    int attrs;      /* labels of elements have their attributes */
    uint64_t cells; /* cells that may still be computed */
    uint64_t cost;  /* of the last mapping */
} dt_rtdm_t;

/*
 * RTDM-TD and retrieveTemplate: finds a mapping from a to b of the least cost,
 * where each node that is removed, inserted or replaced costs 1.  map[i]
 * becomes the node of b that equals node i of a, or DT_DOM_NONE.  When the
 * cells run out, only identical nodes are mapped, and the cost is not the
 * least.
 */
dt_status_t dt_rtdm_map(dt_rtdm_t *r, const dt_dom_t *a, const dt_dom_t *b,
                        uint32_t *map);

/*
 * Finds the tree a in b in linear time: first identical children, in order;
 * then, between those, children with the same label.  map is set as above.
 * *whole says whether all of a was found.
 */
dt_status_t dt_rtdm_find(const dt_dom_t *a, const dt_dom_t *b, int attrs,
                         dt_arena_t *arena, uint32_t *map, int *whole);


#endif /* DT_RTDM_H_INCLUDED_ */
