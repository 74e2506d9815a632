
/*
 * Copyright (C) The detemplate authors
 *
 * A writer from its beginning to its end, and what it is fed with: UTF-8, or
 * bytes of another charset.
 */


#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "core/base/dt.h"
#include "core/html/html.h"
#include "core/text/text_i.h"


static void *
dt_text_malloc(void *data, size_t size)
{
    (void) data;

    return malloc(size);
}


static void
dt_text_mfree(void *data, void *p)
{
    (void) data;

    free(p);
}


/* sets *cd to what converts from a charset; (iconv_t) -1: nothing need be */
static dt_status_t
dt_text_charset(dt_str_t charset, iconv_t *cd)
{
    char name[48];
    const dt_encoding_t *e = dt_charset_label(charset);

    *cd = (iconv_t) -1;

    if (charset.len == 0 || (e != NULL && strcmp(e->name, "utf-8") == 0)) {
        return DT_OK;
    }

    if (e == NULL) {
        /* browsers know none but those, nor UTF-7, by which markup can be
           hidden */

        if (charset.len >= sizeof(name)
            || memchr(charset.data, '/', charset.len) != NULL
            || (charset.len >= 5 && strncasecmp(charset.data, "utf-7", 5) == 0)
            || (charset.len >= 4 && strncasecmp(charset.data, "utf7", 4) == 0))
        {
            return DT_EINVAL;
        }

        memcpy(name, charset.data, charset.len);
        name[charset.len] = '\0';

    } else if (*e->iconv == '\0') {
        return DT_EINVAL;
    }

    *cd = iconv_open("UTF-8", e != NULL ? e->iconv : name);

    return *cd == (iconv_t) -1 ? DT_EINVAL : DT_OK;
}


/* whether bytes below 0x80 are those of ASCII in a charset, whatever is beside
   them: they do not shift, nor wait for a mark that is put above them */
static int
dt_text_is_ascii(iconv_t cd)
{
    char ascii[] = "\x1b$B!!\x1b(B\x1b$)C\x0e!!\x0f\x1b$)A\x0e!!\x0f~{!!~}"
                   " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t\n\f\r\x7f"
                   "0123456789bcdefghijklmnopqrstuvwxyz"
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZa";
    char buf[2 * sizeof(ascii)], *in = ascii, *out = buf;
    size_t len = sizeof(ascii) - 1, left = len, room = sizeof(buf);

    (void) iconv(cd, &in, &left, &out, &room);
    (void) iconv(cd, NULL, NULL, NULL, NULL);

    return (size_t) (out - buf) == len && memcmp(buf, ascii, len) == 0;
}


int
dt_text_knows(dt_str_t charset)
{
    iconv_t cd;

    if (dt_text_charset(charset, &cd) != DT_OK) {
        return 0;
    }

    if (cd != (iconv_t) -1) {
        (void) iconv_close(cd);
    }

    return 1;
}


size_t
dt_text_room(void)
{
    return sizeof(dt_text_t);
}


dt_status_t
dt_text_create(const dt_text_opts_t *o, dt_text_t **out)
{
    dt_alloc_t alloc = { dt_text_malloc, dt_text_mfree, NULL };
    dt_text_t *t;
    iconv_t cd;
    dt_status_t rc = dt_text_charset(o->charset, &cd);

    if (rc != DT_OK) {
        return rc;
    }

    if (o->alloc != NULL) {
        alloc = *o->alloc;
    }

    t = o->room != NULL ? o->room : alloc.alloc(alloc.data, sizeof(dt_text_t));

    if (t == NULL) {
        if (cd != (iconv_t) -1) {
            (void) iconv_close(cd);
        }

        return DT_ENOMEM;
    }

    memset(t, 0, offsetof(dt_text_t, line));
    t->alloc = alloc;
    t->charset = cd;
    t->ascii = cd != (iconv_t) -1 && dt_text_is_ascii(cd);
    t->lent = o->room != NULL;
    t->windows = o->charset.len == 0;
    t->drops = !o->hidden;
    t->plain = o->plain != 0;
    t->front = o->front != 0;
    t->index = o->index;
    t->json = o->json ? DT_JSON_HEAD : DT_JSON_NONE;
    t->anchors = o->anchors;
    t->head = t->front || t->json || t->index.len;
    t->out = o->out;
    t->out_data = o->out_data;
    t->url = o->url;

    dt_base_set(&t->base, o->url);

    dt_scan_follow(&t->scan, o->xml);
    *out = t;

    return DT_OK;
}


dt_str_t
dt_text_canonical(const dt_text_t *t)
{
    return (dt_str_t){ t->canonical_len, t->canonical };
}


void
dt_text_destroy(dt_text_t *t)
{
    if (t == NULL) {
        return;
    }

    if (t->charset != (iconv_t) -1) {
        (void) iconv_close(t->charset);
    }

    if (t->alloc.free != NULL) {
        if (t->carry.data != NULL) {
            t->alloc.free(t->alloc.data, t->carry.data);
        }

        if (t->headings.bytes.size) {
            t->alloc.free(t->alloc.data, t->headings.bytes.data);
        }

        if (t->links.bytes.size) {
            t->alloc.free(t->alloc.data, t->links.bytes.data);
        }

        if (!t->lent) {
            t->alloc.free(t->alloc.data, t);
        }
    }
}


/* feeds bytes of another charset */
static int
dt_text_iconv(dt_text_t *t, const char *p, size_t len)
{
    char buf[1024], *in, *out;
    size_t n, left, room;

    while (len || t->raw_len) {
        n = sizeof(t->raw) - t->raw_len;
        n = n < len ? n : len;
        in = t->raw_len ? t->raw : (char *) (uintptr_t) p;
        left = len;

        if (t->raw_len) {
            memcpy(t->raw + t->raw_len, p, n);
            left = t->raw_len + n;
        }

        room = sizeof(buf);
        out = buf;
        errno = 0;
        (void) iconv(t->charset, &in, &left, &out, &room);

        if (errno == EILSEQ && out == buf) {
            memcpy(out, "\xef\xbf\xbd", 3);
            out += 3;
            in++;
            left--;
        }

        if (out > buf && !dt_text_utf8(t, buf, (size_t) (out - buf))) {
            return 0;
        }

        if (t->raw_len) {
            /* bytes that are left again are taken from p once more */

            if (in == t->raw) {
                t->raw_len = (uint8_t) (t->raw_len + n);
                return 1;
            }

            n = (size_t) (in - t->raw);

            if (n < t->raw_len) {
                memmove(t->raw, in, t->raw_len - n);
                t->raw_len = (uint8_t) (t->raw_len - n);
                continue;
            }

            n -= t->raw_len;
            t->raw_len = 0;

        } else {
            n = len - left;

            if (n == 0) {
                /* a character that is not whole */
                n = len < sizeof(t->raw) ? len : sizeof(t->raw);
                memcpy(t->raw, p, n);
                t->raw_len = (uint8_t) n;
                return 1;
            }
        }

        p += n;
        len -= n;
    }

    return 1;
}


/* the same; a run of ASCII, which is UTF-8 as it is, is not converted */
static int
dt_text_convert(dt_text_t *t, const char *p, size_t len)
{
    int ok;
    size_t n;

    for (ok = 1; ok && len; p += n, len -= n) {
        n = 0;

        if (t->ascii && t->raw_len == 0) {
            n = (size_t) (dt_find_above(p, p + len, 0x7f) - p);
        }

        if (n && (n == len || n >= DT_TEXT_ASCII)) {
            ok = dt_text_utf8(t, p, n);

        } else {
            n = t->ascii && len > DT_TEXT_ASCII ? DT_TEXT_ASCII : len;
            ok = dt_text_iconv(t, p, n);
        }
    }

    return ok;
}


/* the page has ended */
static void
dt_text_finish(dt_text_t *t)
{
    dt_text_last(t);

    if (t->carry.len && t->carry.len < 3 && t->scan.state == DT_SCAN_TEXT
        && (t->carry.len == 1 || t->carry.data[1] == '/'))
    {
        /* a '<' that begins nothing */
        (void) dt_inline_text(t, t->carry.data, t->carry.data + t->carry.len,
                              DT_READ_TEXT, 1);
    }

    (void) dt_inline_text(t, NULL, NULL, DT_READ_TEXT, 1);
    dt_text_ended(t, t->scan.depth, 0);
    dt_block_flush(t);
    dt_head_write(t);

    if (t->begun) {
        dt_out_char(t, '\n');
    }

    dt_out_flush(t);

    dt_head_end(t);
}


dt_status_t
dt_text_feed(dt_text_t *t, const char *p, size_t len, int last)
{
    if (len
        && (t->charset == (iconv_t) -1 ? !dt_text_utf8(t, p, len)
                                       : !dt_text_convert(t, p, len)))
    {
        return DT_ENOMEM;
    }

    if (last) {
        dt_text_finish(t);
    }

    return t->failed ? DT_ENOMEM : DT_OK;
}
