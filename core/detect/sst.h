
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_SST_H_INCLUDED_
#define DT_SST_H_INCLUDED_


#include "core/detect/detect.h"


/* the site style tree of Yi, Liu and Li 2003 */

typedef struct dt_sst_s dt_sst_t;

/* Builds the tree of n pages, and computes the importance of its nodes. */
dt_status_t dt_sst_make(const dt_dom_t *const *pages, size_t n,
                        const dt_detect_opts_t *o, dt_arena_t *arena,
                        dt_sst_t **out);

/*
 * Returns the importance, 0 to 1, of the element node that node i of a page
 * belongs to; -1: the tree has no such node.
 */
double dt_sst_importance(const dt_sst_t *sst, const dt_dom_t *dom, uint32_t i,
                         dt_arena_t *arena);


#endif /* DT_SST_H_INCLUDED_ */
