
/*
 * Copyright (C) The detemplate authors
 *
 * Graphs as pages are loaded, each with the links that it has: those of
 * t/core/rows/learn, and large ones.
 */


#include "core/learn/digraph.h"
#include "rows.h"


#define BIT(n) ((uint64_t) 1 << (n))


/* a row of links among pages, for all of them at once */
static unsigned
add(dt_digraph_t *g, const uint64_t *links, unsigned want)
{
    uint64_t in = 0;

    for (unsigned i = 0; i < g->n; i++) {
        in |= (links[i] >> g->n & 1) << i;
    }

    return dt_digraph_add(g, links[g->n], in, want);
}


static int
is_clique(const dt_digraph_t *g)
{
    for (unsigned i = 0; i < g->n; i++) {
        if ((g->best >> i & 1) && (g->best & ~g->out[i] & ~BIT(i))) {
            return 0;
        }
    }

    return 1;
}


/* the pages of a list of digits */
static uint64_t
pages(const char *p)
{
    uint64_t bits = 0;

    for (; *p >= '0' && *p <= '9'; p++) {
        bits |= BIT(*p - '0');
    }

    return bits;
}


/* of each page how many are wanted, what it links to, and the set then */
static void
row_is(const row_t *row)
{
    unsigned n;
    char name[64];
    uint64_t links[10];
    const char *want = row->part[1].all, *best = row->part[3].all;
    const char *to = row->part[2].all;
    dt_digraph_t g = { 0 };

    for (n = 0; *to; n++) {
        links[n] = *to == '*' ? ~BIT(n) : pages(to);
        to += strcspn(to, "|");
        to += *to == '|';
    }

    for (n = 0; want[n]; n++) {
        snprintf(name, sizeof(name), "%s: page %u", row->part[0].all, n);
        is_int(add(&g, links, (unsigned) (want[n] - '0')),
               __builtin_popcountll(pages(best)), name);
        is_int((long long) g.best, (long long) pages(best), name);
        best += strcspn(best, "|");
        best += *best == '|';
    }
}


static void
test_foreign(void)
{
    dt_digraph_t g = { 0 };

    is_int(dt_digraph_add(&g, ~(uint64_t) 0, ~(uint64_t) 0, 3), 1,
           "bits of pages that are not there");
    is_int((long long) g.out[0], 0, "are left out");
}


static void
test_full(void)
{
    dt_digraph_t g;
    unsigned size = 0;
    uint64_t all[DT_DIGRAPH_MAX];

    for (unsigned i = 0; i < DT_DIGRAPH_MAX; i++) {
        all[i] = ~BIT(i);
    }

    memset(&g, 0, sizeof(g));
    for (unsigned i = 0; i < DT_DIGRAPH_MAX; i++) {
        size = add(&g, all, DT_DIGRAPH_MAX);
    }

    is_int(size, 64, "64 pages that all link to one another");
    is_int((long long) g.best, -1, "every bit");
    is_int(dt_digraph_add(&g, 0, 0, 3), 0, "the 65th has no place");
    is_int(g.n, 64, "and is not counted");
}


/* no exact search ends here in time: 3^21 ways, or about as many */
static void
test_budget(void)
{
    dt_digraph_t g;
    unsigned size = 0;
    uint64_t links[DT_DIGRAPH_MAX];

    for (unsigned i = 0; i < DT_DIGRAPH_MAX; i++) {
        links[i] = ~(uint64_t) 0;
        for (unsigned j = 0; j < DT_DIGRAPH_MAX; j++) {
            if (j / 3 == i / 3) {
                links[i] &= ~BIT(j);
            }
        }
    }

    memset(&g, 0, sizeof(g));
    for (unsigned i = 0; i < DT_DIGRAPH_MAX; i++) {
        size = add(&g, links, DT_DIGRAPH_MAX);
    }

    is_int(size, 22, "a graph of many equal sets: the first is found");
    ok(is_clique(&g), "its pages link to one another");
}


int
main(void)
{
    rows("learn", "digraph", row_is);
    test_foreign();
    test_full();
    test_budget();

    return done();
}
