
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/admit.h"


#define NGX_HTTP_DT_ADMITTED    20     /* sites at once */
#define NGX_HTTP_DT_ADMIT_TIME  3      /* seconds for one more */


ngx_uint_t
ngx_http_dt_admit(ngx_http_dt_shctx_t *sh)
{
    ngx_msec_t  past;

    past = ngx_current_msec - sh->admitted_at;
    past /= NGX_HTTP_DT_ADMIT_TIME * 1000;

    if (past) {
        sh->admitted -= ngx_min(past, sh->admitted);
        sh->admitted_at = ngx_current_msec;
    }

    if (sh->admitted >= NGX_HTTP_DT_ADMITTED) {
        return 0;
    }

    sh->admitted++;

    return 1;
}
