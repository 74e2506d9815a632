
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/manager/printable.h"


void
ngx_http_dt_printable(u_char *dst, u_char *src, size_t n)
{
    ngx_cpystrn(dst, src, n);

    for ( /* void */ ; *dst; dst++) {
        if (*dst < 0x20 || *dst > 0x7e) {
            *dst = '?';
        }
    }
}
