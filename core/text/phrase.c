
/*
 * Copyright (C) The detemplate authors
 *
 * What the tags within a line become: emphasis, code, sub and sup, and
 * controls of forms, which are not read.
 */


#include "core/scan/state.h"
#include "core/text/text_i.h"


#define N dt_letters


/* formatting begins, as an operation has it; returns what its end does */
static int
dt_phrase_style(dt_text_t *t, unsigned op)
{
    if (t->styles[op]++ == 0) {
        dt_inline_open(t, op, NULL, 0);
    }

    return DT_DOES_STYLE + (int) op;
}


/* what is not read begins: controls of a form */
static int
dt_phrase_skip(dt_text_t *t)
{
    t->space = t->kind != DT_BLOCK_PRE;

    if (t->skip == 0) {
        t->skip = t->scan.depth;
    }

    return DT_DOES_NOTHING;
}


/* whether the button of the tag does something to the form that it is in: one
   that shows a part of the page is content */
static int
dt_phrase_is_control(const dt_text_t *t)
{
    return t->form && !dt_text_has(t, "type", "button")
           && !dt_text_has(t, "aria-expanded", NULL)
           && !(t->kind >= DT_BLOCK_H1 && t->kind <= DT_BLOCK_H6);
}


/* a film or a sound begins, of which what is in it is not shown */
static int
dt_phrase_media(dt_text_t *t)
{
    t->space = t->kind != DT_BLOCK_PRE;

    if (t->skip == 0) {
        t->skip = t->scan.depth;
        t->media = dt_text_media(t) ? 0 : t->skip;
    }

    return DT_DOES_MEDIA;
}


/* the mark of a quotation, with others in it */
static void
dt_phrase_quote(dt_text_t *t, const char *outer, const char *inner)
{
    const char *mark = t->quotes & 1 ? inner : outer;

    dt_inline_words(t, mark, strlen(mark));
}


/* whether a byte may be what a sub or sup belongs to */
static int
dt_phrase_is_base(char c)
{
    return c < 0 || dt_is_alnum(c) || c == ')' || c == ']' || c == '}';
}


/* a sub or sup begins */
static void
dt_phrase_script(dt_text_t *t)
{
    size_t base = t->tail;

    while (base && dt_is_op(t->line[base - 1])
           && t->line[base - 1] != DT_OP_CELL) {
        base--;
    }

    if (t->scripts < DT_TEXT_SCRIPTS) {
        t->script_at[t->scripts] =
            !t->space && t->kind != DT_BLOCK_PRE && base
                    && dt_phrase_is_base(t->line[base - 1])
                ? t->len + 1
                : 0;
    }

    t->scripts++;
}


/* whether an operation is one of emphasis or code */
static int
dt_phrase_is_style(char op)
{
    return op <= DT_OP_DEL_END || op == DT_OP_CODE || op == DT_OP_CODE_END;
}


/*
 * What is to be done with a sub or sup of n bytes at p: 0: nothing; 1: a sign
 * is put before it; 2: and parentheses around it.
 */
static int
dt_phrase_signs(char sign, const char *p, size_t n)
{
    int signs = 1;
    size_t i, letters = 0, bytes = 0;

    for (i = 0; i < n; i++) {
        if (dt_is_op(p[i])) {
            if (!dt_phrase_is_style(p[i])) {
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


/* it ends: what came is marked as such by sign, where it would join what is
   before it */
static void
dt_phrase_script_end(dt_text_t *t, char sign)
{
    int signs;
    size_t at, n;
    char *p;

    at = --t->scripts < DT_TEXT_SCRIPTS ? t->script_at[t->scripts] : 0;

    if (at == 0 || t->len < at || t->len + 3 > DT_TEXT_LINE) {
        return;
    }

    p = t->line + at - 1;
    n = t->len - (at - 1);
    signs = dt_phrase_signs(sign, p, n);

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

    t->len = at - 1 + n;
    t->tail = t->len;
}


int
dt_phrase_begin(dt_text_t *t)
{
    switch (t->scan.token.name) {

    case N('b', 0, 0, 0, 0, 0, 0, 0):
    case N('s', 't', 'r', 'o', 'n', 'g', 0, 0):
        return dt_phrase_style(t, DT_OP_STRONG);

    case N('i', 0, 0, 0, 0, 0, 0, 0):
    case N('e', 'm', 0, 0, 0, 0, 0, 0):
        return dt_phrase_style(t, DT_OP_EM);

    case N('s', 0, 0, 0, 0, 0, 0, 0):
    case N('d', 'e', 'l', 0, 0, 0, 0, 0):
    case N('s', 't', 'r', 'i', 'k', 'e', 0, 0):
        return dt_phrase_style(t, DT_OP_DEL);

    case N('c', 'o', 'd', 'e', 0, 0, 0, 0):
        if (t->kind == DT_BLOCK_PRE) {
            /* it is written when the element around it ends */
            dt_text_language(t, t->scan.depth - 1);
        }

        /* fall through */

    case N('k', 'b', 'd', 0, 0, 0, 0, 0):
    case N('s', 'a', 'm', 'p', 0, 0, 0, 0):
    case N('t', 't', 0, 0, 0, 0, 0, 0):
        return dt_phrase_style(t, DT_OP_CODE);

    case DT_NAME_SELECT:
    case DT_NAME_OPTION:
    case DT_NAME_OPTGROUP:
    case N('d', 'a', 't', 'a', 'l', 'i', 's', 't'):
        return dt_phrase_skip(t);

    case N('s', 'u', 'p', 0, 0, 0, 0, 0):
        dt_phrase_script(t);
        return DT_DOES_SUP;

    case N('s', 'u', 'b', 0, 0, 0, 0, 0):
        dt_phrase_script(t);
        return DT_DOES_SUB;

    case N('q', 0, 0, 0, 0, 0, 0, 0):
        dt_phrase_quote(t, "\xe2\x80\x9c", "\xe2\x80\x98");
        t->quotes++;
        return DT_DOES_QUOTE;

    case N('v', 'i', 'd', 'e', 'o', 0, 0, 0):
    case N('a', 'u', 'd', 'i', 'o', 0, 0, 0):
        return dt_phrase_media(t);

    case DT_NAME_BUTTON:
        if (dt_phrase_is_control(t)) {
            return dt_phrase_skip(t);
        }

        /* fall through */

    case N('c', 'a', 'n', 'v', 'a', 's', 0, 0):
    case N('o', 'b', 'j', 'e', 'c', 't', 0, 0):
    case N('a', 'p', 'p', 'l', 'e', 't', 0, 0):
    case N('m', 'e', 't', 'e', 'r', 0, 0, 0):
    case N('p', 'r', 'o', 'g', 'r', 'e', 's', 's'):
        t->space = t->kind != DT_BLOCK_PRE;
        return DT_DOES_SPACE;
    }

    return -1;
}


void
dt_phrase_end(dt_text_t *t, unsigned does)
{
    switch (does) {

    case DT_DOES_SPACE:
    case DT_DOES_MEDIA:
        t->media = 0;
        t->space = t->kind != DT_BLOCK_PRE;
        break;

    case DT_DOES_SUP:
        dt_phrase_script_end(t, '^');
        break;

    case DT_DOES_SUB:
        dt_phrase_script_end(t, '_');
        break;

    case DT_DOES_QUOTE:
        t->quotes--;
        dt_phrase_quote(t, "\xe2\x80\x9d", "\xe2\x80\x99");
        t->space = 0;
        break;

    case DT_DOES_LINK:
        t->link_len = 0;

        if (t->drops && t->kind >= DT_BLOCK_H1 && t->kind <= DT_BLOCK_H6) {
            dt_inline_permalink(t);
        }

        dt_inline_close(t, DT_OP_LINK);
        break;

    default:
        if (does >= DT_DOES_STYLE && --t->styles[does - DT_DOES_STYLE] == 0) {
            dt_inline_close(t, does - DT_DOES_STYLE);
        }
    }
}
