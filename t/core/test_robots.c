
/*
 * Copyright (C) The detemplate authors
 *
 * Which paths a robots.txt keeps a learner from: t/core/rows/web.
 */


#include "core/web/fetch.h"
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
    test_bounds();

    return done();
}
