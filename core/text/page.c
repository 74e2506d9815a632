
/*
 * Copyright (C) The detemplate authors
 *
 * Reads a page from its beginning to its end, and tells markup.c the elements
 * that begin and end.  The tokens and the elements are the scanner's: each
 * token that is no text goes through a scanner of its own, and the stack of
 * open elements before and after it tells which ended.  Where the scanner
 * gives up, all that is open ends, and it begins anew with the next token.
 */


#include <stdlib.h>

#include "core/text/page.h"
#include "core/text/block.h"
#include "core/text/convert.h"
#include "core/text/head.h"
#include "core/text/inline.h"
#include "core/text/markup.h"
#include "core/text/math.h"
#include "core/text/out.h"


#define DT_PAGE_XMP dt_letters('x', 'm', 'p', 0, 0, 0, 0, 0)
#define DT_PAGE_TITLE dt_letters('t', 'i', 't', 'l', 'e', 0, 0, 0)
#define DT_PAGE_PLAIN                                                         \
    (dt_letters('p', 'l', 'a', 'i', 'n', 't', 'e', 'x')                       \
     ^ dt_letters('t', 0, 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)


/* once the page goes on in the body, the head is known */
static inline void
dt_page_body(dt_text_t *t)
{
    if (t->head.waits && t->scan.in_body) {
        dt_head_write(t);
    }
}


/* whether text is read here: not in a picture, nor in elements for scripts */
static int
dt_page_reads(const dt_text_t *t)
{
    return !t->skip
           && (!t->scan.nest.name
               || (t->scan.in_body && dt_nest_is_read(&t->scan)));
}


/* text [p, end), where there is more to do than to add it */
static void
dt_page_special(dt_text_t *t, const char *p, const char *end)
{
    const char *q;

    if (!dt_page_reads(t)) {
        return;
    }

    if ((!t->scan.in_body || t->scan.left.what) && !t->scan.nest.name) {
        q = dt_skip_white(p, end);

        if (q < end) {
            /* it may begin the body, and opens formatting again */
            dt_scan_text(&t->scan, p, q, end);
        }
    }

    dt_page_body(t);

    if (dt_math_text(t, &p, end)) {
        (void) dt_inline_text(t, p, end, DT_READ_TEXT);
    }
}


/* text that begins at p: returns its end */
static inline const char *
dt_page_chars(dt_text_t *t, const char *p, const char *end)
{
    const char *q;
    const dt_scan_t *s = &t->scan;

    if (s->in_body && !s->left.what && !s->nest.name && !t->skip
        && !t->head.waits && !t->math.state)
    {
        return dt_inline_text(t, p, end, DT_READ_PAGE);
    }

    q = p;

    do {
        q = dt_find(q, end, '<');
    } while (q < end && (end - q < 2 || !dt_char_is(q[1], DT_C_MARKUP))
             && ++q);

    dt_page_special(t, p, q);

    return q;
}


/* the insides of raw elements: of few of them it is text */
static void
dt_page_raw(dt_text_t *t, uint64_t name, const char *p, const char *end)
{
    switch (name) {

    case DT_PAGE_TITLE:
        if (!t->scan.in_body && t->head.title.len == 0) {
            t->head.title = (dt_str_t){ (size_t) (end - p), p };
        }

        break;

    case DT_PAGE_XMP:
    case DT_PAGE_PLAIN:
        if (dt_page_reads(t)) {
            (void) dt_inline_text(t, p, end, DT_READ_RAW);
        }

        break;
    }
}


/* elements up to a depth have ended, but for those that are left */
static void
dt_page_ended(dt_text_t *t, unsigned depth, unsigned left)
{
    for (; depth > left; depth--) {
        dt_markup_end(t, depth);
    }
}


/* the token was read; s was in another tree before it if nest is set */
static void
dt_page_math(dt_text_t *t, uint64_t nest, int start)
{
    uint64_t now = t->scan.nest.name;

    t->math.text = 0;

    if (t->skip || !t->scan.in_body) {
        return;
    }

    if (nest == DT_NAME_MATH && (!start || now != nest)) {
        dt_math_end(t, t->inner);

    } else if (now == DT_NAME_MATH && start) {
        dt_math_tag(t, nest == now ? t->inner : 0);
    }
}


/* the scanner has given up at a tag; start: it is a start tag */
static void
dt_page_lost(dt_text_t *t, int start)
{
    dt_scan_t *s = &t->scan;
    const dt_tag_t *tag = dt_tag_find(s->token.name);

    if (start && s->token.name == DT_PAGE_PLAIN) {
        s->in_body = 1;
        dt_page_body(t);
        dt_block_break(t);
        return;
    }

    dt_page_ended(t, s->depth, 0);
    dt_scan_follow(s, s->xml);
    dt_scan_at(s, t->page);
    s->limit = t->end;
    s->in_body = 1;
    t->skip = 0;
    t->hidden = 0;
    t->media = 0;
    t->form = 0;
    t->lines = 0;
    t->math.state = DT_MATH_NONE;

    if (start && (tag->flags & DT_TAG_RAW)) {
        /* its inside is no text all the same */
        dt_scan_start_tag(s, 0, tag);
    }
}


/*
 * The token at p was read, up to end; before it the stack had a depth, and s
 * was in another tree if nest is set.
 */
static inline __attribute__((always_inline)) void
dt_page_token(dt_text_t *t, const char *p, const char *end, unsigned depth,
              uint64_t nest)
{
    dt_scan_t *s = &t->scan;
    uint64_t name;
    int start = dt_char_is(p[1], DT_C_ALPHA) != 0;
    unsigned left = s->depth;
    unsigned begun = start && s->stack[left].start == UINT64_MAX;

    dt_page_ended(t, depth, left - begun);

    if (begun) {
        t->does[left] = 0;
        s->stack[left].start = (uint64_t) (p - t->page);
    }

    if (s->state == DT_SCAN_PASS) {
        dt_page_lost(t, start);
        return;
    }

    dt_page_body(t);

    if (nest == DT_NAME_MATH || s->nest.name == DT_NAME_MATH) {
        dt_page_math(t, nest, start);
    }

    if (!start) {
        if (depth == left && p[1] == '/' && end - p > 3 && !s->nest.name) {
            /* it has ended nothing */
            name = dt_name_fold(p + 2, end - 1);

            if (name == DT_NAME_BR || name == DT_NAME_P || name == DT_PAGE_XMP)
            {
                dt_block_break(t);
            }
        }

    } else if (!s->in_body) {
        dt_head_tag(t);

    } else if (!nest || begun || !s->nest.name) {
        dt_markup_tag(t, begun != 0);

    } else if (nest == DT_NAME_NOSCRIPT && dt_page_reads(t)) {
        dt_markup_tag(t, 0);
    }
}


/* a part that is no text or tag to the scanner: some of it is text; returns
   behind it */
static const char *
dt_page_other(dt_text_t *t, const char *p, const char *end)
{
    dt_scan_state_t state = t->scan.state;
    uint64_t name = t->scan.raw;
    const char *q;

    if (state == DT_SCAN_PASS) {
        /* all bytes behind a plaintext are in it */
        dt_page_raw(t, DT_PAGE_PLAIN, p, end);
        return end;
    }

    q = dt_scan_step(&t->scan, p, end);

    if (state == DT_SCAN_RAW) {
        dt_page_raw(t, name, p, q);

    } else if (state == DT_SCAN_CDATA && dt_page_reads(t)) {
        (void) dt_inline_text(t, p, t->scan.state == DT_SCAN_TEXT ? q - 3 : q,
                              DT_READ_RAW);
    }

    return q;
}


/* the tag or the like at p: returns behind it; the page may end within */
static inline const char *
dt_page_markup(dt_text_t *t, const char *p, const char *end)
{
    dt_scan_t *s = &t->scan;
    unsigned depth = s->depth;
    uint64_t nest = s->nest.name;
    const char *q;

    if (p[1] == '/' && end - p >= 2 + DT_SCAN_ENDS && !nest
        && dt_scan_ends(&s->stack[depth], p + 2))
    {
        q = p + 3 + s->stack[depth].len;
        dt_scan_pop(s);
        dt_markup_end(t, depth);
        return q;
    }

    t->inner = s->nest.n;
    q = dt_scan_markup(s, p, end);

    if (q != NULL) {
        dt_page_token(t, p, q, depth, nest);
        return q;
    }

    if (end - p == 2 && p[1] == '/') {
        (void) dt_inline_text(t, p, end, DT_READ_TEXT);
    }

    return end;
}


static void
dt_page_read(dt_text_t *t)
{
    const char *p = t->page, *end = t->end;
    dt_scan_t *s = &t->scan;

    dt_scan_at(s, p);
    s->limit = end;

    while (p < end && !t->no_memory) {
        if (s->state != DT_SCAN_TEXT) {
            p = dt_page_other(t, p, end);
            continue;
        }

        if (*p != '<' || end - p < 2 || !dt_char_is(p[1], DT_C_MARKUP)) {
            p = dt_page_chars(t, p, end);

            if (p == end) {
                break;
            }
        }

        p = dt_page_markup(t, p, end);
    }

    dt_page_ended(t, s->depth, 0);
    dt_block_flush(t);
    dt_head_write(t);

    if (t->begun) {
        dt_out_char(&t->out, '\n');
    }

    if (t->o->json) {
        dt_json_end(t);
    }

    dt_out_flush(&t->out);
}


dt_status_t
dt_text_page(const dt_text_opts_t *o, dt_str_t page, dt_text_info_t *info)
{
    dt_text_t *t;
    dt_bytes_t copy = { NULL, 0, 0, 0 };
    dt_status_t rc;
    iconv_t cd;

    rc = dt_convert_open(o->charset, &cd);
    if (rc != DT_OK) {
        return rc;
    }

    if (cd != (iconv_t) -1) {
        if (!dt_convert_page(cd, page, &copy)) {
            dt_bytes_free(&copy);
            return DT_ENOMEM;
        }

        page = (dt_str_t){ copy.len, copy.data };
    }

    page = page.len ? page : dt_str("");

    t = malloc(sizeof(*t));
    if (t == NULL) {
        dt_bytes_free(&copy);
        return DT_ENOMEM;
    }

    memset(t, 0, offsetof(dt_text_t, out.buf));
    t->o = o;
    t->page = page.data;
    t->end = page.data + page.len;
    t->windows = o->charset.len == 0;
    t->head.waits = o->front || o->json || o->index.len;
    t->out.out = o->out;
    t->out.data = o->out_data;
    t->line.data = t->room + DT_BLOCK;
    t->line.size = DT_TEXT_LINE;
    t->line.lent = 1;
    dt_base_set(&t->base, o->url);
    dt_scan_follow(&t->scan, o->xml);

    dt_page_read(t);

    if (info != NULL) {
        info->canonical_len = t->head.canonical_len;
        memcpy(info->canonical, t->canonical, t->head.canonical_len);
    }

    rc = t->no_memory ? DT_ENOMEM : t->out.failed ? DT_ELIMIT : DT_OK;

    dt_bytes_free(&copy);
    dt_bytes_free(&t->line);
    dt_bytes_free(&t->table.rows);
    dt_bytes_free(&t->table.line);
    dt_bytes_free(&t->headings.bytes);
    dt_bytes_free(&t->links.bytes);
    dt_bytes_free(&t->named);
    free(t);

    return rc;
}
