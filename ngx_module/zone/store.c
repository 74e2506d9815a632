
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/store.h"
#include "core/base/hash.h"
#include "ngx_module/zone/file.h"
#include "ngx_module/zone/node.h"


/*
 * A page is a file of a folder of its site, "pages/SITE/KEY" in the directory
 * of the templates: its URL, a line feed, its bytes.  A job takes the folder
 * by renaming it, so that pages that come while it runs begin another one.
 */


#define NGX_HTTP_DT_STORED  (64 * 1024 * 1024)  /* bytes of all pages */
#define NGX_HTTP_DT_AWHILE  60                  /* seconds after a failure */


static ngx_uint_t ngx_http_dt_store_folder(u_char *path);
static void ngx_http_dt_store_path(u_char *path, ngx_http_dt_zone_t *zone,
    ngx_str_t *dir, ngx_str_t *site, const char *more);
static void ngx_http_dt_store_empty(ngx_http_dt_zone_t *zone, u_char *path,
    time_t before);


ngx_int_t
ngx_http_dt_store(ngx_http_dt_zone_t *zone, ngx_str_t *dir, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_str_t *page, ngx_log_t *log)
{
    size_t           size;
    u_char           path[NGX_MAX_PATH], temp[NGX_MAX_PATH], *p;
    ngx_str_t        parts[4];
    ngx_uint_t       n;
    ngx_file_info_t  fi;

    static time_t  failed;

    size = ngx_strlen(job->url) + 1 + page->len;

    if (page->len == 0
        || *zone->stored + size > NGX_HTTP_DT_STORED
        || ngx_time() - failed < NGX_HTTP_DT_AWHILE)
    {
        return NGX_DECLINED;
    }

    ngx_http_dt_store_path(path, zone, dir, site, "");

    p = path + ngx_strlen(path);
    ngx_sprintf(p, "/%016xL%Z", job->key);

    if (ngx_file_info(path, &fi) != NGX_FILE_ERROR) {
        return NGX_DECLINED;
    }

    *p = '\0';

    if (!ngx_http_dt_store_folder(path)) {
        failed = ngx_time();
        ngx_log_error(NGX_LOG_ERR, log, ngx_errno,
                      "detemplate: no page is stored in \"%s\"", path);
        return NGX_DECLINED;
    }

    *p = '/';

    parts[0].data = job->url;
    parts[0].len = ngx_strlen(job->url);
    ngx_str_set(&parts[1], "\n");
    parts[2] = *page;
    ngx_str_null(&parts[3]);

    /* the folder may be taken meanwhile, so the file is written beside it */

    ngx_http_dt_store_path(temp, zone, dir, site, "");
    ngx_sprintf(temp + ngx_strlen(temp), "%016xL%Z", job->key);

    if (ngx_http_dt_file_replace(temp, parts, log) != NGX_OK) {
        failed = ngx_time();
        return NGX_DECLINED;
    }

    for (n = 0; n < 2; n++) {

        if (ngx_rename_file(temp, path) != NGX_FILE_ERROR) {
            (void) ngx_atomic_fetch_add(zone->stored, size);
            return NGX_OK;
        }

        *p = '\0';
        (void) ngx_http_dt_store_folder(path);
        *p = '/';
    }

    (void) ngx_http_dt_file_delete(temp, log);

    return NGX_DECLINED;
}


/* creates the folder of a site, and the one that it is in */

static ngx_uint_t
ngx_http_dt_store_folder(u_char *path)
{
    u_char      *slash;
    ngx_uint_t   n;

    slash = (u_char *) strrchr((char *) path, '/');

    for (n = 0; n < 2; n++) {

        if (ngx_create_dir(path, 0700) != NGX_FILE_ERROR
            || ngx_errno == NGX_EEXIST)
        {
            return 1;
        }

        if (ngx_errno != NGX_ENOENT) {
            return 0;
        }

        *slash = '\0';
        (void) ngx_create_dir(path, 0700);
        *slash = '/';
    }

    return 0;
}


/* the name depends on a secret, so that no site can choose that of another */

static void
ngx_http_dt_store_path(u_char *path, ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, const char *more)
{
    ngx_snprintf(path, NGX_MAX_PATH, "%V/pages/%016xL%s%Z", dir,
                 dt_hash((char *) site->data, site->len, zone->seed), more);
}


void
ngx_http_dt_store_take(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, u_char *path)
{
    u_char  from[NGX_MAX_PATH];

    ngx_http_dt_store_path(from, zone, dir, site, "");
    ngx_http_dt_store_path(path, zone, dir, site, ".job");
    ngx_http_dt_store_empty(zone, path, 0);

    if (ngx_rename_file(from, path) == NGX_FILE_ERROR) {
        path[0] = '\0';
    }
}


void
ngx_http_dt_store_drop(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, ngx_uint_t all)
{
    u_char  path[NGX_MAX_PATH];

    ngx_http_dt_store_path(path, zone, dir, site, ".job");
    ngx_http_dt_store_empty(zone, path, 0);

    if (all) {
        ngx_http_dt_store_path(path, zone, dir, site, "");
        ngx_http_dt_store_empty(zone, path, 0);
    }
}


void
ngx_http_dt_store_clean(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    time_t before)
{
    u_char      path[NGX_MAX_PATH], *p;
    ngx_dir_t   d;
    ngx_str_t   name;

    p = ngx_snprintf(path, NGX_MAX_PATH, "%V/pages%Z", dir);

    name.data = path;
    name.len = p - path - 1;

    if (ngx_open_dir(&name, &d) == NGX_ERROR) {
        return;
    }

    while (ngx_read_dir(&d) == NGX_OK) {

        if (ngx_de_name(&d)[0] == '.'
            || name.len + ngx_de_namelen(&d) + 2 > NGX_MAX_PATH)
        {
            continue;
        }

        ngx_snprintf(path + name.len, NGX_MAX_PATH - name.len, "/%s%Z",
                     ngx_de_name(&d));
        ngx_http_dt_store_empty(zone, path, before);
    }

    (void) ngx_close_dir(&d);
}


/* removes the pages of a folder, or those that are older, and the folder when
   it is empty */

static void
ngx_http_dt_store_empty(ngx_http_dt_zone_t *zone, u_char *path, time_t before)
{
    u_char            file[NGX_MAX_PATH];
    ngx_dir_t         d;
    ngx_str_t         name;
    ngx_file_info_t   fi;
    ngx_atomic_int_t  size;

    name.data = path;
    name.len = ngx_strlen(path);

    if (ngx_open_dir(&name, &d) == NGX_ERROR) {

        /* a file that a worker was writing when it ended */

        if (before == 0) {
            (void) ngx_delete_file(path);
        }

        return;
    }

    while (ngx_read_dir(&d) == NGX_OK) {

        if (ngx_de_name(&d)[0] == '.'
            || name.len + ngx_de_namelen(&d) + 2 > NGX_MAX_PATH)
        {
            continue;
        }

        ngx_snprintf(file, NGX_MAX_PATH, "%s/%s%Z", path, ngx_de_name(&d));

        if (ngx_link_info(file, &fi) == NGX_FILE_ERROR
            || (before && ngx_file_mtime(&fi) >= before)
            || ngx_delete_file(file) == NGX_FILE_ERROR)
        {
            continue;
        }

        size = ngx_min(ngx_file_size(&fi), (off_t) *zone->stored);
        (void) ngx_atomic_fetch_add(zone->stored, -size);
    }

    (void) ngx_close_dir(&d);
    (void) ngx_delete_dir(path);
}
