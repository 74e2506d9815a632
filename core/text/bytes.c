
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/bytes.h"


int
dt_bytes_grow(dt_bytes_t *b, const dt_alloc_t *a, size_t n)
{
    char *data;
    dt_bytes_t old = *b;
    size_t size = b->size ? b->size : 512;

    while (size - b->len < n) {
        if (size > SIZE_MAX / 4) {
            return 0;
        }

        size *= 2;
    }

    data = a->alloc(a->data, size + 2 * DT_BLOCK);

    if (data == NULL) {
        return 0;
    }

    b->data = data + DT_BLOCK;
    b->size = size;
    b->lent = 0;

    if (old.len) {
        memcpy(b->data, old.data, old.len);
    }

    dt_bytes_free(&old, a);

    return 1;
}


int
dt_bytes_add(dt_bytes_t *b, const dt_alloc_t *a, const char *p, size_t n)
{
    if (n == 0) {
        return 1;
    }

    if (!dt_bytes_room(b, a, n)) {
        return 0;
    }

    memcpy(b->data + b->len, p, n);
    b->len += n;

    return 1;
}


void
dt_bytes_free(dt_bytes_t *b, const dt_alloc_t *a)
{
    if (b->size && !b->lent && a->free != NULL) {
        a->free(a->data, b->data - DT_BLOCK);
    }
}
