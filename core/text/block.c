
/*
 * Copyright (C) The detemplate authors
 *
 * The line that is held is written: as a paragraph, a heading, or cells that
 * are paragraphs.
 */


#include "core/text/state.h"


/*
 * The inside of a pre, as a fenced block of code.
 */


/* one more than the backticks with which a line of [p, end) begins, but 3 */
static size_t
dt_fence_for(const char *p, const char *end)
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


/* writes the line, of a pre; last: to its end */
static void
dt_fence_pre(dt_text_t *t, int last)
{
    size_t fence;
    const char *p, *q, *end = t->line + t->len;

    fence = dt_fence_for(t->line, end);

    if (t->continued && fence > t->fence && !t->plain) {
        dt_out_next(t);
        dt_out_ticks(t, t->fence);
        t->continued = 0;
        dt_out_next(t);

    } else if (!t->continued) {
        dt_out_block(t);
    }

    if (!t->continued) {
        t->fence = fence;

        if (!t->plain) {
            dt_out_ticks(t, fence);
            dt_out_bytes(t, t->lang, strlen(t->lang));
            dt_out_next(t);
        }
    }

    t->continued = 1;

    for (p = t->line; p < end; p = q + 1) {
        q = dt_op_find(p, end);
        dt_out_bytes(t, p, (size_t) (q - p));

        if (q < end && *q == '\n') {
            dt_out_next(t);

        } else if (q < end && *q != DT_OP_NONE) {
            dt_out_char(t, *q);
        }
    }

    if (last && !t->plain) {
        dt_out_next(t);
        dt_out_ticks(t, t->fence);
    }
}


#define DT_BLOCK_WORD 256 /* bytes of the longest word that is not broken */


void
dt_block_reset(dt_text_t *t)
{
    t->len = 0;
    t->tail = 0;
    t->nopen = 0;
    t->opened = 0;
    t->space = 0;
    t->visible = 0;
    t->continued = 0;
    t->partial = 0;
    t->marked = 0;
    memset(t->script_at, 0, sizeof(t->script_at));
    t->math_at = 0;
}


/* ends what is open, or removes it where nothing came after it */
void
dt_block_end(dt_text_t *t)
{
    unsigned op = t->open[--t->nopen];

    t->opened &= ~(1u << op);

    if (t->tail < t->len) {
        t->len--;

        if (op == DT_OP_LINK) {
            while (t->line[t->len] != DT_OP_LINK) {
                t->len--;
            }
        }

        return;
    }

    t->line[t->len++] = (char) (op + 1);
    t->tail = t->len;
}


/* writes the line as far as it is there */
static void
dt_block_write(dt_text_t *t)
{
    unsigned level;

    if (!t->continued) {
        dt_out_block(t);

        if (t->kind >= DT_BLOCK_H1 && t->kind <= DT_BLOCK_H6) {
            level = (unsigned) t->kind - DT_BLOCK_H1 + 1;

            if (t->json) {
                dt_out_flush(t);
                dt_json_heading(t, level);
            }

            if (!t->plain) {
                dt_out_bytes(t, "######", level);
                dt_out_char(t, ' ');
            }

            if (t->anchors && t->id_len) {
                dt_out_bytes(t, "<a id=\"", 7);
                dt_out_bytes(t, t->id, t->id_len);
                dt_out_bytes(t, "\"></a>", 6);
            }
        }
    }

    dt_render(t, t->line, t->line + t->len,
              !t->continued && t->kind == DT_BLOCK_PARAGRAPH, 0);
}


void
dt_block_flush(dt_text_t *t)
{
    char *p;

    if (t->kind == DT_BLOCK_ROW) {
        return;
    }

    if (t->kind == DT_BLOCK_PRE) {
        if (t->len && t->line[t->len - 1] == '\n') {
            t->len--;
        }

        if (t->len || t->continued) {
            dt_fence_pre(t, 1);
        }

        dt_block_reset(t);
        return;
    }

    if (!t->visible) {
        /* what is open goes on in the next block */
        t->space = 0;
        return;
    }

    while (t->nopen) {
        dt_block_end(t);
    }

    for (p = t->line + t->len; p > t->line && (unsigned char) p[-1] < ' '
                               && p[-1] != DT_OP_IMAGE_END;
         p--)
    {
        if (p[-1] == '\n') {
            p[-1] = DT_OP_NONE;
        }
    }

    dt_block_write(t);
    dt_block_reset(t);
}


void
dt_block_cells(dt_text_t *t)
{
    char *p, *q, *end = t->line + t->len;

    t->kind = DT_BLOCK_PARAGRAPH;
    t->table.in_cell = 0;

    for (p = t->line; (q = memchr(p, DT_OP_CELL, (size_t) (end - p))) != NULL;
         p = q + 1)
    {
        if (q > p) {
            dt_out_block(t);
            dt_render(t, p, q, 1, 0);
        }
    }

    t->tail -=
        (size_t) (p - t->line) < t->tail ? (size_t) (p - t->line) : t->tail;
    t->len = (size_t) (end - p);
    memmove(t->line, p, t->len);
}


/* takes the word that the line ends with, if more of it may come, off the line
   with the space before it; returns its length, or 0 */
static size_t
dt_block_word(dt_text_t *t, char word[DT_BLOCK_WORD])
{
    const char *end = t->line + t->len, *p = memrchr(t->line, ' ', t->len);
    size_t len = p != NULL ? (size_t) (end - p) - 1 : 0;

    if (t->space || len == 0 || len > DT_BLOCK_WORD
        || dt_op_find(p + 1, end) != end)
    {
        return 0;
    }

    memcpy(word, p + 1, len);
    t->len -= len + 1;
    t->tail = t->len;

    return len;
}


void
dt_block_spill(dt_text_t *t)
{
    char *p, word[DT_BLOCK_WORD];
    size_t rest = 0;

    if (t->kind == DT_BLOCK_ROW) {
        dt_block_cells(t);
        t->table.state = DT_GRID_NONE;

        if (t->len <= DT_TEXT_LINE / 2) {
            return;
        }
    }

    if (t->kind == DT_BLOCK_PRE) {
        /* the last line break may be the last byte of all */

        p = memrchr(t->line, '\n', t->len);

        if (p != NULL && p > t->line) {
            rest = t->len - (size_t) (p - t->line);
            t->len -= rest;
        }

        dt_fence_pre(t, 0);
        memmove(t->line, t->line + t->len, rest);
        t->len = rest;
        t->tail = rest;
        return;
    }

    rest = dt_block_word(t, word);
    memset(t->script_at, 0, sizeof(t->script_at));
    t->math_at = 0;

    while (t->nopen) {
        dt_block_end(t);
    }

    t->partial = 1;
    dt_block_write(t);
    t->len = 0;
    t->tail = 0;
    t->continued = 1;
    t->visible = 1;
    t->partial = 0;

    if (rest) {
        t->line[0] = ' ';
        memcpy(t->line + 1, word, rest);
        t->len = rest + 1;
        t->tail = t->len;
    }
}
