
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_SHAPE_H_INCLUDED_
#define DT_SHAPE_H_INCLUDED_


#include "core/scan/state.h"


/* Returns the kinds of shape that a start tag names: DT_SHAPE_*. */
unsigned dt_shape_kind(const dt_token_t *t);

/* Returns the hash of a start tag's class and id, or 0 if it has none.  Digits
   do not count: they number posts and columns. */
uint32_t dt_shape_calls(const dt_token_t *t);

/* Returns those of them that the template has at the tag's place. */
unsigned dt_shape_named(const dt_tables_view_t *t, uint64_t path,
                        const dt_token_t *tag);

/* Cuts elements by their shape, when it is decided about the others; returns
   whether there are any. */
int dt_shape_cut(const dt_cut_t *c);


/* whether the page is in the directory that a node is limited to */
static inline int
dt_table_in_dir(const dt_tables_view_t *t, uint32_t info)
{
    return t->dirs >> (info >> DT_NODE_DIR & (DT_DIRS_MAX - 1)) & 1;
}


#endif /* DT_SHAPE_H_INCLUDED_ */
