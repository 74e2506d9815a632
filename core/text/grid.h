
/*
 * Copyright (C) The detemplate authors
 *
 * Tables.  Cells are kept until the table ends: then all of its columns are
 * known.  A table is one of data if a cell of it is a heading, or one row has
 * two cells before any cell holds a block that cells of Markdown cannot have.
 * Else it is read cell by cell, as is one with a single column.
 */


#ifndef DT_GRID_H_INCLUDED_
#define DT_GRID_H_INCLUDED_


#include "core/text/state.h"


/* a table, a row, a cell begins or ends; content in none of them goes on in
   the line around the table, before it, as browsers show it */
void dt_grid_open(dt_text_t *t, int layout);
void dt_grid_close(dt_text_t *t);
void dt_grid_part(dt_text_t *t); /* a group of rows */
void dt_grid_row(dt_text_t *t);
void dt_grid_row_end(dt_text_t *t);
void dt_grid_cell(dt_text_t *t, int heading);
void dt_grid_cell_end(dt_text_t *t);

/* something begins in a cell that no cell of a table can have; whether it is
   to be written as text within the cell */
int dt_grid_block(dt_text_t *t);


#endif /* DT_GRID_H_INCLUDED_ */
