
/*
 * Copyright (C) The detemplate authors
 *
 * The line is written: as a paragraph, a heading, or a fenced block of code.
 */


#ifndef DT_BLOCK_H_INCLUDED_
#define DT_BLOCK_H_INCLUDED_


#include "core/text/state.h"


/* writes the line, if there is something in it, as its kind; but no cell */
void dt_block_flush(dt_text_t *t);

/* ends the block at hand, as far as it is one of its own */
void dt_block_break(dt_text_t *t);

/* a line break, which ends the block where one stands already */
void dt_block_line(dt_text_t *t);


#endif /* DT_BLOCK_H_INCLUDED_ */
