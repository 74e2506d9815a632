
/*
 * Copyright (C) The detemplate authors
 *
 * Trouble: what the status says about a page that could not be learned from,
 * or showed nothing of its site's template.
 */


#ifndef _NGX_HTTP_DT_TROUBLE_H_INCLUDED_
#define _NGX_HTTP_DT_TROUBLE_H_INCLUDED_


#include "ngx_module/zone/node.h"


struct ngx_http_dt_trouble_s {
    time_t                         at;
    u_char                         text[1];    /* detail, URL, site: each with
                                                  a NUL behind it */
};


/*
 * Whether a line about this site and reason may be logged now, as it was not
 * within an hour.  If so, counts it as logged, and keeps for the status what
 * decided and the URI.
 */
ngx_uint_t ngx_http_dt_trouble_log(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t reason, ngx_str_t *detail, ngx_str_t *uri);

/* notes a page that showed nothing of its site's template */
void ngx_http_dt_trouble_off(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_str_t *uri);


/* the caller holds the lock */

/*
 * Replaces *trouble, which may be NULL, by one of now.  Of each text as many
 * bytes are taken as a row of the status has.  No site is evicted for it: in a
 * full zone *trouble becomes NULL.
 */
void ngx_http_dt_trouble_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble, ngx_str_t *detail, ngx_str_t *url,
    ngx_str_t *site);

/* frees *trouble, which may be NULL */
void ngx_http_dt_trouble_drop(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble);

/* the next text behind this one */
#define ngx_http_dt_trouble_next(text)  ((text) + ngx_strlen(text) + 1)


#endif /* _NGX_HTTP_DT_TROUBLE_H_INCLUDED_ */
