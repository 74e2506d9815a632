
/*
 * Copyright (C) The detemplate authors
 *
 * Pages as blocks, for ContentExtractor and FastContentExtractor.
 */


#ifndef DT_BLOCKS_H_INCLUDED_
#define DT_BLOCKS_H_INCLUDED_


#include "core/base/index.h"
#include "core/dom/dom.h"


typedef struct {
    uint64_t value; /* a word, or DT_BLOCK_... */
    uint64_t count;
} dt_term_t;

/* terms that are no words */
enum { DT_BLOCK_IMAGES = 1, DT_BLOCK_SCRIPTS, DT_BLOCK_LINKS };


/* an element without the blocks inside of it */
typedef struct {
    uint32_t node;
    uint32_t parent; /* the block around it, or DT_DOM_NONE */
    uint32_t next;   /* behind the last block inside of it */
    uint64_t path; /* hash of the tags of the blocks around it, and its own */
    uint64_t hash; /* of its terms */
    uint64_t bits; /* one or more of each term */
    dt_term_t *terms; /* sorted; none: it says nothing */
    uint32_t n;
    double norm;
} dt_block_t;


typedef struct {
    const dt_dom_t *dom;
    dt_block_t *blocks; /* in the order of the page, from the root's on */
    uint32_t n;
    uint32_t *of;      /* the block of each node */
    dt_index_t hashes; /* uint64_t: of blocks that have terms */
} dt_blocks_t;


dt_status_t dt_blocks_make(const dt_dom_t *dom, dt_arena_t *arena,
                           dt_blocks_t *out);

/* The cosine of the angle between two, 0 to 1. */
double dt_block_cosine(const dt_block_t *x, const dt_block_t *y);

#define DT_BLOCK_STEPS ((uint64_t) 1 << 30) /* of comparing, in a run */

/*
 * Whether the cosine is above 0.9; *steps count down, when they run out only
 * blocks with the same terms are similar.
 */
int dt_block_similar(const dt_block_t *x, const dt_block_t *y,
                     uint64_t *steps);

/* Terms of several blocks of one page put together, skip[i]: without i. */
dt_status_t dt_block_join(const dt_blocks_t *b, uint32_t from,
                          const uint8_t *skip, dt_arena_t *arena,
                          dt_block_t *out);

/*
 * On how many of n pages is a block similar to x; without the page of dom
 * but.
 */
size_t dt_block_frequency(const dt_block_t *x, const dt_blocks_t *pages,
                          size_t n, const dt_dom_t *but, uint64_t *steps);

/*
 * From what is known of blocks (1 template, 0 not) to nodes; blocks without
 * terms go with what is around.
 */
void dt_blocks_nodes(const dt_blocks_t *b, const uint8_t *in, uint8_t *out);


#endif /* DT_BLOCKS_H_INCLUDED_ */
