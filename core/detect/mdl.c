
/*
 * Copyright (C) The detemplate authors
 *
 * The model of Kim and Shim 2011 ("TEXT: Automatic Template Extraction from
 * Heterogeneous Web Pages"), as described by Prathibha, Sukumar and Sriram
 * 2012, section 4.  A document is the set of its essential paths: chains of
 * tags from the root to an element or a text.  A clustering writes the matrix
 * of documents and paths as three: templates (paths, clusters), members
 * (clusters, documents) and differences (paths, documents: 1, -1).  Each
 * matrix costs its cells times the entropy of its values.  The template of a
 * cluster has the paths that more than half of its documents have, which costs
 * least.
 *
 * A signature has, for each of 128 random orders of the paths, the first path
 * of the cluster, and how many of its documents have it.  The probability that
 * two sets have the same first path is their Jaccard coefficient.  The share
 * of first paths that l documents have estimates that of all paths.  So the
 * cost can be estimated without the paths.
 */


#include <math.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/detect/mdl.h"
#include "core/detect/tree.h"


typedef struct {
    uint64_t path;
    uint64_t docs;
} dt_support_t;


uint64_t *
dt_mdl_hashes(const dt_dom_t *dom, dt_arena_t *arena)
{
    uint64_t *hashes = dt_arena_calloc(arena, dom->n + 1, sizeof(uint64_t));

    for (uint32_t i = 0; hashes != NULL && i < dom->n; i++) {
        hashes[i] = dt_mix(i ? hashes[dom->nodes[i].parent] : 0,
                           dt_tree_label(dom, i, 0));
    }

    return hashes;
}


static int
dt_path_cmp(const void *a, const void *b)
{
    const dt_path_t *x = a, *y = b;

    return (x->path > y->path) - (x->path < y->path);
}


dt_status_t
dt_mdl_paths(const dt_dom_t *dom, dt_arena_t *arena, dt_cluster_t *out)
{
    uint64_t *hashes = dt_mdl_hashes(dom, arena);
    dt_path_t *p = dt_arena_calloc(arena, dom->n + 1, sizeof(dt_path_t));

    memset(out, 0, sizeof(dt_cluster_t));

    if (hashes == NULL || p == NULL) {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < dom->n; i++) {
        p[i] = (dt_path_t){ hashes[i], 1 };
    }

    qsort(p, dom->n, sizeof(dt_path_t), dt_path_cmp);

    for (uint32_t i = 0; i < dom->n; i++) {
        if (out->n == 0 || p[out->n - 1].path != p[i].path) {
            p[out->n++] = p[i];
        }
    }

    out->paths = p;
    out->docs = 1;
    out->total = out->n;

    return DT_OK;
}


/* returns the support that most paths of a document have: the mode, and of
   several the least */
static uint64_t
dt_mdl_mode(const dt_cluster_t *doc, const dt_index_t *supports, size_t n,
            uint32_t *often)
{
    uint64_t mode = 1;
    const dt_support_t *s;

    memset(often, 0, (n + 1) * sizeof(uint32_t));

    for (uint32_t i = 0; i < doc->n; i++) {
        s = dt_index_find(supports, doc->paths[i].path);
        often[s->docs]++;
    }

    for (uint64_t k = 2; k <= n; k++) {
        mode = often[k] > often[mode] ? k : mode;
    }

    return mode;
}


dt_status_t
dt_mdl_essential(dt_cluster_t *docs, size_t n, dt_arena_t *arena,
                 size_t *paths)
{
    uint32_t essential, *often;
    uint64_t mode;
    dt_index_t supports, all;
    dt_support_t *s;

    often = dt_arena_calloc(arena, n + 1, sizeof(uint32_t));

    if (often == NULL
        || dt_index_init(&supports, sizeof(dt_support_t), arena) != DT_OK
        || dt_index_init(&all, sizeof(uint64_t), arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (size_t d = 0; d < n; d++) {
        for (uint32_t i = 0; i < docs[d].n; i++) {
            s = dt_index_get(&supports, docs[d].paths[i].path, UINT32_MAX,
                             arena);
            if (s == NULL) {
                return DT_ENOMEM;
            }

            s->docs++;
        }
    }

    for (size_t d = 0; d < n; d++) {
        mode = dt_mdl_mode(&docs[d], &supports, n, often);
        essential = 0;

        for (uint32_t i = 0; i < docs[d].n; i++) {
            s = dt_index_find(&supports, docs[d].paths[i].path);

            if (s->docs < mode) {
                continue;
            }

            if (dt_index_get(&all, s->path, UINT32_MAX, arena) == NULL) {
                return DT_ENOMEM;
            }

            docs[d].paths[essential++] = docs[d].paths[i];
        }

        docs[d].n = essential;
        docs[d].total = essential;
    }

    *paths = all.n;

    return DT_OK;
}


static double
dt_mdl_part(double cells, double n)
{
    return n > 0 ? -n * log2(n / cells) : 0;
}


double
dt_mdl_bits(double cells, double ones, double minus)
{
    return dt_mdl_part(cells, ones) + dt_mdl_part(cells, minus)
           + dt_mdl_part(cells, cells - ones - minus);
}


double
dt_mdl_cost(const dt_mdl_t *m, size_t clusters, size_t docs, size_t paths)
{
    double p = (double) paths, c = (double) clusters, d = (double) docs;

    return dt_mdl_bits(p * c, m->ones, 0) + dt_mdl_bits(c * d, d, 0)
           + dt_mdl_bits(p * d, m->plus, m->minus);
}


int
dt_mdl_is_template(uint64_t count, uint64_t docs)
{
    return 2 * count > docs;
}


static void
dt_mdl_count(dt_mdl_t *m, uint64_t count, uint64_t docs, double weight)
{
    if (dt_mdl_is_template(count, docs)) {
        m->ones += weight;
        m->minus += weight * (double) (docs - count);

    } else {
        m->plus += weight * (double) count;
    }
}


void
dt_mdl_exact(const dt_cluster_t *a, const dt_cluster_t *b, dt_mdl_t *out)
{
    uint32_t i = 0, j = 0, nb = b ? b->n : 0;
    uint64_t count, docs = a->docs + (b ? b->docs : 0);

    memset(out, 0, sizeof(dt_mdl_t));

    while (i < a->n || j < nb) {
        if (j == nb || (i < a->n && a->paths[i].path < b->paths[j].path)) {
            count = a->paths[i++].count;

        } else if (i == a->n || b->paths[j].path < a->paths[i].path) {
            count = b->paths[j++].count;

        } else {
            count = a->paths[i++].count + b->paths[j++].count;
        }

        dt_mdl_count(out, count, docs, 1);
    }
}


void
dt_mdl_likely(const dt_cluster_t *a, const dt_cluster_t *b, dt_mdl_t *out)
{
    uint64_t sum = 0, docs = a->docs + (b ? b->docs : 0);
    uint32_t count[DT_MDL_RANKS];
    double all;
    const dt_signature_t *x = a->signature, *y = b ? b->signature : NULL;

    memset(out, 0, sizeof(dt_mdl_t));

    for (unsigned i = 0; i < DT_MDL_RANKS; i++) {
        count[i] = x->count[i];

        if (y != NULL && y->rank[i] < x->rank[i]) {
            count[i] = y->count[i];

        } else if (y != NULL && y->rank[i] == x->rank[i]) {
            count[i] += y->count[i];
        }

        sum += count[i];
    }

    /* the number of different paths: the paths of all documents without
       repetitions */
    all = (double) (a->total + (b ? b->total : 0)) * DT_MDL_RANKS
          / (double) (sum ? sum : 1);

    for (unsigned i = 0; i < DT_MDL_RANKS; i++) {
        dt_mdl_count(out, count[i], docs, all / DT_MDL_RANKS);
    }
}


dt_status_t
dt_mdl_sign(dt_cluster_t *c, dt_arena_t *arena)
{
    uint64_t rank;
    dt_signature_t *s = dt_arena_calloc(arena, 1, sizeof(dt_signature_t));

    if (s == NULL) {
        return DT_ENOMEM;
    }

    for (unsigned i = 0; i < DT_MDL_RANKS; i++) {
        s->rank[i] = UINT64_MAX;

        for (uint32_t k = 0; k < c->n; k++) {
            rank = dt_mix(c->paths[k].path, dt_mix(i + 1, i + 1));

            if (rank < s->rank[i]) {
                s->rank[i] = rank;
                s->count[i] = 1;
            }
        }
    }

    c->signature = s;

    return DT_OK;
}


double
dt_mdl_jaccard(const dt_cluster_t *a, const dt_cluster_t *b)
{
    unsigned same = 0;

    for (unsigned i = 0; i < DT_MDL_RANKS; i++) {
        same += a->signature->rank[i] == b->signature->rank[i];
    }

    return (double) same / DT_MDL_RANKS;
}
