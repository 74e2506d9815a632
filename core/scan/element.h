
/*
 * Copyright (C) The detemplate authors
 *
 * The layer of open elements, as a parser would have them: tree.c (their
 * stack, and tags out of place), open.c and element.c (what tags do), nest.c
 * (svg and the like), scan.c (text, and tokens that are too long).  It tells
 * the layer of regions (region.h) what begins and ends.
 */


#ifndef DT_ELEMENT_H_INCLUDED_
#define DT_ELEMENT_H_INCLUDED_


#include "core/scan/region.h"


/* an element at this depth; what is missing is for those that may be template:
   dt_scan_open() */
static inline void
dt_scan_push(dt_open_t *e, uint64_t name, unsigned len, const dt_tag_t *tag,
             unsigned depth)
{
    e->name = name;
    e->start = UINT64_MAX; /* not noted */
    e->near = (e[-1].near & tag->keep) + depth * tag->own;
    e->flags = tag->flags;
    e->len = (uint8_t) len;
    e->state = 0;
}


/* what is not decided and begins too long before stop is not template,
   wherever pieces end */
static inline void
dt_scan_bound(dt_scan_t *s, uint64_t stop)
{
    if (((s->alive || dt_line_waits(s)) && s->since + DT_SCAN_HOLD < stop)
        || (s->last && s->last + DT_SCAN_HOLD <= stop))
    {
        dt_scan_limit(s, stop - DT_SCAN_HOLD);
    }
}


/* whether what was left open opens where the text [text, end) comes; white
 * space up to p */
int dt_scan_text_opens(dt_scan_t *s, const char *text, const char *p,
                       const char *end);


/* any formatting may be left open here */
static inline void
dt_scan_unclosed_any(dt_scan_t *s)
{
    s->unclosed |= DT_UNCLOSED_ANY;
    s->unclosed_inline = 1;
    s->reopened = UINT32_MAX;
}


/* an element is left open, which a parser opens again if it is formatting */
static inline void
dt_scan_unclosed(dt_scan_t *s, const dt_tag_t *tag)
{
    if (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR)) {
        s->unclosed |= tag->kind == DT_TAG_A       ? DT_UNCLOSED_LINK
                       : tag->name == DT_NAME_NOBR ? DT_UNCLOSED_NOBR
                                                   : DT_UNCLOSED_STYLE;
        s->nunclosed[dt_tag_slot(tag->name) % DT_SCAN_UNCLOSED]++;
        s->reopened = UINT32_MAX;

    } else if (tag->is & DT_IS_OBJECT) {
        /* its marker stays, and keeps others from being found */
        dt_scan_unclosed_any(s);
    }
}


/* the innermost element is over, and with it the line it does not stand in */
static inline void
dt_scan_pop(dt_scan_t *s)
{
    if (s->line == DT_LINE_HEADING) {
        s->line = s->depth <= s->headed ? DT_LINE_NONE : s->line;

    } else if (!(s->stack[s->depth].state & DT_OPEN_LINE)) {
        dt_line_end(s, s->depth - 1);
    }

    s->depth--;
}


#define DT_LONG_TAG (DT_SCAN_LOOK - 1) /* bytes of a tag that are kept */

/* the tag in s->token is longer than what is looked at */
void dt_scan_long_tag(dt_scan_t *s);


/* a start tag, s->token, at offset start, that may not be quite usual */
void dt_scan_start_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/* an end tag, s->token, from offset start to stop */
void dt_scan_end_tag(dt_scan_t *s, uint64_t start, uint64_t stop);

/* an element cannot be template, nor what is around it */
void dt_scan_unsound(dt_scan_t *s, dt_open_t *e);

/* the head, if its end is looked for, ends before an offset */
static inline void
dt_scan_head_ends(dt_scan_t *s, uint64_t off)
{
    if (s->heads == DT_HEAD_PAGE || (s->heads == DT_HEAD_WANTED && s->doctype))
    {
        s->head_end = off + 1;
    }

    s->heads = DT_HEAD_NONE;
}

/* what comes now, at an offset, stands in the body */
static inline void
dt_scan_body(dt_scan_t *s, uint64_t off)
{
    dt_scan_head_ends(s, off);
    s->body = off + 1;
    s->in_body = 1;
    s->glue = 0;
}


/*
 * Whether the body that has just begun must begin where it does: without what
 * it begins with, a parser would take for the head's what comes next.
 */
static inline int
dt_scan_is_bare(const dt_scan_t *s)
{
    return !s->bodied && !s->recording;
}


/* a new record, zeroed; NULL: no memory, and the rest is passed */
dt_record_t *dt_scan_record(dt_scan_t *s);

/* an element begins: the tag in s->token; whether it does */
int dt_scan_open(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/* the innermost element ends; implied: without an end tag of its own */
void dt_scan_close(dt_scan_t *s, uint64_t end, int implied);

/* closes the elements above n; the end tags of some may be left out */
void dt_scan_close_above(dt_scan_t *s, unsigned n, uint64_t end, int in_table);

/* the same, which end at inner, and n, which ends at end */
void dt_scan_close_to(dt_scan_t *s, unsigned n, uint64_t inner, uint64_t end,
                      int in_table);

/* where a select is open, or 0 */
static inline unsigned
dt_scan_select(const dt_scan_t *s)
{
    unsigned n = s->select;

    return n <= s->depth && s->stack[n].name == DT_NAME_SELECT ? n : 0;
}


/*
 * Closes what a start tag closes.  -1: nothing; 0: what it closed is cut, else
 * what the state of its element is for that: DT_OPEN_CLOSED, where all that it
 * closed may end without an end tag, or DT_OPEN_GLUED.  DT_SCAN_NONE: it
 * begins no element.
 */
int dt_scan_close_for(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

#define DT_SCAN_NONE -2

static inline int
dt_scan_begin(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    const dt_open_t *e = &s->stack[s->depth];

    return (tag->closes & e->near) || (tag->flags & DT_TAG_RULE)
                   || ((tag->flags & (DT_TAG_RAW | DT_TAG_NEST))
                       && dt_scan_select(s))
                   || ((tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
                       && (tag->kind == DT_TAG_OTHER
                           || !(e->flags & DT_TAG_TABLE)))
               ? dt_scan_close_for(s, start, tag)
               : -1;
}

/* the page ended at an offset */
void dt_scan_close_all(dt_scan_t *s, uint64_t end);

/* text between tags, all of it from text, at offset start; [p, end) is not
   empty and does not begin with white space */
void dt_scan_text(dt_scan_t *s, const char *text, const char *p,
                  const char *end, uint64_t start);


/* what an end tag does in s->nest */
typedef enum {
    DT_NEST_IN = 0, /* no more than to end something in it, or nothing */
    DT_NEST_ENDED,  /* it ends s->nest itself */
    DT_NEST_OUT,    /* s->nest has ended before it */
    DT_NEST_AROUND  /* it ends s->nest if it ends an element around it */
} dt_nest_end_t;

/* whether the template of the tag is the shadow root of the innermost element,
   which shows what is in it */
int dt_nest_is_shadow(const dt_scan_t *s);

/* whether words in s->nest are read: not in a picture, nor in what scripts
   use */
int dt_nest_is_read(const dt_scan_t *s);

/* svg, math, template or noscript begins */
void dt_nest_enter(dt_scan_t *s, uint64_t name);

/* whether the innermost element is one of svg or math */
int dt_nest_is_foreign(const dt_scan_t *s);

/* where in [p, end) the end tag of a noscript begins for a browser that
   executes scripts, or end; *more: more bytes are needed to tell */
const char *dt_nest_find_end(const char *p, const char *end, int *more);

/* a start tag inside of s->nest; whether that has ended before the tag */
int dt_scan_nest_start(dt_scan_t *s, const dt_tag_t *tag);

/* an end tag inside of s->nest */
dt_nest_end_t dt_scan_nest_end(dt_scan_t *s, uint64_t name,
                               const dt_tag_t *tag);


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


/* the body ended: what comes next opens it again */
static inline void
dt_scan_ended(dt_scan_t *s)
{
    s->unclosed |= DT_UNCLOSED_BODY;
    s->reopened = UINT32_MAX;
}


/*
 * What comes now inside of the element at depth n stands elsewhere for a
 * parser, in a way that is not followed: all of it stays, up to the end of the
 * element around it that ends for a parser as well.
 */
void dt_scan_lose(dt_scan_t *s, unsigned n);

/*
 * What is done about a start tag that is out of place, before it ends
 * anything: whether it begins no element.  Only tags with one of these flags
 * can be.
 */
#define DT_SOUP_FLAGS                                                         \
    (DT_TAG_RULE | DT_TAG_RAW | DT_TAG_NEST | DT_TAG_TABLE | DT_TAG_INTABLE)

int dt_soup_start(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/* the same of a link, a heading or a table, when what may end without an end
   tag has ended; it begins one */
void dt_soup_begin(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/*
 * What is done about an end tag, which would end the element at depth n, or
 * none: whether that is all that becomes of it.
 */
int dt_soup_end(dt_scan_t *s, const dt_tag_t *tag, unsigned n, uint64_t start);


#endif /* DT_ELEMENT_H_INCLUDED_ */
