
/*
 * Copyright (C) The detemplate authors
 *
 * Converts one page, by the template of its site.
 */


#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/tags.h"
#include "core/html/charset.h"
#include "core/scan/rewrite.h"
#include "core/template/template.h"
#include "core/text/convert.h"
#include "core/text/page.h"
#include "core/text/text.h"
#include "cli_extract.h"


/* loads the template of a site; NULL: it has none, or it cannot be loaded */
static dt_extract_template_t *
dt_page_template(dt_extract_t *x, uint32_t i)
{
    unsigned k;
    dt_template_info_t info;
    const dt_extract_site_t *site = dt_extract_site(x, i);
    dt_extract_template_t *t;

    if (site->len == 0) {
        return NULL;
    }

    for (k = 0; k < DT_EXTRACT_TEMPLATES; k++) {
        if (x->loaded[k].site == i + 1) {
            return &x->loaded[k];
        }
    }

    t = &x->loaded[x->turn++ % DT_EXTRACT_TEMPLATES];
    free(t->bytes);
    memset(t, 0, sizeof(*t));

    t->bytes = malloc(site->len);

    if (t->bytes == NULL
        || pread(x->templates, t->bytes, site->len, site->at)
               != (ssize_t) site->len
        || dt_template_check(t->bytes, site->len, NULL) != DT_OK)
    {
        return NULL;
    }

    dt_template_info(t->bytes, &info);
    t->version = info.version;
    t->site = i + 1;

    return t;
}


static int
dt_page_nowhere(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) data;
    (void) p;
    (void) len;
    (void) kind;

    return 0;
}


uint32_t
dt_extract_words(dt_extract_t *x, const dt_extract_page_t *page,
                 const void *tmpl)
{
    dt_url_t u;
    dt_str_t body, type;
    dt_rewrite_opts_t o;
    dt_rewrite_stats_t st;
    dt_arena_t *a = dt_arena_create(6 * DT_EXTRACT_PAGE);

    memset(&o, 0, sizeof(o));
    memset(&st, 0, sizeof(st));

    if (tmpl != NULL
        && (a == NULL
            || dt_url_resolve(NULL, dt_cstr(dt_extract_string(x, page->url)),
                              a, &u)
                   != DT_OK
            || dt_extract_read(x, page, a, &body, &type) != NULL))
    {
        st.words = UINT32_MAX / 128;

    } else if (tmpl != NULL) {
        o.tmpl = tmpl;
        o.host = u.host;
        o.path = u.path;
        o.out = dt_page_nowhere;
        (void) dt_rewrite_page(&o, body, &st);
    }

    dt_arena_destroy(a);

    return st.words;
}


/* finds the charset that a type names; empty: it names none */
static dt_str_t
dt_page_charset_field(dt_str_t type)
{
    size_t n;
    const char *p = type.data, *end = p + type.len;

    while (end - p > 8 && strncasecmp(p, "charset=", 8) != 0) {
        p++;
    }

    if (end - p <= 8) {
        return dt_str("");
    }

    for (p += 8; p < end && (*p == '"' || *p == ' '); p++) {
        /* void */
    }

    for (n = 0; p + n < end && strchr(" \"';,", p[n]) == NULL; n++) {
        /* void */
    }

    return (dt_str_t){ n, p };
}


/*
 * Finds the charset of a page: by its byte order mark, its type, or its first
 * bytes.  0: its markup is more than ASCII bytes with others between.
 */
static int
dt_page_charset(dt_str_t body, dt_str_t type, dt_str_t *name)
{
    int marked;
    const dt_encoding_t *e;
    dt_str_t field = dt_page_charset_field(type);

    if (memchr(body.data, '\0', body.len < 64 ? body.len : 64) != NULL) {
        return 0;
    }

    marked = body.len > 2
             && (memcmp(body.data, "\xef\xbb\xbf", 3) == 0
                 || memcmp(body.data, "\xff\xfe", 2) == 0
                 || memcmp(body.data, "\xfe\xff", 2) == 0);

    e = field.len && !marked ? dt_charset_label(field)
                             : dt_charset_sniff(body);
    *name = e != NULL ? dt_cstr(e->name) : field;

    return e == NULL
           || (strncmp(e->name, "utf-16", 6) != 0
               && strncmp(e->name, "iso-2022", 8) != 0 && e->iconv[0]);
}


static int
dt_page_out(void *data, const char *p, size_t len)
{
    dt_cli_buf_add(data, p, len);

    return ((dt_cli_buf_t *) data)->failed;
}


static int
dt_page_slice(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) kind;

    return dt_page_out(data, p, len);
}


/* ends the page's line of JSONL, whose members so far are in x->text */
static void
dt_page_line(dt_extract_t *x, unsigned version, const char *reason,
             dt_cli_buf_t *b)
{
    char number[32];

    dt_cli_buf_add(b, x->text.data, x->text.len);
    dt_cli_buf_add(b, number,
                   (size_t) snprintf(number, sizeof(number),
                                     ",\"template\":%u", version));

    if (reason != NULL) {
        dt_cli_buf_add(b, ",\"reason\":", 10);
        dt_cli_buf_json(b, dt_cstr(reason));
    }

    dt_cli_buf_add(b, "}\n", 2);
}


/* rewrites a page into x->text; returns why it cannot be, or NULL */
static const char *
dt_page_rewrite(dt_extract_t *x, const dt_url_t *u, dt_str_t source,
                dt_str_t body, dt_str_t charset, unsigned xml,
                const dt_extract_template_t *t, dt_rewrite_stats_t *st)
{
    dt_status_t rc;
    dt_text_opts_t to;
    dt_rewrite_opts_t o;
    int html = x->format == DT_FORMAT_HTML;
    dt_cli_buf_t *kept = html ? &x->text : &x->kept;

    if (!html && !dt_text_knows(charset)) {
        return "charset";
    }

    memset(&o, 0, sizeof(o));
    memset(&to, 0, sizeof(to));
    x->text.len = 0;
    x->text.failed = 0;
    x->kept.len = 0;
    x->kept.failed = 0;

    o.tmpl = t != NULL ? t->bytes : NULL;
    o.bold = !x->args->cautious;
    o.xml = xml;
    o.hand = x->hand;
    o.host = u->host;
    o.path = u->path;
    o.out = dt_page_slice;
    o.out_data = kept;

    rc = dt_rewrite_page(&o, body, st);

    if (rc == DT_OK && !html) {
        to.plain = x->format == DT_FORMAT_TEXT;
        to.json = x->format == DT_FORMAT_JSONL;
        to.front = x->format == DT_FORMAT_MARKDOWN && !x->args->no_front;
        to.source = source;
        to.cut = &st->cut_words;
        to.xml = xml & 3;
        to.hidden = x->args->keep_hidden & 1;
        to.charset = charset;
        to.url = u->href;
        to.out = dt_page_out;
        to.out_data = &x->text;

        rc = dt_text_page(&to, (dt_str_t){ kept->len, kept->data }, NULL);
    }

    return rc == DT_OK && !x->text.failed ? NULL : "out of memory";
}


/* converts the page, whose bytes are there; returns why not, or NULL */
static const char *
dt_page_convert(dt_extract_t *x, const dt_extract_page_t *page,
                const dt_url_t *u, dt_str_t body, dt_str_t type,
                dt_cli_buf_t *b, dt_extract_done_t *done)
{
    char name[DT_EXTRACT_PATH];
    int wrote;
    unsigned xml;
    dt_str_t charset = dt_str("");
    const char *why, *reason;
    dt_cli_buf_t line = { NULL, 0, 0, 0 };
    dt_rewrite_stats_t st;
    const dt_extract_template_t *t = NULL;
    const dt_extract_site_t *site = dt_extract_site(x, page->site);

    memset(&st, 0, sizeof(st));

    if (dt_page_charset(body, type, &charset)) {
        t = dt_page_template(x, page->site);

    } else if (x->format != DT_FORMAT_HTML) {
        return "its charset is not read";
    }

    xml = type.len >= strlen(DT_EXTRACT_XHTML)
          && strncasecmp(type.data, DT_EXTRACT_XHTML, strlen(DT_EXTRACT_XHTML))
                 == 0;
    why = dt_page_rewrite(x, u, dt_cstr(dt_extract_called(x, page)), body,
                          charset, xml, t, &st);

    if (why != NULL) {
        return strcmp(why, "charset") == 0 ? "its charset is not known" : why;
    }

    reason = site->len == 0    ? site->reason
             : t == NULL       ? "charset"
             : st.guard        ? "guard"
             : st.too_deep     ? "too-deep"
             : st.regions == 0 ? "no-match"
                               : NULL;

    done->hash = dt_extract_again_hash(x, page, body, type);
    done->in = (uint32_t) body.len;
    done->removed = (uint32_t) st.removed;
    done->due = site->len != 0;
    done->shows =
        st.cut_words == 0 ? DT_SHOWS_NONE
        : t != NULL && dt_template_low(t->bytes, DT_EXTRACT_LITTLE * st.words)
            ? DT_SHOWS_LITTLE
            : DT_SHOWS_USUAL;
    done->written = 1;

    if (x->format == DT_FORMAT_JSONL) {
        dt_page_line(x, t != NULL ? t->version : 0, reason,
                     x->chunk ? &line : b);

        if (x->chunk) {
            dt_extract_chunks(x, (dt_str_t){ line.len, line.data }, b);
            why = line.failed ? "out of memory" : NULL;
            free(line.data);
        }

        return why;
    }

    wrote = dt_extract_name(x, page, page->spelling, name)
                ? dt_extract_out_write(x, name, x->text.data, x->text.len)
                : 0;
    done->kept = wrote == 2;

    if (wrote == 0) {
        done->written = 0;
        done->full = errno == ENOSPC || errno == EDQUOT || errno == EROFS
                     || errno == EIO;
        return errno == EEXIST ? "its output is there, and was not written by "
                                 "this command"
                               : strerror(errno);
    }

    return NULL;
}


void
dt_extract_convert(void *data, uint32_t i, dt_cli_buf_t *b,
                   dt_extract_done_t *done)
{
    dt_url_t u;
    dt_str_t body, type;
    const char *why = "out of memory", *url;
    dt_extract_t *x = data;
    const dt_extract_page_t *page = &x->pages[i];
    dt_arena_t *a = dt_arena_create(6 * DT_EXTRACT_PAGE);

    url = dt_extract_string(x, page->url);

    if (dt_extract_again_is(x, page, done)) {
        why = NULL;

    } else if (page->spelling > 1) {
        why = "no file can be named so";

    } else if (a != NULL && dt_url_resolve(NULL, dt_cstr(url), a, &u) == DT_OK)
    {
        why = dt_extract_read(x, page, a, &body, &type);
        why = why == NULL ? dt_page_convert(x, page, &u, body, type, b, done)
                          : why;
    }

    dt_arena_destroy(a);

    if (why != NULL) {
        done->left = 1;
        (void) snprintf(done->what, sizeof(done->what), "%.150s: %s",
                        dt_extract_called(x, page), why);
    }
}
