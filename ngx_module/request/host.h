
/*
 * Copyright (C) The detemplate authors
 *
 * The name by which nginx chose the server of a request.
 */


#ifndef _NGX_HTTP_DT_HOST_H_INCLUDED_
#define _NGX_HTTP_DT_HOST_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


typedef enum {
    NGX_HTTP_DT_HOST_OTHER = 0,  /* the server has no such name */
    NGX_HTTP_DT_HOST_ANY,        /* but "_", which is for any */
    NGX_HTTP_DT_HOST_MATCHED,    /* by a wildcard or an expression */
    NGX_HTTP_DT_HOST_NAMED       /* the server has it, as it is */
} ngx_http_dt_host_e;


void *ngx_http_dt_create_srv_conf(ngx_conf_t *cf);

/* keeps the names of all servers, which nginx forgets when it has started */
ngx_int_t ngx_http_dt_host_init(ngx_conf_t *cf);

/*
 * What the request's name, headers_in.server, is to its server.  *own is the
 * name that stands for all that are NAMED, otherwise the request's.
 */
ngx_uint_t ngx_http_dt_host(ngx_http_request_t *r, ngx_str_t *own);

/* whether the field Host, if there is one, says another name than that */
ngx_uint_t ngx_http_dt_host_differs(ngx_http_request_t *r);

/*
 * Whether a name in lower case is that of a URL's host, as it stands there: an
 * address can be written in many ways, and whoever reads the URL says it in
 * one, which may be the name of another server.
 */
ngx_uint_t ngx_http_dt_host_plain(ngx_str_t *name);

/* whether it has a port: that on which the request came in, no usual one */
ngx_uint_t ngx_http_dt_host_port(ngx_http_request_t *r, ngx_str_t *port);


#endif /* _NGX_HTTP_DT_HOST_H_INCLUDED_ */
