
/*
 * Copyright (C) The detemplate authors
 *
 * A sum of small decision trees weighs all facts about a pattern (J. Friedman,
 * "Greedy Function Approximation: A Gradient Boosting Machine", 2001; L.
 * Breiman, "Bagging Predictors", 1996).  bench/model fits them to sites whose
 * content people have marked; there a word of content weighs as much as many
 * words of template.  The trees are made so that more votes, or more repeated
 * text around a pattern, never make it less likely to be template.
 *
 * The questions that protect content are not weighed: support is asked before,
 * and the others after the score.
 *
 * All numbers are integers, so that every machine comes to the same verdict.
 */


#include "core/rules/score.h"
#include "core/rules/quorum.h"


/* patterns at a place, without those below it */
typedef struct {
    uint64_t pages;    /* set of the pages that show any of them */
    uint32_t patterns; /* their number */
    uint32_t repeated; /* number of those that have support */
    uint64_t shown;    /* sum of the numbers of pages that show each */
} dt_score_place_t;


static uint16_t
dt_score_limited(uint64_t n, uint16_t most)
{
    return (uint16_t) (n < most ? n : most);
}


static uint16_t
dt_score_permille(uint64_t a, uint64_t b)
{
    return dt_score_limited(b ? 1000 * a / b : 0, 1000);
}


int
dt_score(const uint16_t x[DT_SCORE_FEATURES])
{
    unsigned i, n;
    int sum = dt_score_base;
    const dt_score_tree_t *t;

    for (i = 0; i < dt_score_ntrees; i++) {
        t = &dt_score_trees[i];

        for (n = 0; n < DT_SCORE_NODES; /* void */) {
            n = 2 * n + 1 + (x[t->feature[n]] > t->most[n]);
        }

        sum += t->value[n - DT_SCORE_NODES];
    }

    return sum;
}


static dt_score_place_t *
dt_score_places(const dt_evidence_t *ev, const dt_voters_t *voters)
{
    uint32_t i, n;
    dt_score_place_t *places, *p;
    const dt_pattern_t *e = ev->patterns.elts;

    places =
        dt_arena_calloc(ev->arena, ev->places.n + 1, sizeof(dt_score_place_t));

    for (i = 0; places != NULL && i < ev->patterns.n; i++) {
        if (e[i].pages) {
            n = e[i].merged ? e[i].merged : 1;
            p = &places[e[i].place];
            p->pages |= e[i].pages;
            p->patterns += n;
            p->repeated +=
                dt_rules_votes(e[i].pages, voters) >= ev->rules.support ? n
                                                                        : 0;
            p->shown += n * (unsigned) __builtin_popcountll(e[i].pages);
        }
    }

    return places;
}


/* sets the features that a pattern has by itself */
static void
dt_score_pattern(const dt_pattern_t *e, uint16_t *x)
{
    x[DT_SCORE_LINKS] = (e->flags & DT_PATTERN_LINKS) != 0;
    x[DT_SCORE_LABEL] = (e->flags & DT_PATTERN_LABEL) != 0;
    x[DT_SCORE_ASIDE] = (e->flags & DT_PATTERN_ASIDE) != 0;
    x[DT_SCORE_MAIN] = (e->flags & DT_PATTERN_MAIN) != 0;
    x[DT_SCORE_DETECTED] = (e->flags & DT_PATTERN_DETECTED) != 0;
    x[DT_SCORE_VARIES] = (e->flags & DT_PATTERN_VARIES) != 0;
    x[DT_SCORE_WORDS] = dt_score_limited(e->words, 1000);
    x[DT_SCORE_TEXT] = e->start == 0;
}


/* sets the features of the repeated text at the places around a pattern */
static void
dt_score_around(const dt_evidence_t *ev, const dt_place_sums_t *sums,
                uint32_t place, uint16_t *x)
{
    uint32_t up;
    unsigned n = 0;
    uint16_t repetition;
    const dt_place_sums_t *g = &sums[place];
    const dt_evidence_place_t *places = ev->places.elts;

    x[DT_SCORE_REPETITION] = dt_score_permille(g->repeated, g->words);
    x[DT_SCORE_REPETITION_PARENT] = 1000;
    x[DT_SCORE_REPETITION_ABOVE] = 1000;
    x[DT_SCORE_REPETITION_LEAST] = 1000;

    for (up = places[place].parent; up != UINT32_MAX; up = places[up].parent) {
        g = &sums[up];
        repetition = dt_score_permille(g->repeated, g->words);

        if (n < 2) {
            x[DT_SCORE_REPETITION_PARENT + n] = repetition;
        }

        n++;

        if (repetition < x[DT_SCORE_REPETITION_LEAST]) {
            x[DT_SCORE_REPETITION_LEAST] = repetition;
        }

        x[DT_SCORE_UNREPEATED] =
            (uint16_t) (x[DT_SCORE_UNREPEATED] + (repetition < 500));
    }
}


/*
 * Returns the set of the pages that count for the shares of a pattern: all, or
 * those outside of most if no page of most shows it.  most are the pages of
 * the directory with most pages.  They then have another layout, or a user has
 * filled the directory so that the template of others would stay.
 */
static uint64_t
dt_score_counted(const dt_evidence_t *ev, const dt_pattern_t *e, uint64_t most)
{
    uint64_t all;

    all = dt_evidence_pages(ev);

    return most & e->pages ? all : all & ~most;
}


static void
dt_score_features(const dt_evidence_t *ev, const dt_voters_t *voters,
                  const dt_place_sums_t *sums, const dt_score_place_t *sp,
                  uint64_t most, const dt_pattern_t *e, uint16_t *x)
{
    uint32_t up;
    unsigned votes;
    const dt_evidence_place_t *places = ev->places.elts;

    memset(x, 0, DT_SCORE_FEATURES * sizeof(uint16_t));

    up = places[e->place].parent;
    votes = dt_rules_votes(e->pages, voters);

    x[DT_SCORE_VOTES] = (uint16_t) votes;
    x[DT_SCORE_SHARE] = dt_score_permille(
        votes, dt_rules_votes(dt_score_counted(ev, e, most), voters));
    x[DT_SCORE_PLACE] = 1000;
    x[DT_SCORE_PLACE_TEXT] = 1000;

    if (up != UINT32_MAX) {
        x[DT_SCORE_PLACE] =
            dt_score_permille(votes, dt_rules_votes(sums[up].pages, voters));
        x[DT_SCORE_PLACE_TEXT] =
            dt_score_permille(sums[up].words, sums[0].words);
    }

    dt_score_pattern(e, x);
    dt_score_around(ev, sums, e->place, x);

    sp += e->place;
    x[DT_SCORE_PATTERNS] = dt_score_limited(sp->patterns, UINT16_MAX);
    x[DT_SCORE_SUPPORTED] = dt_score_permille(sp->repeated, sp->patterns);
    x[DT_SCORE_PER_PAGE] = dt_score_limited(
        100 * sp->shown / (unsigned) __builtin_popcountll(sp->pages),
        UINT16_MAX);
}


dt_status_t
dt_score_decide(dt_evidence_t *ev, const dt_voters_t *voters,
                const dt_place_sums_t *sums, dt_verdict_t *v)
{
    int score;
    uint32_t i;
    unsigned least;
    uint64_t most;
    uint16_t x[DT_SCORE_FEATURES];
    dt_score_place_t *places;
    const dt_pattern_t *e = ev->patterns.elts;

    places = dt_score_places(ev, voters);
    if (places == NULL) {
        return DT_ENOMEM;
    }

    most = dt_quorum_most(ev);

    for (i = 0; i < ev->patterns.n; i++) {
        if (!v[i].active || e[i].words == 0) {
            continue;
        }

        dt_score_features(ev, voters, sums, places, most, &e[i], x);
        score = dt_score(x);

        least = dt_rules_in_main(sums, &e[i]) ? ev->rules.score_main
                                              : ev->rules.score;

        if (ev->traces != NULL) {
            memcpy(ev->traces[i].x, x, sizeof(x));
            ev->traces[i].least = (uint16_t) least;
            ev->traces[i].scored = 1;
        }

        v[i].cut = least == 0 || score >= (int) least ? e[i].pages : 0;
    }

    return DT_OK;
}
