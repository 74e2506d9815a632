
/*
 * Copyright (C) The detemplate authors
 *
 * A growing array whose elements begin with a 64-bit hash, found by it.
 */


#ifndef DT_INDEX_H_INCLUDED_
#define DT_INDEX_H_INCLUDED_


#include "core/base/arena.h"


typedef struct {
    void *elts;
    size_t size; /* of one */
    uint32_t n;
    uint32_t max;
    uint32_t *slots; /* number of the element and 1, or 0 */
    unsigned bits;
} dt_index_t;


/* An empty one, for elements of this size. */
dt_status_t dt_index_init(dt_index_t *ix, size_t size, dt_arena_t *a);

/* The element number i. */
void *dt_index_elt(const dt_index_t *ix, uint32_t i);

/* The element of that key, or NULL. */
void *dt_index_find(const dt_index_t *ix, uint64_t key);

/*
 * The element of that key, made and zeroed where it is new.  NULL: there are
 * most of them already, or no memory.  What was returned before moves.
 */
void *dt_index_get(dt_index_t *ix, uint64_t key, uint32_t most, dt_arena_t *a);


#endif /* DT_INDEX_H_INCLUDED_ */
