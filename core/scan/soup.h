
/*
 * Copyright (C) The detemplate authors
 *
 * Tags that are out of place: soup.c, and nest.c.
 */


#ifndef DT_SOUP_H_INCLUDED_
#define DT_SOUP_H_INCLUDED_


#include "core/scan/scan_i.h"


/* a tag inside of s->nest */
void dt_scan_nest_start(dt_scan_t *s, const dt_tag_t *tag);
void dt_scan_nest_end(dt_scan_t *s, uint64_t name);


/* the innermost table or part of one, or 0 */
static inline unsigned
dt_scan_in_table(const dt_scan_t *s)
{
    unsigned n = s->depth;

    while (n && !(s->stack[n].flags & (DT_TAG_TABLE | DT_TAG_INTABLE))) {
        n--;
    }

    return n;
}


/* where the innermost element of a name is, when nothing between keeps it from
   being closed; else 0 */
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
 * What is done about a start tag that is out of place, before it ends
 * anything: whether it begins no element.
 */
int dt_soup_start(dt_scan_t *s, const dt_tag_t *tag);

/* the same when what may end without an end tag has ended; it begins one */
void dt_soup_begin(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/*
 * What is done about an end tag, which would end the element at depth n, or
 * none: whether that is all that becomes of it.
 */
int dt_soup_end(dt_scan_t *s, const dt_tag_t *tag, unsigned n);


#endif /* DT_SOUP_H_INCLUDED_ */
