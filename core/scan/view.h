
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_VIEW_H_INCLUDED_
#define DT_VIEW_H_INCLUDED_


#include "core/scan/state.h"


/*
 * Turns round the verdicts of dt_cut(): records that would be cut stay, with
 * the elements around them and the page's styles, and the rest of the records
 * is cut.  The head must have records.
 */
void dt_view(const dt_cut_t *c);


#endif /* DT_VIEW_H_INCLUDED_ */
