
/*
 * Copyright (C) The detemplate authors
 *
 * The rules by which a tree builder closes elements (HTML standard, "Parsing
 * HTML documents", tree construction), as far as they bear on depth: implied
 * ends, scopes, tables, select, foreign content.  What is left out (elements
 * implied by others, formatting that is opened again) is bounded otherwise:
 * the first is a constant factor, the second creates nodes and runs into the
 * cap on memory.
 *
 * Every kind of element is one bit, so that "close up to x, but look no
 * further than y" is a loop with two masks.
 */


#include <stdlib.h>

#include "core/base/str.h"
#include "core/dom/nest.h"


enum {
    OTHER = 1 << 0,
    VOID = 1 << 1, /* never open */
    RAW = 1 << 2,  /* its inside is text up to its end tag */
    P = 1 << 3,
    LI = 1 << 4,
    DD = 1 << 5,  /* dd, dt */
    DIV = 1 << 6, /* <li> looks for an open <li> behind these */
    BLOCK = 1 << 7,
    LIST = 1 << 8,
    HEADING = 1 << 9,
    FORMAT = 1 << 10,
    ANCHOR = 1 << 11, /* formatting that does not nest */
    BUTTON = 1 << 12,
    FORM = 1 << 13,
    OBJECT = 1 << 14,
    TABLE = 1 << 15,
    ROWS = 1 << 16,
    ROW = 1 << 17,
    CELL = 1 << 18,
    CAPTION = 1 << 19,
    OPTION = 1 << 20,
    RUBY = 1 << 21,
    SELECT = 1 << 22,
    TEMPLATE = 1 << 23,
    SPECIAL = 1 << 24, /* stops a search, has no other rule */
    FOREIGN = 1 << 25,
    POINT = 1 << 26,  /* foreign, with HTML inside */
    ISLAND = 1 << 27, /* svg, math: their start tags */

    /* what else is known of a name */
    CLOSES_P = 1 << 28,
    LEAVES = 1 << 29, /* its start tag ends foreign content */
    BOTH = CLOSES_P | LEAVES,
    INPUT = 1 << 30 /* its start tag ends a select */
};

#define KINDS (CLOSES_P - 1)
#define SCOPE (TABLE | CELL | CAPTION | OBJECT | TEMPLATE | SELECT | POINT)
#define ANY_SPECIAL                                                           \
    (KINDS & ~(OTHER | FORMAT | ANCHOR | OPTION | RUBY | FOREIGN | ISLAND))

#define IN_SELECT /* start tags that are not ignored there */                 \
    (OPTION | SELECT | TABLE | ROWS | ROW | CELL | CAPTION | TEMPLATE)


typedef struct {
    const char *name;
    int is;
} dt_nest_name_t;


/* sorted */
/* clang-format off */

static const dt_nest_name_t dt_nest_names[] = {
    { "a", ANCHOR }, { "address", DIV | CLOSES_P }, { "applet", OBJECT },
    { "area", VOID }, { "article", BLOCK | CLOSES_P },
    { "aside", BLOCK | CLOSES_P }, { "b", FORMAT | LEAVES }, { "base", VOID },
    { "basefont", VOID }, { "bgsound", VOID }, { "big", FORMAT | LEAVES },
    { "blockquote", BLOCK | BOTH }, { "body", VOID | LEAVES },
    { "br", VOID | LEAVES }, { "button", BUTTON }, { "caption", CAPTION },
    { "center", BLOCK | BOTH }, { "code", FORMAT | LEAVES }, { "col", VOID },
    { "colgroup", VOID }, { "dd", DD | BOTH }, { "details", BLOCK | CLOSES_P },
    { "dir", BLOCK | CLOSES_P }, { "div", DIV | BOTH }, { "dl", BLOCK | BOTH },
    { "dt", DD | BOTH }, { "em", FORMAT | LEAVES }, { "embed", VOID | LEAVES },
    { "fieldset", BLOCK | CLOSES_P }, { "figcaption", BLOCK | CLOSES_P },
    { "figure", BLOCK | CLOSES_P }, { "font", FORMAT | LEAVES },
    { "footer", BLOCK | CLOSES_P }, { "form", FORM | CLOSES_P },
    { "frame", VOID }, { "frameset", VOID }, { "h1", HEADING | BOTH },
    { "h2", HEADING | BOTH }, { "h3", HEADING | BOTH },
    { "h4", HEADING | BOTH }, { "h5", HEADING | BOTH },
    { "h6", HEADING | BOTH }, { "head", VOID | LEAVES },
    { "header", BLOCK | CLOSES_P }, { "hgroup", BLOCK | CLOSES_P },
    { "hr", VOID | BOTH }, { "html", VOID }, { "i", FORMAT | LEAVES },
    { "iframe", RAW }, { "image", VOID }, { "img", VOID | LEAVES },
    { "input", VOID | INPUT }, { "isindex", VOID | CLOSES_P },
    { "keygen", VOID | INPUT }, { "li", LI | BOTH }, { "link", VOID },
    { "listing", BLOCK | BOTH }, { "main", BLOCK | CLOSES_P },
    { "marquee", OBJECT }, { "math", ISLAND }, { "menu", BLOCK | BOTH },
    { "menuitem", VOID }, { "meta", VOID | LEAVES },
    { "nav", BLOCK | CLOSES_P }, { "nobr", ANCHOR | LEAVES },
    { "noembed", RAW }, { "noframes", RAW }, { "noscript", SPECIAL },
    { "object", OBJECT }, { "ol", LIST | BOTH }, { "optgroup", OPTION },
    { "option", OPTION }, { "p", P | BOTH }, { "param", VOID },
    { "plaintext", RAW | CLOSES_P }, { "pre", BLOCK | BOTH }, { "rb", RUBY },
    { "rp", RUBY }, { "rt", RUBY }, { "rtc", RUBY },
    { "ruby", OTHER | LEAVES }, { "s", FORMAT | LEAVES }, { "script", RAW },
    { "section", BLOCK | CLOSES_P }, { "select", SELECT },
    { "small", FORMAT | LEAVES }, { "source", VOID },
    { "span", OTHER | LEAVES }, { "strike", FORMAT | LEAVES },
    { "strong", FORMAT | LEAVES }, { "style", RAW }, { "sub", OTHER | LEAVES },
    { "summary", BLOCK | CLOSES_P }, { "sup", OTHER | LEAVES },
    { "svg", ISLAND }, { "table", TABLE | LEAVES }, { "tbody", ROWS },
    { "td", CELL }, { "template", TEMPLATE }, { "textarea", RAW | INPUT },
    { "tfoot", ROWS }, { "th", CELL }, { "thead", ROWS }, { "title", RAW },
    { "tr", ROW }, { "track", VOID }, { "tt", FORMAT | LEAVES },
    { "u", FORMAT | LEAVES }, { "ul", LIST | BOTH }, { "var", OTHER | LEAVES },
    { "wbr", VOID }, { "xmp", RAW | CLOSES_P },
};

/* clang-format on */


int
dt_nest_name_cmp(const char *s, size_t len, const char *name)
{
    int d;

    for (size_t i = 0; i < len; i++) {
        d = (unsigned char) dt_lower(s[i]) - (unsigned char) name[i];
        if (d != 0 || name[i] == '\0') {
            return d != 0 ? d : 1;
        }
    }

    return name[len] == '\0' ? 0 : -1;
}


int
dt_nest_name(const char *s, size_t len)
{
    size_t lo = 0, hi, mid;
    int d;

    hi = sizeof(dt_nest_names) / sizeof(dt_nest_names[0]);

    while (lo < hi) {
        mid = (lo + hi) / 2;
        d = dt_nest_name_cmp(s, len, dt_nest_names[mid].name);

        if (d == 0) {
            return dt_nest_names[mid].is;
        }

        if (d < 0) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }

    return OTHER;
}


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

    at = dt_find(s, name, FORMAT | ANCHOR, SCOPE);

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

    if (dt_top(s) & (FOREIGN | POINT)) {
        at = dt_find(s, t->name, FOREIGN | POINT, ~(FOREIGN | POINT));
        if (at != 0) {
            dt_pop(s, at);
            return;
        }
    }

    switch (kind) {
    case VOID:
    case RAW:
        break;
    case P:
        dt_pop(s, dt_find(s, 0, P, SCOPE | BUTTON));
        break;
    case LI:
        dt_pop(s, dt_find(s, 0, LI, SCOPE | LIST));
        break;
    case HEADING:
        dt_pop(s, dt_find(s, 0, HEADING, SCOPE));
        break;
    case FORM:
        dt_take_out(s, dt_find(s, 0, FORM, SCOPE));
        break;
    case FORMAT:
    case ANCHOR:
        dt_end_format(s, t->name);
        break;
    case DD:
    case DIV:
    case BLOCK:
    case LIST:
    case BUTTON:
    case OBJECT:
        dt_pop(s, dt_find(s, t->name, kind, SCOPE));
        break;
    case TABLE:
    case ROWS:
    case ROW:
    case CELL:
    case CAPTION:
    case SELECT:
        dt_pop(s, dt_find(s, t->name, kind, TABLE | TEMPLATE | POINT));
        break;
    case TEMPLATE:
        dt_pop(s, dt_find(s, 0, TEMPLATE, 0));
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
    int kind = FOREIGN;

    if (t->is & LEAVES) {
        while (dt_top(s) == FOREIGN) {
            s->n--;
        }

        return DT_DECLINED;
    }

    if (t->slash) {
        return DT_OK;
    }

    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
        if (dt_nest_name_cmp(t->text, t->len, points[i]) == 0) {
            kind = POINT;
        }
    }

    return dt_push(s, t->name, kind);
}


/* closes up to what a part of a table goes into; 0 without a table */
static int
dt_clear_to(dt_nest_t *s, int kinds)
{
    uint32_t at;

    at = dt_find(s, 0, kinds, TEMPLATE | POINT);
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
    case VOID:
    case RAW:
        return 0;
    case LI:
        dt_pop(s, dt_find(s, 0, LI, ANY_SPECIAL & ~(DIV | P)));
        return 1;
    case DD:
        dt_pop(s, dt_find(s, 0, DD, ANY_SPECIAL & ~(DIV | P)));
        return 1;
    case HEADING:
    case OPTION:
    case RUBY:
        dt_pop(s, dt_top(s) & t->is & KINDS ? s->n : 0);
        return 1;
    case ANCHOR:
        dt_end_format(s, t->name);
        return 1;
    case BUTTON:
        dt_pop(s, dt_find(s, 0, BUTTON, SCOPE));
        return 1;
    case SELECT:
        at = dt_find(s, 0, SELECT, TABLE | TEMPLATE | POINT);
        dt_pop(s, at);
        return at == 0;
    case TABLE:
        dt_pop(s, dt_find(s, 0, TABLE, CELL | CAPTION | TEMPLATE | POINT));
        return 1;
    case CAPTION:
    case ROWS:
        return dt_clear_to(s, TABLE);
    case ROW:
        return dt_clear_to(s, TABLE | ROWS);
    case CELL:
        return dt_clear_to(s, TABLE | ROWS | ROW);
    default:
        return 1;
    }
}


dt_status_t
dt_nest_start(dt_nest_t *s, const dt_nest_tag_t *t)
{
    dt_status_t rc;

    if (dt_top(s) == FOREIGN) {
        rc = dt_start_foreign(s, t);
        if (rc != DT_DECLINED) {
            return rc;
        }
    }

    if (t->is & CLOSES_P) {
        dt_pop(s, dt_find(s, 0, P, SCOPE | BUTTON));
    }

    if (t->is & INPUT) {
        dt_pop(s, dt_find(s, 0, SELECT, TABLE | TEMPLATE | POINT));
    }

    if (!dt_make_room(s, t)
        || (!(t->is & IN_SELECT)
            && dt_find(s, 0, SELECT, TABLE | TEMPLATE | POINT)))
    {
        return DT_OK;
    }

    if (t->is & ISLAND) {
        return t->slash ? DT_OK : dt_push(s, t->name, FOREIGN);
    }

    return dt_push(s, t->name, t->is & KINDS);
}


int
dt_nest_is_raw(const dt_nest_t *s, const dt_nest_tag_t *t)
{
    if (!(t->is & RAW) || dt_top(s) == FOREIGN) {
        return 0;
    }

    /* a select takes no such element but a script */
    return (t->is & INPUT) || !dt_find(s, 0, SELECT, 0)
           || dt_nest_name_cmp(t->text, t->len, "script") == 0;
}


int
dt_nest_is_foreign(const dt_nest_t *s)
{
    return dt_top(s) == FOREIGN;
}
