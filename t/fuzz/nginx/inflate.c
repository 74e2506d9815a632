
/*
 * Copyright (C) The detemplate authors
 *
 * A compressed body.  What was only compressed is what it was before, and of
 * a body that is too large comes only the beginning.
 *
 * An input is: what is done (WHAT_), the bytes that are too many, the number of
 * changes, the changes (offset, offset, value), the body.
 */


#include <zlib.h>

#include "nginx.h"
#include "ngx_module/body/hold.h"
#include "ngx_module/body/inflate.h"


enum {
    WHAT_DEFLATE = 1, /* not gzip */
    WHAT_BARE = 2,    /* without zlib's wrapper */
    WHAT_RAW = 4,     /* the body is as it is */
    WHAT_TWICE = 8,   /* two members */
    WHAT_JUNK = 16,   /* something behind */
    WHAT_LONG = 64    /* the page says it again and again */
};

#define BODY_MAX 65536
#define LONG 100000
#define OUT_MAX ((size_t) 64 << 20)


typedef struct {
    u_char *data;
    size_t len;
    ngx_int_t rc;
    ngx_uint_t reason;
} out_t;


/* at most max bytes of it */
static void
run(u_char *body, size_t len, unsigned what, size_t max, out_t *out)
{
    ngx_buf_t buf;
    ngx_connection_t c;
    ngx_http_dt_ctx_t ctx;
    ngx_http_request_t r;
    ngx_http_dt_loc_conf_t conf;

    memset(&buf, 0, sizeof(buf));
    memset(&c, 0, sizeof(c));
    memset(&ctx, 0, sizeof(ctx));
    memset(&r, 0, sizeof(r));
    memset(&conf, 0, sizeof(conf));
    memset(out, 0, sizeof(*out));

    c.log = &fuzz_log;
    r.connection = &c;
    r.pool = ngx_create_pool(4096, &fuzz_log);
    conf.hold = max;
    ctx.conf = &conf;
    ctx.request = &r;
    ctx.page.start = body;
    ctx.page.pos = body;
    ctx.page.last = body + len;
    ctx.page.end = body + len;

    out->rc =
        ngx_http_dt_inflate(&ctx,
                            what & WHAT_DEFLATE ? NGX_HTTP_DT_CODING_DEFLATE
                                                : NGX_HTTP_DT_CODING_GZIP,
                            &buf);
    out->reason = ctx.reason;
    out->len = (size_t) (buf.last - buf.pos);

    fuzz_assert(out->rc == NGX_OK || out->rc == NGX_DECLINED);
    fuzz_assert((out->rc == NGX_OK) == (out->reason == 0));
    fuzz_assert(buf.start <= buf.pos && buf.last <= buf.end);
    fuzz_assert(out->len <= max);

    if (out->len) {
        out->data = malloc(out->len);
        fuzz_assert(out->data != NULL);
        memcpy(out->data, buf.pos, out->len);
    }

    ngx_http_dt_hold_end(&ctx);
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
    out_t whole, part;
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

    run(body, len, what, OUT_MAX, &whole);
    run(body, len, what, off, &part);

    fuzz_assert(part.reason == whole.reason
                || part.reason == NGX_HTTP_DT_R_SIZE);
    fuzz_assert(
        part.len <= whole.len
        && (part.len == 0 || memcmp(part.data, whole.data, part.len) == 0));
    fuzz_assert(part.rc != NGX_OK || part.len == whole.len);

    /* of deflate, what is behind its end is not looked at */

    if (!(what & WHAT_RAW) && changes == 0) {
        i = what & WHAT_TWICE && !(what & WHAT_DEFLATE) ? 2 : 1;
        fuzz_assert(whole.rc == NGX_OK && whole.len == i * size);
        fuzz_assert(size == 0 || memcmp(whole.data, data, size) == 0);
    }

    free(whole.data);
    free(part.data);

    return 0;
}
