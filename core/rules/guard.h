
/*
 * Copyright (C) The detemplate authors
 *
 * Keeps the patterns whose cutting would leave hardly anything of a page.
 */


#ifndef DT_GUARD_H_INCLUDED_
#define DT_GUARD_H_INCLUDED_


#include "core/rules/alike.h"


/* what is decided about a pattern */
typedef struct {
    uint64_t cut;     /* set of the pages on which it is cut alone */
    uint64_t removed; /* texts: the same, and those on which an element around
                       it is cut */
    uint8_t active;   /* it may be cut as part of a larger pattern */
    uint8_t dir;      /* number of the only directory in which it is cut alone;
                         0: it is cut everywhere */
} dt_verdict_t;


/*
 * Clears the verdicts of the patterns that would leave hardly anything of a
 * page, counts them in ev->guarded, and sets removed in the others.  verdicts
 * has one for each pattern; voters is the result of dt_alike().  DT_ENOMEM:
 * there is no memory, and nothing is changed.
 */
dt_status_t dt_guard(dt_evidence_t *ev, const dt_voters_t *voters,
                     dt_verdict_t *verdicts);


#endif /* DT_GUARD_H_INCLUDED_ */
