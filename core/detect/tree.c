
/*
 * Copyright (C) The detemplate authors
 */


#include "core/detect/tree.h"
#include "core/base/hash.h"


dt_status_t
dt_tree_copy(const dt_dom_t *key, dt_arena_t *arena, dt_tree_t *out)
{
    out->dom = *key;
    out->dom.nodes = dt_arena_calloc(arena, key->n, sizeof(dt_node_t));
    out->places = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
    out->at = dt_arena_calloc(arena, key->n, sizeof(uint32_t));

    if (out->dom.nodes == NULL || out->places == NULL || out->at == NULL) {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < key->n; i++) {
        out->dom.nodes[i] = key->nodes[i];
        out->places[i] = i;
    }

    return DT_OK;
}


void
dt_tree_keep(dt_tree_t *t, const uint32_t *map)
{
    dt_node_t *node;
    dt_dom_t *dom = &t->dom;
    uint32_t n = 0;

    /* the parent of a kept node is kept too, and precedes it, so its index in
       the new array is known */
    for (uint32_t i = 0; i < dom->n; i++) {
        if (map[i] == DT_DOM_NONE) {
            continue;
        }

        t->at[i] = n;
        node = &dom->nodes[n];
        *node = dom->nodes[i];
        node->nchildren = 0;
        node->next = n + 1;
        t->places[n] = t->places[i];

        if (node->parent != DT_DOM_NONE) {
            node->parent = t->at[node->parent];
            node->index = dom->nodes[node->parent].nchildren++;
        }

        n++;
    }

    dom->n = n;

    for (uint32_t i = n; i-- > 1;) {
        node = &dom->nodes[dom->nodes[i].parent];

        if (node->next < dom->nodes[i].next) {
            node->next = dom->nodes[i].next;
        }
    }
}


uint64_t
dt_tree_label(const dt_dom_t *dom, uint32_t i, int attrs)
{
    const dt_node_t *node = &dom->nodes[i];
    uint64_t h = dt_mix(node->tag, node->text);

    if (attrs && node->kind == DT_NODE_ELEMENT) {
        h = dt_mix(h, node->id);

        for (uint32_t k = 0; k < node->nclasses; k++) {
            h = dt_mix(h, dom->hashes[node->classes + k]);
        }

        h = dt_mix(h, node->nclasses);

        for (uint32_t k = 0; k < node->nattrs; k++) {
            h = dt_mix(h, dom->hashes[node->attrs + k]);
        }
    }

    return h;
}


uint64_t *
dt_tree_hashes(const dt_dom_t *dom, int attrs, dt_arena_t *arena)
{
    uint64_t *hashes;
    uint32_t up;

    hashes = dt_arena_calloc(arena, dom->n, sizeof(uint64_t));
    if (hashes == NULL) {
        return NULL;
    }

    for (uint32_t i = dom->n; i-- > 0;) {
        hashes[i] = dt_mix(hashes[i], dt_tree_label(dom, i, attrs));
        up = dom->nodes[i].parent;

        if (up != DT_DOM_NONE) {
            /* plus 1, so that an element with one leaf does not hash like the
             * leaf */
            hashes[up] = dt_mix(hashes[up] + 1, hashes[i]);
        }
    }

    return hashes;
}


void
dt_tree_close(const dt_dom_t *dom, uint8_t *out)
{
    const dt_node_t *node;

    /* bits for the leaves below: 1: some are template, 2: some are not */
    for (uint32_t i = 0; i < dom->n; i++) {
        if (dom->nodes[i].nchildren) {
            out[i] = 0;

        } else {
            out[i] = out[i] == DT_TREE_OPEN ? 0 : out[i] ? 1 : 2;
        }
    }

    for (uint32_t i = dom->n; i-- > 1;) {
        out[dom->nodes[i].parent] |= out[i];
    }

    for (uint32_t i = 0; i < dom->n; i++) {
        node = &dom->nodes[i];
        out[i] = out[i] == 1
                 || (out[i] == 0 && node->parent != DT_DOM_NONE
                     && out[node->parent]);
    }
}


void
dt_tree_prune(const dt_dom_t *dom, uint8_t *out)
{
    const dt_node_t *node;

    /* bits beside the mark: 2: there are words below, 4: words of template */
    for (uint32_t i = dom->n; i-- > 0;) {
        node = &dom->nodes[i];

        if (node->words) {
            out[i] |= out[i] ? 6 : 2;
        }

        if (i) {
            out[node->parent] |= out[i] & 6;
        }
    }

    for (uint32_t i = 0; i < dom->n; i++) {
        node = &dom->nodes[i];
        out[i] =
            (out[i] & 1)
            && (out[i] & 2 ? (out[i] & 4) != 0 : i == 0 || out[node->parent]);
    }
}


/*
 * The equality of nodes, which both papers of Alarte et al. 2015 leave open on
 * purpose (site-level, section 3.3, definition 1): "the only parameter that is
 * subjective".  Their tool compares ids, else classes, attributes, the number
 * of children and the position among the siblings; the options weigh these.
 *
 * Two things are not as in the tool.  Taken literally, two pages whose bodies
 * have different numbers of children share nothing.  Such flat pages are
 * common, so here html, head and body always equal each other.  And for the
 * tool two elements without attributes are alike by 0.75 only, so that the
 * only <td class="x"> of a row never equals itself; see equal_attributes.
 */

/* returns how many hashes two sorted sets share */
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


/* returns |shared| / |union|; none is the value for two empty sets */
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
 * Returns 1 when the siblings that one page has in addition can explain the
 * position of y; otherwise less, down to 0, by the distance from there.
 * Neither is the root of its page.
 */
static double
dt_position_likeness(const dt_dom_t *key, const dt_dom_t *page,
                     const dt_node_t *x, const dt_node_t *y)
{
    uint32_t n, m, out;
    int64_t shift, room;

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
dt_equal_rank(const dt_detect_opts_t *o, const dt_dom_t *key,
              const dt_dom_t *page, uint32_t a, uint32_t b)
{
    const dt_node_t *x = &key->nodes[a], *y = &page->nodes[b];
    const uint64_t *p = key->hashes, *q = page->hashes;
    double class, attrs, position, children;

    if (x->tag != y->tag || x->kind != y->kind) {
        return 0;
    }

    /* a page has one html, one head and one body, so they need no id */
    if (x->depth <= 1 || (x->id != 0 && x->id == y->id)) {
        return 4;
    }

    class = dt_likeness(p + x->classes, x->nclasses, q + y->classes,
                        y->nclasses, 1);
    attrs = dt_likeness(p + x->attrs, x->nattrs, q + y->attrs, y->nattrs,
                        o->equal_attributes / 100.0);
    position = dt_position_likeness(key, page, x, y);

    if (class == 1 && attrs == 1) {
        return position == 1 ? 3 : 2;
    }

    children = 1;

    if (x->nchildren < y->nchildren) {
        children = (double) x->nchildren / y->nchildren;

    } else if (x->nchildren > y->nchildren) {
        children = (double) y->nchildren / x->nchildren;
    }

    return (o->equal_class * class + o->equal_position * position
            + o->equal_children * children)
           / 100;
}
