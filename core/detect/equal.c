
/*
 * Copyright (C) The detemplate authors
 *
 * The equality of nodes that Alarte et al. leave open in their papers of 2015
 * and settled by experiment in the tool that came with them: same id, else
 * classes, attributes, number of children and place among the siblings.  Taken
 * by the letter, two pages whose bodies differ in the number of children share
 * nothing; pages as flat as that are not rare, so html, head and body are
 * equal to their like.
 */


#include "core/base/hash.h"
#include "core/detect/equal.h"


uint64_t *
dt_equal_says(const dt_dom_t *dom, dt_arena_t *arena)
{
    uint64_t *says;
    const dt_node_t *node;

    says = dt_arena_calloc(arena, dom->n, sizeof(uint64_t));
    if (says == NULL) {
        return NULL;
    }

    for (uint32_t i = dom->n; i-- > 0;) {
        node = &dom->nodes[i];
        says[i] = dt_mix(says[i], dt_mix(node->tag, node->text));

        if (node->parent != DT_DOM_NONE) {
            says[node->parent] = dt_mix(says[node->parent], says[i]);
        }
    }

    return says;
}


/* how many hashes two sorted sets share */
static uint32_t
dt_shared(const uint64_t *a, uint32_t na, const uint64_t *b, uint32_t nb)
{
    uint32_t i = 0, j = 0, n = 0;

    while (i < na && j < nb) {
        if (a[i] == b[j]) {
            i++;
            j++;
            n++;

        } else if (a[i] < b[j]) {
            i++;

        } else {
            j++;
        }
    }

    return n;
}


/* shared / united; none: what two empty sets are worth */
static double
dt_likeness(const uint64_t *a, uint32_t na, const uint64_t *b, uint32_t nb,
            double none)
{
    uint32_t n;

    if (na == 0 && nb == 0) {
        return none;
    }

    n = dt_shared(a, na, b, nb);

    return (double) n / ((double) na + nb - n);
}


/*
 * 1 when y is where x may have got to by the siblings that one page has more
 * than the other; falls to 0 with the distance from there.
 */
static double
dt_place_likeness(const dt_dom_t *key, const dt_dom_t *page,
                  const dt_node_t *x, const dt_node_t *y)
{
    uint32_t n, m, out;
    int64_t shift, room;

    if (x->parent == DT_DOM_NONE || y->parent == DT_DOM_NONE) {
        return 1;
    }

    n = key->nodes[x->parent].nchildren;
    m = page->nodes[y->parent].nchildren;

    shift = (int64_t) y->index - x->index;
    room = (int64_t) m - n;

    if (room < 0) {
        shift = -shift;
        room = -room;
    }

    if (shift < 0) {
        out = (uint32_t) -shift;

    } else {
        out = shift > room ? (uint32_t) (shift - room) : 0;
    }

    return 1 - (double) out / (n > m ? n : m);
}


double
dt_equal_rank(const dt_dom_t *key, const dt_dom_t *page, uint32_t a,
              uint32_t b)
{
    const dt_node_t *x = &key->nodes[a], *y = &page->nodes[b];
    const uint64_t *p = key->hashes, *q = page->hashes;
    double class, attrs, place, children;

    if (x->tag != y->tag || x->kind != y->kind) {
        return 0;
    }

    /* a page has one html, one head and one body: they need no id */
    if (x->depth <= 1 || (x->id != 0 && x->id == y->id)) {
        return 4;
    }

    class = dt_likeness(p + x->classes, x->nclasses, q + y->classes,
                        y->nclasses, 1);
    attrs =
        dt_likeness(p + x->attrs, x->nattrs, q + y->attrs, y->nattrs, 0.75);
    place = dt_place_likeness(key, page, x, y);

    if (class == 1 && attrs == 1) {
        return place == 1 ? 3 : 2;
    }

    children = 1;

    if (x->nchildren < y->nchildren) {
        children = (double) x->nchildren / y->nchildren;

    } else if (x->nchildren > y->nchildren) {
        children = (double) y->nchildren / x->nchildren;
    }

    return 0.1 * class + 0.4 * place + 0.5 * children;
}
