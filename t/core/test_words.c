
/*
 * Copyright (C) The detemplate authors
 *
 * The words of a page, which are those that the scanner finds in it.
 */


#include <stdlib.h>

#include "core/scan/scan.h"
#include "core/scan/words.h"
#include "site.h"
#include "test.h"


/* what the scanner counts */
static uint64_t
scanned(const char *page, size_t len)
{
    size_t i, n;
    uint64_t words = 0;
    dt_record_t *r;

    if (dt_scan_records((dt_str_t){ len, page }, 1, dt_str(""), dt_str(""), &r,
                        &n)
        != DT_OK)
    {
        return UINT64_MAX;
    }

    for (i = 0; i < n; i++) {
        words += r[i].name == 0 ? r[i].words : 0;
    }

    free(r);

    return words;
}


static uint64_t
counted(const char *page, size_t len, size_t chunk)
{
    size_t i;
    dt_words_t w;

    dt_words_init(&w);

    for (i = 0; i < len; i += chunk) {
        dt_words_add(&w, page + i, len - i < chunk ? len - i : chunk);
    }

    return w.words;
}


static void
test_words(void)
{
    size_t i, len;
    const char *page;

    static const struct {
        unsigned words;
        const char *page;
    } cases[] = {
        { 0, "" },
        { 0, " \n" },
        { 1, "a" },
        { 2, "a  b\n" },
        { 2, "\xef\xbb\xbf"
             "a b" },
        { 0, "\xef\xbb\xbf<!doctype html>" },
        { 1, "a\xef\xbb\xbf" },
        { 3, "<p>a b<b>c</b></p>" },
        { 2, "a<b>b</b>" },
        { 2, "<title>x y</title><p>a b" },
        { 2, "<script>var x = '<p>y';</script>a<style>b c</style> b" },
        { 1, "<script>if (a </b) x</scriptx y</script>a" },
        { 1, "<SCRIPT>x y</sCript >a" },
        { 1, "<textarea>x <b>y</b></textarea>a" },
        { 1, "<textarea>x </ textarea> y</textarea>a" },
        { 2, "a<!-- x y -->b" },
        { 2, "a<!-- x > - -- y ->z-->b" },
        { 2, "a<!-- x --!>b" },
        { 2, "a<!-->b" },
        { 2, "a<!--->b" },
        { 2, "a<!-x y>b" },
        { 2, "<!doctype html>a<?x y?>b" },
        { 2, "a</1 x y>b" },
        { 2, "a</>b" },
        { 1, "<script>a</b> c d</script>e" },
        { 2, "<a title=\"x > y\">a</a><a title='x > y'>b</a>" },
        { 2, "<a title=x/y>a</a><a title = \"x y\" >b</a>" },
        { 3, "a < b" },
        { 2, "a <1" },
        { 1, "a<1" },
        { 2, "a<svg><text>x</text><svg/><svg>y</svg>z</svg>b" },
        { 2, "a<svg/>b" },
        { 2, "a<svg />b" },
        { 2, "a<math><mi>x</mi></math>b" },
        { 2, "a<template><p>x</p></template>b" },
        { 2, "a<averyveryverylongnameindeed x>b" },
        { 2, "<noembed>x y</noembed>a<iframe>x</iframe>b" },
        { 1, "a<plaintext>x y</plaintext> z" },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        page = cases[i].page;
        len = strlen(page);

        is_int((long long) counted(page, len, len + 1), cases[i].words, page);
        is_int((long long) counted(page, len, 1), cases[i].words, "in bytes");
        is_int((long long) scanned(page, len), cases[i].words, "scanned");
    }
}


#define TEXT                                                                  \
    "<!doctype html><html><head><title>@ #</title></head><body>"              \
    "<header><a href=/><img src=/l.png alt='logo > @'></a></header>"          \
    "<nav><ul><li><a href=/a>#</a><li><a href=/b>%</a></ul></nav>"            \
    "<main><h1>@</h1><p>@ text &amp; more<b>@</b> of @<p>#<!-- @ -->"         \
    "<table><tr><td>@<td>%</table><script>if (a < b) '<nav>'</script>"        \
    "<svg><text>#</text></svg><textarea>@</textarea></main>"                  \
    "<footer>% <!--x--> <a href=/c>#</a></footer></body></html>"


static void
test_page(void)
{
    size_t chunk;
    uint64_t words;
    buf_t page = { 0 };

    site_page(&page, TEXT, sizeof(TEXT) - 1, 1);
    words = scanned(page.data, page.len);
    ok(words > 10, "page");

    for (chunk = 1; chunk < 100; chunk += 7) {
        is_int((long long) counted(page.data, page.len, chunk),
               (long long) words, "page in pieces");
    }

    buf_free(&page);
}


int
main(void)
{
    test_words();
    test_page();

    return done();
}
