
/*
 * Copyright (C) The detemplate authors
 *
 * Text from outside, which must not begin lines of its own in the log.
 */


#ifndef _NGX_HTTP_DT_PRINTABLE_H_INCLUDED_
#define _NGX_HTTP_DT_PRINTABLE_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Copies src to dst, at most n bytes with a NUL; what is not printable
 * ASCII becomes "?".  dst may be src.
 */
void ngx_http_dt_printable(u_char *dst, u_char *src, size_t n);


#endif /* _NGX_HTTP_DT_PRINTABLE_H_INCLUDED_ */
