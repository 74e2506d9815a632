
/*
 * Copyright (C) The detemplate authors
 */


#include "core/detect/counts.h"


typedef struct {
    uint64_t hash;
    uint64_t count;
} dt_count_t;


dt_index_t *
dt_counts_make(dt_arena_t *arena)
{
    dt_index_t *ix = dt_arena_calloc(arena, 1, sizeof(dt_index_t));

    return ix && dt_index_init(ix, sizeof(dt_count_t), arena) == DT_OK ? ix
                                                                       : NULL;
}


dt_status_t
dt_counts_add(dt_index_t *ix, const uint64_t *hashes, size_t n,
              dt_arena_t *arena)
{
    dt_count_t *c;

    for (size_t i = 0; i < n; i++) {
        c = dt_index_get(ix, hashes[i], UINT32_MAX, arena);
        if (c == NULL) {
            return DT_ENOMEM;
        }

        c->count++;
    }

    return DT_OK;
}


uint64_t
dt_counts_get(const dt_index_t *ix, uint64_t hash)
{
    const dt_count_t *c = dt_index_find(ix, hash);

    return c ? c->count : 0;
}


int
dt_counts_has(const dt_detect_t *d, const dt_dom_t *key)
{
    for (size_t p = 0; p < d->n; p++) {
        if (d->pages[p] == key) {
            return 1;
        }
    }

    return 0;
}
