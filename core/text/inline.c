
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/inline.h"
#include "core/html/reference.h"


#define DT_INLINE_ROOM 16    /* for the ends of all that is open */
#define DT_INLINE_PIECE 1024 /* bytes that are added at once */


void
dt_inline_reset(dt_text_t *t)
{
    t->line.len = 0;
    t->tail = 0;
    t->nopen = 0;
    t->opened = 0;
    t->space = 0;
    t->visible = 0;
    t->marked = 0;
    memset(t->script_at, 0, sizeof(t->script_at));
    t->math.at = 0;
}


/* there is no memory for a line: it is lost, and reading ends */
static __attribute__((noinline)) void
dt_inline_lost(dt_text_t *t)
{
    t->no_memory = 1;
    dt_inline_reset(t);
}


/* makes room for size bytes, less than DT_TEXT_LINE, and for the operations
   that end the line */
static inline void
dt_inline_room(dt_text_t *t, size_t size)
{
    if (!dt_bytes_room(&t->line, size + DT_INLINE_ROOM)) {
        dt_inline_lost(t);
    }
}


static int
dt_inline_is_open(const dt_text_t *t, unsigned op)
{
    return t->opened >> op & 1;
}


/* the link that is open, and words that are struck through, go on in this
   block */
static __attribute__((noinline)) void
dt_inline_reopen(dt_text_t *t)
{
    if (t->styles[DT_OP_DEL] && !dt_inline_is_open(t, DT_OP_DEL)) {
        dt_inline_open(t, DT_OP_DEL, NULL, 0);
    }

    if (t->link_len && !dt_inline_is_open(t, DT_OP_LINK)) {
        dt_inline_open(t, DT_OP_LINK, t->link, t->link_len);
    }
}


/* adds the white space before the next text; size: its bytes */
static inline __attribute__((always_inline)) void
dt_inline_space(dt_text_t *t, size_t size)
{
    char *tail;

    if (t->link_len || t->styles[DT_OP_DEL]) {
        dt_inline_reopen(t);
    }

    dt_inline_room(t, size + 1);
    tail = t->line.data + t->tail;

    if (t->space && t->visible && (t->tail == 0 || tail[-1] != '\n')) {
        if (t->line.len > t->tail) {
            memmove(tail + 1, tail, t->line.len - t->tail);
        }

        *tail = ' ';
        t->line.len++;
    }

    t->space = 0;
    t->visible = 1;
}


/* adds a byte, for which there is room, as it is */
static void
dt_inline_byte(dt_text_t *t, char c)
{
    t->line.data[t->line.len++] = c;
    t->tail = t->line.len;
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

    if (t->apart && t->apart == t->scan.depth) {
        /* between its lines */
        return;
    }

    t->cr = c == '\r';

    if (c == '\r' || c == '\n') {
        if (t->first || (c == '\n' && cr)) {
            t->first = c == '\r' && t->first;
            return;
        }

        c = '\n';
    }

    t->first = 0;
    dt_inline_room(t, 1);
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
    dt_inline_space(t, 4);
    t->line.len =
        (size_t) (dt_utf8_put(t->line.data + t->line.len, c) - t->line.data);
    t->tail = t->line.len;
}


/* adds the reference or the character at p, which is not ASCII; returns its
   length */
static __attribute__((noinline)) int
dt_inline_odd(dt_text_t *t, const char *p, const char *end, int refs)
{
    int n;
    uint32_t c, ref[2];

    if (*p != '&') {
        n = dt_utf8_get(p, end, &c);

        if (n <= 0) {
            n = 1;
            c = t->windows ? dt_windows_char((unsigned char) *p) : 0xfffd;
        }

        dt_inline_char(t, c);

        return n;
    }

    n = refs ? dt_reference_read(p, end, 0, 1, ref) : 0;

    if (n == 0) {
        dt_inline_add(t, '&');
        return 1;
    }

    dt_inline_char(t, ref[0]);

    if (ref[1]) {
        dt_inline_char(t, ref[1]);
    }

    return n;
}


/* whether a byte is one of text as it is, with any byte behind it */
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


/* the end of the UTF-8 from p on that is neither ASCII nor white space */
static __attribute__((noinline)) const char *
dt_inline_wide(const char *p, const char *end)
{
    int n;
    uint32_t c;

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

    if (t->lines) {
        if (*p == '\n') {
            (void) dt_inline_break(t);
        }

        return p + 1;
    }

    p++;

    return p < end && (unsigned char) *p <= ' ' ? dt_skip_white(p, end) : p;
}


/*
 * Adds the bytes from p on that need no other look: words, with single spaces
 * between them, of at most DT_INLINE_PIECE bytes.  Returns behind them.
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
    dt_inline_space(t, DT_INLINE_PIECE + DT_BLOCK);
    from = t->line.data + t->line.len;

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
            n = (size_t) (dt_inline_wide(p, end) - p);
            memcpy(to, p, n);

            if (n == 0) {
                break;
            }

            to += n;
            p += n;

        } else if (!pre && !t->lines && dt_is_white((unsigned char) *p)) {
            *to = ' ';
            to += to[-1] != ' ';
            p = dt_skip_white(p, end);

        } else {
            break;
        }
    }

    n = to > from && to[-1] == ' ' && !pre;
    t->line.len = (size_t) (to - t->line.data) - n;
    t->tail = t->line.len;
    t->space = n != 0;

    return p;
}


const char *
dt_inline_text(dt_text_t *t, const char *p, const char *end, dt_read_t read)
{
    while (p < end) {
        if (*p == '<') {
            if (read == DT_READ_PAGE && end - p > 1
                && dt_char_is(p[1], DT_C_MARKUP)) {
                return p;
            }

            t->first = 0;
            t->cr = 0;
            dt_inline_add(t, *p++);

        } else if ((unsigned char) *p <= ' '
                   && !(*p == ' ' && t->kind == DT_BLOCK_PRE))
        {
            p = dt_inline_white(t, p, end);

        } else if (dt_inline_is_plain(*p) || *p == ' '
                   || dt_inline_wide(p, end) > p) {
            p = t->kind == DT_BLOCK_PRE ? dt_inline_run(t, p, end, 1)
                                        : dt_inline_run(t, p, end, 0);

        } else {
            p += dt_inline_odd(t, p, end, read != DT_READ_RAW);
        }
    }

    return p;
}


void
dt_inline_words(dt_text_t *t, const char *p, size_t len)
{
    (void) dt_inline_text(t, p, p + len, DT_READ_RAW);
}


void
dt_inline_open(dt_text_t *t, unsigned op, const char *p, size_t len)
{
    if (t->kind == DT_BLOCK_PRE || dt_inline_is_open(t, op)) {
        return;
    }

    dt_inline_room(t, len + 2);
    t->open[t->nopen++] = (uint8_t) op;
    t->opened |= 1u << op;
    t->line.data[t->line.len++] = (char) op;
    t->marked |= op != DT_OP_LINK;

    if (op == DT_OP_LINK) {
        memcpy(t->line.data + t->line.len, p, len);
        t->line.len += len;
        t->line.data[t->line.len++] = DT_OP_URL;
    }
}


/* ends the operation opened last, or removes it where nothing came after it */
static void
dt_inline_end(dt_text_t *t)
{
    unsigned op = t->open[--t->nopen];

    t->opened &= ~(1u << op);

    if (t->tail < t->line.len) {
        t->line.len--;

        if (op == DT_OP_LINK) {
            while (t->line.data[t->line.len] != DT_OP_LINK) {
                t->line.len--;
            }
        }

        return;
    }

    dt_inline_byte(t, (char) (op + 1));
}


void
dt_inline_close(dt_text_t *t, unsigned op)
{
    int more = dt_inline_is_open(t, op);

    while (more) {
        more = t->open[t->nopen - 1] != op;
        dt_inline_end(t);
    }
}


void
dt_inline_close_all(dt_text_t *t)
{
    while (t->nopen) {
        dt_inline_end(t);
    }
}


const char *
dt_inline_shown(const dt_text_t *t)
{
    const char *line = t->line.data, *p;

    if (t->nopen == 0 || t->open[t->nopen - 1] != DT_OP_LINK) {
        return NULL;
    }

    p = memrchr(line, DT_OP_LINK, t->line.len);
    p = memchr(p, DT_OP_URL, (size_t) (line + t->line.len - p));

    return p + 1;
}


void
dt_inline_unlink(dt_text_t *t)
{
    char *line = t->line.data;
    char *p = memrchr(line, DT_OP_LINK, t->line.len);

    t->line.len = (size_t) (dt_inline_shown(t) - line);
    t->tail = (size_t) (p - line);

    if (t->tail && p[-1] == ' ') {
        memmove(p - 1, p, t->line.len - t->tail);
        t->line.len--;
        t->tail--;
        t->space = 1;
    }

    t->visible = t->tail != 0;
}


void
dt_inline_trim(dt_text_t *t)
{
    char *line = t->line.data, *p = line + t->line.len;

    for (; p > line && (unsigned char) p[-1] < ' ' && p[-1] != DT_OP_IMAGE_END;
         p--)
    {
        if (p[-1] == '\n') {
            p[-1] = DT_OP_NONE;
        }
    }
}


void
dt_inline_image(dt_text_t *t, const char *alt, size_t alen, const char *url,
                size_t len)
{
    char *p;

    if (t->kind == DT_BLOCK_PRE) {
        return;
    }

    dt_inline_space(t, alen + len + 3);
    p = t->line.data + t->line.len;
    *p++ = DT_OP_IMAGE;
    p = (char *) memcpy(p, alt, alen) + alen;
    *p++ = DT_OP_URL;
    p = (char *) memcpy(p, url, len) + len;
    *p++ = DT_OP_IMAGE_END;
    t->line.len = (size_t) (p - t->line.data);
    t->tail = t->line.len;
}


void
dt_inline_linked(dt_text_t *t, const char *text, size_t tlen, const char *url,
                 size_t len)
{
    int link = len && !t->link_len;

    dt_inline_gap(t);

    if (link) {
        dt_inline_open(t, DT_OP_LINK, url, len);
    }

    dt_inline_words(t, text, tlen);

    if (link) {
        dt_inline_close(t, DT_OP_LINK);
    }

    dt_inline_gap(t);
}


int
dt_inline_break(dt_text_t *t)
{
    char *tail;

    if (t->kind == DT_BLOCK_PRE) {
        dt_inline_pre(t, '\n');
        return 1;
    }

    if (dt_text_is_heading(t) || (t->kind == DT_BLOCK_CELL && t->o->plain)) {
        t->space = 1;
        return 1;
    }

    if (!t->visible) {
        return 1;
    }

    if (t->tail && t->line.data[t->tail - 1] == '\n') {
        return t->kind == DT_BLOCK_CELL;
    }

    /* operations that have just begun begin behind it */

    dt_inline_room(t, 1);
    tail = t->line.data + t->tail;
    memmove(tail + 1, tail, t->line.len - t->tail);
    *tail = '\n';
    t->tail++;
    t->line.len++;
    t->space = 0;

    return 1;
}
