
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_LINE_H_INCLUDED_
#define DT_LINE_H_INCLUDED_


#include "core/scan/state.h"


/* Returns whether a text has a word; otherwise it is separators and
   punctuation. */
int dt_line_says(const dt_cut_t *c, const dt_record_t *r);

/* Notes which texts go on in the sentence of the text before, in lines in
   which something is template. */
void dt_line_join(const dt_cut_t *c);

/* Keeps the sentences that are cut in part only.  Returns whether there are
   any. */
int dt_line_keep(const dt_cut_t *c);


#endif /* DT_LINE_H_INCLUDED_ */
