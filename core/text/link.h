
/*
 * Copyright (C) The detemplate authors
 *
 * Joins URLs, as RFC 3986 and browsers do.
 */


#ifndef DT_LINK_H_INCLUDED_
#define DT_LINK_H_INCLUDED_


#include "core/base/dt.h"


#define DT_TEXT_URL 2048 /* bytes of the longest URL that is written */


/* an absolute URL, and what of it relative links are put behind */
typedef struct {
    size_t len;   /* 0: there is none, or it is too long */
    size_t query; /* ends before '#', 0: such links need a closer look */
    size_t path;  /* ends before '?' */
    size_t dir;   /* ends with the last '/' of the path */
    size_t root;  /* ends before the first one */
    char data[DT_TEXT_URL];
} dt_base_t;


void dt_base_set(dt_base_t *b, dt_str_t url);

/*
 * Writes what dt_link_join() and dt_link_target() make of a reference, if that
 * is only what the base begins with and what stands in [p, end).  Returns its
 * length, or 0.
 */
size_t dt_link_plain(const dt_base_t *b, const char *p, const char *end,
                     char *out, size_t size);

/*
 * Resolves a reference, as it stands in a page, against the absolute URL base,
 * whose scheme is http or https; an empty base resolves only what is absolute.
 * Writes the URL into out; returns its length, or 0: it has more than size
 * bytes, or none.
 */
size_t dt_link_join(dt_str_t base, dt_str_t ref, char *out, size_t size);

/*
 * Writes an absolute URL without white space, and without bytes that mean
 * something in Markdown.  For a target of a link there, it must not have what
 * looks like a reference either.  Returns its length, or 0: it has more than
 * size bytes, or is of a scheme that says no place, such as "javascript" or
 * "data".
 */
size_t dt_link_target(dt_str_t url, int target, char *out, size_t size);


#endif /* DT_LINK_H_INCLUDED_ */
