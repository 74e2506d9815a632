
/*
 * Copyright (C) The detemplate authors
 *
 * Lines of text, see line.c.
 */


#ifndef DT_LINE_H_INCLUDED_
#define DT_LINE_H_INCLUDED_


#include "core/scan/scan.h"


/* what the words said last in a line become */
enum {
    DT_LINE_NONE = 0, /* there are none, or a separator is behind them */
    DT_LINE_STAYS,
    DT_LINE_GONE,   /* template, of the last region, */
    DT_LINE_HEADING /* the same, in a heading that has ended */
};


/* whether the last region waits for what comes */
static inline int
dt_line_waits(const dt_scan_t *s)
{
    return s->line >= DT_LINE_GONE;
}


/* a tag that ends a line: what a heading is of comes behind it */
static inline void
dt_line_break(dt_scan_t *s)
{
    if (s->line != DT_LINE_HEADING) {
        s->line = DT_LINE_NONE;
    }
}


/* the first region that waits for the end of the line */
static inline uint32_t
dt_line_first(const dt_scan_t *s)
{
    uint32_t i = s->nregions;

    if (s->line == DT_LINE_HEADING) {
        while (i && s->regions[i - 1].start >= s->heading) {
            i--;
        }

    } else if (s->line == DT_LINE_GONE) {
        do {
            i--;
        } while (i && s->regions[i].joined);
    }

    return i;
}

/* the text [p, end) of a line, at offset start, is template */
void dt_line_goes(dt_scan_t *s, const char *p, const char *end, uint64_t start,
                  uint32_t words, int weak);

/* it is not; nor is any element that is open */
void dt_line_stays(dt_scan_t *s, const char *p, const char *end);

/* the heading e, whose last words are template, has ended */
void dt_line_heading(dt_scan_t *s, const dt_open_t *e);

/* what was said last in the line, and what is joined to it, stays */
void dt_line_left(dt_scan_t *s);


#endif /* DT_LINE_H_INCLUDED_ */
