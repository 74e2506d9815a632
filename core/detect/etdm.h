
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_ETDM_H_INCLUDED_
#define DT_ETDM_H_INCLUDED_


#include "core/detect/detect.h"


/*
 * The equal top-down mapping of Alarte et al. 2015 from key to page, with the
 * equality of dt_equal_rank() (methods.h).  map[i] becomes the index in page
 * of the node that node i of key corresponds to, or DT_DOM_NONE.  *full says
 * whether every node of key is mapped.  Working memory comes from arena.
 */
dt_status_t dt_etdm_map(const dt_detect_opts_t *o, const dt_dom_t *key,
                        const dt_dom_t *page, dt_arena_t *arena, uint32_t *map,
                        int *full);


#endif /* DT_ETDM_H_INCLUDED_ */
