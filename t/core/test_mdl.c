
/*
 * Copyright (C) The detemplate authors
 */


#include <math.h>

#include "core/base/hash.h"
#include "core/detect/text_mdl.h"
#include "t/core/detect.h"


#define DOCS 9


/* a cluster of one document whose paths are letters; sorted already */
static dt_cluster_t
letters(const char *s)
{
    dt_cluster_t c = { 0 };

    c.paths = dt_arena_calloc(arena, strlen(s) + 1, sizeof(dt_path_t));

    for (; s[c.n]; c.n++) {
        c.paths[c.n] = (dt_path_t){ (uint64_t) s[c.n], 1 };
    }

    c.docs = 1;
    c.total = c.n;

    return c;
}


static int
thousandth(double v)
{
    return (int) lround(v * 1000);
}


static void
test_bits(void)
{
    /* cells * entropy */
    is_int(thousandth(dt_mdl_bits(4, 2, 0)), 4000, "half ones: a bit each");
    is_int(thousandth(dt_mdl_bits(8, 1, 0)), 4349, "one of eight");
    is_int(thousandth(dt_mdl_bits(4, 1, 1)), 6000, "1, -1, 0, 0");
    is_int(thousandth(dt_mdl_bits(6, 6, 0)), 0, "all ones");
    is_int(thousandth(dt_mdl_bits(6, 0, 0)), 0, "all zeros");
}


static void
test_costs(void)
{
    dt_mdl_t m, sum;
    dt_cluster_t a, b, c, ab;

    fresh();
    a = letters("abc");
    b = letters("bcd");
    c = letters("xyz");

    /* the template of two has what both have */
    dt_mdl_exact(&a, &b, &m);
    is_int(thousandth(m.ones), 2000, "two paths in the template");
    is_int(thousandth(m.plus), 2000, "each has one besides");
    is_int(thousandth(m.minus), 0, "and lacks none");

    /* 4 paths, 1 cluster, 2 documents: 4 * 1 + 0 + 8 * H(1/4) */
    is_int(thousandth(dt_mdl_cost(&m, 1, 2, 4)), 4000 + 6490, "as one");

    /* 4 paths, 2 clusters: 8 * H(6/8) + 4 * 1 + 0 */
    sum = (dt_mdl_t){ 6, 0, 0 };
    is_int(thousandth(dt_mdl_cost(&sum, 2, 2, 4)), 6490 + 4000, "as two");

    /* two of three documents: more than half */
    ab = letters("abcd");
    ab.docs = 2;
    ab.paths[1].count = ab.paths[2].count = 2;
    dt_mdl_exact(&ab, &c, &m);
    is_int(thousandth(m.ones), 2000, "of three documents two have them");
    is_int(thousandth(m.plus), 5000, "paths besides");
    is_int(thousandth(m.minus), 2000, "the third lacks both");

    dt_mdl_exact(&c, NULL, &m);
    is_int(thousandth(m.ones), 3000, "alone: all is template");
    is_int(thousandth(m.plus + m.minus), 0, "and nothing differs");
}


static void
test_essential(void)
{
    size_t paths;
    dt_cluster_t docs[3];

    fresh();
    docs[0] = letters("abc");
    docs[1] = letters("abd");
    docs[2] = letters("aefg");
    dt_mdl_essential(docs, 3, arena, &paths);

    /* supports: a 3, b 2, others 1; modes: 1 (of 1, 2, 3 each once), 1, 1 */
    is_int(docs[0].n, 3, "the least of modes that are as frequent");
    is_int((long long) paths, 7, "paths in all");

    docs[0] = letters("abcx");
    docs[1] = letters("abcy");
    docs[2] = letters("abcz");
    dt_mdl_essential(docs, 3, arena, &paths);
    is_int(docs[0].n, 3, "what one document has is not essential");
    is_int((long long) paths, 3, "nor counted");
}


/* two documents of n paths each, half of them shared */
static void
test_signatures(void)
{
    enum { N = 2000 };
    dt_cluster_t c[2];
    dt_mdl_t exact, likely;

    fresh();

    for (uint64_t k = 0; k < 2; k++) {
        memset(&c[k], 0, sizeof(dt_cluster_t));
        c[k].paths = dt_arena_calloc(arena, N, sizeof(dt_path_t));

        for (uint64_t i = 0; i < N; i++) {
            /* sorted, and as random as hashes of paths */
            c[k].paths[i].path =
                ((i + k * N / 2 + 1) << 48) + (dt_mix(i + k * N / 2, 7) >> 16);
            c[k].paths[i].count = 1;
        }

        c[k].n = N;
        c[k].total = N;
        c[k].docs = 1;
        dt_mdl_sign(&c[k], arena);
    }

    /* J = 1/3; three standard errors: 3 * sqrt(J * (1 - J) / 128) */
    ok(fabs(dt_mdl_jaccard(&c[0], &c[1]) - 1.0 / 3) < 0.125,
       "Jaccard coefficient within its error");
    ok(dt_mdl_jaccard(&c[0], &c[0]) == 1, "a set is itself");

    /* the share of common paths is estimated likewise */
    dt_mdl_exact(&c[0], &c[1], &exact);
    dt_mdl_likely(&c[0], &c[1], &likely);
    is_int(thousandth(exact.ones), 1000 * N / 2, "common paths");
    ok(fabs(likely.ones - exact.ones) < 0.125 * 1.5 * N,
       "those by signature, within its error");
    ok(fabs(likely.plus - exact.plus) < 0.25 * 1.5 * N, "and the others");
    is_int(thousandth(likely.ones * 2 + likely.plus), 2000 * N,
           "all paths are known");
}


static const char *const heads[] = {
    "<ul><li><a>Home</a><li><a>About us</a><li><a>News</a></ul><h1>%d</h1>",
    "<table><tr><td>Shop<td>Cart<td>Pay</table><h2>%d</h2>",
    "<div><p>Forum<p>Rules<p>Search<p>Log in</div><pre>%d</pre>",
};


/* pages of three layouts come out as three clusters */
static void
test_layouts(int fast)
{
    char page[512];
    size_t paths, clusters = 0;
    unsigned right = 0;
    uint32_t of[DOCS];
    dt_cluster_t docs[DOCS];

    fresh();

    for (int i = 0; i < DOCS; i++) {
        snprintf(page, sizeof(page), heads[i % 3], i);
        dt_mdl_paths(parse(page), arena, &docs[i]);
    }

    dt_mdl_essential(docs, DOCS, arena, &paths);
    dt_mdl_cluster(docs, DOCS, paths, fast, arena, of);

    for (int i = 0; i < DOCS; i++) {
        clusters += docs[i].docs != 0;

        for (int k = 0; k < DOCS; k++) {
            right += (of[i] == of[k]) == (i % 3 == k % 3);
        }
    }

    is_int((long long) clusters, 3, "three clusters");
    is_int(right, DOCS * DOCS, "one for each layout");
}


int
main(void)
{
    test_bits();
    test_costs();
    test_essential();
    test_signatures();
    test_layouts(0);
    test_layouts(1);
    dt_arena_destroy(arena);

    return done();
}
