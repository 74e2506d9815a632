
/*
 * Copyright (C) The detemplate authors
 *
 * A writer from its beginning to its end, and what it is fed with: UTF-8, or
 * bytes of another charset.
 */


#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "core/base/dt.h"
#include "core/html/html.h"
#include "core/scan/scan.h"
#include "core/text/state.h"


/*
 * Reads a page, and tells markup.c what begins and ends.  The tokens and the
 * elements are the scanner's: each token that is no text goes through a
 * scanner of its own, and the stack of open elements before and after it tells
 * which ended.  Where the scanner gives up, all that is open ends, and it
 * begins anew with the next token.
 */


#define DT_TEXT_XMP dt_letters('x', 'm', 'p', 0, 0, 0, 0, 0)
#define DT_TEXT_TITLE dt_letters('t', 'i', 't', 'l', 'e', 0, 0, 0)
#define DT_TEXT_PLAIN                                                         \
    (dt_letters('p', 'l', 'a', 'i', 'n', 't', 'e', 'x')                       \
     ^ dt_letters('t', 0, 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)


/* what comes now is in the body: the head is known */
static void
dt_text_body(dt_text_t *t)
{
    if (t->head && t->scan.in_body) {
        dt_head_write(t);
    }
}


/* whether text is read here: not in a picture, nor in what scripts use */
static int
dt_text_reads(const dt_text_t *t)
{
    return !t->skip
           && (!t->scan.nest
               || (t->scan.in_body && dt_nest_is_read(&t->scan)));
}


/* whether text [*p, end), which may be in math, is written; white space behind
   a tag is none there */
static int
dt_text_in_math(dt_text_t *t, const char **p, const char *end)
{
    switch (t->math) {

    case DT_MATH_READ:
        *p = t->math_text ? *p : dt_skip_white(*p, end);
        t->math_text = *p < end;
        return t->math_text;

    case DT_MATH_NOTE:
        dt_math_note(t, *p, end);
        return 0;

    case DT_MATH_BEFORE:
        if (dt_skip_white(*p, end) < end) {
            t->math = DT_MATH_NONE;
        }

        return 1;

    default:
        return 0;
    }
}


/* the '<' of what is no text, or maybe is none, or end */
static const char *
dt_text_find_markup(const char *p, const char *end)
{
    do {
        p = dt_find_far(p, end, '<');
    } while (end - p > 1 && !dt_char_is(p[1], DT_C_MARKUP) && ++p);

    return p;
}


/* text [p, end), where there is more to do than to add it; last: a tag or a
   comment follows it */
static void
dt_text_special(dt_text_t *t, const char *p, const char *end, int last)
{
    const char *q;

    if (!dt_text_reads(t)) {
        t->part_len = 0;
        return;
    }

    if ((!t->scan.in_body || t->scan.unclosed) && !t->scan.nest) {
        q = dt_skip_white(p, end);

        if (q < end) {
            /* it may begin the body, and opens formatting again */
            dt_scan_text(&t->scan, p, q, end, 0);
        }
    }

    dt_text_body(t);

    if (!t->math || dt_text_in_math(t, &p, end)) {
        (void) dt_inline_text(t, p, end, DT_READ_TEXT, last);
    }
}


/* text that begins at p: returns its end, or p where more bytes are needed */
static inline const char *
dt_text_chars(dt_text_t *t, const char *p, const char *end)
{
    const char *q;
    const dt_scan_t *s = &t->scan;

    if (s->in_body && !s->unclosed && !s->nest && !t->skip && !t->head
        && !t->math && !t->part_len)
    {
        return dt_inline_text(t, p, end, DT_READ_PAGE, 0);
    }

    q = dt_text_find_markup(p, end);

    if (q > p) {
        dt_text_special(t, p, q, end - q > 1);
    }

    return q;
}


/* the insides of raw elements: of few of them it is text */
static void
dt_text_raw(dt_text_t *t, uint64_t name, const char *p, const char *end)
{
    switch (name) {

    case DT_TEXT_TITLE:
        if (!t->scan.in_body) {
            dt_head_title(t, p, end);
        }

        break;

    case DT_TEXT_XMP:
    case DT_TEXT_PLAIN:
        if (dt_text_reads(t)) {
            (void) dt_inline_text(t, p, end, DT_READ_RAW, 0);
        }

        break;
    }
}


/* elements up to a depth have ended, but for those that are left */
static void
dt_text_ended(dt_text_t *t, unsigned depth, unsigned left)
{
    for (; depth > left; depth--) {
        dt_text_end(t, depth);
    }
}


/* the scanner has given up */
static void
dt_text_anew(dt_text_t *t, unsigned depth)
{
    dt_text_ended(t, depth, 0);
    dt_scan_follow(&t->scan, t->scan.xml);
    t->scan.in_body = 1;
    t->skip = 0;
    t->hidden = 0;
    t->form = 0;
    t->math = DT_MATH_NONE;
}


/* the token was read; s was in another tree before it if nest is set */
static void
dt_text_math(dt_text_t *t, uint64_t nest, int start)
{
    uint64_t now = t->scan.nest;

    t->math_text = 0;

    if (t->skip || !t->scan.in_body) {
        return;
    }

    if (nest == DT_NAME_MATH && (!start || now != nest)) {
        dt_math_end(t, t->inner);

    } else if (now == DT_NAME_MATH && start) {
        dt_math_tag(t, nest == now ? t->inner : 0);
    }
}


/* the same of a tag that the scanner does not follow; start: it is one */
static void
dt_text_lost(dt_text_t *t, int start)
{
    dt_scan_t *s = &t->scan;
    const dt_tag_t *tag = dt_tag_find(s->token.name);

    if (start && s->token.name == DT_TEXT_PLAIN) {
        s->in_body = 1;
        dt_text_body(t);
        dt_text_break(t);
        return;
    }

    dt_text_anew(t, s->depth);

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
dt_text_token(dt_text_t *t, const char *p, const char *end, unsigned depth,
              uint64_t nest)
{
    dt_scan_t *s = &t->scan;
    uint64_t name;
    int start = dt_char_is(p[1], DT_C_ALPHA) != 0;
    unsigned left = s->depth;
    unsigned begun = start && s->stack[left].start == UINT64_MAX;

    dt_text_ended(t, depth, left - begun);

    if (begun) {
        t->does[left] = DT_DOES_NOTHING;
        s->stack[left].start = 0;
    }

    if (s->state == DT_SCAN_PASS) {
        dt_text_lost(t, start);
        return;
    }

    dt_text_body(t);

    if (nest == DT_NAME_MATH || s->nest == DT_NAME_MATH) {
        dt_text_math(t, nest, start);
    }

    if (!start) {
        if (depth == left && p[1] == '/' && end - p > 3 && !s->nest) {
            /* it has ended nothing */
            name = dt_name_fold(p + 2, end - 1);

            if (name == DT_NAME_BR || name == DT_NAME_P || name == DT_TEXT_XMP)
            {
                dt_text_break(t);
            }
        }

    } else if (!s->in_body) {
        dt_head_tag(t);

    } else if (!nest || begun || !s->nest) {
        dt_text_tag(t, begun != 0);

    } else if (nest == DT_NAME_NOSCRIPT && dt_text_reads(t)) {
        dt_text_tag(t, 0);
    }
}


/* whether a tag at p begins with a name, which is in lower case */
static int
dt_text_is_tag(const char *p, const char *end, const char *name)
{
    size_t len = strlen(name);

    return (size_t) (end - p) > len && strncasecmp(p, name, len) == 0
           && dt_char_is(p[len], DT_C_NAME_END);
}


/* whether it is that of a list */
static int
dt_text_is_list(const char *p, const char *end)
{
    return dt_text_is_tag(p, end, "ol") || dt_text_is_tag(p, end, "ul")
           || dt_text_is_tag(p, end, "menu") || dt_text_is_tag(p, end, "dir");
}


/*
 * Counts the items of the list that begins at p, as far as its tags tell.
 * Returns where it ends, or NULL: not in [p, end).
 */
static const char *
dt_text_items(const char *p, const char *end, uint32_t *items)
{
    unsigned open = 0;

    for (*items = 0; (p = dt_find(p, end, '<')) < end; p++) {
        *items += open == 1 && dt_text_is_tag(p + 1, end, "li");
        open += dt_text_is_list(p + 1, end) != 0;

        if (end - p > 2 && p[1] == '/' && dt_text_is_list(p + 2, end)
            && --open == 0) {
            return p;
        }
    }

    *items = 0;

    return NULL;
}


/*
 * A list that counts down begins with the number of its items, so all of it is
 * kept until its end has come, within bounds.  Whether the tag at p, the last
 * one of a page that is to be read, must wait for that.
 */
static int
dt_text_waits(dt_text_t *t, const char *p, const char *end)
{
    const char *q, *limit;

    t->items = 0;

    if (t->listed == DT_LIST_ALL || t->scan.nest
        || strncasecmp(p, "<ol", end - p < 3 ? (size_t) (end - p) : 3) != 0
        || (end - p > 3 && !dt_char_is(p[3], DT_C_NAME_END)))
    {
        return 0;
    }

    limit = end - p < DT_SCAN_HOLD ? end : p + DT_SCAN_HOLD;
    q = end - p > 3 ? dt_token_skip(p + 3, limit) : NULL;

    if (q != NULL) {
        if (dt_find(p, q, 'v') == q
            || memmem(p, (size_t) (q - p), "reversed", 8) == NULL)
        {
            return 0;
        }

        q = dt_text_items(p, limit, &t->items);
    }

    if (q == NULL && end - p < DT_SCAN_HOLD) {
        t->listed = DT_LIST_WAITS;
        return 1;
    }

    /* lists in lists are read as often as they are deep */

    t->counted += (size_t) ((q != NULL ? q : limit) - p);
    t->listed = t->counted > DT_TEXT_COUNTED ? DT_LIST_ALL : DT_LIST_NONE;

    return 0;
}


/* what is neither text nor a tag: some of it is text; returns behind it, or p
   where more bytes are needed */
static const char *
dt_text_other(dt_text_t *t, const char *p, const char *end)
{
    dt_scan_state_t state = t->scan.state;
    uint64_t name = t->scan.raw;
    const char *stop, *q;

    if (state == DT_SCAN_PASS) {
        /* what follows a plaintext is in it */
        dt_text_raw(t, DT_TEXT_PLAIN, p, end);
        return end;
    }

    if (t->part_len && state != DT_SCAN_RAW && state != DT_SCAN_CDATA) {
        (void) dt_inline_text(t, p, p, DT_READ_TEXT, 1);
    }

    q = dt_scan_step(&t->scan, p, end, 0);

    if (state == DT_SCAN_RAW) {
        dt_text_raw(t, name, p, q);

    } else if (state == DT_SCAN_CDATA && dt_text_reads(t)) {
        stop = t->scan.state == DT_SCAN_TEXT ? q - 3 : q;
        (void) dt_inline_text(t, p, stop, DT_READ_RAW, 0);
    }

    return q;
}


/* the tag or the like at p: returns behind it, or NULL: it is not whole */
static inline const char *
dt_text_markup(dt_text_t *t, const char *p, const char *end)
{
    dt_scan_t *s = &t->scan;
    unsigned depth = s->depth;
    uint64_t nest = s->nest;
    const char *q;

    if (t->part_len) {
        (void) dt_inline_text(t, p, p, DT_READ_TEXT, 1);
    }

    if (p[1] == '/' && end - p >= 2 + DT_SCAN_ENDS && !nest
        && dt_scan_ends(&s->stack[depth], p + 2))
    {
        q = p + 3 + s->stack[depth].len;
        dt_scan_pop(s);
        dt_text_end(t, depth);
        return q;
    }

    if ((p[1] | 0x20) == 'o' && dt_text_waits(t, p, end)) {
        return NULL;
    }

    t->inner = s->ninner;
    dt_scan_at(s, p, t->off);
    q = dt_scan_markup(s, p, end);

    if (q != NULL) {
        dt_text_token(t, p, q, depth, nest);
    }

    return q;
}


/* takes what is whole of [p, end); returns what is not */
static const char *
dt_text_run(dt_text_t *t, const char *p, const char *end)
{
    const char *q;
    dt_scan_t *s = &t->scan;

    for (; p < end; p = q, t->off = 1) {
        if (s->state != DT_SCAN_TEXT) {
            q = dt_text_other(t, p, end);

            if (q == p && s->look) {
                break;
            }

            continue;
        }

        if (*p != '<' || end - p < 2 || !dt_char_is(p[1], DT_C_MARKUP)) {
            q = dt_text_chars(t, p, end);

            if (q == p) {
                break;
            }

            if (end - q < 2) {
                continue;
            }

            p = q;
            t->off = 1;
        }

        q = dt_text_markup(t, p, end);

        if (q == NULL) {
            break;
        }
    }

    return p;
}


/* goes on with a tag; returns behind what belongs to it, NULL: no memory */
static const char *
dt_text_tag_more(dt_text_t *t, const char *p, const char *end)
{
    int done;
    unsigned depth = t->scan.depth;
    uint64_t nest = t->scan.nest;
    const char *q;

    t->inner = t->scan.ninner;
    q = dt_token_step(&t->scan.step, p, end, &done);

    if (!t->scan.cut) {
        if (t->carry.len + (size_t) (q - p) > DT_SCAN_HOLD) {
            (void) dt_scan_let_go(&t->scan, t->carry.data,
                                  t->carry.data + t->carry.len);

        } else if (!dt_text_add(t, &t->carry, p, (size_t) (q - p), SIZE_MAX)) {
            return NULL;
        }
    }

    if (done) {
        dt_scan_complete(&t->scan, t->carry.data, t->carry.data + t->carry.len,
                         0);
        dt_text_token(t, t->carry.data, t->carry.data + t->carry.len, depth,
                      nest);
        t->carry.len = 0;
        t->off = 1;
    }

    return q;
}


/* reads what is kept; what is not whole stays */
static void
dt_text_again(dt_text_t *t)
{
    size_t len;
    const char *q;

    q = dt_text_run(t, t->carry.data, t->carry.data + t->carry.len);
    len = (size_t) (t->carry.data + t->carry.len - q);
    memmove(t->carry.data, q, len);
    t->carry.len = len;
}


/* goes on with a list that counts down, by a tag; returns behind it, NULL: no
   memory */
static const char *
dt_text_list_more(dt_text_t *t, const char *p, const char *end)
{
    const char *q = dt_find(p, end, '>'), *tag;

    q += q < end;

    if (!dt_text_add(t, &t->carry, p, (size_t) (q - p), SIZE_MAX)) {
        return NULL;
    }

    tag = memrchr(t->carry.data, '<', t->carry.len);

    if (t->carry.len >= DT_SCAN_HOLD
        || (q[-1] == '>' && t->carry.len >= t->again
            && (tag == t->carry.data
                || (tag[1] == '/'
                    && dt_text_is_list(tag + 2,
                                       t->carry.data + t->carry.len)))))
    {
        t->listed = DT_LIST_NONE;
        dt_text_again(t);
        t->again = t->listed == DT_LIST_WAITS ? 2 * t->carry.len : 0;
    }

    return q;
}


/* the page has ended: reads what waits for more */
static void
dt_text_last(dt_text_t *t)
{
    if (t->listed == DT_LIST_WAITS) {
        t->listed = DT_LIST_NONE;
        dt_text_again(t);
    }

    if (t->listed == DT_LIST_WAITS) {
        t->listed = DT_LIST_ALL;
        dt_text_again(t);
    }
}


/* goes on with what is not whole; returns behind what of [p, end) is */
static const char *
dt_text_resume(dt_text_t *t, const char *p, const char *end)
{
    while (t->carry.len && p < end) {
        if (t->listed == DT_LIST_WAITS) {
            p = dt_text_list_more(t, p, end);

            if (p == NULL) {
                return NULL;
            }

            continue;
        }

        if (t->scan.state == DT_SCAN_TAG) {
            p = dt_text_tag_more(t, p, end);

            if (p == NULL) {
                return NULL;
            }

            continue;
        }

        if (!dt_text_add(t, &t->carry, p, 1, SIZE_MAX)) {
            return NULL;
        }

        p++;
        dt_text_again(t);
    }

    return p;
}


/* reads UTF-8; 0: there is no memory */
static int
dt_text_utf8(dt_text_t *t, const char *p, size_t len)
{
    const char *end = p + len;

    p = dt_text_resume(t, p, end);
    if (p == NULL) {
        return 0;
    }

    p = dt_text_run(t, p, end);

    return p == end
           || dt_text_add(t, &t->carry, p, (size_t) (end - p), SIZE_MAX);
}


static void *
dt_text_malloc(void *data, size_t size)
{
    (void) data;

    return malloc(size);
}


static void
dt_text_mfree(void *data, void *p)
{
    (void) data;

    free(p);
}


/* sets *cd to what converts from a charset; (iconv_t) -1: nothing need be */
static dt_status_t
dt_text_charset(dt_str_t charset, iconv_t *cd)
{
    char name[48];
    const dt_encoding_t *e = dt_charset_label(charset);

    *cd = (iconv_t) -1;

    if (charset.len == 0 || (e != NULL && strcmp(e->name, "utf-8") == 0)) {
        return DT_OK;
    }

    if (e == NULL) {
        /* browsers know none but those, nor UTF-7, by which markup can be
           hidden */

        if (charset.len >= sizeof(name)
            || memchr(charset.data, '/', charset.len) != NULL
            || (charset.len >= 5 && strncasecmp(charset.data, "utf-7", 5) == 0)
            || (charset.len >= 4 && strncasecmp(charset.data, "utf7", 4) == 0))
        {
            return DT_EINVAL;
        }

        memcpy(name, charset.data, charset.len);
        name[charset.len] = '\0';

    } else if (*e->iconv == '\0') {
        return DT_EINVAL;
    }

    *cd = iconv_open("UTF-8", e != NULL ? e->iconv : name);

    return *cd == (iconv_t) -1 ? DT_EINVAL : DT_OK;
}


/* whether bytes below 0x80 are those of ASCII in a charset, whatever is beside
   them: they do not shift, nor wait for a mark that is put above them */
static int
dt_text_is_ascii(iconv_t cd)
{
    char ascii[] = "\x1b$B!!\x1b(B\x1b$)C\x0e!!\x0f\x1b$)A\x0e!!\x0f~{!!~}"
                   " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t\n\f\r\x7f"
                   "0123456789bcdefghijklmnopqrstuvwxyz"
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZa";
    char buf[2 * sizeof(ascii)], *in = ascii, *out = buf;
    size_t len = sizeof(ascii) - 1, left = len, room = sizeof(buf);

    (void) iconv(cd, &in, &left, &out, &room);
    (void) iconv(cd, NULL, NULL, NULL, NULL);

    return (size_t) (out - buf) == len && memcmp(buf, ascii, len) == 0;
}


int
dt_text_knows(dt_str_t charset)
{
    iconv_t cd;

    if (dt_text_charset(charset, &cd) != DT_OK) {
        return 0;
    }

    if (cd != (iconv_t) -1) {
        (void) iconv_close(cd);
    }

    return 1;
}


size_t
dt_text_room(void)
{
    return sizeof(dt_text_t);
}


dt_status_t
dt_text_create(const dt_text_opts_t *o, dt_text_t **out)
{
    dt_alloc_t alloc = { dt_text_malloc, dt_text_mfree, NULL };
    dt_text_t *t;
    iconv_t cd;
    dt_status_t rc = dt_text_charset(o->charset, &cd);

    if (rc != DT_OK) {
        return rc;
    }

    if (o->alloc != NULL) {
        alloc = *o->alloc;
    }

    t = o->room != NULL ? o->room : alloc.alloc(alloc.data, sizeof(dt_text_t));

    if (t == NULL) {
        if (cd != (iconv_t) -1) {
            (void) iconv_close(cd);
        }

        return DT_ENOMEM;
    }

    memset(t, 0, offsetof(dt_text_t, line));
    t->alloc = alloc;
    t->charset = cd;
    t->ascii = cd != (iconv_t) -1 && dt_text_is_ascii(cd);
    t->lent = o->room != NULL;
    t->windows = o->charset.len == 0;
    t->drops = !o->hidden;
    t->plain = o->plain != 0;
    t->front = o->front != 0;
    t->index = o->index;
    t->json = o->json ? DT_JSON_HEAD : DT_JSON_NONE;
    t->anchors = o->anchors;
    t->head = t->front || t->json || t->index.len;
    t->out = o->out;
    t->out_data = o->out_data;
    t->url = o->url;

    dt_base_set(&t->base, o->url);

    dt_scan_follow(&t->scan, o->xml);
    *out = t;

    return DT_OK;
}


dt_str_t
dt_text_canonical(const dt_text_t *t)
{
    return (dt_str_t){ t->canonical_len, t->canonical };
}


void
dt_text_destroy(dt_text_t *t)
{
    if (t == NULL) {
        return;
    }

    if (t->charset != (iconv_t) -1) {
        (void) iconv_close(t->charset);
    }

    if (t->alloc.free != NULL) {
        if (t->carry.data != NULL) {
            t->alloc.free(t->alloc.data, t->carry.data);
        }

        if (t->headings.bytes.size) {
            t->alloc.free(t->alloc.data, t->headings.bytes.data);
        }

        if (t->links.bytes.size) {
            t->alloc.free(t->alloc.data, t->links.bytes.data);
        }

        if (!t->lent) {
            t->alloc.free(t->alloc.data, t);
        }
    }
}


/* feeds bytes of another charset */
static int
dt_text_iconv(dt_text_t *t, const char *p, size_t len)
{
    char buf[1024], *in, *out;
    size_t n, left, room;

    while (len || t->raw_len) {
        n = sizeof(t->raw) - t->raw_len;
        n = n < len ? n : len;
        in = t->raw_len ? t->raw : (char *) (uintptr_t) p;
        left = len;

        if (t->raw_len) {
            memcpy(t->raw + t->raw_len, p, n);
            left = t->raw_len + n;
        }

        room = sizeof(buf);
        out = buf;
        errno = 0;
        (void) iconv(t->charset, &in, &left, &out, &room);

        if (errno == EILSEQ && out == buf) {
            memcpy(out, "\xef\xbf\xbd", 3);
            out += 3;
            in++;
            left--;
        }

        if (out > buf && !dt_text_utf8(t, buf, (size_t) (out - buf))) {
            return 0;
        }

        if (t->raw_len) {
            /* bytes that are left again are taken from p once more */

            if (in == t->raw) {
                t->raw_len = (uint8_t) (t->raw_len + n);
                return 1;
            }

            n = (size_t) (in - t->raw);

            if (n < t->raw_len) {
                memmove(t->raw, in, t->raw_len - n);
                t->raw_len = (uint8_t) (t->raw_len - n);
                continue;
            }

            n -= t->raw_len;
            t->raw_len = 0;

        } else {
            n = len - left;

            if (n == 0) {
                /* a character that is not whole */
                n = len < sizeof(t->raw) ? len : sizeof(t->raw);
                memcpy(t->raw, p, n);
                t->raw_len = (uint8_t) n;
                return 1;
            }
        }

        p += n;
        len -= n;
    }

    return 1;
}


/* the same; a run of ASCII, which is UTF-8 as it is, is not converted */
static int
dt_text_convert(dt_text_t *t, const char *p, size_t len)
{
    int ok;
    size_t n;

    for (ok = 1; ok && len; p += n, len -= n) {
        n = 0;

        if (t->ascii && t->raw_len == 0) {
            n = (size_t) (dt_find_above(p, p + len, 0x7f) - p);
        }

        if (n && (n == len || n >= DT_TEXT_ASCII)) {
            ok = dt_text_utf8(t, p, n);

        } else {
            n = t->ascii && len > DT_TEXT_ASCII ? DT_TEXT_ASCII : len;
            ok = dt_text_iconv(t, p, n);
        }
    }

    return ok;
}


/* the page has ended */
static void
dt_text_finish(dt_text_t *t)
{
    dt_text_last(t);

    if (t->carry.len && t->carry.len < 3 && t->scan.state == DT_SCAN_TEXT
        && (t->carry.len == 1 || t->carry.data[1] == '/'))
    {
        /* a '<' that begins nothing */
        (void) dt_inline_text(t, t->carry.data, t->carry.data + t->carry.len,
                              DT_READ_TEXT, 1);
    }

    (void) dt_inline_text(t, NULL, NULL, DT_READ_TEXT, 1);
    dt_text_ended(t, t->scan.depth, 0);
    dt_block_flush(t);
    dt_head_write(t);

    if (t->begun) {
        dt_out_char(t, '\n');
    }

    dt_out_flush(t);

    dt_head_end(t);
}


dt_status_t
dt_text_feed(dt_text_t *t, const char *p, size_t len, int last)
{
    if (len
        && (t->charset == (iconv_t) -1 ? !dt_text_utf8(t, p, len)
                                       : !dt_text_convert(t, p, len)))
    {
        return DT_ENOMEM;
    }

    if (last) {
        dt_text_finish(t);
    }

    return t->failed ? DT_ENOMEM : DT_OK;
}


dt_status_t
dt_text_page(const dt_text_opts_t *o, dt_str_t page, dt_text_info_t *info)
{
    dt_text_t *t;
    dt_status_t rc = dt_text_create(o, &t);

    if (rc != DT_OK) {
        return rc;
    }

    rc = dt_text_feed(t, page.data, page.len, 1);

    if (info != NULL) {
        info->canonical_len = t->canonical_len;
        memcpy(info->canonical, t->canonical, t->canonical_len);
    }

    dt_text_destroy(t);

    return rc == DT_OK ? DT_OK : DT_ELIMIT;
}
