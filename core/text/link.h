
/*
 * Copyright (C) The detemplate authors
 *
 * URLs, joined as RFC 3986 and browsers do.
 */


#ifndef DT_LINK_H_INCLUDED_
#define DT_LINK_H_INCLUDED_


#include "core/base/dt.h"


#define DT_TEXT_URL 2048 /* bytes of the longest URL that is written */


/* an absolute URL, and the parts of it that relative links are put behind */
typedef struct {
    size_t scheme; /* ends with its ':'; 0: only absolute URLs are links */
    size_t root;   /* ends before the path, */
    size_t dir;    /* with the last '/' of it, if any, */
    size_t path;   /* behind it, */
    size_t query;  /* and before the '#' */
    int plain;     /* nothing in it is to be escaped or resolved */
    char data[DT_TEXT_URL + 16];
} dt_base_t;


/* takes a URL, whose scheme is http or https, as the base; an empty one, and
   one that is too long, as none */
void dt_base_set(dt_base_t *b, dt_str_t url);

/*
 * Writes the URL that dt_link_join() and dt_link_target() make of a reference,
 * if that is only a beginning of the base and bytes of [p, end).  Returns its
 * length, or 0.
 */
size_t dt_link_plain(const dt_base_t *b, const char *p, const char *end,
                     char *out, size_t size);

/*
 * Resolves a reference, as it stands in a page.  Writes the URL into out;
 * returns its length, or 0: it has more than size bytes, or none.
 */
size_t dt_link_join(const dt_base_t *b, dt_str_t ref, char *out, size_t size);

/*
 * Writes an absolute URL without white space, and without bytes that mean
 * something in Markdown.  For a target of a link there, nothing in it may look
 * like a reference either.  Returns its length, or 0: it has more than size
 * bytes, or is of a scheme that says no place, such as "javascript" or
 * "data".
 */
size_t dt_link_target(dt_str_t url, int target, char *out, size_t size);


#endif /* DT_LINK_H_INCLUDED_ */
