
/*
 * Copyright (C) The detemplate authors
 *
 * An arena: memory for one task, with one cap, which is freed at once.
 */


#ifndef DT_ARENA_H_INCLUDED_
#define DT_ARENA_H_INCLUDED_


#include "core/base/dt.h"


typedef struct dt_arena_s dt_arena_t;


/*
 * Creates an arena that gives out at most cap bytes in all.  The caller
 * destroys it.  Returns NULL without memory.
 */
dt_arena_t *dt_arena_create(size_t cap);

/* Frees the arena and everything that came from it; NULL is allowed. */
void dt_arena_destroy(dt_arena_t *a);

/*
 * Returns size bytes, aligned for any type and not zeroed, or NULL when the
 * cap is reached or malloc() fails.  They live as long as the arena.
 */
void *dt_arena_alloc(dt_arena_t *a, size_t size);

/* Returns n * size zeroed bytes; NULL also when the product overflows. */
void *dt_arena_calloc(dt_arena_t *a, size_t n, size_t size);

/* Returns the bytes that the arena has given out. */
size_t dt_arena_used(const dt_arena_t *a);

/*
 * Returns a copy of s that ends in a NUL, which len does not count.  data is
 * NULL without memory.
 */
dt_str_t dt_arena_strdup(dt_arena_t *a, dt_str_t s);


#endif /* DT_ARENA_H_INCLUDED_ */
