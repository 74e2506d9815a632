
/*
 * Copyright (C) The detemplate authors
 *
 * Lists, items and quotes, and the prefix that they put before the text of
 * each line: their marks, and the room of items that have begun.
 */


#ifndef DT_BOX_H_INCLUDED_
#define DT_BOX_H_INCLUDED_


#include "core/text/state.h"


/* a box of a type, of the element at a depth, begins; NULL: there are too
   many.  Those of elements at a depth or below end. */
dt_box_t *dt_box_open(dt_text_t *t, unsigned type, unsigned depth);
void dt_box_close(dt_text_t *t, unsigned depth);

/* begins a block: writes the line breaks between it and the one before, and
   its first line up to its text */
void dt_box_block(dt_text_t *t);

/* begins the next line of the same block */
void dt_box_next(dt_text_t *t);


#endif /* DT_BOX_H_INCLUDED_ */
