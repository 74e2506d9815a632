
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_DIGRAPH_H_INCLUDED_
#define DT_DIGRAPH_H_INCLUDED_


#include "core/base/dt.h"


/*
 * Finds the complete subdigraph: pages of a site that all link to one another
 * (Alarte et al. 2015, Algorithm 1).
 */

#define DT_DIGRAPH_MAX 64 /* pages */


/* embedded by the caller, all zero at first; bit j of out[i] is set when page
   i links to page j */
typedef struct {
    unsigned n;
    uint64_t out[DT_DIGRAPH_MAX];
    uint64_t best; /* the largest complete subdigraph so far, as a bit set */
} dt_digraph_t;


/*
 * Adds page g->n with its links to earlier pages (out) and from earlier pages
 * (in), both as bit sets.  Then it searches the largest complete subdigraph
 * that contains the page and has at most limit pages.  The result replaces
 * g->best when it has more pages.  Returns the size of g->best, or 0 when the
 * graph is full.
 */
unsigned dt_digraph_add(dt_digraph_t *g, uint64_t out, uint64_t in,
                        unsigned limit);


#endif /* DT_DIGRAPH_H_INCLUDED_ */
