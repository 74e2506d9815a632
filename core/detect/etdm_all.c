
/*
 * Copyright (C) The detemplate authors
 *
 * The sequential form of the equal top-down mapping (Alarte, Insa, Silva and
 * Tamarit, "Web Template Extraction Based on Hyperlink Analysis", 2015,
 * section 4.2, Algorithm 2): the template begins as the key page, and each
 * candidate leaves of it what it maps.  Places and counts of siblings are
 * those of the template as it is by then, so the order of the candidates
 * matters, as it does there.  One thing is stricter: a candidate whose root
 * is not equal leaves nothing instead of being passed over.
 */


#include "core/detect/detect.h"


/* the nodes of dom that are mapped, as a tree; places in key go along */
static void
dt_refine(dt_dom_t *dom, const uint32_t *map, uint32_t *places, uint32_t *at)
{
    dt_node_t *node;
    uint32_t n = 0;

    /* top-down: the parent of a node that stays stays, and is in place */
    for (uint32_t i = 0; i < dom->n; i++) {
        if (map[i] == DT_DOM_NONE) {
            continue;
        }

        at[i] = n;
        node = &dom->nodes[n];
        *node = dom->nodes[i];
        node->nchildren = 0;
        node->next = n + 1;
        places[n] = places[i];

        if (node->parent != DT_DOM_NONE) {
            node->parent = at[node->parent];
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


static dt_status_t
dt_etdm_all(const dt_dom_t *key, const dt_dom_t *const *pages, size_t n,
            const dt_detect_opts_t *o, dt_arena_t *arena, uint8_t *out)
{
    int full;
    dt_dom_t dom;
    uint32_t *map, *places, *at;
    dt_status_t rc;

    (void) o;

    memset(out, 0, key->n);

    dom = *key;
    dom.nodes = dt_arena_calloc(arena, key->n, sizeof(dt_node_t));
    places = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
    map = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
    at = dt_arena_calloc(arena, key->n, sizeof(uint32_t));

    if (dom.nodes == NULL || places == NULL || map == NULL || at == NULL) {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < key->n; i++) {
        dom.nodes[i] = key->nodes[i];
        places[i] = i;
    }

    for (size_t p = 0; p < n; p++) {
        rc = dt_etdm_map(&dom, pages[p], arena, map, &full);
        if (rc != DT_OK) {
            return rc;
        }

        dt_refine(&dom, map, places, at);
    }

    for (uint32_t i = 0; n != 0 && i < dom.n; i++) {
        out[places[i]] = 1;
    }

    return DT_OK;
}


const dt_detector_t dt_detector_etdm_all = {
    "etdm-all",
    "equal top-down mapping, all candidates in turn (Alarte et al. 2015)",
    dt_etdm_all,
};
