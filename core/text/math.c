
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/attr.h"
#include "core/text/inline.h"
#include "core/text/math.h"


#define N dt_letters

#define DT_MATH_ANNOTATION                                                    \
    (N('a', 'n', 'n', 'o', 't', 'a', 't', 'i')                                \
     ^ N('o', 'n', 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)
#define DT_MATH_ANNOTATION_XML                                                \
    (N('a', 'n', 'n', 'o', 't', 'a', 't', 'i')                                \
     ^ N('o', 'n', '-', 'x', 'm', 'l', 0, 0) * DT_NAME_FOLD)
#define DT_MATH_UNDEROVER                                                     \
    (N('m', 'u', 'n', 'd', 'e', 'r', 'o', 'v')                                \
     ^ N('e', 'r', 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)

/* in t->math.child: how many children an element has so far, and above that
   how many ")" stand behind it */
#define DT_MATH_COUNT 3
#define DT_MATH_ENDS 4


/* writes TeX in the place of the text of the math so far */
static void
dt_math_tex(dt_text_t *t, const char *p, size_t len)
{
    if (t->math.at && t->line.len >= t->math.at - 1) {
        t->line.len = t->math.at - 1;
        t->tail = t->tail < t->line.len ? t->tail : t->line.len;
        t->math.at = 0;
        t->space = t->math.space;
        dt_inline_open(t, DT_OP_MATH, NULL, 0);
        dt_inline_words(t, p, len);
        dt_inline_close(t, DT_OP_MATH);
        t->math.state = DT_MATH_DONE;
    }
}


/*
 * The sign before the child of an element, and in *ends whether ")" stands
 * behind it; leaf: it is a single number or name.
 */
static const char *
dt_math_sign(uint64_t parent, unsigned child, int leaf, int *ends)
{
    *ends = 1;

    switch (parent) {

    case N('m', 'f', 'r', 'a', 'c', 0, 0, 0):
        return child ? "/(" : "(";

    case N('m', 'r', 'o', 'o', 't', 0, 0, 0):
        return child ? "^(1/" : "(";
    }

    *ends = child && !leaf;

    switch (parent) {

    case N('m', 's', 'u', 'b', 0, 0, 0, 0):
    case N('m', 'u', 'n', 'd', 'e', 'r', 0, 0):
        return child == 0 ? "" : leaf ? "_" : "_(";

    case N('m', 's', 'u', 'p', 0, 0, 0, 0):
    case N('m', 'o', 'v', 'e', 'r', 0, 0, 0):
        return child == 0 ? "" : leaf ? "^" : "^(";

    case N('m', 's', 'u', 'b', 's', 'u', 'p', 0):
    case DT_MATH_UNDEROVER:
        return child == 0   ? ""
               : child == 1 ? (leaf ? "_" : "_(")
                            : (leaf ? "^" : "^(");
    }

    *ends = 0;

    return "";
}


static void
dt_math_write(dt_text_t *t, const char *sign)
{
    if (t->math.state == DT_MATH_READ && *sign) {
        dt_inline_words(t, sign, strlen(sign));
    }
}


/* the element of math itself begins */
static void
dt_math_begin(dt_text_t *t)
{
    char tex[DT_TEXT_FIELD];
    ptrdiff_t n = dt_attr_value(t, "alttext", tex, sizeof(tex));

    t->math.state = DT_MATH_READ;
    t->math.space = t->space;
    t->math.at = t->kind == DT_BLOCK_PRE ? 0 : t->line.len + 1;
    t->math.child[0] = 0;

    if (n > 0) {
        dt_math_tex(t, tex, (size_t) n);
    }
}


/* whether an element of math is a single number, name or sign */
static int
dt_math_is_leaf(uint64_t name)
{
    return name == N('m', 'i', 0, 0, 0, 0, 0, 0)
           || name == N('m', 'n', 0, 0, 0, 0, 0, 0)
           || name == N('m', 'o', 0, 0, 0, 0, 0, 0);
}


/* whether its words are shown only where TeX is read */
static int
dt_math_is_note(uint64_t name)
{
    return name == DT_MATH_ANNOTATION || name == DT_MATH_ANNOTATION_XML;
}


void
dt_math_tag(dt_text_t *t, unsigned before)
{
    int ends;
    const dt_scan_t *s = &t->scan;
    uint64_t name = s->token.name;

    if (before == 0) {
        dt_math_begin(t);
        return;
    }

    if (s->nest.n != before && s->nest.n != before + 1) {
        return;
    }

    dt_math_write(t, dt_math_sign(s->nest.inner[before - 1],
                                  t->math.child[before - 1] & DT_MATH_COUNT,
                                  dt_math_is_leaf(name), &ends));

    if ((t->math.child[before - 1] & DT_MATH_COUNT) < DT_MATH_COUNT) {
        t->math.child[before - 1]++;
    }

    if (s->nest.n == before) {
        return;
    }

    if (name == N('m', 's', 'q', 'r', 't', 0, 0, 0)) {
        dt_math_write(t, "sqrt(");
        ends++;
    }

    t->math.child[before] = (uint8_t) (ends * DT_MATH_ENDS);

    if (t->math.state == DT_MATH_READ && dt_math_is_note(name)) {
        t->math.state = dt_attr_has(t, "encoding", "application/x-tex")
                            ? DT_MATH_NOTE
                            : DT_MATH_SKIP;
        t->math.tex = dt_str("");
    }
}


/* an annotation ends */
static void
dt_math_noted(dt_text_t *t)
{
    char tex[DT_TEXT_FIELD];
    size_t len = 0;
    const char *p = t->math.tex.data;

    if (t->math.state == DT_MATH_NOTE
        && dt_attr_decode(t, p, p + t->math.tex.len, DT_SOURCE_TEXT, tex, &len,
                          sizeof(tex))
        && len)
    {
        dt_math_tex(t, tex, len);
    }

    t->math.state =
        t->math.state == DT_MATH_DONE ? DT_MATH_DONE : DT_MATH_READ;
}


void
dt_math_end(dt_text_t *t, unsigned before)
{
    const dt_scan_t *s = &t->scan;
    unsigned n, ends;

    for (n = before; n > s->nest.n; n--) {
        for (ends = t->math.child[n - 1] / DT_MATH_ENDS; ends; ends--) {
            dt_math_write(t, ")");
        }

        if (dt_math_is_note(s->nest.inner[n - 1])) {
            dt_math_noted(t);
        }
    }

    if (s->nest.name == 0) {
        t->math.state = DT_MATH_BEFORE;
        t->math.at = 0;
    }
}


int
dt_math_text(dt_text_t *t, const char **p, const char *end)
{
    const char *from = dt_skip_white(*p, end);

    switch (t->math.state) {

    case DT_MATH_NONE:
        return 1;

    case DT_MATH_READ:
        *p = t->math.text ? *p : from;
        t->math.text = *p < end;
        return t->math.text;

    case DT_MATH_NOTE:
        /* text behind a comment belongs to the annotation */
        from = t->math.tex.len ? t->math.tex.data : *p;
        t->math.tex = (dt_str_t){ (size_t) (end - from), from };
        return 0;

    case DT_MATH_BEFORE:
        t->math.state = from < end ? DT_MATH_NONE : DT_MATH_BEFORE;
        return 1;

    default:
        return 0;
    }
}
