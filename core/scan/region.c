
/*
 * Copyright (C) The detemplate authors
 *
 * The regions of a page: those inside of elements that may still be template,
 * and those that are final.
 */


#include "core/scan/region.h"
#include "core/template/serve.h"


/*
 * the end of the regions joined to region i; also whether one of them, before
 * last, may not be cut on its own
 */
static uint32_t
dt_scan_group(const dt_scan_t *s, uint32_t i, uint32_t last, int *weak)
{
    *weak = 0;

    do {
        *weak |= i < last && s->regions[i].weak;
        i++;
    } while (i < s->nregions && s->regions[i].joined);

    return i;
}


/*
 * drops, of the regions first to last, those that may not be cut on their own
 */
uint32_t
dt_scan_settle(dt_scan_t *s, uint32_t first, uint32_t last)
{
    int weak = 0;
    uint32_t i, next, n;

    dt_memo_pieces(s);

    while (first && first < s->nregions && s->regions[first].joined) {
        first--;
    }

    for (n = i = first; i < s->nregions; i = next) {
        next = dt_scan_group(s, i, last, &weak);

        for (; i < next && !weak; i++) {
            s->regions[n++] = s->regions[i];
        }
    }

    if (weak && s->line == DT_LINE_GONE) {
        s->line = DT_LINE_STAYS;
    }

    i = s->nregions - n;
    s->nregions = n;

    if (s->line == DT_LINE_HEADING && dt_line_first(s) == n) {
        s->line = DT_LINE_NONE;
    }

    return i;
}


/* from here on, no element that is open can be template */
void
dt_scan_kill(dt_scan_t *s)
{
    if (s->alive) {
        (void) dt_scan_settle(s, s->stack[s->alive].mark, s->nregions);
        s->alive = 0;

        if (dt_line_waits(s)) {
            s->since = s->regions[dt_line_first(s)].start;
        }
    }
}


/* what is decided before an offset, and the regions there, without shapes */
static uint64_t
dt_scan_waits(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    uint32_t i = dt_line_first(s);

    if (s->alive) {
        off = s->stack[s->alive].start;
        i = i < s->stack[s->alive].mark ? i : s->stack[s->alive].mark;
    }

    while (i && i < s->nregions && s->regions[i].joined) {
        i--;
    }

    *n = i;

    return i < s->nregions && s->regions[i].start < off ? s->regions[i].start
                                                        : off;
}


void
dt_shape_behind(dt_scan_t *s, uint32_t words)
{
    uint32_t i, n = s->nregions;
    unsigned depth;

    if (words <= DT_SERVE_BEHIND && s->behind + words <= DT_SERVE_BEHIND) {
        s->behind += words;
        return;
    }

    while (n && s->regions[n - 1].start >= s->last - 1) {
        n--;
    }

    /* elements were looked at because of it, on none of the template's paths
     */

    for (depth = s->alive ? s->alive - 1 : s->depth;
         depth && s->stack[depth].start >= s->last - 1; depth--)
    {
        if (s->stack[depth].state & DT_OPEN_KNOWN && !s->shape
            && !dt_scan_leads(s, s->stack[depth].path))
        {
            s->stack[depth].state &= (uint8_t) ~DT_OPEN_KNOWN;
        }
    }

    for (i = n, s->last = 0; i < s->nregions; i++) {
        if (s->regions[i].last) {
            s->stay_words += s->regions[i].words;

        } else {
            s->regions[n++] = s->regions[i];
        }
    }

    for (depth = s->alive; depth && depth <= s->depth; depth++) {
        s->stack[depth].mark -= s->nregions - n;
    }

    s->nregions = n;
}


/* the outermost element that might be cut by its shape stays */
static void
dt_shape_drop(dt_scan_t *s)
{
    s->out_of_place++; /* not all words are counted */

    do {
        s->shape = s->shape < s->depth ? s->shape + 1 : 0;
    } while (s->shape && !(s->stack[s->shape].state & DT_OPEN_SHAPE));
}


/* adds a region while s->shape is set */
static void
dt_shape_room(dt_scan_t *s)
{
    while (s->shape && s->nregions > DT_SCAN_PENDING
           && s->regions[s->nregions - DT_SCAN_PENDING - 1].start
                  >= s->stack[s->shape].start)
    {
        dt_shape_drop(s);
    }
}


/* what is decided before an offset, with *n regions, while s->shape is set */
static uint64_t
dt_shape_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    uint64_t start = s->stack[s->shape].start;

    if (s->state == DT_SCAN_PASS) {
        return off;
    }

    while (*n && s->regions[*n - 1].start >= start) {
        (*n)--;
    }

    return start < off ? start : off;
}


/* the same, while what begins at s->last waits for the end of the page */
static uint64_t
dt_last_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    while (*n && s->regions[*n - 1].start >= s->last - 1) {
        (*n)--;
    }

    return s->last <= off ? s->last - 1 : off;
}


/*
 * The same, of what is cut by hand: a piece that is not decided as a whole is
 * not given out in part.
 */
static uint64_t
dt_force_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    uint32_t i;

    if (s->force && s->force_start < off) {
        off = s->force_start;
    }

    for (i = s->nforced;
         i && s->forced[i - 1].start + s->forced[i - 1].len > off; i--)
    {
        off = s->forced[i - 1].start < off ? s->forced[i - 1].start : off;
    }

    while (*n && s->regions[*n - 1].start >= off) {
        (*n)--;
    }

    return off;
}


/* the outermost element that might be template is not */
static void
dt_scan_kill_outer(dt_scan_t *s)
{
    unsigned i;
    uint32_t n;

    i = s->alive + 1;

    if (i > s->depth
        || (s->stack[i].mark < s->nregions
            && s->regions[s->stack[i].mark].joined))
    {
        dt_scan_kill(s);
        return;
    }

    s->alive = i;
    n = dt_scan_settle(s, s->stack[i - 1].mark, s->stack[i].mark);

    for (; n && i <= s->depth; i++) {
        s->stack[i].mark -= n;
    }

    s->since = dt_scan_waits(s, UINT64_MAX, &n);
}


void
dt_region_limit(dt_scan_t *s, uint64_t off)
{
    if (s->since < off) {
        s->npieces = 0; /* the bytes of these may have been given out */
    }

    while (s->alive && s->since < off) {
        dt_scan_kill_outer(s);
    }

    while (s->shape && s->stack[s->shape].start < off) {
        dt_shape_drop(s);
    }

    if (s->last && s->last <= off) {
        dt_shape_behind(s, UINT32_MAX);
    }

    if (s->force_start < off) {
        s->force = 0;
    }
}


uint64_t
dt_region_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    off = dt_scan_waits(s, off, n);

    off = s->shape ? dt_shape_decided(s, off, n) : off;
    off = s->last ? dt_last_decided(s, off, n) : off;

    return s->force || s->nforced ? dt_force_decided(s, off, n) : off;
}


/* whether so many regions were found that the outermost element is not cut as
   a whole */
static inline int
dt_region_full(const dt_scan_t *s)
{
    return s->alive
           && s->nregions - s->stack[s->alive].mark >= DT_SCAN_PENDING;
}


/* the same as dt_scan_region(), where one more is too many */
static __attribute__((noinline)) int
dt_region_room(dt_scan_t *s, uint64_t start, uint64_t end, uint32_t words,
               unsigned at, int weak, int joined)
{
    while (dt_region_full(s)) {
        dt_scan_kill_outer(s);
    }

    return dt_scan_region(s, start, end, words, at, weak, joined);
}


/* adds a region inside an element that may be template, or a final one */
int
dt_scan_region(dt_scan_t *s, uint64_t start, uint64_t end, uint32_t words,
               unsigned at, int weak, int joined)
{
    dt_region_t *r;

    if (dt_region_full(s)) {
        return dt_region_room(s, start, end, words, at, weak, joined);
    }

    if ((weak && !s->alive) || s->nregions == DT_SCAN_REGIONS
        || (joined && s->line == DT_LINE_STAYS))
    {
        return 0;
    }

    s->made++;
    s->cut_words |= words != 0;
    s->cut_end = end;
    r = &s->regions[s->nregions++];
    *r = (dt_region_t){ .start = start,
                        .len = (uint32_t) (end - start),
                        .words = (uint16_t) (words < 65535 ? words : 65535),
                        .at = (uint8_t) at,
                        .weak = weak != 0,
                        .joined = joined != 0 };

    if (s->shape) {
        dt_shape_room(s);
    }

    return 1;
}


void
dt_region_stay(dt_scan_t *s, uint32_t first)
{
    for (; first < s->nregions; first++) {
        s->stay_words += s->regions[first].words;
    }
}


void
dt_region_taken(dt_scan_t *s, uint32_t n, uint32_t nforced)
{
    unsigned i;

    s->nforced -= nforced;
    memmove(s->forced, s->forced + nforced, s->nforced * sizeof(dt_forced_t));

    s->nregions -= n;
    memmove(s->regions, s->regions + n, s->nregions * sizeof(dt_region_t));

    for (i = s->alive; i && i <= s->depth; i++) {
        s->stack[i].mark -= n;
    }
}
