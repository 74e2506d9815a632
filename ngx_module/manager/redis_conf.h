
/*
 * Copyright (C) The detemplate authors
 *
 * The directive detemplate_redis.
 */


#ifndef _NGX_HTTP_DT_REDIS_CONF_H_INCLUDED_
#define _NGX_HTTP_DT_REDIS_CONF_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* detemplate_redis */
char *ngx_http_dt_set_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Writes the parameters as the link reads them, with the token of this
 * machine, and returns the bytes that were written.  Without buf, returns how
 * many it needs at the most.
 */
size_t ngx_http_dt_redis_text(dt_redis_opts_t *opts, u_char *token,
    u_char *buf, size_t size);


#endif /* _NGX_HTTP_DT_REDIS_CONF_H_INCLUDED_ */
