
/*
 * Copyright (C) The detemplate authors
 *
 * What remains of a page comes in pieces, and becomes text when it is whole.
 */


#ifndef _NGX_HTTP_DT_PIECES_H_INCLUDED_
#define _NGX_HTTP_DT_PIECES_H_INCLUDED_


#include "core/text/text.h"


struct dt_text_s {
    dt_text_opts_t   opts;
    dt_alloc_t       alloc;
    char            *data;
    size_t           len;
    size_t           size;
    dt_text_info_t   info;
};


static ngx_inline dt_status_t
dt_text_create(dt_text_opts_t *opts, dt_text_t **t)
{
    *t = ngx_calloc(sizeof(dt_text_t), ngx_cycle->log);
    if (*t == NULL) {
        return DT_ENOMEM;
    }

    (*t)->opts = *opts;
    (*t)->alloc = *opts->alloc;
    (*t)->opts.alloc = &(*t)->alloc;

    return dt_text_knows(opts->charset) ? DT_OK : DT_EINVAL;
}


static ngx_inline dt_status_t
dt_text_feed(dt_text_t *t, const char *p, size_t len, int last)
{
    char  *data;

    if (t->size - t->len < len) {
        data = realloc(t->data, 2 * (t->len + len));
        if (data == NULL) {
            return DT_ENOMEM;
        }

        t->data = data;
        t->size = 2 * (t->len + len);
    }

    if (len) {
        ngx_memcpy(t->data + t->len, p, len);
        t->len += len;
    }

    return last ? dt_text_page(&t->opts, (dt_str_t) { t->len, t->data },
                               &t->info)
                : DT_OK;
}


static ngx_inline dt_str_t
dt_text_canonical(dt_text_t *t)
{
    return (dt_str_t) { t->info.canonical_len, t->info.canonical };
}


static ngx_inline void
dt_text_destroy(dt_text_t *t)
{
    if (t) {
        ngx_free(t->data);
        ngx_free(t);
    }
}


#endif /* _NGX_HTTP_DT_PIECES_H_INCLUDED_ */
