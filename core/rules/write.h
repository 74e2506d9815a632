
/*
 * Copyright (C) The detemplate authors
 *
 * What was decided, as requests look it up.
 */


#ifndef DT_WRITE_H_INCLUDED_
#define DT_WRITE_H_INCLUDED_


#include "core/rules/decide.h"


/*
 * Fills the tables by their verdicts; sums has one for each place, voter the
 * votes of alike.h.  Memory is of the evidence's arena.  DT_DECLINED: they are
 * empty; DT_ENOMEM.
 */
dt_status_t dt_write(dt_evidence_t *ev, const uint8_t *voter,
                     const dt_place_sums_t *sums, dt_tables_t *t);


#endif /* DT_WRITE_H_INCLUDED_ */
