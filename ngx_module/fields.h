
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_FIELDS_H_INCLUDED_
#define _NGX_HTTP_DT_FIELDS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* lines of a header or trailer section */

/* a list of one name */
#define ngx_http_dt_one(name)  { ngx_string(name), ngx_null_string }

/*
 * Counts the parts of the comma separated values of all lines with this name,
 * which is in lower case.  Returns how many are token, ignoring case; *other
 * is how many are not.
 */
ngx_uint_t ngx_http_dt_count_parts(ngx_list_t *headers, ngx_str_t *name,
    ngx_str_t *token, ngx_uint_t *other);

/* whether Cache-Control in these lines has "no-transform" */
ngx_uint_t ngx_http_dt_no_transform(ngx_list_t *headers);

/* the next line of a list, see below */
ngx_table_elt_t *ngx_http_dt_next_field(ngx_list_part_t **part, ngx_uint_t *i);

/* whether a line has one of the names, which are in lower case; the last one
   is empty */
ngx_uint_t ngx_http_dt_is_field(ngx_table_elt_t *h, ngx_str_t *names);

/*
 * The next line of a list with one of the names; NULL: there is no more.
 * Before the first call, *part is the list's first part and *i is 0.
 */
ngx_table_elt_t *ngx_http_dt_find_field(ngx_list_part_t **part, ngx_uint_t *i,
    ngx_str_t *names);

/* the first of them */
ngx_table_elt_t *ngx_http_dt_first_field(ngx_list_t *headers,
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


#endif /* _NGX_HTTP_DT_FIELDS_H_INCLUDED_ */
