
/*
 * Copyright (C) The detemplate authors
 *
 * What was cut or marked in a page, for the next time that the same page
 * comes: a list of regions, each with a hash of its bytes.  A region is
 * touched only when its bytes are those that the list was made of; all else
 * passes.
 *
 *     +------+-----------------------------------+-----
 *     | head | gap, length, tag's name, hash     | ...
 *     |      | number, number, byte, eight bytes |
 *     +------+-----------------------------------+-----
 *
 * Numbers have seven bits in each byte, the low ones first; gaps are from the
 * end of the region before.  Lists stay on the machine that made them.
 */


#ifndef DT_EDITS_H_INCLUDED_
#define DT_EDITS_H_INCLUDED_


#include "core/base/dt.h"


#define DT_EDITS_MAX 4096    /* bytes of a list */
#define DT_STORED_GAP 32768  /* bytes; see dt_edits_reads() */
#define DT_STORED_ROOM 65536 /* that are read at once */
#define DT_STORED_SKIP 16384 /* of a region that need not be read */


typedef struct {
    uint64_t in;      /* bytes of the page */
    uint64_t removed; /* of them, in regions */
    uint32_t words;   /* of template */
    uint32_t regions;
    uint32_t size; /* bytes of the list, this head included */
    uint32_t unused;
} dt_edits_t;


typedef struct {
    uint64_t start; /* offsets in the page */
    uint64_t end;
    unsigned at; /* as in dt_region_t */
    uint64_t sum;
} dt_edit_t;


/* one after the other; edit is what comes next, at the end of the page none */
typedef struct {
    const unsigned char *p;
    const unsigned char *last;
    uint64_t in;
    uint64_t seed;
    dt_edit_t edit;
} dt_edits_walk_t;

void dt_edits_walk(dt_edits_walk_t *w, const dt_edits_t *edits, uint64_t seed);

/* goes on to the one behind; what is not sound ends the list */
void dt_edits_next(dt_edits_walk_t *w);

/* whether there is one */
#define dt_edits_more(w) ((w)->edit.start != (w)->in)

/*
 * How many bytes dt_rewrite_stored() reads: the regions, and what is kept
 * between two that are nearer than DT_STORED_GAP.
 */
uint64_t dt_edits_reads(const dt_edits_t *edits);


#endif /* DT_EDITS_H_INCLUDED_ */
