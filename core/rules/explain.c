
/*
 * Copyright (C) The detemplate authors
 *
 * A template contains its evidence, and a decision from that is the same each
 * time.  So nothing is stored to explain a decision later.
 *
 * A pattern passes through a tree from a node to one of the two nodes behind
 * it.  Each node has a mean, of the values below it.  The difference of the
 * means is the contribution of the node's feature to the score (A. Saabas,
 * "Interpreting random forests", 2014).  The mean of these terms over all
 * patterns of the site is subtracted, since it says nothing about one of them.
 */


#include "core/rules/explain.h"
#include "core/rules/alike.h"
#include "core/rules/decide.h"
#include "core/rules/shapes.h"


#define DT_EXPLAIN_VALUES (DT_SCORE_NODES + 1)


struct dt_explain_s {
    dt_evidence_t *ev;
    dt_tables_t tables;
    int64_t mean;                     /* mean of all scores */
    int64_t terms[DT_SCORE_FEATURES]; /* mean of each term, as a sum of
                                    dt_explain_score() */
    unsigned nvotes;
    dt_voters_t voters;
    dt_index_t shapes; /* dt_shape_t */
};


/* returns the mean of the values below node n of a tree, times the number of
   values of a whole tree, so that it is an integer */
static int
dt_explain_mean(const dt_score_tree_t *t, unsigned n)
{
    unsigned first = n, last = n, i, width = 1;
    int sum = 0;

    while (first < DT_SCORE_NODES) {
        first = 2 * first + 1;
        last = 2 * last + 2;
        width *= 2;
    }

    for (i = first; i <= last; i++) {
        sum += t->value[i - DT_SCORE_NODES];
    }

    return sum * (DT_EXPLAIN_VALUES / (int) width);
}


/* adds each feature's contribution to the score, times the number of values of
   a tree, to terms; returns the score */
static int
dt_explain_score(const dt_score_trace_t *trace,
                 int64_t terms[DT_SCORE_FEATURES])
{
    int mean, next;
    unsigned i, n, child;
    const dt_score_tree_t *t;

    for (i = 0; i < dt_score_ntrees; i++) {
        t = &dt_score_trees[i];
        mean = dt_explain_mean(t, 0);

        for (n = 0; n < DT_SCORE_NODES; n = child, mean = next) {
            child = 2 * n + 1 + (trace->x[t->feature[n]] > t->most[n]);
            next = dt_explain_mean(t, child);
            terms[t->feature[n]] += next - mean;
        }
    }


    return dt_score(trace->x);
}


/* sets the means over all patterns that have a score */
static void
dt_explain_mean_terms(dt_explain_t *x)
{
    uint32_t i;
    int64_t n = 0;
    const dt_evidence_t *ev = x->ev;

    for (i = 0; i < ev->patterns.n; i++) {
        if (ev->traces[i].scored) {
            x->mean += dt_explain_score(&ev->traces[i], x->terms);
            n++;
        }
    }

    n = n ? n : 1;
    x->mean /= n;

    for (i = 0; i < DT_SCORE_FEATURES; i++) {
        x->terms[i] /= n;
    }
}


dt_explain_t *
dt_explain_create(const void *tmpl, const dt_rules_t *rules, dt_arena_t *arena)
{
    dt_status_t rc;
    dt_explain_t *x;

    x = dt_arena_calloc(arena, 1, sizeof(dt_explain_t));
    if (x == NULL) {
        return NULL;
    }

    x->ev = dt_evidence_create(tmpl, rules, 0, arena);
    if (x->ev == NULL) {
        return NULL;
    }

    x->ev->traces = dt_arena_calloc(arena, x->ev->patterns.n + 1,
                                    sizeof(dt_score_trace_t));
    if (x->ev->traces == NULL) {
        return NULL;
    }

    rc = dt_decide(x->ev, &x->tables);
    if (rc != DT_OK && rc != DT_DECLINED) {
        return NULL;
    }

    dt_alike(x->ev, &x->voters, NULL);
    x->nvotes = dt_rules_votes(UINT64_MAX, &x->voters);
    dt_explain_mean_terms(x);

    return dt_shapes(x->ev, &x->voters, &x->shapes) == DT_OK ? x : NULL;
}


/* sets the numbers of pages and votes, and the directory */
static void
dt_explain_pages(const dt_explain_t *x, uint64_t pages, unsigned dir,
                 dt_why_t *why)
{
    why->pages = (unsigned) __builtin_popcountll(pages);
    why->npages = x->ev->npages;
    why->votes = dt_rules_votes(pages, &x->voters);
    why->nvotes = x->nvotes;
    why->dir = dir ? x->ev->limits[dir]->hash : 0;
}


dt_status_t
dt_explain_shape(const dt_explain_t *x, uint64_t path, unsigned shape,
                 dt_why_t *why)
{
    unsigned kind;
    const dt_shape_t *s;

    memset(why, 0, sizeof(dt_why_t));

    for (kind = DT_SHAPE_NAV; kind <= DT_SHAPE_BESIDE; kind <<= 1) {
        s = shape & kind ? dt_index_find(&x->shapes, dt_key_shape(path, kind))
                         : NULL;

        if (s != NULL && s->cut) {
            dt_explain_pages(x, s->pages, s->dir, why);
            return DT_OK;
        }
    }

    return DT_DECLINED;
}


dt_status_t
dt_explain(const dt_explain_t *x, uint64_t key, dt_why_t *why)
{
    size_t i, k;
    int64_t terms[DT_SCORE_FEATURES] = { 0 };
    const dt_evidence_t *ev = x->ev;
    const dt_pattern_t *e;
    const dt_seen_t *seen;
    const dt_score_trace_t *trace;
    const dt_verdict_t *v;

    memset(why, 0, sizeof(dt_why_t));

    e = dt_index_find(&ev->patterns, key);

    if (e == NULL) {
        seen = dt_index_find(&ev->seen, key >> 32 << 32);
        e = seen != NULL && seen->at != DT_SEEN_NONE
                ? dt_index_elt(&ev->patterns, seen->at)
                : NULL;
    }

    if (key == 0 || e == NULL || e->pages == 0) {
        return DT_DECLINED;
    }

    i = (size_t) (e - (const dt_pattern_t *) ev->patterns.elts);
    v = &x->tables.verdicts[i];
    trace = &ev->traces[i];

    dt_explain_pages(x, e->pages, v->dir, why);
    why->question = trace->question;
    why->scored = trace->scored;

    if (trace->scored) {
        why->least = trace->least;
        why->mean = (int) x->mean;
        why->score = dt_explain_score(trace, terms);

        for (k = 0; k < DT_SCORE_FEATURES; k++) {
            why->terms[k] =
                (int) ((terms[k] - x->terms[k]) / DT_EXPLAIN_VALUES);
        }
    }

    return DT_OK;
}
