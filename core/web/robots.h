
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_ROBOTS_H_INCLUDED_
#define DT_ROBOTS_H_INCLUDED_


#include "core/web/fetched.h"
#include "core/web/url.h"


/* robots.txt (RFC 9309) */

typedef struct dt_robots_s dt_robots_t;

/*
 * Reads the groups for agent ("detemplate"), or else those for "*", from the
 * first 500 KiB of text.  *out is arena memory.  DT_ENOMEM: no memory.
 */
dt_status_t dt_robots_parse(dt_str_t text, dt_str_t agent, dt_arena_t *a,
                            dt_robots_t **out);

/*
 * Fetches and reads the robots.txt of a site, of which site is any page, with
 * a fetch that takes any type of response.  If there is a file but it cannot
 * be had, *out forbids all.  *out and what it holds is arena memory.
 * DT_ENOMEM: no memory.
 */
dt_status_t dt_robots_get(dt_fetch_pt fetch, void *data, const dt_url_t *site,
                          dt_arena_t *a, dt_robots_t **out);

/* Whether there is a file that cannot be had. */
int dt_robots_closed(const dt_robots_t *r);

/* Drops all rules; the text stays. */
void dt_robots_ignore(dt_robots_t *r);

/* Whether path (with its query) may be fetched; the longest match decides. */
int dt_robots_allowed(const dt_robots_t *r, dt_str_t path);

/* Returns the milliseconds that Crawl-delay asks for between requests, at most
   10,000. */
unsigned dt_robots_delay(const dt_robots_t *r);

/* Returns the file as it came, and why a page is forbidden, for a message. */
dt_str_t dt_robots_text(const dt_robots_t *r);
const char *dt_robots_why(const dt_robots_t *r);


#endif /* DT_ROBOTS_H_INCLUDED_ */
