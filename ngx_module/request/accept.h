
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_ACCEPT_H_INCLUDED_
#define _NGX_HTTP_DT_ACCEPT_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * The request fields on which the form of a page depends: those of
 * detemplate_vary, and Accept.
 */

/* cmd->offset is the offset of a pointer to an array in conf */
char *ngx_http_dt_set_vary(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Makes such an array of the fields whose variables, as $http_name, a value of
 * the configuration has; NULL: none.
 */
char *ngx_http_dt_vary_variables(ngx_conf_t *cf, ngx_array_t **vary,
    ngx_str_t *value);

/* adds the fields that Vary does not name yet; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_vary(ngx_http_request_t *r, ngx_array_t *vary);

/* the same with one field, whose name is also given in lower case */
ngx_int_t ngx_http_dt_vary_by(ngx_http_request_t *r, char *name, char *lower);


/* detemplate_accept: clients choose a form of the page by their Accept */

/* sets conf->accept */
char *ngx_http_dt_set_accept(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Changes the merged conf->mode: from NULL to "off" if clients may choose a
 * form, and to NULL if it can only be off.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_merge_accept(ngx_conf_t *cf,
    ngx_http_dt_loc_conf_t *conf);

/* the mode that the request asks for; MODE_OFF: the one of the location */
ngx_uint_t ngx_http_dt_accept(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);


#endif /* _NGX_HTTP_DT_ACCEPT_H_INCLUDED_ */
