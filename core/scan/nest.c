
/*
 * Copyright (C) The detemplate authors
 *
 * The insides of svg, math, template and noscript: only their end matters, and
 * what of HTML ends them.
 *
 * Where they end is not always plain.  HTML may stand in some elements of svg
 * and math (points), and svg and math in a template; noscript is text for who
 * executes scripts, and HTML for others.  There each element is to end as it
 * began, and none to be one that does more than that: where they do not keep
 * to it, nothing behind them is cut.
 */


#include "core/scan/soup.h"


/* elements in which nothing goes on of what is open around them: a template
   that ends before one of them leaves a parser with what was open in it */
#define DT_NEST_MARKERS                                                       \
    (DT_IS_OBJECT | DT_IS_CELL | DT_IS_CAPTION | DT_IS_TEMPLATE)


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


/* whether who executes scripts sees the end of noscript in a tag */
static int
dt_scan_has_end(const dt_token_t *t)
{
    uint64_t name;
    const char *p = t->start + 1;

    for (; (p = dt_find(p, t->end, '<')) < t->end; p++) {
        if (t->end - p > 1 && p[1] == '/') {
            (void) dt_name_read(p + 2, t->end, &name);

            if (name == DT_NAME_NOSCRIPT) {
                return 1;
            }
        }
    }

    return 0;
}


static int
dt_scan_is_inner(const dt_scan_t *s, uint64_t name)
{
    unsigned n = s->ninner;

    while (n && s->inner[n - 1] != name) {
        n--;
    }

    return n != 0;
}


/* whether a table would end the one that it stands in, but for its cells */
static int
dt_scan_in_rows(const dt_scan_t *s)
{
    unsigned n = s->depth;

    while (n && !(s->stack[n].flags & (DT_TAG_TABLE | DT_TAG_INTABLE))) {
        n--;
    }

    return (s->stack[n].flags & DT_TAG_TABLE) != 0;
}


/* whether a start tag may do more than to begin an element */
static int
dt_scan_is_strange(const dt_scan_t *s, const dt_tag_t *tag)
{
    if (!s->token.whole || s->ninner == DT_SCAN_INNER
        || (tag->flags & DT_TAG_NEST) || tag->name == DT_NAME_NOSCRIPT)
    {
        return 1;
    }

    if (s->nest == DT_NAME_TEMPLATE) {
        return (tag->is & DT_IS_SVG_END) || tag->name == DT_NAME_FONT
               || dt_scan_is_point(s->inner[0], s->inner[s->ninner - 1]);
    }

    switch (tag->kind) {

    case DT_TAG_STOP:
    case DT_TAG_BODY:
    case DT_TAG_HTML:
    case DT_TAG_HEADTAG:
        return 1;

    case DT_TAG_FORM:
        return s->form != 0;
    }

    return ((tag->flags & DT_TAG_RAW) && s->nest != DT_NAME_NOSCRIPT)
           || ((tag->flags & DT_TAG_RULE) && !(tag->flags & DT_TAG_VOID))
           || ((tag->flags & DT_TAG_INTABLE)
               && !dt_scan_is_inner(s, DT_NAME_TABLE))
           || (s->nest == DT_NAME_NOSCRIPT
               && (dt_scan_has_end(&s->token)
                   || ((tag->flags & DT_TAG_CLOSES_P)
                       && dt_near(&s->stack[s->depth], DT_TAG_P))
                   || ((tag->flags & DT_TAG_TABLE) && dt_scan_in_rows(s))));
}


/* a start tag where each element is to end as it began */
static void
dt_scan_inner_start(dt_scan_t *s, const dt_tag_t *tag)
{
    if (dt_scan_is_strange(s, tag)) {
        dt_scan_give_up(s);
        return;
    }

    if (s->nest == DT_NAME_TEMPLATE ? dt_token_closed(&s->token)
                                    : (tag->flags & DT_TAG_VOID))
    {
        return;
    }

    s->inner[s->ninner++] = s->token.name;

    if (s->nest == DT_NAME_NOSCRIPT && (tag->flags & DT_TAG_RAW)) {
        s->raw = s->token.name;
        s->state = DT_SCAN_RAW;
    }
}


/* whether svg or math ends there: in a point itself, as outside of it */
static int
dt_scan_is_own(const dt_scan_t *s, uint64_t name)
{
    return s->ninner == 1 && name == s->nest && name != DT_NAME_TEMPLATE
           && name != DT_NAME_NOSCRIPT;
}


static void
dt_scan_inner_end(dt_scan_t *s, uint64_t name)
{
    if (s->ninner && s->inner[s->ninner - 1] == name
        && (s->nest != DT_NAME_NOSCRIPT
            || (s->token.whole && !dt_scan_has_end(&s->token))))
    {
        s->ninner--;
        return;
    }

    dt_scan_give_up(s);
}


/* the first of them: a point, or svg and math in a template */
static void
dt_scan_inner_first(dt_scan_t *s)
{
    if (!s->token.whole) {
        dt_scan_give_up(s);

    } else if (!dt_token_closed(&s->token)) {
        s->inner[0] = s->token.name;
        s->ninner = 1;
    }
}


/* a start tag inside of template */
static void
dt_scan_in_template(dt_scan_t *s, const dt_tag_t *tag)
{
    if (tag->is & DT_IS_ISLAND) {
        dt_scan_inner_first(s);
        return;
    }

    /* of what begins in these, a parser leaves most out; an object may have
       ended in the table that it was in, without its marker */

    s->unsure |=
        tag->name == DT_NAME_SELECT || tag->name == DT_NAME_COL
        || ((tag->flags & DT_TAG_INTABLE) && s->point
            && (dt_tag_find(s->marked[s->point - 1])->is & DT_IS_OBJECT));

    if (tag->name == DT_NAME_NOSCRIPT
        || ((tag->flags & DT_TAG_RAW)
            && (tag->kind == DT_TAG_STOP
                || (s->unsure && tag->name != DT_NAME_SCRIPT))))
    {
        dt_scan_give_up(s);
        return;
    }

    if ((tag->is & DT_NEST_MARKERS) && s->point < DT_SCAN_MARKED) {
        s->marked[s->point++] = tag->name;
    }

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

    if (s->nest == DT_NAME_NOSCRIPT
        || (s->nest == DT_NAME_TEMPLATE && s->ninner)) {
        dt_scan_inner_start(s, tag);
        return 0;
    }

    if (s->nest == DT_NAME_TEMPLATE) {
        dt_scan_in_template(s, tag);
        return 0;
    }

    if (tag->is & DT_IS_SVG_END) {
        if (!s->ninner && name != DT_NAME_FONT) {
            dt_scan_unsound(s, &s->stack[s->depth]);
            s->nest = 0;
            return 1;
        }

        /* it stands in what svg and math have for HTML; or it is a font, and
           what that is depends on its attributes */
        dt_scan_lose(s, s->depth);
        s->unsure |= !s->ninner;
    }

    if (s->unsure && (tag->flags & (DT_TAG_RAW | DT_TAG_NEST))) {
        dt_scan_give_up(s);

    } else if (s->ninner) {
        dt_scan_inner_start(s, tag);

    } else if (dt_scan_is_point(s->nest, name)) {
        s->point = 1;
        dt_scan_inner_first(s);

    } else {
        s->nested +=
            name == s->nest && s->token.whole && !dt_token_closed(&s->token);
    }

    return 0;
}


void
dt_scan_nest_end(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n;

    if (s->ninner ? !dt_scan_is_own(s, name)
                  : s->nest == DT_NAME_NOSCRIPT && name != s->nest)
    {
        dt_scan_inner_end(s, name);
        return;
    }

    s->ninner = 0;

    if (name == s->nest && --s->nested == 0) {
        if (s->point && name == DT_NAME_TEMPLATE) {
            dt_scan_unsound(s, &s->stack[s->depth]);
            dt_scan_left_any(s);
        }

        s->nest = 0;
        return;
    }

    if (s->nest == DT_NAME_TEMPLATE) {
        /* of too many, none ends; nor, maybe, in a select */
        s->point -= s->point && !s->unsure && s->point < DT_SCAN_MARKED
                    && s->marked[s->point - 1] == name;
        return;
    }

    /* it ends them where it is that of an element around them, and nothing in
       them has its name; those of a p and a br do by the standard of today,
       but not by older ones */

    n = dt_scan_inner(s, name);
    s->odd += (tag->flags & DT_TAG_STYLE) /* no path names it */
              || (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR));

    if (tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML) {
        dt_scan_ended(s);
    }

    if (n || name == DT_NAME_P || name == DT_NAME_BR
        || (s->open && (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR))))
    {
        dt_scan_lose(s, n ? n - 1 : s->depth);
        s->unsure = 1;
    }
}
