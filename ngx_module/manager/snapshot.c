
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/template/table.h"
#include "ngx_module/manager/snapshot.h"
#include "ngx_module/zone/file.h"

#include <ngx_md5.h>


/*
 * Each site has a file, named after a hash of the site's name.  Clients may
 * choose names of sites, so the hash is one for which two names with the same
 * hash are hard to find.  The file has a head, then the whole template,
 * including the evidence.  The head is in the layout of the machine; its
 * checksum rejects that of another machine.
 */


#define NGX_HTTP_DT_SNAPSHOT_MAGIC   0x4e535444     /* "DTSN" */
#define NGX_HTTP_DT_SNAPSHOT_FORMAT  3
#define NGX_HTTP_DT_SNAPSHOT_STALE   60     /* s: a temporary file is left
                                               over */


typedef struct {
    uint32_t                       magic;
    uint32_t                       format;
    uint32_t                       sum;        /* of what follows */
    uint32_t                       size;       /* of the template */
    int64_t                        valid;
    int64_t                        refresh;
    ngx_http_dt_pages_t            pages;
    uint32_t                       from_host;  /* see ngx_http_dt_job_t */
    uint32_t                       len;        /* of it */
    u_char                         site[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_snapshot_head_t;


static ngx_int_t ngx_http_dt_snapshot_next(ngx_http_dt_walk_t *walk,
    ngx_log_t *log);
static ngx_int_t ngx_http_dt_snapshot_load(u_char *path, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log);
static const char *ngx_http_dt_snapshot_parse(ngx_fd_t fd, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log);
static const char *ngx_http_dt_snapshot_template(ngx_fd_t fd, size_t size,
    ngx_uint_t whole, ngx_http_dt_publish_t *pub, ngx_log_t *log);
static uint32_t ngx_http_dt_snapshot_sum(ngx_http_dt_snapshot_head_t *h);
static void ngx_http_dt_snapshot_path(u_char *path, ngx_str_t *dir,
    ngx_str_t *site);
static ngx_uint_t ngx_http_dt_snapshot_named(u_char *path, ngx_str_t *site);
static ngx_int_t ngx_http_dt_snapshot_ours(u_char *name);


ngx_int_t
ngx_http_dt_snapshot_read(ngx_str_t *dir, ngx_str_t *site, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log)
{
    u_char     path[NGX_MAX_PATH];
    ngx_int_t  rc;

    ngx_http_dt_snapshot_path(path, dir, site);

    rc = ngx_http_dt_snapshot_load(path, whole, s, log);

    if (rc == NGX_OK
        && (s->site.len != site->len
            || ngx_memcmp(s->site.data, site->data, site->len) != 0))
    {
        /* somebody has put the file of another site there */

        ngx_free(s->pub.data);
        return NGX_DECLINED;
    }

    return rc;
}


ngx_uint_t
ngx_http_dt_snapshot_has(ngx_str_t *dir, ngx_http_dt_work_t *work,
    ngx_log_t *log)
{
    ngx_http_dt_snapshot_t  s;

    if (ngx_http_dt_snapshot_read(dir, &work->site, 1, &s, log)
        != NGX_OK)
    {
        return 0;
    }

    ngx_free(s.pub.data);

    return !ngx_http_dt_snapshot_older(&s.pub.info, work);
}


ngx_uint_t
ngx_http_dt_snapshot_older(dt_template_info_t *info, ngx_http_dt_work_t *work)
{
    return info->learned_at < work->learned_at
           || (info->learned_at == work->learned_at
               && info->version < work->version);
}


ngx_int_t
ngx_http_dt_snapshot_write(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_http_dt_publish_t *pub, ngx_log_t *log)
{
    u_char                       path[NGX_MAX_PATH];
    ngx_int_t                    rc;
    ngx_str_t                    parts[3];
    ngx_uint_t                   added;
    ngx_file_info_t              fi;
    ngx_http_dt_snapshot_head_t  h;

    ngx_http_dt_snapshot_path(path, walk->name, site);

    added = pub->from_host && ngx_file_info(path, &fi) == NGX_FILE_ERROR;

    if (added && walk->from_host >= walk->max) {

        if (!walk->logged) {
            walk->logged = 1;
            ngx_log_error(NGX_LOG_WARN, log, 0,
                          "detemplate: %ui snapshots of sites that requests "
                          "have named, no more are kept", walk->from_host);
        }

        return NGX_DECLINED;
    }

    ngx_memzero(&h, sizeof(ngx_http_dt_snapshot_head_t));

    h.magic = NGX_HTTP_DT_SNAPSHOT_MAGIC;
    h.format = NGX_HTTP_DT_SNAPSHOT_FORMAT;
    h.size = pub->info.size;
    h.valid = pub->valid;
    h.refresh = pub->refresh;
    h.pages = pub->pages;
    h.from_host = pub->from_host;
    h.len = site->len;
    ngx_memcpy(h.site, site->data, site->len);
    h.sum = ngx_http_dt_snapshot_sum(&h);

    parts[0].data = (u_char *) &h;
    parts[0].len = sizeof(h);
    parts[1].data = pub->data;
    parts[1].len = h.size;
    ngx_str_null(&parts[2]);

    rc = ngx_http_dt_file_replace(path, parts, log);

    walk->from_host += (rc == NGX_OK && added);

    return rc;
}


ngx_int_t
ngx_http_dt_snapshot_keep(ngx_http_dt_walk_t *walk, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub, ngx_log_t *log)
{
    ngx_int_t  rc;

    rc = ngx_http_dt_snapshot_write(walk, &work->site, pub, log);

    if (rc != NGX_OK) {
        work->pages.n = NGX_HTTP_DT_KEYS;
    }

    return rc;
}


ngx_int_t
ngx_http_dt_snapshot_walk(ngx_http_dt_walk_t *walk, ngx_http_dt_snapshot_t *s,
    ngx_log_t *log)
{
    u_char           path[NGX_MAX_PATH + NGX_INT64_LEN];
    u_char          *name;
    ngx_int_t        rc;
    ngx_str_t       *dir;
    ngx_file_info_t  fi;

    if (ngx_http_dt_snapshot_next(walk, log) != NGX_OK) {
        return NGX_DONE;
    }

    dir = walk->name;
    name = ngx_de_name(&walk->dir);

    if (ngx_de_namelen(&walk->dir) > 64
        || dir->len + ngx_de_namelen(&walk->dir) + 2 > NGX_MAX_PATH)
    {
        return NGX_AGAIN;
    }

    ngx_snprintf(path, sizeof(path), "%V/%s%Z", dir, name);

    rc = ngx_http_dt_snapshot_ours(name);

    if (rc == NGX_DECLINED
        && ngx_file_info(path, &fi) != NGX_FILE_ERROR
        && ngx_file_mtime(&fi) + NGX_HTTP_DT_SNAPSHOT_STALE
           < ngx_time())
    {
        ngx_http_dt_file_delete(path, log);
    }

    if (rc != NGX_OK) {
        return NGX_AGAIN;
    }

    rc = ngx_http_dt_snapshot_load(path, 0, s, log);

    if (rc == NGX_OK) {
        walk->counted += s->pub.from_host;
    }

    return (rc == NGX_DECLINED) ? NGX_AGAIN : rc;
}


/* reads the next name of the directory; NGX_DONE: the pass has ended */

static ngx_int_t
ngx_http_dt_snapshot_next(ngx_http_dt_walk_t *walk, ngx_log_t *log)
{
    ngx_str_t  *dir;

    dir = walk->name;

    if (!walk->open) {

        if (ngx_open_dir(dir, &walk->dir) == NGX_ERROR) {
            ngx_log_error(NGX_LOG_ERR, log, ngx_errno,
                          "detemplate: " ngx_open_dir_n " \"%V\" failed", dir);
            return NGX_DONE;
        }

        walk->open = 1;
    }

    ngx_set_errno(0);

    if (ngx_read_dir(&walk->dir) != NGX_ERROR) {
        return NGX_OK;
    }

    if (ngx_errno != NGX_ENOMOREFILES) {
        ngx_log_error(NGX_LOG_ERR, log, ngx_errno,
                      "detemplate: " ngx_read_dir_n " \"%V\" failed", dir);
    }

    if (ngx_close_dir(&walk->dir) == NGX_ERROR) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: " ngx_close_dir_n " \"%V\" failed", dir);
    }

    walk->open = 0;
    walk->logged = 0;
    walk->from_host = walk->counted;
    walk->counted = 0;

    return NGX_DONE;
}


static ngx_int_t
ngx_http_dt_snapshot_load(u_char *path, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log)
{
    ngx_fd_t     fd;
    const char  *why;

    fd = ngx_http_dt_file_open(path);

    if (fd == NGX_INVALID_FILE) {

        if (ngx_errno == NGX_ENOENT) {
            return NGX_DECLINED;
        }

        ngx_log_error(NGX_LOG_WARN, log, ngx_errno,
                      "detemplate: " ngx_open_file_n " \"%s\" failed", path);
        return NGX_ERROR;
    }

    why = ngx_http_dt_snapshot_parse(fd, whole, s, log);

    if (why == NULL && !ngx_http_dt_snapshot_named(path, &s->site)) {
        ngx_free(s->pub.data);
        why = "site";
    }

    if (ngx_close_file(fd) == NGX_FILE_ERROR) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: " ngx_close_file_n " \"%s\" failed", path);
    }

    if (why) {
        ngx_log_error(NGX_LOG_WARN, log, 0,
                      "detemplate: snapshot \"%s\" is ignored: %s", path, why);
        return NGX_ERROR;
    }

    if (s->pub.valid <= ngx_time()) {
        ngx_free(s->pub.data);
        ngx_http_dt_file_delete(path, log);
        return NGX_DECLINED;
    }

    return NGX_OK;
}


/* returns what is wrong with the file, or NULL */

static const char *
ngx_http_dt_snapshot_parse(ngx_fd_t fd, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log)
{
    const char                  *why;
    ngx_file_info_t              fi;
    ngx_http_dt_snapshot_head_t  h;

    if (ngx_fd_info(fd, &fi) == NGX_FILE_ERROR || !ngx_is_file(&fi)) {
        return "not a file";
    }

    if (ngx_read_fd(fd, &h, sizeof(h)) != (ssize_t) sizeof(h)) {
        return "truncated";
    }

    if (h.magic != NGX_HTTP_DT_SNAPSHOT_MAGIC) {
        return "magic";
    }

    if (h.format != NGX_HTTP_DT_SNAPSHOT_FORMAT) {
        return "format";
    }

    if (h.sum != ngx_http_dt_snapshot_sum(&h)) {
        return "checksum";
    }

    if (h.len == 0
        || h.len > NGX_HTTP_DT_MAX_SITE
        || h.pages.n > NGX_HTTP_DT_KEYS
        || h.from_host > 1
        || h.refresh > h.valid
        || h.size == 0
        || h.size > DT_TEMPLATE_MAX)
    {
        return "head";
    }

    if (ngx_file_size(&fi) != (off_t) (sizeof(h) + h.size)) {
        return "size";
    }

    why = ngx_http_dt_snapshot_template(fd, h.size, whole, &s->pub, log);
    if (why) {
        return why;
    }

    s->pub.valid = h.valid;
    s->pub.refresh = h.refresh;
    s->pub.source = NGX_HTTP_DT_SOURCE_SNAPSHOT;
    s->pub.pages = h.pages;
    s->pub.if_room = 0;
    s->pub.from_host = h.from_host;
    s->pub.url[0] = '\0';

    ngx_memcpy(s->name, h.site, h.len);
    s->site.data = s->name;
    s->site.len = h.len;

    return NULL;
}


/*
 * Reads the template, which has size bytes in the file, or only the part that
 * serves, which is small, and all that a start or a reload needs.  Returns
 * what is wrong with it, or NULL.
 */

static const char *
ngx_http_dt_snapshot_template(ngx_fd_t fd, size_t size, ngx_uint_t whole,
    ngx_http_dt_publish_t *pub, ngx_log_t *log)
{
    size_t               len;
    u_char              *p;
    const char          *why;
    dt_template_head_t   head;

    if (size < sizeof(head)
        || ngx_read_fd(fd, &head, sizeof(head)) != (ssize_t) sizeof(head))
    {
        return "truncated";
    }

    len = whole ? size : head.serve_size;

    if (len < sizeof(head) || len > size) {
        return "size";
    }

    p = ngx_alloc(len, log);
    if (p == NULL) {
        return "no memory";
    }

    pub->data = p;
    p = ngx_cpymem(p, &head, sizeof(head));
    len -= sizeof(head);

    why = NULL;

    if (ngx_read_fd(fd, p, len) != (ssize_t) len) {
        why = "truncated";

    } else if (dt_template_check(pub->data, len + sizeof(head), &why) != DT_OK)
    {
        why = why ? why : "template";

    } else {
        why = NULL;
        dt_template_info(pub->data, &pub->info);

        if (pub->info.size != size) {
            why = "template is cut";

        } else if (ngx_http_dt_ahead(pub->info.learned_at)) {
            why = "time";
        }
    }

    if (why) {
        ngx_free(pub->data);
    }

    return why;
}


static uint32_t
ngx_http_dt_snapshot_sum(ngx_http_dt_snapshot_head_t *h)
{
    return ngx_crc32_long((u_char *) &h->size,
                          sizeof(ngx_http_dt_snapshot_head_t)
                      - offsetof(ngx_http_dt_snapshot_head_t, size));
}


/* the configuration checks that the name of the directory leaves room */

static void
ngx_http_dt_snapshot_path(u_char *path, ngx_str_t *dir, ngx_str_t *site)
{
    u_char     hash[16], hex[32];
    ngx_md5_t  md5;

    ngx_md5_init(&md5);
    ngx_md5_update(&md5, site->data, site->len);
    ngx_md5_final(hash, &md5);

    ngx_snprintf(path, NGX_MAX_PATH, "%V/%*s.dt%Z", dir,
                 ngx_hex_dump(hex, hash, sizeof(hash)) - hex, hex);
}


/* whether the site's snapshot has this path */

static ngx_uint_t
ngx_http_dt_snapshot_named(u_char *path, ngx_str_t *site)
{
    u_char     own[NGX_MAX_PATH];
    ngx_str_t  dir;

    dir.data = path;
    dir.len = ngx_strlen(path) - NGX_HTTP_DT_SNAPSHOT_NAME - 1;

    ngx_http_dt_snapshot_path(own, &dir, site);

    return ngx_strcmp(own, path) == 0;
}


/* NGX_OK: a snapshot; NGX_DECLINED: a temporary file; NGX_ERROR: not ours */

static ngx_int_t
ngx_http_dt_snapshot_ours(u_char *name)
{
    size_t      len;
    ngx_uint_t  snapshot;

    len = ngx_strlen(name);

    snapshot = (len >= NGX_HTTP_DT_SNAPSHOT_NAME
                && ngx_strncmp(name + 32, ".dt", 3) == 0
                && strspn((char *) name, "0123456789abcdef") == 32);

    if (snapshot && len == NGX_HTTP_DT_SNAPSHOT_NAME) {
        return NGX_OK;
    }

    if ((snapshot || ngx_strncmp(name, "key.", 4) == 0)
        && ngx_strcmp(name + len - 4, ".tmp") == 0)
    {
        return NGX_DECLINED;
    }

    return NGX_ERROR;
}
