
/*
 * Copyright (C) The detemplate authors
 *
 * Joins URLs, as RFC 3986 and browsers do.
 */


#ifndef DT_LINK_H_INCLUDED_
#define DT_LINK_H_INCLUDED_


#include "core/base/dt.h"


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
