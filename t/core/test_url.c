
/*
 * Copyright (C) The detemplate authors
 *
 * Resolving follows the examples of RFC 3986; where browsers do otherwise
 * (backslashes, line breaks), the browsers are right: t/core/rows/web.
 */


#include "core/web/url.h"
#include "rows.h"


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
resolved_is(const row_t *row)
{
    resolves(RFC, row->part[0].all, row->part[1].all);
}


static void
normal_is(const row_t *row)
{
    resolves(NULL, row->part[0].all, row->part[1].all);
}


static void
based_is(const row_t *row)
{
    resolves(row->part[0].all, row->part[1].all, row->part[2].all);
}


static void
refused_is(const row_t *row)
{
    refuses(
        row->nparts == 4 ? row->part[3].all : NULL, dt_cstr(row->part[2].all),
        strcmp(row->part[1].all, "declined") == 0 ? DT_DECLINED : DT_EINVAL,
        row->part[0].all);
}


static void
test_refused(void)
{
    char buf[DT_URL_MAX + 64];
    size_t n;

    refuses(RFC, dt_str("a\0b"), DT_EINVAL, "a NUL");
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
name_is(const row_t *row)
{
    dt_str_t s, port;
    dt_url_t u;

    resolve(NULL, dt_cstr(row->part[0].all), &u);
    s = dt_url_name(&u, &port);
    is_str(s.data, s.len, row->part[1].all, row->part[0].all);
    is_str(port.data, port.len, row->part[2].all, "its port");
}


/* two URLs, against a base, and the name of a test of both */
static void
two(const row_t *row, dt_url_t *u, dt_url_t *v, char name[256])
{
    resolve("http://a/", dt_cstr(row->part[0].all), u);
    resolve("http://a/", dt_cstr(row->part[1].all), v);
    snprintf(name, 256, "%s and %s", row->part[0].all, row->part[1].all);
}


static void
same_site_is(const row_t *row)
{
    char name[256];
    dt_url_t u, v;

    two(row, &u, &v, name);
    is_int(dt_url_same_site(&u, &v), atoi(row->part[2].all), name);
}


static void
distance_is(const row_t *row)
{
    char name[256];
    dt_url_t u, v;

    two(row, &u, &v, name);
    is_int(dt_url_distance(&u, &v), atoi(row->part[2].all), name);
}


/* where a page of http://site.test/ leads by way of an origin */
static void
origin_is(const row_t *row)
{
    const char *next = row->part[0].all, *want = row->part[1].all;
    dt_url_t page, u;
    dt_origin_t *o = dt_origin_create("http://back.test:8080/app");

    resolve(NULL, dt_str("http://site.test/p"), &page);
    resolve(NULL, dt_cstr(next), &u);

    is_int(dt_origin_public(o, &page, arena, &u), DT_OK, next);
    is_str(u.href.data, u.href.len, want, next);
    dt_origin_destroy(o);
}


int
main(void)
{
    arena = dt_arena_create(4 << 20);

    rows("web", "resolved", resolved_is);
    rows("web", "normal", normal_is);
    rows("web", "based", based_is);
    rows("web", "refused", refused_is);
    test_refused();
    test_parts();
    rows("web", "name", name_is);
    rows("web", "same site", same_site_is);
    rows("web", "distance", distance_is);
    rows("web", "origin", origin_is);
    ok(dt_origin_create("ftp://back.test") == NULL, "an origin of no use");

    dt_arena_destroy(arena);

    return done();
}
