
/*
 * Copyright (C) The detemplate authors
 *
 * Pages of another charset than UTF-8.
 */


#ifndef DT_CONVERT_H_INCLUDED_
#define DT_CONVERT_H_INCLUDED_


#include <iconv.h>

#include "core/text/bytes.h"


/* Sets *cd to the converter from a charset; (iconv_t) -1: none is needed.
   DT_EINVAL: the charset is not known. */
dt_status_t dt_convert_open(dt_str_t charset, iconv_t *cd);

/*
 * Makes UTF-8 of a whole page, in b, and closes cd.  A byte that is none of
 * the charset becomes U+FFFD.  0: there is no memory.
 */
int dt_convert_page(iconv_t cd, dt_str_t page, dt_bytes_t *b);

/* Whether pages of a charset can be read; the empty one can. */
int dt_text_knows(dt_str_t charset);


#endif /* DT_CONVERT_H_INCLUDED_ */
