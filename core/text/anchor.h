
/*
 * Copyright (C) The detemplate authors
 *
 * Links, of which those go that are only there to be copied: a heading's, or
 * another element's, to itself.
 */


#ifndef DT_ANCHOR_H_INCLUDED_
#define DT_ANCHOR_H_INCLUDED_


#include "core/text/state.h"


/* the tag is that of a link: begins it; 0: it names no URL that is written */
int dt_anchor_begin(dt_text_t *t);

/* a link ends: it is removed if it is only there to be copied */
void dt_anchor_end(dt_text_t *t);

/* a heading ends: one that is all link to itself is no link */
void dt_anchor_heading(dt_text_t *t);

/* whether most lines of the pre whose tag is at hand have a link, as those of
   a directory's listing; one that says no more than the number of its line is
   none */
int dt_anchor_is_listing(dt_text_t *t);


#endif /* DT_ANCHOR_H_INCLUDED_ */
