
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


#include <stdlib.h>

#include "core/scan/element.h"
#include "core/scan/scan.h"
#include "core/template/table.h"


/*
 * Text between tags: its hash, in which all white space is one space, and what
 * is known of it.
 */


/* bytes added one by one and hashed in groups of eight */
typedef struct {
    uint64_t hash;
    uint64_t part;
    uint64_t len;
} dt_bytes_t;


static inline void
dt_bytes_add(dt_bytes_t *b, const char *p, size_t n)
{
    for (; n; p++, n--) {
        b->part |= (uint64_t) (unsigned char) *p << 8 * (b->len & 7);

        if ((++b->len & 7) == 0) {
            b->hash = dt_mix(b->hash, b->part);
            b->part = 0;
        }
    }
}


/*
 * the hash of [p, end), any white space in it one space; its words, as
 * dt_text_words() counts them
 */
static uint64_t
dt_scan_text_hash(const char *p, const char *end, uint32_t *words)
{
    const char *w;
    dt_bytes_t b = { DT_NAME_TEXT, 0, 0 };

    for (*words = 0; p < end; p = w) {
        for (w = p; w < end && (unsigned char) *w > 0x20; w++) {
            /* void */
        }

        if (*words) {
            dt_bytes_add(&b, " ", 1);
        }

        dt_bytes_add(&b, p, (size_t) (w - p));
        (*words)++;

        w = dt_skip_white(w, end);
    }

    *words = dt_text_words(*words, b.len);

    return dt_mix(dt_mix(b.hash, b.part), b.len);
}


/*
 * Does the same for text whose white space is single spaces, as in most pages.
 * Returns whether it is such text; a byte wrongly taken for white space does
 * no harm.
 */
static int
dt_scan_text_plain(const char *p, size_t len, uint64_t *hash)
{
    size_t n;
    uint64_t x, low, spaces, last = 0, h = DT_NAME_TEXT;
    const uint64_t ones = 0x0101010101010101u;

    for (n = len; n; p += 8, n -= 8) {
        x = n >= 8 ? dt_load64(p) : dt_load_tail(p, n) | ~0ull << (8 * n);

        low = (x - ones * 0x21) & ~x & (ones << 7);

        if (low) {
            spaces = x ^ (ones * 0x20);
            spaces = (spaces - ones) & ~spaces & (ones << 7);

            if (low != spaces || (spaces & (spaces << 8 | last))) {
                return 0;
            }

            last = spaces >> 56;

        } else {
            last = 0;
        }

        if (n < 8) {
            *hash = dt_mix(dt_mix(h, x & ~(~0ull << (8 * n))), len);
            return 1;
        }

        h = dt_mix(h, x);
    }

    *hash = dt_mix(dt_mix(h, 0), len);

    return 1;
}


/* records the trimmed text [p, end) of a page that is learned from */
static void
dt_scan_text_record(dt_scan_t *s, const char *p, const char *end,
                    uint64_t start, int opens)
{
    uint32_t words;
    uint64_t hash;
    dt_open_t *e = &s->stack[s->depth];
    dt_record_t *rec;

    hash = dt_scan_text_hash(p, end, &words);
    e->bare = DT_BARE_TEXT;
    e->hash = dt_mix(e->hash, hash);
    e->words += words;

    rec = dt_scan_record(s);
    if (rec == NULL) {
        return;
    }

    rec->path = dt_key_path(e->path, DT_NAME_TEXT);
    rec->key = e->flags & DT_TAG_TABLE ? 0 : dt_key_node(rec->path, hash);
    rec->first = dt_key_first(e->path, p, (size_t) (end - p));
    rec->start = (uint32_t) start;
    rec->end = (uint32_t) (start + (uint64_t) (end - p));
    rec->words = words;
    rec->weak = (uint32_t) opens;
    rec->links = dt_near(e, DT_TAG_A) ? words : 0;
    e->links += rec->links;
    rec->parent = s->depth ? e->mark : UINT32_MAX;
}


/*
 * The text stays, or is cut with its element: formatting that was left open is
 * open again from here.
 */
static void
dt_scan_opened(dt_scan_t *s)
{
    const dt_open_t *e = &s->stack[s->depth];

    if ((e->state & DT_OPEN_KNOWN) && !(e->flags & DT_TAG_TABLE)) {
        s->reopened = s->depth;
        s->reopened_start = e->start;
    }
}


int
dt_scan_text_opens(dt_scan_t *s, const char *text, const char *p,
                   const char *end)
{
    int opens;
    uint64_t name = s->stack[s->depth].name;

    /*
     * A parser may drop the first byte if it is white space, and moves white
     * space that is in a table but in no cell.
     */

    if (p > text && *text != '\0' && name != DT_NAME_PRE
        && name != DT_NAME_LISTING && !(s->unclosed & DT_UNCLOSED_BODY)
        && dt_scan_opens(s)
        && !(s->stack[dt_scan_in_table(s)].flags & DT_TAG_TABLE))
    {
        dt_scan_opened(s);
    }

    opens = dt_scan_opens(s);

    if (opens && p < end) {
        dt_scan_opened(s);
        s->unclosed &= (uint8_t) ~DT_UNCLOSED_BODY;
    }

    return opens;
}


/* text [p, end) is none of the template's */
static void
dt_scan_text_own(dt_scan_t *s, const char *p, const char *end)
{
    dt_line_stays(s, p, end);

    if (s->last && !s->shape && !dt_near(&s->stack[s->depth], DT_TAG_A)) {
        dt_shape_behind(s, dt_shape_words(p, end, s->limit));
    }
}


/* handles text [p, end) that begins like a text of the template */
static void
dt_scan_text_known(dt_scan_t *s, const char *p, const char *end,
                   uint64_t start, int opens)
{
    size_t slot;
    uint32_t words;
    uint64_t hash, key;
    dt_open_t *e = &s->stack[s->depth];

    if (!dt_scan_text_plain(p, (size_t) (end - p), &hash)) {
        hash = dt_scan_text_hash(p, end, &words);
    }

    key = dt_key_node(dt_key_path(e->path, DT_NAME_TEXT), hash);
    slot = dt_table_find(s->nodes, s->node_bits, key);

    if (slot == DT_TABLE_NONE || (s->info[slot] & DT_NODE_START)) {
        dt_scan_text_own(s, p, end);
        return;
    }

    e->bare = DT_BARE_TEXT;
    e->hash = dt_mix(e->hash, hash);
    dt_line_goes(s, p, end, start, s->info[slot] & 0xffff,
                 opens || !dt_scan_is_strong(s, s->info[slot]));
}


/*
 * No line continues in an element without template.  Its tags and text need
 * not be read, except those that a heading waits for.
 */
static void
dt_scan_text_cold(dt_scan_t *s)
{
    if (dt_scan_is_cold(s) && s->line == DT_LINE_STAYS) {
        s->line = DT_LINE_NONE;
    }
}


/* a parser moves text of a table that is in no cell to the front of it */
static void
dt_scan_text_moved(dt_scan_t *s, dt_open_t *e, const char *p, const char *end)
{
    dt_scan_unsound(s, e);

    if (!s->recording
        && (!dt_scan_is_cold(s) || s->line == DT_LINE_HEADING || s->last))
    {
        dt_shape_stays(s, dt_shape_words(p, end, s->limit));
        dt_line_keep(s);
        dt_scan_text_cold(s);
    }
}


/*
 * Returns whether the trimmed text [p, end) in e may be one of the template's.
 * The first bytes of most text already differ from all of them.
 */
static inline int
dt_scan_text_may(const dt_scan_t *s, const dt_open_t *e, const char *p,
                 const char *end)
{
    uint32_t first;

    first = dt_key_first(e->path, p, (size_t) (end - p)) >> s->first_shift;

    return s->firsts[first >> 6] >> (first & 63) & 1;
}


void
dt_scan_text(dt_scan_t *s, const char *text, const char *p, const char *end,
             uint64_t start)
{
    int opens;
    dt_open_t *e = &s->stack[s->depth];

    dt_scan_bound(s, start + (uint64_t) (end - text));

    if (!s->in_body) {
        dt_scan_body(s, start + (uint64_t) (p - text));

        if (dt_scan_is_bare(s)) {
            dt_scan_passed(s, text, end);
            dt_line_stays(s, p, end);
            return;
        }
    }

    dt_scan_passed(s, text, end);

    if (e->flags & DT_TAG_TABLE) {
        dt_scan_text_moved(s, e, p, end);

        if (!s->recording) {
            return;
        }
    }

    start += (uint64_t) (p - text);
    end = dt_trim_white(end);

    opens = s->unclosed && dt_scan_text_opens(s, text, p, end);

    if (s->shape) {
        dt_shape_text(e, p, end, s->limit);
    }

    if (!(e->state & DT_OPEN_KNOWN)) {
        if ((e->state & DT_OPEN_LINE) || s->line == DT_LINE_HEADING || s->last)
        {
            dt_scan_text_own(s, p, end);
            dt_scan_text_cold(s);
        }

        return;
    }

    if (s->recording) {
        dt_scan_text_record(s, p, end, start, opens);

    } else if (dt_scan_text_may(s, e, p, end)) {
        dt_scan_text_known(s, p, end, start, opens);

    } else {
        dt_scan_text_own(s, p, end);
    }
}


/*
 * Tags and texts that are longer than may be held.  Where the page comes in
 * pieces their beginning is gone when their end comes: no more is made of them
 * where it comes in one.
 */

/* what is in a line with it stays; where nothing can be template, there is no
   line */
static void
dt_scan_long(dt_scan_t *s)
{
    if (!dt_scan_is_cold(s)) {
        dt_line_keep(s);
    }
}


void
dt_scan_long_tag(dt_scan_t *s)
{
    dt_token_t *t = &s->token;
    const char *name = t->start + 1 + (t->start[1] == '/');

    dt_scan_long(s);

    if (t->rest - t->start > DT_LONG_TAG) {
        t->name = dt_name_fold(name, t->start + DT_LONG_TAG);
    }
}


/* and so is the text [p, end) */
static void
dt_scan_long_text(dt_scan_t *s, const char *p, const char *end)
{
    dt_scan_unsound(s, &s->stack[s->depth]);
    dt_scan_long(s);
    dt_shape_stays(s, UINT32_MAX);
    dt_scan_passed(s, p, end);
}


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
static inline __attribute__((always_inline)) void
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


/*
 * A whole page is scanned to be compiled: what could be template in it.
 */

dt_status_t
dt_scan_records(dt_str_t page, uint64_t seed, dt_str_t host, dt_str_t path,
                dt_record_t **out, size_t *n)
{
    dt_scan_t *s;
    const char *p, *end = page.data + page.len;
    dt_status_t rc;

    s = malloc(sizeof(dt_scan_t));
    if (s == NULL) {
        return DT_ENOMEM;
    }

    dt_scan_init(s, NULL, seed, host, path);

    p = dt_scan_run(s, page.data, end, 0, 0);
    dt_scan_finish(s, p, (size_t) (end - p), (uint64_t) (p - page.data));

    rc = s->nomem ? DT_ENOMEM : s->too_deep ? DT_ELIMIT : DT_OK;

    if (rc == DT_OK) {
        *out = s->records;
        *n = s->nrecords;

    } else {
        free(s->records);
    }

    free(s);

    return rc;
}


dt_status_t
dt_scan_inert(dt_str_t page, char *copy)
{
    dt_scan_t *s;
    const char *p, *end = page.data + page.len;

    memcpy(copy, page.data, page.len);

    s = malloc(sizeof(dt_scan_t));
    if (s == NULL) {
        return DT_ENOMEM;
    }

    dt_scan_follow(s, 0);
    s->inert = copy;

    p = dt_scan_run(s, page.data, end, 0, 0);
    dt_scan_finish(s, p, (size_t) (end - p), (uint64_t) (p - page.data));
    free(s);

    return DT_OK;
}
