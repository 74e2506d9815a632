
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/trouble.h"


static u_char *ngx_http_dt_trouble_text(u_char *p, ngx_str_t *text,
    size_t max);


void
ngx_http_dt_trouble_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble, ngx_str_t *detail, ngx_str_t *url,
    ngx_str_t *site)
{
    u_char                 *p;
    ngx_http_dt_trouble_t  *t;

    ngx_http_dt_trouble_drop(zone, trouble);

    t = ngx_slab_alloc_locked(zone->shpool,
                              sizeof(ngx_http_dt_trouble_t) + 3
                              + ngx_min(detail->len, NGX_HTTP_DT_DETAIL)
                              + ngx_min(url->len, NGX_HTTP_DT_MAX_LINK)
                              + ngx_min(site->len, NGX_HTTP_DT_MAX_SITE));
    if (t == NULL) {
        return;
    }

    t->at = ngx_time();

    p = ngx_http_dt_trouble_text(t->text, detail, NGX_HTTP_DT_DETAIL);
    p = ngx_http_dt_trouble_text(p, url, NGX_HTTP_DT_MAX_LINK);
    (void) ngx_http_dt_trouble_text(p, site, NGX_HTTP_DT_MAX_SITE);

    *trouble = t;
}


/* bytes that are not printable would end the text or harm who reads it */

static u_char *
ngx_http_dt_trouble_text(u_char *p, ngx_str_t *text, size_t max)
{
    u_char  *s, *last;

    last = text->data + ngx_min(text->len, max);

    for (s = text->data; s < last; s++) {
        *p++ = (*s < 0x20 || *s > 0x7e) ? '?' : *s;
    }

    *p++ = '\0';

    return p;
}


void
ngx_http_dt_trouble_drop(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble)
{
    if (*trouble) {
        ngx_slab_free_locked(zone->shpool, *trouble);
        *trouble = NULL;
    }
}
