
/*
 * Copyright (C) The detemplate authors
 *
 * detemplate_marks: what annotate inserts into a page for a certain reader.
 */


#ifndef _NGX_HTTP_DT_MARKS_H_INCLUDED_
#define _NGX_HTTP_DT_MARKS_H_INCLUDED_


#include "ngx_module/detemplate.h"


struct ngx_http_dt_marks_s {
    dt_wrap_t                      wrap;
    dt_str_t                       before;      /* around an element */
    dt_str_t                       after;
    uint64_t                       hash;        /* of all of it */
};


/* how the page is cut or marked, and by which marks */
void ngx_http_dt_marks_opts(ngx_http_dt_ctx_t *ctx, dt_rewrite_opts_t *opts);

/* cmd->offset is the offset of a pointer to marks in conf */
char *ngx_http_dt_set_marks(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


#endif /* _NGX_HTTP_DT_MARKS_H_INCLUDED_ */
