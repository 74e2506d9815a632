
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
 * Writes an absolute URL as the target of a link in Markdown: without white
 * space, and without bytes that mean something there.  Returns its length, or
 * 0: it has more than size bytes, or is of a scheme that says no place, such
 * as "javascript" or "data".
 */
size_t dt_link_target(dt_str_t url, char *out, size_t size);


#endif /* DT_LINK_H_INCLUDED_ */
