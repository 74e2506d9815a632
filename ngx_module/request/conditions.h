
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CONDITIONS_H_INCLUDED_
#define _NGX_HTTP_DT_CONDITIONS_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Fields of the request: the learner's marker, Range, conditions, and the
 * entity tags that these compare.
 */

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
ngx_int_t ngx_http_dt_take_marker(ngx_http_request_t *r, ngx_str_t *client);

/*
 * Takes Range and the conditions out of a request whose response will be
 * rewritten; ctx->none_match keeps the entity tags that the client has.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_take_conditions(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/*
 * Replaces the origin's entity tag by a hash of the output, and makes the
 * response a 304 if the client has that tag; a response to HEAD gets none.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_validators(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


#endif /* _NGX_HTTP_DT_CONDITIONS_H_INCLUDED_ */
