
/*
 * Copyright (C) The detemplate authors
 *
 * A ZIP ends with a directory, which is found by its own end: the last record
 * of that kind, behind which only a comment may be.
 */


#define ZLIB_CONST

#include <stdlib.h>
#include <zlib.h>

#include "core/base/dt.h"
#include "core/web/zip.h"


#define DT_ZIP_END 22     /* bytes of the end of the directory, */
#define DT_ZIP_END64 56   /* and with numbers of 64 bits, */
#define DT_ZIP_LOCATOR 20 /* and of where that is */
#define DT_ZIP_ENTRY 46   /* of a file in the directory, */
#define DT_ZIP_LOCAL 30   /* and in front of it */
#define DT_ZIP_COMMENT 65535

#define DT_ZIP_ENCRYPTED 1
#define DT_ZIP_LARGE 0xffffffffu /* the number is in the extra field */


typedef struct {
    dt_warc_read_pt read;
    void *data;
    uint64_t size;
} dt_zip_t;


static uint64_t
dt_zip_number(const char *p, size_t bytes)
{
    uint64_t n = 0;

    while (bytes--) {
        n = n << 8 | (unsigned char) p[bytes];
    }

    return n;
}


/* reads len bytes; 0: they are not there */
static int
dt_zip_read(const dt_zip_t *z, uint64_t offset, char *buf, size_t len)
{
    ssize_t n;

    if (offset > z->size || len > z->size - offset) {
        return 0;
    }

    for (; len; offset += (size_t) n, buf += n, len -= (size_t) n) {
        n = z->read(z->data, offset, buf, len);

        if (n <= 0) {
            return 0;
        }
    }

    return 1;
}


/* finds the directory: where it begins, and how many files it has; 0: there is
   none */
static int
dt_zip_directory(const dt_zip_t *z, uint64_t *offset, uint64_t *n)
{
    int found = 0;
    char end[DT_ZIP_END64], *tail;
    size_t i, len = DT_ZIP_END + DT_ZIP_COMMENT;
    uint64_t at = 0, where;

    len = len < z->size ? len : (size_t) z->size;
    tail = malloc(len + 1);

    if (tail != NULL && dt_zip_read(z, z->size - len, tail, len)) {
        for (i = len < DT_ZIP_END ? 0 : len - DT_ZIP_END + 1; i-- > 0;) {
            if (memcmp(tail + i, "PK\5\6", 4) == 0) {
                found = 1;
                at = z->size - len + i;
                *n = dt_zip_number(tail + i + 10, 2);
                *offset = dt_zip_number(tail + i + 16, 4);
                break;
            }
        }
    }

    free(tail);

    if (found && at >= DT_ZIP_LOCATOR
        && dt_zip_read(z, at - DT_ZIP_LOCATOR, end, DT_ZIP_LOCATOR)
        && memcmp(end, "PK\6\7", 4) == 0)
    {
        where = dt_zip_number(end + 8, 8);

        if (dt_zip_read(z, where, end, DT_ZIP_END64)
            && memcmp(end, "PK\6\6", 4) == 0) {
            *n = dt_zip_number(end + 32, 8);
            *offset = dt_zip_number(end + 48, 8);
        }
    }

    return found;
}


/* replaces numbers that are too large for 32 bits by those of the extra field
 */
static void
dt_zip_large(const char *p, size_t len, dt_zip_file_t *f)
{
    size_t i, n;
    uint64_t *numbers[] = { &f->size, &f->packed, &f->offset };
    const char *end = p + len;

    for (; end - p >= 4; p += 4 + n) {
        n = (size_t) dt_zip_number(p + 2, 2);

        if (n > (size_t) (end - p) - 4) {
            return;
        }

        if (dt_zip_number(p, 2) != 1) {
            continue;
        }

        for (i = 0, p += 4, len = n; i < 3 && len >= 8; i++) {
            if (*numbers[i] == DT_ZIP_LARGE) {
                *numbers[i] = dt_zip_number(p, 8);
                p += 8;
                len -= 8;
            }
        }

        return;
    }
}


/* reads an entry of the directory; returns its length, 0: it is broken.  f has
   no name if the file is not to be read. */
static size_t
dt_zip_entry(const dt_zip_t *z, uint64_t at, char *name, dt_zip_file_t *f)
{
    char head[DT_ZIP_ENTRY], extra[DT_ZIP_COMMENT];
    size_t len, more, comment;

    memset(f, 0, sizeof(*f));

    if (!dt_zip_read(z, at, head, DT_ZIP_ENTRY)
        || memcmp(head, "PK\1\2", 4) != 0) {
        return 0;
    }

    len = (size_t) dt_zip_number(head + 28, 2);
    more = (size_t) dt_zip_number(head + 30, 2);
    comment = (size_t) dt_zip_number(head + 32, 2);

    f->method = (unsigned) dt_zip_number(head + 10, 2);
    f->packed = dt_zip_number(head + 20, 4);
    f->size = dt_zip_number(head + 24, 4);
    f->offset = dt_zip_number(head + 42, 4);

    if (!dt_zip_read(z, at + DT_ZIP_ENTRY + len, extra, more)) {
        return 0;
    }

    dt_zip_large(extra, more, f);

    if (len <= DT_ZIP_NAME && !(dt_zip_number(head + 8, 2) & DT_ZIP_ENCRYPTED))
    {

        if (!dt_zip_read(z, at + DT_ZIP_ENTRY, name, len)) {
            return 0;
        }

        name[len] = '\0';
        f->name = (dt_str_t){ len, name };
    }

    return DT_ZIP_ENTRY + len + more + comment;
}


/* finds the bytes of a file, behind a head of its own; 0: they are not there
 */
static int
dt_zip_local(const dt_zip_t *z, dt_zip_file_t *f)
{
    char head[DT_ZIP_LOCAL];

    if (!dt_zip_read(z, f->offset, head, DT_ZIP_LOCAL)
        || memcmp(head, "PK\3\4", 4) != 0)
    {
        return 0;
    }

    f->offset += DT_ZIP_LOCAL + dt_zip_number(head + 26, 2)
                 + dt_zip_number(head + 28, 2);

    return f->offset <= z->size && f->packed <= z->size - f->offset
           && (f->method != 0 || f->packed == f->size);
}


dt_status_t
dt_zip_files(dt_warc_read_pt read, void *data, uint64_t size,
             dt_zip_file_pt file, void *file_data, const char **why)
{
    char name[DT_ZIP_NAME + 1];
    size_t len;
    uint64_t i, n, at;
    dt_zip_t z = { read, data, size };
    dt_zip_file_t f;

    *why = "no directory";

    if (!dt_zip_directory(&z, &at, &n)) {
        return DT_EINVAL;
    }

    *why = "too many files";

    if (n > DT_ZIP_FILES) {
        return DT_EINVAL;
    }

    *why = "broken directory";

    for (i = 0; i < n; i++, at += len) {
        len = dt_zip_entry(&z, at, name, &f);

        if (len == 0) {
            return DT_EINVAL;
        }

        if (f.name.len && (f.method == 0 || f.method == Z_DEFLATED)) {
            if (!dt_zip_local(&z, &f)) {
                return DT_EINVAL;
            }

            if (file(file_data, &f)) {
                return DT_DECLINED;
            }
        }
    }

    return DT_OK;
}


dt_status_t
dt_zip_inflate(dt_warc_read_pt read, void *data, const dt_zip_file_t *file,
               dt_zip_out_pt out, void *out_data)
{
    int rc = Z_OK, stop = 0;
    char in[16 * 1024], buf[64 * 1024];
    ssize_t n;
    size_t len;
    uint64_t at = file->offset, left = file->packed, size = 0;
    z_stream z;

    memset(&z, 0, sizeof(z));

    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) {
        return DT_ENOMEM;
    }

    while (rc == Z_OK && !stop) {
        if (z.avail_in == 0) {
            len = left < sizeof(in) ? (size_t) left : sizeof(in);
            n = len ? read(data, at, in, len) : 0;

            if (n <= 0) {
                break;
            }

            z.next_in = (const Bytef *) in;
            z.avail_in = (uInt) n;
            at += (uint64_t) n;
            left -= (uint64_t) n;
        }

        z.next_out = (Bytef *) buf;
        z.avail_out = sizeof(buf);
        rc = inflate(&z, Z_NO_FLUSH);
        len = sizeof(buf) - z.avail_out;
        size += len;

        if (size > file->size) {
            break;
        }

        stop = len && out(out_data, buf, len);
    }

    (void) inflateEnd(&z);

    return stop                                       ? DT_DECLINED
           : rc == Z_STREAM_END && size == file->size ? DT_OK
                                                      : DT_EINVAL;
}
