
/*
 * Copyright (C) The detemplate authors
 *
 * J. Alarte, D. Insa, J. Silva, S. Tamarit, "Web Template Extraction Based
 * on Hyperlink Analysis" (2015), section 4.1, Algorithm 1: after each page
 * that is loaded, the largest set of pages that contains it and whose members
 * all link to one another.
 *
 * Pages are bits, so one "and" for each chosen page gives the pages that still
 * fit.  The search is plain back-tracking that takes the earliest page first:
 * pages come in the order of their worth, so among sets of one size the set of
 * earlier pages is found first.  A branch that cannot beat the best is
 * skipped. The sets are small, but the links come from untrusted pages, and on
 * some graphs every exact search is exponential.  So the number of steps is
 * bounded.
 */


#include "core/learn/digraph.h"


#define DT_DIGRAPH_STEPS 100000


static unsigned
dt_digraph_count(uint64_t set)
{
    return (unsigned) __builtin_popcountll(set);
}


/* finds the largest clique with page, among pages that are linked with it both
   ways */
static void
dt_digraph_search(dt_digraph_t *g, const uint64_t *mutual, unsigned page,
                  unsigned limit)
{
    unsigned depth, steps, best, v;
    uint64_t chosen, fits[DT_DIGRAPH_MAX];
    unsigned taken[DT_DIGRAPH_MAX];

    depth = 0;
    taken[0] = page;
    fits[0] = mutual[page];
    chosen = (uint64_t) 1 << page;
    best = dt_digraph_count(g->best);

    /* depth + 1 pages are chosen, and fits[depth] are linked with all of them
     */

    for (steps = 0; steps < DT_DIGRAPH_STEPS; steps++) {

        if (depth + 1 > best) {
            best = depth + 1;
            g->best = chosen;
        }

        if (best >= limit) {
            return;
        }

        if (depth + 1 + dt_digraph_count(fits[depth]) > best) {
            v = (unsigned) __builtin_ctzll(fits[depth]);
            fits[depth] &= fits[depth] - 1;

            fits[depth + 1] = fits[depth] & mutual[v];
            depth++;
            taken[depth] = v;
            chosen |= (uint64_t) 1 << v;
            continue;
        }

        if (depth == 0) {
            return;
        }

        chosen &= ~((uint64_t) 1 << taken[depth]);
        depth--;
    }
}


unsigned
dt_digraph_add(dt_digraph_t *g, uint64_t out, uint64_t in, unsigned limit)
{
    unsigned i, j, page;
    uint64_t bit, mutual[DT_DIGRAPH_MAX];

    if (g->n >= DT_DIGRAPH_MAX) {
        return 0;
    }

    page = g->n++;
    bit = (uint64_t) 1 << page;
    g->out[page] = out & (bit - 1);

    for (i = 0; i < page; i++) {
        if (in >> i & 1) {
            g->out[i] |= bit;
        }
    }

    memset(mutual, 0, sizeof(mutual));

    for (i = 0; i < g->n; i++) {
        for (j = 0; j < i; j++) {
            if ((g->out[i] >> j & 1) && (g->out[j] >> i & 1)) {
                mutual[i] |= (uint64_t) 1 << j;
                mutual[j] |= (uint64_t) 1 << i;
            }
        }
    }

    if (dt_digraph_count(g->best) < limit) {
        dt_digraph_search(g, mutual, page, limit);
    }

    return dt_digraph_count(g->best);
}
