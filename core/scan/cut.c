
/*
 * Copyright (C) The detemplate authors
 *
 * Which regions are cut, of those that the scanner found: see rewrite.c.
 */


#include "core/scan/rewrite_i.h"


/* whether so many more words of template are too many */
static int
dt_rewrite_guard(dt_rewrite_t *rw, uint32_t words)
{
    if (rw->stats.guard || rw->stats.words + words > rw->most) {
        /* no page that was learned from is anything like this one */
        rw->stats.guard = 1;
        return 1;
    }

    rw->stats.words += words;
    rw->stats.cut_words += words;

    return 0;
}


static void
dt_rewrite_cut(dt_rewrite_t *rw, uint64_t start, uint32_t len, unsigned at,
               int by_hand)
{
    const dt_wrap_t *wrap = rw->scan.declared ? rw->xml : rw->wrap;

    if (rw->region != NULL) {
        rw->region(rw->out_data, start, len);
    }

    dt_rewrite_apply(rw, start, len, at,
                     by_hand && wrap->by_hand.len ? wrap->by_hand
                                                  : wrap->attribute);
}


/* cuts a piece by hand, and counts what is template in it */
static uint32_t
dt_rewrite_force(dt_rewrite_t *rw, const dt_forced_t *f, uint32_t i,
                 uint32_t n)
{
    uint64_t end = f->start + f->len;

    for (; i < n && dt_scan_final(&rw->scan, i)->start < end; i++) {
        (void) dt_rewrite_guard(rw, dt_scan_final(&rw->scan, i)->words);
    }

    if (!rw->stats.guard) {
        dt_rewrite_cut(rw, f->start, f->len, f->at, 1);
        rw->stats.forced++;
        rw->stats.forced_bytes += f->len;
    }

    return i;
}


void
dt_rewrite_regions(dt_rewrite_t *rw, uint32_t n, uint32_t nforced)
{
    uint32_t i = 0;
    uint64_t end = 0;
    const dt_region_t *r;
    const dt_forced_t *f = rw->scan.forced, *last = f + nforced;

    while (i < n || f < last) {
        r = i < n ? dt_scan_final(&rw->scan, i) : NULL;

        if (i >= n
            || (f < last
                && (f->start < r->start
                    || (f->start == r->start && f->len > r->len))))
        {
            if (f->start >= end) {
                i = dt_rewrite_force(rw, f, i, n);
            }

            f++;
            continue;
        }

        if (rw->scan.kept && r->start >= rw->scan.kept_start) {
            rw->scan.stay_words += r->words;

        } else if (!dt_rewrite_guard(rw, r->words)) {
            dt_rewrite_cut(rw, r->start, r->len, r->at, 0);
        }

        end = r->start + r->len;
        i++;
    }
}
