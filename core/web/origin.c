
/*
 * Copyright (C) The detemplate authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/web/origin.h"


#define DT_ORIGIN_ARENA ((size_t) 64 << 10)


struct dt_origin_s {
    dt_arena_t *arena;
    dt_url_t url; /* ends in a slash */
};


dt_origin_t *
dt_origin_create(const char *url)
{
    char *p;
    dt_status_t rc;
    dt_origin_t *o;

    o = calloc(1, sizeof(dt_origin_t));
    if (o == NULL) {
        return NULL;
    }

    o->arena = dt_arena_create(DT_ORIGIN_ARENA);

    if (o->arena == NULL || asprintf(&p, "%s/", url) == -1) {
        dt_origin_destroy(o);
        return NULL;
    }

    rc = dt_url_resolve(NULL, dt_cstr(p), o->arena, &o->url);
    free(p);

    if (rc != DT_OK) {
        dt_origin_destroy(o);
        return NULL;
    }

    return o;
}


void
dt_origin_destroy(dt_origin_t *o)
{
    if (o != NULL) {
        dt_arena_destroy(o->arena);
        free(o);
    }
}


int
dt_origin_url(const dt_origin_t *o, const dt_url_t *page, char *buf,
              size_t size)
{
    return o == NULL ? snprintf(buf, size, "%s", page->href.data)
                     : snprintf(buf, size, "%s%s", o->url.href.data,
                                dt_url_target(page).data + 1);
}


dt_status_t
dt_origin_public(const dt_origin_t *o, const dt_url_t *page, dt_arena_t *a,
                 dt_url_t *next)
{
    size_t n = o->url.path.len;
    dt_str_t target, name, site, port, own, any;

    target = dt_url_target(next);
    name = dt_url_name(next, &port);
    site = dt_url_name(page, &any);
    (void) dt_url_name(&o->url, &own);

    if (!(dt_str_eq(next->host, o->url.host)
          || (dt_str_eq(name, site) && dt_str_eq(port, own)))
        || target.len < n || memcmp(target.data, o->url.path.data, n) != 0)
    {
        return DT_OK;
    }

    /* the slash is kept, as the path must begin with one */
    target.data += n - 1;
    target.len -= n - 1;

    return dt_url_resolve(page, target, a, next);
}
