
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_STRANGER_H_INCLUDED_
#define _NGX_HTTP_DT_STRANGER_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * The address of a learner's requests.  A learner connects from this machine,
 * and links of an author must not lead it where only this machine may go.  So
 * its requests get the address of a stranger, as the realip module would set
 * it.
 */

/* sets detemplate_learner_address */
char *ngx_http_dt_set_learner_address(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * Gives a request of the learner its address.  This handler runs last in the
 * phase in which realip sets addresses, and first in the access phase, since a
 * location may have realip of its own.
 */
ngx_int_t ngx_http_dt_stranger_handler(ngx_http_request_t *r);


#endif /* _NGX_HTTP_DT_STRANGER_H_INCLUDED_ */
