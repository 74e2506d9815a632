
/*
 * Copyright (C) The detemplate authors
 *
 * What a template keeps of the evidence.
 */


#ifndef DT_STORE_H_INCLUDED_
#define DT_STORE_H_INCLUDED_


#include "core/rules/evidence.h"


#define DT_STORE_SIZE (256u << 10) /* bytes of evidence */
#define DT_STORE_PATTERNS 3072u    /* patterns and groups of them */
#define DT_STORE_WHOLE 2560u       /* patterns that are stored as they are */


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
 * Sets what to keep of the evidence, all in its arena.  It takes no more than
 * DT_STORE_SIZE, unless some place is deep; where more was seen, the latest
 * pages count.
 */
dt_status_t dt_store(const dt_evidence_t *ev, dt_stored_t *out);

/* Copies the evidence of a checked template into ev, which is empty.
   DT_EINVAL: it contradicts itself; DT_ENOMEM. */
dt_status_t dt_store_load(dt_evidence_t *ev, const dt_template_head_t *h);


#endif /* DT_STORE_H_INCLUDED_ */
