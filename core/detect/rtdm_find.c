
/*
 * Copyright (C) The detemplate authors
 *
 * Finds a template in a page.  Vieira et al. 2006, section 5, say that it
 * takes linear time, but not how.  Here the children of a node that was found
 * are searched among the children of the node where it was found.  Children
 * with identical subtrees are mapped first, in their order.  Between two of
 * those, each child is mapped to the next one with the same label.
 */


#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/detect/rtdm.h"
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
