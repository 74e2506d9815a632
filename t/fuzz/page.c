
/*
 * Copyright (C) The detemplate authors
 *
 * A target: what is left of it when session and tracking are out is the same
 * page, of the same kind.
 */


#include <stdlib.h>

#include "fuzz.h"
#include "core/base/page.h"


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *once, *twice;
    const char *end;
    size_t n, m;
    dt_str_t target, path, query, what;
    dt_page_kind_t kind[2];
    uint64_t key[2];
    int i;

    target = fuzz_str(data, size);
    once = malloc(size + 1);
    twice = malloc(size + 1);
    n = dt_page_target(target, once);
    fuzz_assert(n <= size);
    m = dt_page_target((dt_str_t){ n, once }, twice);
    fuzz_assert(m == n && memcmp(once, twice, n) == 0);

    for (i = 0; i < 2; i++) {
        path = i ? (dt_str_t){ n, once } : target;
        end = path.len ? memchr(path.data, '#', path.len) : NULL;
        path.len = end ? (size_t) (end - path.data) : path.len;
        end = path.len ? memchr(path.data, '?', path.len) : NULL;
        query = dt_str("");

        if (end != NULL) {
            query.data = end + 1;
            query.len = path.len - (size_t) (end + 1 - path.data);
            path.len = (size_t) (end - path.data);
        }

        key[i] = dt_page_query(query);
        kind[i] = dt_page_kind(path, query, &what);

        fuzz_assert(kind[i] == DT_PAGE_OK
                    || (what.data >= path.data
                        && what.data + what.len <= path.data + size + 1));
        fuzz_assert(dt_page_path(path).len <= path.len);
    }

    /* as it was sent, a session may be encoded */
    fuzz_assert(key[0] == key[1] || memchr(target.data, '%', target.len));

    free(once);
    free(twice);

    return 0;
}
