
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/body.h"
#include "ngx_module/body/pieces.h"
#include "ngx_module/zone/zone.h"


#define NGX_HTTP_DT_WORKSPACES  16      /* at most that many are unused */
#define NGX_HTTP_DT_BLOCK       16384   /* bytes of a block */
#define NGX_HTTP_DT_FEW         2048    /* slices up to this may be moved */
#define NGX_HTTP_DT_COPY        64      /* input buffers up to this are copied
                                           as a whole */
#define NGX_HTTP_DT_TURN        131072  /* bytes of a page in one turn */


/*
 * Marks and other copied bytes.  They are short, so that many output buffers
 * share a block, each behind the one before it.  The block is used again when
 * all of them were sent.
 */

struct ngx_http_dt_block_s {
    ngx_http_dt_block_t          *next;
    ngx_uint_t                    bufs;    /* buffers not sent yet */
    u_char                       *last;    /* end of the copied bytes */
    u_char                        data[NGX_HTTP_DT_BLOCK];
};


/* the memory that scanning a page takes; workers use it again */

struct ngx_http_dt_workspace_s {
    ngx_http_dt_workspace_t      *next;
    void                         *text;    /* NULL: nothing was converted */
    ngx_http_dt_block_t           block;
    u_char                        sniff[NGX_HTTP_DT_SNIFF];
    uint64_t                      rewrite[];
};


#define ngx_http_dt_body_left(block)                                          \
    ((size_t) ((block)->data + NGX_HTTP_DT_BLOCK - (block)->last))


static ngx_uint_t ngx_http_dt_body_reading(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_body_feed_buf(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf);
static u_char *ngx_http_dt_body_first(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf, size_t len);
static void ngx_http_dt_body_failed(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_body_error(ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_body_pass(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf);
static ngx_int_t ngx_http_dt_body_end(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static ngx_int_t ngx_http_dt_body_end_buf(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_buf_t *buf);
static void ngx_http_dt_body_sniff(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, u_char *p, size_t len);
static void ngx_http_dt_body_opts(ngx_http_dt_ctx_t *ctx,
    dt_rewrite_opts_t *opts, dt_alloc_t *alloc);
static void ngx_http_dt_body_memory(ngx_http_dt_ctx_t *ctx, dt_alloc_t *alloc);
static ngx_int_t ngx_http_dt_body_workspace(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);
static void *ngx_http_dt_body_alloc(void *data, size_t size);
static void ngx_http_dt_body_free(void *data, void *p);
static int ngx_http_dt_body_text(void *data, const char *p, size_t len);
static int ngx_http_dt_body_out(void *data, const char *p, size_t len,
    dt_out_kind_t kind);
static ngx_uint_t ngx_http_dt_body_fits(ngx_http_dt_ctx_t *ctx, size_t len);
static ngx_uint_t ngx_http_dt_body_join(
    ngx_http_dt_ctx_t *ctx, u_char *p, size_t len);
static ngx_buf_t *ngx_http_dt_body_add(ngx_http_dt_ctx_t *ctx,
    ngx_chain_t *cl);
static ngx_int_t ngx_http_dt_body_copy(ngx_http_dt_ctx_t *ctx, u_char *p,
    size_t len);
static ngx_http_dt_block_t *ngx_http_dt_body_block(ngx_http_dt_ctx_t *ctx);
static void ngx_http_dt_body_used(ngx_buf_t *buf);


/*
 * Fields that are not true of a rewritten body.  A signature in the header
 * makes the page pass, so its fields are only met as trailers.
 */

static ngx_str_t  ngx_http_dt_untrue[] = {
    ngx_string("accept-ranges"),
    ngx_string("last-modified"),
    ngx_string("content-digest"),
    ngx_string("repr-digest"),
    ngx_string("digest"),
    ngx_string("content-md5"),
    ngx_string("signature-input"),
    ngx_string("signature"),
    ngx_string("detemplate-regions"),
    ngx_null_string
};


static ngx_http_dt_workspace_t     *ngx_http_dt_workspaces;
static ngx_uint_t                   ngx_http_dt_nworkspaces;


ngx_int_t
ngx_http_dt_body_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t coding)
{
    dt_alloc_t         alloc;
    dt_rewrite_opts_t  opts;

    if (coding != NGX_HTTP_DT_CODING_NONE) {
        ctx->inflate = ngx_http_dt_inflate_create(r, coding);
        if (ctx->inflate == NULL) {
            return NGX_ERROR;
        }
    }

    if (ctx->mode == NGX_HTTP_DT_MODE_HEADERS
        && ngx_http_dt_regions_start(r, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_http_dt_body_workspace(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_http_dt_body_opts(ctx, &opts, &alloc);

    ctx->rewrite = dt_rewrite_create(&opts);
    if (ctx->rewrite == NULL) {
        return NGX_ERROR;
    }

    r->main_filter_need_in_memory = 1;

    return NGX_OK;
}


/*
 * To allocate and free this much for each response would let the heap grow and
 * shrink, and the kernel map its pages, each time.
 */

static ngx_int_t
ngx_http_dt_body_workspace(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_http_dt_workspace_t  *workspace;

    workspace = ngx_http_dt_workspaces;

    if (workspace) {
        ngx_http_dt_workspaces = workspace->next;
        ngx_http_dt_nworkspaces--;

    } else {
        workspace = ngx_alloc(sizeof(ngx_http_dt_workspace_t)
                              + dt_rewrite_room(), r->connection->log);
        if (workspace == NULL) {
            return NGX_ERROR;
        }

        workspace->text = NULL;
    }

    workspace->block.next = NULL;
    workspace->block.bufs = 0;
    workspace->block.last = workspace->block.data;

    ctx->free_blocks = &workspace->block;
    ctx->workspace = workspace;

    if (!ngx_http_dt_converts(ctx) || workspace->text) {
        return NGX_OK;
    }

    workspace->text = ngx_alloc(dt_text_room(), r->connection->log);

    return workspace->text ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_dt_body_opts(ngx_http_dt_ctx_t *ctx, dt_rewrite_opts_t *opts,
    dt_alloc_t *alloc)
{
    ngx_http_dt_body_memory(ctx, alloc);

    ngx_memzero(opts, sizeof(dt_rewrite_opts_t));

    ngx_http_dt_marks_opts(ctx, opts);

    opts->keep_links = ctx->links;
    opts->bold = ctx->bold;
    opts->xml = ctx->xml;
    opts->hand = ctx->conf->hand;
    opts->head = ctx->head;

    opts->host = ngx_http_dt_str(&ctx->host);
    opts->path = ngx_http_dt_str(&ctx->path);
    opts->alloc = alloc;
    opts->room = ctx->workspace->rewrite;
    opts->out = ngx_http_dt_body_out;
    opts->region = ctx->regions ? ngx_http_dt_regions_add : NULL;
    opts->out_data = ctx;

    if (ctx->tmpl) {
        opts->tmpl = ctx->tmpl->data;
        opts->memo = ctx->tmpl->memo;
    }
}


static void
ngx_http_dt_body_memory(ngx_http_dt_ctx_t *ctx, dt_alloc_t *alloc)
{
    alloc->alloc = ngx_http_dt_body_alloc;
    alloc->free = ngx_http_dt_body_free;
    alloc->data = ctx->request->pool;
}


static void *
ngx_http_dt_body_alloc(void *data, size_t size)
{
    ngx_pool_t *pool = data;

    return ngx_palloc(pool, size);
}


static void
ngx_http_dt_body_free(void *data, void *p)
{
    ngx_pool_t *pool = data;

    /* small pieces are freed with the pool */

    (void) ngx_pfree(pool, p);
}


ngx_int_t
ngx_http_dt_body_feed(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_chain_t  *cl;

    while (ctx->in) {

        if (ngx_http_dt_body_reading(r) == 0
            && ngx_http_dt_body_turn(r, ctx) == NGX_AGAIN)
        {
            return NGX_AGAIN;
        }

        cl = ctx->in;

        if (ngx_http_dt_body_feed_buf(r, ctx, cl->buf) != NGX_OK) {
            return NGX_ERROR;
        }

        ctx->in = cl->next;
        ngx_free_chain(r->pool, cl);
    }

    r->connection->buffered &= ~NGX_HTTP_DT_BUFFERED;

    return NGX_OK;
}


/*
 * A long page is rewritten in turns, each in a cycle of the event loop of its
 * own, so that the worker serves other requests in between.
 */

ngx_int_t
ngx_http_dt_body_turn(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (ctx->turn < NGX_HTTP_DT_TURN) {
        return NGX_OK;
    }

    r->connection->buffered |= NGX_HTTP_DT_BUFFERED;
    ngx_post_event(&ctx->event, &ngx_posted_next_events);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate turn is over, %uz bytes were fed", ctx->turn);

    return NGX_AGAIN;
}


/*
 * While nginx reads from an upstream, it needs its buffers back, so all that
 * one event brings is fed at once.
 */

static ngx_uint_t
ngx_http_dt_body_reading(ngx_http_request_t *r)
{
    ngx_http_request_t   *active;
    ngx_http_upstream_t  *u;

    active = r->connection->data;
    u = active->upstream;

    return u && u->peer.connection;
}


static ngx_int_t
ngx_http_dt_body_feed_buf(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *buf)
{
    size_t       len;
    u_char      *p;
    ngx_uint_t   whole;
    dt_status_t  rc;

    ctx->buf = buf;
    ctx->added = NULL;
    ctx->window = 0;

    len = ngx_buf_in_memory(buf) ? buf->last - buf->pos : 0;
    p = buf->pos;
    ctx->turn += len;
    ctx->copy = (len && len <= NGX_HTTP_DT_COPY);

    if (ngx_http_dt_converts(ctx)) {

        if (ctx->first) {
            p = ngx_http_dt_body_first(r, ctx, buf, len);
            len -= p - buf->pos;
        }

        if (ctx->first) {
            ngx_http_dt_body_used(buf);
            return NGX_OK;
        }

    } else if (ctx->sniffed < NGX_HTTP_DT_SNIFF && len) {
        ngx_http_dt_body_sniff(r, ctx, buf->pos, len);
    }

    rc = DT_OK;
    whole = ngx_http_dt_watch_only(ctx);

    if (!ngx_buf_in_memory(buf) && ngx_buf_size(buf)) {

        if (ctx->text) {
            ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                          "detemplate: a page that is converted has bytes "
                          "that are not in memory");
            return ngx_http_dt_body_error(ctx);
        }

        /* these bytes are not in memory: the rest of the page passes */

        rc = dt_rewrite_release(ctx->rewrite);
        whole = 1;

    } else if (len || (buf->last_buf && !ctx->last)) {
        rc = dt_rewrite_feed(ctx->rewrite, (char *) p, len, buf->last_buf);
    }

    if (whole && ngx_http_dt_body_pass(r, ctx, buf) != NGX_OK) {
        return NGX_ERROR;
    }

    if (ctx->no_memory) {
        return ngx_http_dt_body_error(ctx);
    }

    if (rc != DT_OK) {
        ngx_http_dt_body_failed(r, ctx);
    }

    if (buf->last_buf && !ctx->last
        && ngx_http_dt_body_end(r, ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_dt_body_end_buf(r, ctx, buf);
}


/*
 * Keeps the first bytes of a page, which may say its charset, until there are
 * enough of them: as long as nothing was sent, the page can still pass.  Then
 * feeds them.  Returns behind what it has taken.
 */

static u_char *
ngx_http_dt_body_first(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *buf, size_t len)
{
    u_char          *sniff;
    dt_alloc_t       alloc;
    dt_text_opts_t   opts;

    sniff = ctx->workspace->sniff;
    len = ngx_min(len, NGX_HTTP_DT_SNIFF - ctx->sniffed);

    if (len) {
        ngx_memcpy(sniff + ctx->sniffed, buf->pos, len);
        ctx->sniffed += len;
    }

    if (ctx->sniffed < NGX_HTTP_DT_SNIFF
        && !buf->last_buf
        && (!buf->flush || ngx_http_dt_body_reading(r))
        && (len || ngx_buf_size(buf) == 0))
    {
        return buf->pos + len;
    }

    ctx->first = 0;

    if (!ngx_buf_in_memory(buf) && ngx_buf_size(buf)) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "detemplate: the page is not in memory, it passes");
        (void) ngx_http_dt_body_error(ctx);

    } else {
        ngx_http_dt_body_memory(ctx, &alloc);

        ngx_memzero(&opts, sizeof(dt_text_opts_t));

        opts.alloc = &alloc;
        opts.room = ctx->workspace->text;
        opts.out = ngx_http_dt_body_text;
        opts.out_data = ctx;

        ngx_http_dt_convert_start(r, ctx, &opts, sniff, ctx->sniffed);
    }

    if (ctx->text == NULL) {
        (void) dt_rewrite_release(ctx->rewrite);
    }

    ctx->copy = 1;

    if (dt_rewrite_feed(ctx->rewrite, (char *) sniff, ctx->sniffed, 0)
        != DT_OK)
    {
        ngx_http_dt_body_failed(r, ctx);
    }

    ctx->copy = 0;

    return buf->pos + len;
}


/* without memory to hold bytes, nothing more is cut */

static void
ngx_http_dt_body_failed(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    if (!ctx->no_memory) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "detemplate: no memory, the rest of the page passes");
        (void) ngx_http_dt_body_error(ctx);
    }
}


/* counts a failure, of which the log has a line; returns NGX_ERROR */

static ngx_int_t
ngx_http_dt_body_error(ngx_http_dt_ctx_t *ctx)
{
    ctx->status = NGX_HTTP_DT_S_ERROR;
    ctx->reason = NGX_HTTP_DT_R_MEMORY;

    return NGX_ERROR;
}


/* adds the buffer to the output as it came */

static ngx_int_t
ngx_http_dt_body_pass(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *buf)
{
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    if (ngx_buf_size(buf) == 0) {
        return NGX_OK;
    }

    cl = ngx_chain_get_free_buf(r->pool, &ctx->free);
    if (cl == NULL) {
        return NGX_ERROR;
    }

    b = ngx_http_dt_body_add(ctx, cl);

    *b = *buf;
    b->tag = NULL;

    return NGX_OK;
}


/* adds what follows the page: the badge of the preview, and trailers */

static ngx_int_t
ngx_http_dt_body_end(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_chain_t  *cl;

    ctx->last = 1;

    if (ctx->text && dt_text_feed(ctx->text, NULL, 0, 1) != DT_OK) {
        return ngx_http_dt_body_error(ctx);
    }

    if (ctx->mode == NGX_HTTP_DT_MODE_PREVIEW
        && ctx->status != NGX_HTTP_DT_S_BYPASS)
    {
        cl = ngx_http_dt_preview_badge(r, ctx);
        if (cl == NULL) {
            return NGX_ERROR;
        }

        (void) ngx_http_dt_body_add(ctx, cl);
    }

    if (ngx_http_dt_is_json(ctx) && ctx->phase == NGX_HTTP_DT_BODY) {
        cl = ngx_http_dt_convert_tail(r, ctx);
        if (cl == NULL) {
            return NGX_ERROR;
        }

        (void) ngx_http_dt_body_add(ctx, cl);
    }

    if (!ngx_http_dt_watch_only(ctx)) {
        ngx_http_dt_body_fields(&r->headers_out.trailers);
    }

    return ngx_http_dt_regions_trailer(r, ctx);
}


/*
 * The last output buffer that has bytes of buf gets its flags and is its
 * shadow: buf is free when that one was sent.  When all of buf was cut or is
 * held, there is no such buffer, and buf is free at once.  Pages may come in
 * pieces of a byte, and a piece must not cost memory, so that an empty buffer
 * is sent only for the end of the page and for a flush.  No bytes are added to
 * a copy if windows of buf come before it: buf is needed until they were sent.
 */

static ngx_int_t
ngx_http_dt_body_end_buf(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_buf_t *buf)
{
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    b = ctx->added;

    if (b) {
        b->shadow = buf;

    } else {

        /* frees buf now, and no shadow frees it again */

        ngx_http_dt_body_used(buf);

        if (!buf->last_buf
            && !buf->last_in_chain
            && (!buf->flush || ctx->flushed))
        {
            return NGX_OK;
        }

        b = ngx_calloc_buf(r->pool);
        cl = ngx_alloc_chain_link(r->pool);

        if (b == NULL || cl == NULL) {
            return NGX_ERROR;
        }

        cl->buf = b;
        (void) ngx_http_dt_body_add(ctx, cl);

        b->sync = 1;
    }

    ctx->flushed = buf->flush;

    if (ctx->window) {
        ctx->copied = NULL;
    }

    b->last_buf |= buf->last_buf;
    b->last_in_chain |= buf->last_in_chain;
    b->flush |= buf->flush;
    b->recycled |= buf->recycled;

    return NGX_OK;
}


/*
 * Some charsets are told by the body only.  At most the bytes of this buffer
 * have been scanned by then.
 */

static void
ngx_http_dt_body_sniff(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    u_char *p, size_t len)
{
    len = ngx_min(len, NGX_HTTP_DT_SNIFF - ctx->sniffed);

    if (len < NGX_HTTP_DT_SNIFF) {
        ngx_memcpy(ctx->workspace->sniff + ctx->sniffed, p, len);
        p = ctx->workspace->sniff;
    }

    ctx->sniffed += len;

    if (!ngx_http_dt_foreign_body(p, ctx->sniffed)) {
        return;
    }

    ctx->sniffed = NGX_HTTP_DT_SNIFF;
    ctx->status = NGX_HTTP_DT_S_BYPASS;
    ctx->reason = NGX_HTTP_DT_R_CHARSET;

    ngx_log_debug0(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "detemplate body: the page is of another charset");

    (void) dt_rewrite_release(ctx->rewrite);
}


static int
ngx_http_dt_body_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    ngx_http_dt_ctx_t *ctx = data;

    u_char       *pos;
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    if (ngx_http_dt_watch_only(ctx)) {
        return NGX_OK;
    }

    if (ctx->text) {

        /* a page that is cut off must not look as if it were whole */

        if (dt_text_feed(ctx->text, p, len, 0) != DT_OK) {
            ctx->no_memory = 1;
            return NGX_ERROR;
        }

        return NGX_OK;
    }

    pos = (u_char *) p;

    if (kind == DT_OUT_HELD
        || kind == DT_OUT_MARK
        || (kind == DT_OUT_INPUT && ngx_http_dt_body_fits(ctx, len)))
    {
        return ngx_http_dt_body_copy(ctx, pos, len);
    }

    if (kind == DT_OUT_INPUT && ngx_http_dt_body_join(ctx, pos, len)) {
        return NGX_OK;
    }

    cl = ngx_chain_get_free_buf(ctx->request->pool, &ctx->free);
    if (cl == NULL) {
        ctx->no_memory = 1;
        return NGX_ERROR;
    }

    b = ngx_http_dt_body_add(ctx, cl);
    ctx->window = 1;

    *b = *ctx->buf;

    b->tag = NULL;
    b->shadow = NULL;
    b->last_buf = 0;
    b->last_in_chain = 0;
    b->flush = 0;
    b->sync = 0;
    b->recycled = 0;

    /* a window is sent from memory: one sendfile() per slice costs more */

    b->in_file = 0;
    b->memory = (!b->temporary && !b->mmap);

    b->pos = pos;
    b->last = pos + len;

    return NGX_OK;
}


static int
ngx_http_dt_body_text(void *data, const char *p, size_t len)
{
    return ngx_http_dt_body_copy(data, (u_char *) p, len) != NGX_OK;
}


/*
 * Short slices are put behind the bytes before them: behind a copy or, when
 * their buffer may be written to, over what was cut.  One more buffer would
 * cost more on its way through the filters.
 */

static ngx_uint_t
ngx_http_dt_body_fits(ngx_http_dt_ctx_t *ctx, size_t len)
{
    if (ctx->copy) {
        return 1;
    }

    return ctx->added
           && ctx->added == ctx->copied
           && len <= NGX_HTTP_DT_FEW
           && len <= ngx_http_dt_body_left(ctx->block);
}


static ngx_uint_t
ngx_http_dt_body_join(ngx_http_dt_ctx_t *ctx, u_char *p, size_t len)
{
    ngx_buf_t  *b;

    b = ctx->added;

    if (b == NULL
        || b == ctx->copied
        || len > NGX_HTTP_DT_FEW
        || !ctx->buf->temporary
        || !b->temporary
        || b->pos < ctx->buf->pos
        || b->last > p)
    {
        return 0;
    }

    b->last = ngx_movemem(b->last, p, len);

    return 1;
}


static ngx_buf_t *
ngx_http_dt_body_add(ngx_http_dt_ctx_t *ctx, ngx_chain_t *cl)
{
    cl->next = NULL;

    *ctx->last_out = cl;
    ctx->last_out = &cl->next;
    ctx->added = cl->buf;
    ctx->copied = NULL;

    return cl->buf;
}


static ngx_int_t
ngx_http_dt_body_copy(ngx_http_dt_ctx_t *ctx, u_char *p, size_t len)
{
    size_t                n;
    ngx_buf_t            *b;
    ngx_chain_t          *cl;
    ngx_http_dt_block_t  *block;

    while (len) {
        b = ctx->copied;
        block = ctx->block;

        if (block == NULL || ngx_http_dt_body_left(block) == 0) {
            block = ngx_http_dt_body_block(ctx);
            b = NULL;
        }

        if (b == NULL) {
            cl = ngx_chain_get_free_buf(ctx->request->pool, &ctx->free);

            if (block == NULL || cl == NULL) {
                ctx->no_memory = 1;
                return NGX_ERROR;
            }

            b = ngx_http_dt_body_add(ctx, cl);
            ctx->copied = b;

            ngx_memzero(b, sizeof(ngx_buf_t));

            b->start = (u_char *) block;
            b->pos = block->last;
            b->temporary = 1;
            b->tag = (ngx_buf_tag_t) &ngx_http_detemplate_filter_module;

            block->bufs++;

        } else if (b->shadow) {

            /* it was the shadow of an earlier buffer, and is of this one */

            ngx_http_dt_body_used(b->shadow);
            b->shadow = NULL;
        }

        n = ngx_min(len, ngx_http_dt_body_left(block));
        block->last = ngx_cpymem(block->last, p, n);
        b->last = block->last;
        b->end = b->last;
        p += n;
        len -= n;

        ctx->added = b;
    }

    return NGX_OK;
}


static ngx_http_dt_block_t *
ngx_http_dt_body_block(ngx_http_dt_ctx_t *ctx)
{
    ngx_http_dt_block_t  *block;

    block = ctx->free_blocks;

    if (block) {
        ctx->free_blocks = block->next;

    } else {
        block = ngx_palloc(ctx->request->pool, sizeof(ngx_http_dt_block_t));
        if (block == NULL) {
            return NULL;
        }

        block->bufs = 0;
        block->last = block->data;
    }

    ctx->block = block;

    return block;
}


static void
ngx_http_dt_body_used(ngx_buf_t *buf)
{
    buf->pos = buf->last;

    if (buf->in_file) {
        buf->file_pos = buf->file_last;
    }
}


void
ngx_http_dt_body_fields(ngx_list_t *fields)
{
    ngx_http_dt_hide_fields(fields, ngx_http_dt_untrue);
}


void
ngx_http_dt_body_give_up(ngx_http_dt_ctx_t *ctx, ngx_uint_t status)
{
    ctx->status = status;
    ctx->reason = NGX_HTTP_DT_R_ENCODING;

    if (status == NGX_HTTP_DT_S_ERROR) {
        ctx->phase = NGX_HTTP_DT_BROKEN;
    }

    ctx->added = NULL;

    (void) dt_rewrite_release(ctx->rewrite);
}


void
ngx_http_dt_body_sent(ngx_http_dt_ctx_t *ctx)
{
    ngx_chain_t  *cl;

    if (ctx->busy == NULL) {
        ctx->busy = ctx->out;

    } else {
        for (cl = ctx->busy; cl->next; cl = cl->next) { /* void */ }
        cl->next = ctx->out;
    }

    ctx->out = NULL;
    ctx->last_out = &ctx->out;
    ctx->copied = NULL;

    while (ctx->busy && ngx_buf_size(ctx->busy->buf) == 0) {
        cl = ctx->busy;
        ctx->busy = cl->next;

        ngx_http_dt_body_free_link(ctx, cl);
    }
}


void
ngx_http_dt_body_free_link(ngx_http_dt_ctx_t *ctx, ngx_chain_t *cl)
{
    ngx_buf_t            *b;
    ngx_http_dt_block_t  *block;

    b = cl->buf;

    if (b->shadow) {
        ngx_http_dt_body_used(b->shadow);
    }

    if (b->tag == (ngx_buf_tag_t) &ngx_http_detemplate_filter_module) {
        block = (ngx_http_dt_block_t *) b->start;

        if (--block->bufs == 0) {
            block->last = block->data;

            if (block != ctx->block) {
                block->next = ctx->free_blocks;
                ctx->free_blocks = block;
            }
        }

    } else if (!ngx_buf_in_memory(b) && !b->in_file) {

        /* an empty buffer may still be queued in a later filter */

        return;
    }

    cl->next = ctx->free;
    ctx->free = cl;
}


void
ngx_http_dt_body_cleanup(ngx_http_dt_ctx_t *ctx)
{
    ngx_http_dt_workspace_t  *workspace;

    if (ctx->rewrite) {
        dt_rewrite_destroy(ctx->rewrite);
    }

    dt_text_destroy(ctx->text);

    workspace = ctx->workspace;

    if (workspace == NULL) {
        return;
    }

    if (ngx_http_dt_nworkspaces == NGX_HTTP_DT_WORKSPACES) {
        ngx_free(workspace->text);
        ngx_free(workspace);
        return;
    }

    workspace->next = ngx_http_dt_workspaces;
    ngx_http_dt_workspaces = workspace;
    ngx_http_dt_nworkspaces++;
}
