
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_CHARSET_H_INCLUDED_
#define DT_CHARSET_H_INCLUDED_


#include "core/base/dt.h"


/* the character set of a page, as browsers find it */

/* an encoding of the Encoding Standard */
typedef struct {
    const char *name;   /* in lower case */
    const char *iconv;  /* as iconv has it; "": nothing is read of it */
    const char *labels; /* each with a space before and behind it */
} dt_encoding_t;


/* The encoding of a label, in upper or lower case; NULL: it has none. */
const dt_encoding_t *dt_charset_label(dt_str_t label);

/*
 * The encoding that the first bytes of a page name: by a byte order mark, a
 * meta element, or an XML declaration; NULL: they name none.
 */
const dt_encoding_t *dt_charset_sniff(dt_str_t page);


#endif /* DT_CHARSET_H_INCLUDED_ */
