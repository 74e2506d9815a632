
/*
 * Copyright (C) The detemplate authors
 *
 * Formulas.  Where the page has TeX beside MathML, in alttext or in an
 * annotation, that is written, once.  Else fractions, roots, powers and
 * indices get the signs that keep their parts apart: (1)/(2)+x^2.
 */


#ifndef DT_MATH_H_INCLUDED_
#define DT_MATH_H_INCLUDED_


#include "core/text/state.h"


/* a tag of math, or in it; its end, or an end tag in it, from depth before
   on */
void dt_math_tag(dt_text_t *t, unsigned before);
void dt_math_end(dt_text_t *t, unsigned before);

/* Whether text [*p, end), which may be in math, is written.  White space
   behind a tag is none there. */
int dt_math_text(dt_text_t *t, const char **p, const char *end);


#endif /* DT_MATH_H_INCLUDED_ */
