
/*
 * Copyright (C) The detemplate authors
 *
 * What would leave hardly anything of a page stays.
 */


#ifndef DT_GUARD_H_INCLUDED_
#define DT_GUARD_H_INCLUDED_


#include "core/rules/evidence.h"


/* what is decided of a pattern */
typedef struct {
    uint64_t cut;   /* on these pages on its own; */
    uint64_t gone;  /* on these, or with what it is in; texts only */
    uint8_t active; /* as part of a larger one; */
    uint8_t dir;    /* in this directory only, 0: everywhere */
    uint8_t kind;   /* pages of a kind only show it */
} dt_verdict_t;


/*
 * Takes out of the verdicts, one for each pattern, those that would leave
 * hardly anything of a page; counts them in ev->guarded.
 */
dt_status_t dt_guard(dt_evidence_t *ev, const uint8_t *voter,
                     dt_verdict_t *verdicts);


#endif /* DT_GUARD_H_INCLUDED_ */
