
/*
 * Copyright (C) The detemplate authors
 *
 * A robots.txt, with its own lines as paths.
 */


#include "core/web/robots.h"
#include "fuzz.h"
#include "core/web/fetch.h"


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t i, n;
    dt_arena_t *a;
    dt_robots_t *r;

    a = dt_arena_create((size_t) 8 << 20);

    if (dt_robots_parse(fuzz_str(data, size), dt_str("detemplate"), a, &r)
        == DT_OK)
    {
        for (i = 0; i < size && i < 2000; i += n + 1) {
            for (n = 0; i + n < size && data[i + n] != '\n'; n++) {
                /* void */
            }

            (void) dt_robots_allowed(r, fuzz_str(data + i, n));
        }

        fuzz_assert(dt_robots_allowed(r, dt_str("/robots.txt")));
    }

    dt_arena_destroy(a);

    return 0;
}
