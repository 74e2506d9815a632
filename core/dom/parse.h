
/*
 * Copyright (C) The detemplate authors
 *
 * Runs gumbo on a page.
 */


#ifndef DT_PARSE_H_INCLUDED_
#define DT_PARSE_H_INCLUDED_


#include <gumbo.h>

#include "core/base/dt.h"
#include "core/base/arena.h"


/*
 * Returns the root of gumbo's tree, in memory of the arena; NULL: the memory
 * of the arena is used up, or the time of the processor, which is at least a
 * millisecond.  The process uses SIGPROF and its timer meanwhile, so only one
 * page is parsed at a time.
 */
const GumboNode *dt_parse(dt_str_t src, unsigned max_ms, dt_arena_t *arena);


#endif /* DT_PARSE_H_INCLUDED_ */
