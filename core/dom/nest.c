
/*
 * Copyright (C) The detemplate authors
 *
 * The rules by which a tree builder closes elements (HTML standard, "Parsing
 * HTML documents", tree construction), as far as they bear on depth: implied
 * ends, scopes, tables, select, foreign content.  What is left out (elements
 * implied by others, formatting that is opened again) is bounded otherwise:
 * the first is a constant factor, the second creates nodes and runs into the
 * cap on memory.
 */


#include "core/base/str.h"
#include "core/base/tags.h"
#include "core/dom/nest.h"


#define KINDS (DT_IS_P_END - 1)

/* what an end tag does not look behind */
#define SCOPE                                                                 \
    (DT_IS_TABLE | DT_IS_CELL | DT_IS_CAPTION | DT_IS_OBJECT | DT_IS_TEMPLATE \
     | DT_IS_SELECT | DT_IS_POINT)

/* and what that of a part of a table does not, or of a select */
#define TABLE_SCOPE (DT_IS_TABLE | DT_IS_TEMPLATE | DT_IS_POINT)

#define ANY_SPECIAL                                                           \
    (KINDS                                                                    \
     & ~(DT_IS_OTHER | DT_IS_FORMAT | DT_IS_ANCHOR | DT_IS_OPTION             \
         | DT_IS_RUBY | DT_IS_FOREIGN | DT_IS_ISLAND))

/* start tags that are not ignored in a select */
#define IN_SELECT                                                             \
    (DT_IS_OPTION | DT_IS_SELECT | DT_IS_TABLE | DT_IS_ROWS | DT_IS_ROW       \
     | DT_IS_CELL | DT_IS_CAPTION | DT_IS_TEMPLATE)


/*
 * The place, counted from 1, of the innermost open element of that name (0:
 * any) and those kinds; 0 when there is none above an element of kind stop.
 */
static uint32_t
dt_find(const dt_nest_t *s, uint64_t name, int kinds, int stop)
{
    const dt_nest_open_t *e;

    for (uint32_t i = s->n; i > 0; i--) {
        e = &s->open[i - 1];

        if ((e->kind & kinds) && (name == 0 || e->name == name)) {
            return i;
        }

        if (e->kind & stop) {
            return 0;
        }
    }

    return 0;
}


/* closes everything down to place at, that included */
static void
dt_pop(dt_nest_t *s, uint32_t at)
{
    if (at != 0) {
        s->n = at - 1;
    }
}


/* closes that one; what is inside stays open, in what is around */
static void
dt_take_out(dt_nest_t *s, uint32_t at)
{
    if (at != 0) {
        memmove(&s->open[at - 1], &s->open[at],
                (s->n - at) * sizeof(dt_nest_open_t));
        s->n--;
    }
}


static int
dt_top(const dt_nest_t *s)
{
    return s->n ? s->open[s->n - 1].kind : 0;
}


static dt_status_t
dt_push(dt_nest_t *s, uint64_t name, int kind)
{
    if (s->n == s->max_depth) {
        s->deepest = s->n + 1;
        return DT_ELIMIT;
    }

    s->open[s->n].name = name;
    s->open[s->n].kind = kind;
    s->n++;

    if (s->n > s->deepest) {
        s->deepest = s->n;
    }

    return DT_OK;
}


static void
dt_end_format(dt_nest_t *s, uint64_t name)
{
    uint32_t at;

    at = dt_find(s, name, DT_IS_FORMAT | DT_IS_ANCHOR, SCOPE);

    for (uint32_t i = at; i != 0 && i < s->n; i++) {
        if (s->open[i].kind & ANY_SPECIAL) {
            dt_take_out(s, at);
            return;
        }
    }

    dt_pop(s, at);
}


void
dt_nest_end(dt_nest_t *s, const dt_nest_tag_t *t)
{
    uint32_t at;
    int kind = t->is & KINDS;

    if (dt_top(s) & (DT_IS_FOREIGN | DT_IS_POINT)) {
        at = dt_find(s, t->name, DT_IS_FOREIGN | DT_IS_POINT,
                     ~(DT_IS_FOREIGN | DT_IS_POINT));
        if (at != 0) {
            dt_pop(s, at);
            return;
        }
    }

    switch (kind) {
    case DT_IS_VOID:
    case DT_IS_RAW:
        break;
    case DT_IS_P:
        dt_pop(s, dt_find(s, 0, DT_IS_P, SCOPE | DT_IS_BUTTON));
        break;
    case DT_IS_LI:
        dt_pop(s, dt_find(s, 0, DT_IS_LI, SCOPE | DT_IS_LIST));
        break;
    case DT_IS_HEADING:
        dt_pop(s, dt_find(s, 0, DT_IS_HEADING, SCOPE));
        break;
    case DT_IS_FORM:
        dt_take_out(s, dt_find(s, 0, DT_IS_FORM, SCOPE));
        break;
    case DT_IS_FORMAT:
    case DT_IS_ANCHOR:
        dt_end_format(s, t->name);
        break;
    case DT_IS_DD:
    case DT_IS_DIV:
    case DT_IS_BLOCK:
    case DT_IS_LIST:
    case DT_IS_BUTTON:
    case DT_IS_OBJECT:
        dt_pop(s, dt_find(s, t->name, kind, SCOPE));
        break;
    case DT_IS_TABLE:
    case DT_IS_ROWS:
    case DT_IS_ROW:
    case DT_IS_CELL:
    case DT_IS_CAPTION:
    case DT_IS_SELECT:
        dt_pop(s, dt_find(s, t->name, kind, TABLE_SCOPE));
        break;
    case DT_IS_TEMPLATE:
        dt_pop(s, dt_find(s, 0, DT_IS_TEMPLATE, 0));
        break;
    default:
        dt_pop(s, dt_find(s, t->name, kind, ANY_SPECIAL));
    }
}


/* a start tag inside svg or math; DT_DECLINED: it is HTML after all */
static dt_status_t
dt_start_foreign(dt_nest_t *s, const dt_nest_tag_t *t)
{
    static const char *const points[] = {
        "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext"
    };
    int kind = DT_IS_FOREIGN;

    if (t->is & DT_IS_SVG_END) {
        while (dt_top(s) == DT_IS_FOREIGN) {
            s->n--;
        }

        return DT_DECLINED;
    }

    if (t->slash) {
        return DT_OK;
    }

    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
        if (dt_str_case_eq(t->text, dt_cstr(points[i]))) {
            kind = DT_IS_POINT;
        }
    }

    return dt_push(s, t->name, kind);
}


/* closes up to what a part of a table goes into; 0 without a table */
static int
dt_clear_to(dt_nest_t *s, int kinds)
{
    uint32_t at;

    at = dt_find(s, 0, kinds, DT_IS_TEMPLATE | DT_IS_POINT);
    if (at == 0) {
        return 0;
    }

    s->n = at;

    return 1;
}


/* closes what a start tag of that kind closes; 0: the tag opens nothing */
static int
dt_make_room(dt_nest_t *s, const dt_nest_tag_t *t)
{
    uint32_t at;

    switch (t->is & KINDS) {
    case DT_IS_VOID:
    case DT_IS_RAW:
        return 0;
    case DT_IS_LI:
        dt_pop(s,
               dt_find(s, 0, DT_IS_LI, ANY_SPECIAL & ~(DT_IS_DIV | DT_IS_P)));
        return 1;
    case DT_IS_DD:
        dt_pop(s,
               dt_find(s, 0, DT_IS_DD, ANY_SPECIAL & ~(DT_IS_DIV | DT_IS_P)));
        return 1;
    case DT_IS_HEADING:
    case DT_IS_OPTION:
    case DT_IS_RUBY:
        dt_pop(s, dt_top(s) & t->is & KINDS ? s->n : 0);
        return 1;
    case DT_IS_ANCHOR:
        dt_end_format(s, t->name);
        return 1;
    case DT_IS_BUTTON:
        dt_pop(s, dt_find(s, 0, DT_IS_BUTTON, SCOPE));
        return 1;
    case DT_IS_SELECT:
        at = dt_find(s, 0, DT_IS_SELECT, TABLE_SCOPE);
        dt_pop(s, at);
        return at == 0;
    case DT_IS_TABLE:
        dt_pop(s, dt_find(s, 0, DT_IS_TABLE,
                          DT_IS_CELL | DT_IS_CAPTION | DT_IS_TEMPLATE
                              | DT_IS_POINT));
        return 1;
    case DT_IS_CAPTION:
    case DT_IS_ROWS:
        return dt_clear_to(s, DT_IS_TABLE);
    case DT_IS_ROW:
        return dt_clear_to(s, DT_IS_TABLE | DT_IS_ROWS);
    case DT_IS_CELL:
        return dt_clear_to(s, DT_IS_TABLE | DT_IS_ROWS | DT_IS_ROW);
    default:
        return 1;
    }
}


dt_status_t
dt_nest_start(dt_nest_t *s, const dt_nest_tag_t *t)
{
    dt_status_t rc;

    if (dt_top(s) == DT_IS_FOREIGN) {
        rc = dt_start_foreign(s, t);
        if (rc != DT_DECLINED) {
            return rc;
        }
    }

    if (t->is & DT_IS_P_END) {
        dt_pop(s, dt_find(s, 0, DT_IS_P, SCOPE | DT_IS_BUTTON));
    }

    if (t->is & DT_IS_SELECT_END) {
        dt_pop(s, dt_find(s, 0, DT_IS_SELECT, TABLE_SCOPE));
    }

    if (!dt_make_room(s, t)
        || (!(t->is & IN_SELECT) && dt_find(s, 0, DT_IS_SELECT, TABLE_SCOPE)))
    {
        return DT_OK;
    }

    if (t->is & DT_IS_ISLAND) {
        return t->slash ? DT_OK : dt_push(s, t->name, DT_IS_FOREIGN);
    }

    return dt_push(s, t->name, t->is & KINDS);
}


int
dt_nest_is_raw(const dt_nest_t *s, const dt_nest_tag_t *t)
{
    if (!(t->is & DT_IS_RAW) || dt_top(s) == DT_IS_FOREIGN) {
        return 0;
    }

    /* a select takes no such element but a script */
    return (t->is & DT_IS_SELECT_END) || !dt_find(s, 0, DT_IS_SELECT, 0)
           || dt_str_case_eq(t->text, dt_str("script"));
}


int
dt_nest_is_foreign(const dt_nest_t *s)
{
    return dt_top(s) == DT_IS_FOREIGN;
}
