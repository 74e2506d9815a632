
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_UNIT_H_INCLUDED_
#define DT_UNIT_H_INCLUDED_


#include "core/scan/state.h"


/* Keeps the units that are cut in part only, and heads of parts that stay.
   Returns whether there are any. */
int dt_unit_keep(const dt_cut_t *c);


#endif /* DT_UNIT_H_INCLUDED_ */
