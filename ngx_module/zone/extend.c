
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/extend.h"


ngx_uint_t
ngx_http_dt_extend_due(ngx_http_dt_node_t *node, ngx_uint_t loads,
    ngx_uint_t share)
{
    return node->blob
           && !ngx_http_dt_node_stays(node)
           && node->pages.n != NGX_HTTP_DT_KEYS
           && dt_due(share, dt_due_used(node->pages.loads, loads));
}


ngx_uint_t
ngx_http_dt_extend_page_due(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job,
    ngx_uint_t share)
{
    ngx_uint_t  i;

    if (!ngx_http_dt_extend_due(node, job->loads, share)) {
        return 0;
    }

    for (i = 0; i < node->pages.n; i++) {
        if (node->pages.keys[i] == job->key) {
            return 0;
        }
    }

    return 1;
}
