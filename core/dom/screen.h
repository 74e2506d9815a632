
/*
 * Copyright (C) The detemplate authors
 *
 * Looks at a page before another parser gets it.
 */


#ifndef DT_SCREEN_H_INCLUDED_
#define DT_SCREEN_H_INCLUDED_


#include "core/base/dt.h"


typedef struct {
    uint32_t depth; /* the most elements that are open at once */
    size_t attrs;   /* the most attributes on one tag */
} dt_screen_t;

/*
 * Reads the tags of src once, and counts open elements and attributes.
 * DT_ELIMIT: more than max_depth elements are open, a tag has more than
 * max_attrs attributes, or so many tags have so many attributes that a search
 * for duplicates among them would take too long.  out then has the numbers up
 * to there.
 */
dt_status_t dt_screen(dt_str_t src, uint32_t max_depth, size_t max_attrs,
                      dt_screen_t *out);


#endif /* DT_SCREEN_H_INCLUDED_ */
