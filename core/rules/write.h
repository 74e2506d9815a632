
/*
 * Copyright (C) The detemplate authors
 *
 * Writes decisions into the tables that requests look up.
 */


#ifndef DT_WRITE_H_INCLUDED_
#define DT_WRITE_H_INCLUDED_


#include "core/rules/decide.h"


/*
 * Fills the tables of t by its verdicts.  sums has one for each place; voters
 * is the result of dt_alike().  All memory is the evidence's arena's.
 * DT_DECLINED: no pattern is active, and the tables are empty; DT_ENOMEM:
 * there is no memory.
 */
dt_status_t dt_write(dt_evidence_t *ev, const dt_voters_t *voters,
                     const dt_place_sums_t *sums, dt_tables_t *t);


#endif /* DT_WRITE_H_INCLUDED_ */
