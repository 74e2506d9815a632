
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_NEST_H_INCLUDED_
#define DT_NEST_H_INCLUDED_


#include "core/scan/state.h"


/* the effect of an end tag in the nest */
typedef enum {
    DT_NEST_IN = 0, /* no more than to end something in it, or nothing */
    DT_NEST_ENDED,  /* it ends the nest itself */
    DT_NEST_OUT,    /* the nest has ended before it */
    DT_NEST_AROUND  /* it ends the nest if it ends an element around it */
} dt_nest_end_t;

/* whether the template of the tag is the shadow root of the innermost element,
   which shows its content */
int dt_nest_is_shadow(const dt_scan_t *s);

/* whether words in the nest are read: not in a picture, nor in parts that
   scripts use */
int dt_nest_is_read(const dt_scan_t *s);

/*
 * Whether the noscript whose start tag is in s->token is an element like
 * others.  A parser that executes no scripts sees elements in it, and one that
 * does sees text; both have the same tree around it where each tag in it has
 * an end tag there and ends nothing else.  One without words, as of pictures
 * that a script shows, is none.  For a scanner that only follows, each is one
 * that is not in a select.
 */
int dt_nest_is_plain(dt_scan_t *s);

/* svg, math, template or noscript begins */
void dt_nest_enter(dt_scan_t *s, uint64_t name);

/* it ends with an element around it */
void dt_nest_leave(dt_scan_t *s);

/* whether the innermost element is one of svg or math */
int dt_nest_is_foreign(const dt_scan_t *s);

/* where in [p, end) the end tag of a noscript begins for a browser that
   executes scripts, or end */
const char *dt_nest_find_end(const char *p, const char *end);

/* a start tag inside of the nest; whether that has ended before the tag */
int dt_scan_nest_start(dt_scan_t *s, const dt_tag_t *tag);

/* an end tag inside of the nest */
dt_nest_end_t dt_scan_nest_end(dt_scan_t *s, uint64_t name,
                               const dt_tag_t *tag);


#endif /* DT_NEST_H_INCLUDED_ */
