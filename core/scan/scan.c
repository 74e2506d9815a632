
/*
 * Copyright (C) The detemplate authors
 *
 * A page is a sequence of tokens; a stack holds the open elements.  Each
 * element has a path (the names from body down to it) and a hash over its
 * start tag and, Merkle-style, its children.  Path and hash together are the
 * key under which templates store a subtree.
 *
 * Each element and each text becomes a record.  While a page is served, only
 * elements and texts at a place of the template are hashed and looked up: most
 * of a page is at none, and costs a push, a pop and a record.
 */


#include <stdlib.h>

#include "core/scan/scan.h"
#include "core/template/template.h"


/*
 * Text between tags: its hash, in which all white space is one space, and its
 * other facts.
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


/* whether elements that were left open are reopened where the text [text, end)
   comes; white space up to p */
static int
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
        && name != DT_NAME_LISTING && !(s->left.what & DT_UNCLOSED_BODY)
        && dt_scan_opens(s)
        && !(s->stack[dt_scan_in_table(s)].flags & DT_TAG_TABLE))
    {
        dt_left_opened(s);
    }

    opens = dt_scan_opens(s);

    if (opens && p < end) {
        dt_left_opened(s);
        dt_left_ended(s, DT_UNCLOSED_BODY);
    }

    return opens;
}


/*
 * Returns whether the trimmed text [p, end) in e may be one of the template's.
 * The first bytes of most text already differ from all of them.
 */
static inline int
dt_scan_text_may(const dt_scan_t *s, uint32_t first)
{
    first >>= s->tables.first_shift;

    return s->tables.firsts[first >> 6] >> (first & 63) & 1;
}


/* looks a text of e up, at whose place there are some, or notes its hash */
static void
dt_scan_text_hot(dt_scan_t *s, dt_open_t *e, dt_record_t *r, const char *p,
                 const char *end)
{
    uint32_t words;
    uint64_t hash;

    r->first = (uint16_t) dt_key_first(e->path, p, (size_t) (end - p));
    dt_scan_hot(s, r);

    if (dt_scan_learns(s)) {
        hash = dt_scan_text_hash(p, end, &words);
        r->words = words;
        r->links = r->state & DT_RECORD_LINK ? words : 0;

    } else if (!dt_scan_text_may(s, r->first)) {
        return;

    } else if (!dt_scan_text_plain(p, (size_t) (end - p), &hash)) {
        hash = dt_scan_text_hash(p, end, &words);
    }

    e->bare = DT_BARE_TEXT;
    e->hash = dt_mix(e->hash, hash);
    r->path = dt_key_path(e->path, DT_NAME_TEXT);

    if (!(e->flags & DT_TAG_TABLE)) {
        r->key = dt_key_node(r->path, hash);

        if (!dt_scan_learns(s)) {
            dt_scan_find(s, r);
            r->words = r->info & DT_NODE_WORDS;
        }
    }

    e->words += r->words;
    e->links += r->links;
}


void
dt_scan_text(dt_scan_t *s, const char *text, const char *p, const char *end)
{
    int opens;
    dt_open_t *e = &s->stack[s->depth];
    dt_record_t *r;

    if (!s->in_body) {
        dt_scan_body(s, dt_scan_off(s, p));
    }

    dt_scan_passed(s, text, end);

    if (e->flags & DT_TAG_TABLE) {
        /* a parser moves text of a table that is in no cell to the front of
           it */
        e->state |= DT_OPEN_UNSOUND;
    }

    opens = s->left.what && dt_scan_text_opens(s, text, p, end);

    if (s->records == NULL) {
        return;
    }

    end = dt_trim_white(end);
    r = dt_scan_record(s, e, dt_scan_off(s, p), 0);

    if (r == NULL) {
        return;
    }

    r->end = (uint32_t) dt_scan_off(s, end);
    r->weak = opens ? DT_WEAK_TREE : 0;
    r->state = dt_near(e, DT_TAG_A) ? DT_RECORD_LINK : 0;

    if (e->state & DT_OPEN_HOT) {
        dt_scan_text_hot(s, e, r, p, end);
    }
}


/* white space [p, end) was passed, all of a text */
static void
dt_scan_white(dt_scan_t *s, const char *p, const char *end)
{
    dt_scan_passed(s, p, end);
    s->stack[s->depth].state |= DT_OPEN_WHITE;

    if (s->left.what) {
        (void) dt_scan_text_opens(s, p, end, end);
    }
}


/* text [p, end) between tags */
static void
dt_scan_piece(dt_scan_t *s, const char *p, const char *end)
{
    const char *text = p;

    p = dt_skip_white(p, s->limit);

    if (p < end) {
        dt_scan_text(s, text, p, end);

    } else {
        dt_scan_white(s, text, end);
    }
}


/* the '<' of the next markup, or end */
static inline const char *
dt_scan_next(const char *p, const char *end)
{
    for (;; p++) {
        p = dt_find(p, end, '<');

        if (p == end || (end - p > 1 && dt_char_is(p[1], DT_C_MARKUP))) {
            return p;
        }
    }
}


/* reads all of a page */
static void
dt_scan_run(dt_scan_t *s, const char *p, const char *end)
{
    const char *q, *at = p;

    dt_scan_at(s, p);
    s->limit = end;

    if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        p += 3; /* a byte order mark is no text */
    }

    while (p < end) {
        if (s->state != DT_SCAN_TEXT) {
            if (s->state == DT_SCAN_PASS) {
                s->rest = dt_scan_off(s, at) + 1;
                break;
            }

            at = p;
            p = dt_scan_step(s, p, end);
            continue;
        }

        q = dt_scan_next(p, end);

        if (q > p) {
            if (!s->nest.name) {
                dt_scan_piece(s, p, q);

            } else if (s->nest.name != DT_NAME_NOSCRIPT
                       && s->nest.name != DT_NAME_TEMPLATE)
            {
                dt_scan_passed(s, p, q);
            }
        }

        if (q == end) {
            break;
        }

        at = q;
        p = dt_scan_markup(s, q, end);

        if (p == NULL) {
            break; /* a tag that does not end */
        }
    }

    if (s->records != NULL && !s->records->nomem) {
        dt_scan_close_all(s, dt_scan_off(s, end));
    }
}


static void
dt_scan_clear(dt_scan_t *s, dt_str_t host, dt_str_t path)
{
    memset(s, 0, offsetof(dt_scan_t, stack));
    memset(&s->stack[0], 0, sizeof(dt_open_t));
    s->stack[0].record = DT_RECORD_NONE;
    dt_address_init(&s->address, host, path);
    s->stack[0].flags = DT_TAG_SPECIAL | DT_TAG_SCOPE;
}


void
dt_scan_follow(dt_scan_t *s, unsigned xml)
{
    dt_scan_clear(s, dt_str(""), dt_str(""));
    s->xml = (uint8_t) xml;
}


/* sets the tables that are looked up */
static void
dt_scan_tables(dt_tables_view_t *t, const dt_template_head_t *h, dt_str_t path)
{
    const char *base = (const char *) h;

    t->paths = (const void *) (base + h->paths);
    t->nodes = (const void *) (base + h->nodes);
    t->info = (const void *) (base + h->info);
    t->firsts = (const void *) (h + 1);
    t->first_shift = DT_FIRST_BITS - h->first_bits;
    t->path_bits = h->path_bits;
    t->node_bits = h->node_bits;
    t->dirs = dt_template_dirs(h, path);
}


dt_status_t
dt_scan_page(dt_scan_t *s, const dt_scan_opts_t *o, dt_str_t page,
             dt_records_t *records)
{
    records->n = 0;
    records->nhot = 0;
    records->nomem = 0;

    dt_scan_clear(s, o->host, o->path);
    s->records = records;
    s->bold = o->bold != 0;
    s->heads = o->head ? DT_HEAD_WANTED : DT_HEAD_NONE;
    s->headed = o->heads != 0;
    s->stack[0].path = o->seed | 1;
    s->stack[0].state = DT_OPEN_HOT | DT_OPEN_KNOWN;

    if (o->tmpl != NULL) {
        dt_scan_tables(&s->tables, o->tmpl, o->path);
        s->stack[0].path = ((const dt_template_head_t *) o->tmpl)->seed | 1;
        s->stack[0].state = DT_OPEN_HOT;
    }

    dt_scan_run(s, page.data, page.data + page.len);

    return records->nomem                ? DT_ENOMEM
           : s->stays & DT_STAYS_DEEP    ? DT_ELIMIT
           : s->stays && o->tmpl != NULL ? DT_DECLINED
                                         : DT_OK;
}


dt_status_t
dt_scan_records(dt_str_t page, uint64_t seed, dt_str_t host, dt_str_t path,
                dt_record_t **out, size_t *n)
{
    dt_scan_t *s = malloc(sizeof(dt_scan_t));
    dt_records_t records = { 0 };
    dt_status_t rc;
    dt_scan_opts_t o = { .seed = seed, .host = host, .path = path };

    rc = s != NULL ? dt_scan_page(s, &o, page, &records) : DT_ENOMEM;
    free(s);

    if (rc == DT_OK) {
        *out = records.elts;
        *n = records.n;
        free(records.hot);

    } else {
        dt_scan_free(&records);
    }

    return rc;
}


dt_status_t
dt_scan_inert(dt_str_t page, char *copy)
{
    dt_scan_t *s;

    memcpy(copy, page.data, page.len);

    s = malloc(sizeof(dt_scan_t));
    if (s == NULL) {
        return DT_ENOMEM;
    }

    dt_scan_follow(s, 0);
    s->inert = copy;
    dt_scan_run(s, page.data, page.data + page.len);
    free(s);

    return DT_OK;
}
