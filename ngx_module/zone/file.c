
/*
 * Copyright (C) The detemplate authors
 */


#include <sys/random.h>

#include "ngx_module/zone/file.h"
#include "ngx_module/zone/site.h"


/* behind the name of a file while it is written: mkostemps() replaces X */

#define NGX_HTTP_DT_TEMP  ".XXXXXX.tmp"


static ngx_err_t ngx_http_dt_file_write(ngx_fd_t fd, ngx_str_t *part);


ngx_fd_t
ngx_http_dt_file_open(u_char *path)
{
    return open((const char *) path,
                O_RDONLY|O_NONBLOCK|O_NOFOLLOW|O_CLOEXEC);
}


/*
 * The master may write into a directory that belongs to the workers, so the
 * temporary file must be new: a link that a worker has put there is not
 * followed.  Its name is random, because two containers that share the
 * directory may have processes with the same number.
 */

ngx_int_t
ngx_http_dt_file_replace(u_char *path, ngx_str_t *parts, ngx_log_t *log)
{
    u_char      temp[NGX_MAX_PATH + sizeof(NGX_HTTP_DT_TEMP)];
    ngx_fd_t    fd;
    ngx_err_t   err;

    ngx_snprintf(temp, sizeof(temp), "%s" NGX_HTTP_DT_TEMP "%Z", path);

    fd = mkostemps((char *) temp, sizeof(".tmp") - 1, O_CLOEXEC);

    if (fd == NGX_INVALID_FILE) {
        ngx_log_error(NGX_LOG_ERR, log, ngx_errno,
                      "detemplate: mkostemps() \"%s\" failed", temp);
        return NGX_ERROR;
    }

    err = 0;

    for ( /* void */ ; err == 0 && parts->len; parts++) {
        err = ngx_http_dt_file_write(fd, parts);
    }

    if (ngx_close_file(fd) == NGX_FILE_ERROR && err == 0) {
        err = ngx_errno;
    }

    if (err == 0 && ngx_rename_file(temp, path) == NGX_FILE_ERROR) {
        err = ngx_errno;
    }

    if (err) {
        ngx_log_error(NGX_LOG_ERR, log, err,
                      "detemplate: \"%s\" was not written", path);
        (void) ngx_http_dt_file_delete(temp, log);
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* on a full disk, the first write is short, and only the next one fails */

static ngx_err_t
ngx_http_dt_file_write(ngx_fd_t fd, ngx_str_t *part)
{
    size_t   sent;
    ssize_t  n;

    for (sent = 0; sent < part->len; sent += n) {

        n = ngx_write_fd(fd, part->data + sent, part->len - sent);

        if (n == -1) {
            return ngx_errno;
        }

        if (n == 0) {
            return NGX_ENOSPC;
        }
    }

    return 0;
}


ngx_int_t
ngx_http_dt_file_delete(u_char *path, ngx_log_t *log)
{
    if (ngx_delete_file(path) == NGX_FILE_ERROR && ngx_errno != NGX_ENOENT) {
        ngx_log_error(NGX_LOG_ERR, log, ngx_errno,
                      "detemplate: " ngx_delete_file_n " \"%s\" failed", path);
        return NGX_ERROR;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_dt_file_secret(u_char *dst, ngx_log_t *log)
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
ngx_http_dt_file_key(ngx_str_t *dir, u_char *key, ngx_log_t *log)
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

    /* there is no key file, or its content cannot be a key */

    parts[0].data = key;
    parts[0].len = NGX_HTTP_DT_KEY_LEN;
    ngx_str_null(&parts[1]);

    (void) ngx_http_dt_file_replace(path, parts, log);
}
