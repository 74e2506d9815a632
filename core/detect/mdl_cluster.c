
/*
 * Copyright (C) The detemplate authors
 *
 * TEXT-MDL: each document begins as a cluster of its own.  The pair of
 * clusters whose merging saves most is merged, as long as merging saves
 * anything. TEXT-HASH: pairs with the same signature are merged first.  Then
 * only the pair of each cluster with the most similar one, by signatures, is
 * considered.
 */


#include "core/detect/mdl.h"


typedef struct {
    dt_cluster_t *c;
    size_t n;
    size_t paths;
    size_t nclusters;
    int fast;
    dt_mdl_t total; /* costs of all clusters together */
    dt_mdl_t *each; /* costs of each cluster */
    dt_mdl_t
        *two;    /* costs of each pair as one, n * n; ones < 0: not computed */
    float *like; /* with signatures: similarity of each pair, n * n */
    dt_arena_t *arena;
} dt_merge_t;


/* forgets the costs of a pair that has changed */
static void
dt_merge_changed(dt_merge_t *m, size_t i, size_t j)
{
    m->two[i * m->n + j].ones = -1;

    if (m->fast) {
        m->like[i * m->n + j] = (float) dt_mdl_jaccard(&m->c[i], &m->c[j]);
        m->like[j * m->n + i] = m->like[i * m->n + j];
    }
}


static const dt_mdl_t *
dt_merge_two(const dt_merge_t *m, size_t i, size_t j)
{
    dt_mdl_t *two = &m->two[i * m->n + j];

    if (two->ones < 0) {
        (m->fast ? dt_mdl_likely : dt_mdl_exact)(&m->c[i], &m->c[j], two);
    }

    return two;
}


/* returns the costs of all clusters with i and j merged */
static dt_mdl_t
dt_merge_sum(const dt_merge_t *m, size_t i, size_t j)
{
    dt_mdl_t sum;
    const dt_mdl_t *two = dt_merge_two(m, i, j);

    sum.ones = m->total.ones - m->each[i].ones - m->each[j].ones + two->ones;
    sum.plus = m->total.plus - m->each[i].plus - m->each[j].plus + two->plus;
    sum.minus =
        m->total.minus - m->each[i].minus - m->each[j].minus + two->minus;

    return sum;
}


static dt_status_t
dt_merge_paths(dt_merge_t *m, dt_cluster_t *a, const dt_cluster_t *b)
{
    dt_path_t *p;
    uint32_t i = 0, j = 0, n = 0;

    p = dt_arena_alloc(m->arena,
                       ((size_t) a->n + b->n + 1) * sizeof(dt_path_t));
    if (p == NULL) {
        return DT_ENOMEM;
    }

    while (i < a->n || j < b->n) {
        if (j == b->n || (i < a->n && a->paths[i].path < b->paths[j].path)) {
            p[n++] = a->paths[i++];

        } else if (i == a->n || b->paths[j].path < a->paths[i].path) {
            p[n++] = b->paths[j++];

        } else {
            p[n] = a->paths[i++];
            p[n++].count += b->paths[j++].count;
        }
    }

    a->paths = p;
    a->n = n;

    return DT_OK;
}


static void
dt_merge_signatures(dt_signature_t *a, const dt_signature_t *b)
{
    for (unsigned i = 0; i < DT_MDL_RANKS; i++) {
        if (b->rank[i] < a->rank[i]) {
            a->rank[i] = b->rank[i];
            a->count[i] = b->count[i];

        } else if (b->rank[i] == a->rank[i]) {
            a->count[i] += b->count[i];
        }
    }
}


/* merges i and j into i */
static dt_status_t
dt_merge(dt_merge_t *m, size_t i, size_t j, uint32_t *of)
{
    dt_cluster_t *a = &m->c[i], *b = &m->c[j];

    m->total = dt_merge_sum(m, i, j);
    m->each[i] = m->two[i * m->n + j];

    if (m->fast) {
        dt_merge_signatures(a->signature, b->signature);
    }

    if (dt_merge_paths(m, a, b) != DT_OK) {
        return DT_ENOMEM;
    }

    a->docs += b->docs;
    a->total += b->total;
    b->docs = 0;
    m->nclusters--;

    for (size_t d = 0; d < m->n; d++) {
        of[d] = of[d] == j ? (uint32_t) i : of[d];

        if (m->c[d].docs && d != i) {
            dt_merge_changed(m, d < i ? d : i, d < i ? i : d);
        }
    }

    return DT_OK;
}


/* returns the cluster that is most similar to i, or n */
static size_t
dt_merge_nearest(const dt_merge_t *m, size_t i)
{
    float like, best = 0;
    size_t nearest = m->n;

    for (size_t j = 0; j < m->n; j++) {
        if (j == i || m->c[j].docs == 0) {
            continue;
        }

        like = m->like[i * m->n + j];

        if (like > best) {
            best = like;
            nearest = j;
        }
    }

    return nearest;
}


/* finds the pair whose merging saves most; 0: none saves anything */
static int
dt_merge_best(const dt_merge_t *m, size_t *one, size_t *other)
{
    int found = 0;
    size_t a, b, first, end;
    dt_mdl_t sum;
    double cost, best = dt_mdl_cost(&m->total, m->nclusters, m->n, m->paths);

    for (size_t i = 0; i < m->n; i++) {
        if (m->c[i].docs == 0) {
            continue;
        }

        first = m->fast ? dt_merge_nearest(m, i) : i + 1;
        end = m->fast ? first + 1 : m->n;

        for (size_t j = first; j < end && j < m->n; j++) {
            if (m->c[j].docs == 0) {
                continue;
            }

            a = i < j ? i : j;
            b = i < j ? j : i;
            sum = dt_merge_sum(m, a, b);
            cost = dt_mdl_cost(&sum, m->nclusters - 1, m->n, m->paths);

            /* the tolerance ignores rounding errors of equal costs */
            if (cost < best - 1e-6) {
                best = cost;
                *one = a;
                *other = b;
                found = 1;
            }
        }
    }

    return found;
}


static dt_status_t
dt_merge_same(dt_merge_t *m, uint32_t *of)
{
    for (size_t i = 0; i < m->n; i++) {
        for (size_t j = i + 1; m->c[i].docs && j < m->n; j++) {
            if (m->c[j].docs && m->like[i * m->n + j] == 1
                && dt_merge(m, i, j, of) != DT_OK)
            {
                return DT_ENOMEM;
            }
        }
    }

    return DT_OK;
}


dt_status_t
dt_mdl_cluster(dt_cluster_t *docs, size_t n, size_t paths, int fast,
               dt_arena_t *arena, uint32_t *of)
{
    size_t i, j;
    dt_merge_t m = { 0 };

    m.c = docs;
    m.n = n;
    m.nclusters = n;
    m.paths = paths;
    m.fast = fast;
    m.arena = arena;

    m.each = dt_arena_calloc(arena, n, sizeof(dt_mdl_t));
    m.two = dt_arena_calloc(arena, n * n, sizeof(dt_mdl_t));
    m.like = dt_arena_calloc(arena, fast ? n * n : 1, sizeof(float));
    if (m.each == NULL || m.two == NULL || m.like == NULL) {
        return DT_ENOMEM;
    }

    for (i = 0; i < n; i++) {
        of[i] = (uint32_t) i;

        if (fast && dt_mdl_sign(&docs[i], arena) != DT_OK) {
            return DT_ENOMEM;
        }

        m.each[i] = (dt_mdl_t){ docs[i].n, 0, 0 };
        m.total.ones += docs[i].n;
    }

    for (i = 0; i < n; i++) {
        for (j = i + 1; j < n; j++) {
            dt_merge_changed(&m, i, j);
        }
    }

    if (fast && dt_merge_same(&m, of) != DT_OK) {
        return DT_ENOMEM;
    }

    while (dt_merge_best(&m, &i, &j)) {
        if (dt_merge(&m, i, j, of) != DT_OK) {
            return DT_ENOMEM;
        }
    }

    return DT_OK;
}
