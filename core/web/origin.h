
/*
 * Copyright (C) The detemplate authors
 *
 * Where the pages of a site are got when not at their own URLs: below another
 * one, each by its path and query.
 */


#ifndef DT_ORIGIN_H_INCLUDED_
#define DT_ORIGIN_H_INCLUDED_


#include "core/web/url.h"


typedef struct dt_origin_s dt_origin_t;

/* url without the last slash, copied; NULL: no memory, or not a URL */
dt_origin_t *dt_origin_create(const char *url);
void dt_origin_destroy(dt_origin_t *o); /* NULL is allowed */

/*
 * Writes where page is got into buf, NUL-ended; without origin (NULL) that is
 * its URL.  Returns the bytes that this takes, as snprintf() does.
 */
int dt_origin_url(const dt_origin_t *o, const dt_url_t *page, char *buf,
                  size_t size);

/*
 * An origin that is asked for page may call itself, or the site, by its own
 * name or port, and by its own path: next becomes the URL of the site that it
 * stands for, with memory from a; other URLs stay as they are.
 */
dt_status_t dt_origin_public(const dt_origin_t *o, const dt_url_t *page,
                             dt_arena_t *a, dt_url_t *next);


#endif /* DT_ORIGIN_H_INCLUDED_ */
