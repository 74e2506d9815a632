
/*
 * Copyright (C) The detemplate authors
 *
 * End tags that are left out, as far as a start tag tells where they would be,
 * and what the element of that tag is then worth.
 */


#include "core/scan/element.h"


/* a row, a cell, ... ends what stands in its table and in none of these */
static int
dt_scan_clear_table(dt_scan_t *s, uint64_t start)
{
    unsigned depth = s->depth, n = dt_scan_in_table(s);

    if (s->stack[n].flags & DT_TAG_TABLE) {
        dt_scan_close_above(s, n, start, 1);
    }

    return s->depth != depth;
}


/* the start of an element closes what may end without an end tag */
static void
dt_scan_implied(dt_scan_t *s, const dt_tag_t *tag, uint64_t start)
{
    unsigned n, k;
    dt_open_t *top = &s->stack[s->depth];

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

    case DT_TAG_OPTION:
    case DT_TAG_RUBY:
        if (dt_near(top, DT_TAG_OPTION)
            && dt_tag_find(top->name)->kind == tag->kind
            && top->name != DT_NAME_OPTGROUP
            && (tag->kind == DT_TAG_OPTION || dt_scan_scoped(s, DT_NAME_RUBY)))
        {
            dt_scan_close(s, start, 1);
        }

        break;
    }

    n = dt_near(&s->stack[s->depth], DT_TAG_P);

    if (n && (tag->flags & DT_TAG_CLOSES_P)
        && (!(tag->flags & DT_TAG_TABLE) || s->doctype == DT_DOCTYPE_KNOWN))
    {
        dt_scan_close_to(s, n, start, start, 0);
    }
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
    int cleared = 0;
    unsigned depth = s->depth;

    if ((tag->flags & DT_SOUP_FLAGS) && dt_soup_start(s, start, tag)) {
        return DT_SCAN_NONE;
    }

    if (tag->flags & DT_TAG_INTABLE) {
        cleared = dt_scan_clear_table(s, start);
    }

    if (tag->closes & s->stack[s->depth].near) {
        dt_scan_implied(s, tag, start);
    }

    if (tag->kind == DT_TAG_A || tag->kind == DT_TAG_HEADING
        || (tag->flags & (DT_TAG_TABLE | DT_TAG_RULE)))
    {
        dt_soup_begin(s, start, tag);
    }

    if (s->depth == depth) {
        return -1;
    }

    return cleared                                           ? DT_OPEN_GLUED
           : dt_scan_gone(s, &s->stack[s->depth + 1], start) ? 0
           : dt_scan_all_implied(s, depth)                   ? DT_OPEN_CLOSED
                                                             : DT_OPEN_GLUED;
}
