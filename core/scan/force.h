
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_FORCE_H_INCLUDED_
#define DT_FORCE_H_INCLUDED_


#include "core/scan/state.h"


/*
 * Compares c->hand with the tags of the page.  An element that is kept by hand
 * gets DT_RECORD_OWN, with all in it; one that is cut by hand,
 * DT_RECORD_FORCED.
 */
void dt_force_find(dt_cut_t *c);


#endif /* DT_FORCE_H_INCLUDED_ */
