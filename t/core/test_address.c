
/*
 * Copyright (C) The detemplate authors
 *
 * Which links are the same, and what they depend on: t/core/rows/web.
 */


#include "core/scan/address.h"
#include "rows.h"


#define HOST "site.example"

static uint64_t
link_end(dt_address_t *address, const char *link, size_t len)
{
    return dt_address_link(address, link, link + len, 0);
}


static uint64_t
link_hash(const char *page, const char *base, const char *link, int no_query)
{
    dt_address_t address;

    dt_address_init(&address, dt_str(HOST), dt_cstr(page));

    if (base != NULL) {
        dt_address_base(&address, base, base + strlen(base));
    }

    return dt_address_link(&address, link, link + strlen(link), no_query);
}


static void
links_are(const row_t *row)
{
    char name[160];
    const char *how = row->part[4].all;

    snprintf(name, sizeof(name), "'%s' on %s and '%s' on %s: %s",
             row->part[0].all, row->part[1].all, row->part[2].all,
             row->part[3].all, how);
    is_int(link_hash(row->part[1].all, NULL, row->part[0].all, 0)
               == link_hash(row->part[3].all, NULL, row->part[2].all, 0),
           strcmp(how, "same") == 0, name);
}


static void
pictures_are(const row_t *row)
{
    is_int(link_hash("/", NULL, row->part[0].all, 1)
               == link_hash("/", NULL, row->part[1].all, 1),
           strcmp(row->part[2].all, "same") == 0, row->part[0].all);
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


static void
test_query(void)
{
    ok(link_hash("/", NULL, "a.png?v1", 1) == link_hash("/", NULL, "a.png", 1),
       "a query that is left out");
    ok(link_hash("/", NULL, "a.png#1", 1) != link_hash("/", NULL, "a.png", 1),
       "but not a fragment");
    ok(link_hash("/", NULL, "//x.example/a.jpg?v1", 1)
           == link_hash("/", NULL, "//x.example/a.jpg?v2", 1),
       "on another site as well");

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
        h ^= dt_address_link(&address, text, text + i, (int) i % 2);
    }

    ok(h != 0, "any bytes");
}


int
main(void)
{
    rows("web", "links", links_are);
    rows("web", "pictures", pictures_are);
    test_base();
    test_query();
    test_bounds();

    return done();
}
