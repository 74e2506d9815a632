
/*
 * Copyright (C) The detemplate authors
 */


#include <zlib.h>

#include "ngx_module/body/body.h"


#define NGX_HTTP_DT_INFLATE_BUF    32768
#define NGX_HTTP_DT_INFLATE_FROM   65536      /* the ratio counts from here */
#define NGX_HTTP_DT_INFLATE_RATIO  100
#define NGX_HTTP_DT_INFLATE_MAX    268435456  /* bytes of a page */

/* the fixed part of the header of a member of gzip, RFC 1952, 2.3 */
#define NGX_HTTP_DT_MEMBER         10


struct ngx_http_dt_inflate_s {
    z_stream                         strm;

    unsigned                         gzip:1;
    unsigned                         started:1;
    unsigned                         members:1;  /* a member has ended */
    unsigned                         more:1;     /* zlib has more output */
    unsigned                         done:1;     /* further input is ignored */
    unsigned                         over:1;     /* a bound was passed */
    unsigned                         flush:1;    /* flags of the last input */
    unsigned                         last:1;
    unsigned                         last_in_chain:1;

    ngx_http_request_t              *request;
    ngx_chain_t                     *in;
    ngx_buf_t                       *taken;     /* being inflated, or NULL */
    ngx_buf_t                       *buf;
    off_t                            received;
    off_t                            made;
    size_t                           memory;
};


static ngx_int_t ngx_http_dt_inflate_take(ngx_http_dt_inflate_t *inf);
static ngx_int_t ngx_http_dt_inflate_some(ngx_http_dt_inflate_t *inf);
static ngx_int_t ngx_http_dt_inflate_result(ngx_http_dt_inflate_t *inf,
    int rc);
static void ngx_http_dt_inflate_bound(ngx_http_dt_inflate_t *inf);
static ngx_uint_t ngx_http_dt_inflate_junk(ngx_http_dt_inflate_t *inf);
static void ngx_http_dt_inflate_done(ngx_http_dt_inflate_t *inf);
static ngx_int_t ngx_http_dt_inflate_fail(
    ngx_http_dt_inflate_t *inf, const char *why);
static void *ngx_http_dt_inflate_alloc(void *data, uInt items, uInt size);
static void ngx_http_dt_inflate_free(void *data, void *p);


static ngx_str_t  ngx_http_dt_content_encoding[] = {
    ngx_string("content-encoding"),
    ngx_null_string
};


ngx_uint_t
ngx_http_dt_coding(ngx_http_request_t *r)
{
    ngx_str_t   *name;
    ngx_uint_t   n, other;
    ngx_list_t  *headers;

    static ngx_str_t  names[] = {
        ngx_string("identity"),
        ngx_string("gzip"),
        ngx_string("x-gzip"),
        ngx_string("deflate")
    };

    name = ngx_http_dt_content_encoding;
    headers = &r->headers_out.headers;

    n = ngx_http_dt_count_parts(headers, name, &names[0], &other);

    if (other == 0) {
        return NGX_HTTP_DT_CODING_NONE;
    }

    if (n || other > 1) {
        return NGX_HTTP_DT_CODING_OTHER;
    }

    if (ngx_http_dt_count_parts(headers, name, &names[1], &other)
        || ngx_http_dt_count_parts(headers, name, &names[2], &other))
    {
        return NGX_HTTP_DT_CODING_GZIP;
    }

    return ngx_http_dt_count_parts(headers, name, &names[3], &other)
           ? NGX_HTTP_DT_CODING_DEFLATE
           : NGX_HTTP_DT_CODING_OTHER;
}


void
ngx_http_dt_clear_coding(ngx_http_request_t *r)
{
    ngx_http_dt_hide_fields(&r->headers_out.headers,
                            ngx_http_dt_content_encoding);
    r->headers_out.content_encoding = NULL;
}


ngx_http_dt_inflate_t *
ngx_http_dt_inflate_create(ngx_http_request_t *r, ngx_uint_t coding)
{
    ngx_http_dt_inflate_t  *inf;

    inf = ngx_pcalloc(r->pool, sizeof(ngx_http_dt_inflate_t));
    if (inf == NULL) {
        return NULL;
    }

    inf->buf = ngx_create_temp_buf(r->pool, NGX_HTTP_DT_INFLATE_BUF);
    if (inf->buf == NULL) {
        return NULL;
    }

    /* no filter may wait for more bytes before it sends the only buffer */

    inf->buf->recycled = 1;

    inf->request = r;
    inf->gzip = (coding == NGX_HTTP_DT_CODING_GZIP);
    inf->memory = NGX_HTTP_DT_INFLATE_BUF;

    inf->strm.zalloc = ngx_http_dt_inflate_alloc;
    inf->strm.zfree = ngx_http_dt_inflate_free;
    inf->strm.opaque = inf;

    /*
     * zlib allocates its window with the first bytes, when it is too late to
     * let the page pass compressed.  Setting a dictionary allocates it now;
     * that is possible for raw deflate only.  The reset keeps the window and
     * forgets the dictionary.
     */

    if (inflateInit2(&inf->strm, -MAX_WBITS) != Z_OK
        || inflateSetDictionary(&inf->strm, (u_char *) "", 1) != Z_OK
        || inflateReset2(&inf->strm, inf->gzip ? MAX_WBITS + 16 : MAX_WBITS)
           != Z_OK)
    {
        return NULL;
    }

    return inf;
}


ngx_int_t
ngx_http_dt_inflate_add(ngx_http_dt_inflate_t *inf, ngx_chain_t *in)
{
    return ngx_chain_add_copy(inf->request->pool, &inf->in, in);
}


ngx_uint_t
ngx_http_dt_inflate_waits(ngx_http_dt_inflate_t *inf)
{
    return inf && (inf->in || inf->taken || inf->more);
}


ngx_uint_t
ngx_http_dt_inflate_is_over(ngx_http_dt_inflate_t *inf)
{
    return inf->over;
}


ngx_int_t
ngx_http_dt_inflate(ngx_http_dt_inflate_t *inf, ngx_buf_t **buf)
{
    ngx_buf_t  *b;

    b = inf->buf;
    *buf = b;

    if (b->pos != b->last) {
        return NGX_DECLINED;
    }

    b->pos = b->start;
    b->last = b->start;
    b->flush = 0;
    b->last_buf = 0;
    b->last_in_chain = 0;

    while (b->last < b->end) {

        if (inf->taken == NULL && !inf->more) {

            if (inf->flush || inf->last || inf->last_in_chain
                || inf->in == NULL)
            {
                break;
            }

            if (ngx_http_dt_inflate_take(inf) != NGX_OK) {
                return NGX_ERROR;
            }

            continue;
        }

        if (ngx_http_dt_inflate_some(inf) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (inf->taken == NULL && !inf->more) {

        if (inf->last
            && !inf->done
            && inf->started
            && !ngx_http_dt_inflate_junk(inf))
        {
            return ngx_http_dt_inflate_fail(inf, "it is truncated");
        }

        b->flush = inf->flush;
        b->last_buf = inf->last;
        b->last_in_chain = inf->last_in_chain;

        inf->flush = 0;
        inf->last = 0;
        inf->last_in_chain = 0;
    }

    return (b->last > b->start || b->flush || b->last_buf || b->last_in_chain)
           ? NGX_OK : NGX_DECLINED;
}


/* takes the next input buffer; its owner may reuse it once it is empty */

static ngx_int_t
ngx_http_dt_inflate_take(ngx_http_dt_inflate_t *inf)
{
    ngx_buf_t    *buf;
    ngx_chain_t  *cl;

    cl = inf->in;
    buf = cl->buf;

    inf->in = cl->next;
    ngx_free_chain(inf->request->pool, cl);

    inf->flush = buf->flush;
    inf->last = buf->last_buf;
    inf->last_in_chain = buf->last_in_chain;

    if (ngx_buf_size(buf) == 0) {
        return NGX_OK;
    }

    if (!ngx_buf_in_memory(buf)) {
        return ngx_http_dt_inflate_fail(inf, "it is not in memory");
    }

    inf->taken = buf;
    inf->strm.next_in = buf->pos;
    inf->strm.avail_in = buf->last - buf->pos;

    if (inf->started) {
        return NGX_OK;
    }

    inf->started = 1;

    /*
     * RFC 9110, 8.4.1.2, wants deflate in the format of zlib, but some servers
     * send raw deflate.  The format of zlib begins with the method, 8; in raw
     * deflate, these bits would be a stored block whose padding is not zero.
     */

    if (!inf->gzip
        && (*buf->pos & 0x0f) != Z_DEFLATED
        && inflateReset2(&inf->strm, -MAX_WBITS) != Z_OK)
    {
        return ngx_http_dt_inflate_fail(inf, "zlib refused it");
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_inflate_some(ngx_http_dt_inflate_t *inf)
{
    int         rc;
    uInt        before;
    z_stream   *strm;
    ngx_buf_t  *b;

    b = inf->buf;
    strm = &inf->strm;

    if (inf->done) {
        inf->taken->pos = inf->taken->last;
        inf->taken = NULL;
        strm->avail_in = 0;
        return NGX_OK;
    }

    before = strm->avail_in;
    strm->next_out = b->last;
    strm->avail_out = b->end - b->last;

    rc = inflate(strm, Z_NO_FLUSH);

    inf->received += before - strm->avail_in;
    inf->made += strm->next_out - b->last;
    b->last = strm->next_out;

    inf->more = (rc == Z_OK && strm->avail_out == 0);

    if (inf->taken) {
        inf->taken->pos = inf->taken->last - strm->avail_in;

        if (strm->avail_in == 0) {
            inf->taken = NULL;
        }
    }

    if (!inf->over) {
        ngx_http_dt_inflate_bound(inf);
    }

    return ngx_http_dt_inflate_result(inf, rc);
}


/* goes on, ends, or fails, as zlib's return code says */

static ngx_int_t
ngx_http_dt_inflate_result(ngx_http_dt_inflate_t *inf, int rc)
{
    switch (rc) {

    case Z_OK:
    case Z_BUF_ERROR:
        return NGX_OK;

    case Z_STREAM_END:

        if (!inf->gzip) {
            ngx_http_dt_inflate_done(inf);
            return NGX_OK;
        }

        inf->members = 1;

        return (inflateReset(&inf->strm) == Z_OK)
               ? NGX_OK
               : ngx_http_dt_inflate_fail(inf, "zlib refused it");

    case Z_MEM_ERROR:
        return ngx_http_dt_inflate_fail(inf, "no memory");

    default:

        if (ngx_http_dt_inflate_junk(inf)) {
            ngx_http_dt_inflate_done(inf);
            return NGX_OK;
        }

        return ngx_http_dt_inflate_fail(inf, inf->strm.msg
                                             ? inf->strm.msg
                                             : "no dictionary");
    }
}


static void
ngx_http_dt_inflate_bound(ngx_http_dt_inflate_t *inf)
{
    const char  *why;

    if (inf->made > NGX_HTTP_DT_INFLATE_MAX) {
        why = "it is too long";

    } else if (inf->made > NGX_HTTP_DT_INFLATE_FROM
               && inf->made
                  > inf->received * NGX_HTTP_DT_INFLATE_RATIO)
    {
        why = "it is more than 100 times what was received";

    } else {
        return;
    }

    inf->over = 1;

    ngx_log_error(NGX_LOG_WARN, inf->request->connection->log, 0,
                  "detemplate: the compressed page passes from here, after "
                  "%O bytes of %O: %s", inf->made, inf->received, why);
}


/* whether the bytes after a member are not the beginning of another one */

static ngx_uint_t
ngx_http_dt_inflate_junk(ngx_http_dt_inflate_t *inf)
{
    return inf->members
           && inf->strm.total_out == 0
           && inf->strm.total_in < NGX_HTTP_DT_MEMBER;
}


static void
ngx_http_dt_inflate_done(ngx_http_dt_inflate_t *inf)
{
    inf->done = 1;

    (void) inflateEnd(&inf->strm);
}


static ngx_int_t
ngx_http_dt_inflate_fail(ngx_http_dt_inflate_t *inf, const char *why)
{
    inf->buf->flush = 1;

    ngx_log_error(NGX_LOG_ERR, inf->request->connection->log, 0,
                  "detemplate: the compressed page ends here, after %O bytes "
                  "of %O: %s", inf->made, inf->received, why);

    return NGX_ERROR;
}


static void *
ngx_http_dt_inflate_alloc(void *data, uInt items, uInt size)
{
    ngx_http_dt_inflate_t *inf = data;

    inf->memory += items * size;

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, inf->request->connection->log, 0,
                   "detemplate inflate: %uz bytes of memory", inf->memory);

    return ngx_palloc(inf->request->pool, items * size);
}


static void
ngx_http_dt_inflate_free(void *data, void *p)
{
    ngx_http_dt_inflate_t *inf = data;

    (void) ngx_pfree(inf->request->pool, p);
}
