
/*
 * Copyright (C) The detemplate authors
 *
 * The fields of the head of a page, and their output: front matter, or the
 * first members of an object of JSON.
 */


#ifndef DT_HEAD_H_INCLUDED_
#define DT_HEAD_H_INCLUDED_


#include "core/text/state.h"


/* a start tag before the body */
void dt_head_tag(dt_text_t *t);

/* a tag of a base, wherever it stands: the first one counts */
void dt_head_base(dt_text_t *t);

/* writes the front matter and the link to an index, or the members before the
   text in JSON, once */
void dt_head_write(dt_text_t *t);


#endif /* DT_HEAD_H_INCLUDED_ */
