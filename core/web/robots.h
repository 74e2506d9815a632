
/*
 * Copyright (C) The detemplate authors
 *
 * robots.txt (RFC 9309), for sites that are not on our own server.
 */


#ifndef DT_ROBOTS_H_INCLUDED_
#define DT_ROBOTS_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


typedef struct dt_robots_s dt_robots_t;

/*
 * Reads the groups for agent ("detemplate"), or else those for "*", from the
 * first 500 KiB of text.  *out is arena memory.  DT_ENOMEM: no memory.
 */
dt_status_t dt_robots_parse(dt_str_t text, dt_str_t agent, dt_arena_t *a,
                            dt_robots_t **out);

/* Whether path (with its query) may be fetched; the longest match decides. */
int dt_robots_allowed(const dt_robots_t *r, dt_str_t path);


#endif /* DT_ROBOTS_H_INCLUDED_ */
