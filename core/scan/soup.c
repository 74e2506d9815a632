
/*
 * Copyright (C) The detemplate authors
 *
 * Tags that are not where they should be.  What a parser makes of them is
 * followed where that is simple.  Where it is not, as where it moves elements
 * into one another, what comes next stays: up to the end of an element around
 * it that ends for a parser as well, nothing is known.
 */


#include "core/scan/soup.h"


/* whether a parser that has another tree inside of e ends e where its own end
   tag is */
static int
dt_scan_holds(const dt_open_t *e)
{
    return (e->flags & DT_TAG_SPECIAL) && e->name != DT_NAME_FORM
           && (!(e->flags & DT_TAG_IMPLIED) || (e->flags & DT_TAG_INTABLE));
}


void
dt_scan_lose(dt_scan_t *s, unsigned n)
{
    dt_open_t *e;

    while (n && !dt_scan_holds(&s->stack[n])) {
        n--;
    }

    /* what it is in stays with it */
    dt_scan_kill(s);
    dt_line_left(s);
    s->shape = 0;

    for (; n <= s->depth; n++) {
        e = &s->stack[n];
        e->state |= DT_OPEN_UNSOUND;

        if (!s->recording) {
            e->state &= (uint8_t) ~(DT_OPEN_KNOWN | DT_OPEN_LINE);
        }
    }

    dt_scan_left_any(s);
}


void
dt_scan_end_moved(dt_scan_t *s, unsigned n, uint64_t start)
{
    unsigned k;

    for (k = n; k <= s->depth; k++) {
        s->stack[k].state |= DT_OPEN_UNSOUND;

        if (s->stack[k].flags & DT_TAG_SPECIAL) {
            /* a parser goes on in it, and has moved the other one into it */
            dt_scan_lose(s, n);
            return;
        }
    }

    dt_scan_close_to(s, n, start, start, 0);
}


int
dt_scan_part(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned n, depth = s->depth;

    for (n = depth; n; n--) {
        if (s->stack[n].flags & (DT_TAG_TABLE | DT_TAG_INTABLE)) {
            break;
        }
    }

    if (!(tag->flags & DT_TAG_INTABLE)) {
        if (n == 0
            || (s->stack[n].flags & (DT_TAG_TABLE | DT_TAG_SCOPE))
                   == DT_TAG_SCOPE)
        {
            return 0; /* in a cell or a caption; columns end */
        }

        while (s->stack[n].flags & DT_TAG_INTABLE) {
            n--;
        }

        dt_scan_close_to(s, n, start, start, 1);
        return 1;
    }

    if (n == 0) {
        dt_scan_unsound(s, &s->stack[depth]);
        return DT_SCAN_STRAY;
    }

    if (!(s->stack[n].flags & (DT_TAG_TABLE | DT_TAG_IMPLIED))
        && (n < depth || (s->stack[n].flags & DT_TAG_SCOPE)))
    {
        n--; /* a caption ends, or columns */
    }

    if (tag->kind == DT_TAG_OTHER && !(tag->flags & DT_TAG_VOID)) {
        /* a caption or columns stand in the table itself */
        while (s->stack[n].flags & DT_TAG_INTABLE) {
            n--;
        }
    }

    if (s->stack[n].flags & DT_TAG_TABLE) {
        dt_scan_close_above(s, n, start, 1);
    }

    return s->depth != depth;
}


unsigned
dt_scan_scoped(const dt_scan_t *s, uint64_t name)
{
    unsigned n = s->depth;

    while (n && s->stack[n].name != name) {
        if ((s->stack[n].flags & DT_TAG_SCOPE)
            && s->stack[n].name != DT_NAME_BUTTON) {
            return 0;
        }

        n--;
    }

    return n;
}


int
dt_scan_rule(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned n;

    if (tag->name == DT_NAME_NOBR) {
        s->odd++; /* no path names it */
        n = dt_scan_scoped(s, tag->name);

        if (n) {
            dt_scan_end_moved(s, n, start);
        }

        return n != 0;
    }

    if (tag->name == DT_NAME_BUTTON) {
        n = dt_scan_scoped(s, tag->name);

    } else if (tag->is & (DT_IS_SELECT | DT_IS_SELECT_END)) {
        n = dt_scan_select(s);

    } else if ((tag->flags & (DT_TAG_RAW | DT_TAG_NEST))
               && tag->name != DT_NAME_SCRIPT && tag->name != DT_NAME_TEMPLATE
               && dt_scan_select(s))
    {
        /* what is in it is no script, ... for a parser */
        dt_scan_give_up(s);
        return 1;

    } else {
        return 0;
    }

    if (n) {
        dt_scan_unsound(s, &s->stack[n]);
        dt_scan_close_to(s, n, start, start, 0);
    }

    return n != 0;
}


int
dt_scan_is_last(const dt_scan_t *s, unsigned n)
{
    unsigned k = s->depth;

    while (k > n && (s->stack[k].flags & DT_TAG_IMPLIED)) {
        k--;
    }

    return k == n;
}


/*
 * The end tag of a form lets another one begin, whatever it closes: so what it
 * is in goes with where the form began only.
 */
void
dt_scan_end_form(dt_scan_t *s)
{
    unsigned n;

    if (dt_scan_opens(s) || (s->open && s->goes_on == s->depth)) {
        /* formatting that was opened again in it goes on behind it, and with
           it what that stands in */
        dt_scan_unsound(s, &s->stack[s->depth]);
        n = dt_scan_inner(s, DT_NAME_FORM);

        if (n && n < s->depth) {
            dt_scan_lose(s, n);
        }
    }

    for (n = s->form ? s->depth : 0; n; n--) {
        if (s->stack[n].start >= s->form) {
            s->stack[n].state |= DT_OPEN_GLUED;
        }
    }

    s->form = 0;
}
