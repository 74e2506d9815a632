
/*
 * Copyright (C) The detemplate authors
 *
 * Learning from sites that are made up as they are asked for: good ones, ones
 * that are no sites, and ones that mislead: t/core/rows/learn.
 */


#include "core/learn/learn.h"
#include "core/template/template.h"
#include "core/web/robots.h"
#include "rows.h"
#include "site.h"


#define URL "http://" SITE_HOST

/* text of a page: its own words, and enough of them */
#define OWN                                                                   \
    "<main><h1>@</h1><p>@ is what this page is about</p><p>and it says @ in " \
    "some more @ words than the @ menu has</p></main>"


static struct {
    /* the page at path, or NULL for 404; b is empty */
    const char *(*page)(const char *path, buf_t *b);
    const row_t *row; /* that says what pages are, */
    unsigned few;     /* how many are there beside the key page, */
    unsigned late;    /* how many that are asked for are not, */
    unsigned shut;    /* and which: p0, p1 ... */
    const char *menu;
    unsigned links; /* in menus */
    unsigned asked;
    long closed; /* the status instead of 404 */
} site;

static dt_learned_t l;
static dt_learn_opts_t o;


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


static void
fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    buf_t text = { 0 }, page = { 0 };
    const char *path = url + sizeof(URL) - 1;

    (void) data;
    site.asked++;

    memset(out, 0, sizeof(dt_fetched_t));
    out->rc = DT_DECLINED;
    out->reason = "status";

    if (strncmp(url, URL, sizeof(URL) - 1) != 0
        || site.page(path, &text) == NULL) {
        out->status = site.closed ? site.closed : 404;
        out->retry_after = 90;
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
opts(const char *(*page)(const char *, buf_t *) )
{
    memset(&site, 0, sizeof(site));
    site.page = page;
    site.few = UINT32_MAX;
    site.menu = "<footer>#</footer>";
    site.links = 20;

    dt_learn_opts_init(&o);
    o.url = URL "/";
    o.fetch = fetch;
    o.now = 1000000;
    o.seed = SITE_SEED;
}


/* what was learned before may be what is added to */
static dt_status_t
learn_any(void)
{
    dt_learned_t next;
    dt_status_t rc = dt_learn(&o, &next);

    dt_learned_free(&l);
    l = next;

    return rc;
}


/* what was learned last is added to */
static void
add_to_last(void)
{
    o.prev = l.bytes;
    o.prev_len = l.len;
}


static void
learn(dt_status_t want, const char *name)
{
    is_int(learn_any(), want, name);
}


static void
reason_is(const char *want, const char *name)
{
    is_str(l.reason, strlen(l.reason), want, name);
}


/* the page at path as it is left */
static void
left_is(const char *path, const char *want, const char *name)
{
    char of[64];
    buf_t text = { 0 }, page = { 0 }, left = { 0 };
    result_t r;

    site.page(path, &text);
    site_page(&page, text.data, text.len, 999);
    site_page(&left, want, strlen(want), 999);
    buf_add(&left, "", 1);

    snprintf(of, sizeof(of), "%.*s", (int) strcspn(path, "?"), path);

    if (ok(l.bytes != NULL, name)) {
        site_rewrite_at(l.bytes, DT_STRIP, of, &page, &r);
        is_str(r.out.data, r.out.len, left.data, name);
        result_free(&r);
    }

    buf_free(&text);
    buf_free(&page);
    buf_free(&left);
}


/* the part of a row that says what the page at a path is, or NULL */
static const part_t *
part_of(const row_t *row, const char *path)
{
    size_t len;
    const char *p;

    for (unsigned i = 1; i < row->nparts; i++) {
        p = row->part[i].all;
        len = strcspn(p, " *");

        if (strncmp(p, path, len) == 0 && (p[len] == '*' || !path[len])) {
            return &row->part[i];
        }
    }

    return NULL;
}


static const char *
page_row(const char *path, buf_t *b)
{
    unsigned n;
    const char *p;
    const part_t *part = part_of(site.row, path);

    if (part == NULL || (site.asked > 1 && site.asked <= site.late)
        || (site.asked > 1 && site.asked - 1 > site.few)
        || (sscanf(path, "/p%u.html", &n) == 1 && n < site.shut))
    {
        return NULL;
    }

    for (p = strchr(part->all, ' ') + 1;; p++) {
        buf_add(b, p, strcspn(p, "\x01"));
        p += strcspn(p, "\x01");

        if (*p == '\0') {
            break;
        }

        buf_puts(b, path);
    }

    return "ok";
}


/* an option of a row, or what it is usually */
static unsigned
option(const row_t *row, const char *key, unsigned usual)
{
    const char *value = row_get(row, key);

    return value ? (unsigned) atoi(value) : usual;
}


static void
row_opts(const row_t *row)
{
    static char url[128];

    opts(page_row);
    site.row = row;
    site.few = option(row, "few", UINT32_MAX);
    site.late = option(row, "late", 0);
    site.shut = option(row, "shut", 0);
    site.closed = (long) option(row, "status", 0);
    o.loads = option(row, "limit", o.loads);
    o.cpu = option(row, "cpu", (unsigned) o.cpu);
    o.rules.remain = option(row, "remain", o.rules.remain);
    o.candidates = option(row, "of", o.candidates);
    o.votes = option(row, "of", o.votes);

    if (row_get(row, "url")) {
        snprintf(url, sizeof(url), URL "%s", row_get(row, "url"));
        o.url = url;
    }
}


static void
row_is(const row_t *row)
{
    const char *name = row->part[0].all, *why = row_get(row, "declined");
    const char *left = row_get(row, "left");
    char what[128];
    dt_template_info_t info = { 0 };

    row_opts(row);
    learn(why ? DT_DECLINED : DT_OK, name);

    if (l.bytes != NULL) {
        is_int(dt_template_check(l.bytes, l.len, NULL), DT_OK, name);
        dt_template_info(l.bytes, &info);
    }

    const struct {
        const char *key;
        long long got;
    } values[] = {
        { "candidates", l.candidates },
        { "loads", l.loads },
        { "fresh", l.fresh },
        { "tries", l.tries },
        { "asked", site.asked },
        { "pages", (long long) l.npages },
        { "static", l.static_words },
        { "words", l.words },
        { "retry-after", l.retry_after },
        { "beyond", l.beyond },
        { "patterns", l.patterns + info.patterns },
        { "kept", info.pages },
    };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (row_get(row, values[i].key)) {
            snprintf(what, sizeof(what), "%s: %s", name, values[i].key);
            is_int(values[i].got, option(row, values[i].key, 0), what);
        }
    }

    ok(l.tries >= option(row, "least", 0)
           && l.tries <= option(row, "most", UINT32_MAX),
       name);
    why = why ? why : row_get(row, "reason");

    if (why != NULL) {
        reason_is(why, name);
    }

    if (row_get(row, "errstr")) {
        is_str(l.errstr, strlen(l.errstr), row_get(row, "errstr"), name);
    }

    if (left != NULL) {
        site.few = UINT32_MAX;
        left_is(left, strchr(part_of(row, left)->left, ' ') + 1, name);
    }
}


/* what the site of the first row is learned as */
static void
test_good(void)
{
    size_t i;
    unsigned in_cs = 0;
    dt_template_info_t info;

    opts(page_good);
    learn(DT_OK, "good: learned");
    is_str(l.pages[0].result, strlen(l.pages[0].result), "key",
           "good: the key page first");

    for (i = 0; i < l.npages; i++) {
        in_cs += l.pages[i].in_cs;
    }

    is_int(in_cs, 6, "good: candidates are marked");
    ok(l.coverage > 0.7 && l.coverage < 0.8, "good: coverage");
    dt_template_info(l.bytes, &info);
    is_int(info.version, 1, "good: version");
    is_int(info.loads, l.loads, "good: loads in the template");
    is_int(info.learned_at, 1000000, "good: time in the template");
    ok(info.seed == SITE_SEED, "good: seed in the template");
    dt_learned_free(&l);
    ok(l.bytes == NULL && l.pages == NULL, "good: freed");
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

    dt_learned_free(&l);

    for (i = 1; i <= 3; i++) {
        opts(page_alone);
        site.links = 22;
        snprintf(url, sizeof(url), URL "/p%u.html", i);
        snprintf(name, sizeof(name), "evidence: of %u pages alone", i);
        o.url = url;
        add_to_last();
        learn(i < 3 ? DT_DECLINED : DT_OK, name);
        is_int(l.tries, 23, name);
        ok(l.bytes != NULL && (l.patterns != 0) == (i == 3), name);
    }

    /* with pages that can be had it goes on as if it were the first time */

    opts(page_alone);
    learn_any();
    opts(page_good);
    o.url = URL "/p2.html";
    add_to_last();
    learn(DT_OK, "evidence: with other pages");
    is_int(l.loads, 20, "evidence: of as many as a first time");
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


static void
test_redirects(void)
{
    size_t i;
    unsigned loaded = 0, leave = 0;

    opts(page_redirects);
    o.loads = 9;
    o.rules.remain = 0;
    site.links = 88;
    learn(DT_OK, "redirects: learned");

    for (i = 0; i < l.npages; i++) {
        loaded += strcmp(l.pages[i].result, "redirect") != 0;
        leave += strcmp(l.pages[i].result, "redirect") == 0;
    }

    ok(loaded > 1, "redirects: pages that are loaded");
    is_int(loaded + leave, 27, "redirects: three tries for each page");

    opts(page_redirects);
    o.url = URL "/p1.html";
    learn(DT_DECLINED, "redirects: the key page");
    reason_is("key-page", "redirects: its reason");
}


/* reads a robots.txt */
static const dt_robots_t *
robots(const char *text)
{
    static dt_arena_t *arena;
    dt_robots_t *r = NULL;

    dt_arena_destroy(arena);
    arena = dt_arena_create(65536);
    (void) dt_robots_parse(dt_cstr(text), dt_str("detemplate"), arena, &r);

    return r;
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

    opts(page_good);
    o.robots = robots("User-agent: *\nDisallow: /p1\n");
    o.progress = told;
    o.progress_data = &n;
    learn(DT_OK, "robots: learned");
    ok(n > 0, "robots: told of pages that are forbidden");

    for (i = 0; i < l.npages; i++) {
        asked += strstr(l.pages[i].url, "/p1") != NULL
                 && strcmp(l.pages[i].result, "robots") != 0;
    }

    is_int(asked, 0, "robots: none of them is loaded");

    opts(page_queries);
    o.robots = robots("User-agent: *\nDisallow: /?\n");
    learn(DT_DECLINED, "robots: queries");
    reason_is("no-candidates", "robots: queries, reason");

    opts(page_good);
    o.robots = robots("User-agent: *\nDisallow: /p1\n");
    o.url = URL "/p1.html";
    learn(DT_DECLINED, "robots: key page");
    reason_is("key-page", "robots: key page, reason");
    is_str(l.errstr, strlen(l.errstr), "forbidden by robots.txt",
           "robots: key page, why");
    is_int(site.asked, 0, "robots: key page is not loaded");

    opts(page_good);
    o.robots = robots("User-agent: *\nDisallow: /\n");
    learn(DT_DECLINED, "robots: all");
    reason_is("robots", "robots: all, reason");

    opts(page_good);
    o.robots = robots("User-agent: *\nDisallow: /\nAllow: /p1.html\n");
    o.url = URL "/p1.html";
    learn(DT_DECLINED, "robots: all but the key page");
    reason_is("robots", "robots: all but the key page, reason");
}


/* learns once more, with what there is */
static void
again(int64_t later)
{
    o.now += later;
    add_to_last();
    o.seed = 0;
    learn(DT_OK, "learned again");
}


static void
test_merged(void)
{
    dt_template_info_t info;

    opts(page_sections);
    o.url = URL "/a/";
    learn(DT_OK, "merged: one section");
    left_is("/a/x.html", OWN, "merged: the first section");

    o.url = URL "/b/";
    again(3600);
    left_is("/a/x.html", OWN, "merged: the first section is kept");
    left_is("/b/x.html", OWN, "merged: and the second is learned");
    dt_template_info(l.bytes, &info);
    is_int(info.version, 2, "merged: version");
    is_int(info.created_at, 1000000, "merged: created at");
    is_int(info.learned_at, 1003600, "merged: learned at");
    ok(info.seed == SITE_SEED, "merged: the seed stays");

    again(3600);
    is_int(l.fresh, 0, "merged: then nothing is new");
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
pages_of(const char *path)
{
    size_t i;
    unsigned n = 0;

    for (i = 0; i < l.npages; i++) {
        n +=
            strncmp(l.pages[i].url + sizeof(URL) - 1, path, strlen(path)) == 0;
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

    /* pages that only loaded pages link to; each page has a chance */

    for (i = 0; i < 100; i++) {
        opts(page_chain);
        o.seed = 1000 + i;
        site.links = 80;
        learn_any();
        ok(l.loads == o.loads || (l.loads > 20 && l.tries == 3 * o.loads),
           "sample: as many pages as asked for, or as many tries as allowed");

        for (k = 0; k < l.npages; k++) {
            n = strtoul(l.pages[k].url + sizeof(URL) + 1, NULL, 10);
            times[n < 100 ? n : 0]++;
        }
    }

    for (i = 1; i <= 80; i++) {
        own += times[i] >= 5;
    }

    ok(own >= 75, "sample: pages that are linked from anywhere");

    /* of one page a hundred links count, and they do not come first */

    opts(page_chain);
    site.links = 500;
    o.loads = 60;
    o.url = URL "/p7";
    learn_any();
    ok(pages_of("/m") >= 10, "sample: an author's links count");

    /* pages that visitors asked for: a third; they come in their order */

    for (i = 0; i < 64; i++) {
        snprintf(names[i], sizeof(names[i]), URL "/v%u", i);
        urls[i] = names[i];
    }

    opts(page_good);
    site.links = 60;
    o.rules.remain = 0;
    o.visited = urls;
    o.nvisited = 64;
    learn(DT_OK, "visited: learned");
    is_int(l.loads, 30, "visited: loads");
    is_int(pages_of("/v"), 10, "visited: a third of the pages");
    is_int(pages_of("/v10"), 0, "visited: the first of them");

    urls[0] = "http://other.example/v0";
    urls[1] = URL "/v1.png";
    urls[2] = "no URL";
    opts(page_good);
    o.visited = urls;
    o.nvisited = 4;
    learn_any();
    is_int(pages_of("/v"), 1, "visited: only pages of the site");

    /* pages that nothing links to, and that the site names */

    for (i = 0; i < 64; i++) {
        snprintf(names[i], sizeof(names[i]), "%s/v%u", i % 2 ? URL : "", i);
        urls[i] = names[i];
    }

    opts(page_no_links);
    o.named = urls;
    o.nnamed = 64;
    learn(DT_OK, "named: learned");
    is_int(pages_of("/v"), 29, "named: all pages are of them");

    /* of those that no link leads near, and of those that are one page with
       many queries, a third; together with those that visitors asked for */

    for (i = 0; i < 64; i++) {
        snprintf(names[i], sizeof(names[i]), i % 2 ? "/n/%u" : "/v?n=%u", i);
        urls[i] = names[i];
    }

    opts(page_good);
    site.links = 60;
    o.rules.remain = 0;
    o.named = urls;
    o.nnamed = 64;
    learn(DT_OK, "named: beyond links");
    is_int(l.loads, 30, "named: beyond links, loads");
    ok(pages_of("/n/") > 0 && pages_of("/v") > 0
           && pages_of("/n/") + pages_of("/v") <= 10,
       "named: beyond links, a third");

    snprintf(names[0], sizeof(names[0]), URL "/w0");
    snprintf(names[1], sizeof(names[1]), URL "/w1");
    o.visited = urls;
    o.nvisited = 2;
    learn(DT_OK, "named: beyond links, with visited ones");
    is_int(pages_of("/w"), 2, "named: visited ones");
    ok(pages_of("/n/") + pages_of("/v") <= 8,
       "named: and the rest of a third");
}


/* every third page is shut */
static const char *
page_thirds(const char *path, buf_t *b)
{
    return strtoul(path[1] ? path + 2 : "0", NULL, 10) % 3 == 1
               ? NULL
               : page_good(path, b);
}


/* pages that ask for a rest are left out, unless three are in a row */
static void
test_rests(void)
{
    opts(page_thirds);
    site.closed = 503;
    site.links = 60;
    learn(DT_OK, "rests: learned");
    is_int(l.retry_after, 0, "rests: not that of single pages");
    is_int(l.loads, 30, "rests: as many pages as asked for");
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
        opts(page_author);
        o.rules.remain = 0;
        site.links = cases[i].links;
        learn_any();
        left_is("/p3.html", cases[i].left, cases[i].name);
    }
}


/* of a site that was learned, half of the pages are new */
static void
test_sample_again(void)
{
    size_t k, n;
    unsigned had = 0;
    dt_learned_t next;

    opts(page_good);
    site.links = 200;
    o.rules.remain = 0;
    learn(DT_OK, "again: first");
    is_int(l.fresh, 100, "again: all of it is new");
    add_to_last();
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
    dt_learned_free(&l);
    l = next;
    add_to_last();

    /* but not where they do not change; the subdigraph is */

    o.still = 1;
    is_int(dt_learn(&o, &next), DT_OK, "again: of pages that do not change");
    is_int(next.loads, 7, "again: hardly any");
    dt_learned_free(&next);
}


static void
test_redesign(void)
{
    int i;

    opts(page_good);
    site.links = 6;
    learn(DT_OK, "redesign: before");
    left_is("/x.html", OWN, "redesign: before");

    site.menu = "<aside>%</aside>";

    for (i = 0; i < 4; i++) {
        again(2 * 86400);
    }

    left_is("/x.html", OWN, "redesign: the new is gone");

    site.menu = "<aside>%</aside><footer>#</footer>";
    left_is("/x.html", OWN "<footer>#</footer>",
            "redesign: the old is no template any more");
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

    opts(page_good);
    o.fetch = fetch_nothing;
    learn(DT_DECLINED, "errors: nothing to be had");
    reason_is("key-page", "errors: reason");

    opts(page_good);
    o.url = "nonsense";
    learn(DT_EINVAL, "errors: no URL");
    is_int(site.asked, 0, "errors: nothing asked for");

    opts(page_good);
    o.url = "ftp://" SITE_HOST "/";
    ok(dt_learn(&o, &l) != DT_OK, "errors: no HTTP");

    opts(page_good);
    o.seed = 0;
    learn(DT_OK, "errors: a seed is made");
}


int
main(void)
{
    rows("learn", "sites", row_is);
    test_good();
    test_evidence();
    test_redirects();
    test_robots();
    test_merged();
    test_sample();
    test_rests();
    test_sample_part();
    test_sample_again();
    test_redesign();
    test_errors();
    dt_learned_free(&l);

    return done();
}
