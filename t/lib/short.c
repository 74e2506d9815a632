
/*
 * Copyright (C) The detemplate authors
 *
 * A library to be preloaded.  Once the file SHORT exists, the first
 * allocation of SIZE bytes fails.
 */


#include <errno.h>
#include <stddef.h>
#include <unistd.h>


void *__libc_malloc(size_t size);


void *
malloc(size_t size)
{
    static int n;

    if (size == SIZE && access(SHORT, F_OK) == 0 && ++n == 1) {
        errno = ENOMEM;
        return NULL;
    }

    return __libc_malloc(size);
}
