
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/hash.h"
#include "ngx_http_detemplate_edits.h"
#include "ngx_http_detemplate_lists.h"
#include "ngx_http_detemplate_kept.h"


/*
 * A response that comes with a length and a strong entity tag or a time of
 * modification is, most likely, what it was the last time.  It need not be: a
 * region goes only when its bytes are those that the list was made of, see
 * core/scan/edits.h, so that a response that is another one after all loses
 * nothing but template.
 *
 * Bytes are read from a file by the worker itself, and only few at once; where
 * the configuration lets others do that (aio), they come in memory, by way of
 * the copy filter.
 */


#define NGX_HTTP_DETEMPLATE_EDITS_READ    262144  /* bytes of a page */
#define NGX_HTTP_DETEMPLATE_EDITS_MAKE    524288  /* of one, for its result */
#define NGX_HTTP_DETEMPLATE_EDITS_COPY    16384   /* of a result */
#define NGX_HTTP_DETEMPLATE_EDITS_TOUCH   60      /* seconds */
#define NGX_HTTP_DETEMPLATE_EDITS_CACHED  2       /* seconds */
#define NGX_HTTP_DETEMPLATE_EDITS_QUIET   60


/*
 * Whether the response is that of nginx's cache, and not one that another
 * location gives in place of it: after a redirect, the request still has what
 * was not sent.
 */

#if (NGX_HTTP_CACHE)
#define ngx_http_detemplate_edits_cached(r)                                   \
    ((r)->cached && (r)->cache && (r)->content_handler)
#else
#define ngx_http_detemplate_edits_cached(r)  0
#endif


/* where a page lies */

typedef struct {
    ngx_fd_t                       fd;
    off_t                          off;
    u_char                        *name;
    ngx_log_t                     *log;
} ngx_http_detemplate_source_t;


/* a result that is being made */

typedef struct {
    ngx_http_detemplate_source_t   source;
    ngx_http_detemplate_kept_t     result;
    dt_rewrite_t                  *rewrite;
    unsigned                       failed:1;
} ngx_http_detemplate_making_t;


extern ngx_module_t  ngx_http_copy_filter_module;


static ngx_int_t ngx_http_detemplate_edits_known(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_zone_t *zone);
static ngx_int_t ngx_http_detemplate_edits_use(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_kept_t *result);
static uint64_t ngx_http_detemplate_edits_page(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_source_t *source);
static int ngx_http_detemplate_edits_out(void *data, const char *p, size_t len,
    dt_out_kind_t kind);
static uint64_t ngx_http_detemplate_edits_same(ngx_http_detemplate_ctx_t *ctx,
    ngx_file_info_t *fi);
static ptrdiff_t ngx_http_detemplate_edits_read(void *data,
    const struct iovec *iov, int n, uint64_t off);


/* one page at a time */

static char  ngx_http_detemplate_edits_room[DT_STORED_ROOM];
static char  ngx_http_detemplate_edits_copy[DT_STORED_ROOM];


void
ngx_http_detemplate_edits_find(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    uint64_t                          key, numbers[4];
    ngx_str_t                        *etag;
    ngx_http_detemplate_zone_t       *zone;
    ngx_http_detemplate_main_conf_t  *dmcf;

    etag = r->headers_out.etag ? &r->headers_out.etag->value : NULL;

    if (etag && (etag->len == 0 || etag->data[0] != '"')) {
        etag = NULL;
    }

    if (r->headers_out.content_length_n <= 0
        || (etag == NULL && r->headers_out.last_modified_time == -1))
    {
        return;
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);
    zone = dmcf->shm_zone->data;

    ctx->seed = ngx_http_detemplate_list_seed(zone);

    numbers[0] = ctx->tmpl->generation;
    numbers[1] = r->headers_out.content_length_n;
    numbers[2] = r->headers_out.last_modified_time;
    numbers[3] = ctx->links | ctx->bold << 1;

    key = dt_hash((char *) numbers, sizeof(numbers), ctx->seed);
    key = dt_hash((char *) ctx->site.data, ctx->site.len, key);
    key = dt_hash((char *) ctx->host.data, ctx->host.len, key);
    key = dt_hash((char *) r->unparsed_uri.data, r->unparsed_uri.len, key);

    if (etag) {
        key = dt_hash((char *) etag->data, etag->len, key);
    }

    ctx->key = key;
    ctx->known = 1;

    if (ngx_http_detemplate_edits_known(r, ctx, zone) == NGX_OK
        || (r->method == NGX_HTTP_HEAD && !ngx_http_detemplate_watches(ctx)))
    {
        return;
    }

    ctx->edits = ngx_http_detemplate_list_get(zone, key, r->pool,
                                              &ctx->file, &ctx->want);

    if (ctx->edits
        && ctx->edits->in != (uint64_t) r->headers_out.content_length_n)
    {
        ctx->edits = NULL;
    }
}


/*
 * A result is taken before there is a body, so that its length can be told.
 * That the page is in the very file which the result was made of, and goes as
 * it lies there, must be known by then: who changes pages on their way has
 * them in memory, and has said so, or did so the last time in this location.
 */

static ngx_int_t
ngx_http_detemplate_edits_known(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_zone_t *zone)
{
    uint64_t                       numbers[3];
    ngx_uint_t                     touch;
    ngx_http_detemplate_kept_t    *result;
    ngx_http_detemplate_source_t   source;

    ctx->same = 0;
    ctx->lay = 0;

    if ((ctx->mode != NGX_HTTP_DETEMPLATE_MODE_STRIP
         && ctx->mode != NGX_HTTP_DETEMPLATE_MODE_ANNOTATE)
        || ctx->inflate
        || r->subrequest_ranges
        || r->filter_need_in_memory
        || r->main_filter_need_in_memory)
    {
        return NGX_DECLINED;
    }

    numbers[0] = ctx->mode;
    numbers[1] = ctx->conf->marks ? ctx->conf->marks->hash : 0;
    numbers[2] = (uintptr_t) r->loc_conf;

    ctx->same = dt_hash((char *) numbers, sizeof(numbers), ctx->key) | 1;

    result = ngx_http_detemplate_kept_find(ctx->same);

    if (result == NULL
        || result->file != ngx_http_detemplate_edits_page(r, ctx, &source)
        || ngx_http_detemplate_edits_use(r, ctx, result) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    /* its list must not seem to be out of use */

    touch = (result->accessed + NGX_HTTP_DETEMPLATE_EDITS_TOUCH <= ngx_time());

    if (touch) {
        result->accessed = ngx_time();
    }

    ngx_http_detemplate_list_used(zone, ctx->key, touch);

    return NGX_OK;
}


static ngx_int_t
ngx_http_detemplate_edits_use(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_kept_t *result)
{
    ctx->result = ngx_http_detemplate_kept_buf(result, r->pool, &ctx->part);
    if (ctx->result == NULL) {
        return NGX_DECLINED;
    }

    /* a few bytes go with the header, by one call */

    ctx->result->in_file = (r->connection->sendfile
                            && result->len > NGX_HTTP_DETEMPLATE_EDITS_COPY);

    ctx->want = result->want;
    ctx->stats.in = result->in;
    ctx->stats.removed = result->removed;
    ctx->stats.regions = result->regions;
    ctx->stats.words = result->words;

    return NGX_OK;
}


/*
 * The file that the page lies in, and where, before it comes from there; what
 * tells it, or 0.  Other files may be open for the request: the page has this
 * length and time.
 */

static uint64_t
ngx_http_detemplate_edits_page(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_http_detemplate_source_t *source)
{
    ngx_file_info_t            fi;
    ngx_pool_cleanup_t        *cln;
    ngx_pool_cleanup_file_t   *clf;
    ngx_http_core_loc_conf_t  *clcf;

    source->log = r->connection->log;

#if (NGX_HTTP_CACHE)

    if (ngx_http_detemplate_edits_cached(r)) {
        source->fd = r->cache->file.fd;
        source->off = r->cache->body_start;
        source->name = r->cache->file.name.data;

        return (ngx_fd_info(source->fd, &fi) == NGX_FILE_ERROR)
               ? 0 : ngx_http_detemplate_edits_same(ctx, &fi);
    }

#endif

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (r->content_handler || clcf->open_file_cache) {
        /* what is open for the request alone is another file */
        return 0;
    }

    for (cln = r->pool->cleanup; cln; cln = cln->next) {

        if (cln->handler != ngx_pool_cleanup_file) {
            continue;
        }

        clf = cln->data;

        source->fd = clf->fd;
        source->off = 0;
        source->name = clf->name;

        return (ngx_fd_info(source->fd, &fi) == NGX_FILE_ERROR
                || ngx_file_size(&fi) != r->headers_out.content_length_n
                || ngx_file_mtime(&fi) != r->headers_out.last_modified_time)
               ? 0 : ngx_http_detemplate_edits_same(ctx, &fi);
    }

    return 0;
}


ngx_int_t
ngx_http_detemplate_edits_make(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, const dt_rewrite_opts_t *o)
{
    dt_rewrite_opts_t                 opts;
    dt_rewrite_stats_t                stats;
    ngx_http_core_loc_conf_t         *clcf;
    ngx_http_detemplate_making_t      m;
    ngx_http_detemplate_main_conf_t  *dmcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (ctx->same == 0
#if (NGX_HAVE_FILE_AIO || NGX_THREADS)
        || clcf->aio != NGX_HTTP_AIO_OFF
#endif
        || ctx->edits->in > NGX_HTTP_DETEMPLATE_EDITS_MAKE)
    {
        return NGX_DECLINED;
    }

    /* with directio, only whole blocks can be read; never of cache files */

    if (!ngx_http_detemplate_edits_cached(r)
        && (off_t) ctx->edits->in >= clcf->directio)
    {
        return NGX_DECLINED;
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);

    m.failed = 0;
    m.result.key = ctx->same;
    m.result.file = ngx_http_detemplate_edits_page(r, ctx, &m.source);

    if (m.result.file == 0
        || ngx_http_detemplate_kept_begin(dmcf->shm_zone->data, &m.result,
                                          ctx->edits->in)
           != NGX_OK)
    {
        return NGX_DECLINED;
    }

    opts = *o;
    opts.out = ngx_http_detemplate_edits_out;
    opts.out_data = &m;

    m.rewrite = dt_rewrite_create(&opts);
    if (m.rewrite == NULL) {
        return NGX_DECLINED;
    }

    (void) dt_rewrite_stored(m.rewrite, 0, ngx_http_detemplate_edits_read,
                             &m.source, ngx_http_detemplate_edits_room);

    dt_rewrite_stats(m.rewrite, &stats);
    dt_rewrite_destroy(m.rewrite);

    /* who goes the long way says what has changed */

    if (m.failed || stats.changed) {
        return NGX_DECLINED;
    }

    m.result.in = stats.in;
    m.result.removed = stats.removed;
    m.result.regions = stats.regions;
    m.result.words = stats.words;
    m.result.want = ctx->want;

    return ngx_http_detemplate_edits_use(r, ctx,
                                     ngx_http_detemplate_kept_put(&m.result));
}


static int
ngx_http_detemplate_edits_out(void *data, const char *p, size_t len,
    dt_out_kind_t kind)
{
    ngx_http_detemplate_making_t *m = data;

    off_t   off;
    size_t  n;

    if (kind != DT_OUT_STORED) {
        m->failed |= (ngx_http_detemplate_kept_write(&m->result, (u_char *) p,
                                                     len)
                      != NGX_OK);
        return m->failed;
    }

    off = m->source.off + dt_rewrite_sent(m->rewrite);

    while (len && !m->failed) {
        n = ngx_min(len, sizeof(ngx_http_detemplate_edits_copy));
        p = ngx_http_detemplate_edits_copy;

        m->failed |= (pread(m->source.fd, (void *) p, n, off) != (ssize_t) n
                      || ngx_http_detemplate_kept_write(&m->result,
                                                        (u_char *) p, n)
                         != NGX_OK);
        off += n;
        len -= n;
    }

    return m->failed;
}


ngx_int_t
ngx_http_detemplate_edits_result(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx, ngx_chain_t *in, ngx_chain_t **out)
{
    ngx_buf_t    *b, *buf;
    ngx_chain_t  *cl;

    b = NULL;
    *out = NULL;

    for ( /* void */ ; in; in = in->next) {
        buf = in->buf;

        if (b == NULL) {
            b = ctx->stored ? ngx_calloc_buf(r->pool) : ctx->result;
            cl = ngx_alloc_chain_link(r->pool);

            if (b == NULL || cl == NULL) {
                return NGX_ERROR;
            }

            b->sync = ctx->stored;
            ctx->stored = 1;

            cl->buf = b;
            cl->next = NULL;
            *out = cl;
        }

        b->last_buf |= buf->last_buf;
        b->last_in_chain |= buf->last_in_chain;
        b->flush |= buf->flush;

        ctx->last |= buf->last_buf;

        buf->pos = buf->last;
        buf->file_pos = buf->file_last;
    }

    return NGX_OK;
}


/* who changes pages makes buffers of his own */

void
ngx_http_detemplate_edits_lay(ngx_http_detemplate_ctx_t *ctx, ngx_buf_t *buf)
{
    if (buf->in_file
        || buf->tag == (ngx_buf_tag_t) &ngx_http_copy_filter_module)
    {
        ctx->lay += ngx_buf_size(buf);
    }
}


ngx_uint_t
ngx_http_detemplate_edits_stored(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
#if (NGX_HAVE_FILE_AIO || NGX_THREADS)
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (clcf->aio != NGX_HTTP_AIO_OFF) {
        return 0;
    }
#endif

    return ctx->edits
           && r->connection->sendfile
           && dt_edits_reads(ctx->edits) <= NGX_HTTP_DETEMPLATE_EDITS_READ;
}


ngx_int_t
ngx_http_detemplate_edits_file(ngx_http_detemplate_ctx_t *ctx, ngx_buf_t *buf)
{
    uint64_t                       file;
    ngx_uint_t                     trusted;
    dt_status_t                    rc;
    ngx_file_info_t                fi;
    ngx_http_detemplate_source_t   source;

    if (ctx->edits == NULL
        || !buf->last_buf
        || buf->file_last - buf->file_pos != (off_t) ctx->edits->in
        || dt_rewrite_sent(ctx->rewrite) != 0)
    {
        return NGX_DECLINED;
    }

    source.fd = buf->file->fd;
    source.off = buf->file_pos;
    source.name = buf->file->name.data;
    source.log = buf->file->log;

    file = (ngx_fd_info(source.fd, &fi) == NGX_FILE_ERROR)
           ? 0 : ngx_http_detemplate_edits_same(ctx, &fi);
    trusted = (file && file == ctx->file);

    rc = dt_rewrite_stored(ctx->rewrite, trusted,
                           ngx_http_detemplate_edits_read, &source,
                           ngx_http_detemplate_edits_room);

    ctx->stored = 1;
    ctx->file = trusted ? 0 : file;

    return (rc == DT_OK) ? NGX_OK : NGX_ERROR;
}


/*
 * A number that is another one when the file has changed since, or 0 when a
 * change might leave it as it is: soon after the last one, as the clock of a
 * file system is not exact, and memory that a process writes to is marked as
 * changed only when it has been written back.  nginx's cache files are not
 * written like that.
 */

static uint64_t
ngx_http_detemplate_edits_same(ngx_http_detemplate_ctx_t *ctx,
    ngx_file_info_t *fi)
{
    time_t    quiet;
    uint64_t  numbers[7];

    quiet = ngx_http_detemplate_edits_cached(ctx->request)
            ? NGX_HTTP_DETEMPLATE_EDITS_CACHED
            : NGX_HTTP_DETEMPLATE_EDITS_QUIET;

    if (fi->st_ctime + quiet >= ngx_time() || fi->st_mtime > ngx_time()) {
        return 0;
    }

    numbers[0] = fi->st_dev;
    numbers[1] = fi->st_ino;
    numbers[2] = fi->st_size;
    numbers[3] = fi->st_mtim.tv_sec;
    numbers[4] = fi->st_mtim.tv_nsec;
    numbers[5] = fi->st_ctim.tv_sec;
    numbers[6] = fi->st_ctim.tv_nsec;

    return dt_hash((char *) numbers, sizeof(numbers), ctx->seed) | 1;
}


static ptrdiff_t
ngx_http_detemplate_edits_read(void *data,
    const struct iovec *iov, int n, uint64_t off)
{
    ngx_http_detemplate_source_t *source = data;

    ssize_t  size;

    size = preadv(source->fd, iov, n, source->off + off);

    if (size == -1) {
        ngx_log_error(NGX_LOG_CRIT, source->log, ngx_errno,
                      "detemplate: preadv() \"%s\" failed", source->name);
    }

    return size;
}


void
ngx_http_detemplate_edits_done(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    dt_str_t                          path;
    ngx_uint_t                        want;
    const dt_edits_t                 *list;
    dt_rewrite_stats_t                stats;
    ngx_http_detemplate_zone_t       *zone;
    ngx_http_detemplate_main_conf_t  *dmcf;

    if (!ctx->known) {
        return;
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);
    zone = dmcf->shm_zone->data;

    if (ctx->edits) {
        dt_rewrite_stats(ctx->rewrite, &stats);

        if (stats.changed) {
            ngx_log_error(NGX_LOG_WARN, r->connection->log, 0,
                          "detemplate: page of \"%V\" is not the one that "
                          "came with the same length and validators before",
                          &ctx->site);

            ngx_http_detemplate_list_drop(zone, ctx->key);
            return;
        }

        if (ctx->stored && ctx->file) {
            ngx_http_detemplate_list_trust(zone, ctx->key, ctx->file,
                                           ctx->edits);
        }

        if (ctx->same && ctx->lay == ctx->edits->in) {
            ngx_http_detemplate_kept_seen(ctx->same);
        }

        return;
    }

    list = dt_rewrite_list(ctx->rewrite);

    if (list) {
        path.data = (char *) ctx->path.data;
        path.len = ctx->path.len;

        want = dt_template_want(ctx->tmpl->data, path, list->words);

        ngx_http_detemplate_list_put(zone, ctx->key, list, want);
    }
}
