
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/block.h"
#include "core/text/box.h"
#include "core/text/inline.h"
#include "core/text/out.h"
#include "core/text/render.h"


/* one more than the backticks with which a line of [p, end) begins, but 3 */
static size_t
dt_block_fence(const char *p, const char *end)
{
    size_t n, most = 3;

    while (p < end) {
        while (p < end && *p == ' ') {
            p++;
        }

        for (n = 0; p < end && *p == '`'; p++) {
            n++;
        }

        most = n >= most ? n + 1 : most;
        p = dt_find(p, end, '\n');
        p += p < end;
    }

    return most;
}


/* writes the line, of a pre */
static void
dt_block_pre(dt_text_t *t)
{
    const char *p, *q, *end = t->line.data + t->line.len;
    size_t fence = dt_block_fence(t->line.data, end);

    dt_box_block(t);

    if (!t->o->plain) {
        dt_out_run(&t->out, '`', fence);
        dt_out_string(&t->out, t->lang);
        dt_box_next(t);
    }

    for (p = t->line.data; p < end; p = q + 1) {
        q = dt_op_find(p, end);
        dt_out_bytes(&t->out, p, (size_t) (q - p));

        if (q < end && *q == '\n') {
            dt_box_next(t);

        } else if (q < end && *q != DT_OP_NONE) {
            dt_out_char(&t->out, *q);
        }
    }

    if (!t->o->plain) {
        dt_box_next(t);
        dt_out_run(&t->out, '`', fence);
    }
}


/* writes the mark and the anchor of a heading, and notes it for JSON */
static void
dt_block_heading(dt_text_t *t)
{
    unsigned level = (unsigned) t->kind - DT_BLOCK_H1 + 1;

    if (t->o->json) {
        dt_json_heading(t, level);
    }

    if (!t->o->plain) {
        dt_out_run(&t->out, '#', level);
        dt_out_char(&t->out, ' ');
    }

    if (t->o->anchors && !t->o->plain && t->id_len) {
        dt_out_string(&t->out, "<a id=\"");
        dt_out_bytes(&t->out, t->id, t->id_len);
        dt_out_string(&t->out, "\"></a>");
    }
}


void
dt_block_flush(dt_text_t *t)
{
    char *line = t->line.data;

    if (t->kind == DT_BLOCK_CELL) {
        return;
    }

    if (t->kind == DT_BLOCK_PRE) {
        t->line.len -= t->line.len && line[t->line.len - 1] == '\n';

        if (t->line.len) {
            dt_block_pre(t);
        }

        dt_inline_reset(t);
        return;
    }

    if (!t->visible) {
        /* operations that are open go on in the next block */
        t->space = 0;
        return;
    }

    dt_inline_close_all(t);

    dt_inline_trim(t);
    line = t->line.data;

    dt_box_block(t);

    if (dt_text_is_heading(t)) {
        dt_block_heading(t);
    }

    dt_render(t, line, line + t->line.len, t->kind == DT_BLOCK_PARAGRAPH, 0);
    dt_inline_reset(t);
}


void
dt_block_break(dt_text_t *t)
{
    if (t->kind == DT_BLOCK_PRE) {
        if (t->line.len && t->line.data[t->line.len - 1] != '\n') {
            (void) dt_inline_break(t);
        }

    } else if (t->kind == DT_BLOCK_PARAGRAPH) {
        dt_block_flush(t);

    } else if (t->kind == DT_BLOCK_CELL) {
        (void) dt_inline_break(t);

    } else {
        t->space = 1;
    }
}


void
dt_block_line(dt_text_t *t)
{
    if (!dt_inline_break(t)) {
        dt_block_flush(t);
    }
}
