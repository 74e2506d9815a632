
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_HOST_H_INCLUDED_
#define _NGX_HTTP_DT_HOST_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* the name by which nginx chose the server of a request */

typedef enum {
    NGX_HTTP_DT_HOST_OTHER = 0,  /* the server has no such name */
    NGX_HTTP_DT_HOST_ANY,        /* but "_", which is for any */
    NGX_HTTP_DT_HOST_MATCHED,    /* by a wildcard or an expression */
    NGX_HTTP_DT_HOST_NAMED       /* the server has it, as it is */
} ngx_http_dt_host_e;


void *ngx_http_dt_create_srv_conf(ngx_conf_t *cf);
char *ngx_http_dt_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child);

/* copies the names of all servers, which nginx frees after its start */
ngx_int_t ngx_http_dt_host_init(ngx_conf_t *cf);

/*
 * Returns how the request's name, headers_in.server, matches its server's
 * names.  *own is the server's first exact name if the result is NAMED,
 * otherwise the request's name.
 */
ngx_uint_t ngx_http_dt_host(ngx_http_request_t *r, ngx_str_t *own);

/* whether a text can be the name of a site */
ngx_uint_t ngx_http_dt_host_site(ngx_str_t *site);

/* whether the field Host, if there is one, has another name than that */
ngx_uint_t ngx_http_dt_host_differs(ngx_http_request_t *r);

/*
 * Whether a name in lower case stays the same when a URL with it is parsed.
 * An address can be written in many ways, and parsers write it in one, which
 * may be the name of another server.
 */
ngx_uint_t ngx_http_dt_host_plain(ngx_str_t *name);

/* whether the field Host has the port that the request came in on, and that is
   not the default port */
ngx_uint_t ngx_http_dt_host_port(ngx_http_request_t *r, ngx_str_t *port);

/* whether a URL can have the name as its host */
ngx_uint_t ngx_http_dt_host_of_url(ngx_str_t *host);

/* detemplate_url */
char *ngx_http_dt_set_url(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Scheme, host and port of the page's URL, by detemplate_url, else as nginx
 * writes them into its redirects, which ignores the port that the client
 * names.  Empty: the host is not known.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_host_base(ngx_http_request_t *r, ngx_str_t *base);


#endif /* _NGX_HTTP_DT_HOST_H_INCLUDED_ */
