
/*
 * Copyright (C) The detemplate authors
 *
 * The request path as it is built here against the same in portable code:
 * byte for byte the same.  The pages are one with a bit of everything, cut in
 * every way, and those of a corpus (DT_CORPUS, or that beside the project)
 * where it is there.
 */


#include "corpus.h"
#include "test.h"


static struct {
    unsigned pages;
    unsigned other; /* pages of which the two make something else */
    unsigned removed;
} site;


/* a bit of everything, odd names and links among it */
static const char text[] =
    "<!doctype html><html><head><title>#</title><script><!-- a<b --></script>"
    "<base href='/dir/'></head>\n<BODY class=x>\n"
    "<header id=\"top\"><img src=l.png><br/><a href=\"/\"><img "
    "src='/logo.png?v=@' alt=\"#\"></a>"
    "</header>\n\t  \n<nav class='a b' data-x=\"1>2\" hidden><ul>"
    "<li><a href=../index.html?a=b#c title=%>#</a>"
    "<li><a href = 'http://site.example/x/./y/..//z'>%</a >"
    "<li><a\nhref=\"HTTPS://other.example/a/b/c/d/e\" a=b=c d>#</A></ul></nav>"
    "<p>@ a < b &amp; c <b>#</b>, <my-tag a>#</my-tag>%<br/>@"
    "<blockquote>#  %\n#</blockquote><p>%<p>@<hr>#<div><p>@ text</div>"
    "<table><caption>%</caption><tr><td>#<td>@<tr><th>%</table>"
    "<select><option>#<option>@<option>%</select><ruby>@<rt>#<rp>%</ruby>"
    "<!-- # --><!--x--!><?php #?><![CDATA[#]]></1>"
    "<svg viewBox=\"0 0 1 1\"><![CDATA[ > ]]><g/><svg/></svg>"
    "<form action='/q'><input type=HIDDEN value=@><input value=\"%\"></form>"
    "<div><i\x0f>@</i/></i\x0f><section><h1>@</h1><dl><dt>@<dd>@ @</dl>"
    "<span class=\"long long long long\" style='a:b;c:d'>@</span></section>"
    "</div><footer>% \xc2\xa9 <a\x0chref=#top>#</a></footer></body></html>\n";


static int
records_same(const char *path, const buf_t *page)
{
    int same;
    size_t n, m;
    dt_record_t *a = NULL, *b = NULL;
    dt_str_t in = { page->len, page->data };

    same = engine_own.records(in, SITE_SEED, dt_cstr(site_host), dt_cstr(path),
                              &a, &n)
               == DT_OK
           && engine_portable.records(in, SITE_SEED, dt_cstr(site_host),
                                      dt_cstr(path), &b, &m)
                  == DT_OK
           && n == m && (n == 0 || memcmp(a, b, n * sizeof(*a)) == 0);

    free(a);
    free(b);

    return same;
}


static int
mode_same(const void *tmpl, dt_mode_t mode, const char *path,
          const buf_t *page, uint64_t *removed)
{
    int same;
    result_t own, portable;

    site_rewrite_at(tmpl, mode, path, page, &own);
    site_engine = &engine_portable;
    site_rewrite_at(tmpl, mode, path, page, &portable);
    site_engine = &engine_own;

    same = result_eq(&own, &portable);

    if (!same) {
        printf("#   %s: mode %u: %zu bytes, portable %zu\n", path, mode,
               own.out.len, portable.out.len);
    }

    *removed += own.stats.removed;
    result_free(&own);
    result_free(&portable);

    return same;
}


static void
page_same(const void *tmpl, const char *path, const buf_t *page)
{
    int mode, same;
    uint64_t removed = 0;

    same = records_same(path, page);

    for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
        same &= mode_same(tmpl, (dt_mode_t) mode, path, page, &removed);
    }

    site.pages++;
    site.other += !same;
    site.removed += removed != 0;
}


static void
page_ok(const char *path, const buf_t *page)
{
    page_same(corpus.tmpl, path, page);
}


static void
site_ok(const char *dir, const char *name)
{
    unsigned other = site.other;

    if (corpus_site(dir, name, 1, page_ok)) {
        is_int(site.other, other, name);
    }
}


/* the text as it is, from each of its bytes on, and up to each of them */
static void
test_text(void)
{
    void *tmpl;
    size_t i, len;
    buf_t page = { 0 }, part = { 0 };

    tmpl = site_learn(text, sizeof(text) - 1, &len);

    if (!ok(tmpl != NULL, "learned")) {
        return;
    }

    site_page(&page, text, sizeof(text) - 1, SITE_PAGES + 1);
    page_same(tmpl, "/dir/page9.html", &page);
    is_int(site.other, 0, "a page with a bit of everything");
    is_int(site.removed, 1, "template was found");

    for (i = 0; i < page.len; i++) {
        part.len = 0;
        buf_add(&part, page.data + i, page.len - i);
        page_same(tmpl, "/dir/page9.html", &part);
        part.len = 0;
        buf_add(&part, page.data, i);
        page_same(tmpl, "/dir/page9.html", &part);
    }

    is_int(site.other, 0, "from and up to each byte of it");

    buf_free(&page);
    buf_free(&part);
    free(tmpl);
}


int
main(void)
{
    const char *dir = getenv("DT_CORPUS");

    test_text();

    dir = dir ? dir : "../shared/corpus/dev";
    if (!corpus_sites(dir, site_ok)) {
        printf("ok %d # SKIP no corpus at %s\n", ++test_count, dir);
    }

    printf("# %u pages, template on %u\n", site.pages, site.removed);

    return done();
}
