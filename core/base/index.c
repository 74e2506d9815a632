
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/index.h"
#include "core/base/hash.h"


dt_status_t
dt_index_init(dt_index_t *ix, size_t size, dt_arena_t *a)
{
    ix->size = size;
    ix->n = 0;
    ix->max = 256;
    ix->bits = 9;
    ix->elts = dt_arena_alloc(a, ix->max * size);
    ix->slots = dt_arena_calloc(a, (size_t) 1 << ix->bits, sizeof(uint32_t));

    return ix->elts && ix->slots ? DT_OK : DT_ENOMEM;
}


void *
dt_index_elt(const dt_index_t *ix, uint32_t i)
{
    return (char *) ix->elts + i * ix->size;
}


static uint32_t *
dt_index_slot(const dt_index_t *ix, uint64_t key)
{
    uint64_t have;
    size_t i, mask = ((size_t) 1 << ix->bits) - 1;

    for (i = dt_hash_home(key, ix->bits); ix->slots[i]; i = (i + 1) & mask) {
        memcpy(&have, dt_index_elt(ix, ix->slots[i] - 1), sizeof(have));
        if (have == key) {
            break;
        }
    }

    return &ix->slots[i];
}


static dt_status_t
dt_index_grow(dt_index_t *ix, dt_arena_t *a)
{
    void *elts;
    uint32_t i, *slots;
    uint64_t key;

    elts = dt_arena_alloc(a, 2 * (size_t) ix->max * ix->size);
    slots = dt_arena_calloc(a, (size_t) 2 << ix->bits, sizeof(uint32_t));

    if (elts == NULL || slots == NULL) {
        /* the present elements can still be used */
        return DT_ENOMEM;
    }

    memcpy(elts, ix->elts, ix->n * ix->size);
    ix->elts = elts;
    ix->slots = slots;
    ix->max *= 2;
    ix->bits++;

    for (i = 0; i < ix->n; i++) {
        memcpy(&key, dt_index_elt(ix, i), sizeof(key));
        *dt_index_slot(ix, key) = i + 1;
    }

    return DT_OK;
}


void *
dt_index_find(const dt_index_t *ix, uint64_t key)
{
    uint32_t slot = *dt_index_slot(ix, key);

    return slot ? dt_index_elt(ix, slot - 1) : NULL;
}


void *
dt_index_get(dt_index_t *ix, uint64_t key, uint32_t most, dt_arena_t *a)
{
    void *elt;
    uint32_t *slot;

    slot = dt_index_slot(ix, key);
    if (*slot) {
        return dt_index_elt(ix, *slot - 1);
    }

    if (ix->n == most) {
        return NULL;
    }

    if (ix->n == ix->max) {
        if (dt_index_grow(ix, a) != DT_OK) {
            return NULL;
        }

        slot = dt_index_slot(ix, key);
    }

    elt = dt_index_elt(ix, ix->n++);
    *slot = ix->n;
    memset(elt, 0, ix->size);
    memcpy(elt, &key, sizeof(key));

    return elt;
}


int
dt_index_cmp(const void *one, const void *two)
{
    const uint64_t *x = one, *y = two;

    return (*x > *y) - (*x < *y);
}
