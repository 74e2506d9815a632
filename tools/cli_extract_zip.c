
/*
 * Copyright (C) The detemplate authors
 *
 * The web archives in a WACZ, or in any ZIP.  One that is stored is read where
 * it lies; one that is compressed is written to a temporary file.
 */


#include <errno.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/web/zip.h"
#include "cli_extract.h"


#define DT_ZIP_RATIO 200                  /* a file may be so many times */
#define DT_ZIP_SMALL ((uint64_t) 1 << 20) /* as large, and this */


typedef struct {
    dt_extract_t *x;
    unsigned source; /* the ZIP */
    int code;
} dt_zip_walk_t;


static int
dt_zip_is_warc(dt_str_t name)
{
    static const dt_str_t ends[] = { dt_str(".warc"), dt_str(".warc.gz") };
    size_t i;

    for (i = 0; i < 2; i++) {
        if (name.len >= ends[i].len
            && strcasecmp(name.data + name.len - ends[i].len, ends[i].data)
                   == 0)
        {
            return 1;
        }
    }

    return 0;
}


static int
dt_zip_out(void *data, const char *p, size_t len)
{
    return dt_extract_write(*(int *) data, p, len);
}


/* uncompresses an archive into a temporary file; -1: it was left out, or a
   fault is reported */
static int
dt_zip_unpack(dt_zip_walk_t *w, const dt_zip_file_t *f)
{
    int fd;
    dt_status_t rc;

    if (f->size / DT_ZIP_RATIO > f->packed + DT_ZIP_SMALL / DT_ZIP_RATIO) {
        dt_extract_left(w->x, "%s: compressed too much", f->name.data);
        return -1;
    }

    fd = dt_extract_tmpfile();
    w->x->reads = w->source;
    rc = fd != -1 ? dt_zip_inflate(dt_extract_pread, w->x, f, dt_zip_out, &fd)
                  : DT_DECLINED;

    if (rc == DT_OK) {
        return fd;
    }

    if (rc == DT_EINVAL) {
        dt_extract_left(w->x, "%s: broken compression", f->name.data);

    } else {
        w->code = dt_cli_error(DT_EXIT_IO, "temporary file: %s",
                               rc == DT_DECLINED ? strerror(errno)
                                                 : "out of memory");
    }

    if (fd != -1) {
        close(fd);
    }

    return -1;
}


/* a dt_zip_file_pt: notes the pages of a file that is a web archive */
static int
dt_zip_add(void *data, const dt_zip_file_t *f)
{
    int fd;
    dt_zip_walk_t *w = data;
    dt_str_t name;
    dt_extract_t *x = w->x;
    dt_extract_source_t *s;

    if (!dt_zip_is_warc(f->name) || f->packed == 0) {
        return 0;
    }

    fd = f->method == 0 ? x->sources[w->source].fd : dt_zip_unpack(w, f);

    if (fd == -1) {
        return w->code != DT_EXIT_OK;
    }

    name = dt_arena_strdup(x->arena, f->name);
    s = name.data != NULL ? dt_extract_source(x, name.data, fd) : NULL;

    if (s == NULL) {
        w->code = dt_cli_error(DT_EXIT_IO, "out of memory");
        return 1;
    }

    s->key = x->sources[w->source].key;

    if (f->method == 0) {
        s->base = f->offset;
        s->len = f->packed;
    }

    w->code = dt_extract_open_warc(x, x->nsources - 1);
    x->reads = w->source;
    dt_warc_destroy(x->warc);
    x->warc = NULL;

    return w->code != DT_EXIT_OK || dt_extract_stop;
}


int
dt_extract_open_zip(dt_extract_t *x, unsigned i)
{
    const char *why;
    struct stat st;
    dt_status_t rc;
    dt_zip_walk_t w = { x, i, DT_EXIT_OK };

    x->sources[i].kind = DT_SOURCE_WARC;
    x->reads = i;

    if (fstat(x->sources[i].fd, &st) == -1) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", x->sources[i].name,
                            strerror(errno));
    }

    rc = dt_zip_files(dt_extract_pread, x, (uint64_t) st.st_size, dt_zip_add,
                      &w, &why);

    if (rc == DT_EINVAL) {
        dt_extract_left(x, "%s: a ZIP with %s", x->sources[i].name, why);
    }

    return w.code;
}
