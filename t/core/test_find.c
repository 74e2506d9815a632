
/*
 * Copyright (C) The detemplate authors
 *
 * Looking for bytes: nothing is left out, whatever blocks and windows begin
 * and end with, and nothing outside is read (the memory is as long as the
 * bytes).
 */


#include <stdlib.h>

#include "core/base/find.h"
#include "test.h"


#define LONGEST 200 /* several windows */


static uint64_t seed = 1;


static unsigned
any(unsigned n)
{
    seed = dt_mix(seed, n);

    return (unsigned) (seed >> 32) % n;
}


/* len bytes, of which about one in each few is a '<' */
static char *
fill(size_t len, unsigned each)
{
    size_t i;
    char *p = malloc(len ? len : 1);

    for (i = 0; p && i < len; i++) {
        p[i] = any(each) ? (char) ('<' + 1 - (int) any(2) * 2) : '<';
    }

    return p;
}


static const char *
slow(const char *p, const char *end)
{
    while (p < end && *p != '<') {
        p++;
    }

    return p;
}


static int
find_good(const char *p, size_t len)
{
    const char *end = p + len;

    return dt_find(p, end, '<') == slow(p, end)
           && dt_find_two(p, end, '<', '\0') == slow(p, end);
}


int
main(void)
{
    int found = 1;
    char *p;
    size_t len;
    unsigned each;

    for (len = 0; len <= LONGEST; len++) {
        for (each = 1; each <= LONGEST; each *= 3) {
            p = fill(len, each);
            if (p == NULL) {
                return 1;
            }

            found = found && find_good(p, len);
            free(p);
        }
    }

    ok(found, "the first byte");

    return done();
}
