
/*
 * Copyright (C) The detemplate authors
 *
 * Fragments of the text of a page.
 */


#ifndef DT_SHINGLES_H_INCLUDED_
#define DT_SHINGLES_H_INCLUDED_


#include "core/detect/detect.h"


typedef struct {
    char *text; /* white space folded, a space between two texts */
    uint32_t len;
    uint32_t *from;   /* per node: where its text is in it; */
    uint32_t *to;     /* the same: it has none */
    uint64_t *hashes; /* of the fragments that are kept */
    uint32_t *at;     /* where they begin */
    uint32_t n;
} dt_shingles_t;

/*
 * The fragments of window bytes, at each byte of the text; of them, those
 * whose hash is 0 modulo density (0: all).
 */
dt_status_t dt_shingles_make(const dt_dom_t *dom, unsigned window,
                             unsigned density, dt_arena_t *arena,
                             dt_shingles_t *out);


#endif /* DT_SHINGLES_H_INCLUDED_ */
