
/*
 * Copyright (C) The detemplate authors
 *
 * The stack of open elements.  It follows the tree construction of the HTML
 * standard where it matters (implied end tags, scopes, tables).  Where
 * following on would need a parser (misnested formatting, foster parents), the
 * elements concerned are unsound: they stay in the page.
 */


#include <stdlib.h>

#include "scan_i.h"
#include "table.h"


static dt_record_t *
dt_scan_record(dt_scan_t *s)
{
    size_t max;
    dt_record_t *r;

    if (s->nrecords == s->records_max) {
        max = s->records_max ? 2 * s->records_max : 1024;

        r = realloc(s->records, max * sizeof(dt_record_t));
        if (r == NULL) {
            s->nomem = 1;
            return NULL;
        }

        s->records = r;
        s->records_max = max;
    }

    r = &s->records[s->nrecords++];
    memset(r, 0, sizeof(dt_record_t));

    return r;
}


/* marks an element and, since it is part of them, those around it */
void
dt_scan_unsound(dt_scan_t *s, dt_open_t *e)
{
    e->state |= DT_OPEN_UNSOUND;
    dt_scan_kill(s);
}


/* whether all that was found since first may be cut; its words */
static int
dt_scan_hollow(const dt_scan_t *s, uint32_t first, uint32_t *words)
{
    uint32_t i;

    for (i = first, *words = 0; i < s->nregions; i++) {
        if (s->regions[i].weak) {
            return 0;
        }

        *words += s->regions[i].words;
    }

    return i > first;
}


static void
dt_scan_close(dt_scan_t *s, uint64_t end, int implied)
{
    int weak;
    uint32_t words;
    size_t slot;
    uint64_t key;
    dt_open_t *e, *parent;
    dt_record_t *rec;

    e = &s->stack[s->depth--];
    parent = &s->stack[s->depth];
    weak = (e->state & DT_OPEN_GLUED)
           || ((e->state & DT_OPEN_CLOSED) && !implied);

    if (s->recording) {
        parent->state |= e->state & DT_OPEN_UNSOUND;
        parent->hash = dt_mix(parent->hash, e->hash);
        parent->words += e->words;
        parent->links += e->links;

        rec = &s->records[e->mark];
        rec->end = (uint32_t) end;
        rec->words = e->words;
        rec->links = e->links;
        rec->weak = (uint32_t) weak;
        rec->key = e->state & DT_OPEN_UNSOUND ? 0
                                              : dt_key_node(e->path, e->hash);
        return;
    }

    if (!s->alive) {
        return;
    }

    key = dt_key_node(e->path, e->hash);
    slot = dt_table_find(s->nodes, s->node_bits, key);

    if ((e->state & DT_OPEN_UNSOUND) || end - e->start > DT_SCAN_HOLD) {
        dt_scan_kill(s);
        return;
    }

    if (!(slot >> s->node_bits) && !(s->info[slot] & DT_NODE_START)) {
        words = s->info[slot] & 0xffff;
        weak |= !(s->info[slot] & DT_NODE_STRONG);

    } else if (!(e->state & DT_OPEN_HOLLOW)
               || !dt_scan_hollow(s, e->mark, &words))
    {
        dt_scan_kill(s);
        return;
    }

    parent->hash = dt_mix(parent->hash, e->hash);

    if (s->alive == s->depth + 1) {
        s->alive = 0;

        if (weak) {
            (void) dt_scan_settle(s, e->mark, s->nregions);
            return;
        }
    }

    s->nregions = e->mark;
    dt_scan_region(s, e->start, end, words, e->name_len + 1u, weak);
}


/*
 * Closes the elements above n, which end at inner, and n, which ends at end;
 * the end tags of some may be left out.
 */
static void
dt_scan_close_to(dt_scan_t *s, unsigned n, uint64_t inner, uint64_t end,
                 int in_table)
{
    dt_open_t *e;

    while (s->depth > n) {
        e = &s->stack[s->depth];

        if (!(e->flags & DT_TAG_IMPLIED)
            && !(in_table && (e->flags & DT_TAG_INTABLE)))
        {
            dt_scan_unsound(s, e);
            s->stack[n].state |= DT_OPEN_UNSOUND;
        }

        dt_scan_close(s, inner, 1);
    }

    dt_scan_close(s, end, inner == end);
}


/* what the start of an element closes; whether it closed anything */
static int
dt_scan_implied(dt_scan_t *s, const dt_tag_t *tag, uint64_t start)
{
    unsigned depth = s->depth;
    dt_open_t *top = &s->stack[depth];

    switch (tag->kind) {

    case DT_TAG_LI:
    case DT_TAG_D:
        if (top->inner[tag->kind]) {
            dt_scan_close_to(s, top->inner[tag->kind], start, start, 0);
        }

        break;

    case DT_TAG_CELL:
    case DT_TAG_ROW:
    case DT_TAG_SECTION:
        for (unsigned k = DT_TAG_CELL; k <= tag->kind; k++) {
            if (s->stack[s->depth].inner[k]) {
                dt_scan_close_to(s, s->stack[s->depth].inner[k], start, start,
                                 1);
            }
        }

        break;

    case DT_TAG_A:
        if (top->inner[DT_TAG_A]) {
            s->stack[top->inner[DT_TAG_A]].state |= DT_OPEN_UNSOUND;
            dt_scan_close_to(s, top->inner[DT_TAG_A], start, start, 0);
        }

        break;

    case DT_TAG_OPTION:
    case DT_TAG_RUBY:
        if ((top->flags & DT_TAG_IMPLIED)
            && dt_tag_find(top->name)->kind == tag->kind)
        {
            dt_scan_close(s, start, 1);
        }

        break;
    }

    if ((tag->flags & DT_TAG_CLOSES_P)
        && s->stack[s->depth].inner[DT_TAG_P])
    {
        dt_scan_close_to(s, s->stack[s->depth].inner[DT_TAG_P], start, start,
                         0);
    }

    return s->depth != depth;
}


/* remembers for each kind of element which one could be closed from e */
static void
dt_scan_inherit(dt_open_t *e, const dt_open_t *parent, const dt_tag_t *tag,
                unsigned depth)
{
    memcpy(e->inner, parent->inner, sizeof(e->inner));

    if (tag->flags & DT_TAG_SCOPE) {
        e->inner[DT_TAG_P] = 0;
        e->inner[DT_TAG_A] = 0;
    }

    if ((tag->flags & DT_TAG_SPECIAL) && tag->kind != DT_TAG_P
        && tag->name != DT_NAME_DIV
        && tag->name != DT_NAME_ADDRESS)
    {
        e->inner[DT_TAG_LI] = 0;
        e->inner[DT_TAG_D] = 0;
    }

    if (tag->name == DT_NAME_TABLE) {
        e->inner[DT_TAG_CELL] = 0;
        e->inner[DT_TAG_ROW] = 0;
        e->inner[DT_TAG_SECTION] = 0;
    }

    if (tag->kind < DT_TAG_INDEXED) {
        e->inner[tag->kind] = (uint8_t) depth;
    }
}


/* whether an element alive may begin here: its path and start tag are known */
static int
dt_scan_known(dt_scan_t *s, dt_open_t *e)
{
    size_t slot;
    uint64_t sum;

    slot = dt_table_find(s->paths, s->path_bits, e->path);
    if (slot >> s->path_bits) {
        return 0;
    }

    e->state |= DT_OPEN_KNOWN;

    sum = dt_token_sum(&s->token, &s->place);
    e->hash = dt_mix(e->name, sum);

    slot = dt_table_find(s->nodes, s->node_bits, dt_key_start(e->path, sum));

    if (slot >> s->node_bits || !(s->info[slot] & DT_NODE_START)
        || (e->state & DT_OPEN_UNSOUND))
    {
        return 0;
    }

    if (s->info[slot] & DT_NODE_HOLLOW) {
        e->state |= DT_OPEN_HOLLOW;
    }

    return 1;
}


static void
dt_scan_open_record(dt_scan_t *s, dt_open_t *e)
{
    uint64_t sum;
    dt_record_t *rec;

    sum = dt_token_sum(&s->token, &s->place);
    e->hash = dt_mix(e->name, sum);
    e->mark = (uint32_t) s->nrecords;

    rec = dt_scan_record(s);
    if (rec == NULL) {
        s->state = DT_SCAN_PASS;
        return;
    }

    rec->start_key = dt_key_start(e->path, sum);
    rec->path = e->path;
    rec->name = e->name;
    rec->start = (uint32_t) e->start;
    rec->level = s->depth;
    rec->parent = s->depth > 1 ? s->stack[s->depth - 1].mark : UINT32_MAX;
}


/* an element begins: the tag in s->token */
static void
dt_scan_open(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    int closed;
    size_t name_len;
    dt_open_t *e, *parent;

    closed = dt_scan_implied(s, tag, start);
    parent = &s->stack[s->depth];

    if (s->depth == DT_SCAN_DEPTH) {
        dt_scan_kill(s);
        s->too_deep = 1;
        s->state = DT_SCAN_PASS;
        return;
    }

    e = parent + 1;
    s->depth++;

    name_len = (size_t) (s->token.rest - s->token.start - 1);
    e->name = s->token.name;
    e->start = start;
    e->words = 0;
    e->links = 0;
    e->mark = s->nregions;
    e->flags = tag->flags;
    e->name_len = (uint8_t) (name_len < 255 ? name_len : 0);
    e->state = closed ? DT_OPEN_CLOSED : s->glue ? DT_OPEN_GLUED : 0;
    dt_scan_inherit(e, parent, tag, s->depth);

    if (!(parent->state & DT_OPEN_KNOWN)) {
        return;
    }

    e->path = dt_key_path(parent->path, e->name);

    if (((parent->flags & DT_TAG_TABLE) && !(tag->flags & DT_TAG_INTABLE))
        || e->name_len == 0 || !s->token.whole
        || !dt_token_markable(&s->token))
    {
        dt_scan_unsound(s, e);
    }

    if (s->recording) {
        e->state |= DT_OPEN_KNOWN;
        dt_scan_open_record(s, e);

    } else if (!dt_scan_known(s, e)) {
        dt_scan_kill(s);

    } else if (!s->alive) {
        s->alive = s->depth;
    }
}


/* an element without an inside, which may be template by itself */
static void
dt_scan_void(dt_scan_t *s, uint64_t sum, uint64_t start)
{
    size_t slot;
    uint64_t path, key, end;
    dt_open_t *e = &s->stack[s->depth];
    dt_record_t *rec;

    path = dt_key_path(e->path, s->token.name);
    key = dt_key_node(path, sum);
    end = start + (uint64_t) (s->token.end - s->token.start);

    if (s->recording) {
        rec = dt_scan_record(s);
        if (rec == NULL) {
            s->state = DT_SCAN_PASS;
            return;
        }

        rec->key = key;
        rec->start_key = dt_key_start(path, sum);
        rec->path = path;
        rec->name = s->token.name;
        rec->start = (uint32_t) start;
        rec->end = (uint32_t) end;
        rec->level = s->depth + 1;
        rec->weak = s->glue;
        rec->parent = s->depth ? e->mark : UINT32_MAX;
        return;
    }

    slot = dt_table_find(s->nodes, s->node_bits, key);

    if (slot >> s->node_bits || (s->info[slot] & DT_NODE_START)) {
        dt_scan_kill(s);
        return;
    }

    dt_scan_region(s, start, end, 0,
                   (unsigned) (s->token.rest - s->token.start),
                   !(s->info[slot] & DT_NODE_STRONG) || s->glue);
}


/* an element whose inside is not looked at: part of what is around it */
static void
dt_scan_leaf(dt_scan_t *s, const dt_tag_t *tag, uint64_t start)
{
    uint64_t sum, name = s->token.name;
    dt_open_t *e = &s->stack[s->depth];

    if (!s->token.whole || !dt_token_markable(&s->token)
        || ((e->flags & DT_TAG_TABLE)
            && !(tag->flags & (DT_TAG_INTABLE | DT_TAG_SILENT))
            && tag->kind != DT_TAG_FORM))
    {
        dt_scan_unsound(s, e);
        return;
    }

    if (!(e->state & DT_OPEN_KNOWN) || (tag->flags & DT_TAG_SILENT)) {
        return;
    }

    if (!s->alive && !s->recording
        && dt_table_find(s->paths, s->path_bits, dt_key_path(e->path, name))
           >> s->path_bits)
    {
        return;
    }

    sum = dt_token_sum(&s->token, &s->place);
    e->hash = dt_mix(e->hash, dt_mix(name, sum));

    if ((tag->flags & DT_TAG_VOID) && name != DT_NAME_BR) {
        dt_scan_void(s, sum, start);
    }
}


static void
dt_scan_body(dt_scan_t *s)
{
    s->in_body = 1;
    s->glue = 0;
}


static void
dt_scan_base(dt_scan_t *s, const char *p, const char *end)
{
    const char *q;

    /* a rough look is enough: what is not understood changes nothing */
    for (; end - p > 6; p++) {
        if (dt_name_fold(p, p + 4) == DT_NAME_HREF && p[4] == '='
            && (p[5] == '"' || p[5] == '\''))
        {
            q = dt_find(p + 6, end, p[5]);
            dt_place_base(&s->place, p + 6, q);
            return;
        }
    }
}


void
dt_scan_start_tag(dt_scan_t *s, uint64_t start)
{
    uint64_t name = s->token.name;
    const dt_tag_t *tag;

    tag = dt_tag_find(name);

    if (s->nest) {
        if (name == s->nest && s->token.whole) {
            s->nested += !dt_token_closed(&s->token);

        } else if ((tag->flags & DT_TAG_RAW) && s->nest == DT_NAME_TEMPLATE) {
            s->raw = name;
            s->state = DT_SCAN_RAW;
        }

        return;
    }

    if (!s->in_body) {
        if (tag->kind == DT_TAG_BASE && s->token.whole) {
            dt_scan_base(s, s->token.rest, s->token.end);
        }

        if (tag->flags & DT_TAG_HEAD) {
            if (tag->flags & (DT_TAG_RAW | DT_TAG_NEST)) {
                goto raw;
            }

            return;
        }

        dt_scan_body(s);
    }

    if (tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML
        || tag->kind == DT_TAG_HEADTAG)
    {
        if (s->depth) {
            /* its attributes go to the element that is there already */
            dt_scan_unsound(s, &s->stack[s->depth]);
        }

        return;
    }

    if (tag->flags & (DT_TAG_VOID | DT_TAG_RAW | DT_TAG_NEST)
        || (tag->kind == DT_TAG_FORM
            && (s->stack[s->depth].flags & DT_TAG_TABLE)))
    {
        if (tag->flags & DT_TAG_CLOSES_P) {
            (void) dt_scan_implied(s, tag, start);
        }

        dt_scan_leaf(s, tag, start);

        if (!(tag->flags & DT_TAG_SILENT) && name != DT_NAME_WBR) {
            s->glue = 0;
        }

        goto raw;
    }

    dt_scan_open(s, start, tag);
    s->glue = 0;

    return;

raw:

    if (tag->kind == DT_TAG_STOP) {
        dt_scan_kill(s);
        s->state = DT_SCAN_PASS;

    } else if (tag->flags & DT_TAG_RAW) {
        s->raw = name;
        s->script = 0;
        s->state = DT_SCAN_RAW;

    } else if (tag->flags & DT_TAG_NEST) {
        if (name == DT_NAME_TEMPLATE || !s->token.whole
            || !dt_token_closed(&s->token))
        {
            s->nest = name;
            s->nested = 1;
        }
    }
}


/* the open element that an end tag closes, or 0 */
static unsigned
dt_scan_match(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n, low;
    dt_open_t *e = &s->stack[s->depth];

    if (e->name == name) {
        return s->depth;
    }

    if (tag->kind < DT_TAG_A) {
        n = e->inner[tag->kind];
        return n && s->stack[n].name == name ? n : 0;
    }

    low = s->depth > 64 ? s->depth - 64 : 0;

    for (n = s->depth; n > low; n--) {
        e = &s->stack[n];

        if (e->name == name) {
            return n;
        }

        if ((e->flags & DT_TAG_SCOPE) && !(tag->flags & DT_TAG_TABLE)) {
            return 0;
        }

        if ((e->flags & DT_TAG_SPECIAL) && !(tag->flags & DT_TAG_SPECIAL)) {
            return 0;
        }
    }

    return 0;
}


void
dt_scan_end_tag(dt_scan_t *s, uint64_t start, uint64_t stop)
{
    unsigned n;
    uint64_t name = s->token.name;
    const dt_tag_t *tag;

    if (s->nest) {
        if (name == s->nest && --s->nested == 0) {
            s->nest = 0;
        }

        return;
    }

    if (!s->in_body) {
        return;
    }

    if (s->depth && s->stack[s->depth].name == name) {
        s->glue = 0;
        dt_scan_close(s, stop, 0);
        return;
    }

    tag = dt_tag_find(name);
    n = dt_scan_match(s, name, tag);

    if (n) {
        s->glue = 0;
        dt_scan_close_to(s, n, start, stop,
                         tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE));

    } else if (tag->kind == DT_TAG_P || name == DT_NAME_BR) {
        /* a parser makes an empty element of it */
        dt_scan_unsound(s, &s->stack[s->depth]);
    }
}


/* the page ended: what is open now was never closed */
void
dt_scan_close_all(dt_scan_t *s, uint64_t end)
{
    dt_scan_kill(s);

    while (s->recording && s->depth) {
        s->stack[s->depth].state |= DT_OPEN_UNSOUND;
        dt_scan_close(s, end, 1);
    }
}


/* bytes that come one by one, eight of them hashed at a time */
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


/* the hash of [p, end), any white space in it one space; its words */
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

    return dt_mix(dt_mix(b.hash, b.part), b.len);
}


/*
 * The same for text whose white space is single spaces, as most text's is;
 * whether it is.  A byte too many taken for white space is no harm.
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


/* text [p, end), trimmed, as part of the page that is compiled */
static void
dt_scan_text_record(dt_scan_t *s, const char *p, const char *end,
                    uint64_t start)
{
    uint32_t words;
    uint64_t hash;
    dt_open_t *e = &s->stack[s->depth];
    dt_record_t *rec;

    hash = dt_scan_text_hash(p, end, &words);
    e->hash = dt_mix(e->hash, hash);
    e->words += words;

    rec = dt_scan_record(s);
    if (rec == NULL) {
        s->state = DT_SCAN_PASS;
        return;
    }

    rec->path = dt_key_path(e->path, DT_NAME_TEXT);
    rec->key = e->flags & DT_TAG_TABLE ? 0 : dt_key_node(rec->path, hash);
    rec->first = dt_key_first(e->path, p, (size_t) (end - p));
    rec->start = (uint32_t) start;
    rec->end = (uint32_t) (start + (uint64_t) (end - p));
    rec->words = words;
    rec->links = e->inner[DT_TAG_A] ? words : 0;
    e->links += rec->links;
    rec->level = s->depth + 1;
    rec->parent = s->depth ? e->mark : UINT32_MAX;
}


void
dt_scan_text(dt_scan_t *s, const char *p, const char *end, uint64_t start)
{
    size_t slot, len;
    uint32_t words;
    uint64_t hash, key;
    const char *text = p;
    dt_open_t *e;

    p = dt_skip_white(p, end);

    if (p == end) {
        s->glue = 0;
        return;
    }

    if (!s->in_body) {
        dt_scan_body(s);
    }

    s->glue = (unsigned char) end[-1] > 0x20;
    e = &s->stack[s->depth];

    if (end - text > DT_SCAN_HOLD || (e->flags & DT_TAG_TABLE)) {
        dt_scan_unsound(s, e);

        if (!s->recording || end - text > DT_SCAN_HOLD) {
            return;
        }
    }

    if (!(e->state & DT_OPEN_KNOWN)) {
        return;
    }

    end = dt_trim_white(end);

    start += (uint64_t) (p - text);
    len = (size_t) (end - p);

    if (s->recording) {
        dt_scan_text_record(s, p, end, start);
        return;
    }

    /* most text is told from all of the template's by how it begins */

    key = dt_key_first(e->path, p, len);

    if (!(s->firsts[key >> 6] >> (key & 63) & 1)) {
        dt_scan_kill(s);
        return;
    }

    if (!dt_scan_text_plain(p, len, &hash)) {
        hash = dt_scan_text_hash(p, end, &words);
    }

    key = dt_key_node(dt_key_path(e->path, DT_NAME_TEXT), hash);
    slot = dt_table_find(s->nodes, s->node_bits, key);

    if (slot >> s->node_bits || (s->info[slot] & DT_NODE_START)) {
        dt_scan_kill(s);
        return;
    }

    e->hash = dt_mix(e->hash, hash);
    dt_scan_region(s, start, start + len, s->info[slot] & 0xffff, 0,
                   !(s->info[slot] & DT_NODE_STRONG));
}
