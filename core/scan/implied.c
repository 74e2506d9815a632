
/*
 * Copyright (C) The detemplate authors
 *
 * End tags that are left out, as far as a start tag tells where they would be,
 * and what the element of that tag is then worth.
 */


#include "core/scan/soup.h"


/* what the start of an element closes; whether it closed anything */
static int
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
            dt_scan_end_moved(s, n, start);
        }

        break;

    case DT_TAG_OPTION:
    case DT_TAG_RUBY:
        if (dt_near(top, DT_TAG_OPTION)
            && dt_tag_find(top->name)->kind == tag->kind
            && top->name != DT_NAME_OPTGROUP
            && (tag->kind == DT_TAG_OPTION || dt_scan_scoped(s, DT_NAME_RUBY)))
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

    if (n && (tag->flags & DT_TAG_TABLE) && s->doctype != DT_DOCTYPE_KNOWN) {
        /* a parser has the table inside of it, or may */

        if (s->doctype) {
            dt_scan_lose(s, n - 1);
        }

    } else if (n && (tag->flags & DT_TAG_CLOSES_P)) {
        dt_scan_close_to(s, n, start, start, 0);
    }

    if (tag->kind == DT_TAG_HEADING
        && dt_tag_find(s->stack[s->depth].name)->kind == tag->kind)
    {
        dt_scan_unsound(s, &s->stack[s->depth]);
        dt_scan_close(s, start, 1);
    }

    return s->depth != depth;
}


/*
 * Whether all of e, which ends there, is cut, whatever becomes of what it is
 * in, and it closed no other itself.  Where an element begins is not noted
 * below what cannot be template, but there is no region in such a one either.
 */
static int
dt_scan_gone(const dt_scan_t *s, const dt_open_t *e, uint64_t end)
{
    const dt_region_t *r = &s->regions[s->nregions];

    return s->nregions && !(e->state & DT_OPEN_CLOSED) && !r[-1].weak
           && r[-1].start + r[-1].len == end && r[-1].start <= e->start;
}


/* whether all elements down to a depth, no longer on the stack, may end
   without an end tag */
static int
dt_scan_all_implied(const dt_scan_t *s, unsigned depth)
{
    while (depth > s->depth && (s->stack[depth].flags & DT_TAG_IMPLIED)) {
        depth--;
    }

    return depth <= s->depth;
}


int
dt_scan_close_for(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned depth = s->depth;

    if (!dt_scan_implied(s, tag, start)) {
        return -1;
    }

    return dt_scan_gone(s, &s->stack[s->depth + 1], start) ? 0
           : dt_scan_all_implied(s, depth)                 ? DT_OPEN_CLOSED
                                                           : DT_OPEN_GLUED;
}
