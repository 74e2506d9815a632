
/*
 * Copyright (C) The detemplate authors
 *
 * Which marks of emphasis a renderer takes for that: what stands beside them
 * decides (CommonMark 0.31, 6.2).  Renderers do not agree which characters are
 * punctuation, so what is neither ASCII nor surely a letter counts as either,
 * and marks are left out where that matters.
 */


#include "core/html/html.h"
#include "core/text/text_i.h"


/* what stands beside a mark */
enum { DT_BESIDE_SPACE = 0, DT_BESIDE_SIGN, DT_BESIDE_LETTER, DT_BESIDE_ANY };

#define dt_op_begins(c)                                                       \
    ((c) == DT_OP_STRONG || (c) == DT_OP_EM || (c) == DT_OP_DEL)
#define dt_op_ends(c)                                                         \
    ((c) == DT_OP_STRONG_END || (c) == DT_OP_EM_END || (c) == DT_OP_DEL_END)


static unsigned
dt_flank_char(uint32_t c)
{
    if ((c >= 0xc0 && c < 0x2c0 && c != 0xd7 && c != 0xf7)
        || (c >= 0x400 && c < 0x482) || (c >= 0x388 && c < 0x3f6)
        || (c >= 0x3041 && c < 0x3097) || (c >= 0x30a1 && c < 0x30fb)
        || (c >= 0x3400 && c < 0xa000) || (c >= 0xac00 && c < 0xd7a4))
    {
        return DT_BESIDE_LETTER;
    }

    return c == 0x1680 || (c >= 0x2000 && c < 0x200b) || c == 0x202f
                   || c == 0x205f || c == 0x3000
               ? DT_BESIDE_SPACE
               : DT_BESIDE_ANY;
}


/* what the byte or character at p is, in a line that goes up to end */
static unsigned
dt_flank(const char *p, const char *end)
{
    uint32_t c;

    if (*p == ' ' || *p == '\n') {
        return DT_BESIDE_SPACE;
    }

    if ((unsigned char) *p < 0x80) {
        return dt_is_alnum(*p) ? DT_BESIDE_LETTER : DT_BESIDE_SIGN;
    }

    return dt_utf8_get(p, end, &c) > 0 ? dt_flank_char(c) : DT_BESIDE_ANY;
}


/* what stands before q, besides marks like it; *other: it is another mark */
static unsigned
dt_flank_before(const dt_text_t *t, const char *p, const char *q,
                const char *end, int begins, int *other)
{
    *other = 0;

    while (q > p) {
        q--;

        if (begins ? dt_op_begins(*q) : dt_op_ends(*q)) {
            continue;
        }

        if (*q == DT_OP_NONE) {
            continue;
        }

        *other = dt_op_begins(*q) || dt_op_ends(*q);

        while (q > p && ((unsigned char) *q & 0xc0) == 0x80) {
            q--;
        }

        return dt_flank(q, end);
    }

    return t->continued ? DT_BESIDE_ANY : DT_BESIDE_SPACE;
}


static unsigned
dt_flank_after(const dt_text_t *t, const char *q, const char *end, int *other)
{
    for (*other = 0; q < end; q++) {
        *other = *other || dt_op_ends(*q);

        if (*q != DT_OP_NONE && !dt_op_begins(*q) && !dt_op_ends(*q)) {
            return dt_flank(q, end);
        }
    }

    return t->partial ? DT_BESIDE_ANY : DT_BESIDE_SPACE;
}


/* whether the emphasis from p to q, in the line [line, end), can be written */
static int
dt_flank_pair(const dt_text_t *t, const char *line, const char *p,
              const char *q, const char *end)
{
    int other, ends;
    unsigned before, after;

    if (dt_is_alnum(p[1]) && dt_is_alnum(q[-1])
        && (p == line || (unsigned char) p[-1] >= ' '))
    {
        return 1;
    }

    before = dt_flank_before(t, line, p, end, 1, &other);
    after = dt_flank_after(t, p + 1, end, &ends);

    if (other || ends || after == DT_BESIDE_SPACE
        || (after != DT_BESIDE_LETTER && before > DT_BESIDE_SIGN))
    {
        return 0;
    }

    before = dt_flank_before(t, line, q, end, 0, &other);
    after = dt_flank_after(t, q + 1, end, &ends);

    return !other && before != DT_BESIDE_SPACE
           && (before == DT_BESIDE_LETTER || after < DT_BESIDE_LETTER);
}


/* whether there is something to see in the link from p to q of the line */
static int
dt_flank_visible(const char *p, const char *q)
{
    while ((unsigned char) *--q <= ' ' && *q != DT_OP_IMAGE_END) {
        if (*q == DT_OP_URL) {
            return 0;
        }
    }

    return q > p;
}


/* a code that begins right where one ends goes on with it */
static void
dt_flank_join(char *line, char *q)
{
    char *p;

    for (p = q; p > line && p[-1] == DT_OP_NONE; p--) {
        /* void */
    }

    if (p > line && p[-1] == DT_OP_CODE_END) {
        p[-1] = DT_OP_NONE;
        *q = DT_OP_NONE;
    }
}


/* the operation at q ends what begins at start; both become nothing, or a link
   all of it, where that cannot be written; code: it stands in code */
static void
dt_flank_end(const dt_text_t *t, const char *line, char *start, char *q,
             const char *end, int code)
{
    if (*q == DT_OP_LINK_END) {
        if (dt_flank_visible(start, q)) {
            return;
        }

        while (*start != DT_OP_URL) {
            *start++ = DT_OP_NONE;
        }

    } else if (!code && dt_flank_pair(t, line, start, q, end)) {
        return;
    }

    *start = DT_OP_NONE;
    *q = DT_OP_NONE;
}


void
dt_flank_pairs(const dt_text_t *t, char *p, char *end)
{
    char *q, *open[8];
    unsigned n = 0, code = 0;

    for (q = p; q += dt_op_find(q, end) - q, q < end; q++) {
        switch (*q) {

        case DT_OP_CODE:
            dt_flank_join(p, q);
            code = 1;

            /* fall through */

        case DT_OP_STRONG:
        case DT_OP_EM:
        case DT_OP_DEL:
        case DT_OP_LINK:
            open[n++ & 7] = q;
            break;

        case DT_OP_STRONG_END:
        case DT_OP_EM_END:
        case DT_OP_DEL_END:
        case DT_OP_CODE_END:
        case DT_OP_LINK_END:
            if (n == 0) {
                *q = DT_OP_NONE;

            } else if (n--, *q == DT_OP_CODE_END) {
                code = 0;

            } else {
                dt_flank_end(t, p, open[n & 7], q, end, (int) code);
            }
        }
    }
}
