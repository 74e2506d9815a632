
/*
 * Copyright (C) The detemplate authors
 *
 * What is wanted by hand.  What is around an element that is kept is not cut
 * as a whole.  In it, the scanner goes on as usual, for the words of template
 * there count, but its regions are not cut.
 *
 * What is cut by hand is a list of its own beside that of regions, so that the
 * scanner decides about all of the page as if there were no such list;
 * rewrite.c merges both.  An element is in it when it has ended in bounds, and
 * in order; of those within one another, the outermost that does.
 */


#include "core/scan/region.h"


/*
 * What is wanted of the element whose start tag is s->token; *outer: see
 * dt_hand_match().
 */
static dt_hand_kind_t
dt_force_match(dt_scan_t *s, uint64_t around, uint64_t *outer)
{
    const dt_token_t *t = &s->token;

    *outer = 0;

    if (!t->whole) {
        /* its attributes are not known: it may have to be kept */
        return s->hand->keeps ? DT_HAND_KEEP : DT_HAND_NONE;
    }

    return dt_hand_match(s->hand, t, around, outer);
}


/* something that is kept begins */
static void
dt_force_keep(dt_scan_t *s)
{
    dt_scan_kill(s);
    dt_shape_kill(s);
    s->force = 0;
    s->nkept++;
}


/* an element that is kept begins in the line, or behind the heading, that
   waits */
static void
dt_force_keep_line(dt_scan_t *s)
{
    int heading = s->line == DT_LINE_HEADING;

    if (dt_line_waits(s)) {
        dt_region_stay(s, dt_line_first(s));
        dt_line_keep(s);
        s->line = heading ? DT_LINE_NONE : s->line;
    }
}


/* whether no word of what it follows and is followed by can be joined */
static int
dt_force_is_item(const dt_tag_t *tag)
{
    return (tag->flags & DT_TAG_INTABLE) || tag->kind == DT_TAG_LI
           || tag->kind == DT_TAG_D;
}


/*
 * Whether what begins at an offset, in the element e, and is wanted to be cut,
 * may be cut as a whole: a parser has it there, and no word joins another.  A
 * paragraph that it closed goes on behind it.
 */
static int
dt_force_may(dt_scan_t *s, const dt_open_t *e, uint64_t start,
             const dt_tag_t *tag, int closed)
{
    const dt_token_t *t = &s->token;

    s->wanted = start + 1;

    if (s->force
        && start + (uint64_t) (t->end - t->start) - s->force_start
               > DT_SCAN_HOLD)
    {
        /* the one around it is too long, wherever pieces end */
        s->force = 0;
    }

    return !s->force && t->whole && (t->regular || dt_token_markable(t))
           && t->rest - t->start < 255 && closed != DT_OPEN_GLUED
           && (!(e->flags & DT_TAG_TABLE)
               || (tag->flags & (DT_TAG_INTABLE | DT_TAG_SILENT)))
           && (!(tag->flags & DT_TAG_SPECIAL) || dt_force_is_item(tag)
               || !dt_scan_glued(s));
}


static void
dt_force_begin(dt_scan_t *s, unsigned depth, uint64_t start)
{
    s->force = depth;
    s->force_start = start;
    s->force_at = (uint8_t) (s->token.rest - s->token.start);
}


void
dt_force_open(dt_scan_t *s, dt_open_t *e, uint64_t start, const dt_tag_t *tag,
              int closed)
{
    uint64_t outer, around;
    dt_outer_t *o;
    dt_hand_kind_t kind;

    around = dt_hand_around(s);
    kind = dt_force_match(s, around, &outer);

    if (outer & ~around) {
        while (!dt_hand_is_open(s, s->nouters)) {
            s->nouters--;
        }

        /* each has a bit more than the one around it, so there is room */

        o = &s->outers[s->nouters++];
        o->start = start;
        o->around = around | outer;
        o->depth = s->depth;
        e->start = start;
    }

    if (kind == DT_HAND_KEEP) {
        dt_force_keep(s);
        dt_force_keep_line(s);
        s->kept = s->depth;
        s->kept_start = start;
        e->len = 0;

    } else if (kind == DT_HAND_FORCE
               && dt_force_may(s, e - 1, start, tag, closed)) {
        dt_force_begin(s, s->depth, start);
        e->len = 0;
    }
}


/* adds what begins and ends at these offsets to the list */
static void
dt_force_add(dt_scan_t *s, uint64_t start, uint64_t end)
{
    uint32_t n;
    dt_forced_t *f;

    if (s->nforced >= DT_SCAN_FORCED
        && s->nforced - dt_scan_forced(s, dt_scan_decided(s, end, &n))
               >= DT_SCAN_FORCED)
    {
        /* too many are in something that is not decided */
        return;
    }

    if (s->nforced == sizeof(s->forced) / sizeof(s->forced[0])) {
        return;
    }

    f = &s->forced[s->nforced++];
    f->start = start;
    f->len = (uint32_t) (end - start);
    f->at = s->force_at;
}


dt_hand_kind_t
dt_force_leaf(dt_scan_t *s, uint64_t start, const dt_tag_t *tag, int closed)
{
    uint64_t outer;
    dt_hand_kind_t kind;
    const dt_token_t *t = &s->token;

    kind = dt_force_match(s, dt_hand_around(s), &outer);

    if (kind == DT_HAND_KEEP) {
        dt_force_keep(s);

    } else if (kind == DT_HAND_FORCE
               && dt_force_may(s, &s->stack[s->depth], start, tag, closed))
    {
        dt_force_begin(s, DT_FORCE_LEAF, start);

        if ((tag->flags & DT_TAG_VOID)
            || (t->name != DT_NAME_TEMPLATE && (tag->flags & DT_TAG_NEST)
                && dt_token_closed(t)))
        {
            dt_force_end(s, start + (uint64_t) (t->end - t->start));
        }
    }

    return kind;
}


void
dt_force_page(dt_scan_t *s, uint64_t start)
{
    uint64_t outer;

    if (dt_force_match(s, dt_hand_around(s), &outer) == DT_HAND_KEEP) {
        dt_force_keep(s);
        s->kept = DT_FORCE_LEAF;
        s->kept_start = start;
    }

    s->around |= outer;
}


void
dt_force_nest(dt_scan_t *s)
{
    uint64_t outer;

    if (dt_force_match(s, dt_hand_around(s), &outer) == DT_HAND_KEEP) {
        dt_force_keep(s);
    }
}


void
dt_force_end(dt_scan_t *s, uint64_t end)
{
    s->force = 0;

    if (end - s->force_start <= DT_SCAN_HOLD) {
        dt_force_add(s, s->force_start, end);
    }
}


void
dt_force_close(dt_scan_t *s, uint64_t end)
{
    const dt_open_t *e = &s->stack[s->depth];

    if (s->depth == s->force) {
        if ((e->state & DT_OPEN_UNSOUND) || s->form > s->force_start) {
            s->force = 0;
            return;
        }

        dt_force_end(s, end);
    }
}


void
dt_force_closed(dt_scan_t *s, const dt_open_t *e)
{
    uint32_t n = s->nregions;

    while (n && s->regions[n - 1].start >= s->kept_start) {
        n--;
    }

    dt_region_stay(s, n);
    s->nregions = n;
    s->kept = 0;

    if (dt_line_waits(s)) {
        s->line = e->state & DT_OPEN_LINE ? DT_LINE_STAYS : DT_LINE_NONE;
    }
}
