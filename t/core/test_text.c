
/*
 * Copyright (C) The detemplate authors
 *
 * Pages, and the text that they become: t/core/rows/text.
 */


#include <stdlib.h>

#include "core/html/reference.h"
#include "core/scan/state.h"
#include "core/text/page.h"
#include "core/text/state.h"
#include "core/text/text.h"
#include "rows.h"


#define URL "http://example.org/dir/page.html?a=1"


typedef struct {
    char data[1 << 18];
    size_t len;
} out_t;


static dt_text_opts_t opts;
static out_t o;


static int
out(void *data, const char *p, size_t len)
{
    out_t *to = data;

    if (len > sizeof(to->data) - to->len) {
        return 1;
    }

    memcpy(to->data + to->len, p, len);
    to->len += len;

    return 0;
}


/* writes a page */
static dt_status_t
write_page(const char *p, size_t len, out_t *to)
{
    char *copy = malloc(len + 1);
    dt_status_t rc;
    dt_text_opts_t with = opts;

    with.url = dt_str(URL);
    with.out = out;
    with.out_data = to;
    to->len = 0;

    /* of exactly that size, for the sanitizer */
    memcpy(copy, p, len);
    copy = realloc(copy, len + !len);
    rc = dt_text_page(&with, (dt_str_t){ len, copy }, NULL);
    free(copy);

    return rc;
}


static void
text_is(const char *name, const char *html, const char *text)
{
    (void) write_page(html, strlen(html), &o);
    is_str(o.data, o.len, text, name);
}


static void
row_is(const row_t *row)
{
    text_is(row->part[0].all, row->part[1].all, row->part[2].all);
}


/* of a charset, if there is such a one */
static void
charset_is(const row_t *row)
{
    opts.charset = dt_cstr(row->part[1].all);

    if (row->nparts == 2) {
        is_int(write_page("", 0, &o), DT_EINVAL, row->part[0].all);

    } else {
        text_is(row->part[0].all, row->part[2].all, row->part[3].all);
    }

    opts.charset = dt_str("");
}


static unsigned
count(const char *p, size_t len, const char *what)
{
    unsigned n = 0;
    const char *end = p + len;

    while ((p = memmem(p, (size_t) (end - p), what, strlen(what))) != NULL) {
        p++;
        n++;
    }

    return n;
}


/* no word of a page is lost; a mark that ends with a line may stand in one */
static void
words_are(const row_t *row)
{
    size_t i, len;
    const char *page = row->part[1].all;

    (void) write_page(page, strlen(page), &o);

    for (i = 0, len = 0; i < o.len; i++) {
        o.data[len] = o.data[i];
        len += o.data[i] != '*';
    }

    is_int(count(o.data, len, "word"), count(page, strlen(page), "word"),
           row->part[0].all);
}


/* lists whose items are counted */
static void
reversed_is(const row_t *row)
{
    const char *page = row->part[1].all;

    (void) write_page(page, strlen(page), &o);
    is_int(count(o.data, o.len, "2. a"), atoi(row->part[2].all),
           row->part[0].all);
}


/* no line is too long: a paragraph, a cell, code, and an item with all that
   may be open stay one line, and a buffer that grows loses nothing */
static void
long_ok(void)
{
    static const char *const begins[] = { "<p>", "<table><tr><td>a<td>",
                                          "<pre>", "<ul><li>", "<h1>" };
    static const char *const words[] = { "word and more ",
                                         "<b>b</b> <i>c</i> ",
                                         "w\u00f6rd \u4e00 ",
                                         "<a href=y>z</a> &amp; " };
    static char page[100000];
    size_t i, k, n;

    for (i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
        for (k = 0; k < sizeof(words) / sizeof(*words); k++) {
            n = (size_t) snprintf(page, sizeof(page), "%s", begins[i]);

            while (n < 60000) {
                n += (size_t) snprintf(page + n, sizeof(page) - n, "%s",
                                       words[k]);
            }

            n += (size_t) snprintf(page + n, sizeof(page) - n, "end");
            (void) write_page(page, n, &o);
            is_int(count(o.data, o.len, "\n"),
                   i == 1            ? 2
                   : i == 2 && k < 3 ? 3
                                     : 1,
                   begins[i]);
            is_int(count(o.data, o.len, "end"), 1, words[k]);
        }
    }
}


static unsigned quick; /* links that are joined at once */


static void
link_is(const row_t *row)
{
    size_t n;
    char buf[64], name[96];
    const char *ref = row->part[0].all, *url = row->part[1].all;
    dt_base_t base;

    dt_base_set(&base, dt_str("http://a/b/c/d;p?q"));
    n = dt_link_join(&base, dt_cstr(ref), buf, sizeof(buf));
    snprintf(name, sizeof(name), "link \"%s\"", ref);
    is_str(buf, n, url, name);

    n = dt_link_plain(&base, ref, ref + strlen(ref), buf, sizeof(buf));

    if (n) {
        is_str(buf, n, url, "the same, at once");
        quick++;
    }
}


static void
test_links(void)
{
    size_t n;
    char buf[64];
    dt_base_t base;

    rows("text", "links", link_is);
    is_int(quick, 13, "links that are joined at once");
    dt_base_set(&base, dt_str("http://a"));
    n = dt_link_join(&base, dt_str("b"), buf, sizeof(buf));
    is_str(buf, n, "http://a/b", "a base without a path");
    n = dt_link_join(&base, dt_str("bcd"), buf, 11);
    is_int((long long) n, 0, "a link that is too long");
    dt_base_set(&base, dt_str(""));
    n = dt_link_join(&base, dt_str("b"), buf, sizeof(buf));
    is_int((long long) n, 0, "a link without a base");
    n = dt_link_target(dt_str("http://a/(b)?c=\"<d>|&lt;&e"), 1, buf,
                       sizeof(buf));
    is_str(buf, n, "http://a/(b)?c=%22%3Cd%3E%7C&amp;lt;&e", "a target");
}


static void
references_ok(void)
{
    uint32_t c[2] = { 1, 1 };
    const char *s = "&notit;", *n = "&#x110000;";

    is_int(dt_reference_read(s, s + 7, 0, 1, c), 4, "a part of a name");
    is_int(c[0], 0xac, "its character");
    is_int(dt_reference_read(s, s + 7, 1, 1, c), 0, "not in an attribute");
    is_int(dt_reference_read(s, s + 3, 0, 0, c), -1, "more is needed");
    is_int(dt_reference_read(n, n + 10, 0, 1, c), 10, "a number");
    is_int(c[0], 0xfffd, "no character");

    s = "&NotEqualTilde;";
    is_int(dt_reference_read(s, s + 15, 0, 1, c), 15, "two characters");
    ok(c[0] == 0x2242 && c[1] == 0x338, "which they are");
    s = "&CounterClockwiseContourIntegral;";
    is_int(dt_reference_read(s, s + 33, 0, 1, c), 33, "the longest name");
    s = "&bullet;";
    is_int(dt_reference_read(s, s + 8, 0, 1, c), 8, "not a shorter one");
    s = "&bull;";
    is_int(dt_reference_read(s, s + 5, 0, 1, c), 0, "without semicolon");
    s = "&foo;";
    is_int(dt_reference_read(s, s + 5, 0, 1, c), 0, "no name");
}


/* lists that are too long for what is held */
static void
json_long_ok(void)
{
    size_t i, len = 0;
    char *page = malloc(300000);

    for (i = 0; i < 3000; i++) {
        len += (size_t) snprintf(page + len, 300000 - len,
                                 "<h2 id=h%zu>%s\xc3\xa9 %zu</h2>", i,
                                 i ? "a" : "", i);
    }

    (void) write_page(page, len, &o);
    o.data[o.len] = '\0';
    ok(strstr(o.data, "],\"truncated\":true,") != NULL,
       "a list that is too long: it says so");
    ok(strstr(o.data, "\"offset\":8},") != NULL
           && strstr(o.data, "}],\"links\":[]") != NULL,
       "and has whole items");
    ok(strstr(o.data, "## a\xc3\xa9 2999\\n\",") != NULL, "the text is whole");
    free(page);
}


int
main(void)
{
    rows("text", "markdown", row_is);
    rows("text", "charsets", charset_is);
    rows("text", "words", words_are);
    rows("text", "reversed", reversed_is);
    opts.hidden = 1;
    rows("text", "all", row_is);
    opts = (dt_text_opts_t){ .xml = 1 };
    rows("text", "xml", row_is);

    opts = (dt_text_opts_t){ .xml = 2 };
    rows("text", "declared", row_is);
    opts = (dt_text_opts_t){ .front = 1 };
    rows("text", "front", row_is);
    opts = (dt_text_opts_t){ .plain = 1 };
    rows("text", "plain", row_is);
    opts = (dt_text_opts_t){ .anchors = 1 };
    rows("text", "anchors", row_is);
    opts = (dt_text_opts_t){ .json = 1 };
    rows("text", "json", row_is);
    json_long_ok();
    opts = (dt_text_opts_t){ 0 };
    long_ok();
    test_links();
    references_ok();

    return done();
}
