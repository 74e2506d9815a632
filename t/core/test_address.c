
/*
 * Copyright (C) The detemplate authors
 *
 * Each row is two links, on a page of their own each, and whether they are
 * the same.
 */


#include "core/scan/address.h"
#include "test.h"


typedef struct {
    const char *page;
    const char *link;
    const char *other_page;
    const char *other;
    int same;
} row_t;


#define HOST "site.example"

static uint64_t
link_end(dt_address_t *address, const char *link, size_t len)
{
    return dt_address_link(address, link, link + len, link + len, 0);
}


static uint64_t
link_hash(const char *page, const char *base, const char *link, int no_query)
{
    dt_address_t address;

    dt_address_init(&address, dt_str(HOST), dt_cstr(page));

    if (base != NULL) {
        dt_address_base(&address, base, base + strlen(base));
    }

    return dt_address_link(&address, link, link + strlen(link),
                           link + strlen(link), no_query);
}


static const row_t rows[] = {
    /* one page, many forms */
    { "/a/b.html", "c.html", "/a/x.html", "/a/c.html", 1 },
    { "/a/b.html", "c.html", "/x.html", "a/c.html", 1 },
    { "/a/b.html", "./c.html", "/x/y/z.html", "../../a/c.html", 1 },
    { "/a/b.html", "c.html", "/", "http://" HOST "/a/c.html", 1 },
    { "/a/b.html", "c.html", "/", "https://" HOST "/a/c.html", 1 },
    { "/a/b.html", "c.html", "/", "//" HOST "/a/c.html", 1 },
    { "/a/b.html", "c.html", "/", "//SITE.Example/a/c.html", 1 },
    { "/a/b.html", "c.html", "/", "  /a/c.html\t", 1 },
    { "/a/b.html", "c.html", "/", "/a//c.html", 1 },
    { "/a/b.html", "c.html", "/", "/x/../a/./c.html", 1 },
    { "/a/b/c.html", "./../d.html", "/", "/a/d.html", 1 },
    { "/a/b/c.html", "./../../../d.html", "/", "/d.html", 1 },
    { "/a/b.html", "..", "/x.html", "/", 1 },
    { "/a/b.html", ".", "/x.html", "a/", 1 },
    { "/a/b.html", "../", "/x.html", "http://" HOST "/", 1 },
    { "/a/b.html", "http://" HOST, "/x.html", "/", 1 },
    { "/a/b.html", "../../../..", "/x.html", "/", 1 },
    { "/a/b.html", "c.html?x=1", "/", "a/c.html?x=1", 1 },
    { "/a/b.html", "c.html#x", "/", "a/c.html#x", 1 },
    { "/a/b.html", "http://" HOST "?x", "/x.html", "/?x", 1 },

    /* on any page */
    { "/a/b.html", "#top", "/x.html", "#top", 1 },
    { "/a/b.html", "", "/x.html", "", 1 },
    { "/a/b.html", "mailto:a@b", "/x.html", "mailto:a@b", 1 },
    { "/a/b.html", "http://other.example/", "/", "http://other.example/", 1 },
    { "/a/b.html", "javascript:x()", "/x.html", "javascript:x()", 1 },

    /* different pages */
    { "/a/b.html", "c.html", "/b/x.html", "c.html", 0 },
    { "/a/b.html", "c.html", "/a/x.html", "d.html", 0 },
    { "/a/b.html", "c.html", "/a/x.html", "C.html", 0 },
    { "/a/b.html", "c", "/a/x.html", "c/", 0 },
    { "/a/b.html", "c.html?x", "/a/x.html", "c.html", 0 },
    { "/a/b.html", "c.html?x", "/a/x.html", "c.html?y", 0 },
    { "/a/b.html", "c.html?x", "/a/x.html", "c.html#x", 0 },
    { "/a/b.html", "?x", "/a/c.html", "?x", 0 },
    { "/a/b.html", "/a", "/", "http://other.example/a", 0 },
    { "/a/b.html", "/a", "/", "//other.example/a", 0 },
    { "/a/b.html", "/a", "/", "//" HOST ".evil.example/a", 0 },
    { "/a/b.html", "/.evil.example/a", "/", "http://" HOST ".evil.example/a",
      0 },
    { "/a/b.html", "/.evil.example/a", "/", "https://" HOST ".evil.example/a",
      0 },
    { "/a/b.html", "/a/", "/", "https://evil.example/a/", 0 },
    { "/a/b.html", "/a/", "/", "http://evil.example/a/", 0 },
    { "/a/b.html", "/#a", "/", "https://" HOST "#a", 1 },
    { "/a/b.html", "/a", "/", "ftp://" HOST "/a", 0 },
    { "/a/b.html", "/a", "/", "javascript:/a", 0 },
    { "/a/b.html", "#a", "/a/b.html", "#b", 0 },
    { "/a/b.html", "a/b", "/a/b.html", "ab", 0 },
    { "/a/b.html", "x/y/z", "/a/b.html", "x/yz", 0 },
};


static void
test_rows(void)
{
    int same;
    char name[160];
    size_t i;
    const row_t *r;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        r = &rows[i];
        same = link_hash(r->page, NULL, r->link, 0)
               == link_hash(r->other_page, NULL, r->other, 0);

        snprintf(name, sizeof(name), "'%s' on %s is %s'%s' on %s", r->link,
                 r->page, r->same ? "" : "not ", r->other, r->other_page);
        is_int(same, r->same, name);
    }
}


static void
test_base(void)
{
    static const char *const bases[] = { "/a/", "http://" HOST "/a/",
                                         "/a/index.html", "//" HOST "/a/x" };

    for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        ok(link_hash("/x/y.html", bases[i], "c.html", 0)
               == link_hash("/", NULL, "/a/c.html", 0),
           bases[i]);
    }

    ok(link_hash("/a/y.html", "../b/", "c.html", 0)
           == link_hash("/", NULL, "/b/c.html", 0),
       "a base that is relative");
    ok(link_hash("/a/y.html", "http://other.example/", "c.html", 0)
           != link_hash("/", NULL, "/c.html", 0),
       "a base on another site is not ours");
}


/* queries of pictures and the like */
static const struct {
    const char *link;
    const char *other;
    int same;
} busters[] = {
    { "a.png?v=1", "a.png?v=2", 1 },
    { "a.JPEG?v1.2-3", "a.JPEG?1700000000", 1 },
    { "a.webp?v=0a1b2c&w=300", "a.webp", 1 },
    { "a.pdf?h=Zk3xYqW9aBcDeFgH", "a.pdf", 1 },
    { "a.png?Zk3x", "a.png", 0 },
    { "a.png?of=b", "a.png?of=c", 0 },
    { "a.png?v=1&of=x/y", "a.png?v=2&of=x/z", 0 },
    { "/_next/image?url=%2Fa.jpg&w=64", "/_next/image?url=%2Fb.jpg&w=64", 0 },
    { "/image?id=1", "/image?id=2", 0 },
    { "/image.php?id=1", "/image.php?id=2", 0 },
    { "//x.example/embed?v=1", "//x.example/embed?v=2", 0 },
    { ".png?1", ".png?2", 1 },
    { "png?1", "png?2", 0 },
    { "a.longextension?1", "a.longextension?2", 0 },
};


static void
test_query(void)
{
    ok(link_hash("/", NULL, "a.png?1", 1) == link_hash("/", NULL, "a.png", 1),
       "a query that is left out");
    ok(link_hash("/", NULL, "a.png#1", 1) != link_hash("/", NULL, "a.png", 1),
       "but not a fragment");
    ok(link_hash("/", NULL, "//x.example/a.jpg?1", 1)
           == link_hash("/", NULL, "//x.example/a.jpg?2", 1),
       "on another site as well");

    for (size_t i = 0; i < sizeof(busters) / sizeof(busters[0]); i++) {
        is_int(link_hash("/", NULL, busters[i].link, 1)
                   == link_hash("/", NULL, busters[i].other, 1),
               busters[i].same, busters[i].link);
    }
    ok(link_hash("/", NULL, "a.png?1", 1)
           != link_hash("/", NULL, "b.png?1", 1),
       "the rest counts");
}


/* bounds: long hosts, deep paths, a long link, any bytes */
static void
test_bounds(void)
{
    char text[4096], deep[300];
    size_t i;
    dt_address_t address;
    uint64_t h;

    memset(text, 'h', sizeof(text));
    dt_address_init(&address, (dt_str_t){ sizeof(text), text }, dt_str("/"));
    is_int((long long) address.host.len, 0, "a host too long is no host");
    dt_address_init(&address, (dt_str_t){ 256, text }, dt_str("/"));
    is_int((long long) address.host.len, 256, "256 bytes are one");
    dt_address_init(&address, (dt_str_t){ 0, NULL }, (dt_str_t){ 0, NULL });
    h = link_end(&address, text, sizeof(text));
    ok(h != 0, "a long link");

    ok(link_end(&address, "http:///x", 9) != link_end(&address, "/x", 2),
       "no host matches no host");

    for (i = 0; i < 298; i += 2) {
        memcpy(deep + i, "/d", 2);
    }

    deep[298] = '\0';
    dt_address_init(&address, dt_str(HOST), dt_cstr(deep));
    ok(address.ndirs <= DT_ADDRESS_SEGMENTS, "deep paths are cut");

    for (i = 0; i < sizeof(text); i++) {
        text[i] = (char) (i * 7 % 256);
        h ^= dt_address_link(&address, text, text + i, text + sizeof(text),
                             (int) i % 2);
    }

    ok(h != 0, "any bytes");
}


/* which links depend on where the page is, and on its name */
static void
test_depends(void)
{
    unsigned i;
    dt_address_t address;
    char title[64];

    static const struct {
        const char *link;
        uint32_t relative;
        uint32_t whole_path;
    } links[] = {
        { "a", 1, 0 },
        { "../a?b", 1, 0 },
        { "/a", 0, 0 },
        { "?b", 0, 1 },
        { "#b", 0, 0 },
        { "http://site.example/a", 0, 0 },
        { "", 0, 0 },
        { "mailto:a", 0, 0 },
        { "http://site.example?b", 0, 0 },
        { "./", 1, 0 },
        { "//other/a", 0, 0 },
    };

    for (i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        dt_address_init(&address, dt_str(HOST), dt_str("/dir/page"));
        (void) link_end(&address, links[i].link, strlen(links[i].link));
        snprintf(title, sizeof(title), "depends: '%s'", links[i].link);
        ok(address.relative == links[i].relative
               && address.whole_path == links[i].whole_path,
           title);
    }
}


int
main(void)
{
    test_rows();
    test_base();
    test_query();
    test_bounds();
    test_depends();

    return done();
}
