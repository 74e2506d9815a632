
/*
 * Copyright (C) The detemplate authors
 *
 * Which paths a robots.txt keeps a learner from: t/core/rows/web.
 */


#include "core/web/fetch.h"
#include "core/web/robots.h"
#include "core/web/url.h"
#include "rows.h"


#define US "User-agent: detemplate\n"


static void
robots(const char *text, const char *path, int want, const char *name)
{
    dt_arena_t *a = dt_arena_create(16 << 20);
    dt_robots_t *r;

    if (dt_robots_parse(dt_cstr(text), dt_str("detemplate"), a, &r) != DT_OK) {
        ok(0, name);

    } else {
        is_int(dt_robots_allowed(r, dt_cstr(path)), want, name);
    }

    dt_arena_destroy(a);
}


static void
row_is(const row_t *row)
{
    robots(row->part[3].all, row->part[2].all,
           strcmp(row->part[1].all, "yes") == 0, row->part[0].all);
}


static void
test_delays(void)
{
    size_t i;
    char name[32];
    dt_robots_t *r = NULL;
    dt_arena_t *a = dt_arena_create(1 << 20);

    static const struct {
        const char *text;
        unsigned ms;
    } cases[] = {
        { "", 0 },
        { "User-agent: *\nCrawl-delay: 5\n", 5000 },
        { US "crawl-delay:0.5\nDisallow: /a\n", 500 },
        { US "Crawl-delay: 10\n", 10000 },
        { US "Crawl-delay: 10.5\n", 10000 },
        { US "Crawl-delay: 99999999999999999999\n", 10000 },
        { US "Crawl-delay: -1\n", 0 },
        { US "Crawl-delay: soon\n", 0 },
        { US "Crawl-delay: nan\n", 10000 },
        { "User-agent: other\nCrawl-delay: 5\n", 0 },
        { "User-agent: *\nCrawl-delay: 5\n" US "Disallow:\n", 0 },
        { US "Crawl-delay: 2\nUser-agent: *\nCrawl-delay: 5\n", 2000 },
        { "Crawl-delay: 5\n", 0 },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        (void) dt_robots_parse(dt_cstr(cases[i].text), dt_str("detemplate"), a,
                               &r);
        snprintf(name, sizeof(name), "delay %zu", i);
        is_int(dt_robots_delay(r), cases[i].ms, name);
    }

    dt_arena_destroy(a);
}


/* what becomes of a file that is there, or not, or cannot be had */
static void
fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    (void) a;
    *out = *(const dt_fetched_t *) data;
    ok(strcmp(url, "http://site.test/robots.txt") == 0, "its URL");
}


static void
test_get(void)
{
    size_t i;
    dt_url_t site;
    dt_robots_t *r = NULL;
    dt_arena_t *a = dt_arena_create(1 << 20);

    static const struct {
        dt_fetched_t got;
        int b;
        int closed;
        const char *name;
    } cases[] = {
        { { .status = 200 }, 1, 0, "a file" },
        { { .status = 404 }, 1, 0, "none" },
        { { .status = 403 }, 1, 0, "none for us" },
        { { .status = 301, .rc = DT_DECLINED }, 1, 0, "elsewhere" },
        { { .status = 500 }, 0, 1, "an error" },
        { { .status = 502 }, 1, 0, "a closed connection" },
        { { .rc = DT_EIO, .reason = "network" }, 1, 0, "no answer" },
        { { .rc = DT_EIO, .reason = "connect" }, 0, 1, "no connection" },
        { { .status = 503 }, 0, 1, "no file now" },
        { { .status = 0, .rc = DT_EIO }, 0, 1, "no server" },
        { { .status = 200, .rc = DT_EIO }, 0, 1, "a part of a file" },
    };

    (void) dt_url_resolve(NULL, dt_str("http://site.test/x/y"), a, &site);

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dt_fetched_t got = cases[i].got;

        got.body = dt_str(US "Disallow: /a\nCrawl-delay: 1\n");
        is_int(dt_robots_get(fetch, &got, &site, a, &r), DT_OK, cases[i].name);
        is_int(dt_robots_allowed(r, dt_str("/b")), cases[i].b, cases[i].name);
        is_int(dt_robots_allowed(r, dt_str("/a")), i > 0 && cases[i].b,
               cases[i].name);
        is_int(dt_robots_closed(r), cases[i].closed, cases[i].name);
        dt_robots_ignore(r);
        ok(dt_robots_allowed(r, dt_str("/a")) && dt_robots_delay(r) == 0,
           "without rules");
    }

    dt_arena_destroy(a);
}


static void
test_bounds(void)
{
    char *text, path[DT_URL_MAX + 2];
    size_t n, len = 600 * 1024;
    dt_arena_t *a;
    dt_robots_t *r;

    text = malloc(len + 1);
    if (text == NULL) {
        return;
    }

    n = (size_t) snprintf(text, len, US "Disallow: /a\n#");
    memset(text + n, 'x', len - n);
    memcpy(text + 510 * 1024, "\nDisallow: /b\n", 14);
    text[len] = '\0';

    robots(text, "/a", 0, "before 500 KiB");
    robots(text, "/b", 1, "behind 500 KiB");

    memcpy(text + 500 * 1024 - 12, "\nDisallow: /cd\n", 15);
    robots(text, "/c", 1, "a line that is cut does not count");

    n = (size_t) snprintf(text, len, US "Disallow: /");
    memset(text + n, 'y', 10000);
    text[n + 10000] = '\0';
    robots(text, "/y", 1, "an endless pattern");

    n = (size_t) snprintf(text, len, US);
    while (n < 400 * 1024) {
        n += (size_t) snprintf(text + n, len - n, "Disallow: /*a*a*a*a*b$\n");
    }

    memset(path, 'a', sizeof(path));
    path[0] = '/';
    path[64] = '\0';
    robots(text, path, 1, "many stars");

    path[64] = 'a';
    path[DT_URL_MAX + 1] = '\0';
    robots("", path, 0, "a path longer than any URL");

    a = dt_arena_create(2000);
    is_int(dt_robots_parse(dt_cstr(text), dt_str("detemplate"), a, &r),
           DT_ENOMEM, "no memory is told");
    dt_arena_destroy(a);

    free(text);
}


int
main(void)
{
    rows("web", "robots", row_is);
    test_delays();
    test_get();
    test_bounds();

    return done();
}
