
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/hash.h"
#include "ngx_module/changes/changes.h"
#include "ngx_module/zone/work.h"


/*
 * A table of 24 bytes a page, and a ring of the URLs that were seen to be new.
 * A page has a place in one of two buckets, so that few are lost before the
 * table is full:
 *
 *     buckets, 7/8 of the zone                ring, 1/8
 *     |........|........| ... |........|      |>url|>url|>url|   |>url|
 *          8 pages                                       last^   ^first
 *
 * A new page takes the place of the one that was asked for least recently, of
 * these 16, and a new URL those of the oldest.
 */


#define NGX_HTTP_DT_CHANGES_WAYS    8
#define NGX_HTTP_DT_CHANGES_MIN     8          /* pages of the zone */
#define NGX_HTTP_DT_CHANGES_AHEAD   60         /* seconds */
#define NGX_HTTP_DT_CHANGES_SAVE    60000      /* ms */
#define NGX_HTTP_DT_CHANGES_PIECE   65536      /* bytes copied at once */
#define NGX_HTTP_DT_CHANGES_LIST    10000      /* pages of a list, of */
#define NGX_HTTP_DT_CHANGES_BYTES   1048576    /* URLs with so many bytes */
#define NGX_HTTP_DT_CHANGES_SLOTS   16384      /* more than of a list */

#define NGX_HTTP_DT_CHANGES_FORMAT  "dtchng1\n"


typedef struct {
    uint64_t                       form;       /* 0: nothing is here */
    uint64_t                       hash;
    uint32_t                       changed;
    uint32_t                       asked;
} ngx_http_dt_change_t;


typedef struct {
    uint64_t                       site;
    uint32_t                       at;         /* when it was seen */
    uint32_t                       modified;
    uint32_t                       before;     /* offset of the one before */
    uint32_t                       len;        /* of the URL */
    u_char                         url[];
} ngx_http_dt_ring_t;


typedef struct {
    ngx_http_dt_change_t          *table;
    uint32_t                       buckets;
    u_char                        *ring;
    uint32_t                       size;       /* of the ring */
    uint32_t                       head;       /* where the next one goes */
    uint32_t                       first;      /* the oldest, */
    uint32_t                       last;       /* the latest one */
    uint32_t                       end;        /* of those behind the head */
    uint32_t                       count;
    uint32_t                       lost;       /* when the latest that is not
                                                  there may have been seen */
    ngx_atomic_t                   dirty;
} ngx_http_dt_changes_t;


typedef struct {
    ngx_http_dt_changes_t         *sh;
    ngx_slab_pool_t               *shpool;
    ngx_http_dt_main_conf_t       *dmcf;
    ngx_event_t                    event;
} ngx_http_dt_changes_zone_t;


typedef struct {
    u_char                         format[8];
    uint32_t                       pages;
    uint32_t                       urls;       /* bytes */
    uint64_t                       lost;
    uint64_t                       sum;        /* of what follows */
} ngx_http_dt_changes_file_t;


#define ngx_http_dt_ring_size(len)                                            \
    ngx_align(offsetof(ngx_http_dt_ring_t, url) + (len), 8)


static ngx_int_t ngx_http_dt_changes_init(ngx_shm_zone_t *shm_zone,
    void *data);
static ngx_int_t ngx_http_dt_changes_create(ngx_http_dt_changes_zone_t *zone);
static ngx_http_dt_change_t *ngx_http_dt_changes_find(
    ngx_http_dt_changes_t *sh, uint64_t form);
static void ngx_http_dt_changes_add(ngx_http_dt_changes_t *sh, uint64_t site,
    ngx_str_t *url, uint32_t at, uint32_t modified);
static void ngx_http_dt_changes_room(ngx_http_dt_changes_t *sh, uint32_t from,
    uint32_t to);
static void ngx_http_dt_changes_path(ngx_http_dt_changes_zone_t *zone,
    u_char *path);
static size_t ngx_http_dt_changes_copy(ngx_http_dt_changes_zone_t *zone,
    u_char *to);
static void ngx_http_dt_changes_timer(ngx_event_t *ev);
static void ngx_http_dt_changes_load(ngx_http_dt_changes_zone_t *zone,
    ngx_log_t *log);
static ngx_int_t ngx_http_dt_changes_read(ngx_http_dt_changes_zone_t *zone,
    ngx_http_dt_changes_file_t *file, u_char *p, u_char *last);


char *
ngx_http_dt_set_changes(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    u_char                      *p;
    off_t                        size;
    ngx_str_t                   *value, name, s;
    ngx_http_dt_changes_zone_t  *zone;

    if (dmcf->changes) {
        return "is duplicate";
    }

    value = cf->args->elts;
    p = (u_char *) ngx_strchr(value[1].data, ':');
    size = NGX_ERROR;

    if (p && p > value[1].data) {
        s.data = p + 1;
        s.len = value[1].data + value[1].len - s.data;
        size = ngx_parse_offset(&s);
    }

    if (size < (off_t) (NGX_HTTP_DT_CHANGES_MIN * ngx_pagesize)
        || size > NGX_MAX_INT32_VALUE)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid \"%V\" in \"detemplate_changes\", it must "
                           "be name:size, of %uzk to 2047m", &value[1],
                           NGX_HTTP_DT_CHANGES_MIN * ngx_pagesize / 1024);
        return NGX_CONF_ERROR;
    }

    zone = ngx_pcalloc(cf->pool, sizeof(ngx_http_dt_changes_zone_t));
    if (zone == NULL) {
        return NGX_CONF_ERROR;
    }

    name.data = value[1].data;
    name.len = p - name.data;

    dmcf->changes = ngx_shared_memory_add(cf, &name, size,
                                          &ngx_http_detemplate_filter_module);
    if (dmcf->changes == NULL) {
        return NGX_CONF_ERROR;
    }

    if (dmcf->changes->init) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" is already the name of another zone",
                           &name);
        return NGX_CONF_ERROR;
    }

    zone->dmcf = dmcf;

    dmcf->changes->init = ngx_http_dt_changes_init;
    dmcf->changes->data = zone;

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_dt_changes_init(ngx_shm_zone_t *shm_zone, void *data)
{
    ngx_http_dt_changes_zone_t  *zone, *ozone;

    zone = shm_zone->data;
    ozone = data;
    zone->shpool = (ngx_slab_pool_t *) shm_zone->shm.addr;

    if (ozone || shm_zone->shm.exists) {
        zone->sh = ozone ? ozone->sh : zone->shpool->data;
        return NGX_OK;
    }

    if (ngx_http_dt_changes_create(zone) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_http_dt_changes_load(zone, shm_zone->shm.log);

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_changes_create(ngx_http_dt_changes_zone_t *zone)
{
    size_t                  size;
    ngx_http_dt_changes_t  *sh;

    sh = ngx_slab_calloc(zone->shpool, sizeof(ngx_http_dt_changes_t));
    if (sh == NULL) {
        return NGX_ERROR;
    }

    size = zone->shpool->pfree * ngx_pagesize;
    sh->size = ngx_align(size / 8, ngx_pagesize);
    sh->buckets = (size - sh->size)
                  / (NGX_HTTP_DT_CHANGES_WAYS * sizeof(ngx_http_dt_change_t));

    sh->ring = ngx_slab_alloc(zone->shpool, sh->size);
    sh->table = ngx_slab_calloc(zone->shpool, size - sh->size);

    if (sh->ring == NULL || sh->table == NULL) {
        return NGX_ERROR;
    }

    sh->lost = ngx_time();

    zone->sh = sh;
    zone->shpool->data = sh;

    return NGX_OK;
}


ngx_uint_t
ngx_http_dt_changes_see(ngx_shm_zone_t *shm_zone, ngx_http_dt_seen_t *page)
{
    time_t                       modified;
    uint32_t                     now, floor;
    ngx_uint_t                   news;
    ngx_http_dt_change_t        *e;
    ngx_http_dt_changes_zone_t  *zone;

    zone = shm_zone->data;
    now = (uint32_t) ngx_time();

    ngx_shmtx_lock(&zone->shpool->mutex);

    e = ngx_http_dt_changes_find(zone->sh, page->form);
    news = (e->form != page->form || e->hash != page->hash);

    if (news) {
        floor = (e->form == page->form) ? e->changed + 1 : 1;

        /*
         * What the origin says is no later than what was seen, unless it says
         * "now".  A time must tell two changes apart, also of one second.
         */

        modified = page->modified;

        if (modified < (time_t) floor || modified > (time_t) now) {
            modified = ngx_max(now, floor);
            modified = ngx_min(modified, (time_t) now
                                         + NGX_HTTP_DT_CHANGES_AHEAD);
        }

        e->form = page->form;
        e->hash = page->hash;
        e->changed = (uint32_t) modified;

        zone->sh->dirty = 1;
    }

    e->asked = now;
    page->modified = e->changed;

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return news;
}


void
ngx_http_dt_changes_news(ngx_shm_zone_t *shm_zone, ngx_http_dt_seen_t *page,
    uint64_t site, ngx_str_t *url)
{
    ngx_http_dt_changes_zone_t  *zone;

    zone = shm_zone->data;

    if (url->len == 0 || url->len > NGX_HTTP_DT_CHANGES_URL) {
        return;
    }

    ngx_shmtx_lock(&zone->shpool->mutex);

    ngx_http_dt_changes_add(zone->sh, site, url, (uint32_t) ngx_time(),
                            (uint32_t) page->modified);

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


/* the place of a form of a page: its own, or the one to be taken */

static ngx_http_dt_change_t *
ngx_http_dt_changes_find(ngx_http_dt_changes_t *sh, uint64_t form)
{
    ngx_uint_t             i, n, nfree, most;
    ngx_http_dt_change_t  *e, *oldest, *found, *empty;

    oldest = NULL;
    found = NULL;
    most = 0;

    for (i = 0; i < 2; i++) {
        e = sh->table + dt_mix(form, i) % sh->buckets
                        * NGX_HTTP_DT_CHANGES_WAYS;
        empty = NULL;
        nfree = 0;

        for (n = 0; n < NGX_HTTP_DT_CHANGES_WAYS; n++, e++) {

            if (e->form == form) {
                return e;
            }

            if (e->form == 0) {
                empty = e;
                nfree++;

            } else if (oldest == NULL || e->asked < oldest->asked) {
                oldest = e;
            }
        }

        if (nfree > most) {
            most = nfree;
            found = empty;
        }
    }

    return found ? found : oldest;
}


static void
ngx_http_dt_changes_add(ngx_http_dt_changes_t *sh, uint64_t site,
    ngx_str_t *url, uint32_t at, uint32_t modified)
{
    uint32_t             size;
    ngx_http_dt_ring_t  *r;

    size = ngx_http_dt_ring_size(url->len);

    if (size > sh->size - sh->head) {
        ngx_http_dt_changes_room(sh, sh->head, sh->size);
        sh->end = sh->head;
        sh->head = 0;
    }

    ngx_http_dt_changes_room(sh, sh->head, sh->head + size);

    r = (ngx_http_dt_ring_t *) (sh->ring + sh->head);

    r->site = site;
    r->at = at;
    r->modified = modified;
    r->before = sh->last;
    r->len = url->len;
    ngx_memcpy(r->url, url->data, url->len);

    if (sh->count == 0) {
        sh->first = sh->head;
    }

    sh->last = sh->head;
    sh->head += size;
    sh->end = ngx_max(sh->end, sh->head);
    sh->count++;
}


/* drops the oldest ones, as long as they are there */

static void
ngx_http_dt_changes_room(ngx_http_dt_changes_t *sh, uint32_t from, uint32_t to)
{
    ngx_http_dt_ring_t  *r;

    while (sh->count && sh->first >= from && sh->first < to) {
        r = (ngx_http_dt_ring_t *) (sh->ring + sh->first);

        sh->lost = r->at;
        sh->count--;
        sh->first += ngx_http_dt_ring_size(r->len);

        if (sh->first >= sh->end) {
            sh->first = 0;
            sh->end = sh->head;
        }
    }
}


ngx_array_t *
ngx_http_dt_changes_list(ngx_shm_zone_t *shm_zone, ngx_pool_t *pool,
    uint64_t site, time_t since, ngx_uint_t *whole)
{
    size_t                       bytes;
    uint32_t                     off, n;
    uint64_t                    *seen, hash;
    ngx_uint_t                   i;
    ngx_array_t                 *list;
    ngx_http_dt_ring_t          *r;
    ngx_http_dt_changes_t       *sh;
    ngx_http_dt_changed_t       *page;
    ngx_http_dt_changes_zone_t  *zone;

    seen = ngx_pcalloc(pool, NGX_HTTP_DT_CHANGES_SLOTS * sizeof(uint64_t));
    list = ngx_array_create(pool, 64, sizeof(ngx_http_dt_changed_t));

    if (seen == NULL || list == NULL) {
        return NULL;
    }

    zone = shm_zone->data;
    sh = zone->sh;
    bytes = 0;

    ngx_shmtx_lock(&zone->shpool->mutex);

    *whole = ((time_t) sh->lost <= since);

    for (n = sh->count, off = sh->last; n; n--, off = r->before) {
        r = (ngx_http_dt_ring_t *) (sh->ring + off);

        if ((time_t) r->at < since) {
            break;
        }

        if (r->site != site) {
            continue;
        }

        hash = dt_hash((char *) r->url, r->len, 1) | 1;
        i = hash % NGX_HTTP_DT_CHANGES_SLOTS;

        while (seen[i] && seen[i] != hash) {
            i = (i + 1) % NGX_HTTP_DT_CHANGES_SLOTS;
        }

        if (seen[i]) {
            continue;
        }

        bytes += r->len;

        if (list->nelts == NGX_HTTP_DT_CHANGES_LIST
            || bytes > NGX_HTTP_DT_CHANGES_BYTES)
        {
            *whole = 0;
            break;
        }

        seen[i] = hash;
        page = ngx_array_push(list);

        if (page) {
            page->modified = r->modified;
            page->url.len = r->len;
            page->url.data = ngx_pnalloc(pool, r->len);
        }

        if (page == NULL || page->url.data == NULL) {
            list = NULL;
            break;
        }

        ngx_memcpy(page->url.data, r->url, r->len);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return list;
}


static void
ngx_http_dt_changes_path(ngx_http_dt_changes_zone_t *zone, u_char *path)
{
    ngx_snprintf(path, NGX_MAX_PATH, "%V/changes%Z", &zone->dmcf->path->name);
}


void
ngx_http_dt_changes_start(ngx_shm_zone_t *shm_zone)
{
    ngx_http_dt_changes_zone_t  *zone;

    if (shm_zone == NULL) {
        return;
    }

    zone = shm_zone->data;

    zone->event.handler = ngx_http_dt_changes_timer;
    zone->event.data = shm_zone;
    zone->event.log = ngx_cycle->log;
    zone->event.cancelable = 1;

    ngx_add_timer(&zone->event, NGX_HTTP_DT_CHANGES_SAVE);
}


static void
ngx_http_dt_changes_timer(ngx_event_t *ev)
{
    ngx_http_dt_changes_save(ev->data, ev->log);
    ngx_add_timer(ev, NGX_HTTP_DT_CHANGES_SAVE);
}


void
ngx_http_dt_changes_save(ngx_shm_zone_t *shm_zone, ngx_log_t *log)
{
    u_char                       path[NGX_MAX_PATH];
    ngx_str_t                    parts[2];
    ngx_http_dt_changes_t       *sh;
    ngx_http_dt_changes_zone_t  *zone;

    zone = shm_zone->data;
    sh = zone->sh;

    if (sh == NULL || !ngx_atomic_cmp_set(&sh->dirty, 1, 0)) {
        return;
    }

    parts[0].len = sizeof(ngx_http_dt_changes_file_t) + sh->size
                   + (size_t) sh->buckets * NGX_HTTP_DT_CHANGES_WAYS
                     * sizeof(ngx_http_dt_change_t);
    parts[0].data = ngx_alloc(parts[0].len, log);
    parts[1].len = 0;

    if (parts[0].data == NULL) {
        return;
    }

    parts[0].len = ngx_http_dt_changes_copy(zone, parts[0].data);
    ngx_http_dt_changes_path(zone, path);

    if (ngx_http_dt_file_replace(path, parts, log) != NGX_OK) {
        sh->dirty = 1;
    }

    ngx_free(parts[0].data);
}


/* workers wait for no more than a piece of the table, or the ring */

static size_t
ngx_http_dt_changes_copy(ngx_http_dt_changes_zone_t *zone, u_char *to)
{
    size_t                       n, left, i;
    u_char                      *p, *from;
    uint32_t                     off;
    dt_sum_t                     sum;
    ngx_http_dt_ring_t          *r;
    ngx_http_dt_change_t        *e;
    ngx_http_dt_changes_t       *sh;
    ngx_http_dt_changes_file_t  *file;

    sh = zone->sh;
    file = (ngx_http_dt_changes_file_t *) to;
    ngx_memcpy(file->format, NGX_HTTP_DT_CHANGES_FORMAT, 8);

    p = to + sizeof(ngx_http_dt_changes_file_t);
    from = (u_char *) sh->table;
    left = (size_t) sh->buckets * NGX_HTTP_DT_CHANGES_WAYS
           * sizeof(ngx_http_dt_change_t);

    while (left) {
        n = ngx_min(left, NGX_HTTP_DT_CHANGES_PIECE
                          / sizeof(ngx_http_dt_change_t)
                          * sizeof(ngx_http_dt_change_t));
        left -= n;

        ngx_shmtx_lock(&zone->shpool->mutex);

        for (i = 0; i < n; i += sizeof(ngx_http_dt_change_t)) {
            e = (ngx_http_dt_change_t *) (from + i);

            if (e->form) {
                p = ngx_cpymem(p, e, sizeof(ngx_http_dt_change_t));
            }
        }

        ngx_shmtx_unlock(&zone->shpool->mutex);

        from += n;
    }

    file->pages = (p - to - sizeof(ngx_http_dt_changes_file_t))
                  / sizeof(ngx_http_dt_change_t);

    ngx_shmtx_lock(&zone->shpool->mutex);

    for (n = sh->count, off = sh->first; n; n--) {
        r = (ngx_http_dt_ring_t *) (sh->ring + off);
        p = ngx_cpymem(p, r, ngx_http_dt_ring_size(r->len));
        off += ngx_http_dt_ring_size(r->len);
        off = (off >= sh->end) ? 0 : off;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    file->lost = sh->lost;
    file->urls = p - to - sizeof(ngx_http_dt_changes_file_t)
                 - file->pages * sizeof(ngx_http_dt_change_t);

    dt_sum_init(&sum, 0);
    dt_sum_add(&sum, (char *) (file + 1), p - (u_char *) (file + 1));
    file->sum = dt_sum_end(&sum);

    return p - to;
}


/* without the file, or with one that is not sound, nothing is known */

static void
ngx_http_dt_changes_load(ngx_http_dt_changes_zone_t *zone, ngx_log_t *log)
{
    off_t            size, max;
    u_char           path[NGX_MAX_PATH], *p;
    ngx_fd_t         fd;
    ngx_file_info_t  fi;

    ngx_http_dt_changes_path(zone, path);
    fd = ngx_http_dt_file_open(path);

    if (fd == NGX_INVALID_FILE) {
        return;
    }

    p = NULL;
    max = 4 * (zone->shpool->end - (u_char *) zone->shpool);

    if (ngx_fd_info(fd, &fi) == NGX_FILE_ERROR
        || !ngx_is_file(&fi)
        || (size = ngx_file_size(&fi)) > max
        || size < (off_t) sizeof(ngx_http_dt_changes_file_t)
        || (p = ngx_alloc(size, log)) == NULL
        || ngx_read_fd(fd, p, size) != size
        || ngx_http_dt_changes_read(zone, (ngx_http_dt_changes_file_t *) p,
                                    p + sizeof(ngx_http_dt_changes_file_t),
                                    p + size)
           != NGX_OK)
    {
        ngx_log_error(NGX_LOG_ERR, log, 0,
                      "detemplate: \"%s\" is not sound, it is not known when "
                      "pages changed", path);
    }

    if (p) {
        ngx_free(p);
    }

    (void) ngx_close_file(fd);
}


static ngx_int_t
ngx_http_dt_changes_read(ngx_http_dt_changes_zone_t *zone,
    ngx_http_dt_changes_file_t *file, u_char *p, u_char *last)
{
    size_t                size;
    uint32_t              now, i;
    dt_sum_t              sum;
    ngx_str_t             url;
    ngx_http_dt_ring_t   *r;
    ngx_http_dt_change_t  e, *to;

    dt_sum_init(&sum, 0);
    dt_sum_add(&sum, (char *) p, last - p);

    if (ngx_memcmp(file->format, NGX_HTTP_DT_CHANGES_FORMAT, 8) != 0
        || dt_sum_end(&sum) != file->sum
        || (size_t) (last - p) != file->pages * sizeof(ngx_http_dt_change_t)
                                  + file->urls)
    {
        return NGX_ERROR;
    }

    now = (uint32_t) ngx_time();
    zone->sh->lost = ngx_min(file->lost, now);

    for (i = 0; i < file->pages; i++) {
        ngx_memcpy(&e, p, sizeof(ngx_http_dt_change_t));
        p += sizeof(ngx_http_dt_change_t);

        if (e.form && e.changed <= now + NGX_HTTP_DT_CHANGES_AHEAD) {
            e.asked = ngx_min(e.asked, now);
            to = ngx_http_dt_changes_find(zone->sh, e.form);

            if (to->form == 0 || to->asked < e.asked) {
                *to = e;
            }
        }
    }

    while ((size_t) (last - p) >= sizeof(ngx_http_dt_ring_t)) {
        r = (ngx_http_dt_ring_t *) p;
        size = ngx_http_dt_ring_size((size_t) r->len);

        if (r->len == 0
            || r->len > NGX_HTTP_DT_CHANGES_URL
            || size > (size_t) (last - p))
        {
            return NGX_ERROR;
        }

        url.data = r->url;
        url.len = r->len;

        if (r->at <= now) {
            ngx_http_dt_changes_add(zone->sh, r->site, &url, r->at,
                                    r->modified);
        }

        p += size;
    }

    return NGX_OK;
}
