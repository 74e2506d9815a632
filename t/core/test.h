
/*
 * Copyright (C) The detemplate authors
 *
 * TAP for unit tests: ok() a line, is_*() with both values on failure,
 * done() last, as the value of main().
 */


#ifndef DT_TEST_H_INCLUDED_
#define DT_TEST_H_INCLUDED_


#include <inttypes.h>
#include <stdio.h>
#include <string.h>


static int test_count, test_failed;


static inline int
ok(int good, const char *name)
{
    test_count++;
    test_failed += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", test_count, name);

    return good;
}


static inline int
is_int(long long got, long long want, const char *name)
{
    if (!ok(got == want, name)) {
        printf("#   got %lld, want %lld\n", got, want);
        return 0;
    }

    return 1;
}


static inline int
is_str(const char *got, size_t len, const char *want, const char *name)
{
    if (!ok(len == strlen(want) && memcmp(got, want, len) == 0, name)) {
        printf("#   got '%.*s'\n#  want '%s'\n", (int) len, got, want);
        return 0;
    }

    return 1;
}


static inline int
done(void)
{
    printf("1..%d\n", test_count);

    return test_failed != 0;
}


#endif /* DT_TEST_H_INCLUDED_ */
