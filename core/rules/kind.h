
/*
 * Copyright (C) The detemplate authors
 *
 * Whether what stands in main content is said by pages of one kind only.
 */


#ifndef DT_KIND_H_INCLUDED_
#define DT_KIND_H_INCLUDED_


#include "core/rules/alike.h"
#include "core/rules/guard.h"


/*
 * Takes out of the verdicts, one for each pattern, what stands in or around
 * main and article elements and only pages of a kind show.  It still goes as a
 * part of what is larger.
 */
void dt_kind_decide(const dt_evidence_t *ev, const dt_alike_t *alike,
                    dt_verdict_t *verdicts);


#endif /* DT_KIND_H_INCLUDED_ */
