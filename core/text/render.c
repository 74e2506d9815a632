
/*
 * Copyright (C) The detemplate authors
 *
 * Writes a line: what its operations become in Markdown, and which of its
 * bytes must be escaped so that a renderer gives back the very words.
 */


#include "core/html/reference.h"
#include "core/text/text_i.h"


/* whether a byte is an operation that is no byte of the text */
#define dt_render_is_op(c) ((unsigned char) (c) < ' ' && (c) != DT_OP_NONE)


/* what the writing of a line knows */
typedef struct {
    dt_text_t *t;
    const char *p; /* the line */
    const char *end;
    int begins; /* the next byte is the first of a line of the text */
    int cell;
    int heading;
    const char *link; /* its URL; NULL: not in a link */
    const char *link_end;
    const char *bare; /* what ends the bare URL before it */
    int code;
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

    return r->bare < r->end ? *r->bare != ' ' : r->t->partial;
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

    case ':':
        return (begins && next == '-') || dt_render_url(r, q);

    case '.':
        return dt_render_url(r, q);

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
 * dt_render_escapes() is asked about, where it does not begin a line.
 */
static inline uint64_t
dt_render_odd(const char *p)
{
    dt_block_t odd, b = dt_block_load(p), next = dt_block_load(p + 1);

    odd = dt_block_or(dt_block_le(b, ' ' - 1), dt_block_eq(b, '#'));
    odd = dt_block_or(odd, dt_block_eq(b, '&'));
    odd = dt_block_or(odd, dt_block_eq(b, '*'));
    odd = dt_block_or(odd, dt_block_eq(b, '<'));
    odd = dt_block_or(odd, dt_block_eq(b, '|'));
    odd = dt_block_or(odd, dt_block_eq(b, '~'));
    odd = dt_block_or(odd, dt_block_range(b, '[', '`'));

    /* and "www.", ":/", and '!' before a link */

    odd =
        dt_block_or(odd, dt_block_and(dt_block_eq(b, '.'),
                                      dt_block_eq(dt_block_load(p - 1), 'w')));
    odd = dt_block_or(
        odd, dt_block_and(dt_block_eq(b, ':'), dt_block_eq(next, '/')));
    odd = dt_block_or(
        odd, dt_block_and(dt_block_eq(b, '!'), dt_block_eq(next, DT_OP_LINK)));

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
            dt_out_char(t, ' ');
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

    for (run = 0; run <= longest; run++) {
        dt_out_char(t, '`');
    }

    if (pad) {
        dt_out_char(t, ' ');
    }

    for (q = p; q < stop; q++) {
        if (*q == DT_OP_NONE) {
            continue;
        }

        if (*q == '|' && r->cell) {
            dt_out_char(t, '\\');
        }

        dt_out_char(t, *q);
    }

    if (pad) {
        dt_out_char(t, ' ');
    }

    for (run = 0; run <= longest; run++) {
        dt_out_char(t, '`');
    }

    for (q = stop; q < end; q++) {
        if (*q == ' ') {
            dt_out_char(t, ' ');
        }
    }
}


/* writes TeX, between the signs that those who read it look for */
static void
dt_render_math(dt_render_t *r, const char *p, const char *end)
{
    dt_out_char(r->t, '$');

    for (; p < end; p++) {
        if (*p == '|' && r->cell) {
            dt_out_char(r->t, '\\');
        }

        if (*p != DT_OP_NONE) {
            dt_out_char(r->t, *p);
        }
    }

    dt_out_char(r->t, '$');
}


/* writes what a renderer might take for the mark of a block, where [p, end)
   begins a line; returns what is not written yet */
static const char *
dt_render_begin(dt_render_t *r, const char *p, const char *end)
{
    const char *q;

    while (p < end && *p == DT_OP_NONE) {
        p++;
    }

    for (q = p; q < end && *q >= '0' && *q <= '9'; q++) {
        /* void */
    }

    if (q > p && q - p <= 9 && q < end && (*q == '.' || *q == ')')) {
        dt_out_bytes(r->t, p, (size_t) (q - p));
        dt_out_char(r->t, '\\');
        dt_out_char(r->t, *q);
        r->begins = 0;
        return q + 1;
    }

    if (r->begins && p < end && (unsigned char) *p >= ' ') {
        if (dt_render_escapes(r, p, 1)) {
            dt_out_char(r->t, '\\');
        }

        dt_out_char(r->t, *p++);
        r->begins = 0;
    }

    return p;
}


/* writes text [p, end), up to an operation that is no byte: returns it, or
   end */
static const char *
dt_render_text(dt_render_t *r, const char *p, const char *end)
{
    uint64_t odd;
    const char *q, *block;

    if (p == r->p || p[-1] == '\n') {
        p = dt_render_begin(r, p, end);
    }

    for (block = p; block < end; block += DT_BLOCK) {
        odd = dt_text_bits(dt_render_odd(block), block, end);

        for (; odd; odd &= odd - 1) {
            q = block + (unsigned) __builtin_ctzll(odd);

            if ((unsigned char) *q >= ' ') {
                if (dt_render_escapes(r, q, 0)) {
                    dt_out_bytes(r->t, p, (size_t) (q - p));
                    dt_out_char(r->t, '\\');
                    p = q;
                }

                continue;
            }

            dt_out_bytes(r->t, p, (size_t) (q - p));
            r->begins = r->begins && q == p;

            if (dt_render_is_op(*q)) {
                return q;
            }

            p = q + 1;
        }
    }

    if (p < end) {
        dt_out_bytes(r->t, p, (size_t) (end - p));
        r->begins = 0;
    }

    return end;
}


/* writes the image at p; returns its end */
static const char *
dt_render_image(dt_render_t *r, const char *p)
{
    const char *url, *end, *link = r->link;

    url = memchr(p, DT_OP_URL, (size_t) (r->end - p));
    end = memchr(url, DT_OP_IMAGE_END, (size_t) (r->end - url));

    dt_out_bytes(r->t, "![", 2);
    r->link = url;
    r->begins = 0;
    (void) dt_render_text(r, p + 1, url);
    r->link = link;
    dt_out_bytes(r->t, "](", 2);
    dt_out_bytes(r->t, url + 1, (size_t) (end - url - 1));
    dt_out_char(r->t, ')');

    return end + 1;
}


/* writes what the operation at p is; returns what is behind it */
static const char *
dt_render_op(dt_render_t *r, const char *p)
{
    const char *mark = "";
    dt_text_t *t = r->t;

    switch (*p) {

    case '\n':
        dt_out_char(t, '\\');
        dt_out_next(t);
        r->begins = 1;
        return p + 1;

    case DT_OP_STRONG:
    case DT_OP_STRONG_END:
        mark = "**";
        break;

    case DT_OP_EM:
    case DT_OP_EM_END:
        mark = "*";
        break;

    case DT_OP_DEL:
    case DT_OP_DEL_END:
        mark = "~~";
        break;

    case DT_OP_CODE:
        r->code = 1;
        break;

    case DT_OP_MATH:
        r->code = 2;
        break;

    case DT_OP_CODE_END:
    case DT_OP_MATH_END:
        r->code = 0;
        break;

    case DT_OP_LINK:
        dt_out_char(t, '[');
        r->link = p + 1;
        r->link_end = memchr(p, DT_OP_URL, (size_t) (r->end - p));
        r->begins = 0;
        return r->link_end + 1;

    case DT_OP_LINK_END:
        dt_out_bytes(t, "](", 2);
        dt_out_bytes(t, r->link, (size_t) (r->link_end - r->link));

        if (t->json) {
            dt_json_link(t, r->link, (size_t) (r->link_end - r->link));
        }

        r->link = NULL;
        mark = ")";
        break;

    case DT_OP_IMAGE:
        return dt_render_image(r, p);
    }

    if (*mark) {
        dt_out_bytes(t, mark, strlen(mark));
        r->begins = 0;
    }

    return p + 1;
}


/* the same as dt_render(), as text */
static void
dt_render_plain(dt_text_t *t, const char *p, const char *end)
{
    for (; p < end; p++) {
        if (*p == DT_OP_LINK) {
            p = memchr(p, DT_OP_URL, (size_t) (end - p));

        } else if (*p == DT_OP_IMAGE) {
            p = memchr(p, DT_OP_IMAGE_END, (size_t) (end - p));

        } else if (*p == '\n') {
            dt_out_next(t);

        } else if (*p == DT_OP_MATH || *p == DT_OP_MATH_END) {
            dt_out_char(t, '$');

        } else if (!dt_is_op(*p)) {
            dt_out_char(t, *p);
        }
    }
}


void
dt_render(dt_text_t *t, char *p, char *end, int begins, int cell)
{
    const char *q, *next;
    dt_render_t r = { t, p, end, begins, cell, 0, NULL, NULL, p, 0 };

    if (t->plain) {
        dt_render_plain(t, p, end);
        return;
    }

    r.heading = t->kind >= DT_BLOCK_H1 && t->kind <= DT_BLOCK_H6;
    dt_flank_pairs(t, p, end);

    for (q = p; q < end; q = next) {
        if (dt_render_is_op(*q)) {
            next = dt_render_op(&r, q);
            continue;
        }

        if (!r.code) {
            next = dt_render_text(&r, q, end);
            continue;
        }

        for (next = q; next < end && !dt_render_is_op(*next); next++) {
            /* void */
        }

        if (r.code == 2) {
            dt_render_math(&r, q, next);

        } else {
            dt_render_code(&r, q, next);
        }

        r.begins = 0;
    }
}
