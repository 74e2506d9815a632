
/*
 * Copyright (C) The detemplate authors
 *
 * Tables.  The first row is held until it is known to be one of a table of
 * data: it has two cells, and in none of them is what cells of Markdown cannot
 * have.  It gives the number of columns; what is more in a later row goes into
 * its last cell.  A table that is not one of data is read cell by cell.
 */


#include "core/base/dt.h"
#include "core/text/state.h"


void
dt_table_open(dt_text_t *t, int layout)
{
    dt_text_table_t *tab = &t->table;

    if (tab->state != DT_GRID_NONE) {
        return;
    }

    memset(tab, 0, sizeof(dt_text_table_t));
    tab->depth = t->scan.depth;
    tab->state = layout ? DT_GRID_NONE : DT_GRID_FIRST;
}


/* writes the row, of which each cell ends with DT_OP_CELL */
static void
dt_table_write(dt_text_t *t)
{
    char *p, *q, *next, *end = t->line + t->len;
    unsigned i;

    for (i = 0, p = t->line; i < t->table.columns; i++, p = next) {
        q = p < end ? memchr(p, DT_OP_CELL, (size_t) (end - p)) : end;
        next = q < end ? q + 1 : end;

        if (t->plain) {
            if (i) {
                dt_out_char(t, '\t');
            }

        } else {
            dt_out_char(t, i ? ' ' : '|');

            if (i) {
                dt_out_char(t, '|');
            }
        }

        if (q > p) {
            if (!t->plain) {
                dt_out_char(t, ' ');
            }

            dt_render(t, p, q, 0, 1);
        }
    }

    if (!t->plain) {
        dt_out_bytes(t, " |", 2);
    }
}


/* the line that tells how the columns are aligned */
static void
dt_table_align(dt_text_t *t)
{
    unsigned i;
    uint8_t align;

    dt_out_next(t);
    dt_out_char(t, '|');

    for (i = 0; i < t->table.columns; i++) {
        align = t->table.align[i];
        dt_out_bytes(t,
                     align == 'l'   ? " :-- |"
                     : align == 'c' ? " :-: |"
                     : align == 'r' ? " --: |"
                                    : " --- |",
                     6);
    }
}


void
dt_table_row(dt_text_t *t)
{
    dt_table_row_end(t);
    dt_block_flush(t);
    dt_block_reset(t);
    t->kind = DT_BLOCK_ROW;
    t->table.column = 0;
    t->table.in_cell = 0;
}


/* ends a column, in which a cell above is or nothing stands */
static void
dt_table_skip(dt_text_t *t)
{
    dt_inline_byte(t, DT_OP_CELL);

    if (t->table.below[t->table.column]) {
        t->table.below[t->table.column]--;
    }

    t->table.column++;
}


void
dt_table_row_end(dt_text_t *t)
{
    dt_text_table_t *tab = &t->table;

    if (t->kind != DT_BLOCK_ROW) {
        return;
    }

    dt_table_cell_end(t);

    while (tab->written && tab->column < tab->columns) {
        dt_table_skip(t);
    }

    if (tab->written) {
        dt_out_next(t);
        dt_table_write(t);

    } else if (tab->column > 1) {
        tab->state = DT_GRID_DATA;
        tab->columns = tab->column;
        dt_out_block(t);
        dt_table_write(t);

        if (!t->plain) {
            dt_table_align(t);
        }

        tab->written = 1;

    } else {
        /* it stands alone, before the table */
        dt_block_cells(t);
    }

    t->kind = DT_BLOCK_PARAGRAPH;
    dt_block_reset(t);
}


/* a number of columns or rows that an attribute tells */
static unsigned
dt_table_span(const dt_text_t *t, const char *name, unsigned most)
{
    long span = dt_text_attr_number(t, name);

    return span < 1 ? 1 : span < (long) most ? (unsigned) span : most;
}


static uint8_t
dt_table_aligned(const dt_text_t *t)
{
    char buf[256];
    ptrdiff_t n;
    const char *p;

    n = dt_text_attr(t, "align", buf, sizeof(buf) - 1);

    if (n <= 0) {
        n = dt_text_attr(t, "style", buf, sizeof(buf) - 1);
        if (n <= 0) {
            return 0;
        }

        p = memmem(buf, (size_t) n, "text-align:", 11);
        if (p == NULL) {
            return 0;
        }

        buf[n] = '\0';
        p += 11;
        p += strspn(p, " ");

    } else {
        p = buf;
    }

    switch (dt_lower(*p)) {

    case 'l':
    case 'c':
    case 'r':
        return (uint8_t) dt_lower(*p);
    }

    return 0;
}


void
dt_table_cell(dt_text_t *t, int heading)
{
    unsigned i, rows;
    dt_text_table_t *tab = &t->table;

    if (t->kind != DT_BLOCK_ROW) {
        dt_table_row(t);
    }

    dt_table_cell_end(t);

    while (tab->column < DT_TEXT_COLUMNS && tab->below[tab->column]) {
        dt_table_skip(t);
    }

    if (heading) {
        tab->state = DT_GRID_DATA;
    }

    tab->in_cell = 1;

    if (tab->column == DT_TEXT_COLUMNS
        || (tab->written && tab->column >= tab->columns))
    {
        /* what has no column goes on in the last one */

        if (t->len && t->line[t->len - 1] == DT_OP_CELL) {
            t->len--;
        }

        t->tail = t->len;
        t->visible = t->len && t->line[t->len - 1] != DT_OP_CELL;
        t->space = 1;
        tab->wide = 0;
        return;
    }

    tab->wide = dt_table_span(t, "colspan", DT_TEXT_COLUMNS - tab->column);
    rows = dt_table_span(t, "rowspan", 65534) - 1;

    for (i = 0; i < tab->wide; i++) {
        tab->below[tab->column + i] = (uint16_t) rows;
    }

    if (!tab->written) {
        tab->align[tab->column] = dt_table_aligned(t);
    }

    if (t->len == 0 || t->line[t->len - 1] == DT_OP_CELL) {
        t->visible = 0;
    }

    t->space = t->visible;
}


/* what stands in a row, but in no cell: it is one, or where no column is left
   a part of the one before */
static void
dt_table_no_cell(dt_text_t *t)
{
    char *p;
    dt_text_table_t *tab = &t->table;

    tab->in_cell = 1;
    tab->wide = tab->column < DT_TEXT_COLUMNS
                && !(tab->written && tab->column >= tab->columns);

    p = tab->wide ? NULL : memrchr(t->line, DT_OP_CELL, t->len);

    if (p != NULL) {
        *p = p > t->line && p[-1] != DT_OP_CELL ? ' ' : DT_OP_NONE;
    }

    dt_table_cell_end(t);
}


void
dt_table_cell_end(dt_text_t *t)
{
    unsigned i;
    dt_text_table_t *tab = &t->table;

    if (!tab->in_cell) {
        if (t->len && t->line[t->len - 1] != DT_OP_CELL) {
            dt_table_no_cell(t);
        }

        return;
    }

    while (t->nopen) {
        dt_inline_close(t, t->open[t->nopen - 1]);
    }

    dt_inline_byte(t, DT_OP_CELL);

    for (i = 1; i < tab->wide; i++) {
        dt_inline_byte(t, DT_OP_CELL);
    }

    tab->column += tab->wide;
    tab->in_cell = 0;
    t->visible = 0;
    t->space = 0;
}


void
dt_table_close(dt_text_t *t)
{
    dt_table_row_end(t);
    t->table.state = DT_GRID_NONE;
}


int
dt_table_block(dt_text_t *t)
{
    if (t->table.state == DT_GRID_DATA) {
        t->space = 1;
        return 1;
    }

    dt_block_cells(t);
    t->table.state = DT_GRID_NONE;

    return 0;
}
