
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/box.h"
#include "core/text/out.h"


/* the mark of an item that begins */
static void
dt_box_mark(dt_text_t *t, dt_box_t *item)
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
    dt_out_bytes(&t->out, p, item->width);

    if (item->task) {
        dt_out_char(&t->out, '[');
        dt_out_char(&t->out, (char) item->task);
        dt_out_bytes(&t->out, "] ", 2);
    }
}


static void
dt_box_prefix(dt_text_t *t)
{
    unsigned i;
    dt_box_t *b;

    for (i = 0; i < t->nboxes; i++) {
        b = &t->boxes[i];

        if (b->type == DT_BOX_QUOTE) {
            dt_out_bytes(&t->out, "> ", 2);

        } else if (b->type == DT_BOX_ITEM) {
            if (b->started) {
                dt_out_bytes(&t->out, "                ", b->width);

            } else {
                dt_box_mark(t, b);
            }
        }
    }
}


/* a line without text, inside of the quotes that go on */
static void
dt_box_blank(dt_text_t *t)
{
    unsigned i, n;

    for (n = t->common; n && t->boxes[n - 1].type != DT_BOX_QUOTE; n--) {
        /* void */
    }

    for (i = 0; i < n; i++) {
        if (t->boxes[i].type == DT_BOX_QUOTE) {
            dt_out_bytes(&t->out, "> ", i + 1 < n ? 2 : 1);

        } else if (t->boxes[i].type == DT_BOX_ITEM) {
            dt_out_bytes(&t->out, "                ", t->boxes[i].width);
        }
    }

    dt_out_char(&t->out, '\n');
}


/*
 * Whether the first box that begins with a block is the next item of a list
 * that goes on, or the first one of a list that may begin right after text.
 */
static int
dt_box_tight(const dt_text_t *t)
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
dt_box_block(dt_text_t *t)
{
    unsigned i;

    if (t->begun) {
        dt_out_char(&t->out, '\n');

        if (!dt_box_tight(t)) {
            dt_box_blank(t);
        }

        /* lists side by side are two lists only if their marks differ */

        for (i = t->common; i < t->nboxes; i++) {
            if (t->boxes[i].type < DT_BOX_ITEM) {
                if (t->boxes[i].sign == t->list_end && !t->o->plain) {
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
    dt_box_prefix(t);
    t->common = t->nboxes;
    t->last = t->nboxes;
}


void
dt_box_next(dt_text_t *t)
{
    dt_out_char(&t->out, '\n');
    dt_box_prefix(t);
}


dt_box_t *
dt_box_open(dt_text_t *t, unsigned type, unsigned depth)
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
dt_box_close(dt_text_t *t, unsigned depth)
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
