
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_CONTENT_H_INCLUDED_
#define DT_CONTENT_H_INCLUDED_


#include "core/base/index.h"
#include "core/dom/dom.h"


/* splits pages into blocks, for ContentExtractor and FastContentExtractor */

typedef struct {
    uint64_t value; /* a word, or DT_BLOCK_... */
    uint64_t count;
} dt_term_t;

/* terms that are not words */
enum { DT_BLOCK_IMAGES = 1, DT_BLOCK_SCRIPTS, DT_BLOCK_LINKS };


/* a block: an element without the blocks inside of it */
typedef struct {
    uint32_t node;
    uint32_t parent; /* the block around it, or DT_DOM_NONE */
    uint32_t next;   /* index behind the last block inside of it */
    uint64_t path; /* hash of the tags of the blocks around it, and its own */
    uint64_t hash; /* hash of its terms */
    uint64_t bits; /* one or more bits for each term */
    dt_term_t *terms; /* sorted; without any, the block is empty */
    uint32_t n;
    double norm;
} dt_block_t;


typedef struct {
    const dt_dom_t *dom;
    dt_block_t *blocks; /* in the order of the page; the first is the root's */
    uint32_t n;
    uint32_t *of;      /* the block of each node */
    dt_index_t hashes; /* uint64_t: hashes of the blocks that have terms */
} dt_blocks_t;


dt_status_t dt_blocks_make(const dt_dom_t *dom, dt_arena_t *arena,
                           dt_blocks_t *out);

/* Returns the cosine of the angle between two vectors, 0 to 1. */
double dt_block_cosine(const dt_block_t *x, const dt_block_t *y);

#define DT_BLOCK_STEPS ((uint64_t) 1 << 30) /* for comparing, in one run */

/*
 * Whether the cosine is above 0.9.  *steps is counted down; when it reaches 0,
 * only blocks with equal terms are similar.
 */
int dt_block_similar(const dt_block_t *x, const dt_block_t *y,
                     uint64_t *steps);


#endif /* DT_CONTENT_H_INCLUDED_ */
