
/*
 * Copyright (C) The detemplate authors
 *
 * A growing array whose elements begin with a 64-bit hash, and are found by
 * it.
 */


#ifndef DT_INDEX_H_INCLUDED_
#define DT_INDEX_H_INCLUDED_


#include "core/base/arena.h"


typedef struct {
    void *elts;
    size_t size; /* bytes of an element */
    uint32_t n;
    uint32_t max;
    uint32_t *slots; /* the element's number plus 1; 0: empty */
    unsigned bits;
} dt_index_t;


/* Initialises an empty array for elements of size bytes, in the arena. */
dt_status_t dt_index_init(dt_index_t *ix, size_t size, dt_arena_t *a);

/* Returns element number i. */
void *dt_index_elt(const dt_index_t *ix, uint32_t i);

/* Returns the element with that key, or NULL. */
void *dt_index_find(const dt_index_t *ix, uint64_t key);

/*
 * Returns the element with that key; a new one is zeroed but for the key.
 * NULL: there are already as many as most, or no memory.  The call may move
 * elements, so pointers that were returned before become invalid.
 */
void *dt_index_get(dt_index_t *ix, uint64_t key, uint32_t most, dt_arena_t *a);

/* Compares two elements by their hashes, for qsort(). */
int dt_index_cmp(const void *one, const void *two);


#endif /* DT_INDEX_H_INCLUDED_ */
