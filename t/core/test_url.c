
/*
 * Copyright (C) The detemplate authors
 *
 * Resolving follows the examples of RFC 3986, section 5.4; where browsers do
 * otherwise (backslashes, line breaks), the browsers are right.
 */


#include "core/web/fetch.h"
#include "core/web/url.h"
#include "test.h"


#define RFC "http://a/b/c/d;p?q"


static dt_arena_t *arena;


static dt_status_t
resolve(const char *base, dt_str_t ref, dt_url_t *out)
{
    dt_url_t b;

    if (base == NULL) {
        return dt_url_resolve(NULL, ref, arena, out);
    }

    if (dt_url_resolve(NULL, dt_cstr(base), arena, &b) != DT_OK) {
        return DT_EBUG;
    }

    return dt_url_resolve(&b, ref, arena, out);
}


static void
resolves(const char *base, const char *ref, const char *want)
{
    char name[512];
    dt_url_t u;
    dt_status_t rc;

    snprintf(name, sizeof(name), "'%.200s' is %s", ref, want);
    for (char *p = name; *p; p++) {
        *p = *p < ' ' ? '.' : *p == '#' ? '|' : *p;
    }

    rc = resolve(base, dt_cstr(ref), &u);
    if (rc != DT_OK) {
        is_int(rc, DT_OK, name);
        return;
    }

    is_str(u.href.data, u.href.len, want, name);
}


static void
refuses(const char *base, dt_str_t ref, dt_status_t want, const char *name)
{
    dt_url_t u;

    is_int(resolve(base, ref, &u), want, name);
}


static void
test_rfc(void)
{
    static const char *const rows[][2] = {
        { "g", "http://a/b/c/g" },
        { "./g", "http://a/b/c/g" },
        { "g/", "http://a/b/c/g/" },
        { "/g", "http://a/g" },
        { "//g", "http://g/" },
        { "?y", "http://a/b/c/d;p?y" },
        { "g?y", "http://a/b/c/g?y" },
        { "#s", "http://a/b/c/d;p?q" },
        { "g#s", "http://a/b/c/g" },
        { "g?y#s", "http://a/b/c/g?y" },
        { ";x", "http://a/b/c/;x" },
        { "g;x", "http://a/b/c/g;x" },
        { "g;x?y#s", "http://a/b/c/g;x?y" },
        { "", "http://a/b/c/d;p?q" },
        { ".", "http://a/b/c/" },
        { "./", "http://a/b/c/" },
        { "..", "http://a/b/" },
        { "../", "http://a/b/" },
        { "../g", "http://a/b/g" },
        { "../..", "http://a/" },
        { "../../", "http://a/" },
        { "../../g", "http://a/g" },
        { "../../../g", "http://a/g" },
        { "../../../../g", "http://a/g" },
        { "/./g", "http://a/g" },
        { "/../g", "http://a/g" },
        { "g.", "http://a/b/c/g." },
        { ".g", "http://a/b/c/.g" },
        { "g..", "http://a/b/c/g.." },
        { "..g", "http://a/b/c/..g" },
        { "./../g", "http://a/b/g" },
        { "./g/.", "http://a/b/c/g/" },
        { "g/./h", "http://a/b/c/g/h" },
        { "g/../h", "http://a/b/c/h" },
        { "g;x=1/./y", "http://a/b/c/g;x=1/y" },
        { "g;x=1/../y", "http://a/b/c/y" },
        { "g?y/./x", "http://a/b/c/g?y/./x" },
        { "g?y/../x", "http://a/b/c/g?y/../x" },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        resolves(RFC, rows[i][0], rows[i][1]);
    }
}


static void
test_normal(void)
{
    static const char *const rows[][2] = {
        { "HTTP://Example.ORG", "http://example.org/" },
        { "http://example.org:80/", "http://example.org/" },
        { "https://example.org:443/", "https://example.org/" },
        { "https://example.org:80/", "https://example.org:80/" },
        { "http://example.org:8080/a", "http://example.org:8080/a" },
        { "http://[::1]:8080/a", "http://[::1]:8080/a" },
        { "http://a/%7euser/%41", "http://a/~user/A" },
        { "http://a/%e2%82%ac%2f", "http://a/%E2%82%AC%2F" },
        { "http://a/\xe2\x82\xac?\xc3\xa9", "http://a/%E2%82%AC?%C3%A9" },
        { "http://a/b%2e%2E/x/%2e%2e/y", "http://a/b../y" },
        { "http://a/x/%2e%2e/y", "http://a/y" },
        { "  http://a/b \n", "http://a/b" },
        { "ht\ntp://a/b\tc\r\nd", "http://a/bcd" },
        { "http://a/b c?d e", "http://a/b%20c?d%20e" },
        { "http://a\\b\\c?d\\e", "http://a/b/c?d%5Ce" },
        { "http://a/\"<>^`{|}", "http://a/%22%3C%3E%5E%60%7B%7C%7D" },
        { "http://a/100%", "http://a/100%25" },
        { "http://a/%zz%4", "http://a/%25zz%254" },
        { "http://a/%e%33", "http://a/%25e3" },
        { "http://a/b//c", "http://a/b//c" },
        { "http://a/b?", "http://a/b" },
        { "http://a?b", "http://a/?b" },
        { "http:///a", "http://a/" },
        { "http://a/?u=http://b/../c", "http://a/?u=http://b/../c" },
        { "http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/" },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        resolves(NULL, rows[i][0], rows[i][1]);
    }

    resolves("https://a/b/c", "//d/e", "https://d/e");
    resolves("http://a/b/", "foo_bar:baz", "http://a/b/foo_bar:baz");
    resolves("http://a/b/", "1:2", "http://a/b/1:2");
    resolves("http://a/b", "?x=1", "http://a/b?x=1");
    resolves("http://a/b?x=1", "c?y=http://d/", "http://a/c?y=http://d/");
    resolves("http://a/b?x=/1/2/", "c", "http://a/c");
    resolves("http://a", "b", "http://a/b");
}


static void
test_refused(void)
{
    char buf[DT_URL_MAX + 64];
    size_t n;

    refuses(RFC, dt_str("mailto:a@b"), DT_DECLINED, "mailto");
    refuses(RFC, dt_str("JavaScript:void(0)"), DT_DECLINED, "javascript");
    refuses(RFC, dt_str(" java\nscript:x"), DT_DECLINED, "split javascript");
    refuses(RFC, dt_str("data:text/html,x"), DT_DECLINED, "data");
    refuses(RFC, dt_str("tel:+1"), DT_DECLINED, "tel");
    refuses(RFC, dt_str("file:///etc/passwd"), DT_DECLINED, "file");
    refuses(NULL, dt_str("ftp://a/"), DT_DECLINED, "ftp");
    refuses(NULL, dt_str("/a"), DT_EINVAL, "relative without a base");
    refuses(NULL, dt_str(""), DT_EINVAL, "empty without a base");
    refuses(RFC, dt_str("http:g"), DT_EINVAL, "a scheme without slashes");
    refuses(NULL, dt_str("http://"), DT_EINVAL, "no host");
    refuses(NULL, dt_str("http:///"), DT_EINVAL, "slashes alone");
    refuses(NULL, dt_str("http://a b/"), DT_EINVAL, "a blank in the host");
    refuses(NULL, dt_str("http://a%00b/"), DT_EINVAL, "a NUL in the host");
    refuses(NULL, dt_str("http://a%0d%0ab/"), DT_EINVAL, "CRLF in the host");
    refuses(NULL,
            dt_str("http://b\xc3\xbc"
                   "cher.example/"),
            DT_EINVAL, "a host in UTF-8");
    refuses(NULL, dt_str("http://a:99999/"), DT_EINVAL, "a port too large");
    refuses(NULL, dt_str("http://a:b/"), DT_EINVAL, "a port of letters");
    refuses(NULL, dt_str("http://u:p@a/"), DT_EINVAL, "a user");
    refuses(RFC, dt_str("//u@a/"), DT_EINVAL, "a user, relative");
    refuses(RFC, dt_str("a\0b"), DT_EINVAL, "a NUL");
    refuses(NULL, dt_str("http://[::1/"), DT_EINVAL, "half an address");

    n = (size_t) snprintf(buf, sizeof(buf), "http://a/");
    memset(buf + n, 'x', sizeof(buf) - n);

    refuses(NULL, (dt_str_t){ DT_URL_MAX - 16, buf }, DT_OK, "a long URL");
    refuses(NULL, (dt_str_t){ DT_URL_MAX + 1, buf }, DT_ELIMIT, "too long");
    refuses("http://a.example/", (dt_str_t){ DT_URL_MAX - 16, buf + n },
            DT_ELIMIT, "too long once resolved");

    memset(buf + n, 0xc3, sizeof(buf) - n);
    refuses(NULL, (dt_str_t){ DT_URL_MAX, buf }, DT_ELIMIT,
            "too long once encoded");
}


static void
test_parts(void)
{
    dt_url_t u;
    dt_arena_t *small;

    resolve(NULL, dt_str("HTTPS://WWW.Example.org:8443/a/b?c=d&e#f"), &u);

    is_str(u.scheme.data, u.scheme.len, "https", "scheme");
    is_str(u.host.data, u.host.len, "www.example.org:8443", "host");
    is_str(u.path.data, u.path.len, "/a/b", "path");
    is_str(u.query.data, u.query.len, "c=d&e", "query");
    ok(u.scheme.data[u.scheme.len] == '\0' && u.host.data[u.host.len] == '\0'
           && u.path.data[u.path.len] == '\0'
           && u.query.data[u.query.len] == '\0'
           && u.href.data[u.href.len] == '\0',
       "parts end with NUL");

    for (size_t cap = 0; cap < 160; cap += 16) {
        small = dt_arena_create(cap);
        if (dt_url_resolve(NULL, dt_str("http://example.org/some/path?q"),
                           small, &u)
            != DT_ENOMEM)
        {
            ok(cap > 64, "no memory is told");
            cap = 160;
        }
        dt_arena_destroy(small);
    }
}


static void
name(const char *url, const char *want, const char *want_port)
{
    dt_str_t s, port;
    dt_url_t u;

    resolve(NULL, dt_cstr(url), &u);

    s = dt_url_name(&u, &port);
    is_str(s.data, s.len, want, url);
    is_str(port.data, port.len, want_port, "its port");
}


static void
same_site(const char *a, const char *b, int want)
{
    char name[256];
    dt_url_t u, v;

    resolve(NULL, dt_cstr(a), &u);
    resolve(NULL, dt_cstr(b), &v);

    snprintf(name, sizeof(name), "%s and %s", a, b);
    is_int(dt_url_same_site(&u, &v), want, name);
}


static void
distance(const char *from, const char *to, int want)
{
    char name[256];
    dt_url_t u, v;

    resolve("http://a/", dt_cstr(from), &u);
    resolve("http://a/", dt_cstr(to), &v);

    snprintf(name, sizeof(name), "from %s to %s", from, to);
    is_int(dt_url_distance(&u, &v), want, name);
}


/* where a page of http://site.test/ leads by way of an origin */
static void public(const char *origin, const char *next, const char *want)
{
    dt_url_t page, u;
    dt_origin_t *o = dt_origin_create(origin);

    resolve(NULL, dt_str("http://site.test/p"), &page);
    resolve(NULL, dt_cstr(next), &u);

    is_int(dt_origin_public(o, &page, arena, &u), DT_OK, next);
    is_str(u.href.data, u.href.len, want, next);
    dt_origin_destroy(o);
}


static void
test_origin(void)
{
    static const char origin[] = "http://back.test:8080/app";

    public(origin, "http://back.test:8080/app/x?y", "http://site.test/x?y");
    public(origin, "http://back.test:8080/app/", "http://site.test/");
    public(origin, "http://site.test:8080/app/x", "http://site.test/x");
    public(origin, "http://site.test/app/x", "http://site.test/app/x");
    public(origin, "http://back.test/app/x", "http://back.test/app/x");
    public(origin, "http://else.test/app/x", "http://else.test/app/x");
    public(origin, "http://back.test:8080/ap", "http://back.test:8080/ap");
    public(origin, "http://back.test:8080/app2/x",
           "http://back.test:8080/app2/x");

    ok(dt_origin_create("ftp://back.test") == NULL, "an origin of no use");
}


int
main(void)
{
    arena = dt_arena_create(4 << 20);

    test_rfc();
    test_normal();
    test_refused();
    test_parts();
    test_origin();

    name("http://a.org/", "a.org", "");
    name("http://a.org:8080/", "a.org", ":8080");
    name("http://127.0.0.1:80/", "127.0.0.1", "");
    name("http://[::1]/", "[::1]", "");
    name("http://[::1]:8080/b:c", "[::1]", ":8080");

    same_site("http://a.org/x", "https://a.org/y", 1);
    same_site("http://www.a.org/", "http://A.org/", 1);
    same_site("http://a.org/", "http://b.org/", 0);
    same_site("http://a.org/", "http://x.a.org/", 0);
    same_site("http://a.org/", "http://a.org:8080/", 0);

    distance("/b/c.html", "/b/d.html", 0);
    distance("/b/c.html", "/b/", 0);
    distance("/b", "/c", 0);
    distance("/b/c", "/b/d/e", 1);
    distance("/b/c", "/b/d/e/f", 2);
    distance("/b/c", "/b/c/", 1);
    distance("/b/c", "/d", -1);
    distance("/b/d/", "/", -2);
    distance("/", "/b/d/", 2);
    distance("/b/c/x", "/b/d/x", -2);
    distance("/b/c/x", "/e/f/g/x", -5);
    distance("/bc/x", "/bd/x", -2);
    distance("/b/x", "/bb/x", -2);

    dt_arena_destroy(arena);

    return done();
}
