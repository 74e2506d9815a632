
/* Remembers regions that the scanner found. */


#include "core/scan/known.h"


const uint32_t dt_memo_stops[DT_MEMO_STOPS + 1] = { 256, 1024, 4096, 16384,
                                                    UINT32_MAX };


size_t
dt_memo_size(void)
{
    return sizeof(dt_memo_t);
}


static void
dt_memo_clear(dt_memo_t *m)
{
    m->n = 0;
    memset(m->begins, 0, sizeof(m->begins));
    memset(m->index, 0, sizeof(m->index));
}


dt_memo_t *
dt_memo_init(void *memory)
{
    dt_memo_t *m = memory;

    dt_memo_clear(m);
    memset(m->seen, 0, sizeof(m->seen));
    memset(m->tags, 0, sizeof(m->tags));

    return m;
}


void
dt_memo_prefetch(const dt_memo_t *m)
{
    dt_prefetch(m, offsetof(dt_memo_t, slots) + m->n * sizeof(m->slots[0]));
}


void
dt_memo_page(dt_scan_t *s)
{
    const dt_address_t *a = &s->address;
    uint64_t how = s->bold | (unsigned) s->doctype << 1;

    s->memo_page[0] =
        dt_mix(dt_mix(dt_hash(a->host.data, a->host.len, s->stack[0].path),
                      s->dirs),
               how)
        + (s->hand != NULL ? s->hand->hash : 0);
    s->memo_page[1] =
        dt_hash((const char *) a->dirs, (a->ndirs + 1) * sizeof(a->dirs[0]),
                s->memo_page[0]);
    s->memo_ready = 1;
    s->memo_first = s->memo->n == 0;
}


static void
dt_memo_copy(const dt_scan_t *s, uint64_t off, uint64_t to, char *out)
{
    size_t n;
    const char *p;

    for (; off < to; off += n, out += n) {
        p = dt_scan_span(s, off, to, &n);
        memcpy(out, p, n);
    }
}


/* the hash of a region, and the hashes of its first bytes */
static uint64_t
dt_memo_hash(const dt_scan_t *s, uint64_t key, const dt_memo_piece_t *piece,
             uint32_t early[DT_MEMO_STOPS])
{
    size_t n;
    unsigned i = 0;
    uint64_t off, stop, end = piece->start + piece->facts.len;
    dt_sum_t sum;
    const char *p;

    memset(early, 0, DT_MEMO_STOPS * sizeof(early[0]));
    dt_sum_init(&sum, key);

    for (off = piece->start; off < end; off += n) {
        stop = piece->start + dt_memo_stops[i];
        p = dt_scan_span(s, off, stop < end ? stop : end, &n);
        dt_sum_add(&sum, p, n);

        if (off + n == stop) {
            early[i++] = (uint32_t) dt_sum_end(&sum);
        }
    }

    return dt_sum_end(&sum);
}


/* whether the region came before; otherwise notes that it came now */
static int
dt_memo_again(dt_memo_t *m, uint64_t sum)
{
    unsigned i;
    uint32_t *seen = &m->seen[sum % DT_MEMO_SEEN & ~3u];

    for (i = 0; i < 4; i++) {
        if (seen[i] == (uint32_t) (sum >> 32)) {
            return 1;
        }
    }

    memmove(seen + 1, seen, 3 * sizeof(*seen));
    seen[0] = (uint32_t) (sum >> 32);

    return 0;
}


/* remembers a region that came before, or is on the first page */
static void
dt_memo_store(dt_scan_t *s, const dt_memo_piece_t *piece)
{
    unsigned i, n, begin;
    uint64_t key, sum, end = piece->start + piece->facts.len;
    char first[DT_MEMO_FIRST], last[DT_MEMO_LAST];
    uint32_t early[DT_MEMO_STOPS];
    dt_memo_t *m = s->memo;
    dt_memo_slot_t *slot;

    if (piece->start < s->from
        && (piece->start < s->held_off || s->from > s->held_end))
    {
        return;
    }

    if (!s->memo_ready) {
        dt_memo_page(s);
    }

    dt_memo_copy(s, piece->start, piece->start + sizeof(first), first);
    dt_memo_copy(s, end - sizeof(last), end, last);
    begin = dt_memo_begin(piece->around, first, &key);
    key = dt_memo_key(key, first);
    sum = dt_memo_hash(s, key, piece, early);

    if (!dt_memo_again(m, sum) && !s->memo_first) {
        return;
    }

    if (m->n == DT_MEMO_SLOTS) {
        dt_memo_clear(m);
    }

    i = (unsigned) (key >> 56);

    for (n = 0; n < DT_MEMO_PROBES; n++, i++) {
        if (m->index[i % DT_MEMO_INDEX]) {
            continue;
        }

        slot = &m->slots[m->n++];
        m->index[i % DT_MEMO_INDEX] = (uint8_t) m->n;
        m->begins[begin / 64] |= (uint64_t) 1 << begin % 64;
        slot->key = key;
        slot->page = s->memo_page[piece->facts.relative];
        slot->facts = piece->facts;
        slot->sum = sum;
        memcpy(slot->early, early, sizeof(early));
        slot->last = (uint32_t) dt_load32(last);
        return;
    }
}


void
dt_memo_pieces(dt_scan_t *s)
{
    unsigned i, n = s->npieces;

    s->npieces = 0;

    for (i = 0; i < n; i++) {
        dt_memo_store(s, &s->pieces[i]);
    }
}


/* whether the last region, e, can be known by its bytes: what comes behind it
   depends on no more than facts */
static int
dt_memo_may(const dt_scan_t *s, const dt_open_t *e, uint64_t len)
{
    return !(e->state & DT_OPEN_LINE) && e->out_of_place == s->out_of_place
           && !(e->flags & DT_TAG_LABEL)
           && (s->line != DT_LINE_HEADING || s->heading < e->start)
           && e->whole_path == s->address.whole_path && len >= DT_MEMO_LEAST
           && len <= DT_MEMO_MOST;
}


void
dt_memo_add(dt_scan_t *s, const dt_open_t *e, uint64_t end, int whole)
{
    uint64_t len = end - e->start;
    dt_memo_piece_t *piece;
    dt_memo_facts_t *f;
    const dt_region_t *r = &s->regions[s->nregions - 1];

    if (whole && dt_memo_may(s, e, len)) {
        /* regions inside of this one need not be remembered */

        while (s->npieces && s->pieces[s->npieces - 1].start >= e->start) {
            s->npieces--;
        }

        if (s->npieces < DT_SCAN_PIECES) {
            piece = &s->pieces[s->npieces++];
            piece->around = dt_memo_around(s, e - 1);
            piece->start = e->start;
            f = &piece->facts;
            f->hash = e->hash;
            f->len = (uint32_t) len;
            f->said = e->words;
            f->links = e->links;
            f->words = r->words;
            f->made = (uint16_t) (s->made - e->made);
            f->at = r->at;
            f->depth = (uint8_t) s->depth;
            f->relative = e->relative != s->address.relative;
            f->text = e->bare == DT_BARE_TEXT;
            f->says = s->said >= e->start;
            f->counted = s->shape && s->shape <= s->depth;
            f->shaped = s->shaped >= e->start;
        }
    }

    if (!s->alive) {
        dt_memo_pieces(s);
    }
}
