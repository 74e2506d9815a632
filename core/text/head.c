
/*
 * Copyright (C) The detemplate authors
 */


#include <strings.h>

#include "core/text/attr.h"
#include "core/text/head.h"
#include "core/text/out.h"


static int
dt_head_is(const char *p, ptrdiff_t len, const char *word)
{
    return len == (ptrdiff_t) strlen(word)
           && strncasecmp(p, word, (size_t) len) == 0;
}


/* takes an attribute of the tag as a field, unless it is there */
static void
dt_head_field(dt_text_t *t, unsigned i, const char *name)
{
    ptrdiff_t n;

    if (t->head.len[i] == 0) {
        n = dt_attr_value(t, name, t->front[i], DT_TEXT_FIELD);
        t->head.len[i] = n > 0 ? (size_t) n : 0;
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

    n = dt_attr_value(t, "name", name, sizeof(name));
    n = n > 0 ? n : dt_attr_value(t, "property", name, sizeof(name));
    n = n > 0 ? n : dt_attr_value(t, "itemprop", name, sizeof(name));

    for (i = 0; i < sizeof(metas) / sizeof(*metas); i++) {
        if (dt_head_is(name, n, metas[i].name)) {
            dt_head_field(t, metas[i].field, "content");
        }
    }
}


static void
dt_head_link(dt_text_t *t)
{
    char rel[16];
    ptrdiff_t n = dt_attr_value(t, "rel", rel, sizeof(rel));

    if (dt_head_is(rel, n, "canonical") && t->head.canonical_len == 0) {
        t->head.canonical_len =
            dt_attr_url(t, "href", 0, t->canonical, sizeof(t->canonical));
    }
}


void
dt_head_base(dt_text_t *t)
{
    size_t len;
    char url[DT_TEXT_URL];

    if (t->head.based) {
        return;
    }

    len = dt_attr_url(t, "href", 0, url, sizeof(url));

    if (len) {
        dt_base_set(&t->base, (dt_str_t){ len, url });
        t->head.based = 1;
    }
}


void
dt_head_tag(dt_text_t *t)
{
    switch (t->scan.token.name) {

    case dt_letters('h', 't', 'm', 'l', 0, 0, 0, 0):
        dt_head_field(t, DT_FRONT_LANGUAGE, "lang");
        break;

    case dt_letters('b', 'a', 's', 'e', 0, 0, 0, 0):
        dt_head_base(t);
        break;

    case dt_letters('m', 'e', 't', 'a', 0, 0, 0, 0):
        dt_head_meta(t);
        break;

    case dt_letters('l', 'i', 'n', 'k', 0, 0, 0, 0):
        dt_head_link(t);
        break;
    }
}


/* writes a line that names the site's index */
static void
dt_head_index(dt_text_t *t)
{
    static const char line[] = "> Index of this site for agents: <";

    if (t->begun) {
        dt_out_bytes(&t->out, "\n\n", 2);
    }

    dt_out_bytes(&t->out, line, sizeof(line) - 1);
    dt_out_bytes(&t->out, t->o->index.data, t->o->index.len);
    dt_out_char(&t->out, '>');
    t->begun = 1;
}


/* the head is known: decodes the title */
static void
dt_head_title(dt_text_t *t)
{
    size_t len = 0;
    dt_str_t title = t->head.title;
    char *front = t->front[DT_FRONT_TITLE];

    if (title.len == 0) {
        return;
    }

    (void) dt_attr_decode(t, title.data, title.data + title.len,
                          DT_SOURCE_TEXT, front, &len, DT_TEXT_FIELD);

    while (len && front[len - 1] == ' ') {
        len--;
    }

    t->head.len[DT_FRONT_TITLE] = len ? len : t->head.len[DT_FRONT_TITLE];
}


/* a field of the head; the pages of a source are told apart by their own
   URLs, because several may name one canonical URL */
static dt_str_t
dt_head_value(const dt_text_t *t, unsigned i)
{
    if (i != DT_FRONT_URL) {
        return (dt_str_t){ t->head.len[i], t->front[i] };
    }

    return t->head.canonical_len && t->o->source.len == 0
               ? (dt_str_t){ t->head.canonical_len, t->canonical }
               : t->o->url;
}


static void
dt_head_front(dt_text_t *t)
{
    static const char *const names[] = { "title: ", "url: ", "description: ",
                                         "language: ", "date: " };
    unsigned i;
    dt_str_t value;

    dt_out_bytes(&t->out, "---\n", 4);

    for (i = 0; i < DT_FRONT_FIELDS; i++) {
        value = dt_head_value(t, i);
        dt_out_string(&t->out, names[i]);
        dt_json_string(t, value.data, value.len);
        dt_out_char(&t->out, '\n');
    }

    dt_out_string(&t->out, "source: ");
    dt_json_string(t, t->o->source.data, t->o->source.len);
    dt_out_string(&t->out, "\n---");
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
        { ",\"description\":", DT_FRONT_DESCRIPTION },
        { ",\"language\":", DT_FRONT_LANGUAGE },
        { ",\"date\":", DT_FRONT_DATE },
    };
    unsigned i;
    dt_str_t value;

    for (i = 0; i < sizeof(members) / sizeof(*members); i++) {
        value = dt_head_value(t, members[i].field);
        dt_out_string(&t->out, members[i].name);

        dt_json_string(t, value.data, value.len);
    }

    dt_out_string(&t->out, ",\"source\":");
    dt_json_string(t, t->o->source.data, t->o->source.len);
    dt_out_string(&t->out, ",\"text\":\"");
    dt_json_begin(t);
}


void
dt_head_write(dt_text_t *t)
{
    if (!t->head.waits) {
        return;
    }

    t->head.waits = 0;
    dt_head_title(t);

    if (t->o->json) {
        dt_head_json(t);

    } else if (t->o->front) {
        dt_head_front(t);
    }

    if (t->o->index.len) {
        dt_head_index(t);
    }
}
