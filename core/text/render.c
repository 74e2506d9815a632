
/*
 * Copyright (C) The detemplate authors
 *
 * Writes a line: its operations as Markdown, and its text with the escapes
 * that make a renderer give back the very words.
 */


#include "core/html/reference.h"
#include "core/text/box.h"
#include "core/text/out.h"
#include "core/text/render.h"


/*
 * The characters beside a mark of emphasis decide whether a renderer takes it
 * for that (CommonMark 0.31, 6.2).  Renderers do not agree which characters
 * are punctuation, so one that is neither ASCII nor surely a letter counts as
 * either, and marks are left out where that matters.
 */


/* the kind of character beside a mark */
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


/* the kind of the byte or character at p, in a line that goes up to end */
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


/* the kind of the character before q, besides marks like it; *other: it is
   another mark */
static unsigned
dt_flank_before(const char *p, const char *q, const char *end, int begins,
                int *other)
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

    return DT_BESIDE_SPACE;
}


static unsigned
dt_flank_after(const char *q, const char *end, int *other)
{
    for (*other = 0; q < end; q++) {
        *other = *other || dt_op_ends(*q);

        if (*q != DT_OP_NONE && !dt_op_begins(*q) && !dt_op_ends(*q)) {
            return dt_flank(q, end);
        }
    }

    return DT_BESIDE_SPACE;
}


/* whether the emphasis from p to q, in the line [line, end), can be written */
static int
dt_flank_pair(const char *line, const char *p, const char *q, const char *end)
{
    int other, ends;
    unsigned before, after;

    if (dt_is_alnum(p[1]) && dt_is_alnum(q[-1])
        && (p == line || (unsigned char) p[-1] >= ' '))
    {
        return 1;
    }

    before = dt_flank_before(line, p, end, 1, &other);
    after = dt_flank_after(p + 1, end, &ends);

    if (other || ends || after == DT_BESIDE_SPACE
        || (after != DT_BESIDE_LETTER && before > DT_BESIDE_SIGN))
    {
        return 0;
    }

    before = dt_flank_before(line, q, end, 0, &other);
    after = dt_flank_after(q + 1, end, &ends);

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


/* the operation at q ends the one at start; both become nothing, or a link all
   of it, where that cannot be written; code: it stands in code */
static void
dt_flank_end(const char *line, char *start, char *q, const char *end, int code)
{
    if (*q == DT_OP_LINK_END) {
        if (dt_flank_visible(start, q)) {
            return;
        }

        while (*start != DT_OP_URL) {
            *start++ = DT_OP_NONE;
        }

    } else if (!code && dt_flank_pair(line, start, q, end)) {
        return;
    }

    *start = DT_OP_NONE;
    *q = DT_OP_NONE;
}


/* removes the operations in [p, end) of the line that cannot be written */
static void
dt_flank_pairs(char *p, char *end)
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
                dt_flank_end(p, open[n & 7], q, end, (int) code);
            }
        }
    }
}


/* whether a byte is an operation that is no byte of the text */
#define dt_render_is_op(c) ((unsigned char) (c) < ' ' && (c) != DT_OP_NONE)


/* the state of the writing of a line */
typedef struct {
    dt_text_t *t;
    const char *p; /* the line */
    const char *end;
    int cell;
    int heading;
    const char *link; /* its URL; NULL: not in a link */
    const char *link_end;
    const char *around; /* the link that the image stands in */
    const char *bare;   /* the end of the bare URL before it */
    int code;           /* DT_OP_CODE or DT_OP_MATH: in that */
} dt_render_t;


/* whether the '_' at q is not in a word, where it says nothing */
static int
dt_render_low(const dt_render_t *r, const char *q)
{
    return q == r->p || q + 1 == r->end || !dt_is_alnum(q[-1])
           || !dt_is_alnum(q[1]);
}


/*
 * Whether a renderer that makes links of bare URLs would take more for the one
 * that goes on at q, or other bytes, than it is.
 */
static int
dt_render_bare(dt_render_t *r, const char *q)
{
    if (q >= r->bare) {
        for (r->bare = q; r->bare < r->end; r->bare++) {
            if ((unsigned char) *r->bare <= ' '
                || strchr("\\`*[]<&~|", *r->bare) != NULL
                || (*r->bare == '_' && dt_render_low(r, r->bare)))
            {
                break;
            }
        }
    }

    return r->bare < r->end && *r->bare != ' ';
}


/* whether the ':' or the '.' at q is that of a bare URL */
static int
dt_render_url(dt_render_t *r, const char *q)
{
    size_t before = (size_t) (q - r->p);

    if (r->link != NULL) {
        return 0;
    }

    if (*q == '.') {
        return before >= 3 && memcmp(q - 3, "www", 3) == 0
               && dt_render_bare(r, q);
    }

    return r->end - q > 2 && q[1] == '/' && q[2] == '/' && before >= 3
           && dt_is_alnum(q[-1]) && dt_render_bare(r, q);
}


/* whether the byte at q needs a backslash */
static int
dt_render_escapes(dt_render_t *r, const char *q, int begins)
{
    char next, last;
    const char *n;

    if (*q == ':' || *q == '.') {
        return (begins && r->end - q > 1 && q[1] == '-')
               || dt_render_url(r, q);
    }

    for (n = q + 1; n < r->end && *n == DT_OP_NONE; n++) {
        /* void */
    }

    next = n < r->end ? *n : '\n';
    last = q > r->p ? q[-1] : '\n';

    switch (*q) {

    case '\\':
        return next == '\n' || dt_is_op(next)
               || ((unsigned char) next < 0x80 && next > ' '
                   && !dt_is_alnum(next));

    case '`':
    case '[':
        return 1;

    case ']':
        return r->link != NULL;

    case '*':
    case '~':
        return begins || last != ' ' || next != ' ';

    case '^':
        return last == DT_OP_URL || last == DT_OP_IMAGE;

    case '_':
        return dt_render_low(r, q);

    case '<':
        return dt_char_is(next, DT_C_MARKUP) != 0;

    case '&':
        return dt_reference_like(q, r->end);

    case '!':
        return next == DT_OP_LINK;

    case '|':
        return r->cell || begins;

    case '#':
        return begins || (r->heading && n == r->end);

    case '-':
    case '+':
        return begins && !dt_is_alnum(next);

    case '=':
    case '>':
        return begins;
    }

    return 0;
}


/*
 * A bit for each byte of the block at p that is an operation, or one that
 * dt_render_escapes() is asked about where it does not begin a line, or a rare
 * one beside those.
 */
static inline uint64_t
dt_render_odd(const char *p)
{
    dt_block_t odd, b = dt_block_load(p);

    odd = dt_block_or(dt_block_le(b, ' ' - 1), dt_block_range(b, '[', '`'));
    odd = dt_block_or(odd, dt_block_range(b, '#', '&'));
    odd = dt_block_or(odd, dt_block_range(b, ':', '<'));
    odd = dt_block_or(odd, dt_block_range(b, '|', '~'));
    odd = dt_block_or(odd, dt_block_eq(b, '!'));
    odd = dt_block_or(odd, dt_block_eq(b, '*'));

    /* and that of "www." */

    odd =
        dt_block_or(odd, dt_block_and(dt_block_eq(b, '.'),
                                      dt_block_eq(dt_block_load(p - 1), 'w')));

    return dt_mask_bits(dt_block_mask(odd));
}


/* writes the bytes of code in [p, end), which has no operations but those that
   are bytes */
static void
dt_render_code(dt_render_t *r, const char *p, const char *end)
{
    int pad;
    size_t run = 0, longest = 0;
    const char *q, *stop;
    dt_text_t *t = r->t;

    for (; p < end && (*p == ' ' || *p == DT_OP_NONE); p++) {
        if (*p == ' ') {
            dt_out_char(&t->out, ' ');
        }
    }

    for (stop = end; stop > p && (stop[-1] == ' ' || stop[-1] == DT_OP_NONE);
         stop--)
    {
        /* void */
    }

    if (p == stop) {
        return;
    }

    for (q = p; q < stop; q++) {
        run = *q == '`' ? run + 1 : *q == DT_OP_NONE ? run : 0;
        longest = run > longest ? run : longest;
    }

    pad = *p == '`' || stop[-1] == '`';

    dt_out_run(&t->out, '`', longest + 1);

    if (pad) {
        dt_out_char(&t->out, ' ');
    }

    for (q = p; q < stop; q++) {
        if (*q == DT_OP_NONE) {
            continue;
        }

        if (*q == '|' && r->cell) {
            dt_out_char(&t->out, '\\');
        }

        dt_out_char(&t->out, *q);
    }

    if (pad) {
        dt_out_char(&t->out, ' ');
    }

    dt_out_run(&t->out, '`', longest + 1);

    for (q = stop; q < end; q++) {
        if (*q == ' ') {
            dt_out_char(&t->out, ' ');
        }
    }
}


/* writes TeX, between the signs that its readers look for */
static void
dt_render_math(dt_render_t *r, const char *p, const char *end)
{
    dt_out_char(&r->t->out, '$');

    for (; p < end; p++) {
        if (*p == '|' && r->cell) {
            dt_out_char(&r->t->out, '\\');
        }

        if (*p != DT_OP_NONE) {
            dt_out_char(&r->t->out, *p);
        }
    }

    dt_out_char(&r->t->out, '$');
}


/* writes bytes that a renderer might take for the mark of a block at p, where
   a line begins, of text if begins is set; returns the rest of the line */
static const char *
dt_render_begin(dt_render_t *r, const char *p, int begins)
{
    const char *q;

    while (p < r->end && *p == DT_OP_NONE) {
        p++;
    }

    if (p == r->end || (unsigned char) *p < ' ') {
        return p;
    }

    for (q = p; q < r->end && *q >= '0' && *q <= '9'; q++) {
        /* void */
    }

    if (q > p && q - p <= 9 && q < r->end && (*q == '.' || *q == ')')) {
        dt_out_bytes(&r->t->out, p, (size_t) (q - p));
        dt_out_char(&r->t->out, '\\');
        dt_out_char(&r->t->out, *q);
        return q + 1;
    }

    if (begins) {
        if (dt_render_escapes(r, p, 1)) {
            dt_out_char(&r->t->out, '\\');
        }

        dt_out_char(&r->t->out, *p++);
    }

    return p;
}


/* writes code or TeX from p on, up to an operation: returns it, or the end */
static const char *
dt_render_as_is(dt_render_t *r, const char *p)
{
    const char *q = p;

    while (q < r->end && !dt_render_is_op(*q)) {
        q++;
    }

    if (q > p && r->code == DT_OP_MATH) {
        dt_render_math(r, p, q);

    } else if (q > p) {
        dt_render_code(r, p, q);
    }

    return q;
}


/* writes a target, and the signs around it */
static void
dt_render_target(dt_render_t *r, const char *p, const char *end)
{
    dt_out_bytes(&r->t->out, "](", 2);
    dt_out_bytes(&r->t->out, p, (size_t) (end - p));
    dt_out_char(&r->t->out, ')');
}


/* writes the operation at p; returns the rest of the line */
static const char *
dt_render_op(dt_render_t *r, const char *p)
{
    dt_text_t *t = r->t;
    const char *end;

    switch (*p) {

    case '\n':
        if (r->cell) {
            dt_out_string(&t->out, "<br>");
            break;
        }

        dt_out_char(&t->out, '\\');
        dt_box_next(t);

        if (!r->code) {
            return dt_render_begin(r, p + 1, 1);
        }

        break;

    case DT_OP_STRONG:
    case DT_OP_STRONG_END:
        dt_out_bytes(&t->out, "**", 2);
        break;

    case DT_OP_EM:
    case DT_OP_EM_END:
        dt_out_char(&t->out, '*');
        break;

    case DT_OP_DEL:
    case DT_OP_DEL_END:
        dt_out_bytes(&t->out, "~~", 2);
        break;

    case DT_OP_CODE:
    case DT_OP_MATH:
        r->code = (unsigned char) *p;
        break;

    case DT_OP_CODE_END:
    case DT_OP_MATH_END:
        r->code = 0;
        break;

    case DT_OP_LINK:
        dt_out_char(&t->out, '[');
        r->link = p + 1;
        r->link_end = memchr(p, DT_OP_URL, (size_t) (r->end - p));
        p = r->link_end;
        break;

    case DT_OP_LINK_END:
        dt_render_target(r, r->link, r->link_end);

        if (t->o->json) {
            dt_json_link(t, r->link, (size_t) (r->link_end - r->link));
        }

        r->link = NULL;
        break;

    case DT_OP_IMAGE:
        dt_out_bytes(&t->out, "![", 2);
        r->around = r->link;
        r->link = p;
        return p + 1; /* its text is not code */

    case DT_OP_URL: /* of the image */
        end = memchr(p, DT_OP_IMAGE_END, (size_t) (r->end - p));
        dt_render_target(r, p + 1, end);
        r->link = r->around;
        p = end;
    }

    return r->code ? dt_render_as_is(r, p + 1) : p + 1;
}


/* writes the line as text */
static void
dt_render_plain(dt_text_t *t, const char *p, const char *end)
{
    for (; p < end; p++) {
        if (*p == DT_OP_LINK) {
            p = memchr(p, DT_OP_URL, (size_t) (end - p));

        } else if (*p == DT_OP_IMAGE) {
            p = memchr(p, DT_OP_IMAGE_END, (size_t) (end - p));

        } else if (*p == '\n') {
            dt_box_next(t);

        } else if (*p == DT_OP_MATH || *p == DT_OP_MATH_END) {
            dt_out_char(&t->out, '$');

        } else if (!dt_is_op(*p)) {
            dt_out_char(&t->out, *p);
        }
    }
}


/* the same as Markdown, from p on: each block is copied, and then it is seen
   how much of it may be */
static void
dt_render_marks(dt_render_t *r, const char *p)
{
    size_t n;
    uint64_t odd;
    dt_text_t *t = r->t;

    while (p < r->end) {
        if (t->out.len > DT_TEXT_OUT - DT_BLOCK) {
            dt_out_flush(&t->out);
        }

        memcpy(t->out.buf + t->out.len, p, DT_BLOCK);
        odd = dt_text_bits(dt_render_odd(p), p, r->end);

        while (odd && (unsigned char) p[__builtin_ctzll(odd)] >= ' '
               && !dt_render_escapes(r, p + __builtin_ctzll(odd), 0))
        {
            odd &= odd - 1;
        }

        n = odd                     ? (size_t) __builtin_ctzll(odd)
            : r->end - p < DT_BLOCK ? (size_t) (r->end - p)
                                    : DT_BLOCK;
        t->out.len += n;
        p += n;

        if (odd == 0) {
            continue;
        }

        if ((unsigned char) *p >= ' ') {
            dt_out_char(&t->out, '\\');
            dt_out_char(&t->out, *p++);

        } else {
            p = dt_render_op(r, p);
        }
    }
}


void
dt_render(dt_text_t *t, char *p, char *end, int begins, int cell)
{
    dt_render_t r = { t, p, end, cell, 0, NULL, NULL, NULL, p, 0 };

    if (t->o->plain) {
        dt_render_plain(t, p, end);
        return;
    }

    if (t->marked) {
        dt_flank_pairs(p, end);
    }

    r.heading = dt_text_is_heading(t);
    dt_render_marks(&r, dt_render_begin(&r, p, begins));
}
