
/*
 * Copyright (C) The detemplate authors
 *
 * Targets that are files of the module: they are linked with nginx's own
 * objects, under the sanitizers, each allocation of a pool a malloc().
 */


#ifndef DT_FUZZ_NGINX_H_INCLUDED_
#define DT_FUZZ_NGINX_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "t/fuzz/fuzz.h"


static size_t fuzz_lines; /* of the log */
static ngx_log_t fuzz_log;


static void
fuzz_writer(ngx_log_t *log, ngx_uint_t level, u_char *buf, size_t len)
{
    (void) log;
    (void) level;
    fuzz_assert(len > 0 && buf[len - 1] == '\n');
    fuzz_lines++;
}


/* once, before all else; further calls do nothing */
static inline void
fuzz_nginx(void)
{
    if (fuzz_log.writer == NULL) {
        fuzz_log.writer = fuzz_writer;
        fuzz_log.log_level = NGX_LOG_INFO;
        ngx_use_stderr = 0;
        fuzz_assert(ngx_strerror_init() == NGX_OK);
        ngx_time_init();
        ngx_pagesize = (ngx_uint_t) getpagesize();
        ngx_cacheline_size = NGX_CPU_CACHE_LINE;
    }
}


#endif /* DT_FUZZ_NGINX_H_INCLUDED_ */
