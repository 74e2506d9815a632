
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>

#include <sys/random.h>

#include "ngx_module/zone/file.h"
#include "ngx_module/zone/secret.h"


ngx_int_t
ngx_http_dt_secret_create(u_char *dst, ngx_log_t *log)
{
    u_char  buf[NGX_HTTP_DT_KEY_LEN / 2];

    if (getrandom(buf, sizeof(buf), 0) != (ssize_t) sizeof(buf)) {
        ngx_log_error(NGX_LOG_EMERG, log, ngx_errno,
                      "detemplate: getrandom() failed");
        return NGX_ERROR;
    }

    *ngx_hex_dump(dst, buf, sizeof(buf)) = '\0';

    return NGX_OK;
}


void
ngx_http_dt_secret_load(ngx_str_t *dir, u_char *key, ngx_log_t *log)
{
    u_char     path[NGX_MAX_PATH];
    u_char     kept[NGX_HTTP_DT_KEY_LEN + 1];
    ssize_t    n;
    ngx_fd_t   fd;
    ngx_str_t  parts[2];

    ngx_snprintf(path, NGX_MAX_PATH, "%V/key%Z", dir);

    ngx_memzero(kept, sizeof(kept));
    fd = ngx_http_dt_file_open(path);

    if (fd != NGX_INVALID_FILE) {
        n = ngx_read_fd(fd, kept, sizeof(kept));
        (void) ngx_close_file(fd);

        if (n == NGX_HTTP_DT_KEY_LEN
            && strspn((char *) kept, "0123456789abcdef") == (size_t) n)
        {
            ngx_memcpy(key, kept, n);
            return;
        }
    }

    /* there is none, or what there is cannot be one */

    parts[0].data = key;
    parts[0].len = NGX_HTTP_DT_KEY_LEN;
    ngx_str_null(&parts[1]);

    (void) ngx_http_dt_file_replace(path, parts, log);
}
