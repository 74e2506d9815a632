
/*
 * Copyright (C) The detemplate authors
 *
 * Attributes of tags, and what the head of a page says about it.
 */


#include <stdio.h>
#include <strings.h>

#include "core/html/html.h"
#include "core/text/state.h"


static int
dt_text_is(const char *p, ptrdiff_t len, const char *word)
{
    return len == (ptrdiff_t) strlen(word)
           && strncasecmp(p, word, (size_t) len) == 0;
}


/* takes an attribute of the tag as a field, unless it is there */
static void
dt_head_field(dt_text_t *t, unsigned i, const char *name)
{
    ptrdiff_t n;
    dt_text_field_t *f = &t->fields[i];

    if (f->len == 0) {
        n = dt_text_attr(t, name, f->data, sizeof(f->data));
        f->len = (uint16_t) (n > 0 ? n : 0);
    }
}


static void
dt_head_meta(dt_text_t *t)
{
    static const struct {
        const char *name;
        unsigned field;
    } metas[] = {
        { "description", DT_FRONT_DESCRIPTION },
        { "og:description", DT_FRONT_DESCRIPTION },
        { "article:published_time", DT_FRONT_DATE },
        { "date", DT_FRONT_DATE },
        { "dc.date", DT_FRONT_DATE },
        { "dcterms.date", DT_FRONT_DATE },
        { "datepublished", DT_FRONT_DATE },
        { "og:title", DT_FRONT_TITLE },
    };
    char name[32];
    size_t i;
    ptrdiff_t n;

    n = dt_text_attr(t, "name", name, sizeof(name));
    n = n > 0 ? n : dt_text_attr(t, "property", name, sizeof(name));
    n = n > 0 ? n : dt_text_attr(t, "itemprop", name, sizeof(name));

    for (i = 0; i < sizeof(metas) / sizeof(*metas); i++) {
        if (dt_text_is(name, n, metas[i].name)) {
            dt_head_field(t, metas[i].field, "content");
        }
    }
}


static void
dt_head_link(dt_text_t *t)
{
    char rel[16];
    ptrdiff_t n = dt_text_attr(t, "rel", rel, sizeof(rel));

    if (dt_text_is(rel, n, "canonical") && t->canonical_len == 0) {
        t->canonical_len =
            dt_text_attr_url(t, "href", 0, t->canonical, sizeof(t->canonical));
    }
}


void
dt_head_tag(dt_text_t *t)
{
    size_t len;
    char url[DT_TEXT_URL];

    switch (t->scan.token.name) {

    case dt_letters('h', 't', 'm', 'l', 0, 0, 0, 0):
        dt_head_field(t, DT_FRONT_LANGUAGE, "lang");
        break;

    case dt_letters('b', 'a', 's', 'e', 0, 0, 0, 0):
        len = t->based ? 0 : dt_text_attr_url(t, "href", 0, url, sizeof(url));

        if (len) {
            dt_base_set(&t->base, (dt_str_t){ len, url });
            t->based = 1;
        }

        break;

    case dt_letters('m', 'e', 't', 'a', 0, 0, 0, 0):
        dt_head_meta(t);
        break;

    case dt_letters('l', 'i', 'n', 'k', 0, 0, 0, 0):
        dt_head_link(t);
        break;
    }
}


void
dt_head_title(dt_text_t *t, const char *p, const char *end)
{
    size_t n = (size_t) (end - p);

    if (n > sizeof(t->title) - t->title_len) {
        n = sizeof(t->title) - t->title_len;
    }

    memcpy(t->title + t->title_len, p, n);
    t->title_len += n;
}


/* writes a field as a string of JSON, which is one of YAML */
static void
dt_head_string(dt_text_t *t, const char *p, size_t len)
{
    size_t i;

    dt_out_char(t, '"');

    for (i = 0; i < len; i++) {
        if (p[i] == '"' || p[i] == '\\') {
            dt_out_char(t, '\\');
        }

        dt_out_char(t, p[i]);
    }

    dt_out_char(t, '"');
}


/* writes a line that names the site's index */
static void
dt_head_index(dt_text_t *t)
{
    static const char line[] = "> Index of this site for agents: <";

    if (t->begun) {
        dt_out_bytes(t, "\n\n", 2);
    }

    dt_out_bytes(t, line, sizeof(line) - 1);
    dt_out_bytes(t, t->index.data, t->index.len);
    dt_out_char(t, '>');
    t->begun = 1;
}


/* the head is known: decodes the title */
static void
dt_head_title_end(dt_text_t *t)
{
    size_t len = 0;
    dt_text_field_t *title = &t->fields[DT_FRONT_TITLE];

    if (t->title_len == sizeof(t->title)) {
        /* it may have been cut off within a character */

        while (t->title_len && (t->title[--t->title_len] & 0xc0) == 0x80) {
            /* void */
        }
    }

    if (t->title_len) {
        (void) dt_text_decode(t, t->title, t->title + t->title_len,
                              DT_SOURCE_TEXT, title->data, &len,
                              sizeof(title->data));
        while (len && title->data[len - 1] == ' ') {
            len--;
        }

        title->len = (uint16_t) (len ? len : title->len);
    }
}


/* what the head says, in this order */
static dt_str_t
dt_head_value(const dt_text_t *t, unsigned i)
{
    if (i != DT_FRONT_URL) {
        return (dt_str_t){ t->fields[i].len, t->fields[i].data };
    }

    return t->canonical_len ? (dt_str_t){ t->canonical_len, t->canonical }
                            : t->url;
}


static void
dt_head_front(dt_text_t *t)
{
    static const char *const names[] = { "title: ", "url: ", "description: ",
                                         "language: ", "date: " };
    unsigned i;
    dt_str_t value;

    dt_out_bytes(t, "---\n", 4);

    for (i = 0; i < DT_FRONT_FIELDS; i++) {
        value = dt_head_value(t, i);

        if (value.len) {
            dt_out_bytes(t, names[i], strlen(names[i]));
            dt_head_string(t, value.data, value.len);
            dt_out_char(t, '\n');
        }
    }

    dt_out_bytes(t, "---", 3);
    t->begun = 1;
}


/* the same as members of JSON, and the beginning of the next, the text */
static void
dt_head_json(dt_text_t *t)
{
    static const struct {
        const char *name;
        unsigned field;
    } members[] = {
        { "{\"url\":", DT_FRONT_URL },
        { ",\"title\":", DT_FRONT_TITLE },
        { ",\"lang\":", DT_FRONT_LANGUAGE },
    };
    unsigned i;
    dt_str_t value;

    for (i = 0; i < sizeof(members) / sizeof(*members); i++) {
        value = dt_head_value(t, members[i].field);
        dt_out_bytes(t, members[i].name, strlen(members[i].name));

        if (value.len) {
            dt_head_string(t, value.data, value.len);

        } else {
            dt_out_bytes(t, "null", 4);
        }
    }

    dt_out_bytes(t, ",\"text\":\"", 9);
    dt_out_flush(t);
    t->json = DT_JSON_TEXT;
}


void
dt_head_write(dt_text_t *t)
{
    if (!t->head) {
        return;
    }

    t->head = 0;
    dt_head_title_end(t);

    if (t->json) {
        dt_head_json(t);

    } else if (t->front) {
        dt_head_front(t);
    }

    if (t->index.len) {
        dt_head_index(t);
    }
}

/* writes a list, and what stands before it */
static void
dt_head_list(dt_text_t *t, const char *name, const dt_json_list_t *l)
{
    dt_out_bytes(t, name, strlen(name));

    if (l->bytes.len) {
        dt_out_bytes(t, l->bytes.data, l->bytes.len);
    }
}


void
dt_head_end(dt_text_t *t)
{
    char out[128];

    if (t->json == DT_JSON_NONE) {
        return;
    }

    t->json = DT_JSON_TAIL;

    dt_head_list(t, "\",\"headings\":[", &t->headings);
    dt_head_list(t, "],\"links\":[", &t->links);

    dt_out_bytes(
        t, out,
        (size_t) snprintf(
            out, sizeof(out), "]%s,\"words\":%u,\"tokens\":%llu",
            t->headings.full || t->links.full ? ",\"truncated\":true" : "",
            dt_text_words(t->runs, t->bytes),
            (unsigned long long) t->bytes / DT_TOKEN_BYTES));
    dt_out_flush(t);
}
