
/*
 * Copyright (C) The detemplate authors
 *
 * Pictures, frames, films and sounds.
 */


#ifndef DT_MEDIA_H_INCLUDED_
#define DT_MEDIA_H_INCLUDED_


#include "core/text/state.h"


/* the tag is that of an image: adds it to the line, or its text */
void dt_media_image(dt_text_t *t);

/* the tag names sizes of the picture that stands behind it in its element */
void dt_media_source(dt_text_t *t);

/* the tag is that of a frame, a film or a sound: a link to it, if it names a
   URL; whether it does */
int dt_media_link(dt_text_t *t);


#endif /* DT_MEDIA_H_INCLUDED_ */
