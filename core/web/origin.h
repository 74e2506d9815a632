
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_ORIGIN_H_INCLUDED_
#define DT_ORIGIN_H_INCLUDED_


#include "core/web/url.h"


/*
 * An origin: a URL below which the pages of a site are fetched, each by its
 * path and query, instead of at their own URLs.
 */

typedef struct dt_origin_s dt_origin_t;

/* Creates an origin from a URL without the last slash, which is copied.  NULL:
   no memory, or not a URL. */
dt_origin_t *dt_origin_create(const char *url);
void dt_origin_destroy(dt_origin_t *o); /* NULL is allowed */

/*
 * Writes the URL at which page is fetched into buf, with a NUL; without origin
 * (NULL) that is the page's own URL.  Returns the bytes that this takes, as
 * snprintf() does.
 */
int dt_origin_url(const dt_origin_t *o, const dt_url_t *page, char *buf,
                  size_t size);

/*
 * Translates next, a URL that the origin sent in a response for page.  The
 * origin may call itself, or the site, by its own name, port and path: then
 * next becomes the site's URL, with memory from a.  Other URLs stay as they
 * are.
 */
dt_status_t dt_origin_public(const dt_origin_t *o, const dt_url_t *page,
                             dt_arena_t *a, dt_url_t *next);


#endif /* DT_ORIGIN_H_INCLUDED_ */
