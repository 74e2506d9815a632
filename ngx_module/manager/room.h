
/*
 * Copyright (C) The detemplate authors
 *
 * The bytes that snapshots take on disk, and which of them go first.
 */


#ifndef _NGX_HTTP_DT_ROOM_H_INCLUDED_
#define _NGX_HTTP_DT_ROOM_H_INCLUDED_


#include "ngx_module/detemplate.h"


/* bytes of a file's name: 32 hex digits and ".dt" */
#define NGX_HTTP_DT_SNAPSHOT_NAME  35

/* bytes more of that of an earlier template: ".1" and so on */
#define NGX_HTTP_DT_SNAPSHOT_MORE  2

/* snapshots that are remembered, because they go first */
#define NGX_HTTP_DT_ROOM_FILES     512


typedef struct {
    uint64_t                       rank;       /* the lowest goes first */
    off_t                          size;       /* on disk */
    u_char                         name[NGX_HTTP_DT_SNAPSHOT_NAME
                                        + NGX_HTTP_DT_SNAPSHOT_MORE + 1];
} ngx_http_dt_room_file_t;


/* files by rank, those that go first in front */

typedef struct {
    ngx_uint_t                     n;
    ngx_http_dt_room_file_t        files[NGX_HTTP_DT_ROOM_FILES];
} ngx_http_dt_room_list_t;


typedef struct {
    off_t                          max;        /* bytes */
    off_t                          bytes;      /* that snapshots take */
    off_t                          counted;    /* by the pass under way */
    ngx_uint_t                     found;      /* files, by the last pass */
    ngx_http_dt_room_list_t       *list;       /* what is left of them */
    ngx_http_dt_room_list_t       *next;       /* of the pass under way */
    unsigned                       wanted:1;   /* a new list is */
} ngx_http_dt_room_t;


/* the room is all zero but for max; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_room_create(ngx_http_dt_room_t *room, ngx_pool_t *pool);

/* the bytes that a file of this size takes: whole blocks */
off_t ngx_http_dt_room_size(off_t size);

/* a pass begins; it ends with ngx_http_dt_room_end() */
void ngx_http_dt_room_begin(ngx_http_dt_room_t *room);

/* a pass has come to a file; without a name it is only counted */
void ngx_http_dt_room_add(ngx_http_dt_room_t *room, uint64_t rank, off_t size,
    u_char *name);

/* the pass has ended: it knows what there is better than we did */
void ngx_http_dt_room_end(ngx_http_dt_room_t *room);

/* a file of size bytes was written in the place of one of old bytes */
void ngx_http_dt_room_written(ngx_http_dt_room_t *room, off_t size, off_t old);

/* the file that was written goes before all that were used */
void ngx_http_dt_room_unused(ngx_http_dt_room_t *room, uint64_t rank,
    off_t size, u_char *name);

/* a file of size bytes has gone */
void ngx_http_dt_room_removed(ngx_http_dt_room_t *room, off_t size);

/* whether size bytes more are too many */
ngx_uint_t ngx_http_dt_room_lacks(ngx_http_dt_room_t *room, off_t size);

/*
 * Whether little is left, so that what is stored for names that somebody
 * invents is only what replaces others.
 */
ngx_uint_t ngx_http_dt_room_scarce(ngx_http_dt_room_t *room);

/* takes the file that goes next; NGX_DECLINED: a pass has to find some */
ngx_int_t ngx_http_dt_room_first(ngx_http_dt_room_t *room,
    ngx_http_dt_room_file_t *file);


#endif /* _NGX_HTTP_DT_ROOM_H_INCLUDED_ */
