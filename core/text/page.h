
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_TEXT_PAGE_H_INCLUDED_
#define DT_TEXT_PAGE_H_INCLUDED_


#include "core/text/text.h"


/*
 * Writes a whole page, which is contiguous and not copied unless its charset
 * is converted.  Calls out for pieces of the text, in order; info may be NULL.
 * DT_OK; DT_EINVAL: the charset is not known; DT_ENOMEM: there is no memory,
 * and out() may have been called; DT_ELIMIT: out() refused.
 */
dt_status_t dt_text_page(const dt_text_opts_t *o, dt_str_t page,
                         dt_text_info_t *info);


#endif /* DT_TEXT_PAGE_H_INCLUDED_ */
