
/*
 * Copyright (C) The detemplate authors
 *
 * What the tags within a line become: emphasis, code, links, and controls of
 * forms, which are not read.
 */


#include "core/scan/state.h"
#include "core/text/text_i.h"


#define N dt_letters


/* formatting begins; count: how many such elements are open */
static int
dt_phrase_style(dt_text_t *t, unsigned *count, unsigned op, int does)
{
    if ((*count)++ == 0) {
        dt_inline_open(t, op, NULL, 0);
    }

    return does;
}


static void
dt_phrase_style_end(dt_text_t *t, unsigned *count, unsigned op)
{
    if (--*count == 0) {
        dt_inline_close(t, op);
    }
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


int
dt_phrase_begin(dt_text_t *t)
{
    switch (t->scan.token.name) {

    case DT_NAME_A:
        return dt_text_link(t) ? DT_DOES_LINK : DT_DOES_NOTHING;

    case N('b', 0, 0, 0, 0, 0, 0, 0):
    case N('s', 't', 'r', 'o', 'n', 'g', 0, 0):
        return dt_phrase_style(t, &t->strong, DT_OP_STRONG, DT_DOES_STRONG);

    case N('i', 0, 0, 0, 0, 0, 0, 0):
    case N('e', 'm', 0, 0, 0, 0, 0, 0):
        return dt_phrase_style(t, &t->em, DT_OP_EM, DT_DOES_EM);

    case N('s', 0, 0, 0, 0, 0, 0, 0):
    case N('d', 'e', 'l', 0, 0, 0, 0, 0):
    case N('s', 't', 'r', 'i', 'k', 'e', 0, 0):
        return dt_phrase_style(t, &t->del, DT_OP_DEL, DT_DOES_DEL);

    case N('c', 'o', 'd', 'e', 0, 0, 0, 0):
        if (t->kind == DT_BLOCK_PRE) {
            /* it is written when the element around it ends */
            dt_text_language(t, t->scan.depth - 1);
        }

        /* fall through */

    case N('k', 'b', 'd', 0, 0, 0, 0, 0):
    case N('s', 'a', 'm', 'p', 0, 0, 0, 0):
    case N('t', 't', 0, 0, 0, 0, 0, 0):
        return dt_phrase_style(t, &t->code, DT_OP_CODE, DT_DOES_CODE);

    case DT_NAME_SELECT:
    case DT_NAME_OPTION:
    case DT_NAME_OPTGROUP:
    case N('d', 'a', 't', 'a', 'l', 'i', 's', 't'):
        return dt_phrase_skip(t);

    case N('s', 'u', 'p', 0, 0, 0, 0, 0):
        dt_inline_script(t);
        return DT_DOES_SUP;

    case N('s', 'u', 'b', 0, 0, 0, 0, 0):
        dt_inline_script(t);
        return DT_DOES_SUB;

    case N('q', 0, 0, 0, 0, 0, 0, 0):
        dt_phrase_quote(t, "\xe2\x80\x9c", "\xe2\x80\x98");
        t->quotes++;
        return DT_DOES_QUOTE;

    case N('v', 'i', 'd', 'e', 'o', 0, 0, 0):
    case N('a', 'u', 'd', 'i', 'o', 0, 0, 0):
        return dt_phrase_media(t);

    case N('c', 'a', 'n', 'v', 'a', 's', 0, 0):
    case N('o', 'b', 'j', 'e', 'c', 't', 0, 0):
    case N('a', 'p', 'p', 'l', 'e', 't', 0, 0):
    case N('m', 'e', 't', 'e', 'r', 0, 0, 0):
    case N('p', 'r', 'o', 'g', 'r', 'e', 's', 's'):
        t->space = t->kind != DT_BLOCK_PRE;
        return DT_DOES_SPACE;

    case DT_NAME_BUTTON:
        if (dt_phrase_is_control(t)) {
            return dt_phrase_skip(t);
        }

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

    case DT_DOES_STRONG:
        dt_phrase_style_end(t, &t->strong, DT_OP_STRONG);
        break;

    case DT_DOES_EM:
        dt_phrase_style_end(t, &t->em, DT_OP_EM);
        break;

    case DT_DOES_DEL:
        dt_phrase_style_end(t, &t->del, DT_OP_DEL);
        break;

    case DT_DOES_CODE:
        dt_phrase_style_end(t, &t->code, DT_OP_CODE);
        break;

    case DT_DOES_SUP:
        dt_inline_script_end(t, '^');
        break;

    case DT_DOES_SUB:
        dt_inline_script_end(t, '_');
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
    }
}
