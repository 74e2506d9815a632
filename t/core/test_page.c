
/*
 * Copyright (C) The detemplate authors
 *
 * What a page is by its path and query: t/core/rows/web.
 */


#include "core/base/page.h"
#include "rows.h"


static void
target_is(const row_t *row)
{
    char out[256];
    size_t n = dt_page_target(dt_cstr(row->part[0].all), out);

    is_str(out, n, row->part[1].all, row->part[0].all);
}


static void
same_is(const row_t *row)
{
    is_int(dt_page_query(dt_cstr(row->part[0].all))
               == dt_page_query(dt_cstr(row->part[1].all)),
           atoi(row->part[2].all), row->part[0].all);
}


static void
test_same(void)
{
    dt_str_t path;

    is_int((long long) dt_page_query(dt_str("utm_source=x")), 0, "nothing");
    is_int(dt_page_args(dt_str("a=1&utm_source=x&&b=2;c")), 3, "arguments");

    path = dt_page_path(dt_str("/a;v=1;jsessionid=x"));
    is_str(path.data, path.len, "/a;v=1", "a path without its session");
    path = dt_page_path(dt_str("/a;jsessionid=x/b"));
    is_str(path.data, path.len, "/a;jsessionid=x/b", "not at the end");
}


/* the kind of a target, and what decided */
static void
kind_is(const row_t *row)
{
    static const char *const kinds[] = {
        [DT_PAGE_OK] = "page",
        [DT_PAGE_QUERY] = "query",
        [DT_PAGE_ACTION] = "action",
        [DT_PAGE_SEARCH] = "search",
    };
    const char *target = row->part[1].all, *q = strchr(target, '?');
    dt_str_t path, query, what = dt_str("");
    dt_page_kind_t kind;

    path = (dt_str_t){ q ? (size_t) (q - target) : strlen(target), target };
    query = dt_cstr(q ? q + 1 : "");
    kind = dt_page_kind(path, query, &what);
    is_str(kinds[kind], strlen(kinds[kind]), row->part[0].all, target);

    if (kind != DT_PAGE_OK) {
        is_str(what.data, what.len, row->part[row->nparts - 1].all, target);
    }
}


/* a path is read as far as one may be that is asked for */
static void
test_long(void)
{
    char path[2049];
    dt_str_t what;

    memset(path, 'a', sizeof(path));
    path[0] = '/';
    memcpy(path + 2041, "/logout", 7);
    is_int(dt_page_kind((dt_str_t){ 2048, path }, dt_str(""), &what),
           DT_PAGE_ACTION, "at the end of 2048 bytes");

    path[2041] = 'a';
    memcpy(path + 2042, "/logout", 7);
    is_int(dt_page_kind((dt_str_t){ 2049, path }, dt_str(""), &what),
           DT_PAGE_OK, "beyond");
}


int
main(void)
{
    rows("web", "target", target_is);
    rows("web", "same query", same_is);
    rows("web", "kind", kind_is);
    test_same();
    test_long();

    return done();
}
