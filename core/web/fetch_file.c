
/*
 * Copyright (C) The detemplate authors
 */


#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/web/fetch_file.h"
#include "core/web/fetch.h"
#include "core/base/dt.h"
#include "core/web/fetch_response.h"
#include "core/web/url.h"


#define DT_FILE_PATH 4096
#define DT_FILE_TEXT                                                          \
    ((size_t) 1024) /* first bytes of text, which have no NUL */


/* decodes a URL's path; not 0: it has "..", or cannot be a file's name */
static int
dt_file_decode(dt_str_t path, char *out)
{
    int byte;
    char *p;
    size_t i;

    p = out;

    for (i = 0; i < path.len; i++) {
        byte = dt_percent_decode((dt_str_t){ path.len - i, path.data + i });
        *p = byte < 0 ? path.data[i] : (char) byte;
        i += byte < 0 ? 0 : 2;

        if (*p == '\0') {
            return 1;
        }

        p++;
    }

    *p = '\0';

    for (p = out; p != NULL; p = strchr(p, '/')) {
        p += *p == '/';

        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0')) {
            return 1;
        }
    }

    return 0;
}


/* decodes the part of url below base */
static dt_status_t
dt_file_name(const dt_fetch_files_t *f, const dt_url_t *url, dt_arena_t *a,
             char *out)
{
    dt_str_t path;
    dt_url_t base;
    dt_status_t rc;

    rc = dt_url_resolve(NULL, dt_cstr(f->base), a, &base);
    if (rc != DT_OK) {
        return rc;
    }

    path = url->path;

    if (!dt_url_same_site(&base, url) || path.len < base.path.len
        || memcmp(path.data, base.path.data, base.path.len) != 0)
    {
        return DT_DECLINED;
    }

    path.data += base.path.len;
    path.len -= base.path.len;

    return dt_file_decode(path, out) ? DT_DECLINED : DT_OK;
}


/* opens a regular file; O_NONBLOCK, since opening a FIFO would wait for a
   writer */
static int
dt_file_try(const char *path, struct stat *st)
{
    int fd;

    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd == -1) {
        return -1;
    }

    if (fstat(fd, st) == -1 || !S_ISREG(st->st_mode)) {
        (void) close(fd);
        return -1;
    }

    return fd;
}


/* opens the file itself, a directory's index, or the name with ".html" */
static int
dt_file_open(const char *root, const char *name, struct stat *st)
{
    int fd, n;
    char path[DT_FILE_PATH];
    size_t i;

    static const char *const ends[] = { "", "/index.html", ".html" };

    for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        n = snprintf(path, sizeof(path), "%s/%s%s", root, name, ends[i]);
        if (n < 0 || (size_t) n >= sizeof(path)) {
            return -1;
        }

        fd = dt_file_try(path, st);
        if (fd != -1) {
            return fd;
        }
    }

    return -1;
}


/* reads the whole file into r, as the body of an uncompressed response */
static void
dt_file_read(int fd, dt_response_t *r)
{
    char buf[16 * 1024];
    size_t len;
    ssize_t n;

    for (;;) {
        n = read(fd, buf, sizeof(buf));

        if (n == -1 && errno == EINTR) {
            continue;
        }

        if (n == -1) {
            (void) dt_response_refuse(r, DT_EIO, "file", strerror(errno));
        }

        if (n <= 0 || dt_response_body(r, buf, (size_t) n)) {
            break;
        }
    }

    len = r->body.len < DT_FILE_TEXT ? r->body.len : DT_FILE_TEXT;

    if (len && memchr(r->body.data, '\0', len) != NULL) {
        (void) dt_response_refuse(r, DT_DECLINED, "type", "not text");
    }
}


void
dt_fetch_file(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    int fd;
    char name[DT_URL_MAX + 1];
    dt_url_t u;
    struct stat st;
    dt_status_t rc;
    dt_response_t r;
    dt_fetch_opts_t o;
    const dt_fetch_files_t *f;

    f = data;
    u.href = dt_str("");

    dt_fetch_opts_init(&o);
    dt_response_init(&r, a);
    r.max_bytes = o.max_bytes;
    r.max_ratio = o.max_ratio;

    rc = dt_url_resolve(NULL, dt_cstr(url), a, &u);
    if (rc == DT_OK) {
        rc = dt_file_name(f, &u, a, name);
    }

    if (rc != DT_OK) {
        (void) dt_response_refuse(&r, rc, rc == DT_ENOMEM ? "memory" : "url",
                                  "URL is outside of this directory");
        goto done;
    }

    fd = dt_file_open(f->root, name, &st);

    if (fd == -1) {
        r.status = 404;
        (void) dt_response_refuse(&r, DT_DECLINED, "status", "no such file");
        goto done;
    }

    r.status = 200;
    r.type = dt_str("text/html");
    dt_file_read(fd, &r);
    (void) close(fd);

done:

    out->url = u.href;
    dt_response_result(&r, out);
}
