
/*
 * Copyright (C) The detemplate authors
 *
 * Between the files of the scanner: scan.c (tokens), cold.c (elements without
 * template), raw.c (what is not looked into), long.c (tokens that are too long
 * to be), element.c (what tags do), nest.c (svg and the like), tree.c (open
 * elements), implied.c (end tags left out), soup.c (tags out of place),
 * text.c, line.c (sentences), region.c (what is template), shape.c (what is by
 * its shape).
 */


#ifndef DT_SCAN_I_H_INCLUDED_
#define DT_SCAN_I_H_INCLUDED_


#include "core/scan/line.h"
#include "core/scan/scan.h"
#include "core/template/table.h"


/* names as dt_name_fold() makes them; that of text is for paths */
#define DT_NAME_TEXT dt_letters('t', 'e', 'x', 't', 0, 0, 0, 0)
#define DT_NAME_A dt_letters('a', 0, 0, 0, 0, 0, 0, 0)
#define DT_NAME_P dt_letters('p', 0, 0, 0, 0, 0, 0, 0)
#define DT_NAME_PRE dt_letters('p', 'r', 'e', 0, 0, 0, 0, 0)
#define DT_NAME_LISTING dt_letters('l', 'i', 's', 't', 'i', 'n', 'g', 0)
#define DT_NAME_AREA dt_letters('a', 'r', 'e', 'a', 0, 0, 0, 0)
#define DT_NAME_UL dt_letters('u', 'l', 0, 0, 0, 0, 0, 0)
#define DT_NAME_OL dt_letters('o', 'l', 0, 0, 0, 0, 0, 0)
#define DT_NAME_BR dt_letters('b', 'r', 0, 0, 0, 0, 0, 0)
#define DT_NAME_WBR dt_letters('w', 'b', 'r', 0, 0, 0, 0, 0)
#define DT_NAME_DIV dt_letters('d', 'i', 'v', 0, 0, 0, 0, 0)
#define DT_NAME_FORM dt_letters('f', 'o', 'r', 'm', 0, 0, 0, 0)
#define DT_NAME_TABLE dt_letters('t', 'a', 'b', 'l', 'e', 0, 0, 0)
#define DT_NAME_BUTTON dt_letters('b', 'u', 't', 't', 'o', 'n', 0, 0)
#define DT_NAME_COL dt_letters('c', 'o', 'l', 0, 0, 0, 0, 0)
#define DT_NAME_NOBR dt_letters('n', 'o', 'b', 'r', 0, 0, 0, 0)
#define DT_NAME_OPTION dt_letters('o', 'p', 't', 'i', 'o', 'n', 0, 0)
#define DT_NAME_OPTGROUP dt_letters('o', 'p', 't', 'g', 'r', 'o', 'u', 'p')
#define DT_NAME_SELECT dt_letters('s', 'e', 'l', 'e', 'c', 't', 0, 0)
#define DT_NAME_SCRIPT dt_letters('s', 'c', 'r', 'i', 'p', 't', 0, 0)
#define DT_NAME_NOSCRIPT dt_letters('n', 'o', 's', 'c', 'r', 'i', 'p', 't')
#define DT_NAME_ADDRESS dt_letters('a', 'd', 'd', 'r', 'e', 's', 's', 0)
#define DT_NAME_RUBY dt_letters('r', 'u', 'b', 'y', 0, 0, 0, 0)
#define DT_NAME_FONT dt_letters('f', 'o', 'n', 't', 0, 0, 0, 0)
#define DT_NAME_SVG dt_letters('s', 'v', 'g', 0, 0, 0, 0, 0)
#define DT_NAME_MATH dt_letters('m', 'a', 't', 'h', 0, 0, 0, 0)
#define DT_NAME_TEMPLATE dt_letters('t', 'e', 'm', 'p', 'l', 'a', 't', 'e')

#define dt_scan_off(s, p) ((s)->shift + (uintptr_t) (p))


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


/*
 * Whether at p, where DT_SCAN_ENDS bytes can be read, are a name of len bytes,
 * see dt_name_block(), and '>'.  No is no answer.  The names looked at have no
 * byte that another than a letter or digit becomes in lower case.
 */
#define DT_SCAN_ENDS 9

static inline int
dt_scan_is_end(uint64_t name, unsigned len, const char *p)
{
    uint64_t x = (dt_load64(p) | 0x2020202020202020u) ^ name;

    return (x & dt_name_masks[len]) == 0 && p[len] == '>';
}


static inline int
dt_scan_ends(const dt_open_t *e, const char *p)
{
    return e->len && dt_scan_is_end(e->name, e->len, p);
}


/* what is not decided and begins too long before stop is not template,
   wherever pieces end */
static inline void
dt_scan_bound(dt_scan_t *s, uint64_t stop)
{
    if ((s->alive || dt_line_waits(s)) && s->since + DT_SCAN_HOLD < stop) {
        dt_scan_limit(s, stop - DT_SCAN_HOLD);
    }
}


/* behind a byte order mark, which is no text: the body has not begun */
static inline const char *
dt_scan_bom(const char *p, const char *end, uint64_t start)
{
    return start == 0 && end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0
               ? p + 3
               : p;
}


/* whether nothing in the innermost element can be template, or matters to what
   may be */
static inline int
dt_scan_is_cold(const dt_scan_t *s)
{
    return !(s->stack[s->depth].state & (DT_OPEN_KNOWN | DT_OPEN_LINE));
}


/* how many regions are final */
static inline uint32_t
dt_scan_ready(const dt_scan_t *s)
{
    uint32_t n;

    (void) dt_scan_decided(s, 0, &n);

    return n;
}


/* text [p, end) was passed, maybe a piece of it: the lowest bit, which nobody
   asks for, says that there was one */
static inline void
dt_scan_passed(dt_scan_t *s, const char *p, const char *end)
{
    if (end - p >= 8) {
        s->glue = dt_load64(end - 8) | 1;
        return;
    }

    for (; p < end; p++) {
        s->glue = (s->glue >> 8 | (uint64_t) (unsigned char) *p << 56) | 1;
    }
}


/* whether what comes next is joined to the word before it: there is neither
   white space between nor a space that does not break */
static inline int
dt_scan_glued(const dt_scan_t *s)
{
    /* a parser drops NUL, and keeps other bytes below the space */

    return s->glue && !dt_char_is(s->glue >> 56, DT_C_SPACE)
           && s->glue >> 48 != 0xa0c2
           && s->glue >> 16 != dt_letters('&', 'n', 'b', 's', 'p', ';', 0, 0)
           && s->glue >> 16 != dt_letters('&', '#', '1', '6', '0', ';', 0, 0);
}


/* whether something may be cut on its own at a path, or further down */
static inline int
dt_scan_leads(const dt_scan_t *s, uint64_t path)
{
    return dt_table_find(s->paths, s->path_bits, path) != DT_TABLE_NONE;
}


/* formatting that was left open */
enum {
    DT_LEFT_LINK = 1, /* which another link ends, */
    DT_LEFT_NOBR = 2, /* or another nobr */
    DT_LEFT_STYLE = 4,
    DT_LEFT_BODY = 8, /* none: the body itself, which ended */
    DT_LEFT_ANY = DT_LEFT_LINK | DT_LEFT_NOBR | DT_LEFT_STYLE
};


/*
 * Formatting that is left open is opened again by a parser where text comes
 * next, or what may stand in a line of text; which then must not go, since
 * what follows would open it elsewhere.  Whether that is so here.  So it is
 * with the body that ended, which anything opens again but white space and
 * comments: these stand elsewhere until then.
 */
static inline int
dt_scan_opens(const dt_scan_t *s)
{
    return s->open
           && (s->goes_on > s->depth
               || s->stack[s->goes_on].start != s->goes_from);
}


/* the same where the text [text, end) comes; white space up to p */
int dt_scan_text_opens(dt_scan_t *s, const char *text, const char *p,
                       const char *end);

/* any formatting may be left open here */
static inline void
dt_scan_left_any(dt_scan_t *s)
{
    s->open |= DT_LEFT_ANY;
    s->left_open = 1;
    s->goes_on = UINT32_MAX;
}


/* an element is left open, which a parser opens again if it is formatting */
static inline void
dt_scan_left(dt_scan_t *s, const dt_tag_t *tag)
{
    if (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR)) {
        s->open |= tag->kind == DT_TAG_A       ? DT_LEFT_LINK
                   : tag->name == DT_NAME_NOBR ? DT_LEFT_NOBR
                                               : DT_LEFT_STYLE;
        s->thrice |= ++s->nleft[dt_tag_slot(tag->name) % DT_SCAN_LEFT] > 2;
        s->goes_on = UINT32_MAX;

    } else if (tag->is & DT_IS_OBJECT) {
        /* its marker stays, and keeps others from being found */
        dt_scan_left_any(s);
    }
}


/* white space [p, end) was passed, all of a text */
static inline void
dt_scan_white(dt_scan_t *s, const char *p, const char *end)
{
    dt_scan_passed(s, p, end);

    if (s->open) {
        (void) dt_scan_text_opens(s, p, end, end);
    }
}


/* the innermost element is over, and with it the line it does not stand in */
static inline void
dt_scan_pop(dt_scan_t *s)
{
    if (s->line == DT_LINE_HEADING
            ? s->depth <= s->headed
            : !(s->stack[s->depth].state & DT_OPEN_LINE))
    {
        s->line = DT_LINE_NONE;
    }

    s->depth--;
}


#define DT_STEP_COMMENT 4 /* s->step at the beginning of a comment */

/* p, where no tag begins: a comment or the like; behind its beginning, or
   NULL: more bytes are needed to tell what */
const char *dt_scan_other(dt_scan_t *s, const char *p, const char *end);

/* [p, end) inside of a comment, and of the element s->raw: behind it */
const char *dt_scan_run_comment(dt_scan_t *s, const char *p, const char *end);
const char *dt_scan_run_raw(dt_scan_t *s, const char *p, const char *end);

/*
 * Passes over [p, end) as long as nothing in the innermost element can be
 * template: returns the '<' of a token that is not for it, or end.
 */
const char *dt_scan_cold(dt_scan_t *s, dt_marks_t *marks, const char *p,
                         const char *end);

/*
 * Steps over a region at the start tag p, where the innermost element is
 * known: behind it, or NULL when no such bytes are known.  p: all
 * up to end is how one begins, see dt_scan_is_known().
 */
const char *dt_memo_find(dt_scan_t *s, const char *p, const char *end);

static inline const char *
dt_memo_step(dt_scan_t *s, const char *p, const char *end)
{
    return s->memo != NULL && !s->shape && !s->nest
                   && (s->stack[s->depth].state & DT_OPEN_KNOWN)
               ? dt_memo_find(s, p, end)
               : NULL;
}


/* e, which ended at an offset, is the last region; weak, or without an end tag
   of its own: only what is in it can be remembered */
void dt_memo_add(dt_scan_t *s, const dt_open_t *e, uint64_t end, int whole);

/* what was found in an element that is not template is remembered */
void dt_memo_parts(dt_scan_t *s);

/* whether this page is in the directory that a node is limited to */
static inline int
dt_scan_in_dir(const dt_scan_t *s, uint32_t info)
{
    return s->dirs >> (info >> DT_NODE_DIR & (DT_DIRS_MAX - 1)) & 1;
}


/* whether a node of the template may be cut on its own on this page */
static inline int
dt_scan_is_strong(const dt_scan_t *s, uint32_t info)
{
    return (info & DT_NODE_STRONG) && dt_scan_in_dir(s, info);
}


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


/* long.c: the tag in s->token is longer than what is looked at */
void dt_scan_long_tag(dt_scan_t *s);

/* and so is the text [p, end) */
void dt_scan_long_text(dt_scan_t *s, const char *p, const char *end);


/* a start tag, s->token, at offset start, that may not be quite usual */
void dt_scan_start_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/* an end tag, s->token, from offset start to stop */
void dt_scan_end_tag(dt_scan_t *s, uint64_t start, uint64_t stop);

/* an element cannot be template, nor what is around it */
void dt_scan_unsound(dt_scan_t *s, dt_open_t *e);

/* what comes now stands in the body */
static inline void
dt_scan_body(dt_scan_t *s)
{
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

    return (tag->closes & e->near)
                   || (tag->flags & (DT_TAG_RULE | DT_TAG_RAW | DT_TAG_NEST))
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


/* what the element of a start tag calls itself: DT_SHAPE_* */
unsigned dt_shape_kind(const dt_token_t *t);

/* e begins, its start tag is s->token; s->bold is set */
void dt_shape_open(dt_scan_t *s, dt_open_t *e);

/* while s->shape is set: text [p, end) in e, which begins with a word */
void dt_shape_text(dt_open_t *e, const char *p, const char *end);

/* while s->shape is set: e, no longer on the stack, ended */
void dt_shape_close(dt_scan_t *s, dt_open_t *e, uint64_t end, int implied);

/* the outermost element that may go by its shape does not */
void dt_shape_drop(dt_scan_t *s);

/* while s->shape is set: there is one region more */
void dt_shape_room(dt_scan_t *s);

/* what is decided before an offset, with *n regions, while s->shape is set */
uint64_t dt_shape_decided(const dt_scan_t *s, uint64_t off, uint32_t *n);


#endif /* DT_SCAN_I_H_INCLUDED_ */
