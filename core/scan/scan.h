
/*
 * Copyright (C) The detemplate authors
 *
 * The tokenizer, the stack of open elements and the hashes of what they
 * contain: the hot path.  Serving and compiling use the same code, so that
 * what is learned from a page is found again in its bytes.
 */


#ifndef DT_SCAN_H_INCLUDED_
#define DT_SCAN_H_INCLUDED_


#include "core/scan/element.h"


/*
 * The scanner takes tokens whole.  Who feeds it has the page in pieces, and
 * keeps the beginning of a token until its end has come:
 *
 *     dt_scan_init()
 *          |
 *          v        full
 *     dt_scan_run() ------> dt_scan_decided(), dt_scan_taken(), and again
 *      ^   |
 *      |   | a token is incomplete, and more bytes come
 *      |   v
 *      |  dt_scan_short()? dt_scan_run() with one byte more
 *      |   | no
 *      |   v
 *      |  dt_scan_more() until it is done; dt_scan_let_go() on the way when
 *      |   |             the token gets too long to be kept
 *      |   v
 *      '- dt_scan_complete()                at the end: dt_scan_finish()
 *
 * In the state DT_SCAN_KNOWN, what is incomplete is no token, but a region
 * whose bytes may be known: it is dt_memo_more() that goes on then.
 *
 * At any time between calls what dt_scan_decided() tells may be given out, and
 * dt_scan_limit() bounds what is not decided.
 *
 * Begins a page.  tmpl: checked bytes, or NULL to compile with seed.  host and
 * path are the page's own address; what does not fit is left out, and then
 * relative links are compared as they are written.
 */
void dt_scan_init(dt_scan_t *s, const void *tmpl, uint64_t seed, dt_str_t host,
                  dt_str_t path);

/*
 * Scans [p, end), bytes from offset off of the page, one behind the other in
 * memory; before p are those from offset from on.  Returns the first byte of
 * the token that is not complete, or end; when s->full is set, any token's
 * first byte: take the regions and call again.
 */
const char *dt_scan_run(dt_scan_t *s, const char *p, const char *end,
                        uint64_t off, uint64_t from);

/*
 * For a token that dt_scan_run() left incomplete: how many of the bytes
 * [p, end) that come next, one at least, belong to it.  *done is set when it
 * ends there; -1 then says that its last byte was already the first of the
 * next one.
 */
ptrdiff_t dt_scan_more(dt_scan_t *s, const char *p, const char *end,
                       int *done);

/*
 * Whether the incomplete token, of which len bytes from p are there, is too
 * short to tell what it is: give dt_scan_run() one byte more of it.
 */
int dt_scan_short(const dt_scan_t *s, const char *p, size_t len);

/* Takes that token, whole at [p, end), offset off. */
void dt_scan_complete(dt_scan_t *s, const char *p, const char *end,
                      uint64_t off);

/*
 * The token, which begins with [p, end), is longer than may be held and is let
 * go: dt_scan_more() goes on to tell its end, then dt_scan_complete() is
 * given the last part of it.  Returns how many of its last bytes, 0 or 1, may
 * belong to the next token and must be kept.
 */
unsigned dt_scan_let_go(dt_scan_t *s, const char *p, const char *end);

/* End of input; len bytes at p, offset off, are the incomplete token. */
void dt_scan_finish(dt_scan_t *s, const char *p, size_t len, uint64_t off);

/*
 * For who needs a page's tags and elements, and no regions: begins such a page
 * instead of dt_scan_init().  xml: 1: it is read as XML; 2: if it begins with
 * an XML declaration.
 */
void dt_scan_follow(dt_scan_t *s, unsigned xml);

/* Takes bytes at p of a comment, a script or the like.  Returns what is behind
   it, or behind as much of it as is there; p: more bytes are needed. */
const char *dt_scan_step(dt_scan_t *s, const char *p, const char *end,
                         uint64_t off);


/*
 * Scans a whole page for compiling: records (freed by the caller with free())
 * are in the order of their starts.  The page has less than 4 GiB, as those
 * that dt_dom_parse() took.  DT_ENOMEM, or DT_ELIMIT for one that is nested
 * too deep.
 */
dt_status_t dt_scan_records(dt_str_t page, uint64_t seed, dt_str_t host,
                            dt_str_t path, dt_record_t **out, size_t *n);


/*
 * Copies a page, and makes white space of what is in its templates and
 * noscripts.  So a parser has the same tree around them as browsers that
 * execute scripts, for which that is text.  DT_OK, or DT_ENOMEM.
 */
dt_status_t dt_scan_inert(dt_str_t page, char *copy);


/*
 * Whether at p, where DT_SCAN_ENDS bytes can be read, are a name of len bytes,
 * see dt_name_block(), and '>'.  No is no answer.  The names looked at have no
 * byte that another than a letter or digit becomes in lower case.
 */
#define DT_SCAN_ENDS 9

static inline int
dt_scan_is_end(uint64_t name, unsigned len, const char *p)
{
    uint64_t x = (dt_load64(p) | 0x2020202020202020u) ^ name;

    return (x & dt_name_masks[len]) == 0 && p[len] == '>';
}


static inline int
dt_scan_ends(const dt_open_t *e, const char *p)
{
    return e->len && dt_scan_is_end(e->name, e->len, p);
}


/* behind a byte order mark, which is no text: the body has not begun */
static inline const char *
dt_scan_bom(const char *p, const char *end, uint64_t start)
{
    return start == 0 && end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0
               ? p + 3
               : p;
}


/* how many regions, or pieces that are cut by hand, are final */
static inline uint32_t
dt_scan_ready(const dt_scan_t *s)
{
    uint32_t n, nforced;

    nforced = dt_scan_forced(s, dt_scan_decided(s, UINT64_MAX, &n));

    return n > nforced ? n : nforced;
}


/* white space [p, end) at offset start was passed, all of a text */
static inline void
dt_scan_white(dt_scan_t *s, const char *p, const char *end, uint64_t start)
{
    dt_scan_passed(s, p, end);
    s->white = start;

    if (s->unclosed) {
        (void) dt_scan_text_opens(s, p, end, end);
    }
}


#define DT_STEP_COMMENT 4 /* s->step at the beginning of a comment */

/* p, where no tag begins: a comment or the like; behind its beginning, or
   NULL: more bytes are needed to tell what */
const char *dt_scan_other(dt_scan_t *s, const char *p, const char *end);

/* [p, end) inside of a comment or the like, of CDATA, and of the element
   s->raw: behind it */
const char *dt_scan_run_comment(dt_scan_t *s, const char *p, const char *end);
const char *dt_scan_run_cdata(dt_scan_t *s, const char *p, const char *end);
const char *dt_scan_run_raw(dt_scan_t *s, const char *p, const char *end);

/*
 * Passes over [p, end) as long as nothing in the innermost element can be
 * template: returns the '<' of a token that is not for it, or end; while
 * s->shape is set, the text before that, whose words are not counted yet.
 */
const char *dt_scan_cold(dt_scan_t *s, dt_marks_t *marks, const char *p,
                         const char *end);

/* what is read now begins at p, an offset of the page */
static inline void
dt_scan_at(dt_scan_t *s, const char *p, uint64_t off)
{
    s->shift = off - (uintptr_t) p;
    s->from = off;
    s->look = 0;
}


/* the tag in s->token, whose '<' is at p, from offset start to stop */
static inline void
dt_scan_tag(dt_scan_t *s, const char *p, uint64_t start, uint64_t stop,
            int whole)
{
    const dt_tag_t *tag;

    s->token.start = p;
    s->token.whole = whole && stop - start <= DT_SCAN_HOLD;
    dt_scan_bound(s, stop);

    if (!s->token.whole) {
        dt_scan_long_tag(s);
    }

    if (p[1] == '/') {
        dt_scan_end_tag(s, start, stop);
        return;
    }

    tag = dt_tag_find(s->token.name);

    if (s->nest || !s->in_body || (tag->flags & DT_TAG_ODD) || s->xml) {
        dt_scan_start_tag(s, start, tag);
        return;
    }

    (void) dt_scan_open(s, start, tag);
    s->glue = 0;
}


/*
 * A tag, comment or the like at p: returns what is behind it, or behind how it
 * begins.  NULL: more bytes are needed; with DT_SCAN_TAG, it is a tag, whose
 * end is to be found by dt_token_step(), and which is then to be given whole.
 *
 * A start tag is in s->token.  It has begun an element if the innermost one is
 * new: its start is then UINT64_MAX, until the caller sets it to something
 * else.  End tags that are usual are not in s->token.
 */
static inline __attribute__((always_inline)) const char *
dt_scan_markup(dt_scan_t *s, const char *p, const char *end)
{
    int end_tag, done;
    const char *q;

    end_tag = p[1] == '/';

    if (end_tag) {
        if (end - p < 3) {
            s->look = 1;
            return NULL;
        }

        if (end - p >= 2 + DT_SCAN_ENDS && !s->nest
            && dt_scan_ends(&s->stack[s->depth], p + 2))
        {
            q = p + 3 + s->stack[s->depth].len;
            s->glue = 0;

            if (s->alive || s->shape || s->last || dt_line_waits(s)
                || s->recording) {
                dt_scan_bound(s, dt_scan_off(s, q));
                dt_scan_close(s, dt_scan_off(s, q), 0);

            } else {
                dt_scan_pop(s);
            }

            return q;
        }
    }

    if (!dt_char_is(p[1 + end_tag], DT_C_ALPHA)) {
        q = dt_scan_other(s, p, end);
        s->look = q == NULL;
        return q;
    }

    q = dt_token_read(&s->token, p + 1 + end_tag, end);

    if (q == NULL) {
        s->state = DT_SCAN_TAG;
        s->step = DT_STEP_NAME;
        (void) dt_token_step(&s->step, p + 1 + end_tag, end, &done);
        return NULL;
    }

    dt_scan_tag(s, p, dt_scan_off(s, p), dt_scan_off(s, q), 1);

    return q;
}


static inline const char *
dt_memo_step(dt_scan_t *s, const char *p, const char *end)
{
    return s->memo != NULL && !s->nest && p[1] != '/'
                   && (s->stack[s->depth].state & DT_OPEN_KNOWN)
               ? dt_memo_find(s, p, end)
               : NULL;
}


#endif /* DT_SCAN_H_INCLUDED_ */
