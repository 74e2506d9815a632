
/*
 * Copyright (C) The detemplate authors
 *
 * What the request asks for besides its page: the learner's marker, Range,
 * conditions, and the entity tags that they compare.
 */


#ifndef _NGX_HTTP_DT_CONDITIONS_H_INCLUDED_
#define _NGX_HTTP_DT_CONDITIONS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* whether the request has Range or a condition */
#define ngx_http_dt_conditional(r)                                            \
    ((r)->headers_in.range                                                    \
     || (r)->headers_in.if_range                                              \
     || (r)->headers_in.if_match                                              \
     || (r)->headers_in.if_none_match                                         \
     || (r)->headers_in.if_modified_since                                     \
     || (r)->headers_in.if_unmodified_since)


/* whether the request shows who has made it */
#if (nginx_version >= 1023000)
#define ngx_http_dt_credentials(r)                                            \
    ((r)->headers_in.authorization || (r)->headers_in.cookie)
#else
#define ngx_http_dt_credentials(r)                                            \
    ((r)->headers_in.authorization || (r)->headers_in.cookies.nelts)
#endif


/*
 * Whether the request carries the key of the zone in the learner's field.  The
 * field is taken out of the request, whatever it says: it is not for the
 * upstream.
 */
ngx_int_t ngx_http_dt_take_marker(ngx_http_request_t *r,
    ngx_shm_zone_t *shm_zone);

/*
 * Takes Range and the conditions out of a request whose response will be
 * rewritten.  Only entity tags that end with suffix stay, as the origin made
 * them.  NGX_OK: some stayed; NGX_DECLINED: none did; NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_restore_conditions(ngx_http_request_t *r,
    ngx_str_t *suffix);

/* gives the response's entity tag the suffix, or drops it when malformed */
ngx_int_t ngx_http_dt_suffix_etag(ngx_http_request_t *r, ngx_str_t *suffix);


#endif /* _NGX_HTTP_DT_CONDITIONS_H_INCLUDED_ */
