
/*
 * Copyright (C) The detemplate authors
 *
 * FindTemplate (Vieira et al. 2006, figures 5 and 6).  The template begins as
 * the first page.  Each further page removes from it what the restricted
 * top-down mapping (rtdm.h) does not keep, unless all of it is found (Match).
 * Then it is searched in the key page, in linear time.  The caller chooses the
 * pages.
 *
 * The paper does not define labels.  Here the label of an element is its name,
 * as in the papers that it builds on, and the label of a text is its content,
 * since the paper measures templates by their words.  The option rtdm_attrs
 * adds attributes to names.  The option rtdm_exact maps the template to the
 * key page by RTDM-TD, not in linear time.
 */


#include "core/detect/detect.h"
#include "core/detect/rtdm.h"
#include "core/detect/tree.h"


static dt_status_t
dt_rtdm_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    int whole;
    uint32_t *map;
    dt_tree_t *t;
    dt_rtdm_t r = { (int) d->o.rtdm_attrs, DT_RTDM_CELLS, 0 };
    dt_status_t rc;
    dt_arena_t *work;

    t = dt_arena_calloc(arena, 1, sizeof(dt_tree_t));
    map = dt_arena_calloc(arena, d->pages[0]->n, sizeof(uint32_t));

    if (t == NULL || map == NULL
        || dt_tree_copy(d->pages[0], arena, t) != DT_OK) {
        return DT_ENOMEM;
    }

    for (size_t p = 1; p < d->n; p++) {
        work = dt_arena_create((size_t) 256 << 20);
        if (work == NULL) {
            return DT_ENOMEM;
        }

        rc = dt_rtdm_find(&t->dom, d->pages[p], r.attrs, work, map, &whole);
        dt_arena_destroy(work);

        if (rc == DT_OK && !whole) {
            rc = dt_rtdm_map(&r, &t->dom, d->pages[p], map);
            dt_tree_keep(t, map);
        }

        if (rc != DT_OK) {
            return rc;
        }
    }

    d->data = t;

    return DT_OK;
}


static dt_status_t
dt_rtdm_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
              uint8_t *out)
{
    int whole;
    uint32_t *map;
    dt_rtdm_t r = { (int) d->o.rtdm_attrs, DT_RTDM_CELLS, 0 };
    dt_status_t rc;
    const dt_tree_t *t = d->data;

    map = dt_arena_calloc(arena, t->dom.n, sizeof(uint32_t));
    if (map == NULL) {
        return DT_ENOMEM;
    }

    rc = d->o.rtdm_exact
             ? dt_rtdm_map(&r, &t->dom, key, map)
             : dt_rtdm_find(&t->dom, key, r.attrs, arena, map, &whole);
    if (rc != DT_OK) {
        return rc;
    }

    for (uint32_t i = 0; i < t->dom.n; i++) {
        if (map[i] != DT_DOM_NONE) {
            out[map[i]] = 1;
        }
    }

    return DT_OK;
}


const dt_detector_t dt_detector_rtdm_td = {
    "rtdm-td",
    "restricted top-down mapping of a set of pages (Vieira et al. 2006)",
    dt_rtdm_prepare,
    dt_rtdm_nodes,
};
