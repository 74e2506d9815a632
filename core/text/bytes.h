
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


typedef struct {
    char *data;
    size_t len;
    size_t size;
    int lent; /* data is the caller's */
} dt_bytes_t;


/* makes room for n bytes more; 0: there is no memory, nothing has changed */
int dt_bytes_grow(dt_bytes_t *b, size_t n);

static inline int
dt_bytes_room(dt_bytes_t *b, size_t n)
{
    return b->size - b->len >= n || dt_bytes_grow(b, n);
}


/* adds n bytes; 0: there is no memory */
int dt_bytes_add(dt_bytes_t *b, const char *p, size_t n);

void dt_bytes_free(dt_bytes_t *b);


/* whether a character is written nowhere: controls, those of bidirectional
   text, tags, and those that only say where a word may break, by which no
   index would find it */
static inline int
dt_text_is_odd(uint32_t c)
{
    if (c < 0x200e) {
        return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c
               || c == 0x200b;
    }

    if (c < 0x206a) {
        return c < 0x2010 || (c >= 0x202a && c < 0x202f) || c == 0x2060
               || c >= 0x2066;
    }

    return c == 0xfeff || (c >= 0xe0000 && c < 0xe0080);
}


#endif /* DT_BYTES_H_INCLUDED_ */
