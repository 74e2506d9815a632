
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_FILE_H_INCLUDED_
#define _NGX_HTTP_DT_FILE_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* files that the module keeps in the directory of detemplate_path */

/* opens a file for reading; follows no link and never blocks */
ngx_fd_t ngx_http_dt_file_open(u_char *path);

/*
 * Writes a file anew from parts, of which the last one is empty, and puts it
 * in the place of the old one in one step.  NGX_ERROR: the old file stays, and
 * the log says why.
 */
ngx_int_t ngx_http_dt_file_replace(u_char *path, ngx_str_t *parts,
    ngx_log_t *log);

/* deletes a file if there is one; NGX_ERROR: it is still there, and the log
   says why */
ngx_int_t ngx_http_dt_file_delete(u_char *path, ngx_log_t *log);


/* random words: the key that marks a learner's requests, and the token that
   owns locks in Redis */

/* writes NGX_HTTP_DT_KEY_LEN random hex digits and a NUL */
ngx_int_t ngx_http_dt_file_secret(u_char *dst, ngx_log_t *log);

/*
 * Replaces key by the one that the directory keeps, or stores key there if it
 * keeps none.  All zones of an installation then have one key, including the
 * zones of the old and the new binary during an upgrade.
 */
void ngx_http_dt_file_key(ngx_str_t *dir, u_char *key, ngx_log_t *log);


#endif /* _NGX_HTTP_DT_FILE_H_INCLUDED_ */
