
/*
 * Copyright (C) The detemplate authors
 *
 * The scanner has looked up each element and each text.  From the inside out,
 * an element is template if it is the template's and so is all in it; a weak
 * element is cut only within something larger.  Then the outermost ones that
 * may be cut are.
 *
 * Some things go as a whole or stay: the words of a sentence (line.c), and
 * units (unit.c).  Where one of them is cut in part, all of it is marked as
 * the page's own, and the outermost ones are looked for again, until nothing
 * changes.  Each round only keeps more.
 */


#include "core/scan/cut.h"
#include "core/scan/line.h"
#include "core/scan/shape.h"
#include "core/scan/unit.h"
#include "core/template/serve.h"


/*
 * Elements that are kept or cut by hand.  Elements around a kept one are not
 * cut as a whole.  Of elements that are cut by hand, within one another, the
 * outermost goes; it stays if something in it is kept.
 */


/* the selectors that the elements around a record are around */
typedef struct {
    uint32_t next; /* the first record behind the element */
    uint64_t around;
} dt_outer_t;


/* whether no word before or behind it can be joined to another */
static int
dt_force_is_item(const dt_record_t *r)
{
    return (r->flags & DT_TAG_INTABLE) || r->kind == DT_TAG_LI
           || r->kind == DT_TAG_D;
}


/* whether an element, which is wanted to be cut, may be cut as a whole: a
   parser has it there, and no word joins another */
static int
dt_force_may(const dt_cut_t *c, const dt_record_t *r)
{
    unsigned around = r->parent == DT_RECORD_NONE ? 0 : c->r[r->parent].flags;

    return r->end != 0 && r->at != 0 && !(r->state & DT_RECORD_UNSOUND)
           && !(r->weak & DT_WEAK_TREE)
           && (!(around & DT_TAG_TABLE)
               || (r->flags & (DT_TAG_INTABLE | DT_TAG_SILENT)))
           && (!(r->flags & DT_TAG_SPECIAL) || dt_force_is_item(r)
               || !(r->weak & DT_WEAK_GLUED));
}


/* the verdict of the selectors on the tag at an offset */
static dt_hand_kind_t
dt_force_match(const dt_cut_t *c, uint32_t start, uint64_t around,
               uint64_t *outer)
{
    dt_token_t t;
    const char *p = c->page.data + start;

    *outer = 0;
    t.start = p;
    t.look = &c->hand->look;

    if (dt_token_read(&t, p + 1, c->page.data + c->page.len) == NULL
        || !(t.found || dt_look_tagged(&c->hand->look, t.name)))
    {
        return DT_HAND_NONE;
    }

    return dt_hand_match(c->hand, &t, around, outer);
}


/* whether something inside of svg and the like is kept */
static int
dt_force_nest(const dt_cut_t *c, const dt_record_t *r, uint64_t around)
{
    uint64_t outer;
    const char *p = c->page.data + r->start + 1, *end = c->page.data + r->end;

    if (!c->hand->keeps
        || !((r->flags & DT_TAG_NEST) || r->name == DT_NAME_NOSCRIPT))
    {
        return 0;
    }

    for (; (p = dt_find(p, end, '<')) < end; p++) {
        if (end - p > 1 && dt_char_is(p[1], DT_C_ALPHA)
            && dt_force_match(c, (uint32_t) (p - c->page.data), around, &outer)
                   == DT_HAND_KEEP)
        {
            return 1;
        }
    }

    return 0;
}


/* keeps records from the i-th on, and the elements around them */
static void
dt_force_keep(dt_cut_t *c, uint32_t i, uint32_t end)
{
    uint32_t up;

    c->kept++;

    for (up = c->r[i].parent; up != DT_RECORD_NONE; up = c->r[up].parent) {
        c->r[up].state &= ~(uint32_t) DT_RECORD_FORCED;
        c->r[up].state |= DT_RECORD_OWN;
    }

    for (; i < end; i++) {
        c->r[i].state |= DT_RECORD_OWN;
    }
}


/* the record behind all that a parser has in an element that is kept:
   formatting that ends out of order is reopened behind it */
static uint32_t
dt_force_behind(const dt_cut_t *c, const dt_record_t *r)
{
    return (r->state & DT_RECORD_UNSOUND)
                   && (dt_tag_find(r->name)->is
                       & (DT_IS_FORMAT | DT_IS_ANCHOR))
               ? c->n
               : r->next;
}


/* the tags of html and body: returns the selectors that they are around, and
   keeps the page if one of them is to be kept */
static uint64_t
dt_force_page(dt_cut_t *c)
{
    unsigned n;
    uint64_t outer, around = 0;

    for (n = 0; n < 3; n++) {
        if (c->scan->outer[n] == 0) {
            continue;
        }

        if (dt_force_match(c, (uint32_t) c->scan->outer[n] - 1, around, &outer)
                == DT_HAND_KEEP
            && c->n)
        {
            dt_force_keep(c, 0, c->n);
        }

        around |= outer;
    }

    return around;
}


/*
 * Compares c->hand with the tags of the page.  An element that is kept by hand
 * gets DT_RECORD_OWN, with all in it; one that is cut by hand,
 * DT_RECORD_FORCED.
 */
static void
dt_force_find(dt_cut_t *c)
{
    uint32_t i, behind;
    uint64_t outer, around = dt_force_page(c);
    unsigned depth = 0, page = c->kept;
    dt_hand_kind_t kind;
    dt_outer_t stack[DT_HAND_MAX + 1] = { { UINT32_MAX, around } };
    dt_record_t *r;

    for (i = 0; i < c->n && !page; i++) {
        r = &c->r[i];

        while (i >= stack[depth].next) {
            depth--;
        }

        if (r->name == 0) {
            continue;
        }

        around = stack[depth].around;
        kind = dt_force_match(c, r->start, around, &outer);

        if (kind != DT_HAND_KEEP && (r->state & DT_RECORD_LEAF)
            && dt_force_nest(c, r, around))
        {
            kind = DT_HAND_KEEP;
        }

        if (kind == DT_HAND_KEEP) {
            behind = dt_force_behind(c, r);
            dt_force_keep(c, i, behind);
            i = behind - 1;
            continue;
        }

        if (kind == DT_HAND_FORCE && dt_force_may(c, r)) {
            r->state |= DT_RECORD_FORCED;
        }

        /* each has a bit more than the one around it, so there is room */

        if ((outer & ~around) && r->next > i + 1) {
            stack[++depth] = (dt_outer_t){ r->next, around | outer };
        }
    }
}


#define DT_CUT_ROUNDS 16 /* a page that takes more stays as it is */
#define DT_CUT_BACK 64   /* records between a separator and words before it */


/*
 * Whether a text or an inline element says nothing, but keeps words apart that
 * may stay: a separator, white space, or a break.
 */
static int
dt_cut_is_gap(const dt_cut_t *c, const dt_record_t *r)
{
    const dt_record_t *k = r + 1, *end = c->r + r->next;

    if (r->name == 0) {
        return !dt_line_says(c, r);
    }

    if ((r->flags & DT_TAG_SPECIAL) || (r->state & DT_RECORD_LEAF)) {
        return 0;
    }

    for (; k < end; k++) {
        if (k->name == 0 && dt_line_says(c, k)) {
            return 0;
        }
    }

    return r->state & DT_RECORD_KIDS ? (r->state & DT_RECORD_HELD) != 0
                                     : (r->state & DT_RECORD_WHITE) != 0;
}


/* whether r is template, all of whose inside was looked at */
static int
dt_cut_is_template(const dt_cut_t *c, const dt_record_t *r)
{
    if (r->state & (DT_RECORD_OWN | DT_RECORD_UNSOUND | DT_RECORD_MIXED)
        || (c->keep_links && r->name == DT_NAME_AREA))
    {
        return 0;
    }

    if (r->name == 0 || (r->state & DT_RECORD_LEAF)) {
        return (r->state & DT_RECORD_FOUND) != 0;
    }

    return (r->state & DT_RECORD_KNOWN)
           && ((r->state & DT_RECORD_FOUND)
               || ((r->info & DT_NODE_WRAPPER) && (r->state & DT_RECORD_KIDS)
                   && !(r->state & DT_RECORD_HELD)));
}


/* whether that is part of the element around it without a verdict of its own;
   if its inside is compared, that is cut only if it is known as a whole */
static inline int
dt_cut_is_part(const dt_record_t *r)
{
    return (r->state & DT_RECORD_LEAF) && !(r->state & DT_RECORD_OWN)
           && r->key == 0;
}


/* decides, from the inside out, which records are template */
static void
dt_cut_inside(const dt_cut_t *c)
{
    uint32_t i, state;
    dt_record_t *r;

    for (i = c->nhot; i-- > 0; /* void */) {
        r = &c->r[c->hot[i]];
        state = 0;

        if (dt_cut_is_part(r)) {
            if ((r->weak & DT_WEAK_INSIDE) && r->parent != DT_RECORD_NONE) {
                c->r[r->parent].state |= DT_RECORD_KIDS | DT_RECORD_HELD;
            }

            continue;
        }

        if (dt_cut_is_template(c, r)) {
            state = DT_RECORD_TEMPLATE;

            if (!r->weak
                && ((r->state & DT_RECORD_FOUND && r->info & DT_NODE_STRONG
                     && dt_table_in_dir(&c->scan->tables, r->info))
                    || (r->state & (DT_RECORD_KIDS | DT_RECORD_HELD))
                           == DT_RECORD_KIDS))
            {
                state |= DT_RECORD_STRONG;
                state |= dt_cut_is_gap(c, r) ? DT_RECORD_GAP : 0;
            }
        }

        r->state &=
            ~(uint32_t) (DT_RECORD_TEMPLATE | DT_RECORD_STRONG | DT_RECORD_GAP
                         | DT_RECORD_KIDS | DT_RECORD_MIXED | DT_RECORD_HELD);
        r->state |= state;

        if (r->parent != DT_RECORD_NONE) {
            c->r[r->parent].state |=
                DT_RECORD_KIDS
                | (state & DT_RECORD_TEMPLATE ? 0 : DT_RECORD_MIXED)
                | ((state & (DT_RECORD_STRONG | DT_RECORD_GAP))
                           == DT_RECORD_STRONG
                       ? 0
                       : DT_RECORD_HELD);
        }
    }
}


/* the verdict on the words before a record in its line */
typedef enum {
    DT_BEFORE_NONE = 0, /* there are none */
    DT_BEFORE_STAY,
    DT_BEFORE_CUT
} dt_before_t;

static dt_before_t
dt_cut_before(const dt_cut_t *c, const dt_record_t *r)
{
    unsigned n;
    const dt_record_t *k = r;

    for (n = 0; n < DT_CUT_BACK && k > c->r && k[-1].line == r->line; n++) {
        k--;

        if (k->name == 0 && dt_line_says(c, k)) {
            return k->state & DT_RECORD_CUT ? DT_BEFORE_CUT : DT_BEFORE_STAY;
        }
    }

    return DT_BEFORE_NONE;
}


/* whether a record that keeps words apart may be cut: those before it are, or
   it is a text and there are none */
static int
dt_cut_gap_may(const dt_cut_t *c, const dt_record_t *r)
{
    dt_before_t before = dt_cut_before(c, r);

    return before == DT_BEFORE_CUT || (before == DT_BEFORE_NONE && !r->name);
}


/* cuts the outermost records that may be, and returns their words */
static uint32_t
dt_cut_outermost(const dt_cut_t *c)
{
    uint32_t i, n, end = 0, words = 0;
    dt_record_t *r;

    for (n = 0; n < c->nhot; n++) {
        i = c->hot[n];
        r = &c->r[i];

        if (i >= end && (r->state & DT_RECORD_STRONG)
            && (!(r->state & DT_RECORD_GAP) || dt_cut_gap_may(c, r)))
        {
            end = r->next;
            words += r->words;
        }

        r->state &= ~(uint32_t) DT_RECORD_CUT;
        r->state |= i < end ? DT_RECORD_CUT : 0;
    }

    return words;
}


/* nothing of the page is cut */
static void
dt_cut_nothing(const dt_cut_t *c)
{
    uint32_t i;

    for (i = 0; i < c->n; i++) {
        c->r[i].state &=
            ~(uint32_t) (DT_RECORD_CUT | DT_RECORD_SHAPED | DT_RECORD_FORCED);
    }
}


/* whether something of the page was found in the template */
static int
dt_cut_is_found(const dt_cut_t *c)
{
    uint32_t i;

    for (i = 0; i < c->nhot; i++) {
        if (c->r[c->hot[i]].state & DT_RECORD_FOUND) {
            return 1;
        }
    }

    return 0;
}


/* decides again until all sentences, and if units is set also all units, go as
   a whole or stay; returns the words that are cut */
static uint32_t
dt_cut_settle(const dt_cut_t *c, int units)
{
    int changed;
    uint32_t words;
    unsigned rounds = 0;

    dt_cut_inside(c);

    do {
        words = dt_cut_outermost(c);

        if (rounds++ == DT_CUT_ROUNDS) {
            dt_cut_nothing(c);
            return 0;
        }

        changed = dt_line_keep(c);
        changed |= units && dt_unit_keep(c);
    } while (changed);

    return words;
}


/* keeps all that stands in links */
static void
dt_cut_keep_links(const dt_cut_t *c)
{
    uint32_t i, k;

    for (i = 0; i < c->nhot; i++) {
        k = c->hot[i];

        if (c->r[k].kind == DT_TAG_A && !(c->r[k].state & DT_RECORD_OWN)) {
            for (; k < c->r[c->hot[i]].next; k++) {
                c->r[k].state |= DT_RECORD_OWN;
            }
        }
    }
}


/* keeps the beginning of a body that has no tag: without it, a parser would
   take the next tag for one of the head */
static void
dt_cut_keep_first(const dt_cut_t *c)
{
    uint32_t i = 0;

    while (i < c->n && c->r[i].start + 1 < c->scan->body) {
        i++;
    }

    if (i < c->n) {
        c->r[i].state |= DT_RECORD_OWN;
    }
}


void
dt_cut(dt_cut_t *c)
{
    int found = dt_cut_is_found(c);

    if (!c->scan->bodied) {
        dt_cut_keep_first(c);
    }

    if (c->keep_links) {
        dt_cut_keep_links(c);
    }

    if (found) {
        dt_line_join(c);
        c->words = dt_cut_settle(c, 0);
    }

    if (c->hand != NULL) {
        dt_force_find(c);
    }

    if ((c->scan->bold && dt_shape_cut(c)) || found) {
        c->cut = dt_cut_settle(c, 1);
    }

    if (c->cut > c->most) {
        /* no page that was learned from is anything like this one */
        c->guard = 1;
        dt_cut_nothing(c);
    }
}
