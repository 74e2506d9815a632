
/*
 * Copyright (C) The detemplate authors
 */


#include <dlfcn.h>

#include "ngx_module/manager/manager.h"


#define NGX_HTTP_DT_PROGRAM  "detemplate"
#define NGX_HTTP_DT_GROUPS   64         /* of the workers' user */


static ngx_int_t ngx_http_dt_program_beside(ngx_conf_t *cf, ngx_str_t *path);
static void ngx_http_dt_program_user(ngx_conf_t *cf, ngx_str_t *path);
static ngx_uint_t ngx_http_dt_program_may(ngx_file_info_t *fi, uid_t uid,
    gid_t *groups, int n);


ngx_int_t
ngx_http_dt_program_find(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf)
{
    ngx_err_t         err;
    ngx_str_t        *path;
    ngx_file_info_t   fi;

    path = &dmcf->program;

    if (path->len == 0
        && ngx_http_dt_program_beside(cf, path) != NGX_OK)
    {
        return NGX_ERROR;
    }

    err = 0;

    if (ngx_file_info(path->data, &fi) == NGX_FILE_ERROR
        || access((char *) path->data, X_OK) == -1)
    {
        err = ngx_errno;

    } else if (!ngx_is_file(&fi)) {
        err = NGX_EISDIR;

    } else {
        ngx_http_dt_program_user(cf, path);
        return NGX_OK;
    }

    if (dmcf->program_file) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, err,
                      "the program that learns cannot be executed: \"%V\" of "
                      "\"detemplate_program\" in %s:%ui, install "
                      "\"detemplate\" there, or use \"detemplate_learn off;\" "
                      "without \"detemplate_redis\"",
                      path, dmcf->program_file, dmcf->program_line);
        return NGX_ERROR;
    }

    ngx_log_error(NGX_LOG_EMERG, cf->log, err,
                  "the program that learns cannot be executed: \"%V\", "
                  "install \"detemplate\" there, or say where it is with "
                  "\"detemplate_program path;\" at the http level, or use "
                  "\"detemplate_learn off;\" without "
                  "\"detemplate_redis\"", path);

    return NGX_ERROR;
}


/*
 * The folder of the file that holds this code.  That is the module, as the
 * dynamic linker knows it, or nginx, if the module is linked into it; for
 * nginx, the linker knows only the name by which it was started.
 */

static ngx_int_t
ngx_http_dt_program_beside(ngx_conf_t *cf, ngx_str_t *path)
{
    char     *name, *slash;
    char      file[PATH_MAX + 1];
    ssize_t   n;
    Dl_info   own, nginx;

    static char  here;

    if (dladdr(&here, &own) == 0 || dladdr(&ngx_core_module, &nginx) == 0) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "dladdr() failed");
        return NGX_ERROR;
    }

    if (own.dli_fbase != nginx.dli_fbase) {
        name = realpath(own.dli_fname, file);

    } else {

        /* also of a binary that was replaced since */

        n = readlink("/proc/self/exe", file, PATH_MAX);
        name = (n == -1) ? NULL : file;
        file[ngx_max(n, 0)] = '\0';
    }

    slash = name ? strrchr(name, '/') : NULL;

    if (slash == NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, ngx_errno,
                      "the path of the module \"%s\" is unknown, use "
                      "\"detemplate_program path;\" at the http level",
                      own.dli_fname);
        return NGX_ERROR;
    }

    path->len = slash + 1 - name + sizeof(NGX_HTTP_DT_PROGRAM) - 1;
    path->data = ngx_pnalloc(cf->pool, path->len + 1);
    if (path->data == NULL) {
        return NGX_ERROR;
    }

    ngx_sprintf(path->data, "%*s" NGX_HTTP_DT_PROGRAM "%Z", slash + 1 - name,
                name);

    return NGX_OK;
}


/*
 * The user of the workers executes the program, and may not execute what root
 * can.  This is only a warning, because there are rights besides modes, and
 * the directive "user" may follow the block "http".
 */

static void
ngx_http_dt_program_user(ngx_conf_t *cf, ngx_str_t *path)
{
    int               n;
    char             *user, *p, c, name[PATH_MAX + 1];
    gid_t             groups[NGX_HTTP_DT_GROUPS];
    struct passwd    *pwd;
    ngx_core_conf_t  *ccf;
    ngx_file_info_t   fi;

    ccf = (ngx_core_conf_t *) ngx_get_conf(cf->cycle->conf_ctx,
                                           ngx_core_module);

    user = ccf->username ? ccf->username : NGX_USER;
    pwd = (geteuid() == 0) ? getpwnam(user) : NULL;
    n = NGX_HTTP_DT_GROUPS;

    if (pwd == NULL
        || pwd->pw_uid == 0
        || getgrouplist(user, ccf->username ? ccf->group : pwd->pw_gid, groups,
                        &n)
           == -1
        || realpath((char *) path->data, name) == NULL)
    {
        return;
    }

    /* check each folder, and then the file */

    p = name;

    do {
        p += 1 + strcspn(p + 1, "/");
        c = *p;
        *p = '\0';

        if (ngx_file_info(name, &fi) == NGX_FILE_ERROR
            || !ngx_http_dt_program_may(&fi, pwd->pw_uid, groups, n))
        {
            ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                          "the program that learns, \"%V\", cannot be "
                          "executed by user \"%s\": see the mode of \"%s\"",
                          path, user, name);
            return;
        }

        *p = c;

    } while (c);
}


static ngx_uint_t
ngx_http_dt_program_may(ngx_file_info_t *fi, uid_t uid, gid_t *groups, int n)
{
    if (fi->st_uid == uid) {
        return (fi->st_mode & S_IXUSR) != 0;
    }

    while (n--) {
        if (fi->st_gid == groups[n]) {
            return (fi->st_mode & S_IXGRP) != 0;
        }
    }

    return (fi->st_mode & S_IXOTH) != 0;
}
