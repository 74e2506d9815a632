
/*
 * Copyright (C) The detemplate authors
 *
 * What no reader sees, as far as the page itself tells: by an attribute, by a
 * dialog that is closed, or by declarations in a style.  Text that only agents
 * get could give them instructions.  Style sheets are not read.
 */


#ifndef DT_HIDDEN_H_INCLUDED_
#define DT_HIDDEN_H_INCLUDED_


#include "core/text/state.h"


/* whether the tag says that no reader sees its element */
int dt_hidden_is(const dt_text_t *t);


#endif /* DT_HIDDEN_H_INCLUDED_ */
