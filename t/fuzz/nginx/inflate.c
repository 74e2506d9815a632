
/*
 * Copyright (C) The detemplate authors
 *
 * A compressed body.  However it is cut into buffers, and however its bytes
 * are taken, the same comes of it; and what was only compressed is what it
 * was before.
 *
 * An input is: what is done (WHAT_), the size of pieces, the number of
 * changes, the changes (offset, offset, value), the body.
 */


#include <zlib.h>

#include "ngx_module/body/body.h"
#include "nginx.h"


enum {
    WHAT_DEFLATE = 1, /* not gzip */
    WHAT_BARE = 2,    /* without zlib's wrapper */
    WHAT_RAW = 4,     /* the body is as it is */
    WHAT_TWICE = 8,   /* two members */
    WHAT_JUNK = 16,   /* something behind */
    WHAT_FLUSH = 32,  /* each buffer is flushed */
    WHAT_LONG = 64    /* the page says it again and again */
};

#define BODY_MAX 65536
#define LONG 100000
#define OUT_MAX ((size_t) 64 << 20)


typedef struct {
    u_char *data;
    size_t len;
    size_t size;
    ngx_int_t rc;
    ngx_uint_t last;
} out_t;


static void
out_add(out_t *out, ngx_buf_t *b, size_t n)
{
    while (out->size - out->len < n) {
        out->size = 2 * out->size + 65536;
        out->data = realloc(out->data, out->size);
        fuzz_assert(out->data != NULL);
    }

    memcpy(out->data + out->len, b->pos, n);
    out->len += n;
    b->pos += n;
    fuzz_assert(out->len <= OUT_MAX);
}


/* the whole of what there is now, at most step bytes at a time */
static ngx_int_t
take(ngx_http_dt_inflate_t *inf, out_t *out, size_t step)
{
    size_t n;
    ngx_buf_t *b;
    ngx_int_t rc;

    for (;;) {
        rc = ngx_http_dt_inflate(inf, &b);
        fuzz_assert(b->start <= b->pos && b->last <= b->end);

        if (rc == NGX_DECLINED) {
            fuzz_assert(!ngx_http_dt_inflate_waits(inf));
            return NGX_OK;
        }

        fuzz_assert(!out->last);
        out->last = rc == NGX_OK && b->last_buf;

        while (b->pos < b->last) {
            n = (size_t) (b->last - b->pos);
            out_add(out, b, n < step ? n : step);

            if (rc == NGX_OK && b->pos < b->last) {
                fuzz_assert(ngx_http_dt_inflate(inf, &b) == NGX_DECLINED);
            }
        }

        if (rc == NGX_ERROR) {
            return rc;
        }
    }
}


static void
run(const u_char *body, size_t len, unsigned what, size_t step, out_t *out)
{
    size_t at = 0, n;
    ngx_buf_t *b;
    ngx_chain_t cl;
    ngx_connection_t c;
    ngx_http_request_t r;
    ngx_http_dt_inflate_t *inf;

    memset(&c, 0, sizeof(c));
    memset(&r, 0, sizeof(r));
    memset(out, 0, sizeof(*out));
    c.log = &fuzz_log;
    r.connection = &c;
    r.pool = ngx_create_pool(4096, &fuzz_log);
    inf = ngx_http_dt_inflate_create(&r, what & WHAT_DEFLATE
                                             ? NGX_HTTP_DT_CODING_DEFLATE
                                             : NGX_HTTP_DT_CODING_GZIP);
    fuzz_assert(inf != NULL);

    do {
        n = len - at < step ? len - at : step;
        b = n ? ngx_create_temp_buf(r.pool, n) : ngx_calloc_buf(r.pool);
        fuzz_assert(b != NULL);

        if (n) {
            b->last = ngx_cpymem(b->pos, body + at, n);
        }

        at += n;
        b->flush = (what & WHAT_FLUSH) != 0;
        b->last_buf = at == len;
        cl.buf = b;
        cl.next = NULL;
        fuzz_assert(ngx_http_dt_inflate_add(inf, &cl) == NGX_OK);
        out->rc = take(inf, out, step);
    } while (at < len && out->rc == NGX_OK);

    fuzz_assert(out->last == (out->rc == NGX_OK));
    ngx_destroy_pool(r.pool);
}


/* the page, in a buffer of its own; *size is what it has */
static const uint8_t *
again(const uint8_t *data, size_t *size, unsigned what)
{
    static uint8_t page[LONG];
    size_t n = *size;

    if (!(what & WHAT_LONG) || what & WHAT_RAW || n == 0) {
        return data;
    }

    for (size_t i = 0; i < LONG; i++) {
        page[i] = data[i % n];
    }

    *size = LONG;

    return page;
}


/* data compressed, behind what is in body */
static size_t
pack(u_char *body, size_t at, const uint8_t *data, size_t size, unsigned what)
{
    z_stream z;
    int bits = !(what & WHAT_DEFLATE) ? MAX_WBITS + 16
               : what & WHAT_BARE     ? -MAX_WBITS
                                      : MAX_WBITS;

    memset(&z, 0, sizeof(z));
    fuzz_assert(deflateInit2(&z, 6, Z_DEFLATED, bits, 8, 0) == Z_OK);
    z.next_in = (u_char *) data;
    z.avail_in = (uInt) size;
    z.next_out = body + at;
    z.avail_out = (uInt) (BODY_MAX - at);
    fuzz_assert(deflate(&z, Z_FINISH) == Z_STREAM_END);
    (void) deflateEnd(&z);

    return BODY_MAX - z.avail_out;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static u_char body[BODY_MAX];
    size_t len, off, changes, i;
    unsigned what;
    out_t whole, pieces, bytes;
    const uint8_t *change;

    fuzz_nginx();

    if (size < 3 || size > 8192) {
        return 0;
    }

    what = data[0];
    changes = data[2] % 8u;
    change = data + 3;

    if (size < 3 + 3 * changes) {
        return 0;
    }

    off = data[1] + 1u;
    data += 3 + 3 * changes;
    size -= 3 + 3 * changes;

    data = again(data, &size, what);

    if (what & WHAT_RAW) {
        memcpy(body, data, size);
        len = size;

    } else {
        len = pack(body, 0, data, size, what);

        if (what & WHAT_TWICE) {
            len = pack(body, len, data, size, what);
        }

        if (what & WHAT_JUNK) {
            memcpy(body + len, "junk", 4);
            len += 4;
        }
    }

    for (i = 0; i < changes && len; i++) {
        body[(change[3 * i] | change[3 * i + 1] << 8) % len] =
            change[3 * i + 2];
    }

    run(body, len, what, BODY_MAX, &whole);
    run(body, len, what, off, &pieces);
    run(body, len, what, 1, &bytes);

    fuzz_assert(whole.rc == pieces.rc && whole.rc == bytes.rc);
    fuzz_assert(whole.len == pieces.len && whole.len == bytes.len);
    fuzz_assert(whole.len == 0
                || (memcmp(whole.data, pieces.data, whole.len) == 0
                    && memcmp(whole.data, bytes.data, whole.len) == 0));

    /* of deflate, what is behind its end is not looked at */

    if (!(what & WHAT_RAW) && changes == 0) {
        i = what & WHAT_TWICE && !(what & WHAT_DEFLATE) ? 2 : 1;
        fuzz_assert(whole.rc == NGX_OK && whole.len == i * size);
        fuzz_assert(size == 0 || memcmp(whole.data, data, size) == 0);
    }

    free(whole.data);
    free(pieces.data);
    free(bytes.data);

    return 0;
}
