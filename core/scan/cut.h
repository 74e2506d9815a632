
/*
 * Copyright (C) The detemplate authors
 *
 * Decides on a whole page which parts of it are template.
 */


#ifndef DT_CUT_H_INCLUDED_
#define DT_CUT_H_INCLUDED_


#include "core/scan/state.h"


/*
 * Decides about all records: those that are cut as a whole have DT_RECORD_CUT,
 * DT_RECORD_SHAPED or DT_RECORD_FORCED, and so may have records in them.
 */
void dt_cut(dt_cut_t *c);


#endif /* DT_CUT_H_INCLUDED_ */
