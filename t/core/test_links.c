
/*
 * Copyright (C) The detemplate authors
 *
 * Collecting is tested on anchors, of t/core/rows/web; the order on small
 * trees drawn beside the tests, with distances counted by hand.
 */


#include "core/base/page.h"
#include "core/learn/learn.h"
#include "rows.h"


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


/* what a link on a page leads to; "1": some page; "-": it is left out */
static void
collected_is(const row_t *row)
{
    const char *const hrefs[] = { row->part[2].all, NULL };
    const char *want = row->part[3].all, *name = row->part[0].all;
    dt_links_t links = { 0 };

    ok(collect(row->part[1].all, "", hrefs, &links) == DT_OK, name);

    if (links.n == 0 || want[1] == '\0') {
        is_int((long long) links.n, *want != '-', name);

    } else {
        is_str(links.links[0].url.href.data, links.links[0].url.href.len, want,
               name);
    }
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


static void
arguments_are(const row_t *row)
{
    const char *const hrefs[] = { row->part[1].all, NULL };
    dt_links_t links;

    is_int(collect(row->part[0].all, "", hrefs, &links) == DT_OK && links.n
               ? (long long) links.links[0].args
               : -1,
           atoi(row->part[2].all), row->part[1].all);
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


static void
name_is(const row_t *row)
{
    dt_url_t url;

    dt_url_resolve(NULL, dt_cstr(row->part[0].all), arena, &url);
    ok(dt_str_eq(dt_links_name(&url), dt_cstr(row->part[1].all)),
       row->part[0].all);
}


static void
id_is(const row_t *row)
{
    static dt_page_id_t a;
    const char *href = row->part[0].all;
    dt_url_t url;
    dt_page_id_t b;

    if (dt_url_resolve(NULL, dt_cstr(href), arena, &url) != DT_OK) {
        ok(0, href);
        return;
    }

    b = dt_links_id(&url);
    a = a.url ? a : b;
    is_int(a.url == b.url, atoi(row->part[1].all), href);
    is_int(a.name == b.name, atoi(row->part[2].all), href);
    ok(dt_str_eq(b.path, dt_page_path(url.path)), href);
}


int
main(void)
{
    arena = dt_arena_create(64 << 20);

    rows("web", "collected", collected_is);
    rows("web", "arguments", arguments_are);
    rows("web", "page name", name_is);
    rows("web", "page id", id_is);
    test_unique();
    test_base();
    test_bounds();
    test_order();

    dt_arena_destroy(arena);

    return done();
}
