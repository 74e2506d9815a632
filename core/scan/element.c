
/*
 * Copyright (C) The detemplate authors
 *
 * Handles tags: some begin or end elements, some stand alone, and some open
 * something that is not looked at.
 */


#include <strings.h>

#include "core/scan/element.h"
#include "core/template/table.h"


/*
 * Handles an element without an inside, which may be template by itself.
 * closed says that its tag closed another element, which would go on if the
 * tag were cut.
 */
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


/* handles an element whose inside is not looked at: it is part of what is
   around it */
static void
dt_scan_leaf(dt_scan_t *s, const dt_tag_t *tag, uint64_t start, int closed)
{
    uint64_t sum, bare = 0, name = s->token.name;
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

    sum =
        dt_token_sum(&s->token, &s->address,
                     tag->flags & (DT_TAG_RULE | DT_TAG_HEAD) ? NULL : &bare);
    sum += bare;
    e->hash = dt_mix(e->hash, dt_mix(name, sum));

    if (name == DT_NAME_BR) {
        s->white = start;

    } else if (tag->flags & DT_TAG_VOID) {
        dt_scan_void(s, sum, start, closed);
    }
}


/* the tag of a base; what is left out here changes nothing */
static void
dt_scan_base(dt_scan_t *s)
{
    int closed;
    dt_attr_t a;
    const char *p = s->token.rest;

    do {
        p = dt_token_next(&a, p, s->token.end, &closed);

        if (p == NULL || a.name == a.stop) {
            return;
        }
    } while (dt_name_fold(a.name, a.stop) != DT_NAME_HREF);

    if (!dt_address_base(&s->address, a.value, a.end) && s->heads) {
        s->heads = DT_HEAD_FULL;
    }
}


/* enters an element whose inside is not looked at */
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
        dt_nest_enter(s, name);
    }
}


/* whether a tag is one of those that are around head and body, or are these */
static int
dt_scan_is_outer(const dt_tag_t *tag)
{
    return tag->kind == DT_TAG_HTML || tag->kind == DT_TAG_HEADTAG
           || tag->kind == DT_TAG_BODY;
}


/* a start tag in a head whose end is looked for */
static void
dt_scan_in_head(dt_scan_t *s, const dt_tag_t *tag)
{
    static const char type[] = "text/markdown";
    const char *p = s->token.rest, *end = s->token.end;

    if (dt_scan_is_outer(tag) && s->heads == DT_HEAD_WANTED) {
        s->heads = DT_HEAD_PAGE;
    }

    if (s->token.name != dt_letters('l', 'i', 'n', 'k', 0, 0, 0, 0)
        || !s->token.whole)
    {
        return;
    }

    /* a rough look is enough: what it takes for such a link hides none */
    for (; end - p >= (ptrdiff_t) sizeof(type); p++) {
        if (strncasecmp(p, type, sizeof(type) - 1) == 0) {
            s->heads = DT_HEAD_FULL;
            return;
        }
    }
}


/* handles a start tag before the body; returns whether it belongs there, and
   does not begin the body */
static int
dt_scan_before(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    if (s->heads) {
        dt_scan_in_head(s, tag);
    }

    if (tag->kind == DT_TAG_BASE && s->token.whole) {
        dt_scan_base(s);
    }

    if (tag->flags & DT_TAG_HEAD) {
        dt_scan_enter(s, tag);
        return 1;
    }

    dt_scan_body(s, start);
    s->bodied = tag->kind == DT_TAG_BODY;

    return 0;
}


/*
 * A parser ignores frameset where words come before it.  Otherwise frameset
 * replaces the page.  So the tag is cut where the words before it are cut.
 */
static void
dt_scan_frameset(dt_scan_t *s, uint64_t start)
{
    dt_scan_kill(s);

    if (s->cut_words && s->token.whole
        && (s->cut_end == start || !dt_scan_glued(s)))
    {
        (void) dt_scan_region(
            s, start, start + (uint64_t) (s->token.end - s->token.start), 0, 0,
            0, 0);
    }
}


/* handles a start tag in the body; first: it begins the body, which must begin
   there */
static void
dt_scan_start(dt_scan_t *s, uint64_t start, const dt_tag_t *tag, int first)
{
    int seen, kept, closed;
    uint16_t made;
    const dt_open_t *label;

    if (tag->name == DT_NAME_TEMPLATE && dt_nest_is_shadow(s)) {
        tag = &dt_tag_shadow;
    }

    if (tag->kind == DT_TAG_STOP && !(tag->flags & DT_TAG_RAW)) {
        dt_scan_frameset(s, start);
    }

    if (tag->flags & (DT_TAG_VOID | DT_TAG_RAW | DT_TAG_NEST)
        || (tag->kind == DT_TAG_FORM
            && (s->stack[s->depth].flags & DT_TAG_TABLE)))
    {
        closed = dt_scan_begin(s, start, tag);
        if (closed == DT_SCAN_NONE) {
            s->glue = 0;
            return;
        }

        kept = dt_force_wants(s)
               && dt_force_leaf(s, start, tag, closed) == DT_HAND_KEEP;
        seen = !(tag->flags & DT_TAG_SILENT) && s->token.name != DT_NAME_WBR;
        label = NULL;

        if (seen) {
            if (s->line == DT_LINE_GONE) {
                label = dt_line_label(s);
            }

            if (label != NULL && tag->name == DT_NAME_BR) {
                /* the label goes on, or what it is for comes */
                s->introduces = 1;
            }

            dt_line_break(s);
        }

        made = s->made;

        if (!kept && !first) {
            dt_scan_leaf(s, tag, start, closed > 0);
        }

        if (seen && !s->alive && s->made == made && tag->name != DT_NAME_BR
            && tag->name != DT_NAME_HR)
        {
            dt_line_bare(s, label);
        }

        s->unclosed &= (uint8_t) ~DT_UNCLOSED_BODY;
        s->form = tag->kind == DT_TAG_FORM ? start + 1 : s->form;

        if (seen) {
            s->glue = 0;
        }

        dt_scan_enter(s, tag);
        return;
    }

    if (!dt_scan_open(s, start, tag)) {
        s->glue = 0;
        return;
    }

    s->glue = 0;

    if (tag->name == DT_NAME_SELECT) {
        s->select = s->depth;
    }

    if (tag->kind == DT_TAG_FORM) {
        /* its end tag must come to dt_scan_end_form(), not to a loop that
           compares only names of this length */
        s->form = start + 1;
        s->stack[s->depth].len = 0;
    }
}


/* in XML, a start tag that ends with "/>" is all of its element */
static void
dt_scan_closed_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned depth = s->depth;

    if (!s->in_body && !(tag->flags & DT_TAG_HEAD)) {
        dt_scan_body(s, start);
    }

    if (s->in_body && !(tag->flags & (DT_TAG_VOID | DT_TAG_RAW | DT_TAG_NEST))
        && dt_scan_open(s, start, tag) && s->depth > depth)
    {
        dt_scan_pop(s);
    }
}


void
dt_scan_start_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    s->begun = 1;

    if (s->xml == 1 && !s->nest && s->token.whole
        && dt_token_closed(&s->token)) {
        dt_scan_closed_tag(s, start, tag);
        return;
    }

    if (!s->nest && (tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML)
        && dt_force_wants(s))
    {
        dt_force_page(s, start);
    }

    if (s->nest) {
        if (dt_force_wants(s)) {
            dt_force_nest(s);
        }

        if (!dt_scan_nest_start(s, tag)) {
            return;
        }
    }

    if (s->in_body) {
        dt_scan_start(s, start, tag, 0);

    } else if (!dt_scan_before(s, start, tag)) {
        dt_scan_start(s, start, tag, dt_scan_is_bare(s));

        if (dt_scan_is_bare(s) && s->depth) {
            dt_scan_unsound(s, &s->stack[1]);
        }
    }
}


/* returns whether an end tag ends e: that of any heading ends a heading */
static int
dt_scan_is_ended(const dt_open_t *e, uint64_t name, const dt_tag_t *tag)
{
    return e->name == name
           || (tag->kind == DT_TAG_HEADING
               && dt_tag_find(e->name)->kind == DT_TAG_HEADING);
}


/* returns the open element that an end tag closes, or 0 */
static unsigned
dt_scan_match(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n, low;
    dt_open_t *e = &s->stack[s->depth];

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

        /* of special elements, only the end tag of a p stops at a button */

        if ((e->flags & DT_TAG_SCOPE) && !(tag->flags & DT_TAG_TABLE)
            && (e->name != DT_NAME_BUTTON || !(tag->flags & DT_TAG_SPECIAL)))
        {
            return 0;
        }

        if (tag->kind == DT_TAG_LI
            && (e->name == DT_NAME_UL || e->name == DT_NAME_OL)) {
            return 0;
        }

        if ((e->flags & DT_TAG_SPECIAL)
            && !(tag->flags & (DT_TAG_SPECIAL | DT_TAG_CLOSES_P)))
        {
            return 0;
        }
    }

    return 0;
}


/*
 * The end tag of a form lets another form begin, whatever it closes.  So an
 * element that contains the end tag, but not the start of the form, is cut
 * only as part of a larger one.
 */
static void
dt_scan_end_form(dt_scan_t *s)
{
    unsigned n = s->depth;

    if (s->form && s->form <= s->force_start) {
        s->force = 0;
    }

    if (dt_scan_opens(s) || (s->unclosed && s->reopened == n)) {
        /* formatting that was opened again in the form goes on behind it, and
           so does the element in which that happened */
        dt_scan_unsound(s, &s->stack[n]);

        while (n && s->stack[n].name != DT_NAME_FORM) {
            n--;
        }

        if (n && n < s->depth) {
            dt_scan_give_up(s);

            if (s->state == DT_SCAN_PASS) {
                return;
            }
        }
    }

    for (n = s->form ? s->depth : 0; n; n--) {
        if (s->stack[n].start >= s->form) {
            s->stack[n].state |= DT_OPEN_GLUED;
        }
    }

    s->form = 0;
}


/*
 * An end tag inside of s->nest, from offset start to stop: whether that is all
 * that becomes of it.
 */
static int
dt_scan_nested_end(dt_scan_t *s, const dt_tag_t *tag, uint64_t start,
                   uint64_t stop)
{
    uint64_t name = s->token.name;

    switch (dt_scan_nest_end(s, name, tag)) {

    case DT_NEST_ENDED:
        if (s->inert != NULL && (tag->flags & DT_TAG_SILENT)) {
            memset(s->inert + s->nest_start, ' ',
                   (size_t) (start - s->nest_start));
        }

        if (s->force == DT_FORCE_LEAF) {
            dt_force_end(s, stop);
        }

        return 1;

    case DT_NEST_OUT:
        /* by an older standard, the next start tag ends it */
        dt_scan_give_up(s);
        break;

    case DT_NEST_AROUND:
        if (s->in_body && dt_scan_match(s, name, tag)) {
            s->nest = 0;
            s->ninner = 0;
            dt_scan_give_up(s);
            break;
        }

        if (s->unclosed) {
            /* it may end formatting that was opened again around it */
            dt_scan_give_up(s);
        }

        return 1;

    default: /* DT_NEST_IN */
        return 1;
    }

    /* it has no end of its own, so it is not cut by hand */
    s->force = s->force == DT_FORCE_LEAF ? 0 : s->force;

    return s->state == DT_SCAN_PASS;
}


void
dt_scan_end_tag(dt_scan_t *s, uint64_t start, uint64_t stop)
{
    unsigned n;
    uint64_t name = s->token.name;
    const dt_tag_t *tag;

    s->begun = 1;

    if (s->nest) {
        if (dt_scan_nested_end(s, dt_tag_find(name), start, stop)) {
            return;
        }

    } else if (s->force == DT_FORCE_LEAF) {
        dt_force_end(s, stop);
    }

    if (!s->in_body) {
        if (s->heads
            && (name == DT_NAME_BR || dt_scan_is_outer(dt_tag_find(name)))) {
            dt_scan_head_ends(s, start);
        }

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
    s->out_of_place += n < s->alive && !(tag->flags & DT_TAG_RAW);

    if (n == 0 || name == DT_NAME_FORM) {
        if (dt_soup_end(s, tag, n, start) || n == 0) {
            return;
        }
    }

    if (s->stack[n].name != name) {
        dt_scan_unsound(s, &s->stack[n]);
    }

    s->glue = 0;
    dt_scan_close_to(s, n, start, stop,
                     tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE));
}
