
/*
 * Copyright (C) The detemplate authors
 *
 * A fuzz target is one function.  libFuzzer calls it; with FUZZ_REPLAY
 * defined there is a main() instead that gives it every file of
 * t/data/fuzz/NAME, with and without its last bytes, one test each.
 */


#ifndef DT_FUZZ_H_INCLUDED_
#define DT_FUZZ_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/dt.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


#define fuzz_str(data, size) ((dt_str_t){ (size), (const char *) (data) })

/* what must hold, whatever the input */
#define fuzz_assert(what)                                                     \
    do {                                                                      \
        if (!(what)) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);        \
            abort();                                                          \
        }                                                                     \
    } while (0)


#ifdef FUZZ_REPLAY

#include <dirent.h>

#include "t/core/test.h"

#define FUZZ_MAX (1u << 20)


static inline void
fuzz_file(const char *dir, const char *name)
{
    char path[512];
    FILE *fp;
    size_t n, len;
    uint8_t *data, *copy;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    fp = fopen(path, "r");
    data = malloc(FUZZ_MAX);

    if (fp == NULL || data == NULL) {
        ok(0, path);
        free(data);
        return;
    }

    len = fread(data, 1, FUZZ_MAX, fp);
    fclose(fp);

    for (n = len; n + 64 > len; n--) {
        copy = malloc(n ? n : 1);
        memcpy(copy, data, n);
        (void) LLVMFuzzerTestOneInput(copy, n);
        free(copy);

        if (n == 0) {
            break;
        }
    }

    free(data);
    ok(1, path);
}


int
main(int argc, char **argv)
{
    int i, n;
    char dir[256];
    struct dirent **names;
    const char *name = strrchr(argv[0], '/');

    snprintf(dir, sizeof(dir), "t/data/fuzz/%s", name ? name + 1 : argv[0]);
    n = scandir(argc > 1 ? argv[1] : dir, &names, NULL, alphasort);

    for (i = 0; i < n; i++) {
        if (names[i]->d_name[0] != '.') {
            fuzz_file(argc > 1 ? argv[1] : dir, names[i]->d_name);
        }

        free(names[i]);
    }

    if (n >= 0) {
        free(names);
    }

    ok(n > 2, "there are inputs");

    return done();
}

#endif


#endif /* DT_FUZZ_H_INCLUDED_ */
