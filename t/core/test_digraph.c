
/*
 * Copyright (C) The detemplate authors
 *
 * Graphs are written as the pages are loaded: one row a page, with the links
 * it has to earlier pages and those that earlier pages have to it.
 */


#include "core/learn/learn.h"
#include "test.h"


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


static void
test_found(void)
{
    dt_digraph_t g;

    /* 0 a lone page; 1, 3, 4 a menu; 2 links to it, and nobody links back */
    static const uint64_t links[] = {
        0,
        BIT(3) | BIT(4),
        BIT(1) | BIT(3) | BIT(4),
        BIT(1) | BIT(4),
        BIT(1) | BIT(3),
        BIT(1) | BIT(3) | BIT(4),
    };

    memset(&g, 0, sizeof(g));

    is_int(add(&g, links, 3), 1, "one page is a set of one");
    is_int((long long) g.best, BIT(0), "the first page");
    is_int(add(&g, links, 3), 1, "a second without links adds nothing");
    is_int((long long) g.best, BIT(0), "equal size does not replace");
    is_int(add(&g, links, 3), 1, "links one way do not count");
    is_int(add(&g, links, 3), 2, "two pages link to each other");
    is_int((long long) g.best, BIT(1) | BIT(3), "those two");
    is_int(add(&g, links, 3), 3, "three at the fifth page");
    is_int((long long) g.best, BIT(1) | BIT(3) | BIT(4), "those three");
    is_int(add(&g, links, 3), 3, "a later page changes nothing");
    is_int((long long) g.best, BIT(1) | BIT(3) | BIT(4), "still those");
}


static void
test_largest(void)
{
    dt_digraph_t g;
    unsigned size = 0;

    /* two pairs and a triple; four together do not exist */
    static const uint64_t links[] = {
        BIT(1),          BIT(0),          BIT(3),          BIT(2),
        BIT(5) | BIT(6), BIT(4) | BIT(6), BIT(4) | BIT(5),
    };

    memset(&g, 0, sizeof(g));

    for (unsigned i = 0; i < 7; i++) {
        size = add(&g, links, 4);

        if (i == 3) {
            is_int((long long) g.best, BIT(0) | BIT(1), "the earlier pair");
        }
    }

    is_int(size, 3, "without four the largest is taken");
    is_int((long long) g.best, BIT(4) | BIT(5) | BIT(6), "the triple");
}


static void
test_backtrack(void)
{
    dt_digraph_t g;
    unsigned size = 0;

    /* 5 with 0: a dead end tried first; 5 with 1, 2, 3: the largest */
    static const uint64_t links[] = {
        BIT(4) | BIT(5),          BIT(2) | BIT(3) | BIT(5),
        BIT(1) | BIT(3) | BIT(5), BIT(1) | BIT(2) | BIT(5),
        BIT(0) | BIT(5),          BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4),
    };

    memset(&g, 0, sizeof(g));

    for (unsigned i = 0; i < 6; i++) {
        size = add(&g, links, 6);
    }

    is_int(size, 4, "a dead end is left again");
    is_int((long long) g.best, BIT(1) | BIT(2) | BIT(3) | BIT(5),
           "the largest behind it");
}


static void
test_want(void)
{
    dt_digraph_t g;
    uint64_t all[6];

    for (unsigned i = 0; i < 6; i++) {
        all[i] = ~BIT(i);
    }

    memset(&g, 0, sizeof(g));
    is_int(add(&g, all, 1), 1, "want 1: the first page");
    is_int(add(&g, all, 1), 1, "want 1: no more than it");
    is_int((long long) g.best, BIT(0), "want 1: it stays");

    memset(&g, 0, sizeof(g));
    for (unsigned i = 0; i < 6; i++) {
        add(&g, all, 3);
    }
    is_int((long long) g.best, BIT(0) | BIT(1) | BIT(2),
           "no larger than want");

    memset(&g, 0, sizeof(g));
    for (unsigned i = 0; i < 5; i++) {
        add(&g, all, 1);
    }
    is_int(add(&g, all, 3), 3, "want may grow, and is still the bound");
    is_int((long long) g.best, BIT(0) | BIT(1) | BIT(5), "with the new page");

    memset(&g, 0, sizeof(g));
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
    test_found();
    test_largest();
    test_backtrack();
    test_want();
    test_full();
    test_budget();

    return done();
}
