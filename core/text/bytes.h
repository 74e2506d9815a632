
/*
 * Copyright (C) The detemplate authors
 *
 * Bytes that grow, by doubling.  A block can be read before the first one and
 * behind the room for them, see core/base/find.h.
 */


#ifndef DT_BYTES_H_INCLUDED_
#define DT_BYTES_H_INCLUDED_


#include "core/base/find.h"
#include "core/base/dt.h"


/* malloc() by default; free may be NULL */
typedef struct {
    void *(*alloc)(void *data, size_t size);
    void (*free)(void *data, void *p);
    void *data;
} dt_alloc_t;


typedef struct {
    char *data;
    size_t len;
    size_t size;
    int lent; /* data is the caller's */
} dt_bytes_t;


/* makes room for n bytes more; 0: there is no memory, nothing has changed */
int dt_bytes_grow(dt_bytes_t *b, const dt_alloc_t *a, size_t n);

static inline int
dt_bytes_room(dt_bytes_t *b, const dt_alloc_t *a, size_t n)
{
    return b->size - b->len >= n || dt_bytes_grow(b, a, n);
}


/* adds n bytes; 0: there is no memory */
int dt_bytes_add(dt_bytes_t *b, const dt_alloc_t *a, const char *p, size_t n);

void dt_bytes_free(dt_bytes_t *b, const dt_alloc_t *a);


#endif /* DT_BYTES_H_INCLUDED_ */
