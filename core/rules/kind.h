
/*
 * Copyright (C) The detemplate authors
 *
 * Decides whether only pages of one kind show what is in main content.
 */


#ifndef DT_KIND_H_INCLUDED_
#define DT_KIND_H_INCLUDED_


#include "core/rules/alike.h"
#include "core/rules/decide.h"
#include "core/rules/guard.h"


/*
 * Sets kind, and clears cut, in the verdicts of the patterns in and around
 * main and article elements that only pages of one kind show.  They stay
 * active: as part of a larger pattern they may be cut.  verdicts has one for
 * each pattern, sums one for each place; voters and alike are the results of
 * dt_alike().
 */
void dt_kind_decide(const dt_evidence_t *ev, const dt_voters_t *voters,
                    const dt_alike_t *alike, const dt_place_sums_t *sums,
                    dt_verdict_t *verdicts);


#endif /* DT_KIND_H_INCLUDED_ */
