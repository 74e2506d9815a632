
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_PROGRAM_H_INCLUDED_
#define _NGX_HTTP_DT_PROGRAM_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* one file, as long as nobody replaces or changes it; all zero: there is none
   that can be seen */

typedef struct {
    ngx_file_uniq_t                uniq;
    time_t                         mtime;
    off_t                          size;
} ngx_http_dt_program_t;


/*
 * At configuration time: sees to it that the program that learns is there.
 * An empty path is set to the one beside the module.  NGX_ERROR: it cannot be
 * executed; the log says so.
 */
ngx_int_t ngx_http_dt_program_find(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf);

void ngx_http_dt_program_stat(ngx_str_t *path, ngx_http_dt_program_t *program);

ngx_uint_t ngx_http_dt_program_same(ngx_http_dt_program_t *a,
    ngx_http_dt_program_t *b);


#endif /* _NGX_HTTP_DT_PROGRAM_H_INCLUDED_ */
