
/*
 * Copyright (C) The detemplate authors
 *
 * A module for nginx.  Of a page that is asked for with "?file", what is in
 * the middle goes on as a file, as a filter may send what it has in a cache.
 * The last bytes come in a chain of their own.
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


#define NGX_HTTP_FILE_FIRST  1000
#define NGX_HTTP_FILE_LAST   100


static ngx_int_t ngx_http_file_init(ngx_conf_t *cf);


static ngx_http_output_body_filter_pt  ngx_http_next_body_filter;


static ngx_http_module_t  ngx_http_file_filter_module_ctx = {
    NULL,                                  /* preconfiguration */
    ngx_http_file_init,                    /* postconfiguration */

    NULL,                                  /* create main configuration */
    NULL,                                  /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    NULL,                                  /* create location configuration */
    NULL                                   /* merge location configuration */
};


ngx_module_t  ngx_http_file_filter_module = {
    NGX_MODULE_V1,
    &ngx_http_file_filter_module_ctx,      /* module context */
    NULL,                                  /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    NULL,                                  /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    NULL,                                  /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


ngx_module_t  *ngx_modules[] = {
    &ngx_http_file_filter_module,
    NULL
};


char  *ngx_module_names[] = {
    "ngx_http_file_filter_module",
    NULL
};


/* behind the filter that reads files into memory */

char  *ngx_module_order[] = {
    "ngx_http_file_filter_module",
    "ngx_http_copy_filter_module",
    NULL
};


static ngx_int_t
ngx_http_file_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    u_char                    *last;
    size_t                     root;
    ngx_int_t                  rc;
    ngx_buf_t                 *b, *page, *tail;
    ngx_str_t                  path;
    ngx_chain_t                out, rest;
    ngx_open_file_info_t       of;
    ngx_http_core_loc_conf_t  *clcf;

    if (in == NULL
        || r != r->main
        || r->args.len != 4
        || ngx_memcmp(r->args.data, "file", 4) != 0)
    {
        return ngx_http_next_body_filter(r, in);
    }

    page = in->buf;
    last = ngx_http_map_uri_to_path(r, &path, &root, 0);
    b = ngx_calloc_buf(r->pool);
    tail = ngx_calloc_buf(r->pool);

    if (last == NULL || b == NULL || tail == NULL || !page->last_buf) {
        return NGX_ERROR;
    }

    path.len = last - path.data;
    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    ngx_memzero(&of, sizeof(ngx_open_file_info_t));
    of.directio = NGX_OPEN_FILE_DIRECTIO_OFF;

    if (ngx_open_cached_file(clcf->open_file_cache, &path, &of, r->pool)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    b->file = ngx_pcalloc(r->pool, sizeof(ngx_file_t));
    if (b->file == NULL) {
        return NGX_ERROR;
    }

    b->file->fd = of.fd;
    b->file->name = path;
    b->file->log = r->connection->log;
    b->file_pos = NGX_HTTP_FILE_FIRST;
    b->file_last = of.size - NGX_HTTP_FILE_LAST;
    b->in_file = 1;
    b->flush = 1;

    *tail = *page;
    tail->pos = page->last - NGX_HTTP_FILE_LAST;
    tail->in_file = 0;

    page->last = page->pos + NGX_HTTP_FILE_FIRST;
    page->in_file = 0;
    page->last_buf = 0;
    page->last_in_chain = 0;

    out.buf = page;
    out.next = &rest;
    rest.buf = b;
    rest.next = NULL;

    rc = ngx_http_next_body_filter(r, &out);
    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    out.buf = tail;
    out.next = NULL;

    return ngx_http_next_body_filter(r, &out);
}


static ngx_int_t
ngx_http_file_init(ngx_conf_t *cf)
{
    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_file_body_filter;

    return NGX_OK;
}
