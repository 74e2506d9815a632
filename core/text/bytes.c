
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/text/bytes.h"


int
dt_bytes_grow(dt_bytes_t *b, size_t n)
{
    char *data;
    size_t size = b->size ? b->size : 512;

    while (size - b->len < n) {
        if (size > SIZE_MAX / 4) {
            return 0;
        }

        size *= 2;
    }

    data = realloc(b->size && !b->lent ? b->data - DT_BLOCK : NULL,
                   size + 2 * DT_BLOCK);
    if (data == NULL) {
        return 0;
    }

    data += DT_BLOCK;

    if (b->lent) {
        memcpy(data, b->data, b->len);
    }

    b->data = data;
    b->size = size;
    b->lent = 0;

    return 1;
}


int
dt_bytes_add(dt_bytes_t *b, const char *p, size_t n)
{
    if (n == 0) {
        return 1;
    }

    if (!dt_bytes_room(b, n)) {
        return 0;
    }

    memcpy(b->data + b->len, p, n);
    b->len += n;

    return 1;
}


void
dt_bytes_free(dt_bytes_t *b)
{
    if (b->size && !b->lent) {
        free(b->data - DT_BLOCK);
    }
}
