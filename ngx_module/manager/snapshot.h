
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_
#define _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_


#include "ngx_module/zone/work.h"


/* bytes of a file's name: 32 hex digits and ".dt" */
#define NGX_HTTP_DT_SNAPSHOT_NAME  35

/* additional bytes of an earlier template's name: ".1" and so on */
#define NGX_HTTP_DT_SNAPSHOT_MORE  2

/* bytes of the longest name in the directory: of a stored page, while it is
   written */
#define NGX_HTTP_DT_LONGEST  sizeof("/pages/0123456789abcdef.job/"            \
                                    "0123456789abcdef.XXXXXX.tmp")

/* snapshots in the list of those that go first */
#define NGX_HTTP_DT_SNAPSHOT_LIST  512


/* a template as it was read from a file; data is from ngx_alloc() */

typedef struct {
    ngx_http_dt_publish_t          pub;
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_snapshot_t;


typedef struct {
    uint64_t                       rank;       /* the lowest goes first */
    off_t                          size;       /* on disk */
    u_char                         name[NGX_HTTP_DT_SNAPSHOT_NAME
                                        + NGX_HTTP_DT_SNAPSHOT_MORE + 1];
} ngx_http_dt_snapshot_file_t;


/* files by rank, those that go first in front */

typedef struct {
    ngx_uint_t                     n;
    ngx_http_dt_snapshot_file_t    files[NGX_HTTP_DT_SNAPSHOT_LIST];
} ngx_http_dt_snapshot_list_t;


/*
 * The directory, and a pass over it, some files at a time.  Clients can name
 * any number of sites of a wildcard, and a snapshot outlasts the node of its
 * site.  So the bytes of all snapshots have a bound.  There may be a quarter
 * of a million, so no list has all of them: each pass counts their bytes, and
 * finds those that go first.  Snapshots written later are added.  When half of
 * the listed ones have gone, another pass is wanted.
 */

typedef struct {
    ngx_str_t                     *name;
    ngx_http_dt_zone_t            *zone;       /* knows which sites are used */
    ngx_dir_t                      dir;
    off_t                          max;        /* bytes */
    off_t                          bytes;      /* that snapshots take */
    off_t                          counted;    /* by the pass under way */
    ngx_uint_t                     found;      /* files, by the last pass */
    ngx_uint_t                     now;        /* lists[now]: those still
                                                  there; the other one: of the
                                                  pass under way */
    ngx_http_dt_snapshot_list_t    lists[2];
    unsigned                       wanted:1;   /* another pass is */
    unsigned                       open:1;
    unsigned                       logged:1;   /* since the last pass, that
                                                  snapshots are removed, */
    unsigned                       refused:1;  /* or one was not written */
} ngx_http_dt_walk_t;


/*
 * Whether little room is left: then a site that may have an invented name gets
 * a snapshot only in place of one that it had.
 */
#define ngx_http_dt_snapshot_scarce(walk)                                     \
    ((walk)->bytes > (walk)->max - (walk)->max / 8)

/*
 * Reads the site's snapshot, or its n-th earlier template, which does not
 * expire; without whole only the part that serves.  NGX_DECLINED: there is
 * none, or it has expired and is removed.  NGX_ERROR: it is not sound, and the
 * log says why; the next one will replace it.
 */
ngx_int_t ngx_http_dt_snapshot_read(ngx_str_t *dir, ngx_str_t *site,
    ngx_uint_t n, ngx_uint_t whole, ngx_http_dt_snapshot_t *s);

/* reads the whole snapshot, if pages can be added to it: it is sound, has its
   evidence, and is not older */
ngx_int_t ngx_http_dt_snapshot_evidence(ngx_str_t *dir,
    ngx_http_dt_work_t *work, ngx_http_dt_snapshot_t *s);

/* whether a template is older than the current template of work's site */
ngx_uint_t ngx_http_dt_snapshot_older(dt_template_info_t *info,
    ngx_http_dt_work_t *work);

/*
 * Replaces the site's snapshot, and removes those that are used least when
 * there is no room.  NGX_ERROR: it was not written, and the log says why.
 * NGX_DECLINED: there is still no room.
 */
ngx_int_t ngx_http_dt_snapshot_write(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_http_dt_publish_t *pub);

/*
 * The same for the template published for work; its predecessor is kept beside
 * it, unless the new one only adds pages to it.
 */
ngx_int_t ngx_http_dt_snapshot_keep(ngx_http_dt_walk_t *walk,
    ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub);

/*
 * Makes the snapshot the first of the earlier ones.  The n-th of them goes,
 * and those before it move up.
 */
void ngx_http_dt_snapshot_shift(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_uint_t n);

/* removes all files of the site, and counts them; NGX_ERROR: not all */
ngx_int_t ngx_http_dt_snapshot_remove(ngx_http_dt_walk_t *walk,
    ngx_str_t *site, ngx_uint_t *n);

/* the site was asked for, and its snapshot was read */
void ngx_http_dt_snapshot_used(ngx_str_t *dir, ngx_str_t *site);

/*
 * Reads the next file of the pass.  NGX_OK: s is the part of a snapshot that
 * serves.  NGX_ERROR: the snapshot is not sound.  NGX_AGAIN: the file is no
 * snapshot, or has expired.  NGX_DONE: the pass has ended.  Removes snapshots
 * that have expired, and temporary files that are left over.
 */
ngx_int_t ngx_http_dt_snapshot_walk(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_t *s);


#endif /* _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_ */
