
/*
 * Copyright (C) The detemplate authors
 *
 * What stands in one sentence.
 */


#ifndef DT_SENTENCE_H_INCLUDED_
#define DT_SENTENCE_H_INCLUDED_


#include "core/rules/guard.h"


/*
 * For each of the n records of the page src, a text outside of it with which
 * it stands in a sentence; UINT32_MAX: none.
 */
void dt_sentence_beside(dt_str_t src, const dt_record_t *records, size_t n,
                        uint32_t *beside);

/*
 * Takes out of the verdicts, one for each pattern, those that would cut a part
 * of a sentence of which another part stays.
 */
void dt_sentence_decide(const dt_evidence_t *ev, dt_verdict_t *verdicts);


#endif /* DT_SENTENCE_H_INCLUDED_ */
