
/*
 * Copyright (C) The detemplate authors
 *
 * Collecting is tested on anchors, the order on small trees, with distances
 * counted by hand: t/core/rows/web.
 */


#include "core/base/page.h"
#include "core/learn/links.h"
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
 * link; how many are asked for, and the order of the nodes.
 */
static void
order_is(const row_t *row)
{
    int n = 0;
    char got[256] = "";
    const char *p;
    size_t i, len = 0, max = (size_t) atoi(row->part[3].all);
    dt_dom_t dom = { 0 };
    dt_node_t nodes[NODES] = { 0 };
    dt_link_t list[NODES] = { 0 };
    dt_links_t links = { .links = list };

    dom.nodes = nodes;

    for (p = row->part[1].all;
         sscanf(p, "%u%n", &nodes[dom.n].parent, &n) == 1; p += n)
    {
        nodes[dom.n].depth = dom.n ? nodes[nodes[dom.n].parent].depth + 1 : 0;
        dom.n++;
    }

    nodes[0].parent = DT_DOM_NONE;

    for (p = row->part[2].all;
         sscanf(p, " %u:%d:%u%n", &list[links.n].node, &list[links.n].distance,
                &list[links.n].args, &n)
         == 3;
         p += n)
    {
        links.n++;
    }

    ok(dt_links_order(&dom, &links, max, arena) == DT_OK, row->part[0].all);

    for (i = 0; i < (max < links.n ? max : links.n); i++) {
        len += (size_t) snprintf(got + len, sizeof(got) - len, "%s%u",
                                 i ? " " : "", links.links[i].node);
    }

    is_str(got, len, row->part[4].all, row->part[0].all);
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
    rows("web", "order", order_is);

    dt_arena_destroy(arena);

    return done();
}
