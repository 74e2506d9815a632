
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_SITEMAP_H_INCLUDED_
#define DT_SITEMAP_H_INCLUDED_


#include "core/web/robots.h"


/* sitemaps (sitemaps.org), by which a site names its pages */

#define DT_SITEMAP_FILES 3                  /* that are read */
#define DT_SITEMAP_BYTES ((size_t) 4 << 20) /* of all of them, decoded */

/*
 * Calls name() with the URL of each page that the sitemaps of a site name: the
 * files that robots.txt names, or else /sitemap.xml; and files that these
 * name.  Files of other hosts, and files that robots.txt forbids, are not
 * asked for.  site is any page of the site; fetch takes any type of response.
 *  URLs are as the files have them,
 * with a NUL behind, in the arena.  Files that cannot be fetched or read are
 * skipped.
 */
void dt_sitemap(dt_fetch_pt fetch, void *fetch_data, const dt_url_t *site,
                const dt_robots_t *robots, dt_arena_t *a,
                void (*name)(void *data, dt_str_t url), void *data);


#endif /* DT_SITEMAP_H_INCLUDED_ */
