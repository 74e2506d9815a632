
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_TREE_H_INCLUDED_
#define DT_TREE_H_INCLUDED_


#include "core/scan/state.h"


/* Makes room for more records.  DT_OK; DT_ENOMEM: the rest of the page is
   passed. */
dt_status_t dt_scan_grow(dt_scan_t *s);

/* Frees all records. */
void dt_scan_free(dt_records_t *records);

/* Looks up the key of a record in the template. */
void dt_scan_find(const dt_scan_t *s, dt_record_t *r);

/* Does the same, since parsers may differ from here on; but a scanner that
   only follows goes on as the standard does. */
void dt_scan_give_up(dt_scan_t *s);

/* Passes the rest of a page of which nothing may be cut: DT_STAYS_*. */
void dt_scan_stay(dt_scan_t *s, unsigned why);

/* The tag ends the HTML of the page: plaintext, or frameset. */
void dt_scan_stop(dt_scan_t *s, const dt_tag_t *tag);

/* An element is left open, which a parser opens again if it is formatting; or
   any formatting may have been. */
void dt_scan_unclosed(dt_scan_t *s, const dt_tag_t *tag);
void dt_scan_unclosed_any(dt_scan_t *s);

/* Elements that were left open are open again from here on, or, those with
   these bits, ended. */
void dt_left_opened(dt_scan_t *s);
void dt_left_ended(dt_scan_t *s, unsigned what);

/* Closes the innermost element.  implied: without an end tag of its own. */
void dt_scan_close(dt_scan_t *s, uint64_t end, int implied);

/* Closes the elements above n; the end tags of some may be left out. */
void dt_scan_close_above(dt_scan_t *s, unsigned n, uint64_t end, int in_table);

/* Closes the same, which end at inner, and n, which ends at end. */
void dt_scan_close_to(dt_scan_t *s, unsigned n, uint64_t inner, uint64_t end,
                      int in_table);

/* The page ended: closes all that is open, which has no end tag. */
void dt_scan_close_all(dt_scan_t *s, uint64_t end);

/* Returns the innermost table or part of one, or 0. */
unsigned dt_scan_in_table(const dt_scan_t *s);

/* Returns where the innermost element of a name is, when nothing between keeps
   it from being closed; else 0. */
unsigned dt_scan_scoped(const dt_scan_t *s, uint64_t name);

/* Returns where the element is that an end tag ends, or 0. */
unsigned dt_scan_ended(const dt_scan_t *s, uint64_t name, const dt_tag_t *tag);

/*
 * The next tokens inside of the element at depth n stand elsewhere for a
 * parser, in a way that is not followed: all of them stay, up to the end of
 * the element around them that ends for a parser as well.
 */
void dt_scan_lose(dt_scan_t *s, unsigned n);

/*
 * Treats a start tag that is out of place, before it ends anything: whether it
 * begins no element.  Only tags with one of these flags can be.
 */
#define DT_SOUP_FLAGS                                                         \
    (DT_TAG_RULE | DT_TAG_RAW | DT_TAG_NEST | DT_TAG_TABLE | DT_TAG_INTABLE)

int dt_soup_start(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/* the same of a link, a heading or a table, when elements that may end without
   an end tag have ended; it begins one */
void dt_soup_begin(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/*
 * Treats an end tag, which would end the element at depth n, or none, if it is
 * out of place: whether nothing more is to be done about it.
 */
int dt_soup_end(dt_scan_t *s, const dt_tag_t *tag, unsigned n, uint64_t start);


/* where a select is open, or 0 */
static inline unsigned
dt_scan_select(const dt_scan_t *s)
{
    unsigned n = s->select;

    return n <= s->depth && s->stack[n].name == DT_NAME_SELECT ? n : 0;
}


/* a cell or a caption has both */
#define DT_TAG_CELL_FLAGS (DT_TAG_INTABLE | DT_TAG_SCOPE)

/* whether an element of that kind stands in a line of text */
static inline int
dt_scan_inline(unsigned kind)
{
    return kind == DT_TAG_A || kind == DT_TAG_INLINE;
}


/* a line of text ends here, if breaks is 1 */
static inline void
dt_scan_break(dt_scan_t *s, unsigned breaks)
{
    s->line += breaks;
}


/* puts the element of a start tag, s->token, on the stack */
static inline dt_open_t *
dt_scan_push(dt_scan_t *s, const dt_tag_t *tag)
{
    dt_open_t *e = &s->stack[++s->depth];

    dt_scan_break(s, !dt_scan_inline(tag->kind));
    e->name = s->token.name;
    e->start = UINT64_MAX;
    e->near = (e[-1].near & tag->keep) + s->depth * tag->own;
    e->flags = tag->flags;
    e->kind = tag->kind;
    e->len = (uint8_t) s->token.len;
    e->state = 0;
    e->weak = 0;
    e->words = 0;
    e->links = 0;
    e->formats =
        (uint8_t) (((tag->flags & DT_TAG_CELL_FLAGS) == DT_TAG_CELL_FLAGS
                        ? 0
                        : e[-1].formats)
                   + ((tag->is & DT_IS_FORMAT) != 0));

    return e;
}


/* Adds a record of something in e; name 0: a text.  The other members are 0.
   NULL: no memory, and the rest of the page is passed. */
static inline dt_record_t *
dt_scan_record(dt_scan_t *s, const dt_open_t *e, uint64_t start, uint64_t name)
{
    dt_record_t *r;
    dt_records_t *v = s->records;

    if (v->n == v->max && dt_scan_grow(s) != DT_OK) {
        return NULL;
    }

    r = &v->elts[v->n++];
    memset(r, 0, sizeof(dt_record_t));
    r->name = name;
    r->start = (uint32_t) start;
    r->next = v->n;
    r->parent = e->record;
    r->line = s->line;

    return r;
}


/* notes that a record was looked up, or stands in one that was */
static inline void
dt_scan_hot(dt_scan_t *s, const dt_record_t *r)
{
    s->records->hot[s->records->nhot++] = (uint32_t) (r - s->records->elts);
}


/* takes the innermost element from the stack */
static inline void
dt_scan_pop(dt_scan_t *s)
{
    dt_scan_break(s, !dt_scan_inline(s->stack[s->depth].kind));
    s->depth--;
}


#endif /* DT_TREE_H_INCLUDED_ */
