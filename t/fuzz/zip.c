
/*
 * Copyright (C) The detemplate authors
 *
 * A ZIP.  Its files are within it, and come out as long as they are said to
 * be.
 */


#include <string.h>

#include "core/web/zip.h"
#include "fuzz.h"
#include "input.h"


#define MOST ((uint64_t) 8 << 20) /* bytes that are uncompressed */


typedef struct {
    input_t in;
    unsigned files;
    uint64_t out; /* bytes of a file */
} zip_t;


static int
input_out(void *data, const char *p, size_t len)
{
    zip_t *zip = data;

    fuzz_assert(len && p != NULL);
    zip->out += len;

    return zip->out > MOST;
}


static int
input_file(void *data, const dt_zip_file_t *f)
{
    zip_t *zip = data;
    dt_status_t rc;

    fuzz_assert(f->name.len && f->name.len <= DT_ZIP_NAME);
    fuzz_assert(f->name.data[f->name.len] == '\0');
    fuzz_assert(f->offset <= zip->in.size
                && f->packed <= zip->in.size - f->offset);

    if (f->method == 0) {
        fuzz_assert(f->size == f->packed);

    } else {
        zip->out = 0;
        rc = dt_zip_inflate(input_read, &zip->in, f, input_out, zip);
        fuzz_assert(rc != DT_OK || zip->out == f->size);
        fuzz_assert(rc != DT_DECLINED || zip->out > MOST);
    }

    return ++zip->files == 64;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    zip_t zip = { { data, size }, 0, 0 };
    const char *why = NULL;
    dt_status_t rc;

    rc = dt_zip_files(input_read, &zip.in, size, input_file, &zip, &why);
    fuzz_assert(rc == DT_OK || rc == DT_EINVAL || rc == DT_DECLINED);
    fuzz_assert(why != NULL);

    return 0;
}
