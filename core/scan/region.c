
/*
 * Copyright (C) The detemplate authors
 *
 * The pieces of a page that are template: those inside elements that are
 * alive, and those that are final.
 */


#include "core/scan/scan_i.h"


/* of the regions first to last, keeps those that may be cut on their own */
uint32_t
dt_scan_settle(dt_scan_t *s, uint32_t first, uint32_t last)
{
    uint32_t i, n = first;

    for (i = first; i < s->nregions; i++) {
        if (i >= last || !s->regions[i].weak) {
            s->regions[n++] = s->regions[i];
        }
    }

    i = s->nregions - n;
    s->nregions = n;

    return i;
}


/* no open element can be template any more */
void
dt_scan_kill(dt_scan_t *s)
{
    if (s->alive) {
        (void) dt_scan_settle(s, s->stack[s->alive].mark, s->nregions);
        s->alive = 0;
    }
}


/* the outermost element that is alive is not */
static void
dt_scan_kill_outer(dt_scan_t *s)
{
    unsigned i;
    uint32_t n;

    if (s->alive == s->depth) {
        dt_scan_kill(s);
        return;
    }

    i = ++s->alive;
    n = dt_scan_settle(s, s->stack[i - 1].mark, s->stack[i].mark);

    for (; n && i <= s->depth; i++) {
        s->stack[i].mark -= n;
    }
}


void
dt_scan_limit(dt_scan_t *s, uint64_t off)
{
    while (s->alive && s->stack[s->alive].start < off) {
        dt_scan_kill_outer(s);
    }
}


uint64_t
dt_scan_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    *n = s->alive ? s->stack[s->alive].mark : s->nregions;

    return s->alive ? s->stack[s->alive].start : off;
}


void
dt_scan_taken(dt_scan_t *s, uint32_t n)
{
    unsigned i;

    s->nregions -= n;
    memmove(s->regions, s->regions + n, s->nregions * sizeof(dt_region_t));

    for (i = s->alive; i && i <= s->depth; i++) {
        s->stack[i].mark -= n;
    }
}


/* a region, inside an element that is alive or to be fetched */
void
dt_scan_region(dt_scan_t *s, uint64_t start, uint64_t end, uint32_t words,
               unsigned at, int weak)
{
    dt_region_t *r;

    while (s->alive
           && s->nregions - s->stack[s->alive].mark >= DT_SCAN_PENDING) {
        /* so much has been found that it need not be one piece */
        dt_scan_kill_outer(s);
    }

    if ((weak && !s->alive) || s->nregions == DT_SCAN_REGIONS) {
        return;
    }

    r = &s->regions[s->nregions++];
    r->start = start;
    r->len = (uint32_t) (end - start);
    r->words = (uint16_t) (words < 65535 ? words : 65535);
    r->at = (uint8_t) at;
    r->weak = (uint8_t) weak;
}
