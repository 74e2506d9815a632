
/*
 * Copyright (C) The detemplate authors
 *
 * Uses templates of clusters of pages (mdl.h).  The key page belongs to the
 * cluster whose template differs least from its paths.  Nodes whose path is in
 * that template are template.  Clustering uses signatures, unless the option
 * mdl-exact is set.  Of more than DT_MDL_DOCS pages, only the first are
 * clustered.
 */


#include "core/detect/detect.h"
#include "core/detect/mdl.h"


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

    return DT_OK;
}


const dt_detector_t dt_detector_text_mdl = {
    "text-mdl",
    "clusters of pages by what they cost to write (Kim and Shim 2011)",
    dt_text_prepare,
    dt_text_nodes,
};
