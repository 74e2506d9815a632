
/*
 * Copyright (C) The detemplate authors
 *
 * The line that is held: characters, with white space as single spaces, and
 * operations.  One that gets too long is written so far, and goes on.
 */


#include "core/base/find.h"
#include "core/html/html.h"
#include "core/text/state.h"


#define DT_INLINE_ROOM 16    /* for what ends all that is open */
#define DT_INLINE_PIECE 1024 /* bytes that are added at once */


static int
dt_inline_is_open(const dt_text_t *t, unsigned op)
{
    return t->opened >> op & 1;
}


/* the link that is open goes on in this block */
static __attribute__((noinline)) void
dt_inline_reopen(dt_text_t *t)
{
    dt_inline_open(t, DT_OP_LINK, t->link, t->link_len);
}


/* the white space before what is added now; size: its bytes */
static inline __attribute__((always_inline)) void
dt_inline_space(dt_text_t *t, size_t size)
{
    char *tail;

    if (t->len + size + DT_INLINE_ROOM > DT_TEXT_LINE) {
        dt_block_spill(t);
    }

    if (t->link_len && !t->continued && !dt_inline_is_open(t, DT_OP_LINK)) {
        dt_inline_reopen(t);
    }

    tail = t->line + t->tail;

    if (t->space && t->visible && (t->tail == 0 || tail[-1] != '\n')) {
        if (t->len > t->tail) {
            memmove(tail + 1, tail, t->len - t->tail);
        }

        *tail = ' ';
        t->len++;
    }

    t->space = 0;
    t->visible = 1;
}


void
dt_inline_byte(dt_text_t *t, char c)
{
    t->line[t->len++] = c;
    t->tail = t->len;
}


/* adds ASCII for which there may be no room, behind dt_inline_space(): the
   line ends where it would end if the bytes came one by one */
static __attribute__((noinline)) void
dt_inline_ending(dt_text_t *t, const char *p, size_t len)
{
    size_t n;
    char copy[DT_INLINE_PIECE];

    /* they may be where the line goes on */
    p = memcpy(copy, p, len);

    for (;; p += n, len -= n) {
        n = t->len + DT_INLINE_ROOM < DT_TEXT_LINE
                ? DT_TEXT_LINE - DT_INLINE_ROOM - t->len
                : 1;

        if (n < len && t->kind != DT_BLOCK_PRE) {
            /* a space does not count before something comes behind it */

            n += p[n - 1] == ' ';
            t->space = n < len && p[n] == ' ';
        }

        n = n < len ? n : len;
        memcpy(t->line + t->len, p, n);
        t->len += n;
        t->tail = t->len;

        n += t->space;

        if (n >= len) {
            return;
        }

        dt_inline_space(t, 1);
    }
}


/* adds a byte that is no white space */
static void
dt_inline_add(dt_text_t *t, char c)
{
    dt_inline_space(t, 1);
    dt_inline_byte(t, c);
}


/* adds white space to a pre */
static void
dt_inline_pre(dt_text_t *t, char c)
{
    int cr = t->cr;

    t->cr = c == '\r';

    if (c == '\r' || c == '\n') {
        if (t->first || (c == '\n' && cr)) {
            t->first = c == '\r' && t->first;
            return;
        }

        c = '\n';
    }

    t->first = 0;

    if (t->len + 1 + DT_INLINE_ROOM > DT_TEXT_LINE) {
        dt_block_spill(t);
    }

    dt_inline_byte(t, c == '\f' ? ' ' : c);
}


static int
dt_is_white(uint32_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}


/* adds a character */
static void
dt_inline_char(dt_text_t *t, uint32_t c)
{
    char s[4], *p, *end;

    if (dt_is_white(c) && t->kind == DT_BLOCK_PRE) {
        dt_inline_pre(t, (char) c);
        return;
    }

    if ((dt_is_white(c) || c == 0xa0) && t->kind != DT_BLOCK_PRE) {
        t->space = 1;
        return;
    }

    if (dt_text_is_odd(c)) {
        return;
    }

    t->first = 0;
    t->cr = 0;
    end = dt_utf8_put(s, c);
    dt_inline_space(t, (size_t) (end - s));

    for (p = s; p < end; p++) {
        dt_inline_byte(t, *p);
    }
}


/* adds the reference or the character at p, which is not ASCII; returns its
   length, or -1 */
static __attribute__((noinline)) int
dt_inline_odd(dt_text_t *t, const char *p, const char *end, int refs, int last)
{
    int n;
    uint32_t c, ref[2];

    if (*p != '&') {
        n = dt_utf8_get(p, end, &c);

        if (n < 0 && !last) {
            return -1;
        }

        if (n <= 0) {
            n = 1;
            c = t->windows ? dt_windows_char((unsigned char) *p) : 0xfffd;
        }

        dt_inline_char(t, c);

        return n;
    }

    n = refs ? dt_reference_read(p, end, 0, last, ref) : 0;

    if (n == 0) {
        dt_inline_add(t, '&');
        return 1;
    }

    if (n > 0) {
        dt_inline_char(t, ref[0]);

        if (ref[1]) {
            dt_inline_char(t, ref[1]);
        }
    }

    return n;
}


/* whether a byte is one of text as it is, whatever comes behind it */
#define dt_inline_is_plain(c)                                                 \
    ((unsigned char) ((c) - '!') <= '~' - '!' && (c) != '&' && (c) != '<')


/*
 * Returns a bit for each byte of the block at p that is another one, but for a
 * single space, and for white space of a pre.  A byte behind it is read.
 */
static inline uint64_t
dt_inline_odd_bits(const char *p, int pre)
{
    dt_block_t b = dt_block_load(p), good = dt_block_range(b, ' ', '~');

    good = dt_block_andnot(
        good, dt_block_or(dt_block_eq(b, '&'), dt_block_eq(b, '<')));
    good = pre ? dt_block_or(good, dt_block_range(b, '\t', '\n'))
               : dt_block_andnot(
                   good, dt_block_and(dt_block_eq(b, ' '),
                                      dt_block_eq(dt_block_load(p + 1), ' ')));

    return dt_mask_bits(dt_block_mask(good) ^ DT_BLOCK_ALL);
}


/* the bytes of a character as most scripts have it, U+C0 to U+5FF and U+3000
   to U+CFFF, or 0 */
static inline int
dt_inline_letter(const unsigned char *u, ptrdiff_t len)
{
    if (u[0] >= 0xe3) {
        return u[0] < 0xed && len > 2 && (u[1] & 0xc0) == 0x80
                       && (u[2] & 0xc0) == 0x80
                   ? 3
                   : 0;
    }

    return u[0] >= 0xc3 && u[0] < 0xd8 && len > 1 && (u[1] & 0xc0) == 0x80 ? 2
                                                                           : 0;
}


/* the end of what is UTF-8, but not ASCII, from p on, and no white space, in a
   line that has room for a piece of it */
static __attribute__((noinline)) const char *
dt_inline_wide(const dt_text_t *t, const char *p, const char *end)
{
    int n;
    uint32_t c;

    if (t->len + DT_INLINE_PIECE + DT_INLINE_ROOM >= DT_TEXT_LINE) {
        return p;
    }

    for (; p < end && *p < 0; p += n) {
        n = dt_inline_letter((const unsigned char *) p, end - p);

        if (n == 0) {
            n = dt_utf8_get(p, end, &c);

            if (n <= 0 || c == 0xa0 || dt_text_is_odd(c)) {
                break;
            }
        }
    }

    return p;
}


/* passes white space or another control character at p, of text; returns
   behind it */
static inline const char *
dt_inline_white(dt_text_t *t, const char *p, const char *end)
{
    if (!dt_is_white((unsigned char) *p)) {
        return p + 1;
    }

    if (t->kind == DT_BLOCK_PRE) {
        dt_inline_pre(t, *p);
        return p + 1;
    }

    t->space = 1;
    p++;

    return p < end && (unsigned char) *p <= ' ' ? dt_skip_white(p, end) : p;
}


/* goes on with what is not whole; returns behind what belonged to it */
static __attribute__((noinline)) const char *
dt_inline_part(dt_text_t *t, const char *p, const char *end, dt_read_t read,
               int last)
{
    size_t n;
    char part[DT_TEXT_PART];

    while (t->part_len && (p < end || last)) {
        n = t->part_len;
        memcpy(part, t->part, n);

        if (p < end) {
            part[n++] = *p++;
        }

        t->part_len = 0;
        (void) dt_inline_text(t, part, part + n, read, last && p == end);
    }

    return p;
}


/*
 * Adds what needs no other look from p on, at least a character: words, with
 * single spaces between them; but only ASCII where that might make the line
 * too long, behind whose end is room for a piece.  Returns behind it.
 */
static inline __attribute__((always_inline)) const char *
dt_inline_run(dt_text_t *t, const char *p, const char *end, int pre)
{
    char *from, *to;
    size_t n;
    uint64_t odd;

    t->first = 0;
    t->cr = 0;
    end = end - p > DT_INLINE_PIECE ? p + DT_INLINE_PIECE : end;
    dt_inline_space(t, 1);
    from = t->line + t->len;

    for (to = from;;) {
        for (odd = 0; end - p > DT_BLOCK; p += DT_BLOCK, to += DT_BLOCK) {
            memcpy(to, p, DT_BLOCK);
            odd = dt_inline_odd_bits(p, pre);

            if (odd) {
                p += __builtin_ctzll(odd);
                to += __builtin_ctzll(odd);
                break;
            }
        }

        while (odd == 0 && p < end
               && (dt_inline_is_plain(*p) || (pre && *p == ' '))) {
            *to++ = *p++;
        }

        if (p == end) {
            break;
        }

        if (*p < 0) {
            n = (size_t) (dt_inline_wide(t, p, end) - p);
            memcpy(to, p, n);

            if (n == 0) {
                break;
            }

            to += n;
            p += n;

        } else if (!pre && dt_is_white((unsigned char) *p)) {
            *to = ' ';
            to += to[-1] != ' ';
            p = dt_skip_white(p, end);

        } else {
            break;
        }
    }

    if (to == from) {
        /* a link began again, and took the room of a character */
        return p;
    }

    n = to[-1] == ' ' && !pre;
    to -= n;

    if (to - t->line + DT_INLINE_ROOM < DT_TEXT_LINE) {
        t->len = (size_t) (to - t->line);
        t->tail = t->len;

    } else {
        dt_inline_ending(t, from, (size_t) (to - from));
    }

    t->space = n != 0;

    return p;
}


const char *
dt_inline_text(dt_text_t *t, const char *p, const char *end, dt_read_t read,
               int last)
{
    int n;

    if (t->part_len) {
        p = dt_inline_part(t, p, end, read, last);
    }

    while (p < end) {
        if (*p == '<') {
            if (read == DT_READ_PAGE
                && (end - p < 2 || dt_char_is(p[1], DT_C_MARKUP))) {
                return p;
            }

            t->first = 0;
            t->cr = 0;
            dt_inline_add(t, *p++);
            continue;
        }

        if ((unsigned char) *p <= ' '
            && !(*p == ' ' && t->kind == DT_BLOCK_PRE)) {
            p = dt_inline_white(t, p, end);
            continue;
        }

        if (dt_inline_is_plain(*p) || *p == ' '
            || dt_inline_wide(t, p, end) > p) {
            p = t->kind == DT_BLOCK_PRE ? dt_inline_run(t, p, end, 1)
                                        : dt_inline_run(t, p, end, 0);
            continue;
        }

        n = dt_inline_odd(t, p, end, read != DT_READ_RAW, last);

        if (n < 0) {
            t->part_len = (uint8_t) (end - p);
            memcpy(t->part, p, t->part_len);
            return end;
        }

        p += n;
    }

    return p;
}


void
dt_inline_open(dt_text_t *t, unsigned op, const char *p, size_t len)
{
    if (t->kind == DT_BLOCK_PRE || dt_inline_is_open(t, op)
        || (t->kind == DT_BLOCK_ROW && !t->table.in_cell))
    {
        return;
    }

    if (t->len + len + DT_INLINE_ROOM > DT_TEXT_LINE) {
        dt_block_spill(t);
    }

    t->open[t->nopen++] = (uint8_t) op;
    t->opened |= 1u << op;
    t->line[t->len++] = (char) op;
    t->marked |= op != DT_OP_LINK;

    if (op == DT_OP_LINK) {
        memcpy(t->line + t->len, p, len);
        t->len += len;
        t->line[t->len++] = DT_OP_URL;
    }
}


void
dt_inline_close(dt_text_t *t, unsigned op)
{
    int more = dt_inline_is_open(t, op);

    while (more) {
        more = t->open[t->nopen - 1] != op;
        dt_block_end(t);
    }
}


void
dt_inline_permalink(dt_text_t *t)
{
    static const char *const texts[] = { "#",           "\xc2\xb6",
                                         "\xc2\xa7",    "\xf0\x9f\x94\x97",
                                         "permalink",   "Permalink",
                                         "Direct link", "\xe2\x88\x9e" };
    size_t i, len;
    char *end = t->line + t->len;
    char *p = memrchr(t->line, DT_OP_LINK, t->len);
    char *text = p != NULL ? memchr(p, DT_OP_URL, (size_t) (end - p)) : NULL;

    if (text == NULL || t->nopen == 0 || t->open[t->nopen - 1] != DT_OP_LINK) {
        return;
    }

    len = (size_t) (end - ++text);

    for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        if (len == strlen(texts[i]) && memcmp(text, texts[i], len) == 0) {
            t->len = (size_t) (text - t->line);
            t->tail = (size_t) (p - t->line);

            if (t->tail && p[-1] == ' ') {
                memmove(p - 1, p, t->len - t->tail);
                t->len--;
                t->tail--;
                t->space = 1;
            }

            t->visible = t->tail != 0;
        }
    }
}


void
dt_inline_image(dt_text_t *t, const char *alt, size_t alen, const char *url,
                size_t len)
{
    if (t->kind == DT_BLOCK_PRE
        || (t->kind == DT_BLOCK_ROW && !t->table.in_cell)) {
        return;
    }

    dt_inline_space(t, alen + len + 3);
    t->line[t->len++] = DT_OP_IMAGE;
    memcpy(t->line + t->len, alt, alen);
    t->len += alen;
    t->line[t->len++] = DT_OP_URL;
    memcpy(t->line + t->len, url, len);
    t->len += len;
    dt_inline_byte(t, DT_OP_IMAGE_END);
}


void
dt_inline_words(dt_text_t *t, const char *p, size_t len)
{
    if (t->part_len) {
        (void) dt_inline_text(t, p, p, DT_READ_TEXT, 1);
    }

    (void) dt_inline_text(t, p, p + len, DT_READ_RAW, 1);
}


void
dt_inline_linked(dt_text_t *t, const char *text, size_t tlen, const char *url,
                 size_t len)
{
    t->space = t->kind != DT_BLOCK_PRE;

    if (len && !t->link_len) {
        dt_inline_open(t, DT_OP_LINK, url, len);
        dt_inline_words(t, text, tlen);
        dt_inline_close(t, DT_OP_LINK);

    } else {
        dt_inline_words(t, text, tlen);
    }

    t->space = t->kind != DT_BLOCK_PRE;
}


void
dt_inline_break(dt_text_t *t)
{
    if (t->kind == DT_BLOCK_PRE) {
        dt_inline_pre(t, '\n');
        return;
    }

    if (t->kind != DT_BLOCK_PARAGRAPH) {
        t->space = 1;
        return;
    }

    if (!t->visible) {
        return;
    }

    if (t->tail && t->line[t->tail - 1] == '\n') {
        dt_block_flush(t);
        return;
    }

    if (t->len + DT_INLINE_ROOM > DT_TEXT_LINE) {
        dt_block_spill(t);
    }

    /* what has just begun begins behind it */

    memmove(t->line + t->tail + 1, t->line + t->tail, t->len - t->tail);
    t->line[t->tail++] = '\n';
    t->len++;
    t->space = 0;
}
