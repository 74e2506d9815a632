
/*
 * Copyright (C) The detemplate authors
 *
 * Bytes of the text, and what stands before the text of each line: the marks
 * of quotes and items, and the room of items that have begun.
 */


#include "core/text/text_i.h"


void
dt_out_flush(dt_text_t *t)
{
    if (t->out_len && !t->failed
        && (t->json == DT_JSON_TEXT
                ? dt_json_text(t)
                : t->out(t->out_data, t->out_buf, t->out_len)))
    {
        t->failed = 1;
    }

    t->out_len = 0;
}


void
dt_out_more(dt_text_t *t, const char *p, size_t len)
{
    size_t n;

    for (; len; p += n, len -= n) {
        if (t->out_len == DT_TEXT_OUT) {
            dt_out_flush(t);
        }

        n = DT_TEXT_OUT - t->out_len;
        n = n < len ? n : len;
        memcpy(t->out_buf + t->out_len, p, n);
        t->out_len += n;
    }
}


void
dt_out_ticks(dt_text_t *t, size_t len)
{
    while (len--) {
        dt_out_char(t, '`');
    }
}


/* the mark of an item that begins */
static void
dt_out_mark(dt_text_t *t, dt_box_t *item)
{
    char buf[16], *end = buf + sizeof(buf), *p = end;
    uint32_t number = item->number;
    const dt_box_t *list = item > t->boxes ? item - 1 : item;

    *--p = ' ';
    *--p = list->type < DT_BOX_ITEM ? (char) list->sign : '-';

    if (list->type == DT_BOX_OL) {
        do {
            *--p = (char) ('0' + number % 10);
            number /= 10;
        } while (number);
    }

    item->width = (uint8_t) (end - p);
    item->started = 1;
    dt_out_bytes(t, p, item->width);

    if (item->task) {
        dt_out_char(t, '[');
        dt_out_char(t, (char) item->task);
        dt_out_bytes(t, "] ", 2);
    }
}


static void
dt_out_prefix(dt_text_t *t)
{
    unsigned i;
    dt_box_t *b;

    for (i = 0; i < t->nboxes; i++) {
        b = &t->boxes[i];

        if (b->type == DT_BOX_QUOTE) {
            dt_out_bytes(t, "> ", 2);

        } else if (b->type == DT_BOX_ITEM) {
            if (b->started) {
                dt_out_bytes(t, "                ", b->width);

            } else {
                dt_out_mark(t, b);
            }
        }
    }
}


/* a line without text, inside of the quotes that go on */
static void
dt_out_blank(dt_text_t *t)
{
    unsigned i, n;

    for (n = t->common; n && t->boxes[n - 1].type != DT_BOX_QUOTE; n--) {
        /* void */
    }

    for (i = 0; i < n; i++) {
        if (t->boxes[i].type == DT_BOX_QUOTE) {
            dt_out_bytes(t, "> ", i + 1 < n ? 2 : 1);

        } else if (t->boxes[i].type == DT_BOX_ITEM) {
            dt_out_bytes(t, "                ", t->boxes[i].width);
        }
    }

    dt_out_char(t, '\n');
}


/*
 * Whether the first box that begins with a block is the next item of a list
 * that goes on, or the first one of a list that may begin right after text.
 */
static int
dt_out_tight(const dt_text_t *t)
{
    const dt_box_t *b = &t->boxes[t->common];

    if (t->common == t->nboxes) {
        return 0;
    }

    if (b->type == DT_BOX_ITEM) {
        return t->defined
               || (t->common && b[-1].type < DT_BOX_ITEM
                   && t->last > t->common);
    }

    return t->common && b[-1].type == DT_BOX_ITEM
           && (b->type == DT_BOX_UL
               || (b->type == DT_BOX_OL && b->number == 2))
           && t->common + 1 < t->nboxes && b[1].type == DT_BOX_ITEM;
}


void
dt_out_block(dt_text_t *t)
{
    unsigned i;

    /* a table goes on only line by line: a row behind a block begins another
     */
    t->table.written = 0;

    if (t->begun) {
        dt_out_char(t, '\n');

        if (!dt_out_tight(t)) {
            dt_out_blank(t);
        }

        /* lists side by side are two lists only if their marks differ */

        for (i = t->common; i < t->nboxes; i++) {
            if (t->boxes[i].type < DT_BOX_ITEM) {
                if (t->boxes[i].sign == t->list_end && !t->plain) {
                    t->boxes[i].sign = t->list_end == '-'   ? '*'
                                       : t->list_end == '.' ? ')'
                                       : t->list_end == ')' ? '.'
                                                            : '-';
                }

                break;
            }
        }
    }

    t->begun = 1;
    t->defined = 0;
    t->list_end = 0;
    dt_out_prefix(t);
    t->common = t->nboxes;
    t->last = t->nboxes;
}


void
dt_out_next(dt_text_t *t)
{
    dt_out_char(t, '\n');
    dt_out_prefix(t);
}


dt_box_t *
dt_out_open(dt_text_t *t, unsigned type, unsigned depth)
{
    dt_box_t *b;

    if (t->nboxes == DT_TEXT_BOXES) {
        return NULL;
    }

    b = &t->boxes[t->nboxes++];
    memset(b, 0, sizeof(dt_box_t));
    b->type = (uint8_t) type;
    b->depth = (uint16_t) depth;
    b->sign = type == DT_BOX_OL ? '.' : '-';
    b->step = 1;

    return b;
}


void
dt_out_close(dt_text_t *t, unsigned depth)
{
    while (t->nboxes && t->boxes[t->nboxes - 1].depth >= depth) {
        t->nboxes--;

        if (t->common > t->nboxes) {
            t->common = t->nboxes;

            if (t->boxes[t->nboxes].type < DT_BOX_ITEM) {
                t->list_end = t->boxes[t->nboxes].sign;
            }
        }
    }
}
