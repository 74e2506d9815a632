
/*
 * Copyright (C) The detemplate authors
 *
 * The layer of regions says which pieces of the page are template, as far as
 * that is known: region.c (pieces and sentences), shape.c (elements cut by
 * their shape), force.c (what is wanted by hand), memo.c and memo_add.c
 * (regions found on earlier pages).
 * The layer of elements (element.h) calls it when something begins and ends.
 */


#ifndef DT_REGION_H_INCLUDED_
#define DT_REGION_H_INCLUDED_


#include "core/scan/state.h"


/* from here on, no element that is open can be template */
void dt_scan_kill(dt_scan_t *s);


/* words that stay were passed: what was cut as the last part of the page, as
   s->last says, is not that if they are too many */
void dt_shape_behind(dt_scan_t *s, uint32_t words);

static inline void
dt_shape_stays(dt_scan_t *s, uint32_t words)
{
    if (s->last) {
        dt_shape_behind(s, words);
    }
}


/* likewise, and nothing after it can be template either */
static inline void
dt_scan_pass(dt_scan_t *s)
{
    dt_scan_kill(s);
    dt_shape_stays(s, UINT32_MAX);
    s->force = 0;
    s->state = DT_SCAN_PASS;
}


/* parsers may differ from here on, so that nothing more is cut; a scanner that
   only follows goes on as the standard does */
static inline void
dt_scan_give_up(dt_scan_t *s)
{
    if (!s->follows) {
        dt_scan_pass(s);
    }
}


/*
 * Drops, of the regions first to last, those that may not be cut on their own,
 * and the regions joined to them.  Returns how many were dropped.
 */
uint32_t dt_scan_settle(dt_scan_t *s, uint32_t first, uint32_t last);

/*
 * Adds a region; a weak one is added only inside of an element that may still
 * be template.  Returns whether it was added: there may be no room.
 */
int dt_scan_region(dt_scan_t *s, uint64_t start, uint64_t end, uint32_t words,
                   unsigned at, int weak, int joined);


/* whether the last region waits for the next text */
static inline int
dt_line_waits(const dt_scan_t *s)
{
    return s->line >= DT_LINE_GONE;
}


/* a line of template has ended that introduces what comes next in the element
   of this depth */
void dt_line_introduces(dt_scan_t *s, unsigned depth);

/* a line has ended that is no heading, in the element of this depth */
static inline void
dt_line_end(dt_scan_t *s, unsigned depth)
{
    if (s->line == DT_LINE_GONE && s->introduces) {
        dt_line_introduces(s, depth);

    } else {
        s->line = DT_LINE_NONE;
    }
}


/* a tag that ends a line; the text that a heading belongs to comes after it */
static inline void
dt_line_break(dt_scan_t *s)
{
    if (s->line != DT_LINE_HEADING) {
        dt_line_end(s, s->depth);
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

/* the text of a line is not template; nor is any element that is open */
void dt_line_stays(dt_scan_t *s, const char *p, const char *end);

/* the heading e, whose last words are template, has ended */
void dt_line_heading(dt_scan_t *s, const dt_open_t *e);

/* Returns the label that the last words, which go, are in; otherwise NULL. */
const dt_open_t *dt_line_label(const dt_scan_t *s);

/* Something without words stays: it is what the last label is for, which may
   wait, or the given one around it, if that is not NULL. */
void dt_line_bare(dt_scan_t *s, const dt_open_t *label);


/* the last text of the line, and all that is joined to it, stays */
void dt_line_keep(dt_scan_t *s);


/*
 * Where what is decided ends when the page was scanned up to offset off: the
 * regions that end before it are final.  How many those are is in *n.
 */
uint64_t dt_scan_decided(const dt_scan_t *s, uint64_t off, uint32_t *n);

/* the words of the regions from first on count, though these are not cut */
void dt_region_stay(dt_scan_t *s, uint32_t first);

/*
 * The pieces that are cut by hand are s->forced; of these, dt_scan_forced()
 * tells how many are final as well.  They may be inside of regions, or regions
 * inside of them.  Forgets the first n regions, and nforced of these pieces.
 */
void dt_scan_taken(dt_scan_t *s, uint32_t n, uint32_t nforced);

/* what is not decided and began before the offset cannot be template any more:
   open elements, and lines */
void dt_scan_limit(dt_scan_t *s, uint64_t off);

/* whether something may be wanted by hand of the start tag s->token */
static inline int
dt_force_wants(const dt_scan_t *s)
{
    const dt_token_t *t = &s->token;

    return s->hand != NULL && !s->kept
           && (t->found || !t->whole
               || dt_look_tagged(&s->hand->look, t->name));
}


/*
 * Applies the keep and cut selectors to the start tag s->token, which stands
 * at an offset, and of which dt_force_wants() is true.  It begins the element
 * e; or, for dt_force_leaf(), something that has no element on the stack.
 * This returns what is wanted.  closed: see dt_scan_close_for().
 */
void dt_force_open(dt_scan_t *s, dt_open_t *e, uint64_t start,
                   const dt_tag_t *tag, int closed);
dt_hand_kind_t dt_force_leaf(dt_scan_t *s, uint64_t start, const dt_tag_t *tag,
                             int closed);

/* the same of the page: its start tag may keep all that follows */
void dt_force_page(dt_scan_t *s, uint64_t start);

/* and of what is inside of svg and the like */
void dt_force_nest(dt_scan_t *s);

/* whether an element which began at an offset is in something that is to be
   cut by hand, or holds some, also if that cannot be cut on this page */
static inline int
dt_force_in(const dt_scan_t *s, uint64_t start)
{
    return s->force || s->wanted > start;
}


/* the element without an element, s->force, ends at an offset */
void dt_force_end(dt_scan_t *s, uint64_t end);

/* the innermost element ends, */
void dt_force_close(dt_scan_t *s, uint64_t end);

/* and e, which is no longer on the stack, and was kept, has ended */
void dt_force_closed(dt_scan_t *s, const dt_open_t *e);


/* the kinds of shape that a start tag names: DT_SHAPE_* */
unsigned dt_shape_kind(const dt_token_t *t);

/* e begins with the start tag s->token, while s->bold is set */
void dt_shape_open(dt_scan_t *s, dt_open_t *e);

/* the words of text [p, end); bytes up to limit can be read */
uint32_t dt_shape_words(const char *p, const char *end, const char *limit);

/* adds text [p, end) in e while s->shape is set; limit: the same */
void dt_shape_text(dt_open_t *e, const char *p, const char *end,
                   const char *limit);

/* no element that is open is cut by its shape */
void dt_shape_kill(dt_scan_t *s);

/* e, which is no longer on the stack, ended while s->shape is set */
void dt_shape_close(dt_scan_t *s, dt_open_t *e, uint64_t end, int implied);


/*
 * Steps over a region at the start tag p whose bytes are known at this place.
 * Returns its end, or NULL if no such bytes are known; p: all bytes up to end
 * are the beginning of one, which DT_SCAN_KNOWN is for.
 */
const char *dt_memo_find(dt_scan_t *s, const char *p, const char *end);

/*
 * Continues that with the next bytes [p, end), which begin at offset off.
 * Returns how many of them belong to the region, and sets *done if it ends
 * there; -1: the bytes are another region.
 */
ptrdiff_t dt_memo_more(dt_scan_t *s, const char *p, const char *end,
                       uint64_t off, int *done);

/*
 * e, which ended at an offset, is the last region.  If it is weak or has no
 * end tag of its own, only regions inside it can be remembered.
 */
void dt_memo_add(dt_scan_t *s, const dt_open_t *e, uint64_t end, int whole);

/* remembers the regions inside of an element that is not template */
void dt_memo_pieces(dt_scan_t *s);


#endif /* DT_REGION_H_INCLUDED_ */
