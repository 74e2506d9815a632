
/*
 * Copyright (C) The detemplate authors
 *
 * Learning from sites that are made up as they are asked for: good ones, ones
 * that are no sites, and ones that mislead.
 */


#include "core/learn/learn.h"
#include "site.h"
#include "test.h"


#define URL "http://" SITE_HOST

/* text of a page: its own words, and enough of them */
#define OWN                                                                   \
    "<main><h1>@</h1><p>@ is what this page is about</p><p>and it says @ in " \
    "some more @ words than the @ menu has</p></main>"


typedef struct {
    /* the page at path, or NULL for 404; b is empty */
    const char *(*page)(const char *path, buf_t *b);
    const char *menu;
    unsigned links; /* in menus */
    unsigned asked;
    unsigned denied;
    long closed;   /* the status instead of 404 */
    unsigned shut; /* pages p0, p1 ... that are closed as well */
    unsigned retry_after;
    size_t fill;
    char last[256];
} site_t;


static site_t site;


static unsigned
number(const char *path)
{
    return (unsigned) (dt_hash(path, strlen(path), 1) % 1000000);
}


static void
add_links(buf_t *b, const char *dir)
{
    unsigned i;
    char link[128];

    buf_puts(b, "<nav><ul>");

    for (i = 0; i < site.links; i++) {
        snprintf(link, sizeof(link),
                 "<li><a href='%sp%u.html'>entry number %u</a></li>", dir, i,
                 i);
        buf_puts(b, link);
    }

    buf_puts(b, "</ul></nav>");
}


/* every page has the menu, with links to all */
static const char *
page_good(const char *path, buf_t *b)
{
    add_links(b, "/");
    buf_puts(b, OWN);
    buf_puts(b, site.menu);
    (void) path;

    return "ok";
}


static const char *
page_queries(const char *path, buf_t *b)
{
    add_links(b, "/?x=");
    buf_puts(b, OWN);
    (void) path;

    return "ok";
}


static const char *
page_no_links(const char *path, buf_t *b)
{
    (void) path;
    buf_puts(b, "<nav>#</nav>" OWN);

    return "ok";
}


static const char *
page_self(const char *path, buf_t *b)
{
    buf_puts(b, "<nav>#</nav><a href='");
    buf_puts(b, path);
    buf_puts(b, "'>x</a><a href='" URL);
    buf_puts(b, path);
    buf_puts(b, "'>x</a><a href='./'>x</a><a href='?'>x</a>" OWN);

    return "ok";
}


static const char *
page_dead(const char *path, buf_t *b)
{
    return strcmp(path, "/") == 0 ? page_good(path, b) : NULL;
}


/* the first that are asked for are gone */
static const char *
page_late(const char *path, buf_t *b)
{
    return site.asked > 1 && site.asked <= 24 ? NULL : page_good(path, b);
}


/* all are gone but the key page and so many others */
static const char *
page_few(const char *path, buf_t *b)
{
    return site.asked > 1 + site.fill ? NULL : page_good(path, b);
}


static const char *
page_gone(const char *path, buf_t *b)
{
    (void) path;
    (void) b;

    return NULL;
}


static const char *
page_closed(const char *path, buf_t *b)
{
    site.closed = 403;

    return page_gone(path, b);
}


static const char *
page_user(const char *path, buf_t *b)
{
    site.closed = 401;

    return page_gone(path, b);
}


/* whatever is asked for, the same bytes */
static const char *
page_same(const char *path, buf_t *b)
{
    (void) path;
    add_links(b, "/");
    buf_puts(b, "<main><h1>One</h1><p>page for every URL there is</p></main>");

    return "ok";
}


/* a log-in page for every link, with a token of its own */
static const char *
page_login(const char *path, buf_t *b)
{
    if (strcmp(path, "/") == 0) {
        return page_good(path, b);
    }

    buf_puts(b, "<h1>Please log in</h1><form><input name=user><input "
                "type=hidden value=@><p>You have to be known here to read "
                "this page, please give your name</p></form>");

    return "ok";
}


/* the key page links to all, and they to none */
static const char *
page_star(const char *path, buf_t *b)
{
    if (strcmp(path, "/") == 0) {
        add_links(b, "/");
    }

    buf_puts(b, OWN);
    buf_puts(b, site.menu);

    return "ok";
}


/* two sections with a menu each */
static const char *
page_sections(const char *path, buf_t *b)
{
    int a = strncmp(path, "/a/", 3) == 0;

    add_links(b, a ? "/a/" : "/b/");
    buf_puts(b, a ? "<header>#</header>" : "<header>%</header>");
    buf_puts(b, OWN);

    return "ok";
}


static const char *
page_query(const char *path, buf_t *b)
{
    unsigned i;
    char link[64];

    (void) path;
    buf_puts(b, "<nav>");

    for (i = 0; i < site.links; i++) {
        snprintf(link, sizeof(link), "<a href='/?page=%u'>entry %u</a> ", i,
                 i);
        buf_puts(b, link);
    }

    buf_puts(b, "</nav>" OWN "<footer>#</footer>");

    return "ok";
}


static const char *
page_large(const char *path, buf_t *b)
{
    page_good(path, b);
    buf_fill(b, "<p>a <b>b</b> c", site.fill);

    return "ok";
}


/* the first page loaded has more to show than is kept of all pages */
static const char *
page_crowded(const char *path, buf_t *b)
{
    char text[32];

    add_links(b, "/");

    for (size_t i = 0; strcmp(path, "/p0.html") == 0 && i < site.fill; i++) {
        snprintf(text, sizeof(text), "<p>%zu</p>", i);
        buf_puts(b, text);
    }

    buf_puts(b, OWN "<footer>Kept by the few who look after it</footer>");

    return "ok";
}


/* pages of which the first are not there */
static const char *
page_shut(const char *path, buf_t *b)
{
    unsigned n;

    return sscanf(path, "/p%u.html", &n) == 1 && n < site.shut
               ? NULL
               : page_good(path, b);
}


static const char *
page_deep(const char *path, buf_t *b)
{
    page_good(path, b);

    if (strcmp(path, "/") != 0) {
        buf_fill(b, "<div>", 100000);
    }

    return "ok";
}


static const char *
page_empty(const char *path, buf_t *b)
{
    return strcmp(path, "/") == 0 ? page_good(path, b) : "ok";
}


static void
fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    buf_t text = { 0 }, page = { 0 };
    const char *path = url + sizeof(URL) - 1;

    (void) data;
    site.asked++;
    snprintf(site.last, sizeof(site.last), "%s", url);

    memset(out, 0, sizeof(dt_fetched_t));
    out->rc = DT_DECLINED;
    out->reason = "status";

    if (strncmp(url, URL, sizeof(URL) - 1) != 0
        || site.page(path, &text) == NULL) {
        out->status = site.closed ? site.closed : 404;
        out->retry_after = site.retry_after;
    } else {
        site_page(&page, text.data ? text.data : "", text.len, number(path));
        out->rc = DT_OK;
        out->status = 200;
        out->reason = "ok";
        out->body = dt_arena_strdup(a, (dt_str_t){ page.len, page.data });
        out->url = dt_arena_strdup(a, dt_cstr(url));

        if (out->body.data == NULL) {
            out->rc = DT_ENOMEM;
            out->reason = "memory";
        }
    }

    buf_free(&text);
    buf_free(&page);
}


static void
opts(dt_learn_opts_t *o, const char *(*page)(const char *, buf_t *) )
{
    memset(&site, 0, sizeof(site));
    site.page = page;
    site.menu = "<footer>#</footer>";
    site.links = 20;

    dt_learn_opts_init(o);
    o->url = URL "/";
    o->fetch = fetch;
    o->now = 1000000;
    o->seed = SITE_SEED;
}


/* the page at path as it is left */
static void
left_is(const dt_learned_t *l, const char *path, const char *want,
        const char *name)
{
    char of[64];
    buf_t text = { 0 }, page = { 0 }, left = { 0 };
    result_t r;

    site.page(path, &text);
    site_page(&page, text.data, text.len, 999);
    site_page(&left, want, strlen(want), 999);
    buf_add(&left, "", 1);

    snprintf(of, sizeof(of), "%.*s", (int) strcspn(path, "?"), path);

    if (ok(l->bytes != NULL, name)) {
        site_rewrite_at(l->bytes, DT_STRIP, of, &page, 0, NULL, &r);
        is_str(r.out.data, r.out.len, left.data, name);
        result_free(&r);
    }

    buf_free(&text);
    buf_free(&page);
    buf_free(&left);
}


static void
test_good(void)
{
    size_t i;
    unsigned in_cs = 0;
    dt_learned_t l;
    dt_learn_opts_t o;
    dt_template_info_t info;

    opts(&o, page_good);
    is_int(dt_learn(&o, &l), DT_OK, "good: learned");
    is_str(l.reason, strlen(l.reason), "ok", "good: reason");
    is_int(l.candidates, 3, "good: three candidates");
    is_int(l.loads, 21, "good: loads all pages that there are");
    is_int(l.fresh, 100, "good: all of it is new");
    is_int(l.tries, l.loads, "good: nothing asked for in vain");
    is_int(site.asked, l.tries, "good: as often as it says");
    is_int((long long) l.npages, l.tries, "good: told of each");
    is_str(l.pages[0].result, strlen(l.pages[0].result), "key",
           "good: the key page first");

    for (i = 0; i < l.npages; i++) {
        in_cs += l.pages[i].in_cs;
    }

    is_int(in_cs, 3, "good: candidates are marked");
    is_int(l.static_words, 60 + 5, "good: words of the template");
    is_int(l.words, 60 + 5 + 1 + 7 + 14, "good: words of the page");
    ok(l.coverage > 0.7 && l.coverage < 0.8, "good: coverage");
    left_is(&l, "/never/seen.html", OWN, "good: an unseen page");
    dt_template_info(l.bytes, &info);
    is_int(info.version, 1, "good: version");
    is_int(info.loads, l.loads, "good: loads in the template");
    is_int(info.learned_at, 1000000, "good: time in the template");
    ok(info.seed == SITE_SEED, "good: seed in the template");
    dt_learned_free(&l);
    ok(l.bytes == NULL && l.pages == NULL, "good: freed");
}


static void
declined(const char *(*page)(const char *, buf_t *), const char *reason,
         const char *name)
{
    dt_learned_t l;
    dt_learn_opts_t o;
    dt_template_info_t info = { 0 };

    opts(&o, page);
    is_int(dt_learn(&o, &l), DT_DECLINED, name);
    is_str(l.reason, strlen(l.reason), reason, name);
    ok(site.asked <= site.links + 1, name);

    if (l.bytes != NULL) {
        is_int(dt_template_check(l.bytes, l.len, NULL), DT_OK, name);
        dt_template_info(l.bytes, &info);
    }

    ok(info.patterns == 0 && l.patterns == 0, name);
    is_int(info.pages, l.loads != 0, name);
    dt_learned_free(&l);
}


/* a server that asks for fewer requests for three pages gets none more */
static void
test_busy(void)
{
    const struct {
        const char *name;
        long status;
        unsigned fill; /* pages besides the key page that are there */
        unsigned most; /* pages asked for; a few are asked for at once */
        dt_status_t rc;
        const char *reason;
    } cases[] = {
        { "503, enough pages", 503, 4, 1 + 4 + 3 + 3, DT_OK, "ok" },
        { "429, enough pages", 429, 4, 1 + 4 + 3 + 3, DT_OK, "ok" },
        { "429 at once", 429, 0, 1 + 3 + 3, DT_DECLINED, "no-candidates" },
        { "404, others are asked for", 404, 4, 21, DT_OK, "ok" },
    };
    size_t i;
    dt_learned_t l;
    dt_learn_opts_t o;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        opts(&o, page_few);
        site.fill = cases[i].fill;
        site.closed = cases[i].status;
        site.retry_after = 90;

        is_int(dt_learn(&o, &l), cases[i].rc, cases[i].name);
        is_str(l.reason, strlen(l.reason), cases[i].reason, cases[i].name);
        ok(site.asked >= 1 + cases[i].fill + 3 && site.asked <= cases[i].most,
           cases[i].name);
        is_int(l.retry_after, cases[i].status == 404 ? 0 : 90, cases[i].name);
        dt_learned_free(&l);
    }
}


/* how many pages that the server is too busy for make the site rest */
static void
test_shut(void)
{
    const struct {
        const char *name;
        const char *url;
        unsigned shut;
        dt_status_t rc;
        unsigned retry_after;
    } cases[] = {
        { "no page is shut", URL "/", 0, DT_OK, 0 },
        { "two pages are shut", URL "/", 2, DT_OK, 0 },
        { "many pages are shut", URL "/", 12, DT_DECLINED, 3600 },
        { "the key page is shut", URL "/p0.html", 1, DT_DECLINED, 3600 },
    };
    size_t i;
    dt_learned_t l;
    dt_learn_opts_t o;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        opts(&o, page_shut);
        o.url = cases[i].url;
        site.shut = cases[i].shut;
        site.closed = 503;
        site.retry_after = 3600;

        is_int(dt_learn(&o, &l), cases[i].rc, cases[i].name);
        is_int(l.retry_after, cases[i].retry_after, cases[i].name);
        dt_learned_free(&l);
    }
}


static void
test_declined(void)
{
    declined(page_no_links, "no-links", "no links");
    declined(page_self, "no-links", "links to itself only");
    declined(page_dead, "no-candidates", "404 for every link");
    declined(page_gone, "key-page", "404 for the key page");
    declined(page_closed, "denied", "403 for the key page");
    declined(page_user, "denied", "401 for the key page");
    declined(page_same, "no-candidates", "one page under every URL");
    declined(page_deep, "no-candidates", "pages too deep to be parsed");
}


/* only the pages that are asked for are there; none of their links is */
static const char *
page_alone(const char *path, buf_t *b)
{
    return site.asked == 1 ? page_good(path, b) : NULL;
}


/* what learnings leave that are declined is enough, when there are three */
static void
test_evidence(void)
{
    unsigned i;
    char url[64], name[64];
    dt_learned_t l, last = { 0 };
    dt_learn_opts_t o;

    for (i = 1; i <= 3; i++) {
        opts(&o, page_alone);
        site.links = 22;
        snprintf(url, sizeof(url), URL "/p%u.html", i);
        snprintf(name, sizeof(name), "evidence: of %u pages alone", i);
        o.url = url;
        o.prev = last.bytes;
        o.prev_len = last.len;
        is_int(dt_learn(&o, &l), i < 3 ? DT_DECLINED : DT_OK, name);
        is_int(l.tries, 23, name);
        ok(l.bytes != NULL && (l.patterns != 0) == (i == 3), name);
        dt_learned_free(&last);
        last = l;
    }

    dt_learned_free(&last);

    /* with pages that can be had it goes on as if it were the first time */

    opts(&o, page_alone);
    (void) dt_learn(&o, &last);
    opts(&o, page_good);
    o.url = URL "/p2.html";
    o.prev = last.bytes;
    o.prev_len = last.len;
    is_int(dt_learn(&o, &l), DT_OK, "evidence: with other pages");
    is_int(l.loads, 20, "evidence: of as many as a first time");
    dt_learned_free(&l);
    dt_learned_free(&last);
}


/* eight times the loads */
static void
test_tries(void)
{
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_late);
    site.links = 30;
    is_int(dt_learn(&o, &l), DT_OK, "tries: the first 23 links are gone");
    dt_learned_free(&l);

    opts(&o, page_few);
    site.links = 80;
    site.fill = 3;
    o.loads = 9;
    (void) dt_learn(&o, &l);
    ok(l.tries >= 72 && l.tries < 72 + DT_FETCH_ONCE, "tries: of few pages");
    dt_learned_free(&l);
}


static void
test_misleading(void)
{
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_login);
    (void) dt_learn(&o, &l);
    is_int(l.patterns, 0, "log-in pages: nothing learned");
    dt_learned_free(&l);

    opts(&o, page_empty);
    (void) dt_learn(&o, &l);
    is_int(l.patterns, 0, "empty pages: nothing learned");
    dt_learned_free(&l);

    opts(&o, page_star);
    is_int(dt_learn(&o, &l), DT_OK, "no subdigraph: learned");
    is_int(l.candidates, 1, "no subdigraph: the largest there is");
    is_int(l.tries, 21, "no subdigraph: each page once");
    left_is(&l, "/x.html", OWN, "no subdigraph: what all have is gone");
    dt_learned_free(&l);
}


static void
test_query(void)
{
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_query);
    o.url = URL "/?page=0";
    is_int(dt_learn(&o, &l), DT_OK, "query: learned");
    left_is(&l, "/?page=999", OWN, "query: pages told apart by it");
    dt_learned_free(&l);
}


/*
 * The key page and its print views, which the menu links to first; of the
 * others the first two quote a paragraph of it.
 */
static const char *
page_quoted(const char *path, buf_t *b)
{
    unsigned i;
    char link[64];

    static const char quote[] = "<p>what two other articles quote of this one "
                                "is not template</p>";

    buf_puts(b, "<div>");

    for (i = 0; i < 12; i++) {
        snprintf(link, sizeof(link), "<a href='/%c%u.html'>entry %u</a> ",
                 i < 3 ? 'c' : 'p', i, i);
        buf_puts(b, link);
    }

    buf_puts(b, "</div><main>");

    if (strcmp(path, "/") == 0 || path[1] == 'c') {
        buf_puts(b, quote);
        buf_puts(b, "<p>one two three four five six seven eight nine ten, "
                    "and so forth, in many words that nobody quotes</p>"
                    "<i>@</i>");

    } else {
        buf_puts(b, OWN OWN OWN OWN);

        if (strcmp(path, "/p3.html") == 0 || strcmp(path, "/p4.html") == 0) {
            buf_puts(b, quote);
        }
    }

    buf_puts(b, path[1] ? "</main>" : "</main><form><input name=a></form>");

    return "ok";
}


static void
test_copies(void)
{
    buf_t b = { 0 };
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_quoted);
    is_int(dt_learn(&o, &l), DT_OK, "copies: learned");
    is_int(l.candidates, 3, "copies: candidates");

    page_quoted("/p3.html", &b);
    buf_add(&b, "", 1);
    left_is(&l, "/p3.html", strstr(b.data, "<main>"),
            "copies: what articles quote stays");

    buf_free(&b);
    dt_learned_free(&l);
}


static void
test_caps(void)
{
    unsigned loads, words;
    dt_learned_t l;
    dt_learn_opts_t o;

    for (loads = 1; loads <= 9; loads += 2) {
        opts(&o, page_good);
        o.loads = loads;
        site.links = 1000;
        (void) dt_learn(&o, &l);
        ok(site.asked <= loads && l.loads <= loads, "caps: loads");
        dt_learned_free(&l);
    }

    opts(&o, page_dead);
    site.links = 5000;
    (void) dt_learn(&o, &l);
    ok(site.asked <= 1 + 24 + 100, "caps: a hundred links of a page count");
    dt_learned_free(&l);

    opts(&o, page_good);
    o.candidates = 64;
    o.votes = 64;
    o.loads = 1000;
    o.rules.remain = 0;
    site.links = 100;
    is_int(dt_learn(&o, &l), DT_OK, "caps: many candidates");
    is_int(l.loads, 64, "caps: 63 pages and the key page");
    dt_learned_free(&l);

    /* pages that are each under the bounds, and too many of them */

    opts(&o, page_large);
    site.fill = 60000;
    (void) dt_learn(&o, &l);
    ok(l.bytes == NULL || dt_template_check(l.bytes, l.len, NULL) == DT_OK,
       "caps: large pages");
    dt_learned_free(&l);

    opts(&o, page_crowded);
    is_int(dt_learn(&o, &l), DT_OK, "caps: pages with a footer");
    words = l.static_words;
    dt_learned_free(&l);

    opts(&o, page_crowded);
    site.fill = 70000;
    is_int(dt_learn(&o, &l), DT_OK, "caps: one page fills the evidence");
    is_int(l.static_words, words, "caps: the others show the same");
    dt_learned_free(&l);
}


/* all but the key page and the last eight: 4 MiB of open elements */
static const char *
page_bottomless(const char *path, buf_t *b)
{
    static const char deep[] = "<div><div><div><div><div><div><div><div>";

    if (path[1] == '\0' || strtoul(path + 2, NULL, 10) + 8 >= site.links) {
        return page_good(path, b);
    }

    while (b->len < ((size_t) 4 << 20) - 4096) {
        buf_add(b, deep, sizeof(deep) - 1);
    }

    return b->data;
}


/* Pages that exceed a limit take no memory from the others.  What they take of
   the processor's time depends on the machine. */
static void
test_beyond(void)
{
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_bottomless);
    o.loads = 100;
    o.cpu = 1000;
    o.rules.remain = 0;
    site.links = 88;
    is_int(dt_learn(&o, &l), DT_OK, "beyond: learned");
    is_int(l.beyond, 80, "beyond: pages that were not read");
    is_int(l.loads, 9, "beyond: pages that were");
    dt_learned_free(&l);

    opts(&o, page_good);
    o.cpu = 0;
    is_int(dt_learn(&o, &l), DT_DECLINED, "beyond: no processor time is left");
    is_int(l.tries, 1, "beyond: so no page is loaded");
    dt_learned_free(&l);

    opts(&o, page_bottomless);
    o.url = URL "/p1.html";
    site.links = 20;
    is_int(dt_learn(&o, &l), DT_DECLINED, "beyond: the key page");
    is_str(l.reason, strlen(l.reason), "key-page", "beyond: its reason");
    is_str(l.errstr, strlen(l.errstr), "page exceeds a limit",
           "beyond: its message");
    dt_learned_free(&l);
}


/* seven of eight pages redirect to another one */
static const char *
page_redirects(const char *path, buf_t *b)
{
    if (path[1] != '\0' && strtoul(path + 2, NULL, 10) % 8) {
        buf_puts(b, "<meta http-equiv=refresh content='0; url=/'><p>Gone");
        return "ok";
    }

    return page_good(path, b);
}


/* all redirect elsewhere, and are whole pages as well */
static const char *
page_moved(const char *path, buf_t *b)
{
    buf_puts(b, "<meta http-equiv=refresh content='0; url=//b.test/'>");

    return page_good(path, b);
}


/* redirects, and says site.fill words */
static const char *
page_short(const char *path, buf_t *b)
{
    unsigned i;

    buf_puts(b, "<meta http-equiv=refresh content='0; url=/'><p>");
    (void) path;

    for (i = 0; i < site.fill; i++) {
        buf_puts(b, "word ");
    }

    return "ok";
}


static void
test_redirects(void)
{
    size_t i;
    unsigned loaded = 0, leave = 0;
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_redirects);
    o.loads = 9;
    o.rules.remain = 0;
    site.links = 88;
    is_int(dt_learn(&o, &l), DT_OK, "redirects: learned");

    for (i = 0; i < l.npages; i++) {
        loaded += strcmp(l.pages[i].result, "redirect") != 0;
        leave += strcmp(l.pages[i].result, "redirect") == 0;
    }

    is_int(loaded, 9, "redirects: the pages that are loaded");
    ok(leave > 0, "redirects: others were");
    dt_learned_free(&l);

    opts(&o, page_redirects);
    o.url = URL "/p1.html";
    is_int(dt_learn(&o, &l), DT_DECLINED, "redirects: the key page");
    is_str(l.reason, strlen(l.reason), "key-page", "redirects: its reason");
    dt_learned_free(&l);

    opts(&o, page_short);
    site.fill = 49;
    is_int(dt_learn(&o, &l), DT_DECLINED, "redirects: 49 words");
    is_str(l.reason, strlen(l.reason), "key-page",
           "redirects: say too little");
    dt_learned_free(&l);

    opts(&o, page_short);
    site.fill = 50;
    is_int(dt_learn(&o, &l), DT_DECLINED, "redirects: 50 words");
    is_str(l.reason, strlen(l.reason), "no-links", "redirects: are a page");
    dt_learned_free(&l);

    opts(&o, page_moved);
    is_int(dt_learn(&o, &l), DT_OK, "redirects: pages that say something");
    dt_learned_free(&l);
}


static int
allowed(void *data, const char *target)
{
    (void) data;

    if (strstr(target, "p1") != NULL) {
        site.denied++;
        return 0;
    }

    return 1;
}


static void
told(void *data, const char *url, const char *what)
{
    unsigned *n = data;

    (void) url;
    *n += strcmp(what, "robots") == 0;
}


static void
test_robots(void)
{
    size_t i;
    unsigned n = 0, asked = 0;
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_good);
    o.allowed = allowed;
    o.progress = told;
    o.progress_data = &n;
    is_int(dt_learn(&o, &l), DT_OK, "robots: learned");
    ok(site.denied > 0, "robots: asked about each page");
    is_int(n, site.denied, "robots: told of each");

    for (i = 0; i < l.npages; i++) {
        asked += strstr(l.pages[i].url, "/p1") != NULL
                 && strcmp(l.pages[i].result, "robots") != 0;
    }

    is_int(asked, 0, "robots: none of them is loaded");
    dt_learned_free(&l);

    opts(&o, page_queries);
    o.allowed = allowed;
    (void) dt_learn(&o, &l);
    ok(site.denied > 0, "robots: asked about queries");
    dt_learned_free(&l);

    opts(&o, page_good);
    o.allowed = allowed;
    o.url = URL "/p1.html";
    is_int(dt_learn(&o, &l), DT_DECLINED, "robots: key page");
    ok(strcmp(l.reason, "key-page") == 0, "robots: key page, reason");
    is_int(site.asked, 0, "robots: key page is not loaded");
    dt_learned_free(&l);
}


/* learns once more, with what there is */
static void
again(dt_learn_opts_t *o, dt_learned_t *l, int64_t later)
{
    dt_learned_t next;

    o->now += later;
    o->prev = l->bytes;
    o->prev_len = l->len;
    o->seed = 0;
    is_int(dt_learn(o, &next), DT_OK, "learned again");
    dt_learned_free(l);
    *l = next;
}


static void
test_merged(void)
{
    dt_learned_t l;
    dt_learn_opts_t o;
    dt_template_info_t info;

    opts(&o, page_sections);
    o.url = URL "/a/";
    is_int(dt_learn(&o, &l), DT_OK, "merged: one section");
    left_is(&l, "/a/x.html", OWN, "merged: the first section");

    o.url = URL "/b/";
    again(&o, &l, 3600);
    left_is(&l, "/a/x.html", OWN, "merged: the first section is kept");
    left_is(&l, "/b/x.html", OWN, "merged: and the second is learned");
    dt_template_info(l.bytes, &info);
    is_int(info.version, 2, "merged: version");
    is_int(info.created_at, 1000000, "merged: created at");
    is_int(info.learned_at, 1003600, "merged: learned at");
    ok(info.seed == SITE_SEED, "merged: the seed stays");

    again(&o, &l, 3600);
    is_int(l.fresh, 0, "merged: then nothing is new");
    dt_learned_free(&l);
}


/* each page has one link of the menu, and is reached only from others */
static const char *
page_chain(const char *path, buf_t *b)
{
    unsigned i, n = (unsigned) strtoul(path[1] ? path + 2 : "0", NULL, 10);
    char link[64];

    if (n > site.links) {
        return NULL;
    }

    buf_puts(b, "<nav>entries <a href='/'>of the menu</a></nav>");

    /* a page of an author, who links to his own */

    for (i = 0; n == 7 && i < 1500; i++) {
        snprintf(link, sizeof(link), "<a href='/m%u'>x</a>", i);
        buf_puts(b, link);
    }

    for (i = n * 3 + 1; i <= n * 3 + 3 && i <= site.links; i++) {
        snprintf(link, sizeof(link), "<a href='/p%u'>entry %u</a>", i, i);
        buf_puts(b, link);
    }

    buf_puts(b, OWN);

    return "ok";
}


/* returns how many pages of a result begin with a path */
static unsigned
pages_of(const dt_learned_t *l, const char *path)
{
    size_t i;
    unsigned n = 0;

    for (i = 0; i < l->npages; i++) {
        n += strncmp(l->pages[i].url + sizeof(URL) - 1, path, strlen(path))
             == 0;
    }

    return n;
}


static void
test_sample(void)
{
    unsigned i, own = 0, times[100] = { 0 };
    size_t k, n;
    char names[64][64];
    const char *urls[64];
    dt_learned_t l;
    dt_learn_opts_t o;

    /* pages that only loaded pages link to; each page has a chance */

    for (i = 0; i < 100; i++) {
        opts(&o, page_chain);
        o.seed = 1000 + i;
        site.links = 80;
        (void) dt_learn(&o, &l);
        is_int(l.loads, o.loads, "sample: as many pages as asked for");

        for (k = 0; k < l.npages; k++) {
            n = strtoul(l.pages[k].url + sizeof(URL) + 1, NULL, 10);
            times[n < 100 ? n : 0]++;
        }

        dt_learned_free(&l);
    }

    for (i = 1; i <= 80; i++) {
        own += times[i] >= 5;
    }

    ok(own >= 75, "sample: pages that are linked from anywhere");

    /* of one page a hundred links count, and they do not come first */

    opts(&o, page_chain);
    site.links = 500;
    o.loads = 60;
    o.url = URL "/p7";
    (void) dt_learn(&o, &l);
    ok(pages_of(&l, "/m") >= 10, "sample: an author's links count");
    dt_learned_free(&l);

    /* pages that visitors asked for: a third; they come in their order */

    for (i = 0; i < 64; i++) {
        snprintf(names[i], sizeof(names[i]), URL "/v%u", i);
        urls[i] = names[i];
    }

    opts(&o, page_good);
    site.links = 60;
    o.rules.remain = 0;
    o.visited = urls;
    o.nvisited = 64;
    is_int(dt_learn(&o, &l), DT_OK, "visited: learned");
    is_int(l.loads, 30, "visited: loads");
    is_int(pages_of(&l, "/v"), 10, "visited: a third of the pages");
    is_int(pages_of(&l, "/v10"), 0, "visited: the first of them");
    dt_learned_free(&l);

    urls[0] = "http://other.example/v0";
    urls[1] = URL "/v1.png";
    urls[2] = "no URL";
    opts(&o, page_good);
    o.visited = urls;
    o.nvisited = 4;
    (void) dt_learn(&o, &l);
    is_int(pages_of(&l, "/v"), 1, "visited: only pages of the site");
    dt_learned_free(&l);

    /* pages that nothing links to, and that the site names */

    for (i = 0; i < 64; i++) {
        snprintf(names[i], sizeof(names[i]), "%s/v%u", i % 2 ? URL : "", i);
        urls[i] = names[i];
    }

    opts(&o, page_no_links);
    o.named = urls;
    o.nnamed = 64;
    is_int(dt_learn(&o, &l), DT_OK, "named: learned");
    is_int(pages_of(&l, "/v"), 29, "named: all pages are of them");
    dt_learned_free(&l);
}


#define NOTE "<div>note of an author who says it on each of his pages</div>"

/* four pages in ten are an author's, and show his note */
static const char *
page_author(const char *path, buf_t *b)
{
    unsigned n = (unsigned) strtoul(path[1] ? path + 2 : "0", NULL, 10);

    add_links(b, "/");
    buf_puts(b, OWN);
    buf_puts(b, n % 5 == 1 || n % 5 == 3 ? NOTE : "");

    return "ok";
}


/* what part of the sample an author has says what part of the site he has,
   when most pages of the site are in the sample */
static void
test_sample_part(void)
{
    unsigned i;
    dt_learned_t l;
    dt_learn_opts_t o;

    static const struct {
        const char *name;
        unsigned links;
        const char *left;
    } cases[] = {
        { "part: all of a site of 26 pages", 25, OWN },
        { "part: half of a site of 60 pages", 59, OWN },
        { "part: less than half of 61", 60, OWN NOTE },
    };

    for (i = 0; i < 3; i++) {
        opts(&o, page_author);
        o.rules.remain = 0;
        site.links = cases[i].links;
        (void) dt_learn(&o, &l);
        left_is(&l, "/p3.html", cases[i].left, cases[i].name);
        dt_learned_free(&l);
    }
}


/* of a site that was learned, half of the pages are new */
static void
test_sample_again(void)
{
    size_t k, n;
    unsigned had = 0;
    dt_learned_t l, next;
    dt_learn_opts_t o;

    opts(&o, page_good);
    site.links = 200;
    o.rules.remain = 0;
    is_int(dt_learn(&o, &l), DT_OK, "again: first");
    is_int(l.fresh, 100, "again: all of it is new");
    o.prev = l.bytes;
    o.prev_len = l.len;
    o.now += 10;
    is_int(dt_learn(&o, &next), DT_OK, "again: second");
    is_int(next.loads, 30, "again: as many pages");

    for (k = 0; k < next.npages; k++) {
        for (n = 0; n < l.npages; n++) {
            had += strcmp(next.pages[k].url, l.pages[n].url) == 0;
        }
    }

    ok(had >= 1 && had <= 15, "again: at least half of them are new");
    dt_learned_free(&next);

    /* a site of few pages is loaded again */

    site.links = 12;
    o.now += 10;
    is_int(dt_learn(&o, &next), DT_OK, "again: of few pages");
    is_int(next.loads, 13, "again: all of them");
    dt_learned_free(&next);
    dt_learned_free(&l);
}


static void
test_redesign(void)
{
    int i;
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_good);
    site.links = 6;
    is_int(dt_learn(&o, &l), DT_OK, "redesign: before");
    left_is(&l, "/x.html", OWN, "redesign: before");

    site.menu = "<aside>%</aside>";

    for (i = 0; i < 4; i++) {
        again(&o, &l, 2 * 86400);
    }

    left_is(&l, "/x.html", OWN, "redesign: the new is gone");

    site.menu = "<aside>%</aside><footer>#</footer>";
    left_is(&l, "/x.html", OWN "<footer>#</footer>",
            "redesign: the old is no template any more");
    dt_learned_free(&l);
}


/* a fetch without memory, and URLs that are none */
static void
fetch_nothing(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    (void) data;
    (void) url;
    (void) a;
    out->rc = DT_ENOMEM;
    out->reason = "memory";
}


static void
test_errors(void)
{
    dt_learned_t l;
    dt_learn_opts_t o;

    opts(&o, page_good);
    o.fetch = fetch_nothing;
    is_int(dt_learn(&o, &l), DT_DECLINED, "errors: nothing to be had");
    is_str(l.reason, strlen(l.reason), "key-page", "errors: reason");
    dt_learned_free(&l);

    opts(&o, page_good);
    o.url = "nonsense";
    is_int(dt_learn(&o, &l), DT_EINVAL, "errors: no URL");
    is_int(site.asked, 0, "errors: nothing asked for");
    dt_learned_free(&l);

    opts(&o, page_good);
    o.url = "ftp://" SITE_HOST "/";
    ok(dt_learn(&o, &l) != DT_OK, "errors: no HTTP");
    dt_learned_free(&l);

    opts(&o, page_good);
    o.seed = 0;
    is_int(dt_learn(&o, &l), DT_OK, "errors: a seed is made");
    dt_learned_free(&l);
}


int
main(void)
{
    test_good();
    test_busy();
    test_shut();
    test_declined();
    test_evidence();
    test_tries();
    test_misleading();
    test_query();
    test_copies();
    test_caps();
    test_beyond();
    test_redirects();
    test_robots();
    test_merged();
    test_sample();
    test_sample_part();
    test_sample_again();
    test_redesign();
    test_errors();

    return done();
}
