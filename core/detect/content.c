
/*
 * Copyright (C) The detemplate authors
 *
 * ContentExtractor (Debnath, Mitra, Pal and Giles 2005, as described by Nguyen
 * et al. 2009).  A block is not content when enough pages have a similar one:
 * one where the cosine of the two vectors is above 0.9.  Each block is
 * compared with all blocks of all pages.  The paper leaves open how many pages
 * are enough; here it is block-share percent.
 */


#include "core/detect/blocks.h"
#include "core/detect/detect.h"


static dt_status_t
dt_content_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    dt_status_t rc = DT_OK;
    dt_blocks_t *pages;

    pages = dt_arena_calloc(arena, d->n, sizeof(dt_blocks_t));
    if (pages == NULL) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        rc = dt_blocks_make(d->pages[p], arena, &pages[p]);
    }

    d->data = pages;

    return rc;
}


static dt_status_t
dt_content_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
                 uint8_t *out)
{
    size_t others = 0, count;
    uint8_t *in;
    uint64_t steps = DT_BLOCK_STEPS;
    dt_blocks_t b;

    in = dt_arena_calloc(arena, key->n, 1);
    if (in == NULL || dt_blocks_make(key, arena, &b) != DT_OK) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n; p++) {
        others += d->pages[p] != key;
    }

    for (uint32_t i = 0; i < b.n; i++) {
        count = dt_block_frequency(&b.blocks[i], d->data, d->n, key, &steps);
        in[i] = count && count * 100 >= others * d->o.block_share;
    }

    dt_blocks_nodes(&b, in, out);

    return DT_OK;
}


const dt_detector_t dt_detector_content = {
    "content-extractor",
    "blocks that other pages have as well (Debnath et al. 2005)",
    dt_content_prepare,
    dt_content_nodes,
};
