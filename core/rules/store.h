
/*
 * Copyright (C) The detemplate authors
 *
 * The part of the evidence that a template keeps.
 */


#ifndef DT_STORE_H_INCLUDED_
#define DT_STORE_H_INCLUDED_


#include "core/rules/evidence.h"


/* most patterns, those of groups included */
#define DT_STORE_PATTERNS 49152u

/* most groups */
#define DT_STORE_GROUPS 3072u

/* bytes of evidence up to which keys of patterns in groups are added */
#define DT_STORE_SIZE (256u << 10)


typedef struct {
    dt_pattern_t *patterns;
    uint32_t npatterns;
    dt_evidence_place_t *places;
    uint32_t nplaces;

    uint32_t *keys; /* of patterns that others stand for, see dt_seen_t */
    uint16_t *at;   /* the number of the pattern that does */
    uint32_t nseen;
} dt_stored_t;


/*
 * Chooses the part of the evidence to keep, in the evidence's arena.  Where
 * the bounds do not allow all, keys of the latest pages come first.
 */
dt_status_t dt_store(const dt_evidence_t *ev, dt_stored_t *out);


#endif /* DT_STORE_H_INCLUDED_ */
