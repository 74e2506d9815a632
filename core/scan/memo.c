
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
 * All that is compared, and then the bytes.  Elements are kept only where none
 * around them might be template as well: there nothing else follows from them.
 */


#include "core/scan/memo.h"
#include "core/scan/scan_i.h"


#define DT_MEMO_SLOTS 1024 /* a power of two, */
#define DT_MEMO_MOST 512   /* and how many of them are used */
#define DT_MEMO_PROBES 8
#define DT_MEMO_SEEN 1024
#define DT_MEMO_BEGINS 8192 /* bits: most tags begin none of them */


typedef struct {
    uint64_t key;  /* path and first bytes; 0: no more */
    uint64_t page; /* host, directories, and the address if links need it */
    uint32_t off;  /* of the bytes */
    uint32_t len;
    uint16_t words;
    uint8_t at;
    uint8_t relative;
    uint32_t depth;
} dt_memo_slot_t;

struct dt_memo_s {
    uint32_t used;                        /* bytes */
    uint32_t n;                           /* slots */
    uint64_t begins[DT_MEMO_BEGINS / 64]; /* a bit for how each begins */
    dt_memo_slot_t slots[DT_MEMO_SLOTS];
    uint32_t seen[DT_MEMO_SEEN]; /* of what came once, a part of the hash */
    char bytes[DT_MEMO_BYTES];
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
    memset(m->begins, 0, sizeof(m->begins));
    memset(m->slots, 0, sizeof(m->slots));
}


dt_memo_t *
dt_memo_init(void *memory)
{
    dt_memo_t *m = memory;

    dt_memo_clear(m);
    memset(m->seen, 0, sizeof(m->seen));

    return m;
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


/* the bit of an element at p, in e */
static inline unsigned
dt_memo_begin(const dt_open_t *e, const char *p, uint64_t *first)
{
    *first = dt_mix(e->path, dt_load64(p + 1));

    return (unsigned) (*first >> 32) % DT_MEMO_BEGINS;
}


/* path and first bytes */
static inline uint64_t
dt_memo_key(uint64_t first, const char *p)
{
    return dt_mix(first, dt_load64(p + 8)) | 1;
}


const char *
dt_memo_find(dt_scan_t *s, const char *p, const char *end)
{
    uint64_t key, start;
    unsigned i, n, begin;
    const dt_memo_t *m = s->memo;
    const dt_memo_slot_t *slot;

    if (end - p < DT_MEMO_LEAST || !s->in_body || s->glue || s->open_a) {
        return NULL;
    }

    begin = dt_memo_begin(&s->stack[s->depth], p, &key);

    if (!(m->begins[begin / 64] >> begin % 64 & 1)) {
        return NULL;
    }

    if (!s->memo_ready) {
        dt_memo_page(s);
    }

    key = dt_memo_key(key, p);
    i = (unsigned) (key >> 54);

    for (n = 0; n < DT_MEMO_PROBES; n++, i++) {
        slot = &m->slots[i % DT_MEMO_SLOTS];

        if (slot->key == 0) {
            break;
        }

        if (slot->key == key && slot->page == s->memo_page[slot->relative]
            && slot->depth >= s->depth && slot->len <= end - p
            && memcmp(m->bytes + slot->off, p, slot->len) == 0)
        {
            start = dt_scan_off(s, p);
            dt_scan_region(s, start, start + slot->len, slot->words, slot->at,
                           0);
            s->memo_known += slot->len;
            return p + slot->len;
        }
    }

    return NULL;
}


/* whether it came before; if not, that it now has */
static int
dt_memo_again(dt_memo_t *m, uint64_t key, const char *p, size_t len)
{
    uint64_t h = dt_hash(p, len, key);
    uint32_t *seen = &m->seen[h % DT_MEMO_SEEN & ~3u];
    unsigned i;

    for (i = 0; i < 4; i++) {
        if (seen[i] == (uint32_t) (h >> 32)) {
            return 1;
        }
    }

    memmove(seen + 1, seen, 3 * sizeof(*seen));
    seen[0] = (uint32_t) (h >> 32);

    return 0;
}


void
dt_memo_add(dt_scan_t *s, const dt_open_t *e, uint64_t end)
{
    unsigned i, n, begin;
    uint64_t key;
    uint32_t len = (uint32_t) (end - e->start);
    const char *p = (const char *) (uintptr_t) (e->start - s->shift);
    dt_memo_t *m = s->memo;
    dt_memo_slot_t *slot;
    const dt_region_t *r = &s->regions[s->nregions - 1];

    if (e->odd != s->odd || e->own != s->address.own || e->start < s->from
        || len < DT_MEMO_LEAST || len > DT_MEMO_BYTES / 4)
    {
        return;
    }

    if (!s->memo_ready) {
        dt_memo_page(s);
    }

    begin = dt_memo_begin(e - 1, p, &key);
    key = dt_memo_key(key, p);

    if (!dt_memo_again(m, key, p, len)) {
        return;
    }

    if (m->n == DT_MEMO_MOST || len > DT_MEMO_BYTES - m->used) {
        dt_memo_clear(m);
    }

    i = (unsigned) (key >> 54);

    for (n = 0; n < DT_MEMO_PROBES; n++, i++) {
        slot = &m->slots[i % DT_MEMO_SLOTS];

        if (slot->key == 0) {
            m->begins[begin / 64] |= (uint64_t) 1 << begin % 64;
            memcpy(m->bytes + m->used, p, len);
            slot->key = key;
            slot->relative = e->relative != s->address.relative;
            slot->page = s->memo_page[slot->relative];
            slot->off = m->used;
            slot->len = len;
            slot->words = r->words;
            slot->at = r->at;
            slot->depth = s->depth;
            m->used += len;
            m->n++;
            return;
        }
    }
}
