/*
 * Copyright (C) The detemplate authors
 *
 * Code: its language, as far as the page names it, and what stands beside it.
 */


#ifndef DT_CODE_H_INCLUDED_
#define DT_CODE_H_INCLUDED_


#include "core/text/state.h"


/* takes the name of a language that the tag tells, for code in the element at
   a depth */
void dt_code_language(dt_text_t *t, unsigned depth);

/* whether the element of the tag has nothing but the numbers of lines of
   code */
int dt_code_is_numbers(dt_text_t *t);

/* whether it is code of which each line is an element, as Doxygen has it */
int dt_code_is_lines(const dt_text_t *t);


#endif /* DT_CODE_H_INCLUDED_ */
