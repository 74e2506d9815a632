
/*
 * Copyright (C) The detemplate authors
 *
 * What tags do: which begin and end elements, which stand alone, and which
 * open something that is not looked at.
 */


#include "core/scan/soup.h"
#include "core/template/table.h"


/* an element without an inside, which may be template by itself; closed: its
   tag closed another element, which would go on without it */
static void
dt_scan_void(dt_scan_t *s, uint64_t sum, uint64_t start, int closed)
{
    int weak = closed || dt_scan_opens(s) || dt_scan_glued(s);
    size_t slot;
    uint64_t path, key, end;
    dt_open_t *e = &s->stack[s->depth];
    dt_record_t *rec;

    path = dt_key_path(e->path, s->token.name);
    key = dt_key_node(path, sum);
    end = start + (uint64_t) (s->token.end - s->token.start);

    if (s->recording) {
        rec = dt_scan_record(s);
        if (rec == NULL) {
            s->state = DT_SCAN_PASS;
            return;
        }

        rec->key = key;
        rec->start_key = dt_key_start(path, sum);
        rec->path = path;
        rec->name = s->token.name;
        rec->start = (uint32_t) start;
        rec->end = (uint32_t) end;
        rec->weak = (uint32_t) weak;
        rec->parent = s->depth ? e->mark : UINT32_MAX;
        return;
    }

    slot = dt_table_find(s->nodes, s->node_bits, key);

    if (slot == DT_TABLE_NONE || (s->info[slot] & DT_NODE_START)
        || (s->keep_links && s->token.name == DT_NAME_AREA))
    {
        dt_scan_kill(s);
        return;
    }

    (void) dt_scan_region(
        s, start, end, 0, (unsigned) (s->token.rest - s->token.start),
        weak || !dt_scan_is_strong(s, s->info[slot]), s->line == DT_LINE_GONE);
}


/* an element whose inside is not looked at: part of what is around it */
static void
dt_scan_leaf(dt_scan_t *s, const dt_tag_t *tag, uint64_t start, int closed)
{
    uint64_t sum, name = s->token.name;
    dt_open_t *e = &s->stack[s->depth];

    if (!s->token.whole || !(s->token.regular || dt_token_markable(&s->token))
        || ((e->flags & DT_TAG_TABLE)
            && !(tag->flags & (DT_TAG_INTABLE | DT_TAG_SILENT))
            && tag->kind != DT_TAG_FORM))
    {
        dt_scan_unsound(s, e);
        return;
    }

    if (!(e->state & DT_OPEN_KNOWN) || (tag->flags & DT_TAG_SILENT)) {
        return;
    }

    if (!s->alive && !s->recording
        && !dt_scan_leads(s, dt_key_path(e->path, name)))
    {
        return;
    }

    sum = dt_token_sum(&s->token, &s->address);
    e->hash = dt_mix(e->hash, dt_mix(name, sum));

    if ((tag->flags & DT_TAG_VOID) && name != DT_NAME_BR) {
        dt_scan_void(s, sum, start, closed);
    }
}


static void
dt_scan_base(dt_scan_t *s, const char *p, const char *end)
{
    const char *q;

    /* a rough look is enough: what is not understood changes nothing */
    for (; end - p > 5; p++) {
        if (dt_name_fold(p, p + 4) != DT_NAME_HREF || p[4] != '='
            || !dt_char_is(p[-1], DT_C_NAME_END))
        {
            continue;
        }

        p += 5;

        if (*p == '"' || *p == '\'') {
            q = dt_find(p + 1, end, *p);
            p++;

        } else {
            for (q = p; q < end && !dt_char_is(*q, DT_C_VALUE_END); q++) {
                /* void */
            }
        }

        dt_address_base(&s->address, p, q);
        return;
    }
}


/* goes into what is not looked at */
static void
dt_scan_enter(dt_scan_t *s, const dt_tag_t *tag)
{
    uint64_t name = s->token.name;

    if ((tag->flags & DT_TAG_RAW) && name != DT_NAME_NOSCRIPT) {
        s->raw = name;
        s->state = DT_SCAN_RAW;

    } else if (name == DT_NAME_NOSCRIPT || name == DT_NAME_TEMPLATE
               || ((tag->flags & DT_TAG_NEST)
                   && (!s->token.whole || !dt_token_closed(&s->token))))
    {
        s->nest = name;
        s->nested = 1;
        s->point = name == DT_NAME_NOSCRIPT;
        s->unsure = 0;
        s->ninner = 0;
    }
}


/* a start tag before the body; whether it is no more than that */
static int
dt_scan_before(dt_scan_t *s, const dt_tag_t *tag)
{
    if (tag->kind == DT_TAG_BASE && s->token.whole) {
        dt_scan_base(s, s->token.rest, s->token.end);
    }

    if (tag->flags & DT_TAG_HEAD) {
        dt_scan_enter(s, tag);
        return 1;
    }

    dt_scan_body(s);
    s->bodied = tag->kind == DT_TAG_BODY;

    return 0;
}


/*
 * A tag that nothing is looked at behind.  A parser passes frameset over where
 * the page said something before, and else has it take the page's place: with
 * the words goes the tag.
 */
static void
dt_scan_stop(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    uint64_t end = start + (uint64_t) (s->token.end - s->token.start);

    dt_scan_kill(s);

    if (!(tag->flags & DT_TAG_RAW) && s->said && s->token.whole
        && !dt_scan_is_cold(s))
    {
        (void) dt_scan_region(s, start, end, 0, 0,
                              s->gone != start && dt_scan_glued(s), 0);
    }

    dt_scan_give_up(s);
}


/* a start tag in the body; ends: it ends something, which would go on without
   it */
static void
dt_scan_start(dt_scan_t *s, uint64_t start, const dt_tag_t *tag, int ends)
{
    int seen, closed;

    if (tag->kind == DT_TAG_STOP) {
        dt_scan_stop(s, start, tag);
        return;
    }

    if (tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML
        || tag->kind == DT_TAG_HEADTAG)
    {
        if (s->depth) {
            /* its attributes go to the element that is there already */
            dt_scan_unsound(s, &s->stack[s->depth]);
        }

        return;
    }

    if (tag->kind == DT_TAG_FORM && s->form) {
        dt_scan_unsound(s, &s->stack[s->depth]);
        return;
    }

    if (tag->flags & (DT_TAG_RULE | DT_TAG_RAW | DT_TAG_NEST)) {
        ends |= dt_scan_rule(s, start, tag);

        if (s->state == DT_SCAN_PASS || (ends && tag->name == DT_NAME_SELECT))
        {
            return;
        }
    }

    if (tag->flags & (DT_TAG_VOID | DT_TAG_RAW | DT_TAG_NEST)
        || (tag->kind == DT_TAG_FORM
            && (s->stack[s->depth].flags & DT_TAG_TABLE)))
    {
        closed = dt_scan_begin(s, start, tag);
        if (closed == DT_SCAN_STRAY) {
            return;
        }

        seen = !(tag->flags & DT_TAG_SILENT) && s->token.name != DT_NAME_WBR;

        if (seen) {
            dt_line_break(s);
        }

        dt_scan_leaf(s, tag, start, ends || closed > 0);
        s->open &= (uint8_t) ~DT_LEFT_BODY;
        s->form = tag->kind == DT_TAG_FORM ? start + 1 : s->form;

        if (seen) {
            s->glue = 0;
        }

        dt_scan_enter(s, tag);
        return;
    }

    dt_scan_open(s, start, tag);
    s->glue = 0;

    if (ends) {
        s->stack[s->depth].state |= DT_OPEN_GLUED;
    }

    if (tag->name == DT_NAME_SELECT) {
        s->select = s->depth;
    }

    if (tag->kind == DT_TAG_FORM) {
        /* its end tag does more than to close it */
        s->form = start + 1;
        s->stack[s->depth].len = 0;
    }
}


void
dt_scan_start_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    int ends = 0;

    s->begun = 1;

    if (s->nest) {
        if (!dt_scan_nest_start(s, tag)) {
            return;
        }

        ends = 1;
    }

    if (s->in_body) {
        dt_scan_start(s, start, tag, ends);

    } else if (!dt_scan_before(s, tag)) {
        dt_scan_start(s, start, tag, ends);

        if (dt_scan_is_bare(s) && s->depth) {
            dt_scan_unsound(s, &s->stack[1]);
        }
    }
}


/* whether an end tag is one of e: any heading's ends a heading */
static int
dt_scan_is_ended(const dt_open_t *e, uint64_t name, const dt_tag_t *tag)
{
    return e->name == name
           || (tag->kind == DT_TAG_HEADING
               && dt_tag_find(e->name)->kind == DT_TAG_HEADING);
}


/* the open element that an end tag closes, or 0 */
static unsigned
dt_scan_match(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n, low;
    dt_open_t *e = &s->stack[s->depth];

    if (e->name == name) {
        return s->depth;
    }

    if (tag->kind < DT_TAG_A) {
        n = dt_near(e, tag->kind);

        if (n && s->stack[n].name == name) {
            return n;
        }

        if (tag->kind != DT_TAG_LI && tag->kind != DT_TAG_D) {
            return 0;
        }
    }

    low = s->depth > 64 ? s->depth - 64 : 0;

    for (n = s->depth; n > low; n--) {
        e = &s->stack[n];

        if (dt_scan_is_ended(e, name, tag)) {
            return n;
        }

        /* a button keeps only the end tag of a p inside */

        if ((e->flags & DT_TAG_SCOPE) && !(tag->flags & DT_TAG_TABLE)
            && (e->name != DT_NAME_BUTTON || !(tag->flags & DT_TAG_SPECIAL)))
        {
            return 0;
        }

        if (tag->kind == DT_TAG_LI
            && (e->name == DT_NAME_UL || e->name == DT_NAME_OL)) {
            return 0;
        }

        if ((e->flags & DT_TAG_SPECIAL) && !(tag->flags & DT_TAG_SPECIAL)) {
            return 0;
        }
    }

    return 0;
}


/* whether an end tag is that of formatting around blocks, which a parser ends
   in them as well, and with it what is in the innermost one */
static int
dt_scan_splits(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned k, n;

    n = tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR) ? dt_scan_scoped(s, name) : 0;

    for (k = n; n && k <= s->depth; k++) {
        dt_scan_left(s, dt_tag_find(s->stack[k].name));
    }

    return n != 0;
}


/* an end tag that closes nothing here */
static void
dt_scan_stray(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned row = dt_near(&s->stack[s->depth], DT_TAG_ROW);

    if (row && tag->kind == DT_TAG_SECTION) {
        /* it ends the row as well, where a parser has made it up */
        dt_scan_lose(s, row);

    } else if (name == DT_NAME_SELECT && dt_scan_select(s)) {
        /* what is in it kept it from being closed once, and may again */
        dt_scan_give_up(s);

    } else if (tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML) {
        s->line = DT_LINE_NONE;
        dt_scan_ended(s);

    } else if (tag->kind == DT_TAG_P || name == DT_NAME_BR
               || dt_scan_splits(s, name, tag)
               || (s->left_open && !(tag->flags & DT_TAG_SPECIAL)))
    {
        /* a parser makes an empty element of it, or ends what was left open
           elsewhere, and with it what was opened again in that */
        dt_scan_unsound(s, &s->stack[s->depth]);
        s->goes_on = UINT32_MAX;

        if (tag->kind == DT_TAG_P || name == DT_NAME_BR) {
            dt_line_break(s);
        }
    }
}


void
dt_scan_end_tag(dt_scan_t *s, uint64_t start, uint64_t stop)
{
    unsigned n;
    uint64_t name = s->token.name;
    const dt_tag_t *tag;

    s->begun = 1;

    if (s->nest) {
        tag = dt_tag_find(name);

        if (!dt_scan_is_outside(s, tag) || !dt_scan_match(s, name, tag)) {
            dt_scan_nest_end(s, name, tag);
            return;
        }

        dt_scan_unsound(s, &s->stack[s->depth]);
        s->nest = 0;
    }

    if (!s->in_body) {
        return;
    }

    if (name == DT_NAME_FORM) {
        dt_scan_end_form(s);
    }

    if (s->depth && s->stack[s->depth].name == name) {
        s->glue = 0;
        dt_scan_close(s, stop, 0);
        return;
    }

    tag = dt_tag_find(name);
    n = dt_scan_match(s, name, tag);
    s->odd += n < s->alive && !(tag->flags & DT_TAG_RAW);

    if (n && name == DT_NAME_FORM && !dt_scan_is_last(s, n)
        && dt_scan_select(s) < n)
    {
        /* for a parser, what is in it has not ended */
        dt_scan_lose(s, n);

    } else if (n) {
        if (s->stack[n].name != name) {
            dt_scan_unsound(s, &s->stack[n]);
        }

        s->glue = 0;
        dt_scan_close_to(s, n, start, stop,
                         tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE));

    } else {
        dt_scan_stray(s, name, tag);
    }
}
