
/*
 * Copyright (C) The detemplate authors
 *
 * A page is a sequence of tokens; a stack holds the open elements.  Each
 * element has a path (the names from body down to it) and a hash over its
 * start tag and, Merkle-style, its children.  Path and hash together are the
 * key under which templates store a subtree.
 *
 * When serving, an element whose path no template knows costs a push and a
 * pop: nothing in it is hashed.  One whose path and start tag are known is
 * "alive": it may be template, and its bytes are held back until its end tag
 * decides.  All elements above an alive one on the stack are alive as well,
 * since an element with one child that is not template is not template
 * either: the first such child kills them all.
 */


#include "core/scan/scan_i.h"


/* whether '<' and c begin something else than text */
#define dt_scan_begins(c) dt_char_is(c, DT_C_MARKUP)


/* the '<' of what is no text; when there is none, end, or end - 1 where a '<'
   stands of which more must be seen */
static inline const char *
dt_scan_find(dt_marks_t *m, const char *p, const char *end)
{
    for (;; p++) {
        p = dt_marks_next(m, p, end, '<');

        if (end - p < 2 || dt_scan_begins(p[1])) {
            return p;
        }
    }
}


/* text [p, end), behind which bytes up to limit can be read */
static inline void
dt_scan_piece(dt_scan_t *s, const char *p, const char *end, const char *limit,
              uint64_t start)
{
    const char *text = p;

    if (end - p > DT_SCAN_HOLD) {
        dt_scan_long_text(s, p, end);
        return;
    }

    p = dt_skip_white(dt_scan_bom(p, end, start), limit);

    if (p < end) {
        dt_scan_text(s, text, p, end, start);

    } else {
        dt_scan_white(s, text, end, start);
    }
}


/*
 * Text and tags.  Returns behind the last, where something else begins, or
 * with *more set the first byte of a token that is not whole.
 */
static const char *
dt_scan_run_tags(dt_scan_t *s, dt_marks_t *marks, const char *p,
                 const char *end, int *more)
{
    int hot; /* text here may be template, or goes into a hash */
    const char *q;

    for (*more = 1; p < end; p = q) {
        if (p - marks->base >= 2 * DT_MARKS) {
            dt_marks_look(marks, p, end, '<');
        }

        hot = !s->nest && !s->cut;

        if (hot && dt_scan_is_cold(s) && s->line != DT_LINE_HEADING
            && !s->force && !s->last)
        {
            p = dt_scan_cold(s, marks, p, end);
            hot = s->shape || !dt_scan_is_cold(s);
        }

        q = dt_scan_find(marks, p, end);

        if (end - q < 2) {
            s->look = q < end;

            if (q > p && hot) {
                return p;
            }
        }

        if (q > p) {
            if (hot) {
                dt_scan_piece(s, p, q, end, dt_scan_off(s, p));

            } else if (s->nest != DT_NAME_NOSCRIPT
                       && s->nest != DT_NAME_TEMPLATE) {
                dt_scan_passed(s, p, q);
            }
        }

        if (end - q < 2) {
            return q;
        }

        p = q;
        s->cut = 0;
        dt_marks_take(marks);
        q = dt_memo_step(s, p, end);
        q = q ? q : dt_scan_markup(s, p, end);

        if (q == NULL || q == p) {
            return p;
        }

        if ((s->nregions >= DT_SCAN_FINAL || s->nforced >= DT_SCAN_FINAL)
            && dt_scan_ready(s) >= DT_SCAN_FINAL)
        {
            s->full = 1;
            return q;
        }

        if (s->state != DT_SCAN_TEXT) {
            *more = 0;
            return q;
        }
    }

    return end;
}


/* what is no markup: returns behind as much of it as is there */
static const char *
dt_scan_rest(dt_scan_t *s, const char *p, const char *end)
{
    switch (s->state) {

    case DT_SCAN_COMMENT:
    case DT_SCAN_BOGUS:
        return dt_scan_run_comment(s, p, end);

    case DT_SCAN_CDATA:
        return dt_scan_run_cdata(s, p, end);

    case DT_SCAN_RAW:
        return dt_scan_run_raw(s, p, end);

    default: /* DT_SCAN_PASS */
        return end;
    }
}


const char *
dt_scan_step(dt_scan_t *s, const char *p, const char *end, uint64_t off)
{
    dt_scan_at(s, p, off);

    return dt_scan_rest(s, p, end);
}


const char *
dt_scan_run(dt_scan_t *s, const char *p, const char *end, uint64_t off,
            uint64_t from)
{
    int more;
    dt_marks_t marks;

    s->shift = off - (uintptr_t) p;
    s->from = from;
    s->limit = end;
    s->look = 0;
    s->full = 0;
    dt_marks_look(&marks, p, end, '<');

    while (p < end) {
        if (s->state == DT_SCAN_TEXT) {
            p = dt_scan_run_tags(s, &marks, p, end, &more);
            if (more) {
                return p;
            }

            continue;
        }

        p = dt_scan_rest(s, p, end);
        if (s->look) {
            return p;
        }
    }

    return end;
}


ptrdiff_t
dt_scan_more(dt_scan_t *s, const char *p, const char *end, int *done)
{
    const char *q;

    if (s->state == DT_SCAN_TAG) {
        s->look = 0;
        return dt_token_step(&s->step, p, end, done) - p;
    }

    /* text; s->look: its last byte is a '<', maybe of the next token */

    *done = 1;

    if (s->look && dt_scan_begins(*p)) {
        return -1;
    }

    for (q = p; (q = dt_find(q, end, '<'), end - q > 1); q++) {
        if (dt_scan_begins(q[1])) {
            s->look = 0;
            return q - p;
        }
    }

    *done = 0;
    s->look = q < end;

    return end - p;
}


ptrdiff_t
dt_scan_more_known(dt_scan_t *s, const char *p, const char *end, uint64_t off,
                   uint64_t next, int *done)
{
    ptrdiff_t n = dt_memo_more(s, p, end, off, done);

    if (n < 0) {
        dt_scan_unknown(s, next);
    }

    return n;
}


int
dt_scan_short(const dt_scan_t *s, const char *p, size_t len)
{
    return s->look
           && (s->state == DT_SCAN_RAW || s->state == DT_SCAN_CDATA
               || s->state == DT_SCAN_COMMENT || s->state == DT_SCAN_BOGUS
               || (p[0] == '<' && (len == 1 || dt_scan_begins(p[1]))));
}


unsigned
dt_scan_let_go(dt_scan_t *s, const char *p, const char *end)
{
    size_t n;

    if (!dt_scan_is_cold(s)) {
        dt_line_keep(s);
    }

    if (s->state == DT_SCAN_TAG && !s->cut) {
        /* its name is enough to keep the stack in order */

        end = end - p < DT_LONG_TAG ? end : p + DT_LONG_TAG;

        for (n = 2; p + n < end && !dt_char_is(p[n], DT_C_NAME_END); n++) {
            /* void */
        }

        memset(s->let_go, '>', sizeof(s->let_go));
        memcpy(s->let_go, p, n);
    }

    s->cut = 1;

    return s->state == DT_SCAN_TEXT && s->look;
}


void
dt_scan_complete(dt_scan_t *s, const char *p, const char *end, uint64_t off)
{
    int whole = !s->cut;
    uint64_t stop;

    s->shift = off - (uintptr_t) p;
    s->from = off;
    s->limit = end;

    if (s->state == DT_SCAN_TEXT) {
        if (!s->cut) {
            dt_scan_piece(s, p, end, end, off);

        } else if (p < end) {
            dt_scan_passed(s, p, end);
        }

        s->cut = 0;
        return;
    }

    s->state = DT_SCAN_TEXT;
    stop = off + (uint64_t) (end - p);

    if (s->cut) {
        /* the part that was let go is elsewhere; the stack needs the name */
        s->cut = 0;
        p = s->let_go;
        end = p + sizeof(s->let_go);
    }

    if (dt_token_read(&s->token, p + 1 + (p[1] == '/'), end) != NULL) {
        dt_scan_tag(s, p, off, stop, whole);
    }
}


void
dt_scan_taken(dt_scan_t *s, uint32_t n, uint32_t nforced)
{
    dt_region_taken(s, n, nforced);
}


void
dt_scan_limit(dt_scan_t *s, uint64_t off)
{
    dt_line_limit(s, off);
}


uint64_t
dt_scan_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    return dt_region_decided(s, off, n);
}


void
dt_scan_finish(dt_scan_t *s, const char *p, size_t len, uint64_t off)
{
    s->npieces = 0; /* bytes before may be gone */
    s->limit = len ? p + len : p;

    if (len && s->state == DT_SCAN_TEXT && !s->cut
        && !(len > 1 && *p == '<' && dt_scan_begins(p[1])))
    {
        dt_scan_piece(s, p, p + len, p + len, off);
    }

    dt_scan_close_all(s, off + len);
    s->force = 0;
    s->last = 0;
    s->line = DT_LINE_NONE;
    s->state = DT_SCAN_PASS;
}


static void
dt_scan_clear(dt_scan_t *s, dt_str_t host, dt_str_t path)
{
    memset(s, 0, offsetof(dt_scan_t, regions));
    memset(&s->stack[0], 0, sizeof(dt_open_t));
    dt_address_init(&s->address, host, path);
    s->stack[0].flags = DT_TAG_SPECIAL | DT_TAG_SCOPE;
}


void
dt_scan_follow(dt_scan_t *s, unsigned xml)
{
    dt_scan_clear(s, dt_str(""), dt_str(""));
    s->follows = 1;
    s->xml = (uint8_t) xml;
}


void
dt_scan_init(dt_scan_t *s, const void *tmpl, uint64_t seed, dt_str_t host,
             dt_str_t path)
{
    const dt_template_head_t *h = tmpl;

    dt_scan_clear(s, host, path);

    if (h != NULL) {
        s->paths = (const void *) ((const char *) tmpl + h->paths);
        s->nodes = (const void *) ((const char *) tmpl + h->nodes);
        s->info = (const void *) ((const char *) tmpl + h->info);
        s->firsts = (const void *) (h + 1);
        s->first_shift = DT_FIRST_BITS - h->first_bits;
        s->path_bits = h->path_bits;
        s->node_bits = h->node_bits;
        s->dirs = dt_template_dirs(h, path);
        seed = h->seed;

    } else {
        s->recording = 1;
    }

    s->stack[0].path = seed | 1;
    s->stack[0].state = DT_OPEN_KNOWN;
}
