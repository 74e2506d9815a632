
/*
 * Copyright (C) The detemplate authors
 *
 * What the score makes of the features of a pattern, and of patterns.
 */


#include "core/rules/score.h"
#include "site.h"
#include "test.h"


#define MENU "<nav><a href=/a>first part</a> <a href=/b>second part</a></nav>"


/* a feature, and what more of it may do; its name is written into model.c */
static const struct {
    const char *name;
    int sign;
} features[DT_SCORE_FEATURES] = {
    { "votes", 1 },
    { "share", 1 },
    { "place", 1 },
    { "links", 0 },
    { "label", -1 },
    { "aside", 1 },
    { "main", -1 },
    { "detected", 1 },
    { "varies", -1 },
    { "words", 0 },
    { "text", 0 },
    { "repetition", 1 },
    { "repetition_parent", 1 },
    { "repetition_above", 1 },
    { "repetition_least", 1 },
    { "unrepeated", -1 },
    { "patterns", 0 },
    { "supported", 1 },
    { "per_page", 0 },
    { "place_text", 0 },
};


static uint16_t
random_feature(uint64_t *seed, unsigned i)
{
    static const uint16_t most[DT_SCORE_FEATURES] = {
        64, 1000, 1000, 1,    1,    1,  1,   1,    1,    1000,
        1,  1000, 1000, 1000, 1000, 20, 500, 1000, 5000, 1000,
    };

    *seed = dt_mix(*seed, i + 1);

    return (uint16_t) (*seed % (most[i] + 1u));
}


/* more of what speaks for template never makes a pattern less likely */
static void
test_order(void)
{
    int a, b;
    unsigned i, k, n, wrong;
    uint64_t seed = 1;
    uint16_t x[DT_SCORE_FEATURES], old;

    for (i = 0; i < DT_SCORE_FEATURES; i++) {
        is_str(dt_score_names[i], strlen(dt_score_names[i]), features[i].name,
               "the name of a feature");

        for (n = 0, wrong = 0; n < 5000; n++) {
            for (k = 0; k < DT_SCORE_FEATURES; k++) {
                x[k] = random_feature(&seed, k);
            }

            a = dt_score(x);
            old = x[i];
            x[i] = random_feature(&seed, i);
            b = dt_score(x);

            wrong += (b - a) * features[i].sign * (x[i] > old ? 1 : -1) < 0;
        }

        is_int(wrong, 0, features[i].name);
    }
}


/* the sum of the trees, each walked down from its root */
static void
test_sum(void)
{
    int want = dt_score_base;
    unsigned i, n;
    uint16_t x[DT_SCORE_FEATURES] = { 0 };
    const dt_score_tree_t *t;

    for (i = 0; i < dt_score_ntrees; i++) {
        want += dt_score_trees[i].value[0];
    }

    is_int(dt_score(x), want, "least of all: the first leaves");

    memset(x, 0xff, sizeof(x));
    want = dt_score_base;

    for (i = 0; i < dt_score_ntrees; i++) {
        t = &dt_score_trees[i];

        /* a leaf that is no branch stands behind a bound of 65535 */

        n = t->most[0] != 65535;
        n = 2 * n + (t->most[1 + n] != 65535);
        n = 2 * n + (t->most[3 + n] != 65535);
        want += t->value[n];
    }

    is_int(dt_score(x), want, "most of all: the last");
}


/* the trees were fitted to what comes of these numbers */
static void
test_fitted(void)
{
    dt_rules_t r;

    dt_rules_init(&r);

    is_int(r.score, 700, "the score that is enough");
    is_int(r.score_main, 850, "in the main region");
}


int
main(void)
{
    test_fitted();
    test_order();
    test_sum();

    return done();
}
