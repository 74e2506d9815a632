
/*
 * Copyright (C) The detemplate authors
 *
 * Between the files that read a page token by token: scan.c (text and tags),
 * cold.c (elements without template), raw.c (what is not looked into), and
 * read.c of text.
 */


#ifndef DT_SCAN_I_H_INCLUDED_
#define DT_SCAN_I_H_INCLUDED_


#include "core/scan/element.h"
#include "core/scan/scan.h"


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


#endif /* DT_SCAN_I_H_INCLUDED_ */
