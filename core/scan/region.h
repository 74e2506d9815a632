
/*
 * Copyright (C) The detemplate authors
 *
 * The layer of regions: which pieces of the page are template, as far as that
 * is known: region.c (pieces), line.c (sentences), shape.c (what goes by its
 * shape), memo.c and memo_add.c (what was found on pages before).  It is told
 * by the layer of elements (element.h) what begins and ends.
 */


#ifndef DT_REGION_H_INCLUDED_
#define DT_REGION_H_INCLUDED_


#include "core/scan/state.h"


/* no open element can be template any more */
void dt_scan_kill(dt_scan_t *s);


/* nor anything that comes */
static inline void
dt_scan_give_up(dt_scan_t *s)
{
    dt_scan_kill(s);
    s->state = DT_SCAN_PASS;
}


/*
 * Drops, of the regions first to last, those that may not be cut on their own,
 * and what is joined to them.  Returns how many those were.
 */
uint32_t dt_scan_settle(dt_scan_t *s, uint32_t first, uint32_t last);

/*
 * Adds a region; weak ones only inside of an element that is alive.  Returns
 * whether it did: there may be no room.
 */
int dt_scan_region(dt_scan_t *s, uint64_t start, uint64_t end, uint32_t words,
                   unsigned at, int weak, int joined);


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


/* tells where what is decided ends: see dt_scan_decided() */
uint64_t dt_region_decided(const dt_scan_t *s, uint64_t off, uint32_t *n);

/* what is not decided and began before the offset cannot be template any more:
   open elements, and with dt_line_limit() lines as well */
void dt_region_limit(dt_scan_t *s, uint64_t off);
void dt_line_limit(dt_scan_t *s, uint64_t off);

/* what the element of a start tag calls itself: DT_SHAPE_* */
unsigned dt_shape_kind(const dt_token_t *t);

/* e begins, its start tag is s->token; s->bold is set */
void dt_shape_open(dt_scan_t *s, dt_open_t *e);

/* while s->shape is set: text [p, end) in e, which begins with a word */
void dt_shape_text(dt_open_t *e, const char *p, const char *end);

/* while s->shape is set: e, no longer on the stack, ended */
void dt_shape_close(dt_scan_t *s, dt_open_t *e, uint64_t end, int implied);


/*
 * Steps over a region at the start tag p, where the innermost element is
 * known: behind it, or NULL when no such bytes are known.  p: all
 * up to end is how one begins, see dt_scan_is_known().
 */
const char *dt_memo_find(dt_scan_t *s, const char *p, const char *end);

/*
 * Goes on with that in [p, end), which comes next; it begins at offset off.
 * Returns how many bytes belong to it, *done: up to its end; -1: it is
 * another.
 */
ptrdiff_t dt_memo_more(dt_scan_t *s, const char *p, const char *end,
                       uint64_t off, int *done);

/* e, which ended at an offset, is the last region; weak, or without an end tag
   of its own: only what is in it can be remembered */
void dt_memo_add(dt_scan_t *s, const dt_open_t *e, uint64_t end, int whole);

/* what was found in an element that is not template is remembered */
void dt_memo_parts(dt_scan_t *s);


#endif /* DT_REGION_H_INCLUDED_ */
