
/*
 * Copyright (C) The detemplate authors
 *
 * Text between tags: its hash, in which all white space is one space, and what
 * is known of it.
 */


#include "core/scan/element.h"
#include "core/template/table.h"


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
