
/*
 * Copyright (C) The detemplate authors
 *
 * Decides which elements are cut by their shape, with any text.
 */


#ifndef DT_SHAPES_H_INCLUDED_
#define DT_SHAPES_H_INCLUDED_


#include "core/rules/verdict.h"


/* elements of one shape at one place */
typedef struct {
    uint64_t key;    /* dt_key_shape() */
    uint64_t pages;  /* set of the pages that have such an element */
    uint64_t again;  /* set of the pages that have several */
    uint64_t unique; /* words of patterns without support; each counts once for
                        each page */
    uint32_t place;
    uint16_t words; /* of the longest element */
    uint8_t kind;   /* DT_SHAPE_NAV or DT_SHAPE_BESIDE */
    uint8_t dir;    /* as in dt_verdict_t */
    uint8_t cut;    /* they are cut when bold */
} dt_shape_t;


/*
 * Decides about all shapes of the evidence.  It initializes the index shapes
 * and adds a dt_shape_t for each, also for those that are not cut.  voters is
 * the result of dt_alike().  All memory is the evidence's arena's.  DT_ENOMEM:
 * there is no memory.
 */
dt_status_t dt_shapes(dt_evidence_t *ev, const dt_voters_t *voters,
                      dt_index_t *shapes);


#endif /* DT_SHAPES_H_INCLUDED_ */
