
/*
 * Copyright (C) The detemplate authors
 *
 * A record is a header, like one of HTTP, and as many bytes as its
 * Content-Length says.  In a compressed file a record is usually a member of
 * gzip, and then it can be found again without the records before it.
 *
 * The body of a response may be in chunks and compressed, as it came over the
 * network.  Programs that write archives often decode the body and leave the
 * fields as they were.  So a coding is undone only where the bytes are in it.
 */


#define ZLIB_CONST

#include <brotli/decode.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "core/base/dt.h"
#include "core/web/fetch.h"
#include "core/web/warc.h"
#include "core/web/fetch_response.h"


/* how a body is encoded */
typedef struct {
    int chunked;
    int zipped;
    int brotli;
    int unknown; /* in a way that is not undone */
} dt_warc_coding_t;


/* Reads a number; of base 16 also one with something behind it. */
static int
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


/*
 * Reads the header of a response, which r takes; *rest becomes the bytes
 * behind it.  0: it is no page.
 */
static int
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

        if (r->status == 200 && dt_str_field(line, &name, &value)) {
            dt_warc_coded(c, name, value);
        }

        rest->data += n;
        rest->len -= n;
    }

    return 1;
}


/* returns the bytes behind the line with a chunk's length; NULL: there is no
   such line */
static const char *
dt_warc_chunk(const char *p, const char *end, uint64_t *n)
{
    const char *line = p < end ? memchr(p, '\n', (size_t) (end - p)) : NULL;

    return line != NULL
                   && dt_warc_number((dt_str_t){ (size_t) (line - p), p }, 16,
                                     n)
               ? line + 1
               : NULL;
}


/* joins the chunks of a body where it lies; one that has none stays: its first
   line is no length, or no line ends behind as many bytes */
static void
dt_warc_unchunk(dt_str_t *body)
{
    char *to = (char *) (uintptr_t) body->data;
    const char *end = body->data + body->len, *p;
    uint64_t n;

    p = dt_warc_chunk(body->data, end, &n);

    if (p == NULL
        || (n < (uint64_t) (end - p) && p[n] != '\r' && p[n] != '\n')) {
        return;
    }

    for (; p != NULL; p = dt_warc_chunk(p, end, &n)) {
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


/* whether a body is HTML despite its fields; no coding begins so */
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


/* Decodes a body into r, which may refuse it; the bytes of body change. */
static void
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


#define DT_WARC_IN ((size_t) 64 * 1024)
#define DT_WARC_OUT ((size_t) 64 * 1024)
#define DT_WARC_LINE ((size_t) 8 * 1024)
#define DT_WARC_HEADER ((size_t) 64 * 1024) /* bytes of a record's header */

/* bytes of a response beside its body */
#define DT_WARC_SLACK ((size_t) 64 * 1024)


struct dt_warc_s {
    dt_warc_read_pt read;
    void *data;

    uint64_t offset; /* in the file, behind the bytes in buf */
    const char *in;  /* bytes of buf that are left */
    size_t in_len;
    int zipped;
    int member; /* within a member of gzip */

    z_stream z;
    dt_warc_at_t at; /* of the next byte */
    const char *out; /* uncompressed bytes that are left */
    size_t out_len;

    char *block; /* of a record: the response */
    size_t max_bytes;
    unsigned max_ratio;

    dt_status_t rc; /* why there are no more bytes */
    const char *error;
    char buf[DT_WARC_IN];
    char unzipped[DT_WARC_OUT];
};


/* the facts of a record's header */
typedef struct {
    int response;
    int resource;  /* a page without a header of HTTP, */
    dt_str_t type; /* whose type the record says */
    int segmented; /* it is only a part of a page */
    uint64_t len;
    dt_str_t url;
} dt_warc_record_t;


dt_warc_t *
dt_warc_create(dt_warc_read_pt read, void *data)
{
    char magic[2];
    dt_fetch_opts_t o;
    dt_warc_t *w = malloc(sizeof(dt_warc_t));

    if (w == NULL) {
        return NULL;
    }

    memset(w, 0, offsetof(dt_warc_t, buf));

    dt_fetch_opts_init(&o);
    w->max_bytes = o.max_bytes;
    w->max_ratio = o.max_ratio;
    w->block = malloc(o.max_bytes + DT_WARC_SLACK);

    if (w->block == NULL || inflateInit2(&w->z, MAX_WBITS + 16) != Z_OK) {
        free(w->block);
        free(w);
        return NULL;
    }

    w->read = read;
    w->data = data;
    w->error = "ok";
    w->zipped = read(data, 0, magic, sizeof(magic)) == sizeof(magic)
                && memcmp(magic, "\x1f\x8b", 2) == 0;

    return w;
}


void
dt_warc_destroy(dt_warc_t *w)
{
    if (w != NULL) {
        (void) inflateEnd(&w->z);
        free(w->block);
        free(w);
    }
}


const char *
dt_warc_error(const dt_warc_t *w)
{
    return w->error;
}


static dt_status_t
dt_warc_fail(dt_warc_t *w, dt_status_t rc, const char *error)
{
    if (w->rc == DT_OK || w->rc == DT_DECLINED) {
        w->rc = rc;
        w->error = error;
    }

    return w->rc;
}


/* reads bytes of the file, unless there are some; 0: there are no more */
static int
dt_warc_fill(dt_warc_t *w)
{
    ssize_t n;

    if (w->in_len) {
        return 1;
    }

    n = w->read(w->data, w->offset, w->buf, sizeof(w->buf));

    if (n <= 0) {
        (void) dt_warc_fail(w, n < 0 ? DT_EIO : DT_DECLINED,
                            n < 0 ? "cannot be read" : "ended");
        return 0;
    }

    w->offset += (uint64_t) n;
    w->in = w->buf;
    w->in_len = (size_t) n;

    return 1;
}


/* the file has ended where it should not; returns 0 */
static int
dt_warc_cut_off(dt_warc_t *w)
{
    if (w->rc == DT_DECLINED) {
        w->rc = DT_EINVAL;
        w->error = "ends within a record";
    }

    return 0;
}


/* begins with the next member of gzip; 0: there is none */
static int
dt_warc_member(dt_warc_t *w)
{
    if (!dt_warc_fill(w)) {
        return 0;
    }

    (void) inflateReset(&w->z);
    w->member = 1;
    w->at.offset = w->offset - w->in_len;
    w->at.skip = 0;

    return 1;
}


/* uncompresses bytes, unless there are some; 0: there are no more */
static int
dt_warc_more(dt_warc_t *w)
{
    int rc;

    while (w->out_len == 0) {

        if (w->rc != DT_OK) {
            return 0;
        }

        if (!w->zipped) {
            if (!dt_warc_fill(w)) {
                return 0;
            }

            w->out = w->in;
            w->out_len = w->in_len;
            w->in_len = 0;
            continue;
        }

        if (!w->member && !dt_warc_member(w)) {
            return 0;
        }

        if (!dt_warc_fill(w)) {
            return dt_warc_cut_off(w);
        }

        w->z.next_in = (const Bytef *) w->in;
        w->z.avail_in = (uInt) w->in_len;
        w->z.next_out = (Bytef *) w->unzipped;
        w->z.avail_out = sizeof(w->unzipped);

        rc = inflate(&w->z, Z_NO_FLUSH);

        w->in += w->in_len - w->z.avail_in;
        w->in_len = w->z.avail_in;
        w->out = w->unzipped;
        w->out_len = sizeof(w->unzipped) - w->z.avail_out;
        w->member = rc != Z_STREAM_END;

        if (rc != Z_OK && rc != Z_STREAM_END) {
            (void) dt_warc_fail(w, DT_EINVAL, "broken compression");
        }
    }

    return 1;
}


/* takes n of the bytes that are there */
static void
dt_warc_take(dt_warc_t *w, size_t n)
{
    w->out += n;
    w->out_len -= n;

    if (w->zipped) {
        w->at.skip += n;

    } else {
        w->at.offset += n;
    }
}


/* skips n bytes; 0: there are fewer */
static int
dt_warc_skip(dt_warc_t *w, uint64_t n)
{
    size_t part;

    if (!w->zipped && n > w->out_len) {
        /* bytes that are not compressed need not be read */
        n -= w->out_len;
        dt_warc_take(w, w->out_len);

        if (n > UINT64_MAX / 2 - w->offset) {
            (void) dt_warc_fail(w, DT_EINVAL, "broken record");
            return 0;
        }

        w->offset += n;
        w->at.offset += n;

        return 1;
    }

    for (; n; n -= part) {
        if (!dt_warc_more(w)) {
            return 0;
        }

        part = n < w->out_len ? (size_t) n : w->out_len;
        dt_warc_take(w, part);
    }

    return 1;
}


dt_status_t
dt_warc_seek(dt_warc_t *w, dt_warc_at_t at)
{
    w->rc = DT_OK;
    w->error = "ok";
    w->offset = at.offset;
    w->in_len = w->out_len = 0;
    w->member = 0;
    w->at.offset = at.offset;
    w->at.skip = 0;

    return !at.skip || dt_warc_skip(w, at.skip) ? DT_OK : w->rc;
}


/*
 * Reads a line into buf, of size bytes; the rest of a longer one is dropped.
 * Returns the number of bytes taken off the file, or 0.
 */
static size_t
dt_warc_line(dt_warc_t *w, char *buf, size_t size, dt_str_t *line)
{
    size_t n, len = 0, taken = 0;
    const char *end = NULL;

    while (end == NULL && taken <= DT_WARC_HEADER) {
        if (!dt_warc_more(w)) {
            /* the last line may have no end */
            break;
        }

        end = memchr(w->out, '\n', w->out_len);
        n = end != NULL ? (size_t) (end - w->out) + 1 : w->out_len;

        if (len < size) {
            memcpy(buf + len, w->out, n < size - len ? n : size - len);
            len += n < size - len ? n : size - len;
        }

        taken += n;
        dt_warc_take(w, n);
    }

    *line = dt_str_trim((dt_str_t){ len, buf });

    return taken;
}


/* reads a record's header; DT_EINVAL: there is none */
static dt_status_t
dt_warc_header(dt_warc_t *w, dt_arena_t *a, dt_warc_at_t *at,
               dt_warc_record_t *r)
{
    int sized = 0;
    char buf[DT_WARC_LINE];
    size_t n, all = 0;
    dt_str_t line, name, value;

    memset(r, 0, sizeof(*r));

    do {
        *at = w->at;
        n = dt_warc_line(w, buf, sizeof(buf), &line);

        if (n == 0) {
            return w->rc;
        }

        /* a new member begins with a new record */
        if (w->zipped && w->at.skip == n) {
            *at = (dt_warc_at_t){ w->at.offset, 0 };
        }

        all += n;
    } while (line.len == 0 && all < DT_WARC_HEADER);

    if (line.len < 5 || memcmp(line.data, "WARC/", 5) != 0) {
        return dt_warc_fail(w, DT_EINVAL, "no record begins there");
    }

    while ((n = dt_warc_line(w, buf, sizeof(buf), &line)) != 0
           && line.len != 0) {
        all += n;

        if (all > DT_WARC_HEADER) {
            return dt_warc_fail(w, DT_EINVAL,
                                "a record's header is too large");
        }

        if (!dt_str_field(line, &name, &value)) {
            continue;
        }

        if (dt_str_case_eq(name, dt_str("WARC-Type"))) {
            r->response = dt_str_case_eq(value, dt_str("response"));
            r->resource = dt_str_case_eq(value, dt_str("resource"));

        } else if (dt_str_case_eq(name, dt_str("WARC-Segment-Number"))) {
            r->segmented = 1;

        } else if (dt_str_case_eq(name, dt_str("Content-Type"))) {
            r->type = dt_arena_strdup(a, value);

            if (r->type.data == NULL) {
                return dt_warc_fail(w, DT_ENOMEM, "out of memory");
            }

        } else if (dt_str_case_eq(name, dt_str("Content-Length"))) {
            sized = dt_warc_number(value, 10, &r->len);

        } else if (dt_str_case_eq(name, dt_str("WARC-Target-URI"))) {
            /* wget writes it in brackets */

            if (value.len > 1 && value.data[0] == '<'
                && value.data[value.len - 1] == '>') {
                value.data++;
                value.len -= 2;
            }

            r->url = dt_arena_strdup(a, value);

            if (r->url.data == NULL) {
                return dt_warc_fail(w, DT_ENOMEM, "out of memory");
            }
        }
    }

    (void) (n == 0 && dt_warc_cut_off(w));

    return w->rc != DT_OK ? w->rc
           : sized        ? DT_OK
                   : dt_warc_fail(w, DT_EINVAL, "a record without a length");
}


/* reads n bytes into the block; returns those that were there */
static size_t
dt_warc_block(dt_warc_t *w, size_t n)
{
    size_t part, len = 0;

    for (; len < n && dt_warc_more(w); len += part) {
        part = n - len < w->out_len ? n - len : w->out_len;
        memcpy(w->block + len, w->out, part);
        dt_warc_take(w, part);
    }

    return len;
}


/* reads the header of a page, of which the record holds len bytes; 0: it is
   none */
static int
dt_warc_headed(const dt_warc_record_t *record, dt_str_t block,
               dt_response_t *r, dt_warc_coding_t *c, dt_str_t *rest)
{
    char head[DT_WARC_LINE];
    dt_str_t none;

    if (!record->resource) {
        return dt_warc_response(block, r, c, rest);
    }

    *rest = block;
    none.data = head;
    none.len = (size_t) snprintf(head, sizeof(head),
                                 "HTTP/1.1 200\r\nContent-Type: %.*s\r\n\r\n",
                                 (int) record->type.len, record->type.data);

    return none.len < sizeof(head) && dt_warc_response(none, r, c, &none);
}


/* reads a record that may hold a page; DT_DECLINED: it does not */
static dt_status_t
dt_warc_page(dt_warc_t *w, const dt_warc_record_t *record, int body,
             dt_arena_t *a, dt_warc_page_t *page)
{
    size_t n, most = body ? w->max_bytes + DT_WARC_SLACK : DT_WARC_SLACK;
    uint64_t len = record->len;
    dt_str_t rest;
    dt_response_t r;
    dt_warc_coding_t c;

    n = dt_warc_block(w, len < most ? (size_t) len : most);

    dt_response_init(&r, a);
    r.max_bytes = w->max_bytes;
    r.max_ratio = w->max_ratio;

    if (!dt_warc_headed(record, (dt_str_t){ n, w->block }, &r, &c, &rest)) {
        return r.reason != NULL && r.rc == DT_ENOMEM
                   ? dt_warc_fail(w, DT_ENOMEM, "out of memory")
               : dt_warc_skip(w, len - n) ? DT_DECLINED
                                          : w->rc;
    }

    page->type = r.type;

    if (record->segmented) {
        (void) dt_response_refuse(&r, DT_DECLINED, "segmented", "");

    } else if (w->rc != DT_OK) {
        (void) dt_response_refuse(&r, DT_DECLINED, "truncated", "");

    } else if (len > n && body) {
        (void) dt_response_refuse(&r, DT_ELIMIT, "too-large", "");

    } else if (body) {
        dt_warc_decode(&r, &c, rest);
    }

    page->reason = r.reason;
    page->body = r.reason == NULL ? r.body : dt_str("");

    /* the next call finds the end */
    (void) dt_warc_skip(w, len - n);

    return DT_OK;
}


dt_status_t
dt_warc_next(dt_warc_t *w, int body, dt_arena_t *a, dt_warc_page_t *page)
{
    dt_status_t rc;
    dt_warc_record_t r;

    for (;;) {
        memset(page, 0, sizeof(*page));

        rc = w->rc == DT_OK ? dt_warc_header(w, a, &page->at, &r) : w->rc;
        if (rc != DT_OK) {
            return rc;
        }

        page->url = r.url;

        if (!(r.response || r.resource) || r.url.len == 0) {
            (void) dt_warc_skip(w, r.len);
            continue;
        }

        rc = dt_warc_page(w, &r, body, a, page);
        if (rc != DT_DECLINED || w->rc != DT_OK) {
            return rc;
        }
    }
}
