
/*
 * Copyright (C) The detemplate authors
 *
 * The site style tree (Yi, Liu and Li, "Eliminating Noisy Information in Web
 * Pages for Data Mining", KDD 2003; as described there and in papers that
 * quote it).  Pages are merged from the root down.  An element node is a tag
 * at a position.  Below it is one style node for each different sequence of
 * children that pages have there, with the number of those pages.
 *
 *     body 4 --- [ul div] 3 --- ul 3 --- [li li] 3 ...
 *            \                  div 3 --- [h1 p] 2 ...
 *             \                       \-- [h1 table] 1 ...
 *              \ [table] 1 --- table 1 ...
 *
 * A node where all pages have one style and the same words carries no
 * information.  The importance of a node is the entropy of its l styles, to
 * the base of its number of pages m, mixed with the importance of the nodes
 * below, as (1 - g^l) : g^l with g = 0.9.  The importance of a leaf is 1 minus
 * the mean entropy of its words over the pages, or 1 when only one page has
 * it.  A node is noise when it and all nodes below it are less important than
 * a threshold.
 *
 * The tree is of all pages of a collection, so the key page is in it too: else
 * nothing is known below a sequence of children that only the key page has.
 *
 * Some choices are left open.  In the paper a tag includes its display
 * attributes, which today's pages do not have.  With classes instead
 * (sst-classes) most of the template is missed, so here only the tag counts.
 * Elements that show nothing (scripts, styles, metadata) are no part of a
 * style: that a page has one script more is not another presentation.  The
 * features are words of texts and attributes of other leaves; a leaf without
 * any carries no information.  The authors chose the threshold for each site;
 * here it is sst-threshold, in percent.
 */


#include <math.h>
#include <stdlib.h>

#include "core/detect/sst.h"
#include "core/base/index.h"
#include "core/detect/tree.h"


#define DT_SST_GAMMA 0.9
#define DT_SST_WORDS (1u << 22) /* features; more texts count as a whole */


/* an element node */
typedef struct {
    uint32_t pages;
    uint32_t styles; /* the last style node, from 1; 0: none */
    uint32_t nstyles;
    double importance;
    double most; /* greatest importance of it and of all below it */
} dt_sst_elt_t;

typedef struct {
    uint64_t key; /* hash of the element node and the sequence of children */
    uint32_t pages;
    uint32_t elts; /* the first of its element nodes */
    uint32_t n;    /* number of those */
    uint32_t next; /* the style node before, of the same element node */
} dt_style_t;

typedef struct {
    uint32_t elt;
    uint32_t page;
    uint64_t value;
} dt_feature_t;


struct dt_sst_s {
    dt_sst_elt_t *elts;
    uint32_t n;
    dt_index_t styles;
    dt_feature_t *features;
    size_t nfeatures;
    size_t max;
    unsigned classes;
};


static uint64_t
dt_sst_tag(const dt_sst_t *t, const dt_dom_t *dom, uint32_t i)
{
    const dt_node_t *node = &dom->nodes[i];
    uint64_t h = node->tag;

    for (uint32_t k = 0; t->classes && k < node->nclasses; k++) {
        h = dt_mix(h, dom->hashes[node->classes + k]);
    }

    return h;
}


/* metadata content in HTML's sense; it is no part of a style */
static const char *const dt_sst_hidden[] = {
    "script", "style", "noscript", "template", "link",
    "meta",   "base",  "title",    NULL,
};


static int
dt_sst_shown(const dt_node_t *node)
{
    return !dt_str_among(node->name, dt_sst_hidden);
}


/* returns the key of the style of node i below an element node */
static uint64_t
dt_sst_key(const dt_sst_t *t, const dt_dom_t *dom, uint32_t i, uint32_t elt)
{
    uint64_t h = elt + 1;

    for (uint32_t k = i + 1; k < dom->nodes[i].next; k = dom->nodes[k].next) {
        if (dt_sst_shown(&dom->nodes[k])) {
            h = dt_mix(h, dt_sst_tag(t, dom, k) + 1);
        }
    }

    return h;
}


/* sets elts of the children of node i, which has that style, to the number of
   their element node plus 1; returns how many children the style has */
static uint32_t
dt_sst_below(const dt_style_t *style, const dt_dom_t *dom, uint32_t i,
             uint32_t *elts)
{
    uint32_t n = 0;

    for (uint32_t k = i + 1; k < dom->nodes[i].next; k = dom->nodes[k].next) {
        elts[k] = dt_sst_shown(&dom->nodes[k]) ? style->elts + ++n : 0;
    }

    return n;
}


static void
dt_sst_feature(dt_sst_t *t, uint32_t elt, uint32_t page, uint64_t value)
{
    if (t->nfeatures < t->max) {
        t->features[t->nfeatures++] = (dt_feature_t){ elt, page, value };
    }
}


/* collects the features of a leaf */
static void
dt_sst_leaf(dt_sst_t *t, const dt_dom_t *dom, uint32_t i, uint32_t elt,
            uint32_t page)
{
    uint32_t at = 0;
    uint64_t word;
    const dt_node_t *node = &dom->nodes[i];

    if (node->kind == DT_NODE_ELEMENT) {
        for (uint32_t k = 0; k < node->nattrs; k++) {
            dt_sst_feature(t, elt, page, dom->hashes[node->attrs + k]);
        }

        return;
    }

    if (t->nfeatures + node->words > DT_SST_WORDS) {
        dt_sst_feature(t, elt, page, node->text);
        return;
    }

    while (dt_words_next(dom, i, &at, &word)) {
        dt_sst_feature(t, elt, page, word);
    }
}


static dt_status_t
dt_sst_add(dt_sst_t *t, const dt_dom_t *dom, uint32_t page, dt_arena_t *arena)
{
    uint32_t elt, n, *elts;
    uint64_t key;
    dt_style_t *style;

    elts = dt_arena_calloc(arena, dom->n + 1, sizeof(uint32_t));
    if (elts == NULL) {
        return DT_ENOMEM;
    }

    elts[0] = 1;

    for (uint32_t i = 0; i < dom->n; i++) {
        if (elts[i] == 0) {
            continue;
        }

        elt = elts[i] - 1;
        t->elts[elt].pages++;

        if (dom->nodes[i].nchildren == 0) {
            dt_sst_leaf(t, dom, i, elt, page);
            continue;
        }

        key = dt_sst_key(t, dom, i, elt);
        n = t->styles.n;

        style = dt_index_get(&t->styles, key, UINT32_MAX, arena);
        if (style == NULL) {
            return DT_ENOMEM;
        }

        if (t->styles.n > n) {
            style->elts = t->n;
            style->n = dt_sst_below(style, dom, i, elts);
            style->next = t->elts[elt].styles;
            t->elts[elt].styles = t->styles.n;
            t->elts[elt].nstyles++;
            t->n += style->n;

        } else {
            (void) dt_sst_below(style, dom, i, elts);
        }

        style->pages++;
    }

    return DT_OK;
}


static int
dt_feature_cmp(const void *a, const void *b)
{
    const dt_feature_t *x = a, *y = b;

    if (x->elt != y->elt) {
        return x->elt < y->elt ? -1 : 1;
    }

    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }

    return (x->page > y->page) - (x->page < y->page);
}


/* returns one term of an entropy to the base m */
static double
dt_entropy(double p, uint32_t m)
{
    return p > 0 && m > 1 ? -p * log(p) / log(m) : 0;
}


/* sets the importance of leaves with features: 1 minus their mean entropy */
static void
dt_sst_leaves(dt_sst_t *t)
{
    size_t i, j, k, next;
    double sum;
    uint32_t n;
    const dt_feature_t *f = t->features;
    dt_sst_elt_t *elt;

    qsort(t->features, t->nfeatures, sizeof(dt_feature_t), dt_feature_cmp);

    for (i = 0; i < t->nfeatures; i = next) {
        elt = &t->elts[f[i].elt];
        sum = 0;
        n = 0;

        for (next = i; next < t->nfeatures && f[next].elt == f[i].elt;
             next = j) {
            for (j = next; j < t->nfeatures && f[j].elt == f[i].elt
                           && f[j].value == f[next].value;
                 j++)
            {
                /* void */
            }

            /* the occurrences on one page, among those on all pages */
            for (size_t from = next; from < j; from = k) {
                for (k = from; k < j && f[k].page == f[from].page; k++) {
                    /* void */
                }

                sum += dt_entropy((double) (k - from) / (double) (j - next),
                                  elt->pages);
            }

            n++;
        }

        elt->importance = 1 - sum / n;
    }
}


/* sets the importance of an element node with styles; it needs that of the
   nodes below */
static void
dt_sst_inner(dt_sst_t *t, dt_sst_elt_t *elt)
{
    double entropy = 0, below = 0, mean, p, weight;
    const dt_style_t *s;
    uint32_t with = 0;

    for (uint32_t i = elt->styles; i; i = s->next) {
        s = dt_index_elt(&t->styles, i - 1);
        with += s->pages;
    }

    for (uint32_t i = elt->styles; i; i = s->next) {
        s = dt_index_elt(&t->styles, i - 1);
        p = (double) s->pages / with;
        entropy += dt_entropy(p, elt->pages);
        mean = 0;

        for (uint32_t k = 0; k < s->n; k++) {
            mean += t->elts[s->elts + k].importance / s->n;

            if (t->elts[s->elts + k].most > elt->most) {
                elt->most = t->elts[s->elts + k].most;
            }
        }

        below += p * mean;
    }

    weight = pow(DT_SST_GAMMA, elt->nstyles);
    entropy = elt->pages > 1 ? entropy : 1;
    elt->importance = (1 - weight) * entropy + weight * below;
}


dt_status_t
dt_sst_make(const dt_dom_t *const *pages, size_t n, const dt_detect_opts_t *o,
            dt_arena_t *arena, dt_sst_t **out)
{
    dt_sst_t *t;
    dt_status_t rc;
    size_t nodes = 1, values = 0;

    for (size_t p = 0; p < n; p++) {
        nodes += pages[p]->n;

        for (uint32_t i = 0; i < pages[p]->n; i++) {
            /* at most this many words: white space separates them */
            values += pages[p]->nodes[i].nattrs + pages[p]->nodes[i].words + 1;
        }
    }

    t = dt_arena_calloc(arena, 1, sizeof(dt_sst_t));
    if (t == NULL) {
        return DT_ENOMEM;
    }

    t->classes = o->sst_classes;
    t->max = values < 2 * DT_SST_WORDS ? values : 2 * DT_SST_WORDS;
    t->elts = dt_arena_calloc(arena, nodes, sizeof(dt_sst_elt_t));
    t->features = dt_arena_alloc(arena, t->max * sizeof(dt_feature_t));
    t->n = 1;

    if (t->elts == NULL || t->features == NULL
        || dt_index_init(&t->styles, sizeof(dt_style_t), arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < n; p++) {
        rc = dt_sst_add(t, pages[p], (uint32_t) p, arena);
        if (rc != DT_OK) {
            return rc;
        }
    }

    dt_sst_leaves(t);

    /* an element node comes behind the one that it is below */
    for (uint32_t i = t->n; i-- > 0;) {
        if (t->elts[i].styles) {
            dt_sst_inner(t, &t->elts[i]);

        } else if (t->elts[i].pages == 1) {
            t->elts[i].importance = 1;
        }

        if (t->elts[i].importance > t->elts[i].most) {
            t->elts[i].most = t->elts[i].importance;
        }
    }

    *out = t;

    return DT_OK;
}


/* returns for each node of dom the number of its element node plus 1, or 0 */
static uint32_t *
dt_sst_map(const dt_sst_t *t, const dt_dom_t *dom, dt_arena_t *arena)
{
    uint32_t *elts;
    const dt_style_t *style;

    elts = dt_arena_calloc(arena, dom->n + 1, sizeof(uint32_t));
    if (elts == NULL) {
        return NULL;
    }

    elts[0] = 1;

    for (uint32_t i = 0; i < dom->n; i++) {
        if (elts[i] == 0 || dom->nodes[i].nchildren == 0) {
            continue;
        }

        style = dt_index_find(&t->styles, dt_sst_key(t, dom, i, elts[i] - 1));
        if (style != NULL) {
            (void) dt_sst_below(style, dom, i, elts);
        }
    }

    return elts;
}


double
dt_sst_importance(const dt_sst_t *t, const dt_dom_t *dom, uint32_t i,
                  dt_arena_t *arena)
{
    uint32_t *elts = dt_sst_map(t, dom, arena);

    return elts && elts[i] ? t->elts[elts[i] - 1].importance : -1;
}


static dt_status_t
dt_sst_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
             uint8_t *out)
{
    size_t n = d->n;
    uint32_t *elts;
    dt_sst_t *t;
    dt_status_t rc;
    const dt_dom_t **pages;

    pages = dt_arena_calloc(arena, d->n + 1, sizeof(dt_dom_t *));
    if (pages == NULL) {
        return DT_ENOMEM;
    }

    memcpy(pages, d->pages, d->n * sizeof(dt_dom_t *));

    if (!dt_detect_has(d, key)) {
        pages[n++] = key;
    }

    rc = dt_sst_make(pages, n, &d->o, arena, &t);
    if (rc != DT_OK) {
        return rc;
    }

    elts = dt_sst_map(t, key, arena);
    if (elts == NULL) {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < key->n; i++) {
        out[i] = (i && out[key->nodes[i].parent])
                 || (elts[i]
                     && t->elts[elts[i] - 1].most * 100 < d->o.sst_threshold);
    }

    return DT_OK;
}


const dt_detector_t dt_detector_sst = {
    "site-style-tree",
    "noise by entropy in a tree of styles (Yi et al. 2003)",
    NULL,
    dt_sst_nodes,
};
