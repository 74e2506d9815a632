
/*
 * Copyright (C) The detemplate authors
 *
 * Tags that are not where they should be: soup.c, and nest.c.
 */


#ifndef DT_SOUP_H_INCLUDED_
#define DT_SOUP_H_INCLUDED_


#include "core/scan/scan_i.h"


/* a tag inside of s->nest; a start tag that ends it and is to be seen as any
   other: 1 */
int dt_scan_nest_start(dt_scan_t *s, const dt_tag_t *tag);
void dt_scan_nest_end(dt_scan_t *s, uint64_t name, const dt_tag_t *tag);

/* whether an element of a tag inside of s->nest can only be around that, so
   that its end tag ends both */
static inline int
dt_scan_is_outside(const dt_scan_t *s, const dt_tag_t *tag)
{
    return s->nest != DT_NAME_TEMPLATE && !s->point
           && (tag->is & DT_IS_SVG_END) && (tag->flags & DT_TAG_SPECIAL)
           && tag->kind != DT_TAG_P;
}


/* where the innermost element of a name is, or 0 */
static inline unsigned
dt_scan_inner(const dt_scan_t *s, uint64_t name)
{
    unsigned n = s->depth;

    while (n && s->stack[n].name != name) {
        n--;
    }

    return n;
}


/* the same, where nothing between keeps it from being closed */
unsigned dt_scan_scoped(const dt_scan_t *s, uint64_t name);

/* where a select is open, or 0 */
static inline unsigned
dt_scan_select(const dt_scan_t *s)
{
    unsigned n = s->select;

    return n <= s->depth && s->stack[n].name == DT_NAME_SELECT ? n : 0;
}


/* the body ended: what comes next opens it again */
static inline void
dt_scan_ended(dt_scan_t *s)
{
    s->open |= DT_LEFT_BODY;
    s->goes_on = UINT32_MAX;
}


/*
 * What comes now inside of the element at depth n stands elsewhere for a
 * parser, in a way that is not followed: all of it stays, up to the end of the
 * element around it that ends for a parser as well.
 */
void dt_scan_lose(dt_scan_t *s, unsigned n);

/*
 * What a start tag with a rule of its own ends, whether or not it begins an
 * element: whether it ends one.
 */
int dt_scan_rule(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/* whether elements inside of the one at depth n may end without end tags */
int dt_scan_is_last(const dt_scan_t *s, unsigned n);

/* the end tag of a form, whatever it closes */
void dt_scan_end_form(dt_scan_t *s);

/* the element at depth n, a link or the like, ends where another one begins */
void dt_scan_end_moved(dt_scan_t *s, unsigned n, uint64_t start);

/*
 * A table, or a part of one, begins.  DT_SCAN_STRAY: a parser drops its tag,
 * as there is no table; 1: it closes what is in the table and no part of it,
 * or that table; 0: it closes nothing here.
 */
int dt_scan_part(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

#define DT_SCAN_STRAY -2

/* closes all that a start tag closes: see dt_scan_closes_by(); or as above */
static inline int
dt_scan_begin(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    int closed, part = 0;

    if ((tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
        && (tag->kind == DT_TAG_OTHER
            || !(s->stack[s->depth].flags & DT_TAG_TABLE)))
    {
        part = dt_scan_part(s, start, tag);
        if (part == DT_SCAN_STRAY) {
            return part;
        }
    }

    closed = dt_scan_closes_by(s, start, tag);

    return part ? DT_OPEN_GLUED : closed;
}


#endif /* DT_SOUP_H_INCLUDED_ */
