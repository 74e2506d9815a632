
/*
 * Copyright (C) The detemplate authors
 *
 * The body of a response may be in chunks and compressed, as it came over the
 * network.  Programs that write archives often decode the body and leave the
 * fields as they were.  So a coding is undone only where the bytes are in it.
 */


#define ZLIB_CONST

#include <brotli/decode.h>
#include <zlib.h>

#include "core/base/str.h"
#include "core/web/warc_body.h"


int
dt_warc_field(dt_str_t line, dt_str_t *name, dt_str_t *value)
{
    const char *p = line.len ? memchr(line.data, ':', line.len) : NULL;

    if (p == NULL) {
        return 0;
    }

    name->data = line.data;
    name->len = (size_t) (p - line.data);
    value->data = p + 1;
    value->len = line.len - name->len - 1;
    *name = dt_str_trim(*name);
    *value = dt_str_trim(*value);

    return 1;
}


int
dt_warc_number(dt_str_t s, unsigned base, uint64_t *n)
{
    int digit;
    size_t i;

    for (i = 0, *n = 0; i < s.len; i++) {
        digit = dt_hex(s.data[i]);

        if (digit < 0 || digit >= (int) base || *n >> 48) {
            break;
        }

        *n = *n * base + (unsigned) digit;
    }

    return i && (i == s.len || base == 16);
}


static void
dt_warc_coded(dt_warc_coding_t *c, dt_str_t name, dt_str_t value)
{
    if (dt_str_case_eq(name, dt_str("Transfer-Encoding"))) {
        c->chunked = dt_str_case_eq(value, dt_str("chunked"));

    } else if (dt_str_case_eq(name, dt_str("Content-Encoding")) && value.len
               && !dt_str_case_eq(value, dt_str("identity")))
    {
        c->zipped = dt_str_case_eq(value, dt_str("gzip"))
                    || dt_str_case_eq(value, dt_str("x-gzip"))
                    || dt_str_case_eq(value, dt_str("deflate"));
        c->brotli = dt_str_case_eq(value, dt_str("br"));
        c->unknown = !c->zipped && !c->brotli;
    }
}


int
dt_warc_response(dt_str_t block, dt_response_t *r, dt_warc_coding_t *c,
                 dt_str_t *rest)
{
    size_t n;
    dt_str_t line, name, value;
    const char *end;

    memset(c, 0, sizeof(*c));
    *rest = block;

    while (!r->headed) {
        end = rest->len ? memchr(rest->data, '\n', rest->len) : NULL;
        if (end == NULL) {
            return 0;
        }

        n = (size_t) (end - rest->data) + 1;
        line = dt_str_trim((dt_str_t){ n, rest->data });

        if (dt_response_header(r, rest->data, n)) {
            return 0;
        }

        if (r->status == 200 && dt_warc_field(line, &name, &value)) {
            dt_warc_coded(c, name, value);
        }

        rest->data += n;
        rest->len -= n;
    }

    return 1;
}


/* joins the chunks of a body where it lies; one that has none stays */
static void
dt_warc_unchunk(dt_str_t *body)
{
    char *to = (char *) (uintptr_t) body->data;
    const char *p = body->data, *end = p + body->len, *line;
    uint64_t n;

    while (p < end && (line = memchr(p, '\n', (size_t) (end - p))) != NULL) {

        if (!dt_warc_number((dt_str_t){ (size_t) (line - p), p }, 16, &n)) {

            if (p == body->data) {
                return;
            }

            break;
        }

        p = line + 1;
        n = n < (uint64_t) (end - p) ? n : (uint64_t) (end - p);
        memmove(to, p, (size_t) n);
        to += n;
        p += n;

        if (n == 0) {
            break;
        }

        /* the end of the chunk's last line */
        p += p < end && *p == '\r';
        p += p < end && *p == '\n';
    }

    body->len = (size_t) (to - body->data);
}


/* whether a body is HTML, whatever the fields say; no coding begins so */
static int
dt_warc_is_plain(dt_str_t body)
{
    body = dt_str_trim(body);

    if (body.len > 3 && memcmp(body.data, "\xef\xbb\xbf", 3) == 0) {
        body.data += 3;
        body.len -= 3;
    }

    return body.len == 0
           || (body.len > 1 && body.data[0] == '<'
               && (strchr("!?", body.data[1]) != NULL
                   || ((body.data[1] | 0x20) >= 'a'
                       && (body.data[1] | 0x20) <= 'z')));
}


/* how inflate() reads a body: zlib's bits */
static int
dt_warc_bits(dt_str_t body)
{
    const unsigned char *p = (const unsigned char *) body.data;

    if (body.len > 1 && p[0] == 0x1f && p[1] == 0x8b) {
        return MAX_WBITS + 16;
    }

    return body.len > 1 && (p[0] & 0x0f) == Z_DEFLATED
                   && ((unsigned) p[0] << 8 | p[1]) % 31 == 0
               ? MAX_WBITS
               : -MAX_WBITS;
}


static void
dt_warc_inflate(dt_response_t *r, dt_str_t body, int bits)
{
    int rc;
    char buf[16 * 1024];
    z_stream z;

    memset(&z, 0, sizeof(z));
    z.next_in = (const Bytef *) body.data;
    z.avail_in = (uInt) body.len;

    if (inflateInit2(&z, bits) != Z_OK) {
        (void) dt_response_refuse(r, DT_ENOMEM, "memory", "out of memory");
        return;
    }

    do {
        z.next_out = (Bytef *) buf;
        z.avail_out = sizeof(buf);
        rc = inflate(&z, Z_NO_FLUSH);

        if (dt_response_body(r, buf, sizeof(buf) - z.avail_out)) {
            break;
        }
    } while (rc == Z_OK);

    if (rc != Z_STREAM_END) {
        (void) dt_response_refuse(r, DT_DECLINED, "encoding",
                                  "broken compression");
    }

    (void) inflateEnd(&z);
}


static void
dt_warc_unbrotli(dt_response_t *r, dt_str_t body)
{
    char buf[16 * 1024];
    size_t room;
    uint8_t *out;
    const uint8_t *in = (const uint8_t *) body.data;
    BrotliDecoderResult rc;
    BrotliDecoderState *b = BrotliDecoderCreateInstance(NULL, NULL, NULL);

    if (b == NULL) {
        (void) dt_response_refuse(r, DT_ENOMEM, "memory", "out of memory");
        return;
    }

    do {
        out = (uint8_t *) buf;
        room = sizeof(buf);
        rc = BrotliDecoderDecompressStream(b, &body.len, &in, &room, &out,
                                           NULL);

        if (dt_response_body(r, buf, sizeof(buf) - room)) {
            break;
        }
    } while (rc == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT);

    if (rc != BROTLI_DECODER_RESULT_SUCCESS) {
        (void) dt_response_refuse(r, DT_DECLINED, "encoding",
                                  "broken compression");
    }

    BrotliDecoderDestroyInstance(b);
}


void
dt_warc_decode(dt_response_t *r, const dt_warc_coding_t *c, dt_str_t body)
{
    if (c->chunked) {
        dt_warc_unchunk(&body);
    }

    if (!(c->zipped || c->brotli || c->unknown) || dt_warc_is_plain(body)) {
        (void) dt_response_body(r, body.data, body.len);
        return;
    }

    if (c->unknown) {
        (void) dt_response_refuse(r, DT_DECLINED, "encoding",
                                  "unknown compression");

    } else if (c->brotli) {
        dt_warc_unbrotli(r, body);

    } else {
        dt_warc_inflate(r, body, dt_warc_bits(body));
    }

    dt_response_end(r, body.len);
}
