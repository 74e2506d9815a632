
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_RAW_H_INCLUDED_
#define DT_RAW_H_INCLUDED_


#include "core/scan/state.h"


/* p, where no tag begins: a comment or the like; returns the byte behind its
   beginning, and sets s->state */
const char *dt_scan_other(dt_scan_t *s, const char *p, const char *end);

/* Takes the bytes at p of a comment, a script or the like, as s->state says.
   Returns the byte behind it, or end. */
const char *dt_scan_step(dt_scan_t *s, const char *p, const char *end);


/* Returns whether a tag begins a script that is run, or that is for those that
   are.  Other types are text, such as a formula or data. */
int dt_raw_is_run(const dt_token_t *t);


#endif /* DT_RAW_H_INCLUDED_ */
