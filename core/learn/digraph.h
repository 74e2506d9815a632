
/*
 * Copyright (C) The detemplate authors
 *
 * The complete subdigraph: pages of a site that all link to one another
 * (Alarte et al. 2015, Algorithm 1).
 */


#ifndef DT_DIGRAPH_H_INCLUDED_
#define DT_DIGRAPH_H_INCLUDED_


#include "core/base/dt.h"


#define DT_DIGRAPH_MAX 64 /* pages */


/* embedded by the caller; bit j of out[i]: page i links to page j */
typedef struct {
    unsigned n;
    uint64_t out[DT_DIGRAPH_MAX];
    uint64_t best; /* the largest complete subdigraph so far, as a bit set */
} dt_digraph_t;


void dt_digraph_init(dt_digraph_t *g);

/*
 * Adds page g->n, with its links among the pages up to itself (out: to
 * earlier ones; in: from earlier ones, both bit sets), then looks for the
 * largest complete subdigraph that contains it, no larger than want.  The new
 * one replaces g->best when it has more pages.  Returns the size of g->best,
 * or 0 when the graph is full.
 */
unsigned dt_digraph_add(dt_digraph_t *g, uint64_t out, uint64_t in,
                        unsigned want);


#endif /* DT_DIGRAPH_H_INCLUDED_ */
