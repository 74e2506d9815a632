
/*
 * Copyright (C) The detemplate authors
 */


#include <stdio.h>

#include "core/text/out.h"


#define DT_OUT_PIECE 256 /* bytes that are escaped at once */


/* the hash of one byte more: FNV-1a */
static inline uint64_t
dt_out_hash(uint64_t hash, unsigned char c)
{
    return (hash ^ c) * 1099511628211u;
}


/* gives out the buffer as the inside of a string of JSON, and counts it; not
   0: that failed */
static int
dt_out_json(dt_out_t *o)
{
    char out[6 * DT_OUT_PIECE];
    const char *p = o->buf, *end = p + o->len;
    size_t i, n;
    unsigned char c;
    int is;

    for (; p < end; p += n) {
        n = (size_t) (end - p) < DT_OUT_PIECE ? (size_t) (end - p)
                                              : DT_OUT_PIECE;

        for (i = 0; i < n; i++) {
            c = (unsigned char) p[i];
            o->chars += (c & 0xc0) != 0x80;

            if (c <= ' ') {
                o->hash = o->in_run ? dt_out_hash(o->hash, ' ') : o->hash;
                o->in_run = 0;
                o->in_word = 0;
                continue;
            }

            o->hash = dt_out_hash(o->hash, c);
            o->in_run = 1;

            /* marks of Markdown alone are no word */
            is = c >= 0x80 || dt_is_alnum(c);
            o->runs += is && !o->in_word;
            o->in_word |= is != 0;
        }

        o->bytes += n;

        if (o->out(o->data, out, (size_t) (dt_json_escape(out, p, n) - out))) {
            return 1;
        }
    }

    return 0;
}


void
dt_out_flush(dt_out_t *o)
{
    if (o->len && !o->failed
        && (o->json ? dt_out_json(o) : o->out(o->data, o->buf, o->len)))
    {
        o->failed = 1;
    }

    o->len = 0;
}


void
dt_out_more(dt_out_t *o, const char *p, size_t len)
{
    size_t n;

    for (; len; p += n, len -= n) {
        if (o->len == DT_TEXT_OUT) {
            dt_out_flush(o);
        }

        n = DT_TEXT_OUT - o->len;
        n = n < len ? n : len;
        memcpy(o->buf + o->len, p, n);
        o->len += n;
    }
}


void
dt_out_run(dt_out_t *o, char c, size_t len)
{
    while (len--) {
        dt_out_char(o, c);
    }
}


#define DT_JSON_LIST (64 * 1024) /* bytes of a list, at most */


/* adds bytes to a list, unless it is full, or there is no memory */
static void
dt_json_add(dt_json_list_t *l, const char *p, size_t len)
{
    l->full = l->full || l->bytes.len + len > DT_JSON_LIST
              || !dt_bytes_add(&l->bytes, p, len);
}


/* the same, as a string; nothing is null */
static void
dt_json_add_string(dt_json_list_t *l, const char *p, size_t len)
{
    char out[6 * DT_TEXT_URL + 2], *end = out + 1;

    if (len == 0) {
        dt_json_add(l, "null", 4);
        return;
    }

    *out = '"';
    end = dt_json_escape(end, p, len);
    *end++ = '"';
    dt_json_add(l, out, (size_t) (end - out));
}


/* the text of the line, without operations; returns its length in out */
static size_t
dt_json_words(const dt_text_t *t, char *out, size_t size)
{
    size_t len = 0;
    const char *p = t->line.data, *end = p + t->line.len;

    for (; p < end && len < size; p++) {
        if (*p == DT_OP_LINK || *p == DT_OP_IMAGE) {
            p = memchr(p, *p == DT_OP_LINK ? DT_OP_URL : DT_OP_IMAGE_END,
                       (size_t) (end - p));

        } else if (!dt_is_op(*p) && (len || *p != ' ')) {
            out[len++] = *p == '\n' ? ' ' : *p;
        }
    }

    /* the last character may not be whole */

    while (p < end && len && (*p & 0xc0) == 0x80) {
        p = (out[--len] & 0xc0) == 0x80 ? p : end;
    }

    return len;
}


void
dt_json_heading(dt_text_t *t, unsigned level)
{
    int n;
    char out[DT_TEXT_FIELD];
    dt_json_list_t *l = &t->headings;
    size_t len, start = l->bytes.len;

    dt_out_flush(&t->out);

    n = snprintf(out, sizeof(out),
                 "%s{\"level\":%u,\"text\":", start ? "," : "", level);
    dt_json_add(l, out, (size_t) n);

    len = dt_json_words(t, out, sizeof(out));
    dt_json_add_string(l, out, len);
    dt_json_add(l, ",\"id\":", 6);
    dt_json_add_string(l, t->id, t->id_len);
    n = snprintf(out, sizeof(out), ",\"offset\":%llu}",
                 (unsigned long long) t->out.chars);
    dt_json_add(l, out, (size_t) n);

    l->bytes.len = l->full ? start : l->bytes.len;
}


void
dt_json_link(dt_text_t *t, const char *url, size_t len)
{
    dt_json_list_t *l = &t->links;
    size_t start = l->bytes.len;

    if (start) {
        dt_json_add(l, ",", 1);
    }

    dt_json_add_string(l, url, len);

    l->bytes.len = l->full ? start : l->bytes.len;
}


void
dt_json_string(dt_text_t *t, const char *p, size_t len)
{
    char out[6 * DT_OUT_PIECE];
    size_t n;

    if (len == 0) {
        dt_out_string(&t->out, "null");
        return;
    }

    dt_out_char(&t->out, '"');

    for (; len; p += n, len -= n) {
        n = len < DT_OUT_PIECE ? len : DT_OUT_PIECE;
        dt_out_bytes(&t->out, out, (size_t) (dt_json_escape(out, p, n) - out));
    }

    dt_out_char(&t->out, '"');
}


void
dt_json_begin(dt_text_t *t)
{
    dt_out_flush(&t->out);
    t->out.json = 1;
    t->out.hash = 14695981039346656037u;
}


/* writes a list, and its name before it */
static void
dt_json_list(dt_text_t *t, const char *name, const dt_json_list_t *l)
{
    dt_out_string(&t->out, name);

    if (l->bytes.len) {
        dt_out_bytes(&t->out, l->bytes.data, l->bytes.len);
    }
}


void
dt_json_end(dt_text_t *t)
{
    char out[192], cut[16] = "null";

    dt_out_flush(&t->out);
    t->out.json = 0;

    dt_json_list(t, "\",\"headings\":[", &t->headings);
    dt_json_list(t, "],\"links\":[", &t->links);

    if (t->o->cut != NULL) {
        (void) snprintf(cut, sizeof(cut), "%u", *t->o->cut);
    }

    (void) snprintf(out, sizeof(out),
                    "],\"truncated\":%s,\"words\":%u,"
                    "\"template_words\":%s,\"tokens\":%llu,"
                    "\"hash\":\"%016llx\"",
                    t->headings.full || t->links.full ? "true" : "false",
                    dt_text_words(t->out.runs, t->out.bytes), cut,
                    (unsigned long long) t->out.bytes / DT_TOKEN_BYTES,
                    (unsigned long long) t->out.hash);
    dt_out_string(&t->out, out);
}
