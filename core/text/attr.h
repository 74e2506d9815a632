
/*
 * Copyright (C) The detemplate authors
 *
 * Attributes of the tag at hand.
 */


#ifndef DT_ATTR_H_INCLUDED_
#define DT_ATTR_H_INCLUDED_


#include "core/text/state.h"


/* whether a name, which is in lower case, is that of a tag at p, behind '<' */
int dt_attr_is_tag(const char *p, const char *end, const char *name);

/* Finds an attribute as dt_token_find() does, of one that has a value, but is
   no class: faster. */
int dt_attr_find(const dt_text_t *t, const char *name, dt_attr_t *a);

/* whether an attribute has a value, in upper or lower case; NULL: any */
int dt_attr_has(const dt_text_t *t, const char *name, const char *value);

/* The value of an attribute, its references resolved, in buf of size bytes.
   Returns its length; -1: there is none, or it is longer. */
ptrdiff_t dt_attr_value(const dt_text_t *t, const char *name, char *buf,
                        size_t size);

/* the same, shortened to whole words that fit; returns its length, or 0 */
size_t dt_attr_short(const dt_text_t *t, const char *name, char *buf,
                     size_t size);

/* the number that an attribute tells; -1: there is none, -2: one that is not
   in bounds */
long dt_attr_number(const dt_text_t *t, const char *name);

/* the URL that an attribute names, made absolute, and for a target as
   dt_link_target() has it; 0: it names none that is written.  The same of a
   URL at [p, end). */
size_t dt_attr_url(const dt_text_t *t, const char *name, int target, char *buf,
                   size_t size);
size_t dt_attr_link(const dt_text_t *t, const char *p, const char *end,
                    int target, char *buf, size_t size);


/* where text comes from */
typedef enum {
    DT_SOURCE_TEXT = 0,
    DT_SOURCE_VALUE, /* of an attribute */
    DT_SOURCE_URL    /* likewise */
} dt_source_t;

/* [p, end) with its references resolved and white space as single spaces, but
   in a URL as it is; added to the *len bytes in buf; 0: not all of it fits */
int dt_attr_decode(const dt_text_t *t, const char *p, const char *end,
                   dt_source_t source, char *buf, size_t *len, size_t size);


#endif /* DT_ATTR_H_INCLUDED_ */
