
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_FIELDS_H_INCLUDED_
#define _NGX_HTTP_DT_FIELDS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* first bytes of a body that may say its charset */
#define NGX_HTTP_DT_SNIFF  1024


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
 * Parts of the comma separated values of all lines with this name, in lower
 * case: the number of those that are token, case aside; in *other the number
 * of those that are not.
 */
ngx_uint_t ngx_http_dt_count_parts(ngx_list_t *headers, ngx_str_t *name,
    ngx_str_t *token, ngx_uint_t *other);

/* whether Cache-Control in these lines has "no-transform" */
ngx_uint_t ngx_http_dt_no_transform(ngx_list_t *headers);

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

/*
 * The next line of a list with one of the names, which are in lower case, the
 * last one empty; NULL: no more.  *part and *i begin as the list's first part
 * and 0.
 */
ngx_table_elt_t *ngx_http_dt_find_field(ngx_list_part_t **part, ngx_uint_t *i,
    ngx_str_t *names);

/*
 * Takes lines out of the header or the trailer section; names are in lower
 * case, the last one is empty.
 */
void ngx_http_dt_hide_fields(ngx_list_t *headers, ngx_str_t *names);

/*
 * Adds a line to those of the header or of the trailer section, unless the
 * value is empty; NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_push_field(ngx_list_t *headers, char *name,
    ngx_str_t *value);

/* whether markup in this charset is more than ASCII bytes with others */
ngx_uint_t ngx_http_dt_foreign_charset(u_char *p, size_t len);

/* the same for the first bytes of a body: its BOM, or the charset it names */
ngx_uint_t ngx_http_dt_foreign_body(u_char *p, size_t len);


#endif /* _NGX_HTTP_DT_FIELDS_H_INCLUDED_ */
