
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_
#define _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_


#include "ngx_module/manager/room.h"
#include "ngx_module/zone/control.h"
#include "ngx_module/zone/publish.h"


/* a template as it was read from a file; data is from ngx_alloc() */

typedef struct {
    ngx_http_dt_publish_t          pub;
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_snapshot_t;


/*
 * The directory, and a pass over it, some files at a time.  Clients can name
 * any number of sites of a wildcard, and a snapshot outlasts the node of its
 * site.  So the bytes of all snapshots have a bound.
 */

typedef struct {
    ngx_str_t                     *name;
    ngx_http_dt_zone_t            *zone;       /* knows which sites are used */
    ngx_http_dt_room_t             room;
    ngx_dir_t                      dir;
    unsigned                       open:1;
    unsigned                       logged:1;   /* since the last pass, that
                                                  snapshots are removed, */
    unsigned                       refused:1;  /* or one was not written */
} ngx_http_dt_walk_t;


/*
 * Reads the site's snapshot, or without whole only the part that serves.
 * NGX_DECLINED: there is none, or it has expired and is removed.  NGX_ERROR:
 * it is not sound, and the log says why; the next one will replace it.
 */
ngx_int_t ngx_http_dt_snapshot_read(ngx_str_t *dir, ngx_str_t *site,
    ngx_uint_t whole, ngx_http_dt_snapshot_t *s, ngx_log_t *log);

/* the same of the n-th earlier template, which does not expire; 0: the
   present one */
ngx_int_t ngx_http_dt_snapshot_read_one(ngx_str_t *dir, ngx_str_t *site,
    ngx_uint_t n, ngx_uint_t whole, ngx_http_dt_snapshot_t *s, ngx_log_t *log);

/* whether pages can be added to the snapshot: it is sound, has its evidence,
   and is not older */
ngx_uint_t ngx_http_dt_snapshot_has(ngx_str_t *dir, ngx_http_dt_work_t *work,
    ngx_log_t *log);

/* whether a template is older than the current template of work's site */
ngx_uint_t ngx_http_dt_snapshot_older(dt_template_info_t *info,
    ngx_http_dt_work_t *work);

/*
 * Replaces the site's snapshot, and removes those that are used least when
 * there is no room.  NGX_ERROR: it was not written, and the log says why.
 * NGX_DECLINED: there is still no room.
 */
ngx_int_t ngx_http_dt_snapshot_write(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_http_dt_publish_t *pub, ngx_log_t *log);

/*
 * The same for what was published for work; its predecessor is kept beside it,
 * unless pages were only added to that.
 */
ngx_int_t ngx_http_dt_snapshot_keep(ngx_http_dt_walk_t *walk,
    ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub, ngx_log_t *log);

/*
 * Makes the snapshot the first of the earlier ones.  The n-th of them goes,
 * and those before it move up.
 */
void ngx_http_dt_snapshot_shift(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_uint_t n, ngx_log_t *log);

/* removes all files of the site, and counts them; NGX_ERROR: not all */
ngx_int_t ngx_http_dt_snapshot_remove(ngx_http_dt_walk_t *walk,
    ngx_str_t *site, ngx_uint_t *n, ngx_log_t *log);

/* the site was asked for, and its snapshot was read */
void ngx_http_dt_snapshot_used(ngx_str_t *dir, ngx_str_t *site,
    ngx_log_t *log);

/*
 * Reads the next file of the pass.  NGX_OK: s is the part of a snapshot that
 * serves.  NGX_ERROR: the snapshot is not sound.  NGX_AGAIN: the file is no
 * snapshot, or has expired.  NGX_DONE: the pass has ended.  Removes snapshots
 * that have expired, and temporary files that are left over.
 */
ngx_int_t ngx_http_dt_snapshot_walk(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log);


#endif /* _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_ */
