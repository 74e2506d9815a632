
/*
 * Copyright (C) The detemplate authors
 *
 * Turns the tags of a page into parts of its text.
 */


#ifndef DT_MARKUP_H_INCLUDED_
#define DT_MARKUP_H_INCLUDED_


#include "core/text/state.h"


/* the tag at hand has begun an element, or none; the element at a depth has
   ended */
void dt_markup_tag(dt_text_t *t, int begun);
void dt_markup_end(dt_text_t *t, unsigned depth);


#endif /* DT_MARKUP_H_INCLUDED_ */
