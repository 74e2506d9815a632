
/*
 * Copyright (C) The detemplate authors
 *
 * What the scanner makes of an element depends on its bytes and on what is
 * around it.  If the element has its own end tag, and each end tag inside it
 * closes something, then of what is around it only this matters:
 *
 *     the path, which names all ancestors but elements of style: patterns are
 *     looked up under it, and it says whether the element is in a table;
 *     which elements its tags may close, which depends on all ancestors;
 *     that no word is right before it, and no formatting is left open;
 *     the page's host, and those of its directories that the template knows;
 *     its doctype, and what the caller wants to be cut;
 *     its own directory, if it has relative links;
 *     whether it is in what may go by its shape, where words are counted;
 *     and labels or a footer that wait for what comes next.
 *
 * All of this is compared first, then the length and a seeded hash of the
 * bytes; of other elements, a template has no more than such a hash either.
 * What is known of them is a region, a part of the hash of the element around
 * them, and whether that element depends on relative links.  A region inside a
 * line of text is never remembered.
 *
 * Keeping the bytes was tried.  With one site, comparing them takes a fifth of
 * the time; with many sites, loading them takes as long as hashing, and much
 * memory.
 *
 * Only the outermost regions are remembered.  When an element that might be
 * template turns out not to be, the regions inside it are remembered, so that
 * the next page does not have to read them again.
 */


#include "core/scan/known.h"


/* the n-th slot that may have the region looked for; NULL: there is no more */
static inline const dt_memo_slot_t *
dt_memo_slot(const dt_scan_t *s, unsigned n)
{
    unsigned i = (unsigned) (s->memo_key >> 56) + n;
    unsigned number = s->memo->index[i % DT_MEMO_INDEX];

    return number && n < DT_MEMO_PROBES ? &s->memo->slots[number - 1] : NULL;
}


/*
 * Whether a slot fits by all but the bytes.  There must be room for every
 * region inside it, because reading them one by one could have been too much
 * for the element around it, see dt_scan_region().  In a shape, its words must
 * be known; where something waits for what comes next, it must have no shape
 * of its own, nor a label behind another.  A row's first cell is a label.
 */
static inline int
dt_memo_fits(const dt_scan_t *s, const dt_memo_slot_t *slot)
{
    const dt_memo_facts_t *f = &slot->facts;
    const dt_open_t *e = &s->stack[s->depth];

    return slot->key == s->memo_key && slot->page == s->memo_page[f->relative]
           && f->depth >= s->depth && f->counted == (s->shape != 0)
           && (!s->alive
               || s->nregions - s->stack[s->alive].mark + f->made
                      < DT_SCAN_PENDING)
           && (!(s->shape || s->last)
               || s->nregions + f->made < DT_SCAN_PENDING)
           && (e->name != DT_NAME_TR || e->child)
           && !(f->shaped && (s->last || s->line == DT_LINE_HEADING))
           && !(f->says && s->label && s->line == DT_LINE_HEADING);
}


/* begins to compare with known regions at an offset; sets the longest end */
static void
dt_memo_take(dt_scan_t *s, const dt_memo_slot_t *slot, uint64_t start)
{
    const dt_memo_facts_t *f = &slot->facts;
    dt_open_t *e = &s->stack[s->depth];

    if (f->says || s->line != DT_LINE_HEADING) {
        s->line = DT_LINE_NONE;
    }

    if (f->counted) {
        e->words += f->said;
        e->links += f->links;
    }

    e->hash = dt_mix(e->hash, f->hash);
    e->bare = f->text ? DT_BARE_TEXT : e->bare;
    s->said = f->says ? start : s->said;
    s->shaped = f->shaped ? start : s->shaped;
    s->address.relative += f->relative;
    s->made = (uint16_t) (s->made + f->made - 1);

    (void) dt_scan_region(s, start, start + f->len, f->words, f->at, 0, 0);
    s->memo_known += f->len;
}


/*
 * The length of the shortest region that may match and is longer than the
 * bytes hashed so far, when [p, end) comes next; 0: there is none.
 */
static uint32_t
dt_memo_next(const dt_scan_t *s, const char *p, const char *end)
{
    size_t left;
    unsigned n;
    uint32_t len = 0;
    const dt_memo_slot_t *slot;

    for (n = 0; (slot = dt_memo_slot(s, n)) != NULL; n++) {
        if (slot->facts.len <= s->memo_len || !dt_memo_fits(s, slot)
            || memcmp(slot->early, s->memo_early,
                      s->memo_stops * sizeof(slot->early[0]))
                   != 0)
        {
            continue;
        }

        left = slot->facts.len - s->memo_len;

        if ((len == 0 || slot->facts.len < len)
            && (left < DT_MEMO_LAST || left > (size_t) (end - p)
                || dt_load32(p + left - DT_MEMO_LAST) == slot->last))
        {
            len = slot->facts.len;
        }
    }

    return len;
}


/* the region whose bytes are those hashed so far, or NULL */
static const dt_memo_slot_t *
dt_memo_same(const dt_scan_t *s, uint64_t sum)
{
    unsigned n;
    const dt_memo_slot_t *slot;

    for (n = 0; (slot = dt_memo_slot(s, n)) != NULL; n++) {
        if (slot->facts.len == s->memo_len && slot->sum == sum
            && dt_memo_fits(s, slot))
        {
            break;
        }
    }

    return slot;
}


/*
 * Continues with the bytes that begin at offset start and were hashed up to p.
 * Returns the end of the known region that they are.  Returns end, with
 * s->state set, if more bytes are needed, or NULL if they are no known region.
 */
static const char *
dt_memo_go(dt_scan_t *s, const char *p, const char *end, uint64_t start)
{
    size_t n;
    uint32_t len, stop;
    uint64_t sum;
    const dt_memo_slot_t *slot;

    while ((len = dt_memo_next(s, p, end)) != 0) {
        if (len - s->memo_len > (size_t) (end - p)) {
            if (start < s->memo_from) {
                break;
            }

            if (p == end) {
                s->state = DT_SCAN_KNOWN;
                return end;
            }
        }

        stop = dt_memo_stops[s->memo_stops];
        n = (len < stop ? len : stop) - s->memo_len;
        n = n < (size_t) (end - p) ? n : (size_t) (end - p);
        dt_sum_add(&s->memo_sum, p, n);
        s->memo_len += (uint32_t) n;
        p += n;

        if (s->memo_len != len && s->memo_len != stop) {
            continue;
        }

        sum = dt_sum_end(&s->memo_sum);
        slot = s->memo_len == len ? dt_memo_same(s, sum) : NULL;

        if (s->memo_len == stop) {
            s->memo_early[s->memo_stops++] = (uint32_t) sum;
        }

        if (slot != NULL) {
            s->state = DT_SCAN_TEXT;
            dt_memo_take(s, slot, start);
            return p;
        }
    }

    return NULL;
}


const char *
dt_memo_find(dt_scan_t *s, const char *p, const char *end)
{
    unsigned begin;
    const char *q;
    const dt_memo_t *m = s->memo;

    if (end - p < DT_MEMO_LEAST) {
        return NULL;
    }

    begin =
        dt_memo_begin(dt_memo_around(s, &s->stack[s->depth]), p, &s->memo_key);

    if (!(m->begins[begin / 64] >> begin % 64 & 1) || !s->in_body
        || dt_scan_three_equal(s) || s->unclosed || dt_scan_glued(s))
    {
        return NULL;
    }

    if (!s->memo_ready) {
        dt_memo_page(s);
    }

    s->memo_key = dt_memo_key(s->memo_key, p);
    s->memo_len = 0;
    s->memo_stops = 0;
    dt_sum_init(&s->memo_sum, s->memo_key);
    q = dt_memo_go(s, p, end, dt_scan_off(s, p));

    return s->state == DT_SCAN_KNOWN ? p : q;
}


ptrdiff_t
dt_memo_more(dt_scan_t *s, const char *p, const char *end, uint64_t off,
             int *done)
{
    const char *q = dt_memo_go(s, p, end, off);

    *done = q != NULL && s->state != DT_SCAN_KNOWN;

    return q != NULL ? q - p : -1;
}
