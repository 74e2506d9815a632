
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/base/arena.h"


#define DT_ARENA_BLOCK ((size_t) 64 * 1024)


typedef struct dt_arena_block_s dt_arena_block_t;

struct dt_arena_block_s {
    dt_arena_block_t *next;
    size_t size;
    _Alignas(max_align_t) char data[];
};


struct dt_arena_s {
    dt_arena_block_t *blocks; /* the first one is in use */
    size_t pos;               /* in the first block */
    size_t used;
    size_t cap;
};


dt_arena_t *
dt_arena_create(size_t cap)
{
    dt_arena_t *a;

    a = calloc(1, sizeof(dt_arena_t));
    if (a != NULL) {
        a->cap = cap;
    }

    return a;
}


void
dt_arena_destroy(dt_arena_t *a)
{
    dt_arena_block_t *b, *next;

    if (a == NULL) {
        return;
    }

    for (b = a->blocks; b != NULL; b = next) {
        next = b->next;
        free(b);
    }

    free(a);
}


void *
dt_arena_alloc(dt_arena_t *a, size_t size)
{
    void *p;
    size_t room;
    dt_arena_block_t *b;

    if (size > a->cap - a->used) {
        return NULL;
    }

    size = (size + _Alignof(max_align_t) - 1)
           & ~(_Alignof(max_align_t) - (size_t) 1);
    if (size > a->cap - a->used) {
        return NULL;
    }

    b = a->blocks;

    if (b == NULL || size > b->size - a->pos) {
        room = size > DT_ARENA_BLOCK / 4 ? size : DT_ARENA_BLOCK;

        b = malloc(sizeof(dt_arena_block_t) + room);
        if (b == NULL) {
            return NULL;
        }

        b->size = room;

        if (room == size && a->blocks != NULL) {
            /* a large piece gets a block of its own, so that the one in use
             * stays */
            b->next = a->blocks->next;
            a->blocks->next = b;
            a->used += size;
            return b->data;
        }

        b->next = a->blocks;
        a->blocks = b;
        a->pos = 0;
    }

    p = b->data + a->pos;
    a->pos += size;
    a->used += size;

    return p;
}


void *
dt_arena_calloc(dt_arena_t *a, size_t n, size_t size)
{
    void *p;
    size_t len;

    if (__builtin_mul_overflow(n, size, &len)) {
        return NULL;
    }

    p = dt_arena_alloc(a, len);
    if (p != NULL) {
        memset(p, 0, len);
    }

    return p;
}


size_t
dt_arena_used(const dt_arena_t *a)
{
    return a->used;
}


dt_str_t
dt_arena_strdup(dt_arena_t *a, dt_str_t s)
{
    char *p;

    p = dt_arena_alloc(a, s.len + 1);
    if (p == NULL) {
        return (dt_str_t){ 0, NULL };
    }

    if (s.len) {
        memcpy(p, s.data, s.len);
    }

    p[s.len] = '\0';

    return (dt_str_t){ s.len, p };
}
