
/*
 * Copyright (C) The detemplate authors
 *
 * A page as an object of JSON: what its head says, its Markdown as a string,
 * and behind that what was noted of it: headings and links.  The caller ends
 * the object, and may have more to say before.
 */


#include <stdio.h>

#include "core/base/dt.h"
#include "core/text/text_i.h"


#define DT_JSON_LIST (64 * 1024) /* bytes of a list, at most */
#define DT_JSON_PIECE 256        /* bytes that are escaped at once */


int
dt_json_text(dt_text_t *t)
{
    char out[6 * DT_JSON_PIECE];
    const char *p = t->out_buf, *end = p + t->out_len;
    size_t i, n;
    unsigned char c;
    int is;

    for (; p < end; p += n) {
        n = (size_t) (end - p) < DT_JSON_PIECE ? (size_t) (end - p)
                                               : DT_JSON_PIECE;

        for (i = 0; i < n; i++) {
            c = (unsigned char) p[i];
            t->chars += (c & 0xc0) != 0x80;

            if (c <= ' ') {
                t->in_word = 0;
                continue;
            }

            /* marks of Markdown alone are no word */
            is = c >= 0x80 || dt_is_alnum(c);
            t->runs += is && !t->in_word;
            t->in_word |= is != 0;
        }

        t->bytes += n;

        if (t->out(t->out_data, out,
                   (size_t) (dt_json_escape(out, p, n) - out))) {
            return 1;
        }
    }

    return 0;
}


int
dt_text_add(dt_text_t *t, dt_text_bytes_t *b, const char *p, size_t len,
            size_t most)
{
    char *data;
    size_t size = b->size ? b->size : 512;

    while (size - b->len < len) {
        size *= 2;
    }

    if (size > b->size) {
        data = size <= most ? t->alloc.alloc(t->alloc.data, size) : NULL;

        if (data == NULL) {
            return 0;
        }

        if (b->size) {
            memcpy(data, b->data, b->len);

            if (t->alloc.free != NULL) {
                t->alloc.free(t->alloc.data, b->data);
            }
        }

        b->data = data;
        b->size = size;
    }

    memcpy(b->data + b->len, p, len);
    b->len += len;

    return 1;
}


/* adds bytes to a list, unless it is full, or there is no memory */
static void
dt_json_add(dt_text_t *t, dt_json_list_t *l, const char *p, size_t len)
{
    l->full = l->full || !dt_text_add(t, &l->bytes, p, len, DT_JSON_LIST);
}


/* the same, as a string; nothing is null */
static void
dt_json_add_string(dt_text_t *t, dt_json_list_t *l, const char *p, size_t len)
{
    char out[6 * DT_JSON_PIECE], *end;
    size_t n;

    if (len == 0) {
        dt_json_add(t, l, "null", 4);
        return;
    }

    dt_json_add(t, l, "\"", 1);

    for (; len; p += n, len -= n) {
        n = len < DT_JSON_PIECE ? len : DT_JSON_PIECE;
        end = dt_json_escape(out, p, n);
        dt_json_add(t, l, out, (size_t) (end - out));
    }

    dt_json_add(t, l, "\"", 1);
}


/* what the line says, without operations; returns its length in out */
static size_t
dt_json_words(const dt_text_t *t, char *out, size_t size)
{
    size_t len = 0;
    const char *p = t->line, *end = p + t->len;

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

    n = snprintf(out, sizeof(out),
                 "%s{\"level\":%u,\"text\":", start ? "," : "", level);
    dt_json_add(t, l, out, (size_t) n);

    len = dt_json_words(t, out, sizeof(out));
    dt_json_add_string(t, l, out, len);
    dt_json_add(t, l, ",\"id\":", 6);
    dt_json_add_string(t, l, t->id, t->id_len);
    n = snprintf(out, sizeof(out), ",\"offset\":%llu}",
                 (unsigned long long) t->chars);
    dt_json_add(t, l, out, (size_t) n);

    l->bytes.len = l->full ? start : l->bytes.len;
}


void
dt_json_link(dt_text_t *t, const char *url, size_t len)
{
    dt_json_list_t *l = &t->links;
    size_t start = l->bytes.len;

    if (start) {
        dt_json_add(t, l, ",", 1);
    }

    dt_json_add_string(t, l, url, len);

    l->bytes.len = l->full ? start : l->bytes.len;
}
