
/*
 * Copyright (C) The detemplate authors
 */


#include <strings.h>

#include "core/text/anchor.h"
#include "core/text/attr.h"
#include "core/text/block.h"
#include "core/text/box.h"
#include "core/text/code.h"
#include "core/text/grid.h"
#include "core/text/head.h"
#include "core/text/hidden.h"
#include "core/text/inline.h"
#include "core/text/markup.h"
#include "core/text/media.h"
#include "core/text/out.h"


/* a name of up to eight letters, as dt_name_fold() makes it */
#define N dt_letters


/* the effect of an element's end */
enum {
    DT_DOES_NOTHING = 0,
    DT_DOES_SPACE, /* words do not go on behind it */
    DT_DOES_BREAK, /* it ends a block */
    DT_DOES_BOX,   /* and the box around its lines */
    DT_DOES_TERM,
    DT_DOES_HEADING,
    DT_DOES_PRE,
    DT_DOES_TABLE,
    DT_DOES_ROW,
    DT_DOES_CELL,
    DT_DOES_LINK,
    DT_DOES_SUP,
    DT_DOES_SUB,
    DT_DOES_QUOTE,
    DT_DOES_STYLE /* and more: less this, it is an operation that ends */
};


/*
 * The tags within a line: emphasis, code, links, sub and sup, and controls of
 * forms, which are not read.
 */


/* formatting begins, as an operation has it; returns the effect of its end */
static int
dt_markup_in_style(dt_text_t *t, unsigned op)
{
    if (t->styles[op]++ == 0) {
        dt_inline_open(t, op, NULL, 0);
    }

    return DT_DOES_STYLE + (int) op;
}


/* an element that is not read begins: a control of a form */
static int
dt_markup_in_skip(dt_text_t *t)
{
    dt_inline_gap(t);

    if (t->skip == 0) {
        t->skip = t->scan.depth;
    }

    return DT_DOES_NOTHING;
}


/* whether the button of the tag does something to the form or the code that it
   is in: one that shows a part of the page is content */
static int
dt_markup_in_is_control(const dt_text_t *t)
{
    return t->kind == DT_BLOCK_PRE
           || (t->form && !dt_attr_has(t, "type", "button")
               && !dt_attr_has(t, "aria-expanded", NULL)
               && !dt_text_is_heading(t));
}


/* a film or a sound begins, whose content is not shown */
static int
dt_markup_in_media(dt_text_t *t)
{
    dt_inline_gap(t);

    if (t->skip == 0) {
        t->skip = t->scan.depth;
        t->media = t->skip;
        t->found = dt_media_link(t) != 0;
    }

    return DT_DOES_SPACE;
}


/* the mark of a quotation, with others in it */
static void
dt_markup_in_quote(dt_text_t *t, const char *outer, const char *inner)
{
    const char *mark = t->quotes & 1 ? inner : outer;

    dt_inline_words(t, mark, strlen(mark));
}


/* whether a byte may be the base of a sub or sup */
static int
dt_markup_in_is_base(char c)
{
    return c < 0 || dt_is_alnum(c) || c == ')' || c == ']' || c == '}';
}


/* a sub or sup begins */
static void
dt_markup_in_script(dt_text_t *t)
{
    size_t base = t->tail;

    while (base && dt_is_op(t->line.data[base - 1])) {
        base--;
    }

    if (t->scripts < DT_TEXT_SCRIPTS) {
        t->script_at[t->scripts] =
            !t->space && t->kind != DT_BLOCK_PRE && base
                    && dt_markup_in_is_base(t->line.data[base - 1])
                ? t->line.len + 1
                : 0;
    }

    t->scripts++;
}


/* whether an operation is one of emphasis or code */
static int
dt_markup_in_is_style(char op)
{
    return op <= DT_OP_DEL_END || op == DT_OP_CODE || op == DT_OP_CODE_END;
}


/*
 * The marks of a sub or sup of n bytes at p: 0: none; 1: a sign before it; 2:
 * and parentheses around it.
 */
static int
dt_markup_in_signs(char sign, const char *p, size_t n)
{
    int signs = 1;
    size_t i, letters = 0, bytes = 0;

    for (i = 0; i < n; i++) {
        if (dt_is_op(p[i])) {
            if (!dt_markup_in_is_style(p[i])) {
                /* a note, with its link */
                return 0;
            }

            continue;
        }

        if (bytes++ == 0 && !dt_is_alnum(p[i]) && p[i] >= 0
            && strchr("-+(", p[i]) == NULL)
        {
            return 0;
        }

        if (bytes > 1 && !dt_is_alnum(p[i]) && p[i] >= 0 && p[i] != '.') {
            signs = 2;
        }

        letters += (p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'z';
    }

    /* an ending, as in 1st, is no power */

    return bytes == 0 || (sign == '^' && letters == bytes && bytes > 1)
               ? 0
               : signs;
}


/* it ends: sign marks its text as such, where it would join the text before
   it */
static void
dt_markup_in_script_end(dt_text_t *t, char sign)
{
    int signs;
    size_t at, n;
    char *p;

    at = --t->scripts < DT_TEXT_SCRIPTS ? t->script_at[t->scripts] : 0;

    if (at == 0 || t->line.len < at || !dt_bytes_room(&t->line, DT_BLOCK)) {
        return;
    }

    p = t->line.data + at - 1;
    n = t->line.len - (at - 1);
    signs = dt_markup_in_signs(sign, p, n);

    if (signs == 0) {
        return;
    }

    memmove(p + signs, p, n);
    p[0] = sign;
    n += (size_t) signs;

    if (signs == 2) {
        p[1] = '(';
        p[n++] = ')';
    }

    t->line.len = at - 1 + n;
    t->tail = t->line.len;
}


/* an element within a line has begun: returns the effect of its end; -1: it is
   none */
static int
dt_markup_in_begin(dt_text_t *t)
{
    switch (t->scan.token.name) {

    case N('b', 0, 0, 0, 0, 0, 0, 0):
    case N('s', 't', 'r', 'o', 'n', 'g', 0, 0):
        return dt_markup_in_style(t, DT_OP_STRONG);

    case N('i', 0, 0, 0, 0, 0, 0, 0):
    case N('e', 'm', 0, 0, 0, 0, 0, 0):
        return dt_markup_in_style(t, DT_OP_EM);

    case N('s', 0, 0, 0, 0, 0, 0, 0):
    case N('d', 'e', 'l', 0, 0, 0, 0, 0):
    case N('s', 't', 'r', 'i', 'k', 'e', 0, 0):
        return dt_markup_in_style(t, DT_OP_DEL);

    case N('c', 'o', 'd', 'e', 0, 0, 0, 0):
        if (t->kind == DT_BLOCK_PRE) {
            /* it is written when the element around it ends */
            dt_code_language(t, t->scan.depth - 1);
        }

        /* fall through */

    case N('k', 'b', 'd', 0, 0, 0, 0, 0):
    case N('s', 'a', 'm', 'p', 0, 0, 0, 0):
    case N('t', 't', 0, 0, 0, 0, 0, 0):
        return dt_markup_in_style(t, DT_OP_CODE);

    case DT_NAME_SELECT:
    case DT_NAME_OPTION:
    case DT_NAME_OPTGROUP:
    case N('d', 'a', 't', 'a', 'l', 'i', 's', 't'):
        return dt_markup_in_skip(t);

    case N('s', 'u', 'p', 0, 0, 0, 0, 0):
        dt_markup_in_script(t);
        return DT_DOES_SUP;

    case N('s', 'u', 'b', 0, 0, 0, 0, 0):
        dt_markup_in_script(t);
        return DT_DOES_SUB;

    case N('q', 0, 0, 0, 0, 0, 0, 0):
        dt_markup_in_quote(t, "\xe2\x80\x9c", "\xe2\x80\x98");
        t->quotes++;
        return DT_DOES_QUOTE;

    case N('v', 'i', 'd', 'e', 'o', 0, 0, 0):
    case N('a', 'u', 'd', 'i', 'o', 0, 0, 0):
        return dt_markup_in_media(t);

    case DT_NAME_BUTTON:
    case N('c', 'a', 'n', 'v', 'a', 's', 0, 0):
        /* browsers draw on a canvas, and show nothing that is in it */

        if (t->scan.token.name == DT_NAME_BUTTON ? dt_markup_in_is_control(t)
                                                 : !t->o->hidden)
        {
            return dt_markup_in_skip(t);
        }

        /* fall through */

    case N('o', 'b', 'j', 'e', 'c', 't', 0, 0):
    case N('a', 'p', 'p', 'l', 'e', 't', 0, 0):
    case N('m', 'e', 't', 'e', 'r', 0, 0, 0):
    case N('p', 'r', 'o', 'g', 'r', 'e', 's', 's'):
        dt_inline_gap(t);
        return DT_DOES_SPACE;
    }

    return -1;
}


/* such an element has ended */
static void
dt_markup_in_end(dt_text_t *t, unsigned does)
{
    switch (does) {

    case DT_DOES_SPACE:
        dt_inline_gap(t);
        break;

    case DT_DOES_SUP:
        dt_markup_in_script_end(t, '^');
        break;

    case DT_DOES_SUB:
        dt_markup_in_script_end(t, '_');
        break;

    case DT_DOES_QUOTE:
        t->quotes--;
        dt_markup_in_quote(t, "\xe2\x80\x9d", "\xe2\x80\x99");
        t->space = 0;
        break;

    case DT_DOES_LINK:
        t->link_len = 0;
        dt_anchor_end(t);
        dt_inline_close(t, DT_OP_LINK);
        break;

    default:
        if (does >= DT_DOES_STYLE && --t->styles[does - DT_DOES_STYLE] == 0) {
            dt_inline_close(t, does - DT_DOES_STYLE);
        }
    }
}


#define DT_MARKUP_DIALOG N('d', 'i', 'a', 'l', 'o', 'g', 0, 0)
#define DT_MARKUP_QUOTE                                                       \
    (N('b', 'l', 'o', 'c', 'k', 'q', 'u', 'o')                                \
     ^ N('t', 'e', 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)


/* bytes of a page's lists in which items are counted, but for the last one */
#define DT_MARKUP_COUNTED (1024 * 1024)


/* ends a block, and begins one that cannot be in a table or in a heading;
   whether it can be here */
static int
dt_markup_block(dt_text_t *t)
{
    if (t->kind == DT_BLOCK_PRE
        || (t->kind == DT_BLOCK_CELL && dt_grid_block(t))) {
        dt_block_break(t);
        return 0;
    }

    dt_block_flush(t);
    t->kind = DT_BLOCK_PARAGRAPH;

    return 1;
}


/* the number of the item whose tag is at hand; a renderer counts up from the
   first one of a list, so a list whose marks differ begins with another one */
static void
dt_markup_number(dt_text_t *t, dt_box_t *list)
{
    long value = *t->scan.token.rest == '>' ? -1 : dt_attr_number(t, "value");

    if (value >= 0 && (uint32_t) value != list->number) {
        list->number = (uint32_t) value;
        list->odd = 1;
    }

    if (list->odd && list->items && !t->o->plain) {
        list->sign = list->sign == '.' ? ')' : '.';
    }

    list->odd = list->step < 0;
    list->items = 1;
}


/* whether it is that of a list */
static int
dt_markup_is_list(const char *p, const char *end)
{
    return dt_attr_is_tag(p, end, "ol") || dt_attr_is_tag(p, end, "ul")
           || dt_attr_is_tag(p, end, "menu") || dt_attr_is_tag(p, end, "dir");
}


/*
 * Counts the items of the list whose tag is at hand, as far as the tags of the
 * page tell.  0: its end was not found, or too many bytes were read for that:
 * lists in lists are read as often as they are deep.
 */
static uint32_t
dt_markup_items(dt_text_t *t)
{
    unsigned open = 0;
    uint32_t items = 0;
    const char *p = t->scan.token.start, *start = p, *end = t->end;

    if (t->counted > DT_MARKUP_COUNTED) {
        return 0;
    }

    for (; (p = dt_find(p, end, '<')) < end; p++) {
        items += open == 1 && dt_attr_is_tag(p + 1, end, "li");
        open += dt_markup_is_list(p + 1, end) != 0;

        if (end - p > 2 && p[1] == '/' && dt_markup_is_list(p + 2, end)
            && --open == 0) {
            break;
        }
    }

    t->counted += (size_t) (p - start);

    return p < end ? items : 0;
}


/* begins a list, an item or a quote */
static unsigned
dt_markup_box(dt_text_t *t, unsigned type)
{
    long start;
    uint32_t number;
    dt_box_t *b, *list;

    if (!dt_markup_block(t)) {
        return DT_DOES_NOTHING;
    }

    list = t->nboxes ? &t->boxes[t->nboxes - 1] : NULL;

    if (type < DT_BOX_ITEM && list && list->type < DT_BOX_ITEM && list->items)
    {
        /* it stands in the list's last item */

        b = dt_box_open(t, DT_BOX_ITEM, t->scan.depth);

        if (b != NULL) {
            b->started = 1;
            b->width = list->type == DT_BOX_OL ? 3 : 2;
        }
    }

    b = dt_box_open(t, type, t->scan.depth);

    if (b == NULL) {
        return DT_DOES_BREAK;
    }

    if (type == DT_BOX_OL) {
        start = dt_attr_number(t, "start");
        b->step = dt_attr_has(t, "reversed", NULL) ? -1 : 1;
        number = start == -1 && b->step < 0 ? dt_markup_items(t) : 0;
        b->number = start >= 0 ? (uint32_t) start : number ? number : 1;

    } else if (type == DT_BOX_ITEM && list && list->type == DT_BOX_UL) {
        list->items = 1;

    } else if (type == DT_BOX_ITEM && list && list->type == DT_BOX_OL) {
        dt_markup_number(t, list);
        b->number = list->number;

        if (list->number || list->step > 0) {
            list->number = (uint32_t) ((int32_t) list->number + list->step);
        }
    }

    return DT_DOES_BOX;
}


static unsigned
dt_markup_pre(dt_text_t *t)
{
    if (t->kind == DT_BLOCK_PRE) {
        dt_block_break(t);
        return DT_DOES_NOTHING;
    }

    if (!dt_markup_block(t) || dt_anchor_is_listing(t)) {
        t->lines = t->scan.depth;
        return DT_DOES_BREAK;
    }

    dt_code_language(t, t->scan.depth);
    dt_inline_reset(t);
    t->kind = DT_BLOCK_PRE;
    t->first = 1;

    return DT_DOES_PRE;
}


static unsigned
dt_markup_heading(dt_text_t *t, unsigned level)
{
    if (!dt_markup_block(t)) {
        return DT_DOES_BREAK;
    }

    t->kind = DT_BLOCK_H1 + level - 1;
    t->id_len = 0;
    t->own_at = 0;

    return DT_DOES_HEADING;
}


/* whether the row or cell at hand is one of the table that is followed */
static int
dt_markup_in_table(const dt_text_t *t)
{
    unsigned d = t->scan.depth;

    if (t->table.state == DT_GRID_NONE || d <= t->table.depth) {
        return 0;
    }

    while (--d > t->table.depth) {
        if (t->scan.stack[d].name == DT_NAME_TABLE) {
            return 0;
        }
    }

    return 1;
}


static unsigned
dt_markup_table(dt_text_t *t)
{
    char role[16];
    ptrdiff_t n;

    if (t->kind != DT_BLOCK_PARAGRAPH && !dt_markup_block(t)) {
        return DT_DOES_BREAK;
    }

    n = dt_attr_value(t, "role", role, sizeof(role));
    dt_grid_open(t, n > 0 && (role[0] == 'p' || role[0] == 'n'));

    return DT_DOES_TABLE;
}


static void
dt_markup_rule(dt_text_t *t)
{
    if (dt_markup_block(t) && !t->o->plain) {
        dt_box_block(t);
        dt_out_bytes(&t->out, "___", 3);
    }
}


/* a field: where it begins an item, it may be the check box of a task */
static void
dt_markup_check(dt_text_t *t)
{
    dt_box_t *b = t->nboxes ? &t->boxes[t->nboxes - 1] : NULL;

    if (b != NULL && b->type == DT_BOX_ITEM && !b->started && !t->visible
        && t->kind == DT_BLOCK_PARAGRAPH && dt_attr_has(t, "type", "checkbox"))
    {
        b->task = dt_attr_has(t, "checked", NULL) ? 'x' : ' ';
    }
}


/* a start tag without an element of its own */
static void
dt_markup_void(dt_text_t *t, const dt_tag_t *tag)
{
    switch (t->scan.token.name) {

    case DT_NAME_BR:
        dt_block_line(t);
        break;

    case N('h', 'r', 0, 0, 0, 0, 0, 0):
        dt_markup_rule(t);
        break;

    case N('i', 'm', 'g', 0, 0, 0, 0, 0):
        dt_media_image(t);
        break;

    case N('i', 'n', 'p', 'u', 't', 0, 0, 0):
        dt_markup_check(t);
        dt_inline_gap(t);
        break;

    case N('s', 'o', 'u', 'r', 'c', 'e', 0, 0):
        dt_media_source(t);
        break;

    case N('i', 'f', 'r', 'a', 'm', 'e', 0, 0):
        (void) dt_media_link(t);
        dt_inline_gap(t);
        break;

    case N('b', 'a', 's', 'e', 0, 0, 0, 0):
        dt_head_base(t);
        break;

    case N('e', 'm', 'b', 'e', 'd', 0, 0, 0):
    case N('k', 'e', 'y', 'g', 'e', 'n', 0, 0):
    case N('t', 'e', 'x', 't', 'a', 'r', 'e', 'a'):
    case DT_NAME_SVG:
        dt_inline_gap(t);
        break;

    default:
        if (tag->flags & DT_TAG_CLOSES_P) {
            dt_block_break(t);
        }
    }
}


/* an element named by no kind has begun; returns the effect of its end */
static unsigned
dt_markup_named(dt_text_t *t, const dt_tag_t *tag)
{
    int does;

    switch (t->scan.token.name) {

    case DT_NAME_UL:
    case N('m', 'e', 'n', 'u', 0, 0, 0, 0):
    case N('d', 'i', 'r', 0, 0, 0, 0, 0):
        return dt_markup_box(t, DT_BOX_UL);

    case DT_NAME_OL:
        return dt_markup_box(t, DT_BOX_OL);

    case DT_MARKUP_QUOTE:
        return dt_markup_box(t, DT_BOX_QUOTE);

    case DT_NAME_PRE:
    case DT_NAME_LISTING:
        return dt_markup_pre(t);

    case DT_NAME_TABLE:
        return dt_markup_table(t);

    case DT_NAME_DIV:
        if (dt_code_is_lines(t)) {
            does = (int) dt_markup_pre(t);
            t->apart = does == DT_DOES_PRE ? t->scan.depth : 0;
            return (unsigned) does;
        }

        /* fall through */

    case N('f', 'i', 'g', 'u', 'r', 'e', 0, 0):
        dt_code_language(t, t->scan.depth);
        break;

    case N('l', 'e', 'g', 'e', 'n', 'd', 0, 0):
        break;

    default:
        does = dt_markup_in_begin(t);

        if (does >= 0 || !(tag->flags & (DT_TAG_CLOSES_P | DT_TAG_INTABLE))) {
            return does >= 0 ? (unsigned) does : DT_DOES_NOTHING;
        }
    }

    dt_block_break(t);

    return DT_DOES_BREAK;
}


/* a start tag that has begun an element; returns the effect of its end */
static unsigned
dt_markup_begin(dt_text_t *t, const dt_tag_t *tag)
{
    uint64_t name = t->scan.token.name;

    switch (tag->kind) {

    case DT_TAG_LI:
        return dt_markup_box(t, DT_BOX_ITEM);

    case DT_TAG_D:
        if (name != N('d', 't', 0, 0, 0, 0, 0, 0)) {
            return dt_markup_box(t, DT_BOX_ITEM);
        }

        dt_block_break(t);
        return DT_DOES_TERM;

    case DT_TAG_HEADING:
        return dt_markup_heading(t, (unsigned) (name >> 8 & 0xf));

    case DT_TAG_ROW:
        if (dt_markup_in_table(t)) {
            dt_grid_row(t);
            return DT_DOES_ROW;
        }

        break;

    case DT_TAG_CELL:
        if (dt_markup_in_table(t)) {
            dt_grid_cell(t, name == N('t', 'h', 0, 0, 0, 0, 0, 0));
            return DT_DOES_CELL;
        }

        break;

    case DT_TAG_FORM:
        t->form = t->form ? t->form : t->scan.depth;
        break;

    case DT_TAG_SECTION:
        if (dt_markup_in_table(t)) {
            dt_grid_part(t);
        }

        break;

    case DT_TAG_P:
    case DT_TAG_BODY:
        break;

    case DT_TAG_A:
        return dt_anchor_begin(t) ? DT_DOES_LINK : DT_DOES_NOTHING;

    default:
        return dt_markup_named(t, tag);
    }

    dt_block_break(t);

    return DT_DOES_BREAK;
}


/* whether an element is no part of the control whose text is not read */
static int
dt_markup_is_content(const dt_text_t *t, const dt_tag_t *tag)
{
    if (tag->kind == DT_TAG_P) {
        return t->scan.stack[t->skip].name != DT_NAME_SELECT;
    }

    switch (tag->name) {

    case N('s', 'e', 'c', 't', 'i', 'o', 'n', 0):
    case N('h', 'e', 'a', 'd', 'e', 'r', 0, 0):
    case N('f', 'o', 'o', 't', 'e', 'r', 0, 0):
    case DT_NAME_TABLE:
    case DT_NAME_UL:
    case DT_NAME_OL:
    case DT_NAME_PRE:
    case DT_MARKUP_QUOTE:
        return 1;
    }

    return tag->kind == DT_TAG_HEADING
           || (tag->flags & (DT_TAG_MAIN | DT_TAG_ASIDE));
}


/* takes the id of a heading, or of an element in it, if it means nothing else
   in Markdown */
static void
dt_markup_id(dt_text_t *t)
{
    ptrdiff_t i, n = dt_attr_value(t, "id", t->id, sizeof(t->id));

    for (i = 0; i < n; i++) {
        if ((unsigned char) t->id[i] <= ' ' || t->id[i] == 0x7f
            || strchr("\"&<>`\\|", t->id[i]) != NULL)
        {
            return;
        }
    }

    t->id_len = (size_t) (n > 0 ? n : 0);
}


/* nothing of the element that has begun is written */
static void
dt_markup_leave_out(dt_text_t *t)
{
    t->skip = t->scan.depth;
    t->media = t->skip;
    t->found = 1;
}


void
dt_markup_tag(dt_text_t *t, int begun)
{
    const dt_tag_t *tag = dt_tag_find(t->scan.token.name);
    int look = 0;
    unsigned does;

    if (t->hidden) {
        return;
    }

    if (*t->scan.token.rest != '>' || tag->name == DT_MARKUP_DIALOG) {
        look = dt_hidden_look(t, begun);
    }

    if (look & DT_HIDDEN_HIDES) {
        if (begun && (t->skip == 0 || t->skip > t->scan.depth)) {
            t->skip = t->scan.depth;
            t->hidden = t->skip;
        }

        return;
    }

    if (t->math.state == DT_MATH_BEFORE
        && dt_attr_has(t, "aria-hidden", "true")) {
        /* the same formula again */
        t->math.state = DT_MATH_NONE;

        if (begun && t->skip == 0) {
            dt_markup_leave_out(t);
        }

        return;
    }

    if (t->skip && t->skip <= t->scan.depth) {
        if (t->media && !t->found
            && tag->name == N('s', 'o', 'u', 'r', 'c', 'e', 0, 0))
        {
            t->found = dt_media_link(t) != 0;
        }

        if (t->media || !begun || !dt_markup_is_content(t, tag)) {
            return;
        }

        /* a control that was not closed */
        t->skip = 0;
    }

    if (!begun) {
        dt_markup_void(t, tag);
        return;
    }

    if (*t->scan.token.rest != '>' && dt_code_is_numbers(t)) {
        dt_markup_leave_out(t);
        return;
    }

    does = dt_markup_begin(t, tag);

    if (does == DT_DOES_NOTHING && (look & DT_HIDDEN_BLOCK)) {
        dt_block_break(t);
        does = DT_DOES_BREAK;

    } else if (does == DT_DOES_NOTHING && (look & DT_HIDDEN_APART)) {
        dt_inline_gap(t);
        does = DT_DOES_SPACE;
    }

    t->does[t->scan.depth] = (uint8_t) does;

    if ((look & DT_HIDDEN_STRUCK) && t->nstruck < DT_TEXT_STRUCK) {
        t->struck[t->nstruck++] = (uint16_t) t->scan.depth;
        (void) dt_markup_in_style(t, DT_OP_DEL);
    }

    if ((t->o->json || t->o->anchors) && dt_text_is_heading(t)
        && t->id_len == 0) {
        dt_markup_id(t);
    }
}


/* the element at a depth has ended: what it was for all that is in it ends */
static void
dt_markup_leave(dt_text_t *t, unsigned depth)
{
    if (t->nstruck && t->struck[t->nstruck - 1] == depth) {
        t->nstruck--;
        dt_markup_in_end(t, DT_DOES_STYLE + DT_OP_DEL);
    }

    if (t->skip == depth) {
        t->skip = 0;
        t->hidden = 0;
        t->media = 0;
    }

    if (t->form == depth) {
        t->form = 0;
    }

    if (t->lines >= depth) {
        t->lines = 0;
    }
}


void
dt_markup_end(dt_text_t *t, unsigned depth)
{
    unsigned does = t->does[depth];

    t->does[depth] = DT_DOES_NOTHING;
    dt_markup_leave(t, depth);

    switch (does) {

    case DT_DOES_BREAK:
        dt_block_break(t);
        break;

    case DT_DOES_BOX:
        (void) dt_markup_block(t);
        dt_box_close(t, depth);
        t->defined =
            t->scan.stack[depth].name == N('d', 'd', 0, 0, 0, 0, 0, 0);
        break;

    case DT_DOES_TERM:
        dt_block_break(t);
        t->defined = 1;
        break;

    case DT_DOES_HEADING:
        dt_anchor_heading(t);

        /* fall through */

    case DT_DOES_PRE:
        dt_block_flush(t);
        t->kind = DT_BLOCK_PARAGRAPH;
        t->apart = 0;
        break;

    case DT_DOES_TABLE:
        if (t->table.depth == depth) {
            dt_grid_close(t);
        }

        dt_block_break(t);
        break;

    case DT_DOES_ROW:
        dt_grid_row_end(t);
        break;

    case DT_DOES_CELL:
        if (t->kind == DT_BLOCK_CELL) {
            dt_grid_cell_end(t);

        } else {
            dt_block_break(t);
        }

        break;

    default:
        dt_markup_in_end(t, does);
    }

    if (t->lang_depth >= depth && t->kind != DT_BLOCK_PRE) {
        t->lang_depth = 0;
        t->lang[0] = '\0';
    }
}
