
/*
 * Copyright (C) The detemplate authors
 *
 * Elements that are kept or cut by hand.  Elements around a kept one are not
 * cut as a whole.  Of elements that are cut by hand, within one another, the
 * outermost goes; it stays if something in it is kept.
 */


#include "core/scan/force.h"


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


void
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
