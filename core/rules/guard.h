
/*
 * Copyright (C) The detemplate authors
 *
 * Keeps the patterns whose cutting would leave hardly anything of a page.
 */


#ifndef DT_GUARD_H_INCLUDED_
#define DT_GUARD_H_INCLUDED_


#include "core/rules/verdict.h"


/*
 * Clears the verdicts of the patterns that would leave hardly anything of a
 * page, and counts them in ev->guarded.  verdicts has one for each pattern;
 * voters is the result of dt_alike().  DT_ENOMEM: there is no memory, and
 * nothing is changed.
 */
dt_status_t dt_guard(dt_evidence_t *ev, const dt_voters_t *voters,
                     dt_verdict_t *verdicts);

/* Sets removed of each text: the pages on which it is cut, or an element
   around it. */
void dt_guard_removed(const dt_evidence_t *ev, dt_verdict_t *verdicts);


#endif /* DT_GUARD_H_INCLUDED_ */
