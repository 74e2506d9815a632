
/*
 * Copyright (C) The detemplate authors
 *
 * Pages in pieces, pages with tokens longer than may be held, memory that
 * runs out, and pages made to break a rewriter.
 */


#include "site.h"
#include "test.h"


#define TEXT                                                                  \
    "<!doctype html><html><head><title>@ #</title></head><body>"              \
    "<header><a href=/><img src=/l.png alt=logo></a></header>"                \
    "<nav><ul><li><a href=/a>#</a><li><a href=/b>%</a></ul></nav>"            \
    "<main><h1>@</h1><p>@ text &amp; more<b>@</b> of @<p>#<!-- @ -->"         \
    "<table><tr><td>@<td>%</table><script>if (a < b) '<nav>'</script>"        \
    "<svg><text>#</text></svg><textarea>@</textarea></main>"                  \
    "<footer>% <!--x--> <a href=/c>#</a></footer></body></html>"


static void *tmpl;


/* the same bytes in both modes whatever the pieces; chunks ends with 0 */
static void
pieces_ok(const void *t, const buf_t *page, const size_t *chunks,
          const char *what)
{
    int good = 1;
    char name[128];
    unsigned mode;
    const size_t *c;
    result_t whole, r;

    for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
        site_rewrite(t, (dt_mode_t) mode, page, 0, &whole);
        good &= whole.rc == DT_OK && !whole.wrong
                && whole.stats.in == page->len
                && site_subsequence(&whole.unmarked, page);
        good &= mode == DT_STRIP
                    ? whole.out.len + whole.stats.removed == page->len
                    : buf_eq(&whole.unmarked, page);

        for (c = chunks; *c; c++) {
            site_rewrite(t, (dt_mode_t) mode, page, *c, &r);

            if (!result_eq(&r, &whole) || r.wrong
                || r.stats.held > DT_HOLD_MAX) {
                printf("#   %s: mode %u, pieces of %zu: %zu bytes in %u "
                       "regions, held %u; whole: %zu in %u\n",
                       what, mode, *c, r.out.len, r.stats.regions,
                       r.stats.held, whole.out.len, whole.stats.regions);
                good = 0;
            }

            result_free(&r);
        }

        result_free(&whole);
    }

    snprintf(name, sizeof(name), "%s: in pieces", what);
    ok(good, name);
}


static void
test_page(void)
{
    size_t i, chunks[66];
    buf_t page = { 0 };
    result_t r;

    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);

    is_str(r.out.data, r.out.len,
           "<!doctype html><html><head><title>/own9/ menu of this whole site"
           "</title></head><body><main><h1>/own9/</h1><p>/own9/ "
           "text &amp; more<b>/own9/</b> of /own9/"
           "<table><tr><td>/own9/"
           "</table><script>if (a < b) '<nav>'</script><svg><text>menu of "
           "this whole site</text></svg><textarea>/own9/</textarea></main>"
           "</body></html>",
           "page: stripped");
    is_int(r.stats.words, 10 + 5 + 5 + 10, "page: words of template");
    is_int(r.stats.guard, 0, "page: no guard");
    is_int(r.stats.held, 0, "page: in one piece nothing is held");

    site_before = dt_str("[");
    site_after = dt_str("]");

    for (i = 0; i < 64; i++) {
        chunks[i] = i + 1;
        result_free(&r);
        site_rewrite(tmpl, DT_CUT, &page, i, &r);
        is_str(
            r.out.data, r.out.len,
            "<!doctype html><html><head><title>/own9/ menu of this whole "
            "site</title></head>[<header><a href=/><img src=/l.png alt=logo>"
            "</a></header>][<nav><ul><li><a href=/a>menu of this whole site"
            "</a><li><a href=/b>about those who made it</a></ul></nav>]"
            "[<p>menu of this whole site<!-- /own9/ -->]"
            "[<td>about those who made it]"
            "[<footer>about those who made it <!--x--> <a href=/c>menu of "
            "this whole site</a></footer>]",
            "page: what is cut");
    }

    site_before = dt_str("");
    site_after = dt_str("");
    chunks[64] = SITE_RANDOM;
    chunks[65] = 0;
    pieces_ok(tmpl, &page, chunks, "page");

    result_free(&r);
    buf_free(&page);
}


/* the site's template, marked, to r */
static dt_rewrite_opts_t
marks_to(result_t *r)
{
    return (dt_rewrite_opts_t){
        .tmpl = tmpl,
        .mode = DT_ANNOTATE,
        .host = dt_str(SITE_HOST),
        .path = dt_str("/dir/page9.html"),
        .out = site_out,
        .out_data = r,
    };
}


/* what is left of XML is XML */
static void
test_xml(void)
{
    static const struct {
        const char *page;
        const char *html; /* what HTML cuts of it */
        const char *xml;
    } rows[] = {
        { "<div><p>#<ul><li>@</li></ul>%</p></div><p>#</p>",
          "<div><ul><li>@</li></ul></p></div>",
          "<div><p>#<ul><li>@</li></ul></p></div>" },
        { "<div><p title='a>b'>#<br/><img src='/x'/>%</p></div>@", "@", "@" },
        { "<div><a/>#</div>@<p>%</p>", "<div><a/></div>@<p></p>",
          "<div><a/></div>@<p></p>" },
        { "<p>@ <![CDATA[ a > # ]]> %</p><p>#</p>", "<p>@ <![CDATA[ a > </p>",
          "<p>@ <![CDATA[ a > # ]]> %</p>" },
        { "<p>@</p><?x a > # ?><p>#</p>", "<p>@</p><?x a > <p></p>",
          "<p>@</p><?x a > # ?><p></p>" },
        { "<nav># <?x?><![CDATA[%]]><!-- <b> --></nav><p>@</p>", "<p>@</p>",
          "<p>@</p>" },
        { "<nav>#<!--></nav><p>@--></p>", "<p>@--></p>",
          "<nav>#<!--></nav><p>@--></p>" },
        { "<p>@</p><p>1 -> 2 #</p>", "<p>@</p>", "<p>@</p><p>1 -> 2 #</p>" },
    };
    int good = 1;
    void *t;
    size_t i, chunk, len;
    buf_t page = { 0 }, want = { 0 };
    result_t r;

    for (i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        const char *text = i % 2 ? rows[i / 2].xml : rows[i / 2].html;

        t = site_learn(rows[i / 2].page, strlen(rows[i / 2].page), &len);
        site_page(&page, rows[i / 2].page, strlen(rows[i / 2].page), 9);
        site_page(&want, text, strlen(text), 9);
        site_xml = i % 2;

        for (chunk = 0; chunk < 40; chunk++) {
            site_rewrite(t, DT_STRIP, &page, chunk, &r);
            good = buf_eq(&r.out, &want) && r.wrong == 0;

            if (!good || chunk == 39) {
                ok(good, rows[i / 2].page);
                buf_add(&want, "", 1);
                is_str(r.out.data, r.out.len, want.data, text);
                chunk = 39;
            }

            result_free(&r);
        }

        free(t);
    }

    site_xml = 0;
    buf_free(&page);
    buf_free(&want);
}


/* every way to cut the page into two, and into three around each byte */
static void
test_borders(void)
{
    int good = 1;
    size_t i, j, cuts[4];
    buf_t page = { 0 };
    result_t whole, r;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = marks_to(&r);

    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_ANNOTATE, &page, 0, &whole);

    for (i = 0; i < page.len; i++) {
        memset(&r, 0, sizeof(r));
        cuts[0] = 0;
        cuts[1] = i;
        cuts[2] = i + 1 + i % 5 < page.len ? i + 1 + i % 5 : page.len;
        cuts[3] = page.len;
        rw = dt_rewrite_create(&o);

        for (j = 0; j < 3; j++) {
            r.in = page.data + cuts[j];
            r.in_len = cuts[j + 1] - cuts[j];
            good &= dt_rewrite_feed(rw, r.in, r.in_len, 0) == DT_OK;
        }

        r.in_len = 0;
        good &= dt_rewrite_feed(rw, "", 0, 1) == DT_OK;
        dt_rewrite_destroy(rw);
        good &= buf_eq(&r.out, &whole.out);
        result_free(&r);
    }

    ok(good, "borders: a piece may end anywhere, and the last be empty");

    result_free(&whole);
    buf_free(&page);
}


/* memory that other pages were in, some of which ended anywhere */
static void
test_room(void)
{
    int good = 1;
    size_t n;
    void *room;
    buf_t page = { 0 };
    result_t whole, r;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = marks_to(&r);

    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_ANNOTATE, &page, 0, &whole);

    room = malloc(dt_rewrite_room());
    memset(room, 0xa5, dt_rewrite_room());
    o.room = room;

    for (n = page.len; n > 0; n--) {
        memset(&r, 0, sizeof(r));
        rw = dt_rewrite_create(&o);
        r.in = page.data;
        r.in_len = n;
        good &= dt_rewrite_feed(rw, r.in, r.in_len, n == page.len) == DT_OK;
        dt_rewrite_destroy(rw);
        result_free(&r);

        memset(&r, 0, sizeof(r));
        rw = dt_rewrite_create(&o);
        r.in = page.data;
        r.in_len = page.len;
        good &= (void *) rw == room;
        good &= dt_rewrite_feed(rw, r.in, r.in_len, 1) == DT_OK;
        dt_rewrite_destroy(rw);
        good &= buf_eq(&r.out, &whole.out);
        result_free(&r);
    }

    ok(good, "room: of no account what was in it");

    free(room);
    result_free(&whole);
    buf_free(&page);
}


/* a token of size bytes between start and end */
static void
long_token(const char *what, const char *start, const char *fill,
           const char *end, size_t size)
{
    buf_t page = { 0 }, text = { 0 };

    static const size_t chunks[] = { 61,    1000,  4096,        40000,
                                     65536, 65537, SITE_RANDOM, 0 };

    buf_puts(&text, "<nav><a href=/a>#</a><a href=/b>%</a></nav>");
    buf_puts(&text, start);
    buf_fill(&text, fill, size / strlen(fill));
    buf_puts(&text, end);
    buf_puts(&text, "<main>@</main><footer>% <a href=/c>#</a></footer>");
    site_page(&page, text.data, text.len, SITE_PAGES + 1);

    pieces_ok(tmpl, &page, chunks, what);

    buf_free(&page);
    buf_free(&text);
}


static void
test_long(void)
{
    static const size_t kb = 1024;

    long_token("70 KB attribute", "<div title='", "x", "'>#</div>", 70 * kb);
    long_token("70 KB attribute in a menu", "<nav title='", "x", "'>#</nav>",
               70 * kb);
    long_token("70 KB of attributes", "<ul ", "a=b ", "><li>#</ul>", 70 * kb);
    long_token("70 KB end tag", "<p>#</p ", "a=b ", "><p>%", 70 * kb);
    long_token("70 KB name", "<", "n", ">#</p>", 70 * kb);
    long_token("70 KB text", "<p>", "text of it ", "</p>", 70 * kb);
    long_token("70 KB text without an end", "<p>", "<<", "", 70 * kb);
    long_token("70 KB word in a nav", "<nav>", "w", "<a href=/a>#</a></nav>",
               70 * kb);
    long_token("70 KB white space", "<nav>", " ", "<a href=/a>#</a></nav>",
               70 * kb);
    long_token("200 KB comment", "<nav><!-- ", "x-", "--></nav>", 200 * kb);
    long_token("200 KB comment never closed", "<nav>#<!-- ", "x-", "",
               200 * kb);
    long_token("200 KB doctype", "<!doctype ", "x", ">#", 200 * kb);
    long_token("70 KB script", "<script>", "<a </s", "</script>#", 70 * kb);
    long_token("70 KB escaped script", "<script><!--", "<script>-",
               "--></script>#", 70 * kb);
    long_token("70 KB textarea", "<textarea>", "</text", "</textarea>#",
               70 * kb);
    long_token("70 KB cdata", "<svg><![CDATA[", "]]", "]]></svg>#", 70 * kb);
    long_token("70 KB of empty elements", "<nav>", "<i></i>", "</nav>",
               70 * kb);
    long_token("70 KB of open elements", "<nav>", "<i>", "</nav>", kb / 2);
    long_token("300 open elements", "<nav>", "<i>", "#</nav>", 900);
    long_token("70 KB comment in a line",
               "<footer><i>@</i> <a href=/c>#</a> <!-- ", "x-",
               "--> </footer>", 70 * kb);
    long_token("70 KB of comments in a line",
               "<footer><i>@</i> <a href=/c>#</a> ", "<!--x-->", "</footer>",
               70 * kb);
    long_token("64 KB text, to the byte", "<p>", "t", "</p>", 65536);
    long_token("64 KB and one byte", "<p>", "t", "x</p>", 65536);
    long_token("64 KB tag, to the byte", "<p a=", "t", ">#</p>", 65530);
    long_token("64 KB tag and one byte", "<p a=", "t", "x>#</p>", 65530);
}


#define MENU "<nav><a href=/a>#</a><a href=/b>%</a></nav>"
#define OTHER "<main>@ @ @ @</main>"

/*
 * Where what is too long ends, and what it does to a line, is seen from what
 * is behind it.  The last ones are not long: some bytes that say nothing, and
 * the name of a tag that has the number of another name.
 */
static void
test_long_behind(void)
{
    void *t;
    size_t i, len;
    buf_t page = { 0 }, text = { 0 };

    static const size_t chunks[] = { 1,     7,     61,          1000, 4096,
                                     40000, 65536, SITE_RANDOM, 0 };
    static const struct {
        const char *what;
        const char *learned;
        const char *start;
        const char *fill;
        size_t times;
        const char *end;
    } rows[] = {
        { "70 KB between quotes", "<div>" MENU OTHER "</div>" OTHER,
          "<div><div title=\"", "x", 70000,
          "\"></div><div>" MENU "</div></div>@" },
        { "70 KB in a line", "<div><p>#<p>@ <p>@</div>", "<div><p><i a=", "x",
          70000, "></i>#<p>@</div>" },
        { "70 KB where nothing is known", "<div>" MENU OTHER "</div>",
          "<div>" MENU "<h2><p><i a=", "x", 70000,
          "></i></p><p>@ @ @</p></h2><b>#</b>" MENU "</div>" },
        { "70 KB of white space", "<div><p><b>#</b> @ @<p>@</div>", "<div><p>",
          " ", 70000, "<b>#</b>" },
        { "70 KB before the body", MENU OTHER, "<head>", "x", 70000,
          MENU OTHER },
        { "a long name", "<div>" MENU OTHER "</div>",
          "<div><a-name-that-is-longer-than-all a=", "x", 70000,
          "></a-name-that-is-longer-than-all>" MENU OTHER "</div>" },
        { "white space that is none", "<div>" MENU OTHER "</div>",
          "<div><svg><text>", "\1\1\1", 3, "</text></svg>" MENU OTHER },
        { "another name", "<div>" MENU OTHER "</div>", "<div><script>",
          "</hsdvekmficbwmpdzcnbeoisximuc(eh->", 1,
          "<section></script>" MENU OTHER "</div>" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t = site_learn(rows[i].learned, strlen(rows[i].learned), &len);
        text.len = 0;
        buf_puts(&text, rows[i].start);
        buf_fill(&text, rows[i].fill, rows[i].times);
        buf_puts(&text, rows[i].end);
        site_page(&page, text.data, text.len, SITE_PAGES + 1);

        for (len = 0; len < page.len; len++) {
            page.data[len] = page.data[len] == 1 ? 0 : page.data[len];
        }

        if (ok(t != NULL, rows[i].what)) {
            pieces_ok(t, &page, chunks, rows[i].what);
        }

        free(t);
    }

    buf_free(&page);
    buf_free(&text);
}


/* what stands in a line with a text that was too long to be looked at */
static void
test_long_line(void)
{
    size_t i;
    buf_t page = { 0 }, text = { 0 };
    result_t r;

    static const struct {
        size_t words;
        size_t chunk;
        unsigned regions;
    } rows[] = {
        { 10, 0, 1 }, { 14000, 0, 0 }, { 14000, 1000, 0 }, { 14000, 40000, 0 }
    };

    for (i = 0; i < 4; i++) {
        text.len = 0;
        buf_puts(&text, "<footer>");
        buf_fill(&text, "word / ", rows[i].words);
        buf_puts(&text, "<!--x--> <a href=/c>#</a></footer>");
        site_page(&page, text.data, text.len, SITE_PAGES + 1);
        site_rewrite(tmpl, DT_STRIP, &page, rows[i].chunk, &r);
        is_int(r.stats.regions, rows[i].regions, "beside a long text");
        result_free(&r);
    }

    buf_free(&page);
    buf_free(&text);
}


/*
 * All regions are taken where a piece ends, and an element that has begun
 * there is read again when it ends: from what is held, as the piece is gone.
 */
static void
test_full(void)
{
    void *t;
    size_t len, size, chunk;
    unsigned wrong = 0;
    buf_t page = { 0 }, text = { 0 };
    result_t whole, r;

    static const char end[] = "# <div a=b><img src=/x></div><p>@ @ @ @";

    buf_puts(&text, "<body>");
    buf_fill(&text, "<nav>%</nav>", 127);
    len = text.len;
    buf_puts(&text, end);
    t = site_learn(text.data, text.len, &size);

    text.len = len;
    buf_puts(&text, "# <div a=b></div>");
    buf_puts(&text, end);
    site_page(&page, text.data, text.len, SITE_PAGES + 1);
    site_rewrite(t, DT_STRIP, &page, 0, &whole);
    ok(whole.stats.regions > 128, "there are many regions");

    for (chunk = page.len / 2 + 1; chunk < page.len; chunk++) {
        site_rewrite(t, DT_STRIP, &page, chunk, &r);
        wrong += !result_eq(&r, &whole);
        result_free(&r);
    }

    is_int(wrong, 0, "all regions are taken where a piece ends");
    result_free(&whole);
    buf_free(&page);
    buf_free(&text);
    free(t);
}


/* a heading stays also when what it is of comes too late */
static void
test_long_heading(void)
{
    void *t;
    size_t i, len;
    buf_t page = { 0 }, text = { 0 };
    result_t r;

    static const char learned[] =
        "<body><nav>%</nav><h2>#</h2><section>% <h2>#</h2></section><p>@ @ @";
    static const struct {
        const char *start;
        const char *first; /* so often, bytes */
        size_t bytes;
        const char *middle;
        const char *then;
        size_t more;
        size_t chunk;
        unsigned regions;
    } rows[] = {
        { "<h2>#</h2>", "<!---->", 65000, "", "", 0, 0, 1 },
        { "<h2>#</h2>", "<!---->", 66000, "", "", 0, 0, 0 },
        { "<h2>#</h2>", "<!---->", 66000, "", "", 0, 1000, 0 },
        { "<h2>#</h2>", "<i></i>", 66000, "", "", 0, 0, 0 },
        { "<h2>#</h2>", "<i></i>", 66000, "", "", 0, 1000, 0 },
        { "<h2>#</h2>", "<hr><b>", 66000, "", "", 0, 40000, 0 },

        /* by where the heading begins */
        { "<h2 class=", "xxxxxxx", 40000, ">#</h2>", "<!---->", 20000, 0, 1 },
        { "<h2 class=", "xxxxxxx", 40000, ">#</h2>", "<!---->", 30000, 0, 0 },
        { "<h2>#</h2>", "<!---->", 40000, "<nav>", "<!---->", 20000, 0, 1 },
        { "<h2>#</h2>", "<!---->", 40000, "<nav>", "<!---->", 30000, 0, 0 },
        { "<section>", "<!---->", 40000, "<h2>#</h2><kbd></kbd>", "<!---->",
          30000, 0, 1 },
        { "<section>", "<!---->", 40000, "<h2>#</h2><kbd></kbd>", "<!---->",
          66000, 0, 0 },
    };

    t = site_learn(learned, strlen(learned), &len);

    if (!ok(t != NULL, "a heading: learned")) {
        return;
    }

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        page.len = 0;
        text.len = 0;
        buf_puts(&text, "<body>");
        buf_puts(&text, rows[i].start);
        buf_fill(&text, rows[i].first, rows[i].bytes / 7);
        buf_puts(&text, rows[i].middle);
        buf_fill(&text, rows[i].then, rows[i].more / 7);
        buf_puts(&text, "<a href=/x>@</a>");
        site_page(&page, text.data, text.len, SITE_PAGES + 1);
        site_rewrite(t, DT_STRIP, &page, rows[i].chunk, &r);
        is_int(r.stats.regions, rows[i].regions, "far behind a heading");
        result_free(&r);
    }

    free(t);
    buf_free(&page);
    buf_free(&text);
}


/* an element inside of which one begins that is too long for both */
static void
test_long_cross(void)
{
    void *t;
    size_t i, len;
    buf_t page = { 0 }, text = { 0 };

    static const size_t chunks[] = { 61, 1000, 40000, SITE_RANDOM, 0 };

    for (i = 0; i < 3; i++) {
        text.len = 0;
        buf_puts(&text, "<section>");
        buf_fill(&text, "<p>about those who made this site and all of it</p>",
                 1245);
        buf_fill(&text, "<i></i>", 232 + i * 4);
        buf_puts(&text, "# <kbd>% <!-- a comment that is not so short, but "
                        "as long as it takes to pass the bound that there is "
                        "for what is held of a page while it is not known if "
                        "it is template or not --> <u>#</u></kbd></section>"
                        "<main>@ @ @ @</main>");
        t = site_learn(text.data, text.len, &len);
        site_page(&page, text.data, text.len, SITE_PAGES + 1);

        if (ok(t != NULL, "a long one around a line: learned")) {
            pieces_ok(t, &page, chunks, "a long one around a line");
        }

        free(t);
    }

    buf_free(&page);
    buf_free(&text);
}


/* a text is let go when its last byte may begin a tag, or just does not */
static void
test_let_go(void)
{
    size_t i, chunks[2] = { 0, 0 };
    char what[64];
    buf_t page = { 0 }, text = { 0 };
    const char *lt;

    buf_puts(&text, "<nav><a href=/a>#</a></nav><p>");
    buf_fill(&text, "t", 70000);
    buf_puts(&text, "<!--x--><nav>#</nav></p> < <ul><li>%</ul><footer>% "
                    "<!--x--> <a href=/c>#</a></footer>");
    site_page(&page, text.data, text.len, SITE_PAGES + 1);
    lt = memchr(page.data + 69000, '<', page.len - 69000);

    for (i = 0; i < 8; i++) {
        chunks[0] = (size_t) (lt - page.data) - 1 + i;
        snprintf(what, sizeof(what), "text and %zu bytes let go", i);
        pieces_ok(tmpl, &page, chunks, what);
    }

    buf_free(&page);
    buf_free(&text);
}


/* elements of the template that pass the bounds of what is held */
static void
learned_long(const char *what, const char *start, const char *fill,
             const char *end, size_t times, const char *kept)
{
    void *t;
    size_t i, len;
    char name[128], own[32];
    buf_t page = { 0 }, text = { 0 }, left = { 0 };
    result_t r;

    static const size_t chunks[] = { 61,    1000,        4096, 40000,
                                     65537, SITE_RANDOM, 0 };

    buf_puts(&text, start);

    for (i = 0; i < times; i++) {
        snprintf(own, sizeof(own), "%zu", i);

        for (const char *f = fill; *f; f++) {
            if (*f == '?') {
                buf_puts(&text, own);

            } else {
                buf_add(&text, f, 1);
            }
        }
    }

    buf_puts(&text, end);
    buf_puts(&text, "<main>");

    for (i = 0; i < 500; i++) {
        snprintf(own, sizeof(own), "<p>@ and @ with %zu", i);
        buf_puts(&text, own);
    }

    buf_puts(&text, "</main>");
    t = site_learn(text.data, text.len, &len);
    snprintf(name, sizeof(name), "%s: learned", what);

    if (ok(t != NULL, name)) {
        site_page(&page, text.data, text.len, SITE_PAGES + 1);
        site_rewrite(t, DT_STRIP, &page, 0, &r);

        snprintf(name, sizeof(name), "%s: what is left", what);
        buf_puts(&left, site_begin);
        buf_puts(&left, kept);
        len = r.out.len < left.len ? r.out.len : left.len;
        buf_add(&left, "", 1);
        is_str(r.out.data, len, left.data, name);
        pieces_ok(t, &page, chunks, what);

        result_free(&r);
    }

    buf_free(&left);
    buf_free(&page);
    buf_free(&text);
    free(t);
}


/* a link of the template behind other text, which does not go */
static void
glued(const char *before, size_t words, int cut)
{
    void *t = NULL;
    size_t i, len;
    char name[64];
    buf_t page = { 0 }, text = { 0 }, kept = { 0 };
    result_t r;

    static const size_t chunks[] = { 1, 2, 3, 5, 61, 0 };

    buf_puts(&kept, site_begin);
    buf_puts(&kept, "<div>own9 ");
    buf_fill(&kept, "word ", words);
    buf_puts(&kept, before);
    buf_puts(&kept, cut ? "</div" : "<a href");

    /* the text is long on the page only */

    for (i = 0; i < 2; i++) {
        text.len = 0;
        buf_puts(&text, "<div>~ ");
        buf_fill(&text, "word ", i ? words : 0);
        buf_puts(&text, before);
        buf_puts(&text, "<a href=/a>#</a></div><main>");
        buf_fill(&text, "<p>@ and @ with @", 50);
        t = i ? t : site_learn(text.data, text.len, &len);
    }

    snprintf(name, sizeof(name), "glued: behind %zu words and \"%s\"", words,
             before);

    if (t != NULL) {
        site_page(&page, text.data, text.len, SITE_PAGES + 1);
        site_rewrite(t, DT_STRIP, &page, 0, &r);
        len = r.out.len < kept.len ? r.out.len : kept.len;
        ok(buf_eq(&kept, &(buf_t){ r.out.data, len, 0 }), name);
        pieces_ok(t, &page, chunks, name);
        result_free(&r);

    } else {
        ok(!cut, name);
    }

    free(t);
    buf_free(&kept);
    buf_free(&page);
    buf_free(&text);
}


static void
test_glued(void)
{
    size_t i;

    static const struct {
        const char *before;
        int cut;
    } rows[] = {
        { "| ", 1 },      { "|\t", 1 },       { "|&nbsp;", 1 },
        { "|&#160;", 1 }, { "|\xc2\xa0", 1 }, { "&nbsp;", 1 },
        { "|", 0 },       { "|&nbsp", 0 },    { "|nbsp;", 0 },
        { "|&#161;", 0 }, { "|\xc3\xa0", 0 }, { "", 0 },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        glued(rows[i].before, 0, rows[i].cut);
    }

    /* text of which the beginning is let go: it is not known what it was */

    glued("|&nbsp;", 14 * 1024, 0);
}


static void
test_learned_long(void)
{
    learned_long("30 KB menu", "<nav><ul>",
                 "<li><a href=/a/very/long/path/to/the/page?.html>menu entry "
                 "number ? of all</a>",
                 "</ul></nav>", 400, "<main>");
    /* too much to be held, or to be remembered: the parts go one by one */
    learned_long("70 KB menu", "<nav><ul>",
                 "<li><a href=/page?.html>menu entry number ?</a></li>",
                 "</ul></nav>", 1400, "<nav><ul></ul></nav><main>");
    learned_long("600 siblings", "", "<div>menu entry number ?</div>", "", 600,
                 "<main>");
    learned_long("600 siblings in one", "<nav>",
                 "<i>menu entry of ?</i> / menu text of ? / ", "</nav>", 600,
                 "<nav>    ");
    learned_long("a sentence of 1200 parts", "<nav>",
                 "<i>menu entry of ?</i> menu text of ? ", "</nav>", 600,
                 "<nav><i>menu entry of 0</i> menu text of 0 <i>menu ");
    /* not to be cut on their own, since they stand directly behind text */
    learned_long("600 weak siblings", "<nav>",
                 "/ menu entry number ?<i>or part ? of it</i> / "
                 "<b>and ? too</b> ",
                 "</nav>", 600,
                 "<nav>/ menu entry number 0<i>or part 0 of it</i>   / menu "
                 "entry number 1<i>or ");
    learned_long("150 KB of weak siblings", "<nav>",
                 "menu entry number ? of this very long menu, which says with "
                 "many words what others say with few, and all of that on "
                 "every page of a site that has so many, so that it adds up "
                 "and grows large beyond what can be held of it in number, "
                 "and goes on and on for as long as it takes to have more "
                 "than one hundred and twenty eight bytes in each of the "
                 "pieces that are remembered, of which there are three here, "
                 "so that four hundred bytes are not quite enough yet "
                 "?<i>or part ? of it</i> / <b>and ? too</b> / ",
                 "</nav>", 300, "<nav>menu entry number 0 of this very long ");
    learned_long("2000 siblings in one", "<nav>", "<p>menu of ?</p>", "</nav>",
                 2000, "<nav></nav><main>");
}


/* far more template than a page of the site has: the rest is passed on */
static void
test_guard(void)
{
    buf_t page = { 0 }, text = { 0 };
    result_t r;

    static const size_t chunks[] = { 61, 1000, 4096, SITE_RANDOM, 0 };

    buf_fill(&text, TEXT, 200);
    site_page(&page, text.data, text.len, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);

    is_int(r.stats.guard, 1, "guard: said");
    ok(r.stats.removed > 0 && r.stats.removed < page.len / 4,
       "guard: no more than a part is cut");
    text.len = 0;
    site_page(&text, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    ok(memcmp(r.out.data + r.out.len - text.len, text.data, text.len) == 0,
       "guard: the end is as it came");
    pieces_ok(tmpl, &page, chunks, "guard");

    result_free(&r);
    buf_free(&page);
    buf_free(&text);
}


/* counts allocations, and refuses the one numbered refuse and all after it */
typedef struct {
    unsigned calls;
    unsigned refuse;
    unsigned live;
    size_t bytes;
} counter_t;


static void *
counter_alloc(void *data, size_t size)
{
    counter_t *c = data;

    if (++c->calls >= c->refuse) {
        return NULL;
    }

    c->live++;
    c->bytes += size;

    return malloc(size);
}


static void
counter_free(void *data, void *p)
{
    counter_t *c = data;

    c->live -= p != NULL;
    free(p);
}


static void
test_alloc(void)
{
    size_t i;
    char name[64];
    buf_t page = { 0 }, text = { 0 };
    result_t r;
    counter_t c;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = { 0 };
    dt_alloc_t a = { counter_alloc, counter_free, &c };

    static const size_t times[] = { 1, 10, 100, 1000 };

    for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        text.len = 0;
        buf_fill(&text, TEXT, times[i]);
        site_page(&page, text.data, text.len, SITE_PAGES + 1);

        c = (counter_t){ .refuse = UINT32_MAX };
        site_rewrite_at(tmpl, DT_STRIP, "/dir/page9.html", &page, 0, &a, &r);
        snprintf(name, sizeof(name), "alloc: %zu KB in one piece",
                 page.len / 1024);
        ok(c.calls <= 1 + (page.len > 65536), name);
        result_free(&r);

        c = (counter_t){ .refuse = UINT32_MAX };
        site_rewrite_at(tmpl, DT_STRIP, "/dir/page9.html", &page, 1000, &a,
                        &r);
        snprintf(name, sizeof(name), "alloc: %zu KB in pieces",
                 page.len / 1024);
        ok(c.calls <= 8, name);
        is_int(c.live, 0, "alloc: all is freed");
        result_free(&r);
    }

    /* the most that a page can make it take: 1 KB, doubled up to the bound */

    text.len = 0;
    buf_puts(&text, "<nav>");
    buf_fill(&text, "#", 4000);
    site_page(&page, text.data, text.len, SITE_PAGES + 1);
    c = (counter_t){ .refuse = UINT32_MAX };
    site_rewrite_at(tmpl, DT_STRIP, "/dir/page9.html", &page, 100, &a, &r);
    ok(c.calls <= 9 && c.bytes < 400 * 1024, "alloc: bounded");
    result_free(&r);

    /* a text that ends in a piece of megabytes */

    page.len = 0;
    buf_fill(&page, "x", 4000000);
    buf_puts(&page, "<p>");
    c = (counter_t){ .refuse = UINT32_MAX };
    memset(&r, 0, sizeof(r));
    o.tmpl = tmpl;
    o.alloc = &a;
    o.out = site_out;
    o.out_data = &r;
    rw = dt_rewrite_create(&o);
    r.in = page.data;
    r.in_len = 10;
    (void) dt_rewrite_feed(rw, r.in, r.in_len, 0);
    r.in += r.in_len;
    r.in_len = page.len - 10;
    (void) dt_rewrite_feed(rw, r.in, r.in_len, 1);
    dt_rewrite_destroy(rw);
    ok(c.bytes < 400 * 1024, "alloc: bounded by no piece");
    result_free(&r);

    buf_free(&page);
    buf_free(&text);
}


/* the k-th allocation fails: all bytes still come out */
static void
test_alloc_fails(void)
{
    int good = 1, failed = 0;
    size_t chunk;
    unsigned k, mode;
    buf_t page = { 0 }, text = { 0 };
    result_t r;
    counter_t c;
    dt_alloc_t a = { counter_alloc, counter_free, &c };

    /* a tag that some pieces end in, and a text that is too long */

    buf_puts(&text, TEXT "<p title='");
    buf_fill(&text, "x", 2500);
    buf_puts(&text, "'>@</p><nav>");
    buf_fill(&text, "text ", 20000);
    site_page(&page, text.data, text.len, SITE_PAGES + 1);

    for (k = 1; k <= 12; k++) {
        for (chunk = 1; chunk <= 10000; chunk = 3 * chunk + 1) {
            for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
                c = (counter_t){ .refuse = k };
                site_rewrite_at(tmpl, (dt_mode_t) mode, "/dir/page9.html",
                                &page, chunk, &a, &r);

                failed += r.rc == DT_ENOMEM;
                good &= (r.rc == DT_ENOMEM) == (c.calls >= k);
                good &= c.live == 0 && r.wrong == 0;

                if (k == 1) {
                    good &= buf_eq(&r.out, &page);

                } else if (mode == DT_STRIP) {
                    good &= r.out.len + r.stats.removed == page.len
                            && site_subsequence(&r.out, &page);

                } else {
                    good &= buf_eq(&r.unmarked, &page);
                }

                result_free(&r);
            }
        }
    }

    ok(failed > 20, "no memory: happens");
    ok(good, "no memory: every byte that is not template comes out");

    buf_free(&page);
    buf_free(&text);
}


typedef struct {
    unsigned calls;
    unsigned refuse;
} refuser_t;


static int
refuser_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    refuser_t *r = data;

    (void) p;
    (void) len;
    (void) kind;

    return ++r->calls >= r->refuse;
}


static void
test_refused(void)
{
    int good = 1;
    size_t off;
    unsigned k;
    buf_t page = { 0 };
    refuser_t r;
    dt_status_t rc;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = { 0 };

    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    o.tmpl = tmpl;
    o.host = dt_str(SITE_HOST);
    o.path = dt_str("/");
    o.out = refuser_out;
    o.out_data = &r;

    for (k = 1; k <= 8; k++) {
        r = (refuser_t){ 0, k };
        rw = dt_rewrite_create(&o);
        rc = DT_OK;

        for (off = 0; off < page.len && rc == DT_OK; off += 7) {
            rc = dt_rewrite_feed(rw, page.data + off,
                                 page.len - off < 7 ? page.len - off : 7, 0);
        }

        good &= rc == DT_ENOMEM && r.calls == k;
        good &= dt_rewrite_feed(rw, "x", 1, 1) == DT_ENOMEM && r.calls == k;
        dt_rewrite_destroy(rw);
    }

    ok(good, "refused: the call says so, and nothing more is given out");

    buf_free(&page);
}


/* marks of the caller's own */
static void
test_wrap(void)
{
    buf_t page = { 0 };
    result_t r = { 0 };
    dt_wrap_t wrap = {
        dt_str(" m=''"), dt_str("<m>"), dt_str("</m>"), { 0, "" }
    };
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = marks_to(&r);

    size_t len;
    void *t;

    static const char text[] = "<nav><ul><li>#</ul></nav><p>@</p><p>%<b>@</b>";

    t = site_learn(text, sizeof(text) - 1, &len);
    site_page(&page, text, sizeof(text) - 1, SITE_PAGES + 1);
    o.tmpl = t;
    o.wrap = &wrap;
    o.before = dt_str("<i>");
    o.after = dt_str("</i>");

    rw = dt_rewrite_create(&o);
    (void) dt_rewrite_feed(rw, page.data, page.len, 1);
    dt_rewrite_destroy(rw);

    is_str(r.out.data, r.out.len,
           "<body><i><nav m=''><ul><li>menu of this whole site</ul></nav></i>"
           "<p>/own9/</p>"
           "<p><m>about those who made it</m><b>/own9/</b>",
           "marks of one's own");
    ok(buf_eq(&r.unmarked, &page), "without them, the page");

    free(t);
    buf_free(&page);
    result_free(&r);
}


/* the end of a head, where a parser has it: LINK is put there */
static void
test_head(void)
{
#define LINK "<l>"
    static const struct {
        const char *page;
        unsigned xml;
    } rows[] = {
        { "<!doctype html><html><head><title>a</title>" LINK
          "</head><body><p>x",
          0 },
        { "<head>" LINK "</HEAD><link rel=a><body>", 0 },
        { "<html><title>a</title>" LINK "<body class=a>x", 0 },
        { "<!DOCTYPE html>\n<meta charset=utf-8>\n" LINK "<p>x", 0 },
        { "<!doctype html><title>a</title> \n" LINK "x</head>", 0 },
        { "<!doctype html><!--</head>--><script>'</head>'</script>" LINK
          "</html>",
          0 },
        { "<html><noscript></head></noscript><template><p></head></"
          "template>" LINK "</br>x",
          0 },
        { LINK "<body>x", 0 },
        { "<html><base href=/a/>" LINK "<p>", 0 },
        { "<html><base href='https://site.example/'>" LINK "<p>", 0 },
        { "<html><link type=text/markdow rel=a>" LINK "<p>", 0 },
        { "<html><head><title/></head><body><svg><title>a</title></svg>x", 1 },
        { "<html><head><meta/>" LINK "</head><body>x</body></html>", 1 },
        { "<html><head/><body>x</body></html>", 1 },
        { "<html><head/></html>", 1 },
        { "<html><base href=//other.example/><p>", 0 },
        { "<html><link rel=alternate TYPE='Text/Markdown' href=a></head>", 0 },
        { "<link type=text/markdown><html></head>", 0 },
        { "<div>a fragment</div>", 0 },
        { "<style>a</style><p>a fragment", 0 },
        { "a fragment", 0 },
        { "</head>", 0 },
        { "<html><head>", 0 },
    };
    char *mark;
    char page[256];
    size_t i, chunk;
    buf_t in;
    result_t r;
    int good;

    site_put = dt_str(LINK);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(page, sizeof(page), "%s", rows[i].page);
        mark = strstr(page, LINK);

        if (mark != NULL) {
            memmove(mark, mark + strlen(LINK),
                    strlen(mark + strlen(LINK)) + 1);
        }

        in = (buf_t){ page, strlen(page), 0 };
        site_xml = rows[i].xml;
        good = 1;

        for (chunk = 0; chunk < 12; chunk++) {
            site_rewrite(tmpl, chunk & 1 ? DT_ANNOTATE : DT_STRIP, &in, chunk,
                         &r);
            good &= r.out.len == strlen(rows[i].page)
                    && memcmp(r.out.data, rows[i].page, r.out.len) == 0
                    && buf_eq(&r.unmarked, &in);
            result_free(&r);
        }

        ok(good, rows[i].page);
    }

    site_xml = 0;
    site_put = dt_str("");
#undef LINK
}


/* after any number of bytes all that was fed comes out as it came */
static void
test_release(void)
{
    int good = 1;
    size_t n;
    buf_t page = { 0 }, want = { 0 };
    result_t r;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = marks_to(&r);

    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);

    for (n = 0; n < page.len; n++) {
        memset(&r, 0, sizeof(r));
        rw = dt_rewrite_create(&o);

        r.in = page.data;
        r.in_len = n;
        good &= dt_rewrite_feed(rw, page.data, n, 0) == DT_OK;
        r.in_len = 0;
        good &= dt_rewrite_release(rw) == DT_OK;
        good &= r.unmarked.len == n && r.wrong == 0;
        good &= dt_rewrite_release(rw) == DT_OK && r.unmarked.len == n;

        r.in = page.data + n;
        r.in_len = page.len - n;
        good &= dt_rewrite_feed(rw, r.in, r.in_len, 1) == DT_OK;
        good &= buf_eq(&r.unmarked, &page) && r.wrong == 0;

        dt_rewrite_destroy(rw);
        result_free(&r);
    }

    ok(good, "release: what is held comes out, the rest passes");

    dt_rewrite_destroy(NULL);
    buf_free(&page);
    buf_free(&want);
}


/* a page that should cost much: of size bytes, and smaller in small pieces */
static int
hostile_page(const buf_t *page, const size_t *chunks)
{
    int good = 1;
    result_t r, whole;

    site_rewrite(tmpl, DT_ANNOTATE, page, 0, &whole);

    for (; *chunks; chunks++) {
        site_rewrite(tmpl, DT_ANNOTATE, page, *chunks, &r);

        if (r.rc != DT_OK || r.wrong || r.stats.held > DT_HOLD_MAX
            || !buf_eq(&r.unmarked, page) || !result_eq(&r, &whole))
        {
            printf("#   pieces of %zu: %zu bytes, held %u\n", *chunks,
                   r.unmarked.len, r.stats.held);
            good = 0;
        }

        result_free(&r);
    }

    result_free(&whole);

    return good;
}


static void
hostile(const char *what, const char *start, const char *fill, const char *end,
        size_t size)
{
    int good;
    char name[96];
    buf_t page = { 0 };

    static const size_t large[] = { 4096, 0 }, small[] = { 64, 7, 1, 0 };

    buf_puts(&page, start);
    buf_fill(&page, fill, size / 32 / strlen(fill));
    buf_puts(&page, end);
    good = hostile_page(&page, small);

    page.len -= strlen(end);
    buf_fill(&page, fill, (size - size / 32) / strlen(fill));
    buf_puts(&page, end);
    good &= hostile_page(&page, large);

    snprintf(name, sizeof(name), "hostile: %s", what);
    ok(good, name);
    buf_free(&page);
}


static void
test_hostile(void)
{
    static const size_t mb = 1024 * 1024;

    hostile("1000000 nested div", "<body>", "<div>", "", 5 * 1000 * 1000);
    hostile("1000000 attributes", "<nav ", "a ", ">", 2 * 1000 * 1000);
    hostile("1000000 attributes with values", "<nav ", "a='' ", ">",
            5 * 1000 * 1000);
    hostile("10 MB attribute", "<nav a='", "x", "'>", 10 * mb);
    hostile("10 MB tag without an end", "<nav ", "x", "", 10 * mb);
    hostile("10 MB comment without an end", "<nav><!--", "-", "", 10 * mb);
    hostile("10 MB of '< '", "<nav>", "< ", "", 10 * mb);
    hostile("10 MB of '<'", "<nav>", "<", "", 10 * mb);
    hostile("10 MB of '</'", "<nav>", "</", "", 10 * mb);
    hostile("10 MB of '<!'", "<nav>", "<!", "", 10 * mb);
    hostile("10 MB of '<a='", "<nav>", "<a='", "", 10 * mb);
    hostile("10 MB of '</p>'", "<body>", "</p>", "", 10 * mb);
    hostile("10 MB of '<p>'", "<body>", "<p>", "", 10 * mb);
    hostile("10 MB of '<a>'", "<body>", "<a>", "", 10 * mb);
    hostile("10 MB of '<li><p>'", "<ul>", "<li><p>", "", 10 * mb);
    hostile("10 MB of menus", "",
            "<nav><ul><li><a href=/a>menu of this whole "
            "site</a>",
            "", 10 * mb);
    hostile("10 MB of nested tables", "", "<table><tr><td>", "", 10 * mb);
    hostile("10 MB of '</b>' in 200 i", "<i><i><i><i><i><i><i><i><i><i><i>",
            "</b>", "", 10 * mb);
    hostile("10 MB script", "<script>", "<!--<script>", "", 10 * mb);
    hostile("10 MB of svg", "", "<svg>", "", 10 * mb);
    hostile("10 MB of '<b a=\"'", "", "<b a=\"", "", 10 * mb);
}


int
main(void)
{
    size_t len;

    tmpl = site_learn(TEXT, sizeof(TEXT) - 1, &len);

    if (!ok(tmpl != NULL, "learned")) {
        return done();
    }

    test_page();
    test_xml();
    test_borders();
    test_room();
    test_long();
    test_long_behind();
    test_long_line();
    test_full();
    test_long_heading();
    test_long_cross();
    test_let_go();
    test_learned_long();
    test_glued();
    test_guard();
    test_alloc();
    test_alloc_fails();
    test_refused();
    test_wrap();
    test_head();
    test_release();
    test_hostile();

    free(tmpl);

    return done();
}
