
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_MARKDOWN_H_INCLUDED_
#define _NGX_HTTP_DT_MARKDOWN_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* a page's URL with a suffix, which has the Markdown of the page */

/* detemplate_suffix */
char *ngx_http_dt_set_suffix(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* lets the server know the suffix of a location; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_merge_suffix(ngx_conf_t *cf,
    ngx_http_dt_loc_conf_t *conf);

/* handlers that take the suffix off, and put it back if the location that is
   then chosen does not want that */
ngx_int_t ngx_http_dt_twin_handler(ngx_http_request_t *r);
ngx_int_t ngx_http_dt_twin_location(ngx_http_request_t *r);


/* the cut parts of a page, as Markdown, instead of the page */

/*
 * Answers a GET of the control location with do=template: the answer is the
 * cut parts of the page that the argument url names.  NGX_DONE: the request
 * goes on as one for that page; NGX_DECLINED: the arguments ask for something
 * else; else a status.
 */
ngx_int_t ngx_http_dt_only(ngx_http_request_t *r, ngx_uint_t allowed);


#endif /* _NGX_HTTP_DT_MARKDOWN_H_INCLUDED_ */
