
/*
 * Copyright (C) The detemplate authors
 *
 * A look at a page before a parser of some other make sees it.
 */


#ifndef DT_SCREEN_H_INCLUDED_
#define DT_SCREEN_H_INCLUDED_


#include "core/base/dt.h"


typedef struct {
    uint32_t depth; /* the most elements open at once, by a count of tags */
    size_t attrs;   /* the most attributes on one tag */
} dt_screen_t;

/*
 * Reads the tags of src once and counts the elements that they leave open.
 * DT_ELIMIT: deeper than max_depth, more than max_attrs attributes on a tag,
 * or so many on so many tags that looking for duplicates among them is a
 * denial of service; out then holds what was seen so far.
 */
dt_status_t dt_screen(dt_str_t src, uint32_t max_depth, size_t max_attrs,
                      dt_screen_t *out);


#endif /* DT_SCREEN_H_INCLUDED_ */
