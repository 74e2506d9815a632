
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/hash.h"
#include "ngx_http_detemplate_edits.h"
#include "ngx_http_detemplate_lists.h"


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


#define NGX_HTTP_DETEMPLATE_EDITS_READ    262144 /* bytes of a page */
#define NGX_HTTP_DETEMPLATE_EDITS_CACHED  2      /* seconds */
#define NGX_HTTP_DETEMPLATE_EDITS_QUIET   60


static uint64_t ngx_http_detemplate_edits_same(ngx_http_detemplate_ctx_t *ctx,
    ngx_buf_t *buf);
static ptrdiff_t ngx_http_detemplate_edits_read(void *data,
    const struct iovec *iov, int n, uint64_t off);


/* one page at a time */

static char  ngx_http_detemplate_edits_room[DT_STORED_ROOM];


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
    ctx->edits = ngx_http_detemplate_list_get(zone, key, r->pool,
                                              &ctx->file, &ctx->want);

    if (ctx->edits
        && ctx->edits->in != (uint64_t) r->headers_out.content_length_n)
    {
        ctx->edits = NULL;
    }
}


ngx_uint_t
ngx_http_detemplate_edits_stored(ngx_http_request_t *r,
    ngx_http_detemplate_ctx_t *ctx)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    return ctx->edits
           && r->connection->sendfile
#if (NGX_HAVE_FILE_AIO || NGX_THREADS)
           && clcf->aio == NGX_HTTP_AIO_OFF
#endif
           && dt_edits_reads(ctx->edits) <= NGX_HTTP_DETEMPLATE_EDITS_READ;
}


ngx_int_t
ngx_http_detemplate_edits_file(ngx_http_detemplate_ctx_t *ctx, ngx_buf_t *buf)
{
    uint64_t     file;
    ngx_uint_t   trusted;
    dt_status_t  rc;

    if (ctx->edits == NULL
        || !buf->last_buf
        || buf->file_last - buf->file_pos != (off_t) ctx->edits->in
        || dt_rewrite_sent(ctx->rewrite) != 0)
    {
        return NGX_DECLINED;
    }

    file = ngx_http_detemplate_edits_same(ctx, buf);
    trusted = (file && file == ctx->file);

    rc = dt_rewrite_stored(ctx->rewrite, trusted,
                           ngx_http_detemplate_edits_read, buf,
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
ngx_http_detemplate_edits_same(ngx_http_detemplate_ctx_t *ctx, ngx_buf_t *buf)
{
    time_t           quiet;
    uint64_t         numbers[7];
    ngx_file_info_t  fi;

    if (ngx_fd_info(buf->file->fd, &fi) == NGX_FILE_ERROR) {
        return 0;
    }

    quiet = ctx->request->cached ? NGX_HTTP_DETEMPLATE_EDITS_CACHED
                                 : NGX_HTTP_DETEMPLATE_EDITS_QUIET;

    if (fi.st_ctime + quiet >= ngx_time() || fi.st_mtime > ngx_time()) {
        return 0;
    }

    numbers[0] = fi.st_dev;
    numbers[1] = fi.st_ino;
    numbers[2] = fi.st_size;
    numbers[3] = fi.st_mtim.tv_sec;
    numbers[4] = fi.st_mtim.tv_nsec;
    numbers[5] = fi.st_ctim.tv_sec;
    numbers[6] = fi.st_ctim.tv_nsec;

    return dt_hash((char *) numbers, sizeof(numbers), ctx->seed) | 1;
}


static ptrdiff_t
ngx_http_detemplate_edits_read(void *data, const struct iovec *iov, int n,
    uint64_t off)
{
    ssize_t     size;
    ngx_buf_t  *buf = data;

    size = preadv(buf->file->fd, iov, n, buf->file_pos + off);

    if (size == -1) {
        ngx_log_error(NGX_LOG_CRIT, buf->file->log, ngx_errno,
                      "preadv() \"%s\" failed", buf->file->name.data);
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

        } else if (ctx->stored && ctx->file) {
            ngx_http_detemplate_list_trust(zone, ctx->key, ctx->file);
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
