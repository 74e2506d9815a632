
/*
 * Copyright (C) The detemplate authors
 *
 * A token bucket for sites that clients name, so that their number does not
 * keep learners from sites that the configuration names.
 */


#ifndef _NGX_HTTP_DT_ADMIT_H_INCLUDED_
#define _NGX_HTTP_DT_ADMIT_H_INCLUDED_


#include "ngx_module/zone/node.h"


/*
 * Whether one more site that a client has named may be learned now; counts it
 * if so.  The caller holds the lock.
 */
ngx_uint_t ngx_http_dt_admit(ngx_http_dt_shctx_t *sh);


#endif /* _NGX_HTTP_DT_ADMIT_H_INCLUDED_ */
