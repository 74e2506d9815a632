
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/manager/snapshot.h"
#include "core/template/table.h"
#include "ngx_module/zone/control.h"
#include "ngx_module/zone/file.h"
#include "ngx_module/zone/zone.h"

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


#define NGX_HTTP_DT_SNAPSHOT_STALE   60     /* s: a temporary file is left
                                               over */
#define NGX_HTTP_DT_SNAPSHOT_USED    3600   /* s between two notes of use */

/* a file takes whole blocks */

#define ngx_http_dt_snapshot_blocks(size)  ngx_align((off_t) (size), 4096)


static ngx_int_t ngx_http_dt_snapshot_room(ngx_http_dt_walk_t *walk,
    off_t size);
static ngx_int_t ngx_http_dt_snapshot_evict(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_file_t *file);
static void ngx_http_dt_snapshot_written(ngx_http_dt_walk_t *walk,
    off_t size, off_t old);
static void ngx_http_dt_snapshot_want(ngx_http_dt_walk_t *walk);
static ngx_int_t ngx_http_dt_snapshot_first(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_file_t *file);
static void ngx_http_dt_snapshot_found(ngx_http_dt_walk_t *walk,
    u_char *path, ngx_http_dt_snapshot_t *s);
static void ngx_http_dt_snapshot_put(ngx_http_dt_snapshot_list_t *list,
    uint64_t rank, off_t size, u_char *name);
static void ngx_http_dt_snapshot_drop(ngx_http_dt_snapshot_list_t *list,
    ngx_uint_t i);
static off_t ngx_http_dt_snapshot_size(u_char *path);
static uint64_t ngx_http_dt_snapshot_rank(ngx_http_dt_snapshot_t *s,
    ngx_file_info_t *fi);
static time_t ngx_http_dt_snapshot_mtime(ngx_file_info_t *fi);
static void ngx_http_dt_snapshot_touch(u_char *path, time_t used);
static void ngx_http_dt_snapshot_set_time(u_char *path, time_t used);
static ngx_int_t ngx_http_dt_snapshot_file(ngx_http_dt_walk_t *walk,
    u_char *path, ngx_http_dt_snapshot_t *s);
static void ngx_http_dt_snapshot_count(ngx_http_dt_walk_t *walk, u_char *path);
static ngx_int_t ngx_http_dt_snapshot_next(ngx_http_dt_walk_t *walk);
static ngx_int_t ngx_http_dt_snapshot_load(u_char *path, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s);
static const char *ngx_http_dt_snapshot_parse(ngx_fd_t fd, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s);
static const char *ngx_http_dt_snapshot_template(ngx_fd_t fd, size_t size,
    ngx_uint_t whole, ngx_http_dt_publish_t *pub);
static uint32_t ngx_http_dt_snapshot_sum(dt_snapshot_head_t *h);
static void ngx_http_dt_snapshot_path(u_char *path, ngx_str_t *dir,
    ngx_str_t *site, ngx_uint_t n);
static ngx_uint_t ngx_http_dt_snapshot_named(u_char *path, ngx_str_t *site);
static size_t ngx_http_dt_snapshot_more(u_char *name);
static ngx_int_t ngx_http_dt_snapshot_ours(u_char *name);


ngx_int_t
ngx_http_dt_snapshot_read(ngx_str_t *dir, ngx_str_t *site, ngx_uint_t n,
    ngx_uint_t whole, ngx_http_dt_snapshot_t *s)
{
    u_char  path[NGX_MAX_PATH];

    ngx_http_dt_snapshot_path(path, dir, site, n);

    return ngx_http_dt_snapshot_load(path, whole, s);
}


ngx_int_t
ngx_http_dt_snapshot_evidence(ngx_str_t *dir, ngx_http_dt_work_t *work,
    ngx_http_dt_snapshot_t *s)
{
    if (ngx_http_dt_snapshot_read(dir, &work->site, 0, 1, s) != NGX_OK) {
        return NGX_DECLINED;
    }

    if (s->pub.size == s->pub.info.size
        && !ngx_http_dt_snapshot_older(&s->pub.info, work))
    {
        return NGX_OK;
    }

    ngx_free(s->pub.data);

    return NGX_DECLINED;
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
    ngx_http_dt_publish_t *pub)
{
    off_t               size, old;
    u_char              path[NGX_MAX_PATH];
    time_t              used;
    ngx_int_t           rc;
    ngx_str_t           parts[3];
    ngx_uint_t          i;
    ngx_file_info_t     fi;
    dt_snapshot_head_t  h;

    ngx_http_dt_snapshot_path(path, walk->name, site, 0);

    used = (ngx_link_info(path, &fi) != NGX_FILE_ERROR)
           ? ngx_file_mtime(&fi) : 0;

    size = ngx_http_dt_snapshot_blocks(sizeof(h) + pub->size);

    if (ngx_http_dt_snapshot_room(walk, size) != NGX_OK) {
        return NGX_DECLINED;
    }

    ngx_memzero(&h, sizeof(dt_snapshot_head_t));

    h.magic = DT_SNAPSHOT_MAGIC;
    h.format = DT_SNAPSHOT_FORMAT;
    h.size = pub->size;
    h.valid = pub->valid;
    h.refresh = pub->refresh;
    h.flags = (pub->from_host ? DT_SNAPSHOT_FROM_HOST : 0)
              | (pub->pinned ? DT_SNAPSHOT_PINNED : 0)
              | (pub->pinned == NGX_HTTP_DT_PINNED_FLEET
                 ? DT_SNAPSHOT_FLEET : 0);
    h.len = site->len;
    ngx_memcpy(h.site, site->data, site->len);
    h.sum = ngx_http_dt_snapshot_sum(&h);

    parts[0].data = (u_char *) &h;
    parts[0].len = sizeof(h);
    parts[1].data = pub->data;
    parts[1].len = h.size;
    ngx_str_null(&parts[2]);

    old = ngx_http_dt_snapshot_size(path);
    rc = ngx_http_dt_file_replace(path, parts, ngx_cycle->log);

    if (rc == NGX_OK) {
        ngx_http_dt_snapshot_written(walk, size, old);
        ngx_http_dt_snapshot_set_time(path, used);

        /* a file that was never used goes before all used ones */

        for (i = 0; i < 2 && used == 0; i++) {
            ngx_http_dt_snapshot_put(&walk->lists[i], (uint64_t) ngx_time(),
                                     size, path + walk->name->len + 1);
        }
    }

    return rc;
}


/* makes room for size bytes more; NGX_DECLINED: nothing else can go now */

static ngx_int_t
ngx_http_dt_snapshot_room(ngx_http_dt_walk_t *walk, off_t size)
{
    ngx_http_dt_snapshot_file_t  file;

    while (walk->bytes + size > walk->max) {

        if (size > walk->max
            || ngx_http_dt_snapshot_first(walk, &file) != NGX_OK)
        {
            if (!walk->refused) {
                walk->refused = 1;
                ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                              "detemplate: there is no room for a snapshot of "
                              "%O bytes, max_size is %O", size,
                              walk->max);
            }

            return NGX_DECLINED;
        }

        if (!walk->logged) {
            walk->logged = 1;
            ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                          "detemplate: snapshots take %O bytes, max_size is "
                          "%O, those used least are removed",
                          walk->bytes, walk->max);
        }

        if (ngx_http_dt_snapshot_evict(walk, &file) != NGX_OK) {
            walk->wanted = 0;
            return NGX_DECLINED;
        }
    }

    return NGX_OK;
}


/*
 * A file of size bytes was written in the place of one of old bytes.  The pass
 * under way may come to the new file, the old one, both or none, so that it
 * may count too much.
 */

static void
ngx_http_dt_snapshot_written(ngx_http_dt_walk_t *walk, off_t size, off_t old)
{
    walk->bytes += size - old;
    walk->counted += size;

    if (ngx_http_dt_snapshot_scarce(walk)) {
        ngx_http_dt_snapshot_want(walk);
    }
}


static void
ngx_http_dt_snapshot_want(ngx_http_dt_walk_t *walk)
{
    walk->wanted |= (walk->lists[walk->now].n <= walk->found / 2);
}


/* takes the file that goes next; NGX_DECLINED: a pass has to find some */

static ngx_int_t
ngx_http_dt_snapshot_first(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_file_t *file)
{
    ngx_http_dt_snapshot_list_t  *list;

    ngx_http_dt_snapshot_want(walk);

    list = &walk->lists[walk->now];

    if (list->n == 0) {
        return NGX_DECLINED;
    }

    *file = list->files[0];
    ngx_http_dt_snapshot_drop(list, 0);

    return NGX_OK;
}


/* adds a file to the pass; s is NULL if it is no sound snapshot */

static void
ngx_http_dt_snapshot_found(ngx_http_dt_walk_t *walk, u_char *path,
    ngx_http_dt_snapshot_t *s)
{
    off_t            size;
    ngx_file_info_t  fi;

    if (ngx_link_info(path, &fi) == NGX_FILE_ERROR || !ngx_is_file(&fi)) {
        return;
    }

    size = ngx_http_dt_snapshot_blocks(ngx_file_size(&fi));

    walk->counted += size;
    ngx_http_dt_snapshot_put(&walk->lists[!walk->now],
                             ngx_http_dt_snapshot_rank(s, &fi), size,
                             path + walk->name->len + 1);
}


/* a full list forgets its last file for one that goes sooner */

static void
ngx_http_dt_snapshot_put(ngx_http_dt_snapshot_list_t *list, uint64_t rank,
    off_t size, u_char *name)
{
    ngx_uint_t                    i;
    ngx_http_dt_snapshot_file_t  *files;

    files = list->files;

    if (list->n == NGX_HTTP_DT_SNAPSHOT_LIST
        && rank >= files[list->n - 1].rank)
    {
        return;
    }

    for (i = 0; i < list->n; i++) {
        if (ngx_strcmp(files[i].name, name) == 0) {
            ngx_http_dt_snapshot_drop(list, i);
            break;
        }
    }

    list->n -= (list->n == NGX_HTTP_DT_SNAPSHOT_LIST);

    for (i = list->n++; i && files[i - 1].rank > rank; i--) {
        files[i] = files[i - 1];
    }

    files[i].rank = rank;
    files[i].size = size;
    ngx_cpystrn(files[i].name, name, sizeof(files[i].name));
}


static void
ngx_http_dt_snapshot_drop(ngx_http_dt_snapshot_list_t *list, ngx_uint_t i)
{
    list->n--;
    ngx_memmove(&list->files[i], &list->files[i + 1],
                (list->n - i) * sizeof(ngx_http_dt_snapshot_file_t));
}


/* removes a snapshot, unless its site was asked for since the pass */

static ngx_int_t
ngx_http_dt_snapshot_evict(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_file_t *file)
{
    u_char                  path[NGX_MAX_PATH];
    ngx_int_t               rc;
    ngx_file_info_t         fi;
    ngx_http_dt_snapshot_t  s;

    ngx_snprintf(path, NGX_MAX_PATH, "%V/%s%Z", walk->name, file->name);

    rc = ngx_http_dt_snapshot_more(path)
         ? NGX_ERROR : ngx_http_dt_snapshot_load(path, 0, &s);

    if (rc == NGX_OK) {
        ngx_free(s.pub.data);

        ngx_http_dt_snapshot_touch(path,
                                   ngx_http_dt_zone_used(walk->zone, &s.site));

        if (ngx_link_info(path, &fi) != NGX_FILE_ERROR
            && ngx_http_dt_snapshot_rank(&s, &fi) > file->rank)
        {
            return NGX_OK;
        }
    }

    if (rc != NGX_DECLINED) {

        if (ngx_http_dt_file_delete(path, ngx_cycle->log) != NGX_OK) {
            return NGX_ERROR;
        }

        ngx_http_dt_zone_event(walk->zone, snapshots_evicted);

        ngx_log_debug1(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate snapshot evicted: \"%s\"", path);
    }

    walk->bytes -= ngx_min(file->size, walk->bytes);

    return NGX_OK;
}


/* the bytes that the file takes on disk */

static off_t
ngx_http_dt_snapshot_size(u_char *path)
{
    ngx_file_info_t  fi;

    return (ngx_link_info(path, &fi) != NGX_FILE_ERROR && ngx_is_file(&fi))
           ? ngx_http_dt_snapshot_blocks(ngx_file_size(&fi)) : 0;
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
ngx_http_dt_snapshot_touch(u_char *path, time_t used)
{
    ngx_file_info_t  fi;

    if (ngx_link_info(path, &fi) != NGX_FILE_ERROR
        && used >= ngx_http_dt_snapshot_mtime(&fi)
                   + NGX_HTTP_DT_SNAPSHOT_USED)
    {
        ngx_http_dt_snapshot_set_time(path, used);
    }
}


static void
ngx_http_dt_snapshot_set_time(u_char *path, time_t used)
{
    if (ngx_set_file_time(path, NGX_INVALID_FILE, used) != NGX_OK) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, ngx_errno,
                      "detemplate: " ngx_set_file_time_n " \"%s\" failed",
                      path);
    }
}


void
ngx_http_dt_snapshot_used(ngx_str_t *dir, ngx_str_t *site)
{
    u_char  path[NGX_MAX_PATH];

    ngx_http_dt_snapshot_path(path, dir, site, 0);
    ngx_http_dt_snapshot_touch(path, ngx_time());
}


ngx_int_t
ngx_http_dt_snapshot_keep(ngx_http_dt_walk_t *walk, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub)
{
    /* a template with added pages is no new one */

    if (work->version && !work->added) {
        ngx_http_dt_snapshot_shift(walk, &work->site, NGX_HTTP_DT_EARLIER);
    }

    return ngx_http_dt_snapshot_write(walk, &work->site, pub);
}


/*
 * The snapshot stays where it is until another one replaces it, so that there
 * is one at any time.
 */

void
ngx_http_dt_snapshot_shift(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_uint_t n)
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

    if (ngx_http_dt_file_delete(to, ngx_cycle->log) != NGX_OK) {
        return;
    }

    ngx_http_dt_snapshot_path(path, walk->name, site, 0);
    size = ngx_http_dt_snapshot_size(path);

    if (size && link((const char *) path, (const char *) to) == -1) {
        goto failed;
    }

    ngx_http_dt_snapshot_written(walk, size, old);

    return;

failed:

    ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, ngx_errno,
                  "detemplate: \"%s\" was not kept as \"%s\"", path, to);
}


ngx_int_t
ngx_http_dt_snapshot_remove(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_uint_t *n)
{
    off_t       size;
    u_char      path[NGX_MAX_PATH];
    ngx_uint_t  i;

    for (i = 0, *n = 0; i <= NGX_HTTP_DT_EARLIER; i++) {
        ngx_http_dt_snapshot_path(path, walk->name, site, i);
        size = ngx_http_dt_snapshot_size(path);

        if (ngx_http_dt_file_delete(path, ngx_cycle->log) != NGX_OK) {
            return NGX_ERROR;
        }

        *n += (size != 0);
        walk->bytes -= ngx_min(size, walk->bytes);
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_dt_snapshot_walk(ngx_http_dt_walk_t *walk, ngx_http_dt_snapshot_t *s)
{
    u_char           path[NGX_MAX_PATH + NGX_INT64_LEN];
    u_char          *name;
    ngx_int_t        rc;
    ngx_str_t       *dir;
    ngx_file_info_t  fi;

    if (ngx_http_dt_snapshot_next(walk) != NGX_OK) {
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
        ngx_http_dt_snapshot_count(walk, path);
        return NGX_AGAIN;
    }

    if (rc == NGX_OK) {
        return ngx_http_dt_snapshot_file(walk, path, s);
    }

    if (rc == NGX_DECLINED && ngx_link_info(path, &fi) != NGX_FILE_ERROR) {

        if (ngx_file_mtime(&fi) + NGX_HTTP_DT_SNAPSHOT_STALE < ngx_time()) {
            (void) ngx_http_dt_file_delete(path, ngx_cycle->log);

        } else {
            walk->counted += ngx_http_dt_snapshot_blocks(ngx_file_size(&fi));
        }
    }

    return NGX_AGAIN;
}


/* reads and counts a snapshot, and notes the use of its site */

static ngx_int_t
ngx_http_dt_snapshot_file(ngx_http_dt_walk_t *walk, u_char *path,
    ngx_http_dt_snapshot_t *s)
{
    ngx_int_t  rc;

    rc = ngx_http_dt_snapshot_load(path, 0, s);

    if (rc == NGX_DECLINED) {
        return NGX_AGAIN;
    }

    if (rc == NGX_OK) {
        ngx_http_dt_snapshot_touch(path, ngx_http_dt_zone_used(walk->zone,
                                                               &s->site));
    }

    ngx_http_dt_snapshot_found(walk, path, rc == NGX_OK ? s : NULL);

    return rc;
}


/*
 * Counts an earlier template.  It is among the first to go, and it goes with
 * the snapshot of its site.
 */

static void
ngx_http_dt_snapshot_count(ngx_http_dt_walk_t *walk, u_char *path)
{
    u_char           now[NGX_MAX_PATH];
    ngx_file_info_t  fi;

    ngx_cpystrn(now, path,
                ngx_strlen(path) - NGX_HTTP_DT_SNAPSHOT_MORE + 1);

    if (ngx_link_info(now, &fi) == NGX_FILE_ERROR
        && ngx_errno == NGX_ENOENT)
    {
        (void) ngx_http_dt_file_delete(path, ngx_cycle->log);
        return;
    }

    ngx_http_dt_snapshot_found(walk, path, NULL);
}


/* reads the next name of the directory; NGX_DONE: the pass has ended */

static ngx_int_t
ngx_http_dt_snapshot_next(ngx_http_dt_walk_t *walk)
{
    ngx_str_t  *dir;

    dir = walk->name;

    if (!walk->open) {

        if (ngx_open_dir(dir, &walk->dir) == NGX_ERROR) {
            ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, ngx_errno,
                          "detemplate: " ngx_open_dir_n " \"%V\" failed", dir);
            return NGX_DONE;
        }

        walk->open = 1;
        walk->counted = 0;
        walk->lists[!walk->now].n = 0;
    }

    ngx_set_errno(0);

    if (ngx_read_dir(&walk->dir) != NGX_ERROR) {
        return NGX_OK;
    }

    if (ngx_errno != NGX_ENOMOREFILES) {
        ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, ngx_errno,
                      "detemplate: " ngx_read_dir_n " \"%V\" failed", dir);
    }

    if (ngx_close_dir(&walk->dir) == NGX_ERROR) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                      "detemplate: " ngx_close_dir_n " \"%V\" failed", dir);
    }

    walk->open = 0;
    walk->logged = 0;
    walk->refused = 0;

    /* the pass has counted the files anew: replace the running figures */

    walk->now = !walk->now;
    walk->found = walk->lists[walk->now].n;
    walk->bytes = walk->counted;
    walk->wanted = 0;

    (void) ngx_http_dt_snapshot_room(walk, 0);

    return NGX_DONE;
}


static ngx_int_t
ngx_http_dt_snapshot_load(u_char *path, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s)
{
    ngx_fd_t     fd;
    const char  *why;

    fd = ngx_http_dt_file_open(path);

    if (fd == NGX_INVALID_FILE) {

        if (ngx_errno == NGX_ENOENT) {
            return NGX_DECLINED;
        }

        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, ngx_errno,
                      "detemplate: " ngx_open_file_n " \"%s\" failed", path);
        return NGX_ERROR;
    }

    why = ngx_http_dt_snapshot_parse(fd, whole, s);

    if (why == NULL && !ngx_http_dt_snapshot_named(path, &s->site)) {
        ngx_free(s->pub.data);
        why = "site";
    }

    if (ngx_close_file(fd) == NGX_FILE_ERROR) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                      "detemplate: " ngx_close_file_n " \"%s\" failed", path);
    }

    if (why) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                      "detemplate: snapshot \"%s\" is ignored: %s", path, why);
        return NGX_ERROR;
    }

    if (s->pub.valid <= ngx_time()
        && !s->pub.pinned
        && !ngx_http_dt_snapshot_more(path))
    {
        ngx_free(s->pub.data);
        (void) ngx_http_dt_file_delete(path, ngx_cycle->log);
        return NGX_DECLINED;
    }

    return NGX_OK;
}


/* returns the reason why the file is not sound, or NULL */

static const char *
ngx_http_dt_snapshot_parse(ngx_fd_t fd, ngx_uint_t whole,
    ngx_http_dt_snapshot_t *s)
{
    const char          *why;
    ngx_file_info_t      fi;
    dt_snapshot_head_t   h;

    if (ngx_fd_info(fd, &fi) == NGX_FILE_ERROR || !ngx_is_file(&fi)) {
        return "not a file";
    }

    if (ngx_read_fd(fd, &h, sizeof(h)) != (ssize_t) sizeof(h)) {
        return "truncated";
    }

    if (h.magic != DT_SNAPSHOT_MAGIC) {
        return "magic";
    }

    if (h.format != DT_SNAPSHOT_FORMAT) {
        return "format";
    }

    if (h.sum != ngx_http_dt_snapshot_sum(&h)) {
        return "checksum";
    }

    if (h.len == 0
        || h.len > DT_SNAPSHOT_SITE
        || h.flags > DT_SNAPSHOT_FLAGS
        || h.refresh > h.valid
        || h.size == 0
        || h.size > DT_TEMPLATE_MAX)
    {
        return "head";
    }

    if (ngx_file_size(&fi) != (off_t) (sizeof(h) + h.size)) {
        return "size";
    }

    why = ngx_http_dt_snapshot_template(fd, h.size, whole, &s->pub);
    if (why) {
        return why;
    }

    s->pub.valid = h.valid;
    s->pub.refresh = h.refresh;
    s->pub.source = NGX_HTTP_DT_SOURCE_SNAPSHOT;
    s->pub.if_room = 0;
    s->pub.from_host = (h.flags & DT_SNAPSHOT_FROM_HOST) != 0;
    s->pub.pinned = (h.flags & DT_SNAPSHOT_FLEET)
                    ? NGX_HTTP_DT_PINNED_FLEET
                    : (h.flags & DT_SNAPSHOT_PINNED)
                      ? NGX_HTTP_DT_PINNED_HERE : 0;
    s->pub.url[0] = '\0';

    ngx_memcpy(s->name, h.site, h.len);
    s->site.data = s->name;
    s->site.len = h.len;

    return NULL;
}


/*
 * Reads the template, which has size bytes in the file, or only the part that
 * serves, which is small, and all that a start or a reload needs.  Returns the
 * fault of the file, or NULL.
 */

static const char *
ngx_http_dt_snapshot_template(ngx_fd_t fd, size_t size, ngx_uint_t whole,
    ngx_http_dt_publish_t *pub)
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

    p = ngx_alloc(len, ngx_cycle->log);
    if (p == NULL) {
        return "no memory";
    }

    pub->data = p;
    pub->size = len;
    p = ngx_cpymem(p, &head, sizeof(head));
    len -= sizeof(head);

    why = "truncated";

    if (ngx_read_fd(fd, p, len) == (ssize_t) len
        && dt_template_check(pub->data, pub->size, &why) == DT_OK)
    {
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
ngx_http_dt_snapshot_sum(dt_snapshot_head_t *h)
{
    return ngx_crc32_long((u_char *) &h->size, sizeof(dt_snapshot_head_t)
                      - offsetof(dt_snapshot_head_t, size));
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
