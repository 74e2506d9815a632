
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


/* whether the request has credentials */
#if (nginx_version >= 1023000)
#define ngx_http_dt_credentials(r)                                            \
    ((r)->headers_in.authorization || (r)->headers_in.cookie)
#else
#define ngx_http_dt_credentials(r)                                            \
    ((r)->headers_in.authorization || (r)->headers_in.cookies.nelts)
#endif


/*
 * NGX_OK: the learner's field has the key of the zone; the client is the text
 * behind it.  The field is removed in any case, since the upstream must not
 * see it.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_take_marker(ngx_http_request_t *r,
    ngx_shm_zone_t *shm_zone, ngx_str_t *client);

/*
 * Removes Range and the conditions from a request whose response will be
 * rewritten.  Only entity tags that end with suffix stay, without the suffix.
 * NGX_OK: some stayed; NGX_DECLINED: none did; NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_restore_conditions(ngx_http_request_t *r,
    ngx_str_t *suffix);

/* hashes a body of at most max bytes; NGX_DECLINED: it is larger, or not in
   memory */
ngx_int_t ngx_http_dt_body_hash(ngx_http_request_t *r, ngx_chain_t *body,
    size_t max, uint64_t *hash);

/*
 * Gives the response the hash of its body as entity tag, and makes it a 304 if
 * that is in the list.  weak: more comes behind that body.  NULL: the body of
 * this HEAD is not known, and neither is its tag.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_body_etag(ngx_http_request_t *r, ngx_chain_t *body,
    ngx_str_t *list, ngx_uint_t weak, uint64_t *hash);

/* the client has the response */
void ngx_http_dt_not_modified(ngx_http_request_t *r);

/* adds the suffix to the response's entity tag, or removes a malformed tag */
ngx_int_t ngx_http_dt_suffix_etag(ngx_http_request_t *r, ngx_str_t *suffix);


#endif /* _NGX_HTTP_DT_CONDITIONS_H_INCLUDED_ */
