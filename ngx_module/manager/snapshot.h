
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_
#define _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_


#include "ngx_module/zone/publish.h"


/* bytes of a file's name: 32 hex digits and ".dt" */
#define NGX_HTTP_DT_SNAPSHOT_NAME  35


/* a template as it was read from a file; data is from ngx_alloc() */

typedef struct {
    ngx_http_dt_publish_t          pub;
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_snapshot_t;


/*
 * The directory, and a pass over it, some files at a time.  Anybody can make
 * names for the sites of a wildcard, and what is kept of one outlasts its
 * place in the zone: of such there are so many files at the most.
 */

typedef struct {
    ngx_str_t                     *name;
    ngx_uint_t                     most;
    ngx_uint_t                     chosen;     /* there are */
    ngx_uint_t                     counted;    /* by this pass */
    ngx_dir_t                      dir;
    unsigned                       open:1;
    unsigned                       full:1;     /* was said since the last */
} ngx_http_dt_walk_t;


/*
 * Reads the site's snapshot, or only what serves of it.  NGX_DECLINED: there
 * is none, or it has expired and is removed.  NGX_ERROR: it is not sound, the
 * log says why; it is left to be replaced.
 */
ngx_int_t ngx_http_dt_snapshot_read(ngx_str_t *dir, ngx_str_t *site,
    ngx_uint_t whole, ngx_http_dt_snapshot_t *s, ngx_log_t *log);

/* whether there is one that pages can be added to: sound, and not older */
ngx_uint_t ngx_http_dt_snapshot_has(ngx_str_t *dir, ngx_http_dt_work_t *work,
    ngx_log_t *log);

/* whether a template is of before the one that work's site has */
ngx_uint_t ngx_http_dt_snapshot_older(dt_template_info_t *info,
    ngx_http_dt_work_t *work);

/*
 * Replaces the site's snapshot as a whole; a failure is logged.  NGX_DECLINED:
 * it would be one more than there may be.
 */
ngx_int_t ngx_http_dt_snapshot_write(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_http_dt_publish_t *pub, ngx_log_t *log);

/*
 * The same of what was published for work.  Where it is not written, no page
 * can be added to it: the site is given as many key pages as it may have, so
 * that none is queued until the refresh.
 */
ngx_int_t ngx_http_dt_snapshot_keep(ngx_http_dt_walk_t *walk,
    ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub, ngx_log_t *log);

/*
 * Goes on with the pass: NGX_OK when s is what serves of the next snapshot,
 * NGX_ERROR when it was not sound, NGX_AGAIN when it was nothing of ours,
 * NGX_DONE at the end.  What has expired, or was left by a process that died,
 * is removed.
 */
ngx_int_t ngx_http_dt_snapshot_walk(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_t *s, ngx_log_t *log);


#endif /* _NGX_HTTP_DT_SNAPSHOT_H_INCLUDED_ */
