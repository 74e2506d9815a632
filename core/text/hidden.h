
/*
 * Copyright (C) The detemplate authors
 *
 * Elements that no reader sees, as far as the page itself tells: by an
 * attribute, by a dialog that is closed, or by declarations in a style.  Text
 * that only agents get could give them instructions.  Style sheets are not
 * read.
 */


#ifndef DT_HIDDEN_H_INCLUDED_
#define DT_HIDDEN_H_INCLUDED_


#include "core/text/state.h"


/* the effects of a tag on its element */
enum {
    DT_HIDDEN_HIDES = 1, /* no reader sees it, nor can open it */
    DT_HIDDEN_STRUCK,    /* it is struck through */
    DT_HIDDEN_BLOCK = 8, /* a style makes it a block, */
    DT_HIDDEN_APART = 16 /* or something that stands between words */
};

/* looks at the attributes of the tag: bits of these; begun: it has begun an
   element */
int dt_hidden_look(dt_text_t *t, int begun);


#endif /* DT_HIDDEN_H_INCLUDED_ */
