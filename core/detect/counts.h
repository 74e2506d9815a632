
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_COUNTS_H_INCLUDED_
#define DT_COUNTS_H_INCLUDED_


#include "core/dom/dom.h"


/* shingles: fragments of the text of a page */

typedef struct {
    char *text; /* with white space folded, and a space between two texts */
    uint32_t len;
    uint32_t *from;   /* for each node: where its text begins in text */
    uint32_t *to;     /* for each node: where it ends; from == to: no text */
    uint64_t *hashes; /* of the selected fragments */
    uint32_t *at;     /* for each of them: where it begins in text */
    uint32_t n;
} dt_shingles_t;

/*
 * Selects, of the fragments of window bytes at each byte of the text, those
 * whose hash is 0 modulo density (0: all).
 */
dt_status_t dt_shingles_make(const dt_dom_t *dom, unsigned window,
                             unsigned density, dt_arena_t *arena,
                             dt_shingles_t *out);


#endif /* DT_COUNTS_H_INCLUDED_ */
