
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

#include "core/detect/text_mdl.h"
#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/detect/detect.h"
#include "core/detect/tree.h"


typedef struct {
    uint64_t path;
    uint64_t docs;
} dt_support_t;


/* Returns the hash of the path of each node of dom, in arena, or NULL. */
static uint64_t *
dt_mdl_hashes(const dt_dom_t *dom, dt_arena_t *arena)
{
    const dt_node_t *node;
    uint64_t *hashes = dt_arena_calloc(arena, dom->n + 1, sizeof(uint64_t));

    for (uint32_t i = 0; hashes != NULL && i < dom->n; i++) {
        node = &dom->nodes[i];
        hashes[i] =
            dt_mix(i ? hashes[node->parent] : 0, dt_tree_label(dom, i, 0));

        /* the content of a script or a frame is part of its path */
        if (node->kind == DT_NODE_ELEMENT && node->nchildren == 0
            && node->open_end < node->end)
        {
            hashes[i] =
                dt_mix(hashes[i], dt_hash(dom->src.data + node->open_end,
                                          node->end - node->open_end, 0));
        }
    }

    return hashes;
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

    qsort(p, dom->n, sizeof(dt_path_t), dt_index_cmp);

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


/* Whether a path that count of docs documents have is in their template. */
static int
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


/*
 * TEXT-MDL: each document begins as a cluster of its own.  The pair of
 * clusters whose merging saves most is merged, as long as merging saves
 * anything. TEXT-HASH: pairs with the same signature are merged first.  Then
 * only the pair of each cluster with the most similar one, by signatures, is
 * considered.
 */

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


/*
 * Uses templates of clusters of pages (mdl.h).  The key page belongs to the
 * cluster whose template differs least from its paths.  Nodes whose path is in
 * that template are template.  Clustering uses signatures, unless the option
 * mdl-exact is set.  Of more than DT_MDL_DOCS pages, only the first are
 * clustered.
 */

#define DT_MDL_DOCS 512


typedef struct {
    dt_cluster_t *docs;
    uint32_t *of;
    size_t n;
} dt_text_t;


static dt_status_t
dt_text_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    size_t paths;
    dt_text_t *t;
    dt_status_t rc = DT_OK;

    t = dt_arena_calloc(arena, 1, sizeof(dt_text_t));
    if (t == NULL) {
        return DT_ENOMEM;
    }

    t->n = d->n < DT_MDL_DOCS ? d->n : DT_MDL_DOCS;
    t->docs = dt_arena_calloc(arena, t->n, sizeof(dt_cluster_t));
    t->of = dt_arena_calloc(arena, t->n, sizeof(uint32_t));
    if (t->docs == NULL || t->of == NULL) {
        return DT_ENOMEM;
    }

    for (size_t i = 0; i < t->n && rc == DT_OK; i++) {
        rc = dt_mdl_paths(d->pages[i], arena, &t->docs[i]);
    }

    rc = rc == DT_OK ? dt_mdl_essential(t->docs, t->n, arena, &paths) : rc;
    d->data = t;

    return rc == DT_OK ? dt_mdl_cluster(t->docs, t->n, paths, !d->o.mdl_exact,
                                        arena, t->of)
                       : rc;
}


static int
dt_text_has(const dt_cluster_t *c, uint64_t path)
{
    uint32_t low = 0, high = c->n, mid;

    while (low < high) {
        mid = low + (high - low) / 2;

        if (c->paths[mid].path < path) {
            low = mid + 1;

        } else {
            high = mid;
        }
    }

    return low < c->n && c->paths[low].path == path
           && dt_mdl_is_template(c->paths[low].count, c->docs);
}


/* returns how many paths of the template the page lacks, minus how many it
   has */
static int64_t
dt_text_differs(const dt_cluster_t *c, const dt_cluster_t *page)
{
    int64_t differs = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        differs += dt_mdl_is_template(c->paths[i].count, c->docs);
    }

    for (uint32_t i = 0; i < page->n; i++) {
        differs -= 2 * dt_text_has(c, page->paths[i].path);
    }

    return differs;
}


static dt_status_t
dt_text_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
              uint8_t *out)
{
    int64_t differs, least = INT64_MAX;
    uint64_t *hashes;
    dt_cluster_t page;
    const dt_text_t *t = d->data;
    const dt_cluster_t *best = NULL;

    hashes = dt_mdl_hashes(key, arena);

    if (hashes == NULL || dt_mdl_paths(key, arena, &page) != DT_OK) {
        return DT_ENOMEM;
    }

    for (size_t i = 0; i < t->n; i++) {
        if (t->docs[i].docs == 0
            || (t->docs[i].docs == 1 && d->pages[i] == key)) {
            /* a cluster of the key page alone carries no information */
            continue;
        }

        differs = dt_text_differs(&t->docs[i], &page);

        if (differs < least) {
            least = differs;
            best = &t->docs[i];
        }
    }

    for (uint32_t i = 0; best != NULL && i < key->n; i++) {
        out[i] = (uint8_t) dt_text_has(best, hashes[i]);
    }

    dt_tree_prune(key, out);

    return DT_OK;
}


const dt_detector_t dt_detector_text_mdl = {
    "text-mdl",
    "clusters of pages by what they cost to write (Kim and Shim 2011)",
    dt_text_prepare,
    dt_text_nodes,
};
