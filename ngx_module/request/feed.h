
/*
 * Copyright (C) The detemplate authors
 *
 * detemplate_changes_feed: the pages of a site that have changed.
 */


#ifndef _NGX_HTTP_DT_FEED_H_INCLUDED_
#define _NGX_HTTP_DT_FEED_H_INCLUDED_


#include "ngx_module/detemplate.h"


char *ngx_http_dt_set_feed(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


#endif /* _NGX_HTTP_DT_FEED_H_INCLUDED_ */
