
/*
 * Copyright (C) The detemplate authors
 *
 * The insides of svg, math, template and noscript.  Only their end matters: no
 * part of them is ever cut.
 *
 * Parsers do not agree where they end when tags inside are out of order, when
 * HTML stands in svg or math, or when the inside of noscript is text to one
 * parser and HTML to another.  So each element inside must end in order, and
 * no tag may do more than to begin or end one element.  Otherwise the rest of
 * the page passes.
 */


#include "core/scan/element.h"


/* whether HTML may stand in this element of svg or math */
static int
dt_nest_is_point(uint64_t name)
{
    switch (name) {

    case dt_letters('d', 'e', 's', 'c', 0, 0, 0, 0):
    case dt_letters('t', 'i', 't', 'l', 'e', 0, 0, 0):
    case dt_letters('f', 'o', 'r', 'e', 'i', 'g', 'n', 'o')
        ^ dt_letters('b', 'j', 'e', 'c', 't', 0, 0, 0) * DT_NAME_FOLD:
    case dt_letters('m', 'i', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 'o', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 'n', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 's', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 't', 'e', 'x', 't', 0, 0, 0):
    case dt_letters('a', 'n', 'n', 'o', 't', 'a', 't', 'i')
        ^ dt_letters('o', 'n', '-', 'x', 'm', 'l', 0, 0) * DT_NAME_FOLD:
        return 1;
    }

    return 0;
}


/* whether a start tag inside of svg or math only begins an element there */
static int
dt_nest_is_foreign(const dt_scan_t *s, const dt_tag_t *tag)
{
    return !(tag->is & DT_IS_SVG_END) && tag->name != DT_NAME_FONT
           && (!(tag->flags & DT_TAG_NEST) || tag->name == s->nest)
           && (s->ninner == 0 || !dt_nest_is_point(s->inner[s->ninner - 1]));
}


/* whether a table, or a part of one, begins there and ends none outside */
static int
dt_nest_is_table(const dt_scan_t *s, const dt_tag_t *tag)
{
    unsigned n = s->ninner;

    if (tag->flags & DT_TAG_INTABLE) {
        while (n && s->inner[n - 1] != DT_NAME_TABLE) {
            n--;
        }

        return n != 0;
    }

    return !(s->stack[dt_scan_in_table(s)].flags & DT_TAG_TABLE);
}


/* the same of a start tag inside of template and noscript */
static int
dt_nest_is_plain(const dt_scan_t *s, const dt_tag_t *tag)
{
    if ((tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
        && !dt_nest_is_table(s, tag))
    {
        return 0;
    }

    if ((tag->flags & DT_TAG_NEST) || (tag->is & DT_IS_OBJECT)
        || tag->name == DT_NAME_NOSCRIPT
        || ((tag->flags & DT_TAG_RAW) && s->nest == DT_NAME_TEMPLATE)
        || (tag->closes & s->stack[s->depth].near))
    {
        return 0;
    }

    return tag->kind == DT_TAG_FORM
               ? !s->form
               : !(tag->flags & DT_TAG_RULE) || (tag->flags & DT_TAG_VOID);
}


/* whether a tag is there for each parser: who executes scripts sees the end of
   noscript in an attribute as well */
static int
dt_nest_is_whole(const dt_scan_t *s)
{
    const dt_token_t *t = &s->token;

    return t->whole
           && (s->nest != DT_NAME_NOSCRIPT
               || dt_find(t->start + 1, t->end, '<') == t->end);
}


void
dt_scan_nest_start(dt_scan_t *s, const dt_tag_t *tag)
{
    int foreign = s->nest == DT_NAME_SVG || s->nest == DT_NAME_MATH;

    if (dt_force_wants(s)) {
        dt_force_nest(s);
    }

    if (!dt_nest_is_whole(s) || s->ninner == DT_SCAN_INNER
        || !(foreign ? dt_nest_is_foreign(s, tag) : dt_nest_is_plain(s, tag)))
    {
        dt_scan_give_up(s);
        return;
    }

    if (foreign ? dt_token_closed(&s->token) : (tag->flags & DT_TAG_VOID)) {
        return;
    }

    s->inner[s->ninner++] = s->token.name;

    if (!foreign && (tag->flags & DT_TAG_RAW)) {
        s->raw = s->token.name;
        s->state = DT_SCAN_RAW;
    }
}


void
dt_scan_nest_end(dt_scan_t *s, uint64_t name)
{
    uint64_t inner = s->ninner ? s->inner[s->ninner - 1] : s->nest;

    if (name != inner || !dt_nest_is_whole(s)) {
        dt_scan_give_up(s);

    } else if (s->ninner) {
        s->ninner--;

    } else {
        s->nest = 0;
    }
}
