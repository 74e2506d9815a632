
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/manager/room.h"


/*
 * The manager keeps no list of all snapshots, of which there may be a quarter
 * of a million.  Each pass over the directory counts their bytes, and finds
 * those that go first.  What is written later is added.  When half of them
 * have gone, another pass is wanted.
 */


#define NGX_HTTP_DT_ROOM_BLOCK  4096


static void ngx_http_dt_room_put(ngx_http_dt_room_list_t *list, uint64_t rank,
    off_t size, u_char *name);
static void ngx_http_dt_room_drop(ngx_http_dt_room_list_t *list, ngx_uint_t i);
static void ngx_http_dt_room_want(ngx_http_dt_room_t *room);


ngx_int_t
ngx_http_dt_room_create(ngx_http_dt_room_t *room, ngx_pool_t *pool)
{
    room->list = ngx_pcalloc(pool, sizeof(ngx_http_dt_room_list_t));
    room->next = ngx_pcalloc(pool, sizeof(ngx_http_dt_room_list_t));

    return (room->list && room->next) ? NGX_OK : NGX_ERROR;
}


off_t
ngx_http_dt_room_size(off_t size)
{
    return (size + NGX_HTTP_DT_ROOM_BLOCK - 1)
           & ~(off_t) (NGX_HTTP_DT_ROOM_BLOCK - 1);
}


void
ngx_http_dt_room_begin(ngx_http_dt_room_t *room)
{
    room->counted = 0;
    room->next->n = 0;
}


void
ngx_http_dt_room_add(ngx_http_dt_room_t *room, uint64_t rank, off_t size,
    u_char *name)
{
    room->counted += size;

    if (name) {
        ngx_http_dt_room_put(room->next, rank, size, name);
    }
}


void
ngx_http_dt_room_end(ngx_http_dt_room_t *room)
{
    ngx_http_dt_room_list_t  *list;

    list = room->list;
    room->list = room->next;
    room->next = list;

    room->found = room->list->n;
    room->bytes = room->counted;
    room->wanted = 0;
}


/*
 * The pass under way may come to the new file, the old one, both or none, so
 * that it may count too much.
 */

void
ngx_http_dt_room_written(ngx_http_dt_room_t *room, off_t size, off_t old)
{
    room->bytes += size - old;
    room->counted += size;

    if (ngx_http_dt_room_scarce(room)) {
        ngx_http_dt_room_want(room);
    }
}


void
ngx_http_dt_room_unused(ngx_http_dt_room_t *room, uint64_t rank, off_t size,
    u_char *name)
{
    ngx_http_dt_room_put(room->list, rank, size, name);
    ngx_http_dt_room_put(room->next, rank, size, name);
}


void
ngx_http_dt_room_removed(ngx_http_dt_room_t *room, off_t size)
{
    room->bytes -= ngx_min(size, room->bytes);
}


/* a full list forgets its last file for one that goes sooner */

static void
ngx_http_dt_room_put(ngx_http_dt_room_list_t *list, uint64_t rank, off_t size,
    u_char *name)
{
    ngx_uint_t                i;
    ngx_http_dt_room_file_t  *files;

    files = list->files;

    if (list->n == NGX_HTTP_DT_ROOM_FILES && rank >= files[list->n - 1].rank) {
        return;
    }

    for (i = 0; i < list->n; i++) {
        if (ngx_strcmp(files[i].name, name) == 0) {
            ngx_http_dt_room_drop(list, i);
            break;
        }
    }

    list->n -= (list->n == NGX_HTTP_DT_ROOM_FILES);

    for (i = list->n++; i && files[i - 1].rank > rank; i--) {
        files[i] = files[i - 1];
    }

    files[i].rank = rank;
    files[i].size = size;
    ngx_cpystrn(files[i].name, name, sizeof(files[i].name));
}


static void
ngx_http_dt_room_drop(ngx_http_dt_room_list_t *list, ngx_uint_t i)
{
    list->n--;
    ngx_memmove(&list->files[i], &list->files[i + 1],
                (list->n - i) * sizeof(ngx_http_dt_room_file_t));
}


static void
ngx_http_dt_room_want(ngx_http_dt_room_t *room)
{
    if (room->list->n <= room->found / 2) {
        room->wanted = 1;
    }
}


ngx_uint_t
ngx_http_dt_room_lacks(ngx_http_dt_room_t *room, off_t size)
{
    return room->bytes + size > room->max;
}


ngx_uint_t
ngx_http_dt_room_scarce(ngx_http_dt_room_t *room)
{
    return room->bytes > room->max - room->max / 8;
}


ngx_int_t
ngx_http_dt_room_first(ngx_http_dt_room_t *room, ngx_http_dt_room_file_t *file)
{
    ngx_http_dt_room_want(room);

    if (room->list->n == 0) {
        return NGX_DECLINED;
    }

    *file = room->list->files[0];
    ngx_http_dt_room_drop(room->list, 0);

    return NGX_OK;
}
