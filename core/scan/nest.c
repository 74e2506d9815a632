
/*
 * Copyright (C) The detemplate authors
 *
 * The insides of svg, math and template: only their end matters, and what of
 * HTML ends them.
 */


#include "core/scan/soup.h"


/* elements in which nothing goes on of what is open around them: a template
   that ends before one of them leaves a parser with what was open in it */
#define DT_NEST_MARKERS (DT_IS_OBJECT | DT_IS_CELL | DT_IS_CAPTION)


/* whether HTML may stand in an element of svg or math, or in what is in it */
static int
dt_scan_is_point(uint64_t nest, uint64_t name)
{
    switch (name) {

    case DT_NAME_SVG:
    case DT_NAME_MATH:
        return name != nest;

    case dt_letters('d', 'e', 's', 'c', 0, 0, 0, 0):
    case dt_letters('t', 'i', 't', 'l', 'e', 0, 0, 0):
    case dt_letters('f', 'o', 'r', 'e', 'i', 'g', 'n', 'o')
        ^ dt_letters('b', 'j', 'e', 'c', 't', 0, 0, 0) * DT_NAME_FOLD:
        return nest == DT_NAME_SVG;

    case dt_letters('m', 'i', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 'o', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 'n', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 's', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 't', 'e', 'x', 't', 0, 0, 0):
    case dt_letters('a', 'n', 'n', 'o', 't', 'a', 't', 'i')
        ^ dt_letters('o', 'n', '-', 'x', 'm', 'l', 0, 0) * DT_NAME_FOLD:
        return nest == DT_NAME_MATH;
    }

    return 0;
}


/* a start tag inside of template */
static void
dt_scan_in_template(dt_scan_t *s, const dt_tag_t *tag)
{
    s->point += (tag->is & DT_NEST_MARKERS) != 0;

    if (tag->name == DT_NAME_TEMPLATE && s->token.whole) {
        s->nested++;

    } else if (tag->flags & DT_TAG_RAW) {
        s->raw = s->token.name;
        s->state = DT_SCAN_RAW;
    }
}


int
dt_scan_nest_start(dt_scan_t *s, const dt_tag_t *tag)
{
    uint64_t name = s->token.name;

    if (s->nest == DT_NAME_TEMPLATE) {
        dt_scan_in_template(s, tag);
        return 0;
    }

    if (tag->is & DT_IS_SVG_END) {
        if (!s->point && name != DT_NAME_FONT) {
            dt_scan_unsound(s, &s->stack[s->depth]);
            s->nest = 0;
            return 1;
        }

        /* it may stand in what svg and math have for HTML; and what a font is
           depends on its attributes */
        dt_scan_lose(s, s->depth);
    }

    s->point |= dt_scan_is_point(s->nest, name);
    s->nested +=
        name == s->nest && s->token.whole && !dt_token_closed(&s->token);

    return 0;
}


void
dt_scan_nest_end(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n;

    if (name == s->nest && --s->nested == 0) {
        if (s->point && name == DT_NAME_TEMPLATE) {
            dt_scan_unsound(s, &s->stack[s->depth]);
            dt_scan_left_any(s);
        }

        s->nest = 0;
        return;
    }

    if (s->nest == DT_NAME_TEMPLATE) {
        s->point -= (tag->is & DT_NEST_MARKERS) != 0;
        return;
    }

    /* it ends them where it is that of an element around them, and nothing in
       them has its name; those of a p and a br do by the standard of today,
       but not by older ones */

    n = tag->name ? dt_scan_inner(s, name) : 0;
    s->odd += (tag->flags & DT_TAG_STYLE) /* no path names it */
              || (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR));

    if (n) {
        dt_scan_lose(s, n - 1);

    } else if (name == DT_NAME_P || name == DT_NAME_BR
               || (s->open && (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR))))
    {
        dt_scan_lose(s, s->depth);
    }
}
