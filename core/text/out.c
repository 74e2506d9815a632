
/*
 * Copyright (C) The detemplate authors
 *
 * Bytes of the text, and what stands before the text of each line: the marks
 * of quotes and items, and the room of items that have begun.
 */


#include <stdio.h>

#include "core/base/dt.h"
#include "core/text/state.h"


/*
 * A page as an object of JSON: what its head says, its Markdown as a string,
 * and behind that what was noted of it: headings and links.  The caller ends
 * the object, and may have more to say before.
 */


#define DT_JSON_LIST (64 * 1024) /* bytes of a list, at most */
#define DT_JSON_PIECE 256        /* bytes that are escaped at once */


/* gives out what is in out_buf, of the text; not 0: that failed */
static int
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


void
dt_out_flush(dt_text_t *t)
{
    if (t->out_len && !t->failed
        && (t->json == DT_JSON_TEXT
                ? dt_json_text(t)
                : t->out(t->out_data, t->out_buf, t->out_len)))
    {
        t->failed = 1;
    }

    t->out_len = 0;
}


void
dt_out_more(dt_text_t *t, const char *p, size_t len)
{
    size_t n;

    for (; len; p += n, len -= n) {
        if (t->out_len == DT_TEXT_OUT) {
            dt_out_flush(t);
        }

        n = DT_TEXT_OUT - t->out_len;
        n = n < len ? n : len;
        memcpy(t->out_buf + t->out_len, p, n);
        t->out_len += n;
    }
}


void
dt_out_ticks(dt_text_t *t, size_t len)
{
    while (len--) {
        dt_out_char(t, '`');
    }
}


/* the mark of an item that begins */
static void
dt_out_mark(dt_text_t *t, dt_box_t *item)
{
    char buf[16], *end = buf + sizeof(buf), *p = end;
    uint32_t number = item->number;
    const dt_box_t *list = item > t->boxes ? item - 1 : item;

    *--p = ' ';
    *--p = list->type < DT_BOX_ITEM ? (char) list->sign : '-';

    if (list->type == DT_BOX_OL) {
        do {
            *--p = (char) ('0' + number % 10);
            number /= 10;
        } while (number);
    }

    item->width = (uint8_t) (end - p);
    item->started = 1;
    dt_out_bytes(t, p, item->width);

    if (item->task) {
        dt_out_char(t, '[');
        dt_out_char(t, (char) item->task);
        dt_out_bytes(t, "] ", 2);
    }
}


static void
dt_out_prefix(dt_text_t *t)
{
    unsigned i;
    dt_box_t *b;

    for (i = 0; i < t->nboxes; i++) {
        b = &t->boxes[i];

        if (b->type == DT_BOX_QUOTE) {
            dt_out_bytes(t, "> ", 2);

        } else if (b->type == DT_BOX_ITEM) {
            if (b->started) {
                dt_out_bytes(t, "                ", b->width);

            } else {
                dt_out_mark(t, b);
            }
        }
    }
}


/* a line without text, inside of the quotes that go on */
static void
dt_out_blank(dt_text_t *t)
{
    unsigned i, n;

    for (n = t->common; n && t->boxes[n - 1].type != DT_BOX_QUOTE; n--) {
        /* void */
    }

    for (i = 0; i < n; i++) {
        if (t->boxes[i].type == DT_BOX_QUOTE) {
            dt_out_bytes(t, "> ", i + 1 < n ? 2 : 1);

        } else if (t->boxes[i].type == DT_BOX_ITEM) {
            dt_out_bytes(t, "                ", t->boxes[i].width);
        }
    }

    dt_out_char(t, '\n');
}


/*
 * Whether the first box that begins with a block is the next item of a list
 * that goes on, or the first one of a list that may begin right after text.
 */
static int
dt_out_tight(const dt_text_t *t)
{
    const dt_box_t *b = &t->boxes[t->common];

    if (t->common == t->nboxes) {
        return 0;
    }

    if (b->type == DT_BOX_ITEM) {
        return t->defined
               || (t->common && b[-1].type < DT_BOX_ITEM
                   && t->last > t->common);
    }

    return t->common && b[-1].type == DT_BOX_ITEM
           && (b->type == DT_BOX_UL
               || (b->type == DT_BOX_OL && b->number == 2))
           && t->common + 1 < t->nboxes && b[1].type == DT_BOX_ITEM;
}


void
dt_out_block(dt_text_t *t)
{
    unsigned i;

    /* a table goes on only line by line: a row behind a block begins another
     */
    t->table.written = 0;

    if (t->begun) {
        dt_out_char(t, '\n');

        if (!dt_out_tight(t)) {
            dt_out_blank(t);
        }

        /* lists side by side are two lists only if their marks differ */

        for (i = t->common; i < t->nboxes; i++) {
            if (t->boxes[i].type < DT_BOX_ITEM) {
                if (t->boxes[i].sign == t->list_end && !t->plain) {
                    t->boxes[i].sign = t->list_end == '-'   ? '*'
                                       : t->list_end == '.' ? ')'
                                       : t->list_end == ')' ? '.'
                                                            : '-';
                }

                break;
            }
        }
    }

    t->begun = 1;
    t->defined = 0;
    t->list_end = 0;
    dt_out_prefix(t);
    t->common = t->nboxes;
    t->last = t->nboxes;
}


void
dt_out_next(dt_text_t *t)
{
    dt_out_char(t, '\n');
    dt_out_prefix(t);
}


dt_box_t *
dt_out_open(dt_text_t *t, unsigned type, unsigned depth)
{
    dt_box_t *b;

    if (t->nboxes == DT_TEXT_BOXES) {
        return NULL;
    }

    b = &t->boxes[t->nboxes++];
    memset(b, 0, sizeof(dt_box_t));
    b->type = (uint8_t) type;
    b->depth = (uint16_t) depth;
    b->sign = type == DT_BOX_OL ? '.' : '-';
    b->step = 1;

    return b;
}


void
dt_out_close(dt_text_t *t, unsigned depth)
{
    while (t->nboxes && t->boxes[t->nboxes - 1].depth >= depth) {
        t->nboxes--;

        if (t->common > t->nboxes) {
            t->common = t->nboxes;

            if (t->boxes[t->nboxes].type < DT_BOX_ITEM) {
                t->list_end = t->boxes[t->nboxes].sign;
            }
        }
    }
}
