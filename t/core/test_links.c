
/*
 * Copyright (C) The detemplate authors
 *
 * Collecting is tested on anchors; the order on small trees drawn beside the
 * tests, with distances counted by hand.
 */


#include <stdio.h>

#include "core/base/page.h"
#include "core/learn/learn.h"
#include "test.h"


#define NODES 64
#define KEY "http://www.example.org/news/today.html"


static dt_arena_t *arena;


/* the hrefs of a page without a tree; ends with NULL */
static dt_status_t
collect(const char *page, const char *base, const char *const *hrefs,
        dt_links_t *out)
{
    dt_dom_t dom;
    dt_url_t url;
    dt_anchor_t anchors[NODES];

    memset(&dom, 0, sizeof(dom));
    memset(anchors, 0, sizeof(anchors));
    dom.anchors = anchors;
    dom.base = dt_cstr(base);

    for (; hrefs[dom.nanchors] != NULL; dom.nanchors++) {
        anchors[dom.nanchors].href = dt_cstr(hrefs[dom.nanchors]);
        anchors[dom.nanchors].node = dom.nanchors;
    }

    if (dt_url_resolve(NULL, dt_cstr(page), arena, &url) != DT_OK) {
        return DT_EBUG;
    }

    return dt_links_collect(&dom, &url, arena, out);
}


/* the one URL that href on page leads to; want NULL: it is left out */
static void
link_is(const char *page, const char *href, const char *want, const char *name)
{
    const char *const hrefs[] = { href, NULL };
    dt_links_t links;

    if (collect(page, "", hrefs, &links) != DT_OK) {
        ok(0, name);
        return;
    }

    if (links.n == 0 || want == NULL) {
        is_int((long long) links.n, want != NULL, name);
        return;
    }

    is_str(links.links[0].url.href.data, links.links[0].url.href.len, want,
           name);
}


static void
out(const char *href, const char *name)
{
    link_is(KEY, href, NULL, name);
}


static void
in(const char *href, const char *name)
{
    const char *const hrefs[] = { href, NULL };
    dt_links_t links;

    is_int(collect(KEY, "", hrefs, &links) == DT_OK ? (long long) links.n : -1,
           1, name);
}


static void
test_left_out(void)
{
    out("today.html", "the page itself");
    out("", "an empty link");
    out("#top", "a place in the page");
    out("http://example.org/news/today.html", "itself without www.");
    out("https://www.example.org/news/today.html", "itself over TLS");
    out("../news/./today.html", "itself by another way");
    link_is("http://a/b/", "index.html", NULL, "itself as an index");
    link_is("http://a/b/index.php", "./", NULL, "an index as its directory");
    link_is("http://a/b/Index.HTM", "index.php", NULL, "one of two indexes");
    link_is("http://a/b?c=1", "b", "http://a/b", "the page without its query");
    link_is("http://a/b?c=1", "?c=1", NULL, "itself with its query");
    link_is("http://a/b?c=1", "b?c=2", "http://a/b?c=2", "another query");

    out("http://example.com/", "another site");
    out("//sub.example.org/", "another host");
    out("mailto:a@example.org", "mail");
    out("javascript:void(0)", "a script");
    out("http://u:p@www.example.org/", "a user");

    out("a.pdf", "a document");
    out("a.PNG", "an image, upper case");
    out("a.tar.gz", "an archive");
    out("a.jpg?size=2", "an image with a query");
    out("feed.xml", "XML");
    out("/feed/", "a feed");
    out("/comments/feed", "a feed of comments");
    out("/?feed=rss2", "a feed by query");

    out("a?b=1&c=2&d=3&e=4&f=5", "five arguments");
    out("today.html?utm_source=x", "itself with tracking");
    out("today.html;jsessionid=1A", "itself with a session");
    link_is("http://a/b?c=1&d=2", "b?d=2&c=1", NULL, "another order");
    link_is("http://a/t?t=1&sid=9f86d081884c7d659a2feaa0c55ad015",
            "t?t=1&sid=8f86d081884c7d659a2feaa0c55ad015", NULL,
            "itself with another session");
    out("/items/delete_all", "parts of a name");
    link_is("http://a/share/b", "c/d", "http://a/share/c/d",
            "in a directory that the page is in as well");
    link_is("http://a/share/b", "edit/d", NULL, "and in another one");
    link_is("http://a/login", "login/b", NULL, "in one that it is not in");
    out("/search?q=a", "a search");
    out("/user/logout", "logout");
    out("/LogOut", "logout, case");
    out("/log-out/", "log-out");
    out("/wp-login.php", "login of a blog");
    out("/sign_in", "sign_in");
    out("/?action=edit", "edit by query");
    out("/p/5/delete", "delete");
    out("/?add-to-cart=17", "add to cart");
    out("a?replytocom=9", "a reply");
    out("a?print=1", "print view");
    out("a?share=mail", "share");
    out("/wiki/Special:UserLogin", "login of a wiki");
}


static void
test_kept(void)
{
    in("tomorrow.html", "a page beside");
    in("/", "the front page");
    in("a", "no extension");
    in("a.php", "PHP");
    in("a.aspx?id=3", "one argument");
    in("a?b=1&c=2&d=3&e=4", "four arguments");
    link_is("http://a/b", "t?a=1&sid=9f86d081884c7d659a2feaa0c55ad015",
            "http://a/t?a=1", "without its session");
    link_is("http://a/b", "http://a//c/d;jsessionid=1?utm_source=x",
            "http://a//c/d", "a path that is no host");
    in("/v1.2/", "a dot in a directory");
    in("/john.smith", "a dot in a name");
    in("/a.html-and-a-long-extension", "a long extension");
    in("/how-to-delete-files", "a word in a title");
    in("/shared/", "a word that begins like one");
    in("/feedback", "and another");
    in("/printing.html", "and another");
    in("http://example.org/a", "the site without www.");
    in("https://example.org/a", "the site over TLS");
    link_is("http://a/b/c", "../d/./e.html#f", "http://a/d/e.html",
            "a link is resolved");
}


static void
test_unique(void)
{
    dt_links_t links;
    static const char *const hrefs[] = {
        "b.html",
        "a.html",
        "b.html#x",
        "http://example.org/news/b.html",
        "/news/../news/a.html",
        "c/",
        "c/index.html",
        "c/?x",
        "c/?x&utm_source=y",
        "%61.html",
        NULL,
    };

    is_int(collect(KEY, "", hrefs, &links), DT_OK, "several links");
    is_int((long long) links.n, 4, "each URL once");

    if (links.n == 4) {
        is_int(links.links[0].node, 0, "in document order: b");
        is_int(links.links[1].node, 1, "a");
        is_int(links.links[2].node, 5, "the directory");
        is_int(links.links[3].node, 7, "a query is another page");
        is_int(links.links[2].distance, 1, "the distance is set");
    }
}


/* arguments that pages of the site do not have */
static void
args_are(const char *page, const char *href, unsigned want)
{
    const char *const hrefs[] = { href, NULL };
    dt_links_t links;

    is_int(collect(page, "", hrefs, &links) == DT_OK && links.n
               ? (long long) links.links[0].args
               : -1,
           want, href);
}


static void
test_args(void)
{
    args_are("http://a/b", "c", 0);
    args_are("http://a/b", "c?d=1&utm_source=x", 1);
    args_are("http://a/b", "c?d=1&e=2", 2);
    args_are("http://a/i?t=1", "i?t=2", 0);
    args_are("http://a/i?t=1", "i?t=2&e=3", 1);
    args_are("http://a/i?t=1", "j?t=2", 1);
    args_are("http://a/i?t=1&f=2", "i?t=2", 0);
}


static void
test_base(void)
{
    dt_links_t links;
    static const char *const one[] = { "a.html", NULL };

    is_int(collect(KEY, "/other/", one, &links), DT_OK, "a base");
    ok(links.n == 1
           && dt_str_eq(links.links[0].url.path, dt_str("/other/a.html")),
       "links are resolved against it");
    ok(links.n == 1 && links.links[0].distance == -2,
       "but their distance is from the page");

    is_int(collect(KEY, "http://example.com/", one, &links), DT_OK,
           "a base elsewhere");
    is_int((long long) links.n, 0, "its links are another site's");

    is_int(collect(KEY, "data:,", one, &links), DT_OK, "a base of no use");
    is_int((long long) links.n, 1, "is passed over");
}


static void
test_bounds(void)
{
    static dt_anchor_t many[3 * DT_LINKS_MAX];
    static char hrefs[3 * DT_LINKS_MAX][16];

    size_t cap;
    dt_dom_t dom;
    dt_url_t url;
    dt_links_t links;
    dt_arena_t *small;

    memset(&dom, 0, sizeof(dom));
    dom.anchors = many;
    dom.nanchors = sizeof(many) / sizeof(many[0]);

    for (unsigned i = 0; i < dom.nanchors; i++) {
        snprintf(hrefs[i], sizeof(hrefs[i]), "p%u", i);
        many[i].href = dt_cstr(hrefs[i]);
    }

    many[7].nofollow = 1;
    dt_url_resolve(NULL, dt_str(KEY), arena, &url);

    is_int(dt_links_collect(&dom, &url, arena, &links), DT_OK, "many links");
    is_int((long long) links.n, DT_LINKS_MAX - 1,
           "the first of them, nofollow"
           " left out");

    for (cap = 0; cap < 400 * 1024; cap += 50000) {
        small = dt_arena_create(cap);
        if (dt_links_collect(&dom, &url, small, &links) != DT_ENOMEM) {
            break;
        }
        dt_arena_destroy(small);
    }

    ok(cap >= 400 * 1024, "no memory is told");
}


/*
 * A tree by its parents, in preorder; node, distance and arguments of each
 * link.  want
 * is the order of the nodes, as text.
 */
static void
order(const uint32_t *parents, uint32_t n, const int (*rows)[3], size_t nrows,
      size_t max, const char *want, const char *name)
{
    char got[256];
    size_t len, shown;
    dt_dom_t dom;
    dt_node_t nodes[NODES];
    dt_link_t list[NODES];
    dt_links_t links;

    memset(&dom, 0, sizeof(dom));
    memset(nodes, 0, sizeof(nodes));
    memset(list, 0, sizeof(list));

    dom.nodes = nodes;
    dom.n = n;

    for (uint32_t i = 0; i < n; i++) {
        nodes[i].parent = i ? parents[i] : DT_DOM_NONE;
        nodes[i].depth = i ? nodes[parents[i]].depth + 1 : 0;
    }

    links.links = list;
    links.n = nrows;

    for (size_t i = 0; i < nrows; i++) {
        list[i].node = (uint32_t) rows[i][0];
        list[i].distance = rows[i][1];
        list[i].args = (unsigned) rows[i][2];
    }

    if (dt_links_order(&dom, &links, max, arena) != DT_OK) {
        ok(0, name);
        return;
    }

    len = 0;
    shown = max < links.n ? max : links.n;

    for (size_t i = 0; i < shown; i++) {
        len += (size_t) snprintf(got + len, sizeof(got) - len, "%s%u",
                                 i ? " " : "", links.links[i].node);
    }

    is_str(got, len, want, name);
}


static void
test_order(void)
{
    static const uint32_t flat[] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    static const int by_distance[][3] = {
        { 1, -2 }, { 2, 1 }, { 3, 0 }, { 4, -1 }, { 5, 3 }, { 6, 0 }, { 7, 1 },
    };

    /*
     *        0 body
     *     /     |     \
     *   1 nav  6 div  9 footer
     *   / \     |      |
     *  2   4    7     10
     *  |   |    |      |
     *  3   5    8     11
     */
    static const uint32_t tree[] = { 0, 0, 1, 2, 1, 4, 0, 6, 7, 0, 9, 10 };
    static const int by_dom[][3] = { { 3, 0 }, { 5, 0 }, { 8, 0 }, { 11, 0 } };
    static const int mixed[][3] = { { 3, 0 }, { 5, 1 }, { 8, 1 }, { 11, -1 } };
    static const int deep[][3] = { { 3, 0 }, { 5, 0 }, { 7, 0 }, { 11, 0 } };
    static const int one[][3] = { { 3, 5 } };
    static const int queries[][3] = {
        { 3, 0, 2 },
        { 5, 0, 1 },
        { 7, -9, 0 },
        { 11, 3, 0 },
    };

    order(flat, 8, by_distance, 7, 7, "3 6 2 7 5 4 1",
          "0, then below by closeness, then above by closeness");

    /* from 3: 5 is 4 away, 8 is 6, 11 is 6; from 8: 5 is 6, 11 is 6 */
    order(tree, 12, by_dom, 4, 4, "3 8 11 5",
          "the farthest first, the earlier of equals");

    /* from 3: 5 is 4 away, 7 is 5, 11 is 6; from 3 and 11: 5 10, 7 10 */
    order(tree, 12, deep, 4, 4, "3 11 5 7", "sums over all that are chosen");

    /* from 3, of another rank: 5 is 4 away, 8 is 6 */
    order(tree, 12, mixed, 4, 4, "3 8 5 11",
          "links of other distances count as chosen");

    order(tree, 12, queries, 4, 4, "11 7 5 3", "fewer arguments first");
    order(tree, 12, by_dom, 4, 2, "3 8", "only the first two");
    order(tree, 12, by_dom, 4, 9, "3 8 11 5", "more than there are");
    order(tree, 12, one, 1, 1, "3", "one link");
    order(tree, 12, one, 0, 3, "", "none");
}


/* what names a page among those of other directories */
static void
test_name(void)
{
    size_t i;
    dt_str_t name;
    dt_url_t url;

    static const char *const cases[][2] = {
        { "http://a.example/de/about", "about" },
        { "http://a.example/de/about/", "about" },
        { "http://a.example/de/about/index.php", "about" },
        { "http://a.example/about.html", "about" },
        { "http://a.example/about.de.html?x=1", "about" },
        { "http://a.example/.hidden.html", ".hidden" },
        { "http://a.example/index.html", "" },
        { "http://a.example/", "" },
        { "http://a.example/de/", "" },
        { "http://a.example/pt-BR", "" },
        { "http://a.example/zh_Hans/index.html", "" },
        { "http://a.example/news/", "news" },
        { "http://a.example/a-b/", "a-b" },
        { "http://a.example/2024/12", "12" },
        { "http://a.example/ab-c", "ab-c" },
        { "http://a.example/de-luxebox", "de-luxebox" },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dt_url_resolve(NULL, dt_cstr(cases[i][0]), arena, &url);
        name = dt_links_name(&url);
        ok(dt_str_eq(name, dt_cstr(cases[i][1])), cases[i][0]);
    }
}


/* which parts of a URL make another page, and which another name */
static void
test_id(void)
{
    size_t i;
    dt_url_t url;
    dt_page_id_t a, b;

    static const struct {
        const char *href;
        int url, name; /* the same as of the first */
    } cases[] = {
        { "http://a.example/de/about?id=1", 1, 1 },
        { "http://a.example/de/about?id=1&utm_source=x", 1, 1 },
        { "http://b.example/de/about?id=1", 0, 1 },
        { "http://a.example/en/about?id=1", 0, 1 },
        { "http://a.example/de/about/?id=1", 0, 1 },
        { "http://a.example/de/about?id=2", 0, 0 },
        { "http://a.example/de/about", 0, 0 },
        { "http://a.example/de/contact?id=1", 0, 0 },
    };

    memset(&a, 0, sizeof(a));

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (dt_url_resolve(NULL, dt_cstr(cases[i].href), arena, &url) != DT_OK)
        {
            ok(0, cases[i].href);
            continue;
        }

        b = dt_links_id(&url);
        a = i ? a : b;

        is_int(a.url == b.url, cases[i].url, cases[i].href);
        is_int(a.name == b.name, cases[i].name, cases[i].href);
        ok(dt_str_eq(b.path, dt_page_path(url.path)), cases[i].href);
    }
}


int
main(void)
{
    arena = dt_arena_create(64 << 20);

    test_left_out();
    test_kept();
    test_unique();
    test_args();
    test_base();
    test_bounds();
    test_order();
    test_name();
    test_id();

    dt_arena_destroy(arena);

    return done();
}
