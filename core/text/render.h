
/*
 * Copyright (C) The detemplate authors
 *
 * Writes a line: what its operations become in Markdown, and which of its
 * bytes must be escaped so that a renderer gives back the very words.
 */


#ifndef DT_RENDER_H_INCLUDED_
#define DT_RENDER_H_INCLUDED_


#include "core/text/state.h"


/*
 * Writes what is in [p, end) of a line, as Markdown or as text.  begins: a
 * block's line begins with it.  cell: it is a cell of a table.
 */
void dt_render(dt_text_t *t, char *p, char *end, int begins, int cell);


#endif /* DT_RENDER_H_INCLUDED_ */
