
/*
 * Copyright (C) The detemplate authors
 *
 * FastContentExtractor (Nguyen, Nguyen, Pham and Bui, "A Fast Template-based
 * Approach to Automatically Identify Primary Text Content of a Web Page", KSE
 * 2009).  Preparation: finds content blocks of the pages as ContentExtractor
 * does; stores their paths of tags, and the other blocks that have such a
 * path. Detection: extracts only blocks with such a path, without the blocks
 * inside that contain no such path, and compares them with the stored blocks.
 * What is not extracted is not content.
 *
 * A path consists of the tags of blocks, which says little on pages of div
 * elements only, so that much is extracted together with what is around it.
 * So stored blocks inside an extracted one are not content either.  With
 * block-own 0 only the whole is compared, which may be what the authors did.
 */


#include "core/base/index.h"
#include "core/detect/blocks.h"
#include "core/detect/detect.h"


#define DT_FAST_KEPT (1u << 20)


typedef struct {
    uint64_t key; /* hash of the block's terms */
    dt_block_t block;
} dt_stored_t;

typedef struct {
    dt_index_t paths;  /* uint64_t */
    dt_index_t stored; /* dt_stored_t */
} dt_fast_t;


/* finds the content blocks: content[p][i] for block i of page p */
static dt_status_t
dt_fast_judge(const dt_detect_t *d, const dt_blocks_t *pages,
              uint8_t **content, dt_arena_t *arena)
{
    size_t count;
    uint64_t steps = DT_BLOCK_STEPS;
    const dt_block_t *block;

    for (size_t p = 0; p < d->n; p++) {
        content[p] = dt_arena_calloc(arena, pages[p].n + 1, 1);
        if (content[p] == NULL) {
            return DT_ENOMEM;
        }

        for (uint32_t i = 0; i < pages[p].n; i++) {
            block = &pages[p].blocks[i];
            count =
                dt_block_frequency(block, pages, d->n, pages[p].dom, &steps);
            content[p][i] =
                block->n
                && (!count || count * 100 < (d->n - 1) * d->o.block_share);
        }
    }

    return DT_OK;
}


static dt_status_t
dt_fast_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    uint8_t **content;
    dt_fast_t *f;
    dt_stored_t *stored;
    dt_status_t rc = DT_OK;
    dt_blocks_t *pages;
    const dt_block_t *block;

    f = dt_arena_calloc(arena, 1, sizeof(dt_fast_t));
    pages = dt_arena_calloc(arena, d->n, sizeof(dt_blocks_t));
    content = dt_arena_calloc(arena, d->n, sizeof(uint8_t *));

    if (f == NULL || pages == NULL || content == NULL
        || dt_index_init(&f->paths, sizeof(uint64_t), arena) != DT_OK
        || dt_index_init(&f->stored, sizeof(dt_stored_t), arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        rc = dt_blocks_make(d->pages[p], arena, &pages[p]);
    }

    rc = rc == DT_OK ? dt_fast_judge(d, pages, content, arena) : rc;

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        for (uint32_t i = 0; i < pages[p].n; i++) {
            if (content[p][i]
                && !dt_index_get(&f->paths, pages[p].blocks[i].path,
                                 UINT32_MAX, arena))
            {
                return DT_ENOMEM;
            }
        }
    }

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        for (uint32_t i = 0; i < pages[p].n; i++) {
            block = &pages[p].blocks[i];

            if (!content[p][i] && block->n
                && dt_index_find(&f->paths, block->path)) {
                stored =
                    dt_index_get(&f->stored, block->hash, DT_FAST_KEPT, arena);
                if (stored == NULL) {
                    return DT_ENOMEM;
                }

                stored->block = *block;
            }
        }
    }

    d->data = f;

    return rc;
}


/* whether a block is similar to a stored one */
static int
dt_fast_stored(const dt_fast_t *f, const dt_block_t *block, uint64_t *steps)
{
    const dt_stored_t *stored = f->stored.elts;

    if (block->n == 0 || dt_index_find(&f->stored, block->hash)) {
        return 1;
    }

    for (uint32_t i = 0; i < f->stored.n && *steps; i++) {
        if (dt_block_similar(block, &stored[i].block, steps)) {
            return 1;
        }
    }

    return 0;
}


/*
 * Judges block i and the blocks that are extracted with it: in[] is 1 for
 * those that are not content.  extracted[k] is 0 when neither block k nor a
 * block inside of it has such a path.
 */
static dt_status_t
dt_fast_extract(const dt_fast_t *f, const dt_blocks_t *b, uint32_t i,
                const uint8_t *skip, unsigned inside, dt_arena_t *arena,
                uint64_t *steps, uint8_t *in)
{
    int repeated;
    dt_block_t whole;

    if (dt_block_join(b, i, skip, arena, &whole) != DT_OK) {
        return DT_ENOMEM;
    }

    repeated = dt_fast_stored(f, &whole, steps);

    for (uint32_t k = i; k < b->blocks[i].next; k++) {
        in[k] = (uint8_t) (repeated || skip[k]
                           || (inside && b->blocks[k].n
                               && dt_fast_stored(f, &b->blocks[k], steps)));
    }

    return DT_OK;
}


static dt_status_t
dt_fast_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
              uint8_t *out)
{
    uint8_t *in, *path, *skip;
    uint64_t steps = DT_BLOCK_STEPS;
    dt_blocks_t b;
    dt_status_t rc;
    const dt_fast_t *f = d->data;

    in = dt_arena_calloc(arena, key->n, 1);
    path = dt_arena_calloc(arena, key->n, 1);
    skip = dt_arena_calloc(arena, key->n, 1);

    if (in == NULL || path == NULL || skip == NULL
        || dt_blocks_make(key, arena, &b) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (uint32_t i = b.n; i-- > 0;) {
        path[i] = dt_index_find(&f->paths, b.blocks[i].path) != NULL;
        skip[i] = skip[i] == 0 && !path[i];

        /* such a path inside of a block keeps the blocks around it */
        if (!skip[i] && i) {
            skip[b.blocks[i].parent] = 2;
        }
    }

    for (uint32_t i = 0; i < b.n; i++) {
        skip[i] = skip[i] == 1;
    }

    for (uint32_t i = 0; i < b.n;) {
        if (!path[i]) {
            in[i++] = 1;
            continue;
        }

        rc =
            dt_fast_extract(f, &b, i, skip, d->o.block_own, arena, &steps, in);
        if (rc != DT_OK) {
            return rc;
        }

        i = b.blocks[i].next;
    }

    dt_blocks_nodes(&b, in, out);

    return DT_OK;
}


const dt_detector_t dt_detector_fast_content = {
    "fast-content-extractor",
    "the same by paths of content blocks (Nguyen et al. 2009)",
    dt_fast_prepare,
    dt_fast_nodes,
};
