
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_VIEW_H_INCLUDED_
#define DT_VIEW_H_INCLUDED_


#include "core/scan/cut.h"


/*
 * Turns round what dt_cut() has decided: what would be cut stays, with the
 * elements around it and the page's styles, and the rest of the records is
 * cut.  The head must have records.
 */
void dt_view(const dt_cut_t *c);


#endif /* DT_VIEW_H_INCLUDED_ */
