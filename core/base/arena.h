
/*
 * Copyright (C) The detemplate authors
 *
 * Memory for one job: many allocations, one cap, one destroy.
 */


#ifndef DT_ARENA_H_INCLUDED_
#define DT_ARENA_H_INCLUDED_


#include "core/base/dt.h"


typedef struct dt_arena_s dt_arena_t;


/* An arena that gives out at most cap bytes in all; NULL without memory. */
dt_arena_t *dt_arena_create(size_t cap);

/* Frees everything that came from the arena; NULL is allowed. */
void dt_arena_destroy(dt_arena_t *a);

/*
 * size bytes aligned for any type, not zeroed; NULL when the cap is reached
 * or malloc() fails.  Never freed singly.
 */
void *dt_arena_alloc(dt_arena_t *a, size_t size);

/* n * size bytes, zeroed; NULL also when the product overflows. */
void *dt_arena_calloc(dt_arena_t *a, size_t n, size_t size);

/* A copy of s ended by a NUL that len does not count; data NULL on error. */
dt_str_t dt_arena_strdup(dt_arena_t *a, dt_str_t s);


#endif /* DT_ARENA_H_INCLUDED_ */
