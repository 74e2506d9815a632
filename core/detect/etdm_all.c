
/*
 * Copyright (C) The detemplate authors
 *
 * The sequential form of the equal top-down mapping (Alarte, Insa, Silva and
 * Tamarit, "Web Template Extraction Based on Hyperlink Analysis", 2015,
 * section 4.2, Algorithm 2).  The template begins as the key page, and each
 * candidate removes from it what it does not map.  Positions and counts of
 * siblings are those of the template at that time, so the order of the
 * candidates matters, as in the paper.  One thing is stricter: a candidate
 * whose root is not equal removes everything, instead of being skipped.
 */


#include "core/detect/detect.h"
#include "core/detect/tree.h"


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

        rc = dt_etdm_map(&t.dom, d->pages[p], arena, map, &full);
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
