
/*
 * Copyright (C) The detemplate authors
 *
 * Decides which patterns of the evidence are template.
 */


#ifndef DT_DECIDE_H_INCLUDED_
#define DT_DECIDE_H_INCLUDED_


#include "core/rules/write.h"


/*
 * Decides about each pattern of the evidence, and fills the tables.  Their
 * memory is the evidence's arena's.  DT_DECLINED: nothing is template, and the
 * tables are empty; DT_ENOMEM: there is no memory.
 */
dt_status_t dt_decide(dt_evidence_t *ev, dt_tables_t *t);


#endif /* DT_DECIDE_H_INCLUDED_ */
