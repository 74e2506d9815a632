
/*
 * Copyright (C) The detemplate authors
 *
 * What the scanner makes of an element depends on its bytes and on what is
 * around it.  One whose own end tag ended it, and in which each end tag closed
 * something, has used of what is around it only
 *
 *     the path, which names all elements around it but those that say how text
 *     looks: what its parts are looked up under, what its tags may close, and
 *     whether it stands in a table;
 *     that no word stands right before it;
 *     the page's host, and the directories of the template it is in; and
 *     where links are relative, its own directory.
 *
 * All that is compared, and then the bytes.  What follows from them is a
 * region, a part of the hash of the element around it, and whether that one
 * depends on where links are relative to.  None are kept that stand in a line
 * of text.
 *
 * Elements are kept that are not in a larger one that can be: when one that is
 * alive turns out to be no template, what was found in it is, so that the next
 * page, of which the same is true, need not look at that again.
 */


#include "core/base/sum.h"
#include "core/scan/memo.h"
#include "core/scan/scan_i.h"


#define DT_MEMO_SLOTS 512
#define DT_MEMO_INDEX 1024 /* a power of two */
#define DT_MEMO_PROBES 8
#define DT_MEMO_FIRST 40 /* bytes that tell which one it may be */
#define DT_MEMO_SEEN 1024
#define DT_MEMO_BEGINS 8192    /* bits: most tags begin none of them */
#define DT_MEMO_PREFETCH 32768 /* bytes of regions, at once */


typedef struct {
    uint64_t key;  /* path and first bytes */
    uint64_t page; /* host, directories, and the address if links need it */
    uint64_t hash;
    uint32_t off; /* of the bytes */
    uint32_t len;
    uint16_t words;
    uint16_t made;
    uint16_t depth;
    uint8_t at;
    uint8_t relative;
} dt_memo_slot_t;

_Static_assert(DT_MEMO_FIRST <= DT_MEMO_LEAST, "bytes that are not there");

/* what pages need of it lies side by side: slots and bytes in the order that
   they were taken in, most often that of a page */
struct dt_memo_s {
    uint32_t used;                        /* bytes */
    uint32_t n;                           /* slots */
    uint32_t times;                       /* that it was cleared */
    uint64_t begins[DT_MEMO_BEGINS / 64]; /* a bit for how each begins */
    uint16_t index[DT_MEMO_INDEX];        /* of slots, by key; 0: no more, else
                                             one more than its number */
    dt_memo_slot_t slots[DT_MEMO_SLOTS];
    char bytes[DT_MEMO_BYTES];
    uint32_t seen[DT_MEMO_SEEN]; /* of what came once, a part of the hash */
};


size_t
dt_memo_size(void)
{
    return sizeof(dt_memo_t);
}


static void
dt_memo_clear(dt_memo_t *m)
{
    m->used = 0;
    m->n = 0;
    m->times++;
    memset(m->begins, 0, sizeof(m->begins));
    memset(m->index, 0, sizeof(m->index));
}


dt_memo_t *
dt_memo_init(void *memory)
{
    dt_memo_t *m = memory;

    m->times = 0;
    dt_memo_clear(m);
    memset(m->seen, 0, sizeof(m->seen));

    return m;
}


void
dt_memo_prefetch(const dt_memo_t *m)
{
    dt_prefetch(m, offsetof(dt_memo_t, slots) + m->n * sizeof(m->slots[0]));
    dt_prefetch(m->bytes,
                m->used < DT_MEMO_PREFETCH ? m->used : DT_MEMO_PREFETCH);
}


/* what a page has that all regions, or those with relative links, depend on */
static void
dt_memo_page(dt_scan_t *s)
{
    const dt_address_t *a = &s->address;

    s->memo_page[0] =
        dt_mix(dt_hash(a->host.data, a->host.len, s->stack[0].path), s->dirs);
    s->memo_page[1] =
        dt_hash((const char *) a->dirs, (a->ndirs + 1) * sizeof(a->dirs[0]),
                s->memo_page[0]);
    s->memo_ready = 1;
}


/* the bit of an element at p, in one of that path */
static inline unsigned
dt_memo_begin(uint64_t path, const char *p, uint64_t *first)
{
    *first = dt_mix(path ^ dt_load64(p + 1), dt_load64(p + 24));

    return (unsigned) (*first >> 32) % DT_MEMO_BEGINS;
}


/* path and first bytes: often it is a number that tells elements apart */
static inline uint64_t
dt_memo_key(uint64_t first, const char *p)
{
    return dt_mix(dt_mix(first, dt_load64(p + 9)) + dt_load64(p + 16),
                  dt_load64(p + 32))
           | 1;
}


/* a region that is known begins at an offset: up to where it goes */
static void
dt_memo_take(dt_scan_t *s, const dt_memo_slot_t *slot, uint64_t start)
{
    dt_open_t *e = &s->stack[s->depth];

    s->line = DT_LINE_NONE;
    e->hash = dt_mix(e->hash, slot->hash);
    s->address.relative += slot->relative;
    s->made = (uint16_t) (s->made + slot->made - 1);

    (void) dt_scan_region(s, start, start + slot->len, slot->words, slot->at,
                          0, 0);
    s->memo_known += slot->len;
}


/*
 * Whether there is room for all that was found in it: else reading it might
 * have been too much for the element around it, see dt_scan_region().
 */
static inline int
dt_memo_fits(const dt_scan_t *s, const dt_memo_slot_t *slot)
{
    return !s->alive
           || s->nregions - s->stack[s->alive].mark + slot->made
                  < DT_SCAN_PENDING;
}


const char *
dt_memo_find(dt_scan_t *s, const char *p, const char *end)
{
    size_t len;
    uint64_t key;
    unsigned i, n, begin, number;
    const dt_memo_t *m = s->memo;
    const dt_memo_slot_t *slot;

    if (end - p < DT_MEMO_LEAST) {
        return NULL;
    }

    begin = dt_memo_begin(s->stack[s->depth].path, p, &key);

    if (!(m->begins[begin / 64] >> begin % 64 & 1) || !s->in_body
        || dt_scan_glued(s) || (s->open & DT_LEFT_LINK) || dt_scan_opens(s))
    {
        return NULL;
    }

    if (!s->memo_ready) {
        dt_memo_page(s);
    }

    key = dt_memo_key(key, p);
    i = (unsigned) (key >> 54);

    for (n = 0; n < DT_MEMO_PROBES; n++, i++) {
        number = m->index[i % DT_MEMO_INDEX];

        if (number == 0) {
            break;
        }

        slot = &m->slots[number - 1];

        if (slot->key != key || slot->page != s->memo_page[slot->relative]
            || slot->depth < s->depth || !dt_memo_fits(s, slot))
        {
            continue;
        }

        len = slot->len <= (size_t) (end - p) ? slot->len : (size_t) (end - p);

        if (memcmp(m->bytes + slot->off, p, len) != 0) {
            continue;
        }

        if (len == slot->len) {
            dt_memo_take(s, slot, dt_scan_off(s, p));
            return p + len;
        }

        if (dt_scan_off(s, p) >= s->memo_from) {
            s->state = DT_SCAN_KNOWN;
            s->memo_slot = number - 1;
            s->memo_same = (uint32_t) len;
            s->memo_times = m->times;
            return p;
        }
    }

    return NULL;
}


ptrdiff_t
dt_memo_more(dt_scan_t *s, const char *p, const char *end, uint64_t off,
             uint64_t next, int *done)
{
    const dt_memo_t *m = s->memo;
    const dt_memo_slot_t *slot = &m->slots[s->memo_slot];
    size_t len = slot->len - s->memo_same;

    *done = len <= (size_t) (end - p);
    len = *done ? len : (size_t) (end - p);

    /* another page may have cleared the memo */

    if (m->times != s->memo_times
        || memcmp(m->bytes + slot->off + s->memo_same, p, len) != 0)
    {
        *done = 0;
        dt_scan_unknown(s, next);
        return -1;
    }

    s->memo_same += (uint32_t) len;

    if (*done) {
        s->state = DT_SCAN_TEXT;
        dt_memo_take(s, slot, off);
    }

    return (ptrdiff_t) len;
}


/* the bytes from an offset to another, as far as they are in one piece */
static const char *
dt_memo_span(const dt_scan_t *s, uint64_t off, uint64_t to, size_t *n)
{
    if (off < s->from) {
        *n = (size_t) ((to < s->from ? to : s->from) - off);
        return s->held + (off - s->held_off);
    }

    *n = (size_t) (to - off);

    return (const char *) (uintptr_t) (off - s->shift);
}


static void
dt_memo_copy(const dt_scan_t *s, uint64_t off, uint64_t to, char *out)
{
    size_t n;
    const char *p;

    for (; off < to; off += n, out += n) {
        p = dt_memo_span(s, off, to, &n);
        memcpy(out, p, n);
    }
}


/* whether they came before; if not, that they now have */
static int
dt_memo_again(const dt_scan_t *s, uint64_t key, uint64_t off, uint64_t to)
{
    size_t n;
    uint32_t *seen;
    uint64_t h;
    unsigned i;
    dt_sum_t sum;
    const char *p;

    for (dt_sum_init(&sum, key); off < to; off += n) {
        p = dt_memo_span(s, off, to, &n);
        dt_sum_add(&sum, p, n);
    }

    h = dt_sum_end(&sum);
    seen = &s->memo->seen[h % DT_MEMO_SEEN & ~3u];

    for (i = 0; i < 4; i++) {
        if (seen[i] == (uint32_t) (h >> 32)) {
            return 1;
        }
    }

    memmove(seen + 1, seen, 3 * sizeof(*seen));
    seen[0] = (uint32_t) (h >> 32);

    return 0;
}


/* remembers one, when it came before */
static void
dt_memo_store(dt_scan_t *s, const dt_memo_part_t *part)
{
    unsigned i, n, begin;
    uint64_t key, end = part->start + part->len;
    char first[DT_MEMO_FIRST];
    dt_memo_t *m = s->memo;
    dt_memo_slot_t *slot;

    if (part->start < s->from
        && (part->start < s->held_off || s->from > s->held_end))
    {
        return;
    }

    if (!s->memo_ready) {
        dt_memo_page(s);
    }

    dt_memo_copy(s, part->start, part->start + sizeof(first), first);
    begin = dt_memo_begin(part->path, first, &key);
    key = dt_memo_key(key, first);

    if (!dt_memo_again(s, key, part->start, end)) {
        return;
    }

    if (m->n == DT_MEMO_SLOTS || part->len > DT_MEMO_BYTES - m->used) {
        dt_memo_clear(m);
    }

    i = (unsigned) (key >> 54);

    for (n = 0; n < DT_MEMO_PROBES; n++, i++) {
        if (m->index[i % DT_MEMO_INDEX]) {
            continue;
        }

        slot = &m->slots[m->n++];
        m->index[i % DT_MEMO_INDEX] = (uint16_t) m->n;
        m->begins[begin / 64] |= (uint64_t) 1 << begin % 64;
        dt_memo_copy(s, part->start, end, m->bytes + m->used);
        slot->key = key;
        slot->page = s->memo_page[part->relative];
        slot->hash = part->hash;
        slot->off = m->used;
        slot->len = part->len;
        slot->words = part->words;
        slot->made = part->made;
        slot->at = part->at;
        slot->relative = part->relative;
        slot->depth = part->depth;
        m->used += part->len;
        return;
    }
}


void
dt_memo_parts(dt_scan_t *s)
{
    unsigned i, n = s->nparts;

    s->nparts = 0;

    for (i = 0; i < n; i++) {
        dt_memo_store(s, &s->parts[i]);
    }
}


void
dt_memo_add(dt_scan_t *s, const dt_open_t *e, uint64_t end, int whole)
{
    uint64_t len = end - e->start;
    dt_memo_part_t *part;
    const dt_region_t *r = &s->regions[s->nregions - 1];

    if (whole && !(e->state & DT_OPEN_LINE) && e->odd == s->odd
        && e->own == s->address.own && len >= DT_MEMO_LEAST
        && len <= DT_MEMO_BYTES / 4)
    {
        /* those in it need not be known */

        while (s->nparts && s->parts[s->nparts - 1].start >= e->start) {
            s->nparts--;
        }

        if (s->nparts < DT_SCAN_PARTS) {
            part = &s->parts[s->nparts++];
            part->path = e[-1].path;
            part->start = e->start;
            part->hash = e->hash;
            part->len = (uint32_t) len;
            part->words = r->words;
            part->made = (uint16_t) (s->made - e->made);
            part->at = r->at;
            part->depth = (uint8_t) s->depth;
            part->relative = e->relative != s->address.relative;
        }
    }

    if (!s->alive) {
        dt_memo_parts(s);
    }
}
