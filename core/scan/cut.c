
/*
 * Copyright (C) The detemplate authors
 *
 * Which regions are cut, of those that the scanner found: see rewrite.c.
 */


#include <string.h>

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


/* a byte of what is held, or of the chunk */
static char
dt_rewrite_at(const dt_rewrite_t *rw, uint64_t off)
{
    return off < rw->chunk_off ? rw->carry[off - rw->carry_off]
                               : rw->chunk[off - rw->chunk_off];
}


/* in XML, a head ends with its end tag, or is none */
void
dt_rewrite_head(dt_rewrite_t *rw)
{
    uint64_t at = rw->scan.head_end - 1;

    if (at >= rw->sent
        && (!rw->xml
            || (rw->in - at > 3 && dt_rewrite_at(rw, at + 1) == '/'
                && dt_rewrite_at(rw, at + 3) == 'e')))
    {
        dt_rewrite_mark(rw, at, rw->head);
    }

    rw->scan.head_end = 0;
}


/* what is behind a mark in [off, end), or one more than end */
static uint64_t
dt_xml_behind(const dt_rewrite_t *rw, uint64_t off, uint64_t end,
              const char *mark)
{
    size_t n, len = strlen(mark);

    for (; off + len <= end; off++) {
        for (n = 0; n < len && dt_rewrite_at(rw, off + n) == mark[n]; n++) {
            /* void */
        }

        if (n == len) {
            return off + len;
        }
    }

    return end + 1;
}


/* what is behind the tag whose name, or '/', is at an offset; *depth: the
   elements that are open */
static uint64_t
dt_xml_tag(const dt_rewrite_t *rw, uint64_t off, uint64_t end, int *depth)
{
    char c = 0, last, quote = 0;
    int ends = dt_rewrite_at(rw, off) == '/';

    for (; off < end; off++) {
        last = c;
        c = dt_rewrite_at(rw, off);

        if (quote) {
            quote = c == quote ? 0 : quote;

        } else if (c == '>') {
            *depth += ends ? -1 : last != '/';
            break;

        } else if (c == '"' || c == '\'') {
            quote = c;
        }
    }

    return off + 1;
}


/*
 * Whether all that begins in [start, end) ends there, as XML has it, and
 * nothing else does: a page that is XML must be well-formed without it.  The
 * scanner follows HTML, where a p ends before a list.
 */
static int
dt_rewrite_is_whole(const dt_rewrite_t *rw, uint64_t start, uint64_t end)
{
    char c;
    int depth = 0;
    uint64_t off = start;

    while (off < end && depth >= 0) {
        c = dt_rewrite_at(rw, off++);

        if (c == '>' && off - 1 > start
            && strchr("-]?", dt_rewrite_at(rw, off - 2)) != NULL)
        {
            /* a comment, CDATA or the like may end */
            return 0;
        }

        if (c != '<') {
            continue;
        }

        if (end - off < 2) {
            return 0;
        }

        switch (dt_rewrite_at(rw, off)) {

        case '!':
            c = dt_rewrite_at(rw, off + 1);
            off = dt_xml_behind(rw, off + 3, end, c == '-' ? "-->" : "]]>");
            break;

        case '?':
            off = dt_xml_behind(rw, off, end, "?>");
            break;

        default:
            off = dt_xml_tag(rw, off, end, &depth);
        }
    }

    return depth == 0 && off == end;
}


/* whether a piece may be cut */
static int
dt_rewrite_may(const dt_rewrite_t *rw, uint64_t start, uint32_t len)
{
    return rw->xml == 0 || (rw->xml == 2 && !rw->scan.declared)
           || dt_rewrite_is_whole(rw, start, start + len);
}


static void
dt_rewrite_cut(dt_rewrite_t *rw, uint64_t start, uint32_t len, unsigned at,
               int by_hand)
{
    const dt_wrap_t *wrap = rw->scan.declared ? rw->declared : rw->wrap;

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

    if (!rw->stats.guard && dt_rewrite_may(rw, f->start, f->len)) {
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

        } else if (dt_rewrite_may(rw, r->start, r->len)
                   && !dt_rewrite_guard(rw, r->words))
        {
            dt_rewrite_cut(rw, r->start, r->len, r->at, 0);
        }

        end = r->start + r->len;
        i++;
    }
}
