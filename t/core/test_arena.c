
/*
 * Copyright (C) The detemplate authors
 */


#include <stdalign.h>

#include "core/base/arena.h"
#include "test.h"


static void
test_alloc(void)
{
    int aligned = 1, apart = 1;
    char *p, *end = NULL;
    size_t size;
    dt_arena_t *a;

    a = dt_arena_create((size_t) 64 << 20);
    for (size = 1; size < 3000; size += 7) {
        p = dt_arena_alloc(a, size);
        aligned &= p != NULL && (uintptr_t) p % alignof(max_align_t) == 0;
        apart &= p != end;
        memset(p, 0x5a, size);
        end = p;
    }

    ok(aligned, "alloc: aligned for any type");
    ok(apart, "alloc: pieces of their own");

    /* larger than a block, between small ones */

    p = dt_arena_alloc(a, 300 * 1024);
    end = dt_arena_alloc(a, 16);
    memset(p, 1, 300 * 1024);
    memset(end, 2, 16);
    is_int(p[300 * 1024 - 1], 1, "alloc: a large piece");

    dt_arena_destroy(a);
    dt_arena_destroy(NULL);
}


static void
test_large_first(void)
{
    char *p, *q;
    dt_arena_t *a;

    a = dt_arena_create(1 << 20);
    p = dt_arena_alloc(a, 100 * 1024);
    q = dt_arena_alloc(a, 100);
    memset(p, 1, 100 * 1024);
    memset(q, 2, 100);
    ok(p[100 * 1024 - 1] == 1 && q[0] == 2, "large piece first");
    dt_arena_destroy(a);
}


static void
test_cap(void)
{
    size_t n = 0;
    dt_arena_t *a;

    a = dt_arena_create(1000);
    ok(dt_arena_alloc(a, 1001) == NULL, "cap: too much at once");
    ok(dt_arena_alloc(a, SIZE_MAX) == NULL, "cap: the largest size");
    ok(dt_arena_alloc(a, SIZE_MAX - 7) == NULL, "cap: nearly so");
    ok(dt_arena_calloc(a, SIZE_MAX / 2, 3) == NULL, "cap: overflow");
    ok(dt_arena_calloc(a, SIZE_MAX / 2 + 1, 2) == NULL,
       "cap: overflow to nothing");
    ok(dt_arena_calloc(a, SIZE_MAX / 16, 16) == NULL, "cap: no overflow");

    while (dt_arena_alloc(a, 16) != NULL) {
        n += 16;
    }

    is_int((long long) n, 992, "cap: up to it");
    ok(dt_arena_alloc(a, 8) == NULL, "cap: rounding counts");
    dt_arena_destroy(a);

    a = dt_arena_create(0);
    ok(dt_arena_alloc(a, 1) == NULL, "cap: of nothing");
    dt_arena_destroy(a);
}


static void
test_copies(void)
{
    int zero = 1;
    char *p;
    dt_str_t s;
    dt_arena_t *a;

    a = dt_arena_create(100 * 1024);
    p = dt_arena_alloc(a, 1000);
    memset(p, 0x5a, 1000);
    p = dt_arena_calloc(a, 100, 10);

    for (size_t i = 0; i < 1000; i++) {
        zero &= p[i] == 0;
    }

    ok(zero, "calloc: zeroed");
    ok(dt_arena_calloc(a, 0, 10) != NULL, "calloc: none");

    s = dt_arena_strdup(a, dt_str("text"));
    is_str(s.data, s.len, "text", "strdup: a copy");
    is_int(s.data[4], 0, "strdup: ended by a NUL");
    s = dt_arena_strdup(a, (dt_str_t){ 3, "a\0b" });
    ok(s.len == 3 && memcmp(s.data, "a\0b", 4) == 0, "strdup: any bytes");
    s = dt_arena_strdup(a, (dt_str_t){ 0, NULL });
    is_str(s.data, s.len, "", "strdup: nothing");
    s = dt_arena_strdup(a, (dt_str_t){ 200 * 1024, p });
    ok(s.data == NULL && s.len == 0, "strdup: over the cap");
    dt_arena_destroy(a);
}


int
main(void)
{
    test_alloc();
    test_large_first();
    test_cap();
    test_copies();

    return done();
}
