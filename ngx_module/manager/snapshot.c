
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
 * hash are hard to find.  The file has a head, then the template, with its
 * evidence unless that is in Redis only.  The head is in the layout of the
 * machine; its checksum rejects that of another machine.
 *
 * The file's time of modification says when the site was last asked for, as
 * the zone knows it, to the hour.  It is 0 until the site has been asked for
 * once more after it was learned: invented names seldom are.
 */


#define NGX_HTTP_DT_SNAPSHOT_MAGIC   0x4e535444     /* "DTSN" */
#define NGX_HTTP_DT_SNAPSHOT_FORMAT  4
#define NGX_HTTP_DT_SNAPSHOT_FROM_HOST  1   /* see ngx_http_dt_job_t */
#define NGX_HTTP_DT_SNAPSHOT_PINNED  2
#define NGX_HTTP_DT_SNAPSHOT_FLEET   4      /* with the one before */
#define NGX_HTTP_DT_SNAPSHOT_STALE   60     /* s: a temporary file is left
                                               over */
#define NGX_HTTP_DT_SNAPSHOT_USED    3600   /* s between two notes of use */


typedef struct {
    uint32_t                       magic;
    uint32_t                       format;
    uint32_t                       sum;        /* of what follows */
    uint32_t                       size;       /* of the template */
    int64_t                        valid;
    int64_t                        refresh;
    uint32_t                       flags;      /* NGX_HTTP_DT_SNAPSHOT_... */
    uint32_t                       len;        /* of the name */
    u_char                         site[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_snapshot_head_t;


static ngx_int_t ngx_http_dt_snapshot_room(ngx_http_dt_walk_t *walk,
    off_t size, ngx_log_t *log);
static ngx_int_t ngx_http_dt_snapshot_evict(ngx_http_dt_walk_t *walk,
    ngx_http_dt_room_file_t *file, ngx_log_t *log);
static off_t ngx_http_dt_snapshot_size(u_char *path);
static uint64_t ngx_http_dt_snapshot_rank(ngx_http_dt_snapshot_t *s,
    ngx_file_info_t *fi);
static time_t ngx_http_dt_snapshot_mtime(ngx_file_info_t *fi);
static void ngx_http_dt_snapshot_touch(u_char *path, time_t used,
    ngx_log_t *log);
static void ngx_http_dt_snapshot_set_time(u_char *path, time_t used,
    ngx_log_t *log);
static ngx_int_t ngx_http_dt_snapshot_file(ngx_http_dt_walk_t *walk,
    u_char *path, ngx_http_dt_snapshot_t *s, ngx_log_t *log);
static void ngx_http_dt_snapshot_count(ngx_http_dt_walk_t *walk,
    u_char *path, ngx_log_t *log);
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
    ngx_str_t *site, ngx_uint_t n);
static ngx_uint_t ngx_http_dt_snapshot_named(u_char *path, ngx_str_t *site);
static size_t ngx_http_dt_snapshot_more(u_char *name);
static ngx_int_t ngx_http_dt_snapshot_ours(u_char *name);


ngx_int_t
ngx_http_dt_snapshot_read(ngx_str_t *dir, ngx_str_t *site, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log)
{
    return ngx_http_dt_snapshot_read_one(dir, site, 0, whole, s, log);
}


ngx_int_t
ngx_http_dt_snapshot_read_one(ngx_str_t *dir, ngx_str_t *site, ngx_uint_t n,
    ngx_uint_t whole, ngx_http_dt_snapshot_t *s, ngx_log_t *log)
{
    u_char     path[NGX_MAX_PATH];
    ngx_int_t  rc;

    ngx_http_dt_snapshot_path(path, dir, site, n);

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

    return s.pub.size == s.pub.info.size
           && !ngx_http_dt_snapshot_older(&s.pub.info, work);
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
    off_t                        size, old;
    u_char                       path[NGX_MAX_PATH];
    time_t                       used;
    ngx_int_t                    rc;
    ngx_str_t                    parts[3];
    ngx_file_info_t              fi;
    ngx_http_dt_snapshot_head_t  h;

    ngx_http_dt_snapshot_path(path, walk->name, site, 0);

    used = (ngx_link_info(path, &fi) != NGX_FILE_ERROR)
           ? ngx_file_mtime(&fi) : 0;

    size = ngx_http_dt_room_size(sizeof(h) + pub->size);

    if (ngx_http_dt_snapshot_room(walk, size, log) != NGX_OK) {
        return NGX_DECLINED;
    }

    ngx_memzero(&h, sizeof(ngx_http_dt_snapshot_head_t));

    h.magic = NGX_HTTP_DT_SNAPSHOT_MAGIC;
    h.format = NGX_HTTP_DT_SNAPSHOT_FORMAT;
    h.size = pub->size;
    h.valid = pub->valid;
    h.refresh = pub->refresh;
    h.flags = (pub->from_host ? NGX_HTTP_DT_SNAPSHOT_FROM_HOST : 0)
              | (pub->pinned ? NGX_HTTP_DT_SNAPSHOT_PINNED : 0)
              | (pub->pinned == NGX_HTTP_DT_PINNED_FLEET
                 ? NGX_HTTP_DT_SNAPSHOT_FLEET : 0);
    h.len = site->len;
    ngx_memcpy(h.site, site->data, site->len);
    h.sum = ngx_http_dt_snapshot_sum(&h);

    parts[0].data = (u_char *) &h;
    parts[0].len = sizeof(h);
    parts[1].data = pub->data;
    parts[1].len = h.size;
    ngx_str_null(&parts[2]);

    old = ngx_http_dt_snapshot_size(path);
    rc = ngx_http_dt_file_replace(path, parts, log);

    if (rc == NGX_OK) {
        ngx_http_dt_room_written(&walk->room, size, old);
        ngx_http_dt_snapshot_set_time(path, used, log);

        if (used == 0) {
            ngx_http_dt_room_unused(&walk->room, (uint64_t) ngx_time(), size,
                                    path + walk->name->len + 1);
        }
    }

    return rc;
}


/* makes room for size bytes more; NGX_DECLINED: nothing else can go now */

static ngx_int_t
ngx_http_dt_snapshot_room(ngx_http_dt_walk_t *walk, off_t size, ngx_log_t *log)
{
    ngx_http_dt_room_file_t  file;

    while (ngx_http_dt_room_lacks(&walk->room, size)) {

        if (size > walk->room.max
            || ngx_http_dt_room_first(&walk->room, &file) != NGX_OK)
        {
            if (!walk->refused) {
                walk->refused = 1;
                ngx_log_error(NGX_LOG_WARN, log, 0,
                              "detemplate: there is no room for a snapshot of "
                              "%O bytes, max_size is %O", size,
                              walk->room.max);
            }

            return NGX_DECLINED;
        }

        if (!walk->logged) {
            walk->logged = 1;
            ngx_log_error(NGX_LOG_NOTICE, log, 0,
                          "detemplate: snapshots take %O bytes, max_size is "
                          "%O, those used least are removed",
                          walk->room.bytes, walk->room.max);
        }

        if (ngx_http_dt_snapshot_evict(walk, &file, log) != NGX_OK) {
            walk->room.wanted = 0;
            return NGX_DECLINED;
        }
    }

    return NGX_OK;
}


/* removes a snapshot, unless its site was asked for since the pass */

static ngx_int_t
ngx_http_dt_snapshot_evict(ngx_http_dt_walk_t *walk,
    ngx_http_dt_room_file_t *file, ngx_log_t *log)
{
    u_char                  path[NGX_MAX_PATH];
    ngx_int_t               rc;
    ngx_file_info_t         fi;
    ngx_http_dt_snapshot_t  s;

    ngx_snprintf(path, NGX_MAX_PATH, "%V/%s%Z", walk->name, file->name);

    rc = ngx_http_dt_snapshot_more(path)
         ? NGX_ERROR : ngx_http_dt_snapshot_load(path, 0, &s, log);

    if (rc == NGX_OK) {
        ngx_free(s.pub.data);

        ngx_http_dt_snapshot_touch(path,
                                   ngx_http_dt_zone_used(walk->zone, &s.site),
                                   log);

        if (ngx_link_info(path, &fi) != NGX_FILE_ERROR
            && ngx_http_dt_snapshot_rank(&s, &fi) > file->rank)
        {
            return NGX_OK;
        }
    }

    if (rc != NGX_DECLINED) {

        if (ngx_http_dt_file_delete(path, log) != NGX_OK) {
            return NGX_ERROR;
        }

        ngx_http_dt_zone_event(walk->zone, snapshots_evicted);

        ngx_log_debug1(NGX_LOG_DEBUG_CORE, log, 0,
                       "detemplate snapshot evicted: \"%s\"", path);
    }

    ngx_http_dt_room_removed(&walk->room, file->size);

    return NGX_OK;
}


/* the bytes that the file takes on disk */

static off_t
ngx_http_dt_snapshot_size(u_char *path)
{
    ngx_file_info_t  fi;

    return (ngx_link_info(path, &fi) != NGX_FILE_ERROR && ngx_is_file(&fi))
           ? ngx_http_dt_room_size(ngx_file_size(&fi)) : 0;
}


/*
 * First go snapshots of sites that were not asked for again, and those that
 * are not sound, the oldest first.  Then those of names that requests choose
 * go, and at last those of other names, which nobody can invent; of both,
 * those that were used least recently go first.
 */

static uint64_t
ngx_http_dt_snapshot_rank(ngx_http_dt_snapshot_t *s, ngx_file_info_t *fi)
{
    time_t    used;
    uint64_t  class;

    used = ngx_http_dt_snapshot_mtime(fi);

    if (s == NULL || used == 0) {
        class = 0;
        used = ngx_max(fi->st_ctime, 0);

    } else {
        class = s->pub.from_host ? 1 : 2;
    }

    return class << 60 | (uint64_t) used;
}


/* a time ahead of the clock says nothing */

static time_t
ngx_http_dt_snapshot_mtime(ngx_file_info_t *fi)
{
    time_t  used;

    used = ngx_file_mtime(fi);

    return (used < 0 || ngx_http_dt_ahead(used)) ? 0 : used;
}


/* notes the last use in the file, but not each time */

static void
ngx_http_dt_snapshot_touch(u_char *path, time_t used, ngx_log_t *log)
{
    ngx_file_info_t  fi;

    if (ngx_link_info(path, &fi) != NGX_FILE_ERROR
        && used >= ngx_http_dt_snapshot_mtime(&fi)
                   + NGX_HTTP_DT_SNAPSHOT_USED)
    {
        ngx_http_dt_snapshot_set_time(path, used, log);
    }
}


static void
ngx_http_dt_snapshot_set_time(u_char *path, time_t used, ngx_log_t *log)
{
    if (ngx_set_file_time(path, NGX_INVALID_FILE, used) != NGX_OK) {
        ngx_log_error(NGX_LOG_WARN, log, ngx_errno,
                      "detemplate: " ngx_set_file_time_n " \"%s\" failed",
                      path);
    }
}


void
ngx_http_dt_snapshot_used(ngx_str_t *dir, ngx_str_t *site, ngx_log_t *log)
{
    u_char  path[NGX_MAX_PATH];

    ngx_http_dt_snapshot_path(path, dir, site, 0);
    ngx_http_dt_snapshot_touch(path, ngx_time(), log);
}


ngx_int_t
ngx_http_dt_snapshot_keep(ngx_http_dt_walk_t *walk, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub, ngx_log_t *log)
{
    /* pages that were added make no other template */

    if (work->version && !work->added) {
        ngx_http_dt_snapshot_shift(walk, &work->site, NGX_HTTP_DT_EARLIER,
                                   log);
    }

    return ngx_http_dt_snapshot_write(walk, &work->site, pub, log);
}


/*
 * The snapshot stays where it is until another one replaces it, so that there
 * is one at any time.
 */

void
ngx_http_dt_snapshot_shift(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_uint_t n, ngx_log_t *log)
{
    off_t   size, old;
    u_char  path[NGX_MAX_PATH], to[NGX_MAX_PATH];

    ngx_http_dt_snapshot_path(to, walk->name, site, n);
    old = ngx_http_dt_snapshot_size(to);

    while (--n) {
        ngx_http_dt_snapshot_path(path, walk->name, site, n);

        if (ngx_rename_file(path, to) == NGX_FILE_ERROR
            && ngx_errno != NGX_ENOENT)
        {
            goto failed;
        }

        ngx_memcpy(to, path, NGX_MAX_PATH);
    }

    if (ngx_http_dt_file_delete(to, log) != NGX_OK) {
        return;
    }

    ngx_http_dt_snapshot_path(path, walk->name, site, 0);
    size = ngx_http_dt_snapshot_size(path);

    if (size && link((const char *) path, (const char *) to) == -1) {
        goto failed;
    }

    ngx_http_dt_room_written(&walk->room, size, old);

    return;

failed:

    ngx_log_error(NGX_LOG_WARN, log, ngx_errno,
                  "detemplate: \"%s\" was not kept as \"%s\"", path, to);
}


ngx_int_t
ngx_http_dt_snapshot_remove(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_uint_t *n, ngx_log_t *log)
{
    off_t       size;
    u_char      path[NGX_MAX_PATH];
    ngx_uint_t  i;

    for (i = 0, *n = 0; i <= NGX_HTTP_DT_EARLIER; i++) {
        ngx_http_dt_snapshot_path(path, walk->name, site, i);
        size = ngx_http_dt_snapshot_size(path);

        if (ngx_http_dt_file_delete(path, log) != NGX_OK) {
            return NGX_ERROR;
        }

        *n += (size != 0);
        ngx_http_dt_room_removed(&walk->room, size);
    }

    return NGX_OK;
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

    if (rc == NGX_OK && ngx_http_dt_snapshot_more(name)) {
        ngx_http_dt_snapshot_count(walk, path, log);
        return NGX_AGAIN;
    }

    if (rc == NGX_OK) {
        return ngx_http_dt_snapshot_file(walk, path, s, log);
    }

    if (rc == NGX_DECLINED && ngx_link_info(path, &fi) != NGX_FILE_ERROR) {

        if (ngx_file_mtime(&fi) + NGX_HTTP_DT_SNAPSHOT_STALE < ngx_time()) {
            (void) ngx_http_dt_file_delete(path, log);

        } else {
            ngx_http_dt_room_add(&walk->room, 0,
                                 ngx_http_dt_room_size(ngx_file_size(&fi)),
                                 NULL);
        }
    }

    return NGX_AGAIN;
}


/* reads and counts a snapshot, and notes the use of its site */

static ngx_int_t
ngx_http_dt_snapshot_file(ngx_http_dt_walk_t *walk, u_char *path,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log)
{
    ngx_int_t        rc;
    ngx_file_info_t  fi;

    rc = ngx_http_dt_snapshot_load(path, 0, s, log);

    if (rc == NGX_DECLINED) {
        return NGX_AGAIN;
    }

    if (rc == NGX_OK) {
        ngx_http_dt_snapshot_touch(path,
                                   ngx_http_dt_zone_used(walk->zone, &s->site),
                                   log);
    }

    if (ngx_link_info(path, &fi) != NGX_FILE_ERROR && ngx_is_file(&fi)) {
        ngx_http_dt_room_add(&walk->room,
                             ngx_http_dt_snapshot_rank(rc == NGX_OK ? s : NULL,
                                                       &fi),
                             ngx_http_dt_room_size(ngx_file_size(&fi)),
                             path + walk->name->len + 1);
    }

    return rc;
}


/*
 * Counts an earlier template.  It is among the first to go, and it goes with
 * the snapshot of its site.
 */

static void
ngx_http_dt_snapshot_count(ngx_http_dt_walk_t *walk, u_char *path,
    ngx_log_t *log)
{
    u_char           now[NGX_MAX_PATH];
    ngx_file_info_t  fi;

    ngx_cpystrn(now, path,
                ngx_strlen(path) - NGX_HTTP_DT_SNAPSHOT_MORE + 1);

    if (ngx_link_info(now, &fi) == NGX_FILE_ERROR
        && ngx_errno == NGX_ENOENT)
    {
        (void) ngx_http_dt_file_delete(path, log);
        return;
    }

    if (ngx_link_info(path, &fi) != NGX_FILE_ERROR) {
        ngx_http_dt_room_add(&walk->room,
                             ngx_http_dt_snapshot_rank(NULL, &fi),
                             ngx_http_dt_room_size(ngx_file_size(&fi)),
                             path + walk->name->len + 1);
    }
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
        ngx_http_dt_room_begin(&walk->room);
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
    walk->refused = 0;

    ngx_http_dt_room_end(&walk->room);
    (void) ngx_http_dt_snapshot_room(walk, 0, log);

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

    if (s->pub.valid <= ngx_time()
        && !s->pub.pinned
        && !ngx_http_dt_snapshot_more(path))
    {
        ngx_free(s->pub.data);
        (void) ngx_http_dt_file_delete(path, log);
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
        || h.flags > (NGX_HTTP_DT_SNAPSHOT_FROM_HOST
                      | NGX_HTTP_DT_SNAPSHOT_PINNED
                      | NGX_HTTP_DT_SNAPSHOT_FLEET)
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
    s->pub.if_room = 0;
    s->pub.from_host = (h.flags & NGX_HTTP_DT_SNAPSHOT_FROM_HOST) != 0;
    s->pub.pinned = (h.flags & NGX_HTTP_DT_SNAPSHOT_FLEET)
                    ? NGX_HTTP_DT_PINNED_FLEET
                    : (h.flags & NGX_HTTP_DT_SNAPSHOT_PINNED)
                      ? NGX_HTTP_DT_PINNED_HERE : 0;
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
    pub->size = len;
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

        if (pub->info.size != size && pub->info.serve_size != size) {
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
ngx_http_dt_snapshot_path(u_char *path, ngx_str_t *dir, ngx_str_t *site,
    ngx_uint_t n)
{
    u_char    *p;
    u_char     hash[16], hex[32];
    ngx_md5_t  md5;

    ngx_md5_init(&md5);
    ngx_md5_update(&md5, site->data, site->len);
    ngx_md5_final(hash, &md5);

    p = ngx_snprintf(path, NGX_MAX_PATH, "%V/%*s.dt", dir,
                     ngx_hex_dump(hex, hash, sizeof(hash)) - hex, hex);

    if (n) {
        p = ngx_sprintf(p, ".%ui", n);
    }

    *p = '\0';
}


/* whether the site's snapshot, or that of an earlier one, has this path */

static ngx_uint_t
ngx_http_dt_snapshot_named(u_char *path, ngx_str_t *site)
{
    size_t     len;
    u_char     own[NGX_MAX_PATH];
    ngx_str_t  dir;

    len = ngx_strlen(path) - ngx_http_dt_snapshot_more(path);

    dir.data = path;
    dir.len = len - NGX_HTTP_DT_SNAPSHOT_NAME - 1;

    ngx_http_dt_snapshot_path(own, &dir, site, 0);

    return ngx_strlen(own) == len && ngx_strncmp(own, path, len) == 0;
}


/* bytes behind the name of the present snapshot: of an earlier one, not 0 */

static size_t
ngx_http_dt_snapshot_more(u_char *name)
{
    u_char  *last;

    last = name + ngx_strlen(name) - 1;

    return (*last >= '1' && *last <= '0' + NGX_HTTP_DT_EARLIER)
           ? NGX_HTTP_DT_SNAPSHOT_MORE : 0;
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

    if (snapshot
        && (len == NGX_HTTP_DT_SNAPSHOT_NAME
            || (len == NGX_HTTP_DT_SNAPSHOT_NAME + NGX_HTTP_DT_SNAPSHOT_MORE
                && name[NGX_HTTP_DT_SNAPSHOT_NAME] == '.'
                && ngx_http_dt_snapshot_more(name))))
    {
        return NGX_OK;
    }

    if ((snapshot || ngx_strncmp(name, "key.", 4) == 0)
        && ngx_strcmp(name + len - 4, ".tmp") == 0)
    {
        return NGX_DECLINED;
    }

    return NGX_ERROR;
}
