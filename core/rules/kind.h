
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
 * Clears cut in the verdicts of the patterns in and around main and article
 * elements that only pages of one kind show.  They stay active: as part of a
 * larger pattern they may be cut.  verdicts has one for each pattern; alike is
 * a result of dt_alike().
 */
void dt_kind_decide(const dt_evidence_t *ev, const dt_alike_t *alike,
                    dt_verdict_t *verdicts);


#endif /* DT_KIND_H_INCLUDED_ */
