
/*
 * Copyright (C) The detemplate authors
 *
 * An input is a base and a reference, a line each.  What is resolved is a URL
 * already: resolved again it is the same.
 */


#include "fuzz.h"
#include "core/web/url.h"


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t len;
    dt_url_t base, url, again;
    dt_arena_t *a;
    const uint8_t *nl;

    nl = memchr(data, '\n', size);
    len = nl ? (size_t) (nl - data) : size;
    a = dt_arena_create((size_t) 1 << 20);

    if (dt_url_resolve(NULL, fuzz_str(data, len), a, &base) != DT_OK) {
        (void) dt_url_resolve(NULL, dt_str("http://a.example/b/c?d"), a,
                              &base);
    }

    if (nl != NULL) {
        data = nl + 1;
        size -= len + 1;
    }

    if (dt_url_resolve(&base, fuzz_str(data, size), a, &url) == DT_OK) {
        fuzz_assert(url.path.len && url.path.data[0] == '/');
        fuzz_assert(strlen(url.href.data) == url.href.len);
        fuzz_assert(dt_url_resolve(&base, url.href, a, &again) == DT_OK);
        fuzz_assert(dt_str_eq(url.href, again.href));
        fuzz_assert(dt_url_same_site(&url, &url));
        fuzz_assert(dt_url_distance(&url, &url) == 0);
        (void) dt_url_distance(&base, &url);
    }

    dt_arena_destroy(a);

    return 0;
}
