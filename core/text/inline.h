
/*
 * Copyright (C) The detemplate authors
 *
 * The line that is held: characters, with white space as single spaces, and
 * operations.
 */


#ifndef DT_INLINE_H_INCLUDED_
#define DT_INLINE_H_INCLUDED_


#include "core/text/state.h"


/* how text is read */
typedef enum {
    DT_READ_RAW = 0, /* all of it */
    DT_READ_TEXT,    /* and references in it */
    DT_READ_PAGE     /* which go up to a '<' that may begin something else */
} dt_read_t;

/* Adds bytes of text; returns behind them. */
const char *dt_inline_text(dt_text_t *t, const char *p, const char *end,
                           dt_read_t read);

/* bytes of UTF-8 as text */
void dt_inline_words(dt_text_t *t, const char *p, size_t len);

/* adds an operation that opens something, with the URL of a link; or ends all
   that was opened since */
void dt_inline_open(dt_text_t *t, unsigned op, const char *p, size_t len);
void dt_inline_close(dt_text_t *t, unsigned op);

/* ends all that is open, or removes it where nothing came after it */
void dt_inline_close_all(dt_text_t *t);

/* an image, shown as alt */
void dt_inline_image(dt_text_t *t, const char *alt, size_t alen,
                     const char *url, size_t len);

/* an object beside text, as a link with a text; the text alone where a link is
   open, or the URL is empty */
void dt_inline_linked(dt_text_t *t, const char *text, size_t tlen,
                      const char *url, size_t len);

/* a line break within the block; returns 0, and does nothing, where one stands
   already: the block ends there */
int dt_inline_break(dt_text_t *t);

/* the content of the link that was opened last, which has not ended and goes
   up to the end of the line; NULL: there is none.  Removes it, and the
   link. */
const char *dt_inline_shown(const dt_text_t *t);
void dt_inline_unlink(dt_text_t *t);

/* line breaks say nothing at the end of the line */
void dt_inline_trim(dt_text_t *t);

/* forgets the line */
void dt_inline_reset(dt_text_t *t);


/* white space comes before the next text */
static inline void
dt_inline_gap(dt_text_t *t)
{
    t->space = t->kind != DT_BLOCK_PRE;
}


#endif /* DT_INLINE_H_INCLUDED_ */
