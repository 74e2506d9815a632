
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/attr.h"
#include "core/text/block.h"
#include "core/text/box.h"
#include "core/text/inline.h"
#include "core/text/out.h"
#include "core/text/render.h"
#include "core/text/grid.h"


#define DT_GRID_ROWS 65534 /* that a cell may take, as browsers have it */


void
dt_grid_open(dt_text_t *t, int layout)
{
    dt_grid_table_t *tab = &t->table;
    dt_bytes_t rows = tab->rows, line = tab->line;

    if (tab->state != DT_GRID_NONE) {
        return;
    }

    memset(tab, 0, sizeof(dt_grid_table_t));
    rows.len = line.len = 0;
    tab->rows = rows;
    tab->line = line;
    tab->depth = t->scan.depth;
    tab->state = layout ? DT_GRID_NONE : DT_GRID_MAYBE;
}


/* writes the cells of a row that begins at p, of each column one; returns
   behind the row */
static char *
dt_grid_write(dt_text_t *t, char *p, const char *end)
{
    unsigned i;
    int plain = t->o->plain;
    char *q;

    for (i = 0; i < t->table.columns; i++, p = q + (*q == DT_OP_CELL)) {
        dt_out_string(&t->out, plain ? i ? "\t" : "" : i ? " |" : "|");

        q = *p == DT_OP_ROW ? p : memchr(p, DT_OP_CELL, (size_t) (end - p));

        if (q > p) {
            dt_out_string(&t->out, plain ? "" : " ");
            dt_render(t, p, q, 0, 1);
        }
    }

    dt_out_string(&t->out, plain ? "" : " |");

    return (char *) memchr(p, DT_OP_ROW, (size_t) (end - p)) + 1;
}


/* the line that tells how the columns are aligned */
static void
dt_grid_align(dt_text_t *t)
{
    unsigned i;
    uint8_t align;

    dt_box_next(t);
    dt_out_char(&t->out, '|');

    for (i = 0; i < t->table.columns; i++) {
        align = t->table.align[i];
        dt_out_string(&t->out, align == 'l'   ? " :-- |"
                               : align == 'c' ? " :-: |"
                               : align == 'r' ? " --: |"
                                              : " --- |");
    }
}


/* the line at hand becomes the one that waits, and that one is at hand */
static void
dt_grid_swap(dt_text_t *t)
{
    dt_bytes_t line = t->line;

    t->line = t->table.line;
    t->table.line = line;
}


/* writes the line that waits, then cells up to the byte at len, as blocks;
   returns behind them */
static char *
dt_grid_blocks(dt_text_t *t, size_t len)
{
    char *p = t->table.rows.data, *end = len ? p + len : p, *q;

    t->marked = 1;

    if (t->table.line.len) {
        dt_grid_swap(t);
        dt_inline_trim(t);
        dt_box_block(t);
        dt_render(t, t->line.data, t->line.data + t->line.len, 1, 0);
        t->line.len = 0;
        dt_grid_swap(t);
    }

    for (; p < end; p = q + 1) {
        q = *p == DT_OP_ROW ? p : memchr(p, DT_OP_CELL, (size_t) (end - p));

        if (q > p) {
            dt_box_block(t);
            dt_render(t, p, q, 1, 0);
        }
    }

    return p;
}


/* writes the table */
static void
dt_grid_rows(dt_text_t *t)
{
    char *p = dt_grid_blocks(t, t->table.alone);
    char *end = t->table.rows.data + t->table.rows.len;
    int first = 1;

    dt_box_block(t);

    while (p < end) {
        if (!first) {
            dt_box_next(t);
        }

        p = dt_grid_write(t, p, end);

        if (first && !t->o->plain) {
            dt_grid_align(t);
        }

        first = 0;
    }
}


/* writes the cells so far as blocks */
static void
dt_grid_cells(dt_text_t *t)
{
    if (t->table.rows.len || t->table.line.len) {
        (void) dt_grid_blocks(t, t->table.rows.len);
        t->table.rows.len = 0;
        t->table.alone = 0;
    }
}


/* adds to the rows; there is memory for it, or reading ends */
static void
dt_grid_add(dt_text_t *t, const char *p, size_t len)
{
    if (!dt_bytes_add(&t->table.rows, p, len)) {
        t->no_memory = 1;
    }
}


static void
dt_grid_mark(dt_text_t *t, char op)
{
    dt_grid_add(t, &op, 1);
}


void
dt_grid_part(dt_text_t *t)
{
    dt_grid_row_end(t);

    /* no cell goes on in the next one */
    memset(t->table.below, 0, sizeof(t->table.below));
}


void
dt_grid_row(dt_text_t *t)
{
    dt_grid_row_end(t);
    t->table.in_row = 1;
    t->table.column = 0;
}


void
dt_grid_row_end(dt_text_t *t)
{
    unsigned i;
    dt_grid_table_t *tab = &t->table;

    dt_grid_cell_end(t);

    if (!tab->in_row) {
        return;
    }

    for (i = tab->column; i < tab->reach; i++) {
        tab->below[i] = (uint16_t) (tab->below[i] - (tab->below[i] != 0));
    }

    tab->in_row = 0;

    if (tab->columns > 1) {
        tab->state = DT_GRID_DATA;
    }

    dt_grid_mark(t, DT_OP_ROW);

    if (tab->reach < 2) {
        tab->alone = tab->rows.len;
    }
}


/* a number of columns or rows that an attribute tells; none: the rest */
static unsigned
dt_grid_span(const dt_text_t *t, const char *name, unsigned none,
             unsigned most)
{
    long span = dt_attr_number(t, name);

    return span == 0            ? none
           : span < 0           ? 1
           : span < (long) most ? (unsigned) span
                                : most;
}


static uint8_t
dt_grid_aligned(const dt_text_t *t)
{
    char buf[256];
    ptrdiff_t n;
    const char *p = buf;

    n = dt_attr_value(t, "align", buf, sizeof(buf) - 1);

    if (n <= 0) {
        n = dt_attr_value(t, "style", buf, sizeof(buf) - 1);
        p = n > 0 ? memmem(buf, (size_t) n, "text-align:", 11) : NULL;

        if (p == NULL) {
            return 0;
        }

        p += 11;
    }

    buf[n] = '\0';
    p += strspn(p, " ");

    switch (dt_lower(*p)) {

    case 'l':
    case 'c':
    case 'r':
        return (uint8_t) dt_lower(*p);
    }

    return 0;
}


/* a cell begins: a line that is in none waits, and goes on behind the cell, as
   browsers show it */
static void
dt_grid_leave(dt_text_t *t)
{
    if (t->kind != DT_BLOCK_PARAGRAPH || !t->visible) {
        dt_block_flush(t);

    } else if (dt_bytes_room(&t->table.line, DT_TEXT_LINE)) {
        dt_inline_close_all(t);
        t->table.space = t->space;
        dt_grid_swap(t);

    } else {
        t->no_memory = 1;
    }

    dt_inline_reset(t);
}


/* it has ended */
static void
dt_grid_return(dt_text_t *t)
{
    dt_inline_reset(t);
    t->kind = DT_BLOCK_PARAGRAPH;

    if (t->table.line.len) {
        dt_grid_swap(t);
        t->tail = t->line.len;
        t->space = t->table.space;
        t->visible = 1;
        t->marked = 1;
    }
}


void
dt_grid_cell(dt_text_t *t, int heading)
{
    unsigned i, rows;
    dt_grid_table_t *tab = &t->table;

    if (!tab->in_row) {
        dt_grid_row(t);
    }

    dt_grid_cell_end(t);
    dt_grid_leave(t);
    t->kind = DT_BLOCK_CELL;

    for (; tab->column < DT_TEXT_COLUMNS && tab->below[tab->column];
         tab->column++) {
        tab->below[tab->column]--;
        dt_grid_mark(t, DT_OP_CELL);
    }

    if (heading) {
        tab->state = DT_GRID_DATA;
    }

    if (tab->column == DT_TEXT_COLUMNS) {
        tab->wide = 0;
        return;
    }

    tab->wide = dt_grid_span(t, "colspan", 1, DT_TEXT_COLUMNS - tab->column);
    rows = dt_grid_span(t, "rowspan", DT_GRID_ROWS, DT_GRID_ROWS);

    for (i = tab->column; i < tab->column + tab->wide; i++) {
        tab->below[i] = (uint16_t) (rows - 1);
    }

    tab->reach = tab->reach > i ? tab->reach : i;

    if (tab->columns <= tab->column) {
        tab->columns = tab->column + 1;
        tab->align[tab->column] = dt_grid_aligned(t);
    }
}


void
dt_grid_cell_end(dt_text_t *t)
{
    unsigned i;
    dt_grid_table_t *tab = &t->table;
    dt_bytes_t *rows = &tab->rows;

    if (t->kind != DT_BLOCK_CELL) {
        return;
    }

    dt_inline_close_all(t);
    dt_inline_trim(t);

    if (tab->wide == 0 && t->visible && rows->len) {
        /* a cell without a column goes on in the last one */

        rows->len--;

        if (rows->len && (unsigned char) rows->data[rows->len - 1] >= ' ') {
            dt_grid_mark(t, ' ');
        }

        tab->wide = 1;
        tab->column--;
    }

    if (tab->wide) {
        dt_grid_add(t, t->line.data, t->line.len);
    }

    for (i = 0; i < tab->wide; i++) {
        dt_grid_mark(t, DT_OP_CELL);
    }

    tab->column += tab->wide;
    dt_grid_return(t);
}


void
dt_grid_close(dt_text_t *t)
{
    dt_grid_row_end(t);
    dt_block_flush(t);

    if (t->no_memory) {
        t->table.rows.len = 0;

    } else if (t->table.rows.len && t->table.columns > 1) {
        dt_grid_rows(t);

    } else {
        dt_grid_cells(t);
    }

    t->table.state = DT_GRID_NONE;
}


int
dt_grid_block(dt_text_t *t)
{
    if (t->table.state == DT_GRID_DATA) {
        return 1;
    }

    dt_grid_cells(t);
    t->table.state = DT_GRID_NONE;
    t->table.in_row = 0;
    t->kind = DT_BLOCK_PARAGRAPH;

    return 0;
}
