
/*
 * Copyright (C) The detemplate authors
 *
 * Writes a line: its operations as Markdown, and its text with the escapes
 * that make a renderer give back the very words.
 */


#ifndef DT_RENDER_H_INCLUDED_
#define DT_RENDER_H_INCLUDED_


#include "core/text/state.h"


/*
 * Writes the bytes in [p, end) of a line, as Markdown or as text.  begins: a
 * block's line begins with it.  cell: it is a cell of a table.
 */
void dt_render(dt_text_t *t, char *p, char *end, int begins, int cell);


#endif /* DT_RENDER_H_INCLUDED_ */
