
/*
 * Copyright (C) The detemplate authors
 *
 * The equal top-down mapping of Alarte, Insa, Silva and Tamarit ("Analysis of
 * Hyperlinks and DOM Comparison for Site-Level Web Template Extraction",
 * 2015, section 3.3), with votes: a node is template when it is mapped in
 * enough candidates.  Their Algorithm 1 unites the mappings of every choice
 * of v candidates.  Counting how many candidates map a node is the same where
 * the equality of nodes is transitive.  It is not, but of the nodes that are
 * found on 66 sites, 0.14 % have no v candidates in which they, and those
 * above them, also equal each other.
 *
 * Their equality of elements is the one of their tool (see tree.c).  Texts are
 * equal when they have the same content: the tool pairs them only by their
 * position, so that each heading of a page counts as template.  Among pairs of
 * siblings with equal ranks, pairs with the same content come first, then
 * pairs with closer positions: the method leaves this choice open.
 *
 * The published recursion compares every child with every child.  Here the
 * children of a mapped pair are paired by id first, then within one tag.  A
 * tag with more than DT_ETDM_PAIRS pairs first pairs children with the same
 * content, in order.  It searches the others within DT_ETDM_NEAR positions,
 * counted from the first and from the last.  Preorder replaces the recursion.
 */


#include <stdlib.h>

#include "core/detect/etdm.h"
#include "core/base/hash.h"
#include "core/detect/detect.h"
#include "core/detect/tree.h"


#define DT_ETDM_PAIRS 4096
#define DT_ETDM_NEAR 4


typedef struct {
    uint64_t value; /* equal in a pair: id, tag, text, content */
    uint32_t node;
} dt_item_t;


typedef struct {
    double rank;
    int same;     /* the subtrees have the same content */
    uint32_t far; /* difference of positions */
    uint32_t a;
    uint32_t b;
} dt_pair_t;


typedef struct {
    const dt_detect_opts_t *o;
    const dt_dom_t *key;
    const dt_dom_t *page;
    uint64_t *key_hash; /* for each node: hash of the subtree's content */
    uint64_t *page_hash;
    uint32_t *map;
    uint8_t *taken; /* nodes of page that are mapped */

    dt_item_t *a; /* children being paired */
    dt_item_t *b;
    uint32_t na;
    uint32_t nb;
    dt_pair_t *pairs;
} dt_etdm_t;


static void
dt_map_pair(dt_etdm_t *e, uint32_t a, uint32_t b)
{
    e->map[a] = b;
    e->taken[b] = 1;
}


static int
dt_item_cmp(const void *a, const void *b)
{
    const dt_item_t *x = a, *y = b;

    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }

    return (x->node > y->node) - (x->node < y->node);
}


static int
dt_pair_cmp(const void *a, const void *b)
{
    const dt_pair_t *x = a, *y = b;

    if (x->rank != y->rank) {
        return x->rank > y->rank ? -1 : 1;
    }

    if (x->same != y->same) {
        return y->same - x->same;
    }

    if (x->far != y->far) {
        return x->far < y->far ? -1 : 1;
    }

    if (x->a != y->a) {
        return x->a < y->a ? -1 : 1;
    }

    return (x->b > y->b) - (x->b < y->b);
}


/* returns the value that two children must share; 0: the node is left out */
typedef uint64_t (*dt_value_pt)(const dt_node_t *node, uint64_t content);


static uint64_t
dt_value_id(const dt_node_t *node, uint64_t content)
{
    (void) content;

    return node->id ? dt_mix(node->tag, node->id) : 0;
}


static uint64_t
dt_value_text(const dt_node_t *node, uint64_t content)
{
    (void) content;

    return node->kind == DT_NODE_TEXT ? node->text : 0;
}


static uint64_t
dt_value_tag(const dt_node_t *node, uint64_t content)
{
    (void) content;

    return node->tag;
}


static uint64_t
dt_value_content(const dt_node_t *node, uint64_t content)
{
    return node->tag ? content : 0;
}


/* returns the unpaired children of parent that have a value, sorted by it */
static uint32_t
dt_collect(const dt_dom_t *dom, uint32_t parent, const uint64_t *content,
           dt_value_pt value, const uint32_t *map, const uint8_t *taken,
           dt_item_t *items)
{
    uint32_t end = dom->nodes[parent].next, n = 0;

    for (uint32_t i = parent + 1; i < end; i = dom->nodes[i].next) {
        if (map ? map[i] != DT_DOM_NONE : taken[i]) {
            continue;
        }

        items[n].node = i;
        items[n].value = value(&dom->nodes[i], content[i]);
        n += items[n].value != 0;
    }

    qsort(items, n, sizeof(dt_item_t), dt_item_cmp);

    return n;
}


static void
dt_collect_both(dt_etdm_t *e, uint32_t i, dt_value_pt value)
{
    e->na = dt_collect(e->key, i, e->key_hash, value, e->map, NULL, e->a);
    e->nb = dt_collect(e->page, e->map[i], e->page_hash, value, NULL, e->taken,
                       e->b);
}


/* pairs children with the same value: the first with the first, and so on */
static void
dt_pair_same(dt_etdm_t *e, uint32_t parent, dt_value_pt value, int check)
{
    uint32_t i = 0, j = 0;

    dt_collect_both(e, parent, value);

    while (i < e->na && j < e->nb) {
        if (e->a[i].value < e->b[j].value) {
            i++;

        } else if (e->a[i].value > e->b[j].value) {
            j++;

        } else {
            if (!check
                || dt_equal(e->o, dt_equal_rank(e->o, e->key, e->page,
                                                e->a[i].node, e->b[j].node)))
            {
                dt_map_pair(e, e->a[i].node, e->b[j].node);
            }

            i++;
            j++;
        }
    }
}


static int
dt_make_pair(const dt_etdm_t *e, uint32_t a, uint32_t b, dt_pair_t *out)
{
    uint32_t i = e->key->nodes[a].index, j = e->page->nodes[b].index;

    out->rank = dt_equal_rank(e->o, e->key, e->page, a, b);
    out->same = e->key_hash[a] == e->page_hash[b];
    out->far = i > j ? i - j : j - i;
    out->a = a;
    out->b = b;

    return dt_equal(e->o, out->rank);
}


/* compares all with all, and pairs the best, then the best of the rest */
static void
dt_pair_all(dt_etdm_t *e, const dt_item_t *a, uint32_t na, const dt_item_t *b,
            uint32_t nb)
{
    const dt_pair_t *p;
    uint32_t n = 0;

    for (uint32_t i = 0; i < na; i++) {
        for (uint32_t j = 0; j < nb; j++) {
            n +=
                (uint32_t) dt_make_pair(e, a[i].node, b[j].node, &e->pairs[n]);
        }
    }

    qsort(e->pairs, n, sizeof(dt_pair_t), dt_pair_cmp);

    for (uint32_t i = 0; i < n; i++) {
        p = &e->pairs[i];

        if (e->map[p->a] == DT_DOM_NONE && !e->taken[p->b]) {
            dt_map_pair(e, p->a, p->b);
        }
    }
}


/* pairs each child of a large tag with the best one around its position */
static void
dt_pair_near(dt_etdm_t *e, const dt_item_t *a, uint32_t na, const dt_item_t *b,
             uint32_t nb)
{
    int64_t at, from[2];
    dt_pair_t best, pair;
    int found;

    for (uint32_t i = 0; i < na; i++) {
        found = 0;
        from[0] = (int64_t) i - DT_ETDM_NEAR;
        from[1] = from[0] + nb - na;

        for (int k = 0; k < 2 * (2 * DT_ETDM_NEAR + 1); k++) {
            at = from[k & 1] + k / 2;

            if (at >= 0 && at < nb && !e->taken[b[at].node]
                && dt_make_pair(e, a[i].node, b[at].node, &pair)
                && (!found || dt_pair_cmp(&pair, &best) < 0))
            {
                best = pair;
                found = 1;
            }
        }

        if (found) {
            dt_map_pair(e, best.a, best.b);
        }
    }
}


static uint32_t
dt_group_end(const dt_item_t *items, uint32_t i, uint32_t n)
{
    uint64_t value = items[i].value;

    while (i < n && items[i].value == value) {
        i++;
    }

    return i;
}


/*
 * Pairs the children of one tag after the other.  With wide 0, it pairs tags
 * with few pairs, and returns whether others remain; with wide 1, all.
 */
static int
dt_pair_tags(dt_etdm_t *e, uint32_t parent, int wide)
{
    uint32_t i = 0, j = 0, i_end, j_end;
    int postponed = 0;

    dt_collect_both(e, parent, dt_value_tag);

    while (i < e->na && j < e->nb) {
        i_end = dt_group_end(e->a, i, e->na);
        j_end = dt_group_end(e->b, j, e->nb);

        if (e->a[i].value < e->b[j].value) {
            i = i_end;
            continue;
        }

        if (e->a[i].value > e->b[j].value) {
            j = j_end;
            continue;
        }

        if ((uint64_t) (i_end - i) * (j_end - j) <= DT_ETDM_PAIRS) {
            dt_pair_all(e, e->a + i, i_end - i, e->b + j, j_end - j);

        } else if (wide) {
            dt_pair_near(e, e->a + i, i_end - i, e->b + j, j_end - j);

        } else {
            postponed = 1;
        }

        i = i_end;
        j = j_end;
    }

    return postponed;
}


static void
dt_pair_children(dt_etdm_t *e, uint32_t parent)
{
    dt_pair_same(e, parent, dt_value_id, 0);
    dt_pair_same(e, parent, dt_value_text, 0);

    if (dt_pair_tags(e, parent, 0)) {
        dt_pair_same(e, parent, dt_value_content, 1);
        dt_pair_tags(e, parent, 1);
    }
}


static uint32_t
dt_widest(const dt_dom_t *dom)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < dom->n; i++) {
        n = dom->nodes[i].nchildren > n ? dom->nodes[i].nchildren : n;
    }

    return n;
}


dt_status_t
dt_etdm_map(const dt_detect_opts_t *o, const dt_dom_t *key,
            const dt_dom_t *page, dt_arena_t *arena, uint32_t *map, int *full)
{
    dt_etdm_t e = { .o = o, .key = key, .page = page, .map = map };
    uint32_t mapped = 0;

    *full = 0;

    for (uint32_t i = 0; i < key->n; i++) {
        map[i] = DT_DOM_NONE;
    }

    e.key_hash = dt_tree_hashes(key, 0, arena);
    e.page_hash = dt_tree_hashes(page, 0, arena);
    e.taken = dt_arena_calloc(arena, page->n, 1);
    /* one more, since an item is written before it is counted */
    e.a = dt_arena_calloc(arena, dt_widest(key) + 1, sizeof(dt_item_t));
    e.b = dt_arena_calloc(arena, dt_widest(page) + 1, sizeof(dt_item_t));
    e.pairs = dt_arena_calloc(arena, DT_ETDM_PAIRS + 1, sizeof(dt_pair_t));

    if (!e.key_hash || !e.page_hash || !e.taken || !e.a || !e.b || !e.pairs) {
        return DT_ENOMEM;
    }

    if (dt_equal(o, dt_equal_rank(o, key, page, key->root, page->root))) {
        dt_map_pair(&e, key->root, page->root);
    }

    for (uint32_t i = 0; i < key->n; i++) {
        if (map[i] != DT_DOM_NONE) {
            mapped++;

            if (key->nodes[i].nchildren && page->nodes[map[i]].nchildren) {
                dt_pair_children(&e, i);
            }
        }
    }

    *full = mapped == key->n;

    return DT_OK;
}


/*
 * Returns how many of n pages must map a node: the best v of table 2 (site
 * level, section 4.1) where the option does not name one.  Fewer pages than
 * votes must all agree.
 */
static size_t
dt_etdm_votes(const dt_detect_t *d, size_t n)
{
    static const unsigned best[] = { 1, 1, 1, 2, 3, 3, 3, 3 };

    if (d->o.votes) {
        return d->o.votes < n || n == 0 ? d->o.votes : n;
    }

    return n < sizeof(best) / sizeof(best[0]) ? best[n] : 4;
}


static dt_status_t
dt_etdm(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
        uint8_t *out)
{
    int full;
    size_t need, n = 0, copies = 0;
    uint32_t *map, *votes;
    dt_status_t rc;

    map = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
    votes = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
    if (map == NULL || votes == NULL) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n; p++) {
        if (d->pages[p] == key) {
            continue;
        }

        rc = dt_etdm_map(&d->o, key, d->pages[p], arena, map, &full);
        if (rc != DT_OK) {
            return rc;
        }

        n++;
        copies += full != 0;

        for (uint32_t i = 0; i < key->n; i++) {
            votes[i] += map[i] != DT_DOM_NONE;
        }
    }

    /* copies of the key page do not vote */
    need = dt_etdm_votes(d, n) + copies;

    for (uint32_t i = 0; i < key->n; i++) {
        out[i] = votes[i] >= need;
    }

    dt_tree_prune(key, out);

    return DT_OK;
}


const dt_detector_t dt_detector_etdm = {
    "etdm",
    "equal top-down mapping with votes (Alarte et al. 2015)",
    NULL,
    dt_etdm,
};


/*
 * The sequential form of the equal top-down mapping (Alarte, Insa, Silva and
 * Tamarit, "Web Template Extraction Based on Hyperlink Analysis", 2015,
 * section 4.2, Algorithm 2).  The template begins as the key page, and each
 * candidate removes the nodes that it does not map.  Positions and counts of
 * siblings are those of the template at that time, so the order of the
 * candidates matters, as in the paper.  One thing is stricter: a candidate
 * whose root is not equal removes everything, instead of being skipped.
 */

static dt_status_t
dt_etdm_all(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
            uint8_t *out)
{
    int full;
    uint32_t *map;
    dt_tree_t t;
    dt_status_t rc;

    map = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
    if (map == NULL || dt_tree_copy(key, arena, &t) != DT_OK) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n; p++) {
        if (d->pages[p] == key) {
            continue;
        }

        rc = dt_etdm_map(&d->o, &t.dom, d->pages[p], arena, map, &full);
        if (rc != DT_OK) {
            return rc;
        }

        dt_tree_keep(&t, map);
    }

    for (uint32_t i = 0; i < t.dom.n; i++) {
        out[t.places[i]] = 1;
    }

    return DT_OK;
}


const dt_detector_t dt_detector_etdm_all = {
    "etdm-all",
    "equal top-down mapping, all candidates in turn (Alarte et al. 2015)",
    NULL,
    dt_etdm_all,
};
