
/*
 * Copyright (C) The detemplate authors
 *
 * Finds a template in a page.  Vieira et al. 2006, section 5, say that it
 * takes linear time, but not how.  Here the children of a node that was found
 * are searched among the children of the node where it was found.  Children
 * with identical subtrees are mapped first, in their order.  Between two of
 * those, each child is mapped to the next one with the same label.
 */


#include <stdlib.h>

#include "core/detect/rtdm.h"
#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/detect/detect.h"
#include "core/detect/tree.h"


/* a chain: the children of one parent with the same hash */
typedef struct {
    uint64_t key;
    uint32_t first; /* the first one that was not passed yet, or DT_DOM_NONE */
} dt_chain_t;


typedef struct {
    dt_index_t chains;
    uint32_t *behind; /* for each node: the next in its chain */
} dt_chains_t;


typedef struct {
    const dt_dom_t *a;
    const dt_dom_t *b;
    uint64_t *a_hashes;
    uint64_t *b_hashes;
    dt_chains_t same;
    dt_chains_t alike;
    int attrs;
} dt_search_t;


static uint64_t
dt_chain_key(uint32_t parent, uint64_t hash)
{
    return dt_mix(hash, (uint64_t) parent + 1);
}


/* builds the chains of the nodes of dom, by hashes or (NULL) by labels */
static dt_status_t
dt_chains_make(dt_chains_t *c, const dt_dom_t *dom, const uint64_t *hashes,
               int attrs, dt_arena_t *arena)
{
    uint64_t hash;
    uint32_t n;
    dt_chain_t *chain;

    c->behind = dt_arena_calloc(arena, dom->n, sizeof(uint32_t));

    if (c->behind == NULL
        || dt_index_init(&c->chains, sizeof(dt_chain_t), arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (uint32_t i = dom->n; i-- > 1;) {
        hash = hashes ? hashes[i] : dt_tree_label(dom, i, attrs);
        n = c->chains.n;

        chain =
            dt_index_get(&c->chains, dt_chain_key(dom->nodes[i].parent, hash),
                         UINT32_MAX, arena);
        if (chain == NULL) {
            return DT_ENOMEM;
        }

        c->behind[i] = c->chains.n > n ? DT_DOM_NONE : chain->first;
        chain->first = i;
    }

    return DT_OK;
}


/* returns the first of a chain from node at on, and drops those before */
static uint32_t
dt_chain_next(dt_chains_t *c, uint32_t parent, uint64_t hash, uint32_t at)
{
    dt_chain_t *chain = dt_index_find(&c->chains, dt_chain_key(parent, hash));

    if (chain == NULL) {
        return DT_DOM_NONE;
    }

    while (chain->first != DT_DOM_NONE && chain->first < at) {
        chain->first = c->behind[chain->first];
    }

    return chain->first;
}


static void
dt_find_children(dt_search_t *s, uint32_t p, uint32_t *map)
{
    uint32_t at, found, stop, next, q = map[p];
    const dt_node_t *a = s->a->nodes, *b = s->b->nodes;

    for (uint32_t i = p + 1, j = q + 1; i < a[p].next; i = a[i].next) {
        found = dt_chain_next(&s->same, q, s->a_hashes[i], j);

        if (found != DT_DOM_NONE) {
            map[i] = found;
            j = b[found].next;
        }
    }

    for (uint32_t i = p + 1, j = q + 1; i < a[p].next; i = next) {
        next = a[i].next;

        if (map[i] != DT_DOM_NONE) {
            j = b[map[i]].next;
            continue;
        }

        /* the search ends where the next identical child was found */
        for (at = next; at < a[p].next && map[at] == DT_DOM_NONE;
             at = a[at].next) {
            /* void */
        }

        stop = at < a[p].next ? map[at] : b[q].next;

        for (/* void */; i < at; i = a[i].next) {
            found = dt_chain_next(&s->alike, q,
                                  dt_tree_label(s->a, i, s->attrs), j);

            if (found < stop) {
                map[i] = found;
                j = b[found].next;
            }
        }

        next = at;
    }
}


dt_status_t
dt_rtdm_find(const dt_dom_t *a, const dt_dom_t *b, int attrs,
             dt_arena_t *arena, uint32_t *map, int *whole)
{
    dt_search_t s = { .a = a, .b = b, .attrs = attrs };

    *whole = a->n == 0;

    for (uint32_t i = 0; i < a->n; i++) {
        map[i] = DT_DOM_NONE;
    }

    if (a->n == 0 || b->n == 0
        || dt_tree_label(a, 0, attrs) != dt_tree_label(b, 0, attrs))
    {
        return DT_OK;
    }

    s.a_hashes = dt_tree_hashes(a, attrs, arena);
    s.b_hashes = dt_tree_hashes(b, attrs, arena);

    if (s.a_hashes == NULL || s.b_hashes == NULL
        || dt_chains_make(&s.same, b, s.b_hashes, attrs, arena) != DT_OK
        || dt_chains_make(&s.alike, b, NULL, attrs, arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    map[0] = 0;
    *whole = 1;

    for (uint32_t i = 0; i < a->n; i++) {
        if (map[i] == DT_DOM_NONE) {
            *whole = 0;

        } else {
            dt_find_children(&s, i, map);
        }
    }

    return DT_OK;
}


/*
 * RTDM-TD and retrieveTemplate (Vieira, da Silva, Pinto, de Moura, Cavalcanti
 * and Freire, "A Fast and Robust Method for Web Page Template Detection and
 * Removal", CIKM 2006, figures 3 and 4).  The children of two nodes with one
 * label are aligned like strings.  Identical subtrees cost nothing (the
 * bottom-up short-cut), and children are compared further only when their
 * labels are equal (the top-down short-cut).
 *
 * Figures 3 and 4 are corrected in two places.  A replaced node takes all
 * nodes below both nodes with it (definition 4; the figure omits the rows
 * before, and inner nodes).  In backtracking, "delete" is a step in i and
 * "insert" a step in j (the figure has it the other way round).  Among ways of
 * equal cost, keeping, removing or inserting a node is preferred to replacing
 * it.
 *
 * Three more short-cuts do not change costs.  Identical children at the front
 * and at the end are paired at once.  A pair whose difference in size alone
 * costs more than leaving it unpaired is not compared.  Instead of storing a
 * backtracking matrix for each pair, the costs of larger pairs are stored, and
 * only the matrices on the way back are computed again.
 */

#define DT_RTDM_SCRATCH                                                       \
    ((size_t) 128 << 20)         /* bytes while two pages are                 \
                                   compared */
#define DT_RTDM_KNOWN (1u << 20) /* costs that are stored */
#define DT_RTDM_WORTH 16 /* least cells of a pair whose cost is stored */
#define DT_RTDM_OPS                                                           \
    ((uint64_t) 1 << 25) /* cells of a matrix for backtracking */
#define DT_RTDM_DEPTH 2048


typedef enum { DT_KEEP = 0, DT_REPLACE, DT_DELETE, DT_INSERT } dt_rtdm_op_t;

typedef struct {
    uint64_t pair;
    uint32_t cost;
} dt_known_t;


typedef struct {
    const dt_dom_t *dom;
    uint64_t *labels;
    uint64_t *hashes; /* of subtrees; equal hashes: identical */
} dt_side_t;


typedef struct {
    dt_side_t a;
    dt_side_t b;
    dt_rtdm_t *r;
    uint32_t *stack; /* children and rows of the pairs being compared */
    dt_index_t known;
    dt_arena_t *arena;
} dt_align_t;


/* the children of a pair that are not paired at once */
typedef struct {
    uint32_t *a;
    uint32_t *b;
    uint32_t na; /* the number of all children */
    uint32_t nb;
    uint32_t first; /* the first child not paired at once */
    uint32_t m;     /* the number of those children */
    uint32_t n;
    uint32_t *rest; /* the stack behind them */
} dt_kids_t;


static uint32_t
dt_size(const dt_side_t *s, uint32_t i)
{
    return s->dom->nodes[i].next - i;
}


static uint32_t
dt_list_kids(const dt_dom_t *dom, uint32_t parent, uint32_t *out)
{
    uint32_t n = 0;

    for (uint32_t i = parent + 1; i < dom->nodes[parent].next;
         i = dom->nodes[i].next)
    {
        out[n++] = i;
    }

    return n;
}


static int
dt_identical(const dt_align_t *t, uint32_t p, uint32_t q)
{
    return t->a.hashes[p] == t->b.hashes[q]
           && dt_size(&t->a, p) == dt_size(&t->b, q);
}


static void
dt_kids(const dt_align_t *t, uint32_t p, uint32_t q, uint32_t *stack,
        dt_kids_t *k)
{
    k->a = stack;
    k->na = dt_list_kids(t->a.dom, p, k->a);
    k->b = k->a + k->na;
    k->nb = dt_list_kids(t->b.dom, q, k->b);
    k->rest = k->b + k->nb;
    k->first = 0;
    k->m = k->na;
    k->n = k->nb;

    while (k->m && k->n && dt_identical(t, k->a[k->first], k->b[k->first])) {
        k->first++;
        k->m--;
        k->n--;
    }

    while (k->m && k->n
           && dt_identical(t, k->a[k->first + k->m - 1],
                           k->b[k->first + k->n - 1]))
    {
        k->m--;
        k->n--;
    }
}


static uint32_t
dt_sizes(const dt_side_t *s, const uint32_t *kids, uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += dt_size(s, kids[i]);
    }

    return sum;
}


static uint32_t dt_rtdm_pair(dt_align_t *t, uint32_t p, uint32_t q,
                             uint32_t *stack, unsigned depth);


/*
 * Returns the cost of pairing p with q, or UINT32_MAX when that is known to be
 * without or more, from where on the pair cannot be part of the best way.
 */
static uint32_t
dt_rtdm_match(dt_align_t *t, uint32_t p, uint32_t q, uint32_t without,
              uint32_t *stack, unsigned depth)
{
    uint32_t x = dt_size(&t->a, p), y = dt_size(&t->b, q);

    if (dt_identical(t, p, q)) {
        return 0;
    }

    if (t->a.labels[p] != t->b.labels[q]) {
        return x + y - 1;
    }

    if ((x > y ? x - y : y - x) >= without) {
        return UINT32_MAX;
    }

    return dt_rtdm_pair(t, p, q, stack, depth);
}


/* computes the matrix of a pair by rows; ops, when not NULL, gets the step to
   each cell */
static uint32_t
dt_rtdm_matrix(dt_align_t *t, const dt_kids_t *k, uint8_t *ops, unsigned depth)
{
    uint32_t x, y, best, match, without, before, *row = k->rest;
    const uint32_t *a = k->a + k->first, *b = k->b + k->first;
    uint8_t op;

    row[0] = 0;

    for (uint32_t j = 0; j < k->n; j++) {
        row[j + 1] = row[j] + dt_size(&t->b, b[j]);
    }

    for (uint32_t i = 0; i < k->m; i++) {
        before = row[0]; /* the cell diagonally above */
        x = dt_size(&t->a, a[i]);
        row[0] += x;

        for (uint32_t j = 0; j < k->n; j++) {
            y = dt_size(&t->b, b[j]);
            op = DT_DELETE;
            best = row[j + 1] + x;

            if (row[j] + y < best) {
                op = DT_INSERT;
                best = row[j] + y;
            }

            /* from this cost on, pairing cannot be better than best */
            without = best > before ? best - before + 1 : 1;
            match =
                dt_rtdm_match(t, a[i], b[j], without, row + k->n + 1, depth);

            if (t->a.labels[a[i]] != t->b.labels[b[j]]) {
                if (before + match < best) {
                    op = DT_REPLACE;
                    best = before + match;
                }

            } else if (match != UINT32_MAX && before + match <= best) {
                op = DT_KEEP;
                best = before + match;
            }

            before = row[j + 1];
            row[j + 1] = best;

            if (ops != NULL) {
                ops[(size_t) i * k->n + j] = op;
            }
        }
    }

    return row[k->n];
}


/* returns the least cost of mapping the nodes below p to those below q */
static uint32_t
dt_rtdm_pair(dt_align_t *t, uint32_t p, uint32_t q, uint32_t *stack,
             unsigned depth)
{
    uint32_t cost;
    uint64_t cells, budget = t->r->cells, pair = dt_mix(p + 1, q + 1);
    dt_kids_t k;
    dt_known_t *known;

    known = dt_index_find(&t->known, pair);
    if (known != NULL) {
        return known->cost;
    }

    dt_kids(t, p, q, stack, &k);
    cells = (uint64_t) k.m * k.n;

    if (cells == 0 || cells > t->r->cells || depth == DT_RTDM_DEPTH) {
        return dt_sizes(&t->a, k.a + k.first, k.m)
               + dt_sizes(&t->b, k.b + k.first, k.n);
    }

    t->r->cells -= cells;
    cost = dt_rtdm_matrix(t, &k, NULL, depth + 1);

    if (budget - t->r->cells >= DT_RTDM_WORTH) {
        known = dt_index_get(&t->known, pair, DT_RTDM_KNOWN, t->arena);

        if (known != NULL) {
            known->cost = cost;
        }
    }

    return cost;
}


static void
dt_rtdm_same(const dt_align_t *t, uint32_t p, uint32_t q, uint32_t *map)
{
    for (uint32_t i = 0; i < dt_size(&t->a, p); i++) {
        map[p + i] = q + i;
    }
}


/* maps identical children in order, when the cells for matrices have run out
 */
static void
dt_rtdm_greedy(const dt_align_t *t, const dt_kids_t *k, uint32_t *map)
{
    uint32_t j = 0, n = 0;
    const uint32_t *a = k->a + k->first, *b = k->b + k->first;

    for (uint32_t i = 0; i < k->m; i++) {
        /* the search ahead is bounded, so that the time is linear */
        for (n = j; n < k->n && n < j + 64; n++) {
            if (dt_identical(t, a[i], b[n])) {
                dt_rtdm_same(t, a[i], b[n], map);
                j = n + 1;
                break;
            }
        }
    }
}


/* retrieveTemplate for the children of one pair */
static void
dt_rtdm_back(dt_align_t *t, uint32_t p, uint32_t q, uint8_t *ops,
             uint32_t *map)
{
    uint32_t i, j;
    dt_kids_t k;
    const uint32_t *a, *b;

    dt_kids(t, p, q, t->stack, &k);
    a = k.a + k.first;
    b = k.b + k.first;

    for (i = 0; i < k.na; i++) {
        if (i < k.first) {
            dt_rtdm_same(t, k.a[i], k.b[i], map);

        } else if (i >= k.first + k.m) {
            dt_rtdm_same(t, k.a[i], k.b[i - k.m + k.n], map);
        }
    }

    if ((uint64_t) k.m * k.n > DT_RTDM_OPS
        || (uint64_t) k.m * k.n > t->r->cells) {
        dt_rtdm_greedy(t, &k, map);
        return;
    }

    t->r->cells -= (uint64_t) k.m * k.n;
    (void) dt_rtdm_matrix(t, &k, ops, 1);

    for (i = k.m, j = k.n; i && j;) {
        switch (ops[(size_t) (i - 1) * k.n + j - 1]) {

        case DT_DELETE:
            i--;
            break;

        case DT_INSERT:
            j--;
            break;

        case DT_KEEP:
            i--;
            j--;

            if (dt_identical(t, a[i], b[j])) {
                dt_rtdm_same(t, a[i], b[j], map);

            } else {
                map[a[i]] = b[j];
            }

            break;

        default:
            i--;
            j--;
        }
    }
}


static dt_status_t
dt_rtdm_side(dt_align_t *t, dt_side_t *s, const dt_dom_t *dom)
{
    s->dom = dom;
    s->hashes = dt_tree_hashes(dom, t->r->attrs, t->arena);
    s->labels = dt_arena_calloc(t->arena, dom->n, sizeof(uint64_t));

    if (s->hashes == NULL || s->labels == NULL) {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < dom->n; i++) {
        s->labels[i] = dt_tree_label(dom, i, t->r->attrs);
    }

    return DT_OK;
}


static dt_status_t
dt_rtdm_run(dt_align_t *t, uint32_t *map)
{
    uint8_t *ops;
    uint64_t most = 1, cells;
    dt_kids_t k;
    const dt_dom_t *a = t->a.dom, *b = t->b.dom;

    if (dt_identical(t, 0, 0)) {
        dt_rtdm_same(t, 0, 0, map);
        t->r->cost = 0;
        return DT_OK;
    }

    if (t->a.labels[0] != t->b.labels[0]) {
        t->r->cost = (uint64_t) a->n + b->n - 1;
        return DT_OK;
    }

    t->r->cost = dt_rtdm_pair(t, 0, 0, t->stack, 0);
    map[0] = 0;
    ops = NULL;

    /* identical pairs were mapped with their whole subtrees */

    for (uint32_t i = 0; i < a->n; i++) {
        if (map[i] == DT_DOM_NONE || dt_identical(t, i, map[i])) {
            continue;
        }

        dt_kids(t, i, map[i], t->stack, &k);
        cells = (uint64_t) k.m * k.n;

        if (cells <= DT_RTDM_OPS && (ops == NULL || cells > most)) {
            most = cells > 2 * most ? cells : 2 * most;
            most = most > 4096 ? most : 4096;
            ops = dt_arena_alloc(t->arena, (size_t) most);
            if (ops == NULL) {
                return DT_ENOMEM;
            }
        }

        dt_rtdm_back(t, i, map[i], ops, map);
    }

    return DT_OK;
}


dt_status_t
dt_rtdm_map(dt_rtdm_t *r, const dt_dom_t *a, const dt_dom_t *b, uint32_t *map)
{
    dt_align_t t;
    dt_status_t rc = DT_ENOMEM;

    for (uint32_t i = 0; i < a->n; i++) {
        map[i] = DT_DOM_NONE;
    }

    r->cost = (uint64_t) a->n + b->n;

    if (a->n == 0 || b->n == 0) {
        return DT_OK;
    }

    t.r = r;
    t.arena = dt_arena_create(DT_RTDM_SCRATCH);
    if (t.arena == NULL) {
        return DT_ENOMEM;
    }

    /* the lists of children on the way down belong to different nodes, so
       together they have no more than all nodes */
    t.stack = dt_arena_alloc(
        t.arena, ((size_t) a->n + 2 * (size_t) b->n + DT_RTDM_DEPTH + 8)
                     * sizeof(uint32_t));

    if (t.stack != NULL && dt_rtdm_side(&t, &t.a, a) == DT_OK
        && dt_rtdm_side(&t, &t.b, b) == DT_OK
        && dt_index_init(&t.known, sizeof(dt_known_t), t.arena) == DT_OK)
    {
        rc = dt_rtdm_run(&t, map);
    }

    dt_arena_destroy(t.arena);

    return rc;
}


/*
 * FindTemplate (Vieira et al. 2006, section 5, figures 5 and 6).  The template
 * begins as the key page, the first one that is picked.  Each further page
 * removes the nodes that the restricted top-down mapping does not keep, unless
 * all nodes are found (Match).
 *
 * The paper assumes that all pages have the template.  One page of another
 * layout would remove all of it, so here a page counts only when it shares
 * rtdm-share percent of the words that the best quarter of the pages shares
 * with the key page; 0: all pages count.
 *
 * The paper does not define labels.  Here the label of an element is its name,
 * as in the papers that it builds on, and the label of a text is its content,
 * since the paper measures templates by their words.  The option rtdm_attrs
 * adds attributes to names.
 */

static int
dt_words_cmp(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

    return (x < y) - (x > y);
}


/* computes how many words of key are found in each page, 0 for key itself */
static dt_status_t
dt_rtdm_shared(const dt_detect_t *d, const dt_dom_t *key, uint32_t *map,
               uint64_t *shared)
{
    int whole;
    dt_arena_t *work;
    dt_status_t rc = DT_OK;

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        if (d->pages[p] == key) {
            continue;
        }

        work = dt_arena_create(DT_RTDM_SCRATCH);
        rc = work ? dt_rtdm_find(key, d->pages[p], (int) d->o.rtdm_attrs, work,
                                 map, &whole)
                  : DT_ENOMEM;
        dt_arena_destroy(work);

        for (uint32_t i = 0; rc == DT_OK && i < key->n; i++) {
            shared[p] += map[i] != DT_DOM_NONE ? key->nodes[i].words : 0;
        }
    }

    return rc;
}


/* removes the nodes that a page does not have from the template t */
static dt_status_t
dt_rtdm_extract(dt_rtdm_t *r, dt_tree_t *t, const dt_dom_t *page,
                uint32_t *map)
{
    int whole;
    dt_status_t rc;
    dt_arena_t *work = dt_arena_create(DT_RTDM_SCRATCH);

    if (work == NULL) {
        return DT_ENOMEM;
    }

    rc = dt_rtdm_find(&t->dom, page, r->attrs, work, map, &whole);
    dt_arena_destroy(work);

    if (rc == DT_OK && !whole) {
        rc = dt_rtdm_map(r, &t->dom, page, map);

        if (rc == DT_OK) {
            dt_tree_keep(t, map);
        }
    }

    return rc;
}


static dt_status_t
dt_rtdm_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
              uint8_t *out)
{
    uint32_t *map;
    uint64_t *shared, *order, most;
    dt_tree_t t;
    dt_rtdm_t r = { (int) d->o.rtdm_attrs, DT_RTDM_CELLS, 0 };
    dt_status_t rc;

    map = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
    shared = dt_arena_calloc(arena, d->n, sizeof(uint64_t));
    order = dt_arena_calloc(arena, d->n, sizeof(uint64_t));

    if (map == NULL || shared == NULL || order == NULL
        || dt_tree_copy(key, arena, &t) != DT_OK)
    {
        return DT_ENOMEM;
    }

    rc = dt_rtdm_shared(d, key, map, shared);

    memcpy(order, shared, d->n * sizeof(uint64_t));
    qsort(order, d->n, sizeof(uint64_t), dt_words_cmp);
    most = order[d->n / 4];

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        if (d->pages[p] != key && shared[p] * 100 >= most * d->o.rtdm_share) {
            rc = dt_rtdm_extract(&r, &t, d->pages[p], map);
        }
    }

    for (uint32_t i = 0; rc == DT_OK && i < t.dom.n; i++) {
        out[t.places[i]] = 1;
    }

    dt_tree_prune(key, out);

    return rc;
}


const dt_detector_t dt_detector_rtdm_td = {
    "rtdm-td",
    "restricted top-down mapping of a set of pages (Vieira et al. 2006)",
    NULL,
    dt_rtdm_nodes,
};
