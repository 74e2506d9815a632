
/*
 * Copyright (C) The detemplate authors
 *
 * Random words: the key that marks a learner's requests, and the token that
 * owns locks in Redis.
 */


#ifndef _NGX_HTTP_DT_SECRET_H_INCLUDED_
#define _NGX_HTTP_DT_SECRET_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/* writes NGX_HTTP_DT_KEY_LEN random hex digits and a NUL */
ngx_int_t ngx_http_dt_secret_create(u_char *dst, ngx_log_t *log);

/*
 * Replaces key by the one that the directory keeps, or stores key there if it
 * keeps none.  All zones of an installation then have one key, including the
 * zones of the old and the new binary during an upgrade.
 */
void ngx_http_dt_secret_load(ngx_str_t *dir, u_char *key, ngx_log_t *log);


#endif /* _NGX_HTTP_DT_SECRET_H_INCLUDED_ */
