
/*
 * Copyright (C) The detemplate authors
 *
 * End tags that are left out, as far as a start tag tells where they would be.
 */


#include "core/scan/scan_i.h"


/* what the start of an element closes; whether it closed anything */
int
dt_scan_implied(dt_scan_t *s, const dt_tag_t *tag, uint64_t start)
{
    unsigned n, k, depth = s->depth;
    dt_open_t *top = &s->stack[depth];

    switch (tag->kind) {

    case DT_TAG_LI:
    case DT_TAG_D:
        n = dt_near(top, tag->kind);
        if (n) {
            dt_scan_close_to(s, n, start, start, 0);
        }

        break;

    case DT_TAG_CELL:
    case DT_TAG_ROW:
    case DT_TAG_SECTION:
        for (k = DT_TAG_CELL; k <= tag->kind; k++) {
            n = dt_near(&s->stack[s->depth], k);
            if (n) {
                dt_scan_close_to(s, n, start, start, 1);
            }
        }

        break;

    case DT_TAG_A:
        n = dt_near(top, DT_TAG_A);
        if (n) {
            s->moved = s->moved || n < s->depth;

            /* a parser goes on in what the link is around */

            for (k = n; k <= s->depth; k++) {
                s->stack[k].state |= DT_OPEN_UNSOUND;
            }

            dt_scan_close_to(s, n, start, start, 0);
        }

        break;

    case DT_TAG_OPTION:
    case DT_TAG_RUBY:
        if (dt_near(top, DT_TAG_OPTION)
            && dt_tag_find(top->name)->kind == tag->kind
            && top->name != DT_NAME_OPTGROUP)
        {
            dt_scan_close(s, start, 1);
            top--;
        }

        if (tag->name == DT_NAME_OPTGROUP && top->name == tag->name
            && top[-1].name == DT_NAME_SELECT)
        {
            dt_scan_close(s, start, 1);
        }

        break;
    }

    n = dt_near(&s->stack[s->depth], DT_TAG_P);
    if (n && (tag->flags & DT_TAG_CLOSES_P)) {
        if (tag->flags & DT_TAG_TABLE) {
            /* without a doctype, a parser has the table inside of it */
            s->stack[n].state |= DT_OPEN_GLUED;
        }

        dt_scan_close_to(s, n, start, start, 0);
    }

    return s->depth != depth;
}
