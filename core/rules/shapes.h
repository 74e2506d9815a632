
/*
 * Copyright (C) The detemplate authors
 *
 * Places where what is made for each page goes by its shape.
 */


#ifndef DT_SHAPES_H_INCLUDED_
#define DT_SHAPES_H_INCLUDED_


#include "core/rules/evidence.h"


/* elements at one place that call themselves one thing */
typedef struct {
    uint64_t key;   /* dt_key_shape() */
    uint64_t pages; /* that have one */
    uint64_t own;   /* words, times pages, of those that few pages show */
    uint32_t place;
    uint16_t words; /* of the longest */
    uint8_t dir;    /* as in dt_verdict_t */
    uint8_t cut;    /* they go */
} dt_shape_t;


/*
 * The flags of a pattern, outside of what a page is about, that calls itself
 * shape (DT_SHAPE_*); links: it is made of links.
 */
unsigned dt_shapes_flags(unsigned shape, int links);

/*
 * Decides of all of them, which it puts into shapes; with is of alike.h.
 * Memory is of the evidence's arena; DT_ENOMEM.
 */
dt_status_t dt_shapes(dt_evidence_t *ev, const uint8_t *voter,
                      dt_index_t *shapes);


#endif /* DT_SHAPES_H_INCLUDED_ */
