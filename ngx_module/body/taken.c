
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/body.h"


static size_t  ngx_http_dt_taken;      /* by all requests of this worker */
static time_t  ngx_http_dt_taken_said;


ngx_int_t
ngx_http_dt_take(ngx_http_dt_ctx_t *ctx, size_t size, size_t most)
{
    if (ngx_http_dt_taken <= most && size <= most - ngx_http_dt_taken) {
        ngx_http_dt_taken += size;
        ctx->taken += size;

        return NGX_OK;
    }

    /* a flood of such pages must not become one of lines */

    if (ngx_http_dt_taken_said != ngx_time()) {
        ngx_http_dt_taken_said = ngx_time();

        ngx_log_error(NGX_LOG_WARN, ctx->request->connection->log, 0,
                      "detemplate: pages of this worker have taken %uz bytes, "
                      "so that this one %s", ngx_http_dt_taken,
                      (most == NGX_HTTP_DT_TAKEN_HELD) ? "is not held"
                                                       : "passes");
    }

    return NGX_DECLINED;
}


void
ngx_http_dt_taken_back(ngx_http_dt_ctx_t *ctx)
{
    ngx_http_dt_taken -= ctx->taken;
    ctx->taken = 0;
}
