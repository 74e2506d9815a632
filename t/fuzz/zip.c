
/*
 * Copyright (C) The detemplate authors
 *
 * A ZIP.  Its files are within it, and come out as long as they are said to
 * be.
 */


#include <string.h>

#include "core/web/zip.h"
#include "fuzz.h"


#define MOST ((uint64_t) 8 << 20) /* bytes that are uncompressed */


typedef struct {
    const uint8_t *data;
    size_t size;
    unsigned files;
    uint64_t out;
} input_t;


static ssize_t
input_read(void *data, uint64_t offset, char *buf, size_t size)
{
    const input_t *in = data;
    size_t n = offset < in->size ? in->size - (size_t) offset : 0;

    n = n < size ? n : size;

    if (n) {
        memcpy(buf, in->data + offset, n);
    }

    return (ssize_t) n;
}


static int
input_out(void *data, const char *p, size_t len)
{
    input_t *in = data;

    fuzz_assert(len && p != NULL);
    in->out += len;

    return in->out > MOST;
}


static int
input_file(void *data, const dt_zip_file_t *f)
{
    input_t *in = data;
    dt_status_t rc;

    fuzz_assert(f->name.len && f->name.len <= DT_ZIP_NAME);
    fuzz_assert(f->name.data[f->name.len] == '\0');
    fuzz_assert(f->offset <= in->size && f->packed <= in->size - f->offset);

    if (f->method == 0) {
        fuzz_assert(f->size == f->packed);

    } else {
        in->out = 0;
        rc = dt_zip_inflate(input_read, in, f, input_out, in);
        fuzz_assert(rc != DT_OK || in->out == f->size);
        fuzz_assert(rc != DT_DECLINED || in->out > MOST);
    }

    return ++in->files == 64;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input_t in = { data, size, 0, 0 };
    const char *why = NULL;
    dt_status_t rc;

    rc = dt_zip_files(input_read, &in, size, input_file, &in, &why);
    fuzz_assert(rc == DT_OK || rc == DT_EINVAL || rc == DT_DECLINED);
    fuzz_assert(why != NULL);

    return 0;
}
