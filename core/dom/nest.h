
/*
 * Copyright (C) The detemplate authors
 *
 * The stack of open elements of a page, by its tags alone.
 */


#ifndef DT_NEST_H_INCLUDED_
#define DT_NEST_H_INCLUDED_


#include "core/base/dt.h"


typedef struct {
    uint64_t name;
    int kind; /* DT_IS_* */
} dt_nest_open_t;


/* embedded by the caller, who sets open and max_depth and zeroes the rest */
typedef struct {
    dt_nest_open_t *open; /* room for max_depth */
    uint32_t n;
    uint32_t max_depth;
    uint32_t deepest; /* most elements open at once so far */
} dt_nest_t;


typedef struct {
    dt_str_t text;      /* the name as written */
    uint64_t name;      /* any hash of the name in lower case */
    int is;             /* DT_IS_* of that very name */
    unsigned slash : 1; /* ends in "/>" */
} dt_nest_tag_t;


/* A start tag.  DT_ELIMIT: one more than max_depth would be open. */
dt_status_t dt_nest_start(dt_nest_t *s, const dt_nest_tag_t *t);

/* An end tag; those that close nothing are ignored. */
void dt_nest_end(dt_nest_t *s, const dt_nest_tag_t *t);

/* Is what follows that start tag text up to its end tag?  Ask before it. */
int dt_nest_is_raw(const dt_nest_t *s, const dt_nest_tag_t *t);

/* Is the innermost open element one of svg or math? */
int dt_nest_is_foreign(const dt_nest_t *s);


#endif /* DT_NEST_H_INCLUDED_ */
