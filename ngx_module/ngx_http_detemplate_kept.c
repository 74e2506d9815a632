
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_http_detemplate_kept.h"
#include "ngx_http_detemplate_node.h"

#include <sys/mman.h>


/*
 * To apply a list costs a copy of what it keeps, or a call for each piece of
 * it; what a list makes of a file that does not change is the same each time.
 * So a worker keeps it in a file of its own, which has no name: from there it
 * goes as the page itself would go, and its length is known beforehand.
 *
 *     parts   |result|result|result|      |result|res|  ...
 *     table   [key, file: part, offset, length]  [key, ...]
 *
 * All workers together keep as many bytes as the zone has.  Results are only
 * added to a part, since sockets may have its pages long after the response
 * is over; when there is no room, the oldest part which no response needs
 * becomes a new file, and its results are gone.  A slow client can keep a part
 * as it is, but not make the worker take more memory.
 */


#define NGX_HTTP_DETEMPLATE_PARTS        8
#define NGX_HTTP_DETEMPLATE_KEPT_MEAN  8192  /* bytes; sizes the table */
#define NGX_HTTP_DETEMPLATE_KEPT_MOST  65536 /* entries */
#define NGX_HTTP_DETEMPLATE_WAYS         4     /* places of a key */
#define NGX_HTTP_DETEMPLATE_RETRY        60000 /* ms from a failure */
#define NGX_HTTP_DETEMPLATE_HUGE       2097152 /* bytes of a huge page */
#define NGX_HTTP_DETEMPLATE_HUGE_SHARE   100   /* of time, one goes to them */

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE                    25    /* since Linux 6.1 */
#endif


struct ngx_http_detemplate_part_s {
    ngx_file_t                     file;
    u_char                        *start;      /* NULL: not used yet */
    size_t                         used;
    uint32_t                       times;      /* that it was made */
    ngx_uint_t                     refs;       /* of responses */
};


typedef struct {
    ngx_http_detemplate_part_t     parts[NGX_HTTP_DETEMPLATE_PARTS];
    ngx_uint_t                     part;       /* that is written to */
    size_t                         size;       /* of each */
    ngx_msec_t                     failed;     /* 0: none is lacking */
    ngx_msec_t                     asked;      /* for a huge page */
    ngx_msec_t                     wait;       /* before the next one */
    ngx_uint_t                     n;          /* a power of two: entries */
    uint32_t                      *seen;       /* keys that came once */
    ngx_http_detemplate_kept_t  *table;
} ngx_http_detemplate_keeps_t;


static ngx_int_t ngx_http_detemplate_kept_init(
    ngx_http_detemplate_zone_t *zone);
static ngx_http_detemplate_part_t *ngx_http_detemplate_part_get(size_t len);
static ngx_int_t ngx_http_detemplate_part_create(
    ngx_http_detemplate_part_t *part);
static void *ngx_http_detemplate_part_map(ngx_fd_t fd, size_t size);
static void ngx_http_detemplate_part_huge(ngx_http_detemplate_part_t *part,
    size_t len);
static ngx_http_detemplate_kept_t *ngx_http_detemplate_kept_slot(
    uint64_t key);
static ngx_uint_t ngx_http_detemplate_kept_is_void(
    ngx_http_detemplate_kept_t *result);


/* of this process */

static ngx_http_detemplate_keeps_t  ngx_http_detemplate_keeps;


ngx_http_detemplate_kept_t *
ngx_http_detemplate_kept_find(uint64_t key)
{
    ngx_uint_t                    i;
    ngx_http_detemplate_kept_t   *result;
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;

    if (ks->table == NULL) {
        return NULL;
    }

    result = ngx_http_detemplate_kept_slot(key);

    for (i = 0; i < NGX_HTTP_DETEMPLATE_WAYS; i++) {

        if (result[i].key == key
            && !ngx_http_detemplate_kept_is_void(&result[i]))
        {
            return &result[i];
        }
    }

    return NULL;
}


static ngx_http_detemplate_kept_t *
ngx_http_detemplate_kept_slot(uint64_t key)
{
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;

    return &ks->table[key & (ks->n - 1)
                      & ~(uint64_t) (NGX_HTTP_DETEMPLATE_WAYS - 1)];
}


static ngx_uint_t
ngx_http_detemplate_kept_is_void(ngx_http_detemplate_kept_t *result)
{
    return result->times
           != ngx_http_detemplate_keeps.parts[result->part].times
           || result->times == 0;
}


ngx_buf_t *
ngx_http_detemplate_kept_buf(ngx_http_detemplate_kept_t *result,
    ngx_pool_t *pool, ngx_http_detemplate_part_t **part)
{
    ngx_buf_t                   *b;
    ngx_http_detemplate_part_t  *p;

    b = ngx_calloc_buf(pool);
    if (b == NULL) {
        return NULL;
    }

    p = &ngx_http_detemplate_keeps.parts[result->part];
    p->refs++;
    p->file.log = ngx_cycle->log;
    *part = p;

    b->memory = 1;
    b->pos = p->start + result->off;
    b->last = b->pos + result->len;
    b->start = b->pos;
    b->end = b->last;

    b->file = &p->file;
    b->file_pos = result->off;
    b->file_last = b->file_pos + result->len;

    return b;
}


void
ngx_http_detemplate_part_release(ngx_http_detemplate_part_t *part)
{
    part->refs--;
}


void
ngx_http_detemplate_kept_seen(uint64_t key)
{
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;

    if (ks->table) {
        ks->seen[(key >> 32) & (ks->n - 1)] = (uint32_t) key;
    }
}


ngx_int_t
ngx_http_detemplate_kept_begin(ngx_http_detemplate_zone_t *zone,
    ngx_http_detemplate_kept_t *result, size_t len)
{
    ngx_http_detemplate_part_t   *part;
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;

    if (ks->table == NULL && ngx_http_detemplate_kept_init(zone) != NGX_OK) {
        return NGX_DECLINED;
    }

    if (ks->seen[(result->key >> 32) & (ks->n - 1)] != (uint32_t) result->key
        || len > ks->size)
    {
        return NGX_DECLINED;
    }

    part = ngx_http_detemplate_part_get(len);
    if (part == NULL) {
        return NGX_DECLINED;
    }

    result->part = part - ks->parts;
    result->times = part->times;
    result->off = part->used;
    result->len = 0;

    return NGX_OK;
}


/*
 * By calls, which fail when memory is short; to write where it is mapped would
 * end the process.  What is not put is written over.
 */

ngx_int_t
ngx_http_detemplate_kept_write(ngx_http_detemplate_kept_t *result, u_char *p,
    size_t len)
{
    off_t                         off;
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;
    off = (off_t) result->off + result->len;

    if (len > ks->size - off
        || pwrite(ks->parts[result->part].file.fd, p, len, off)
           != (ssize_t) len)
    {
        return NGX_ERROR;
    }

    result->len += len;

    return NGX_OK;
}


ngx_http_detemplate_kept_t *
ngx_http_detemplate_kept_put(ngx_http_detemplate_kept_t *result)
{
    ngx_uint_t                   i;
    ngx_http_detemplate_kept_t  *slot, *r;
    ngx_http_detemplate_part_t  *part;

    part = &ngx_http_detemplate_keeps.parts[result->part];

    ngx_http_detemplate_part_huge(part, result->len);

    part->used += result->len;

    slot = ngx_http_detemplate_kept_slot(result->key);
    r = slot;

    for (i = 0; i < NGX_HTTP_DETEMPLATE_WAYS; i++) {

        if (slot[i].key == result->key
            || ngx_http_detemplate_kept_is_void(&slot[i]))
        {
            r = &slot[i];
            break;
        }

        if (slot[i].accessed < r->accessed) {
            r = &slot[i];
        }
    }

    *r = *result;
    r->accessed = ngx_time();

    return r;
}


static ngx_int_t
ngx_http_detemplate_kept_init(ngx_http_detemplate_zone_t *zone)
{
    ngx_uint_t                    i, n;
    ngx_core_conf_t              *ccf;
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;

    if (ks->size == 0) {
        ccf = (ngx_core_conf_t *) ngx_get_conf(ngx_cycle->conf_ctx,
                                               ngx_core_module);

        ks->size = zone->shm_zone->shm.size / ngx_max(ccf->worker_processes, 1)
                   / NGX_HTTP_DETEMPLATE_PARTS;
        ks->size &= ~(ngx_pagesize - 1);

        for (i = 0; i < NGX_HTTP_DETEMPLATE_PARTS; i++) {
            ks->parts[i].file.fd = NGX_INVALID_FILE;
            ngx_str_set(&ks->parts[i].file.name, "rewritten pages");
        }
    }

    for (n = NGX_HTTP_DETEMPLATE_WAYS;
         n < NGX_HTTP_DETEMPLATE_KEPT_MOST
         && n * NGX_HTTP_DETEMPLATE_KEPT_MEAN
            < ks->size * NGX_HTTP_DETEMPLATE_PARTS;
         n <<= 1)
    { /* void */ }

    ks->n = n;

    ks->seen = ngx_calloc(n * (sizeof(uint32_t)
                               + sizeof(ngx_http_detemplate_kept_t)),
                          ngx_cycle->log);
    if (ks->seen == NULL) {
        return NGX_ERROR;
    }

    ks->table = (ngx_http_detemplate_kept_t *) (ks->seen + n);

    return NGX_OK;
}


/* one with room for len bytes */

static ngx_http_detemplate_part_t *
ngx_http_detemplate_part_get(size_t len)
{
    ngx_uint_t                    i, n;
    ngx_http_detemplate_part_t   *part;
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;
    part = &ks->parts[ks->part];

    if (part->start && ks->size - part->used >= len) {
        return part;
    }

    for (i = 1; i <= NGX_HTTP_DETEMPLATE_PARTS; i++) {
        n = (ks->part + i) % NGX_HTTP_DETEMPLATE_PARTS;
        part = &ks->parts[n];

        if (part->refs == 0) {
            ks->part = n;

            return (ngx_http_detemplate_part_create(part) == NGX_OK) ? part
                                                                     : NULL;
        }
    }

    return NULL;
}


/*
 * What was there is gone, but for those who have its pages already.  When the
 * system has no more, it is not asked for each page.
 */

static ngx_int_t
ngx_http_detemplate_part_create(ngx_http_detemplate_part_t *part)
{
    void                         *p;
    size_t                        size;
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;
    size = ks->size;

    if (ks->failed
        && ngx_current_msec - ks->failed < NGX_HTTP_DETEMPLATE_RETRY)
    {
        return NGX_ERROR;
    }

    if (part->start) {
        (void) munmap(part->start, size);
        (void) ngx_close_file(part->file.fd);
    }

    part->start = NULL;
    part->used = 0;
    part->times++;

    part->file.fd = memfd_create("detemplate", MFD_CLOEXEC);

    if (part->file.fd != NGX_INVALID_FILE) {

        if (ftruncate(part->file.fd, size) == 0) {
            p = ngx_http_detemplate_part_map(part->file.fd, size);

            if (p != MAP_FAILED) {
                part->start = p;
                ks->failed = 0;

                return NGX_OK;
            }
        }

        (void) ngx_close_file(part->file.fd);
    }

    ks->failed = ngx_current_msec ? ngx_current_msec : 1;

    ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, ngx_errno,
                  "detemplate: no memory for %uz bytes of rewritten pages, "
                  "which are made anew each time", size);

    return NGX_ERROR;
}


static void *
ngx_http_detemplate_part_map(ngx_fd_t fd, size_t size)
{
    void    *p;
    size_t   room;

    /* where there is room from a border of huge pages on */

    room = size + NGX_HTTP_DETEMPLATE_HUGE;

    p = mmap(NULL, room, PROT_NONE, MAP_PRIVATE|MAP_ANON, -1, 0);

    if (p != MAP_FAILED) {
        (void) munmap(p, room);
        p = ngx_align_ptr(p, NGX_HTTP_DETEMPLATE_HUGE);

    } else {
        p = NULL;
    }

    return mmap(p, size, PROT_READ, MAP_SHARED, fd, 0);
}


/*
 * Sockets take a huge page in fewer pieces: large pages cost a fifth less to
 * send.  It is asked for when the first of its bytes, which are sent nowhere
 * yet, were written, as the system does by itself only where it is told to.
 * The longer that takes, as where memory has to be searched for one, the
 * longer the next one is not asked for.
 */

static void
ngx_http_detemplate_part_huge(ngx_http_detemplate_part_t *part, size_t len)
{
    int                           rc;
    size_t                        off;
    struct timeval                tv, end;
    ngx_http_detemplate_keeps_t  *ks;

    ks = &ngx_http_detemplate_keeps;
    off = ngx_align(part->used, NGX_HTTP_DETEMPLATE_HUGE);

    if (off >= part->used + len
        || off + NGX_HTTP_DETEMPLATE_HUGE > ks->size
        || ngx_current_msec - ks->asked < ks->wait)
    {
        return;
    }

    ngx_gettimeofday(&tv);
    rc = madvise(part->start + off, NGX_HTTP_DETEMPLATE_HUGE, MADV_COLLAPSE);
    ngx_gettimeofday(&end);

    ks->asked = ngx_current_msec;
    ks->wait = NGX_HTTP_DETEMPLATE_RETRY;

    if (rc == 0) {
        ks->wait = ngx_max(0, (end.tv_sec - tv.tv_sec) * 1000
                              + (end.tv_usec - tv.tv_usec) / 1000)
                   * NGX_HTTP_DETEMPLATE_HUGE_SHARE;
    }
}
