
/*
 * Copyright (C) The detemplate authors
 *
 * What is known by its bytes must be what the scanner finds: pages are
 * rewritten with what other pages left behind, and without.
 */


#include "site.h"
#include "test.h"


#define LIST "<ul class=menu><li><a href=/one>#<li><a href=/two>%</ul>"
#define BOX "<div class=box><p>#<p>% <b>#</b></div>"
#define NEAR "<div class=near><p>#</p><a href=b/c>%</a></div>"
#define OWN "<div class=own><p>#</p><a href='?x'>%</a></div>"
#define ABS "<div class=abs><p>#</p><a href=http://site.example/y>%</a></div>"
#define ODD "<div class=odd><b># % #</b></i></div>"
#define PART "<p class='a part of what is larger'># % #</p>"
#define PART_NEAR "<p class='a part of what is larger'><a href=b/c>%</a></p>"
#define ALL "<div>" PART PART_NEAR "</div>"
#define SOME "<div class=some><script>a</script><p># % #</p></div>"
#define CELL "<table class=t><tr><td>#<td>%<tr><td># %</table>"
#define ROW_OF(a, b) "<tr class='one of a long name'><th>#" a "</th>" b "</tr>"
#define HEADS ROW_OF("", "<th>%</th>")
#define EMPTY ROW_OF(" %", "<td></td>")
#define ROW ROW_OF("", "<td>% # %</td>")
#define OWN_ROW "<tr><td>@</table>"
#define LABELS "<table class=t>" EMPTY ROW HEADS ROW
#define AT "@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ "
#define LINE "<a href=/a title='a title that is long enough'>#</a>"
#define LINES "<body>" BOX "<b>#</b><p>" LINE "<p>@ " LINE "<b>#</b>" REST
#define WORDS "<p class=long title='a title that is long enough'>#</p>"
#define ITEM "<li class='an item of a list that is long'><i>%</i></li>"
#define MIXED                                                                 \
    "<body>" CELL "<hr>" NEAR "<hr>" WORDS "<hr><ul>" ITEM "</ul><div>" WORDS \
    "</div><dd>" WORDS "<section><h2>@</h2></section><main>" AT AT AT AT      \
    "</main>"
#define REST CELL "<section><h2>@</h2></section><main>" AT AT AT AT "</main>"
#define LINKS "<body>" NEAR REST
#define NOBR "<div class=nobr><b># % #</b><nobr>%</nobr></div>"
#define SHAPE "<body><nav>" ABS "<a>@ @ " AT "</a></nav>" REST
#define PICK "<select class='of a few'><option>#<option>%</select>"
#define FORM(end)                                                             \
    "<div class='box of a name that is long' id='' style='and" end            \
    "'><p>#<p>% <b>#</b></div>"
#define TITLE "<h2 class='box of a name that is long' id=''>#</h2>"
#define RULE "<div class='box of a name that is long' id=''><hr></div>"
#define TEXT "<body>" TITLE RULE BOX "<hr>" ABS ODD SOME ALL PICK NOBR REST


static void *tmpl;
static char *memory;


static void
written(const char *host, const char *path, const char *text, size_t chunk,
        int known, result_t *r)
{
    buf_t page = { 0 };
    const char *own = site_host;

    site_host = host;
    site_memo = known ? (dt_memo_t *) memory : NULL;
    site_page(&page, text, strlen(text), SITE_PAGES + 1);
    site_rewrite_at(tmpl, DT_STRIP, path, &page, chunk, NULL, r);
    site_memo = NULL;
    site_host = own;
    buf_free(&page);
}


/* bytes that are known after a text came three times */
static uint32_t
fill(const char *text)
{
    unsigned i;
    uint32_t known = 0;
    result_t r;

    (void) dt_memo_init(memory);

    for (i = 0; i < 3; i++) {
        written(SITE_HOST, "/dir/p.html", text, 0, 1, &r);
        known = r.stats.known;
        result_free(&r);
    }

    return known;
}


/*
 * After the first text came, the second is what it is without; known: whether
 * some of it is known by its bytes.
 */
static void
same(const char *first, const char *host, const char *path, const char *second,
     int known, const char *name)
{
    char title[128];
    result_t with, without;

    (void) fill(first);
    written(host, path, second, 0, 0, &without);
    written(host, path, second, 0, 1, &with);
    snprintf(title, sizeof(title), "%s: the same", name);
    ok(result_eq(&with, &without), title);
    snprintf(title, sizeof(title), "%s: %sknown", name, known ? "" : "not ");
    is_int(with.stats.known != 0, known, title);
    result_free(&with);
    result_free(&without);
}


/*
 * A part that is found, and then text that does not end: each piece of the
 * page is gone when the next one comes (site_rewrite_at() frees it), and what
 * may be worth remembering must not be looked for in it.
 */
static void
test_gone(void)
{
    size_t i;
    buf_t page = { 0 };
    result_t with, without;
    static const struct {
        size_t text;
        size_t chunk;
        const char *end;
        const char *name;
    } rows[] = {
        { 200, 64, "", "gone: at the end of a page" },
        { 200, 1, "", "gone: at its end, bytes one by one" },
        { 70000, 1024, "", "gone: too much is held" },
        { 70000, 1024, "</div><main>@", "gone: what is too long ends" },
        { 200000, 1024, "<p>@</div><main>@", "gone: another is in it" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void) dt_memo_init(memory);
        page.len = 0;
        buf_puts(&page, "<body><div>" PART);
        buf_fill(&page, "x", rows[i].text);
        buf_puts(&page, rows[i].end);
        buf_add(&page, "", 1);

        written(SITE_HOST, "/dir/p.html", page.data, rows[i].chunk, 0,
                &without);
        written(SITE_HOST, "/dir/p.html", page.data, rows[i].chunk, 1, &with);
        ok(result_eq(&with, &without), rows[i].name);
        result_free(&with);
        result_free(&without);
    }

    buf_free(&page);
}


static void
test_known(void)
{
    size_t i;
    result_t r, without;

    static const struct {
        const char *text;
        int known;
        const char *name;
    } rows[] = {
        { "<body>" BOX "<main>@", 0, "known: nothing at first" },
        { "<body>" BOX "<main>@", 1, "known: what the first page had" },
        { "<body>" ABS "<main>@", 0, "known: not what never came" },
        { "<body>" ABS "<main>@", 0, "known: not what came once" },
        { "<body>" ABS "<main>@", 1, "known: what came twice" },
    };

    is_int(fill(TEXT) > 300, 1, "known: much of a page");
    written(SITE_HOST, "/dir/p.html", TEXT, 0, 0, &without);
    written(SITE_HOST, "/dir/p.html", TEXT, 0, 1, &r);
    ok(result_eq(&r, &without) && r.stats.regions > 2, "known: the same");
    result_free(&r);
    written(SITE_HOST, "/dir/p.html", TEXT, 64, 1, &r);
    ok(result_eq(&r, &without), "known: in pieces");
    result_free(&r);
    result_free(&without);

    (void) dt_memo_init(memory);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        written(SITE_HOST, "/dir/p.html", rows[i].text, 0, 1, &r);
        is_int(r.stats.known != 0, rows[i].known, rows[i].name);
        result_free(&r);
    }
}


#define HERE SITE_HOST, "/dir/q.html"


/* whether links are cut depends on what is beside them */
static void
test_lines(void)
{
    same(LINES, HERE, "<p>~ " LINE "<main>@", 0, "in a line");
    same(LINES, HERE, "~ " BOX "<b>#</b><main>@", 1, "before and behind");
    same(TEXT, HERE, TITLE BOX "~<main>@", 1, "behind a heading");
}


/*
 * A known region of which a piece of the page has only the beginning; the
 * text, which may end there or go on as something else, in pieces of any size:
 * whether it is always the same, and how often some of it was known.
 */
static int
cut_anywhere(const char *first, const char *text, unsigned *known)
{
    int same = 1;
    size_t chunk;
    result_t with, without;

    written(HERE, text, 0, 0, &without);
    (void) fill(first);

    for (chunk = 1, *known = 0; chunk < strlen(text) + 40; chunk++) {
        written(HERE, text, chunk, 1, &with);
        same &= result_eq(&with, &without);
        *known += with.stats.known != 0;
        result_free(&with);
    }

    result_free(&without);

    return same;
}


static void
test_pieces(void)
{
    unsigned known, alone;

    static const char page[] = "<body>@ @ @ " ABS "<main>@ " AT AT;
    static const char text[] = "<body>@ @ @ " FORM("er") "<main>@ " AT AT;

    ok(cut_anywhere("<body>" ABS "<main>@", page, &known), "pieces: the same");
    ok(known > 60, "pieces: known across them");

    ok(cut_anywhere(page,
                    "<body>@ @ @ <div class=abs><p>#</p><a href="
                    "http://site.example/y>% @</a></div>" AT,
                    &known),
       "pieces: not to its end");
    is_int(known, 0, "pieces: not known");

    ok(cut_anywhere(page,
                    "<body>@ @ @ " ABS " <div class=abs><p>#</p><a href="
                    "http://site.example/y>%</a>",
                    &known),
       "pieces: the page ends in it");
    ok(cut_anywhere("<body><div>" PART "@</div><main>@",
                    "<body>@ @ @ <div><p class='a part of what is larger'># %",
                    &known),
       "pieces: the page ends in a part of what may be template");
    ok(cut_anywhere("<body>" ABS "<main>@",
                    "<body><p>@</p>" ABS "<div class=abs><p>#</p><a href="
                    "http://site.example/y>%</a><p>#</p>" BOX "<hr>" ABS,
                    &known),
       "pieces: known before and behind one that is not");
    ok(known > 60, "pieces: those that are known");

    (void) cut_anywhere("<body>" FORM("er") "<main>@", text, &alone);
    ok(cut_anywhere("<body>" FORM("") "<hr>" FORM("er") "<hr>" FORM(
                        "") "<hr>" FORM(" or so") "<main>@",
                    text, &known),
       "pieces: one of several that begin alike");
    is_int(known, alone, "pieces: known as often as without the others");
}


/* what begins and ends like what is known, and is as long */
static void
test_alike(void)
{
    same("<body>" FORM("") "<main>@", HERE, "<body>" FORM("er") "<main>@", 0,
         "alike: longer");
    same("<body>" FORM("er") "<main>@", HERE, "<body>" FORM("") "<main>@", 0,
         "alike: shorter");
    same("<body>" FORM("er") "<main>@", HERE, "<body>" FORM("es") "<main>@", 0,
         "alike: as long");
    same("<body>" FORM("er") FORM("") FORM("es") "<main>@", HERE,
         "<body>" FORM("es") "<main>@", 1, "alike: all of them are known");
}


/*
 * A long region, in pieces; and what begins like it, up to a paragraph: that
 * is let go when as much has come again, not only when all of it has.
 */
static void
test_stops(void)
{
    size_t i, len;
    char name[64];
    void *own = tmpl;
    buf_t first = { 0 }, text = { 0 };
    result_t with, without;
    static const struct {
        size_t at;
        uint32_t held;
    } rows[] = { { 0, 320 },    { 2, 320 },     { 20, 1100 },
                 { 100, 4200 }, { 400, 16500 }, { 500, 0 } };

#define LONG "<div class='a list of what is long, and more than that'>"

    buf_puts(&first, LONG);

    for (i = 0; i < 500; i++) {
        buf_puts(&first, "<p>menu of this whole site, and on</p>");
    }

    buf_puts(&first, "</div>");
    len = first.len;
    buf_puts(&first, "<hr>" REST);
    buf_add(&first, "", 1);
    tmpl = site_learn(first.data, first.len - 1, &i);
    (void) fill(first.data);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        text.len = 0;
        buf_add(&text, first.data, len);
        text.data[strlen(LONG) + rows[i].at * 38 + 3] ^= rows[i].held ? 1 : 0;
        buf_puts(&text, "<main>@");
        buf_add(&text, "", 1);
        written(HERE, text.data, 0, 0, &without);
        written(HERE, text.data, 64, 1, &with);
        snprintf(name, sizeof(name), "stops: paragraph %zu: the same",
                 rows[i].at);
        ok(result_eq(&with, &without), name);
        snprintf(name, sizeof(name), "stops: paragraph %zu: %u held",
                 rows[i].at, with.stats.held);
        ok(rows[i].held == 0 || with.stats.held < rows[i].held, name);
        is_int(with.stats.known != 0, rows[i].held == 0, "stops: known");
        result_free(&with);
        result_free(&without);
    }

    free(tmpl);
    tmpl = own;
    buf_free(&text);
    buf_free(&first);
}


static int
drop(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) p;
    *(size_t *) data += kind == DT_OUT_MARK ? 0 : len;

    return 0;
}


/* another page makes room in the memo while one waits for its next piece */
static void
test_cleared(void)
{
    buf_t page = { 0 };
    size_t half, out = 0;
    unsigned i;
    char text[128];
    result_t r;
    dt_rewrite_t *rw;
    dt_rewrite_stats_t stats;
    dt_rewrite_opts_t o = { 0 };

    (void) fill("<body>" ABS "<main>@");
    site_page(&page, "<body>" ABS, strlen("<body>" ABS), SITE_PAGES + 1);
    half = page.len - 8;
    /* more than the memo has, which must not be compared with all of it */
    buf_fill(&page, "x", 2 * dt_memo_size());

    o.tmpl = tmpl;
    o.host = dt_cstr(SITE_HOST);
    o.path = dt_cstr("/dir/q.html");
    o.out = drop;
    o.out_data = &out;
    o.memo = (dt_memo_t *) memory;

    rw = dt_rewrite_create(&o);
    is_int(dt_rewrite_feed(rw, page.data, half, 0), DT_OK, "cleared: fed");
    is_int((long long) out, 6, "cleared: the region is held");

    for (i = 0; i < 2000; i++) {
        snprintf(text, sizeof(text),
                 "<body><div class=%u><script></script><p># %% #</p></div>",
                 i / 2);
        written(HERE, text, 0, 1, &r);
        result_free(&r);
    }

    is_int(dt_rewrite_feed(rw, page.data + half, page.len - half, 1), DT_OK,
           "cleared: fed to its end");
    dt_rewrite_stats(rw, &stats);
    is_int(stats.known, 0, "cleared: not known any more");
    is_int(stats.regions, 1, "cleared: but found");
    is_int((long long) (out + stats.removed), (long long) page.len,
           "cleared: all the rest is there");

    dt_rewrite_destroy(rw);
    buf_free(&page);
}


/* the same bytes, in places where they are something else */
static void
test_places(void)
{
    same("<body>" ABS "<main>@", HERE, "<body>" ABS "<main>@", 1, "as it was");
    same("<body>" ABS "<main>@", HERE, "@" ABS "<main>@", 0, "behind a word");
    same("@" ABS "<main>@", HERE, "<body>" ABS "<main>@", 0,
         "not behind a word");
    same("<body>" ABS "<main>@", HERE, "<p>@" ABS, 0, "where it closes a p");
    same("<body>" ABS "<main>@", HERE, "<li>" ABS, 0, "at another path");
    same("<body>" ABS "<main>@", HERE, "<b>@ " ABS, 0, "in style only");
    same("<body>" ABS "<main>@", HERE, "<a>@ " ABS, 0, "in a link");
    same("<body>" ABS "<main>@", HERE, "<table> " ABS, 0, "in a table");
    same("<body>" ABS "<main>@", HERE, "<body><svg><desc>" ABS "</svg>" ABS, 0,
         "in svg");
    same("<body>" ABS "<main>@", HERE, "<body><!--" ABS "-->" ABS, 1,
         "in a comment");
    same("<body>" ABS "<main>@", HERE, "<body><div><a>@</div> " ABS, 0,
         "misnested");
    same("<body>" PICK "<main>@", HERE, "<body><div><i>@</div>" PICK, 0,
         "where formatting goes on");
    same("<body>" PICK "<main>@", HERE, "<body><div><i>@</div> " PICK, 0,
         "where formatting was left open");
    same("<body>" LIST "<main>@", HERE, "<body>" LIST "<main>@", 0,
         "not template here");
    same("<body>" ABS "<main>@", SITE_HOST, "/other/q.html",
         "<body>" ABS "<main>@", 0, "where it is not template");
    same("<body>" ABS "<main>@", "other.example", "/dir/q.html",
         "<body>" ABS "<main>@", 0, "a host, another");
    same("<body>" ODD "<main>@", HERE, "<body>" ODD "<main>@", 0,
         "an end tag for nothing");
    same("<body>" SOME "<main>@", HERE, "<body>" SOME "<main>@", 1,
         "the end tag of a script");
    same("<body>" CELL "<main>@", HERE, "<body>" CELL "<main>@", 1,
         "tags left out inside");
    same("<body>" SOME "<main>@", HERE,
         "<body><div><a><p><a></a></div><main><a><p><a>" SOME "</main>@", 0,
         "where something was moved");
    same("<body>" NOBR "<main>@", HERE, "<body>" NOBR "<main>@", 1,
         "a nobr, where none is open");
    same("<body>" NOBR "<main>@", HERE,
         "<body><div><nobr>@</div>" NOBR "<main>@", 0,
         "a nobr, where one was left open");
}


/* what has no name in the path, and keeps tags from closing what is further
   out */
static void
test_around(void)
{
    size_t len;
    void *own = tmpl;

#define INNER "<div class='a box around an item of a list'><li>#</li></div>"
#define STYLED "<body><ul><li><center>" AT "<hr>" INNER "</center></ul>"

    tmpl = site_learn(STYLED AT, strlen(STYLED AT), &len);
    same(STYLED, HERE, STYLED, 1, "around: as it was");
    same(STYLED, HERE, "<body><ul><li>" INNER "@</ul>", 0,
         "around: an item that ends another");
    free(tmpl);

#define FOURTH "<div class='a box with formatting in it'><i># %</i></div>"

    tmpl = site_learn("<body>" FOURTH AT, strlen("<body>" FOURTH AT), &len);
    same("<body>" FOURTH AT, HERE,
         "<body><div><i>@</div><div><i>@</div> " FOURTH AT, 0,
         "around: the third of equal ones");
    same("<body>" FOURTH AT, HERE,
         "<body><div><i>@</div><div><i>@</div><div><i>@</div> " FOURTH AT, 0,
         "around: the fourth of equal ones");
    same("<body>" FOURTH AT, HERE,
         "<body><div><i>@<i>@<i>@</i></i></i></div>" FOURTH AT, 1,
         "around: behind three equal ones");
    same("<body>" FOURTH AT, HERE, "<body><div><i>@<i>@<i>@ " FOURTH AT, 0,
         "around: in three equal ones");
    free(tmpl);

#define HEADED "<h2 title='what it is of is not known of it'># %</h2>"

    tmpl = site_learn("<body><nav>" HEADED "</nav>" AT,
                      strlen("<body><nav>" HEADED "</nav>" AT), &len);
    same("<body><nav>" HEADED "@</nav>", HERE, "<body><nav>" HEADED "@</nav>",
         0, "around: a heading");
    free(tmpl);

#define ENDED "<form action='/where/somebody/searches/for/it'></form>"

    tmpl = site_learn("<body><nav>" ENDED "</nav>" AT,
                      strlen("<body><nav>" ENDED "</nav>" AT), &len);
    same("<body><nav>" ENDED "@</nav>", HERE, "<body><nav>" ENDED "@</nav>", 1,
         "around: a form, as it was");
    same("<body><nav>" ENDED "@</nav>", HERE,
         "<body><nav><h2><form>@</h2>" ENDED "@</nav>", 0,
         "around: a form while another one has not ended");
    free(tmpl);

    tmpl = own;
}


/* what is in an element that is not template, or is a larger piece of it */
static void
test_parts(void)
{
    same("<body><div>" PART "@</div><main>@", HERE,
         "<body><div>" PART "~ @</div><main>@", 1, "a part");
    same("<body><div>" PART "@</div><main>@", HERE, "<body>" ALL "<main>@", 1,
         "a part of what is template");
    same("<body><div>" PART "@</div><main>@", HERE,
         "<body><div>" PART PART_NEAR "<p>@</div><main>@", 1,
         "a part of what is longer");
    same("<body><div>" PART_NEAR "@</div>" ALL "<main>@", HERE,
         "<body>" ALL "<main>@", 1, "parts, then all");
    same("<base href=/dir/><body><div>" PART_NEAR "@</div>" ALL "<main>@",
         SITE_HOST, "/dir/q.html", "<base href=/other/><body>" ALL "<main>@",
         0, "parts, with a link of another directory");
}


/* a place that is as deep as one may be */
static void
test_deep(void)
{
    char text[2048];
    unsigned i;
    size_t len;

    len = (size_t) snprintf(text, sizeof(text), "<body>");

    for (i = 0; i < DT_SCAN_DEPTH - 1; i++) {
        len += (size_t) snprintf(text + len, 4, "<b>");
    }

    snprintf(text + len, sizeof(text) - len, "%s<main>@", ABS);
    same("<body>" ABS "<main>@", HERE, text, 0, "too deep");
}


/* links that are something else on another page */
static void
test_links(void)
{
    same("<body>" NEAR "<main>@", HERE, "<body>" NEAR "<main>@", 1,
         "a link, same directory");
    same("<body>" NEAR "<main>@", SITE_HOST, "/other/q.html",
         "<body>" NEAR "<main>@", 0, "a link, another directory");
    same("<body>" OWN "<main>@", SITE_HOST, "/dir/p.html",
         "<body>" OWN "<main>@", 0, "a query, this page");
    same("<body>" OWN "<main>@", HERE, "<body>" OWN "<main>@", 0,
         "a query, another page");
    same("<body>" NEAR "<main>@", HERE, NEAR "<base href=/other/>" NEAR, 1,
         "a base behind what begins the body");
    same("<base href=/dir/><body>" NEAR "<main>@", HERE,
         "<base href=/dir/><body>" NEAR "<main>@", 1, "a base, the same");
    same("<base href=/dir/><body>" NEAR "<main>@", SITE_HOST, "/dir/q.html",
         "<base href=/other/><body>" NEAR "<main>@", 0, "a base, another");
}


/* pages of pieces that are known, in any order, and of what surrounds them */
static void
test_mixed(void)
{
    char text[4096];
    unsigned i, n, differ = 0, pages = 0;
    uint32_t state = 1, known = 0;
    size_t len, chunk;
    result_t with, without;

    static const char *const pieces[] = {
        ABS,         NEAR,       OWN,        ODD,         CELL,
        WORDS,       ABS,        WORDS,      ITEM,        ITEM,
        "<p>",       "</p>",     "<li>",     "</li>",     "<ul>",
        "</ul>",     "<div>",    "</div>",   "<b>",       "</b>",
        "<i>",       "</i>",     "<a>",      "</a>",      "<table>",
        "<tr>",      "<td>",     "</td>",    "</table>",  "@ ",
        "@",         " ",        "<body>",   "<hr>",      "<svg>",
        "</svg>",    "<select>", "<option>", "</select>", "<script>",
        "</script>", "<!--",     "-->",      "<span>",    "</span>",
        "<main>",    "</main>",  "<dl><dt>", TITLE,       TITLE,
        RULE,
    };

    static const char *const paths[] = { "/dir/p.html", "/dir/q.html",
                                         "/dir/q.html", "/o/q.html" };

    (void) dt_memo_init(memory);

    for (i = 0; i < 40000; i++) {
        text[0] = '\0';
        len = 0;

        for (n = site_random(&state) % 12 + 1; n; n--) {
            const char *piece = pieces[site_random(&state)
                                       % (sizeof(pieces) / sizeof(char *))];

            len +=
                (size_t) snprintf(text + len, sizeof(text) - len, "%s", piece);
        }

        chunk = site_random(&state) % 3 ? 0 : site_random(&state) % 200 + 1;
        n = site_random(&state);
        written(n & 4 ? SITE_HOST : "o.example", paths[n & 3], text, 0, 0,
                &without);
        written(n & 4 ? SITE_HOST : "o.example", paths[n & 3], text, chunk, 1,
                &with);

        if (!result_eq(&with, &without) && differ++ == 0) {
            printf("#   %s: %s\n", paths[n & 3], text);
        }

        pages += with.stats.known != 0;
        known += with.stats.known;
        result_free(&with);
        result_free(&without);
    }

    is_int(differ, 0, "mixed: what is known is what would be found");
    ok(pages > 1000, "mixed: much is known");
    printf("#   %u pages, %u bytes\n", pages, known);
}


/* more than there is room for */
static void
test_full(void)
{
    unsigned i, n, differ = 0;
    size_t len;
    char line[400];
    void *own = tmpl;
    buf_t text = { 0 };
    result_t with, without;

    (void) dt_memo_init(memory);

    for (i = 0; i < 12; i++) {
        text.len = 0;
        buf_puts(&text, "<body>");

        for (n = 0; n < 40; n++) {
            snprintf(line, sizeof(line), "<p>line %u of %0250u</p>", n, i);
            buf_puts(&text, line);
        }

        buf_puts(&text, "<main>");

        for (n = 0; n < 3000; n++) {
            buf_puts(&text, "@ ");
        }

        buf_puts(&text, "</main>");
        buf_add(&text, "", 1);
        tmpl = site_learn(text.data, text.len - 1, &len);

        for (n = 0; n < 3; n++) {
            written(SITE_HOST, "/dir/p.html", text.data, 0, 0, &without);
            written(SITE_HOST, "/dir/p.html", text.data, 0, 1, &with);
            differ += !result_eq(&with, &without)
                      || (with.stats.known > 4000) != (n == 2 || (n && !i));
            result_free(&with);
            result_free(&without);
        }

        free(tmpl);
    }

    tmpl = own;
    is_int(differ, 0, "full: begins anew");
    buf_free(&text);
}


/* the words of what goes by its shape are counted, in what is known too */
static void
test_shape(void)
{
    result_t r;

    site_bold = 1;
    same("<body><nav>" ABS "</nav>", HERE,
         "<body><nav>" ABS "<a>@</a></nav>" AT, 1, "in a shape that stays");
    same("<body><nav>" ABS "</nav>", HERE, SHAPE, 1, "in a shape that goes");
    same("<body><nav>" ABS "</nav>", HERE,
         "<body><nav>" ABS ABS ABS ABS "<a>" AT AT "</a></nav>" REST, 1,
         "in a shape that has too many words");
    same("<body><nav>" ABS "</nav>", HERE,
         "<body><nav>" ABS "<a>@ @ @</a></nav>" REST, 1,
         "in a shape of which links are enough");
    site_bold = 0;
    (void) fill("<body><nav>" ABS "</nav>");
    site_bold = 1;
    written(HERE, SHAPE, 0, 1, &r);
    is_int(r.stats.known, 0,
           "in a shape: not known, as no words were counted");
    result_free(&r);
    site_bold = 0;
    same("<body><nav>" ABS "</nav>", HERE, SHAPE, 1, "in one that may not go");
}


/* labels go with all that they label, or stay; also where they are known */
static void
test_labels(void)
{
    size_t len;
    void *own = tmpl;

    tmpl = site_learn("<body>" LABELS "</table>" REST,
                      sizeof("<body>" LABELS "</table>" REST) - 1, &len);
    same("<body>" LABELS OWN_ROW, HERE, "<body>" LABELS OWN_ROW, 0, "labels");
    same("<body>" LABELS OWN_ROW, HERE, "<body><table class=t>" HEADS OWN_ROW,
         0, "a row of labels");
    same("<body>" LABELS OWN_ROW, HERE,
         "<body><table class=t>" EMPTY ROW OWN_ROW, 0,
         "a row behind a label without a value");
    same("<body>" LABELS OWN_ROW, HERE,
         "<body><table class=t>" ROW ROW EMPTY OWN_ROW, 1, "rows");
    free(tmpl);
    tmpl = own;
}


/* what decides what is cut, beside the bytes, must be what it was */
static void
test_decides(void)
{
    unsigned bold;
    result_t r;

    for (bold = 0; bold < 2; bold++) {
        site_bold = bold;
        is_int(fill("<body>" CELL "<p>@</p>") != 0, 1, "decides: known");

        site_bold = !bold;
        written(HERE, "<body>" CELL "<p>@</p>", 0, 1, &r);
        is_int(r.stats.known, 0, "decides: bold or not");
        result_free(&r);
    }

    site_bold = 0;
    (void) fill("<body>" CELL "<p>@</p>");
    written(HERE, "<!doctype html><body>" CELL "<p>@</p>", 0, 1, &r);
    is_int(r.stats.known, 0, "decides: the doctype");
    result_free(&r);
}


/* n paragraphs, then a list of 200, in one element */
static void
crowd(char *text, size_t size, unsigned n, const char *more)
{
    unsigned i;
    size_t len = (size_t) snprintf(text, size, "<body><div>");

    for (i = 0; i < n; i++) {
        len += (size_t) snprintf(text + len, size - len, "<p>#</p>");
    }

    len += (size_t) snprintf(text + len, size - len,
                             "<ul class='a list that many pages have'>");

    for (i = 0; i < 200; i++) {
        len += (size_t) snprintf(text + len, size - len, "<li>%%</li>");
    }

    (void) snprintf(text + len, size - len, "</ul>%s</div><main>%s</main>",
                    more, AT AT AT AT);
}


/* what is found in one element counts for that around it, also when it was
   stepped over: of more than 512 none is cut as a whole */
static void
test_crowd(void)
{
    size_t len;
    unsigned i;
    char name[64];
    static char first[16384], second[16384];
    static const struct {
        unsigned n;
        int known;
    } rows[] = { { 100, 1 }, { 110, 1 }, { 111, 0 }, { 400, 0 } };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        crowd(second, sizeof(second), rows[i].n, "");
        free(tmpl);
        tmpl = site_learn(second, strlen(second), &len);
        crowd(first, sizeof(first), 0, "@");
        snprintf(name, sizeof(name), "a list behind %u", rows[i].n);
        same(first, HERE, second, rows[i].known, name);
    }
}


int
main(void)
{
    size_t len;

    memory = malloc(dt_memo_size());
    tmpl = site_learn(TEXT, sizeof(TEXT) - 1, &len);

    test_known();
    test_gone();
    test_pieces();
    test_alike();
    test_stops();
    test_cleared();
    test_places();
    test_around();
    test_deep();
    test_parts();

    free(tmpl);
    tmpl = site_learn(LINKS, sizeof(LINKS) - 1, &len);
    test_links();

    free(tmpl);
    tmpl = site_learn(LINES, sizeof(LINES) - 1, &len);
    test_lines();

    free(tmpl);
    tmpl = site_learn(MIXED, sizeof(MIXED) - 1, &len);
    test_mixed();
    test_full();

    free(tmpl);
    tmpl = site_learn(SHAPE, sizeof(SHAPE) - 1, &len);
    test_shape();
    test_labels();
    test_decides();
    test_crowd();

    free(memory);
    free(tmpl);

    return done();
}
