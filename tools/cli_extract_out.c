
/*
 * Copyright (C) The detemplate authors
 *
 * The output: a folder with the tree of the source, or a file of JSONL.  Each
 * file gets another name until it is complete.  A file that is there already
 * is replaced only if an earlier run wrote it: such files stand in a list in
 * the folder.
 */


#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/dt.h"
#include "cli_extract.h"


#define DT_OUT_PART 200 /* bytes of a part of a name, at most */


static const char *const dt_out_ends[] = { ".md", ".txt", ".html" };

/* the file of JSONL until it is complete; removed by a signal as well */
static char dt_out_tmp[4096];


/* adds a part of a name: 0: it can have none */
static size_t
dt_out_part(const char *p, size_t len, const char *end, char *out)
{
    size_t i, n = 0;
    char buf[4 * DT_URL_MAX];

    if (len == 0 || len > sizeof(buf) / 4 || (len == 1 && p[0] == '.')
        || (len == 2 && memcmp(p, "..", 2) == 0))
    {
        return 0;
    }

    for (i = 0; i < len; i++) {
        if ((unsigned char) p[i] < ' ' || p[i] == 0x7f) {
            n = (size_t) (dt_percent_encode(buf + n, (unsigned char) p[i])
                          - buf);
        } else {
            buf[n++] = p[i];
        }
    }

    if (n + strlen(end) > DT_OUT_PART + 40) {
        n = DT_OUT_PART
            + (size_t) snprintf(buf + DT_OUT_PART, 20, "~%016llx",
                                (unsigned long long) dt_hash(p, len, 0));
    }

    memcpy(out, buf, n);
    memcpy(out + n, end, strlen(end) + 1);

    return n + strlen(end);
}


/* returns the name of a page's own file, without the extension of HTML */
static size_t
dt_out_stem(const char *p, size_t len)
{
    static const char *const ends[] = { ".html", ".htm", ".xhtml", ".xht" };
    size_t i, n;

    for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        n = strlen(ends[i]);

        if (len > n && strncasecmp(p + len - n, ends[i], n) == 0) {
            return len - n;
        }
    }

    return len;
}


/* where the page stands in the tree: below its folder, or its host */
static int
dt_out_path(const dt_extract_t *x, const dt_extract_page_t *page, char *buf)
{
    int n;
    const char *p;
    const dt_extract_source_t *s = &x->sources[page->source];

    if (s->kind == DT_SOURCE_DIR) {
        p = s->label;
        n = snprintf(buf, DT_EXTRACT_PATH, "%s%s%s", x->ndirs > 1 ? p : "",
                     x->ndirs > 1 ? "/" : "",
                     dt_extract_string(x, page->path));

    } else {
        /* a query is a part of the last name, slashes and all */

        p = strstr(dt_extract_string(x, page->url), "//") + 2;
        n = (int) strcspn(p, "?");
        n = snprintf(buf, DT_EXTRACT_PATH, "%.*s%s", n, p,
                     p[n - 1] == '/' ? "index" : "");

        for (p += strcspn(p, "?"); n > 0 && n + 4 < DT_EXTRACT_PATH && *p; p++)
        {
            n += snprintf(buf + n, 4, *p == '/' ? "%%2F" : "%c", *p);
        }
    }

    return n > 0 && n + 4 < DT_EXTRACT_PATH;
}


size_t
dt_extract_name(const dt_extract_t *x, const dt_extract_page_t *page,
                unsigned spelling, char *buf)
{
    size_t len, n, at = 0;
    char path[DT_EXTRACT_PATH];
    const char *p = path, *slash, *end = dt_out_ends[x->format];

    if (!dt_out_path(x, page, path)) {
        return 0;
    }

    for (; p != NULL; p = slash != NULL ? slash + 1 : NULL) {
        slash = strchr(p, '/');
        len = slash != NULL ? (size_t) (slash - p) : strlen(p);

        if (slash != NULL && len == 0) {
            /* two slashes */
            continue;
        }

        if (at + 2 * DT_OUT_PART > DT_EXTRACT_PATH) {
            return 0;
        }

        len = slash == NULL && spelling == 0 ? dt_out_stem(p, len) : len;
        n = dt_out_part(p, len, slash != NULL ? "/" : end, buf + at);

        if (n == 0) {
            return 0;
        }

        at += n;
    }

    return strcmp(buf, DT_EXTRACT_LIST) == 0 ? 0 : at;
}


int
dt_extract_out_names(dt_extract_t *x)
{
    uint32_t i;
    uint64_t key;
    unsigned spelling;
    char name[DT_EXTRACT_PATH];
    dt_arena_t *a;
    dt_index_t taken;
    dt_status_t rc;

    if (x->format == DT_FORMAT_JSONL) {
        return DT_EXIT_OK;
    }

    a = dt_arena_create((size_t) 1 << 30);
    rc =
        a != NULL ? dt_index_init(&taken, sizeof(uint64_t) * 2, a) : DT_ENOMEM;

    for (i = 0; rc == DT_OK && i < x->npages; i++) {
        for (spelling = 0; spelling < 2; spelling++) {
            if (dt_extract_name(x, &x->pages[i], spelling, name) == 0) {
                continue;
            }

            key = dt_hash(name, strlen(name), 0);

            if (dt_index_find(&taken, key ? key : 1) == NULL) {
                rc = dt_index_get(&taken, key ? key : 1, DT_EXTRACT_PAGES, a)
                             != NULL
                         ? DT_OK
                         : DT_ENOMEM;
                break;
            }
        }

        x->pages[i].spelling = (uint8_t) spelling;
    }

    dt_arena_destroy(a);

    return rc == DT_OK ? DT_EXIT_OK
                       : dt_cli_error(DT_EXIT_IO, "out of memory");
}


/* makes the folders in which the output is to be */
static void
dt_out_parents(const char *name)
{
    char *path = strdup(name), *slash = path;

    while (slash != NULL && (slash = strchr(slash + 1, '/')) != NULL) {
        *slash = '\0';
        (void) mkdir(path, 0777);
        *slash = '/';
    }

    free(path);
}


static int
dt_out_open_dir(dt_extract_t *x, const char *name)
{
    struct stat st;

    if (mkdir(name, 0777) == -1 && errno != EEXIST) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
    }

    x->out = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (x->out == -1 || fstat(x->out, &st) == -1) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
    }

    x->out_dev = st.st_dev;
    x->out_ino = st.st_ino;

    return dt_extract_again_read(x)
               ? DT_EXIT_OK
               : dt_cli_error(DT_EXIT_IO, "%s/" DT_EXTRACT_LIST ": %s", name,
                              strerror(errno));
}


/* whether a file of JSONL is one that the command wrote, or empty */
static int
dt_out_is_ours(const char *name)
{
    char buf[8] = "";
    size_t n;
    FILE *f = fopen(name, "rb");

    if (f == NULL) {
        return errno == ENOENT;
    }

    n = fread(buf, 1, 7, f);
    fclose(f);

    return n == 0 || memcmp(buf, "{\"url\":", 7) == 0;
}


static int
dt_out_open_lines(dt_extract_t *x, const char *name)
{
    int fd;
    struct stat st;

    if (strcmp(name, "-") == 0) {
        x->lines = stdout;
        return DT_EXIT_OK;
    }

    if (lstat(name, &st) == 0 && !S_ISREG(st.st_mode)) {
        /* a device, a pipe or a link cannot be replaced */
        x->lines =
            S_ISDIR(st.st_mode) ? (errno = EISDIR, NULL) : fopen(name, "we");

    } else if (!dt_out_is_ours(name)) {
        return dt_cli_error(DT_EXIT_IO,
                            "%s is there, and was not written by this command",
                            name);

    } else {
        (void) snprintf(dt_out_tmp, sizeof(dt_out_tmp), "%s.XXXXXX", name);
        fd = mkostemp(dt_out_tmp, O_CLOEXEC);

        if (fd == -1) {
            dt_out_tmp[0] = '\0';

        } else {
            (void) fchmod(fd, 0644);
            x->lines = fdopen(fd, "w");
        }
    }

    return x->lines != NULL
               ? DT_EXIT_OK
               : dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
}


int
dt_extract_out_open(dt_extract_t *x)
{
    dt_out_parents(x->args->out);

    return x->format == DT_FORMAT_JSONL ? dt_out_open_lines(x, x->args->out)
                                        : dt_out_open_dir(x, x->args->out);
}


int
dt_extract_folder(int out, const char *name, const char **last)
{
    int fd, next;
    char part[DT_OUT_PART + 64];
    size_t len;
    const char *slash;

    fd = dup(out);

    for (; fd != -1 && (slash = strchr(name, '/')) != NULL; name = slash + 1) {
        len = (size_t) (slash - name);

        if (len >= sizeof(part)) {
            close(fd);
            errno = ENAMETOOLONG;
            return -1;
        }

        memcpy(part, name, len);
        part[len] = '\0';

        next =
            openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (next == -1 && errno == ENOENT
            && (mkdirat(fd, part, 0777) == 0 || errno == EEXIST))
        {
            next = openat(fd, part,
                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        }

        close(fd);
        fd = next;
    }

    *last = name;

    return fd;
}


/* gives a complete file its name; only one that the command wrote is replaced
 */
static int
dt_out_rename(dt_extract_t *x, int dir, const char *tmp, const char *last,
              const char *name)
{
    uint64_t key;
    struct stat st;

    if (linkat(dir, tmp, dir, last, 0) == 0) {
        (void) unlinkat(dir, tmp, 0);
        return 1;
    }

    key = dt_hash(name, strlen(name), 0);

    if (errno == EEXIST) {
        if (dt_index_find(&x->old, key ? key : 1) != NULL
            && fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) == 0
            && S_ISREG(st.st_mode))
        {
            return renameat(dir, tmp, dir, last) == 0;
        }

        errno = EEXIST;
        return 0;
    }

    /* a file system without hard links */

    if (fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) == -1 && errno == ENOENT)
    {
        return renameat(dir, tmp, dir, last) == 0;
    }

    return 0;
}


/* whether a file has these bytes already */
static int
dt_out_same(int dir, const char *name, const char *p, size_t len)
{
    int same = 0;
    char buf[64 * 1024];
    ssize_t n = 1;
    struct stat st;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd == -1) {
        return 0;
    }

    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
        && (uint64_t) st.st_size == len) {
        while (len && (n = read(fd, buf, sizeof(buf))) > 0 && (size_t) n <= len
               && memcmp(buf, p, (size_t) n) == 0)
        {
            p += n;
            len -= (size_t) n;
        }

        same = len == 0;
    }

    close(fd);

    return same;
}


int
dt_extract_out_write(dt_extract_t *x, const char *name, const char *p,
                     size_t len)
{
    int fd, dir, ok = 0, err;
    uint64_t key;
    char tmp[64];
    ssize_t n = 0;
    const char *last;

    dir = dt_extract_folder(x->out, name, &last);
    if (dir == -1) {
        return 0;
    }

    key = dt_hash(name, strlen(name), 0);

    if (dt_index_find(&x->old, key ? key : 1) != NULL
        && dt_out_same(dir, last, p, len))
    {
        close(dir);
        return 2;
    }

    (void) snprintf(tmp, sizeof(tmp), ".detemplate-%ld", (long) getpid());
    fd = openat(dir, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                0666);

    if (fd != -1) {
        for (; len; p += n, len -= (size_t) n) {
            n = write(fd, p, len);

            if (n == -1) {
                if (errno != EINTR) {
                    break;
                }

                n = 0;
            }
        }

        err = errno;
        ok = close(fd) == 0 && len == 0;
        errno = len ? err : errno;
        ok = ok && dt_out_rename(x, dir, tmp, last, name);

        if (!ok) {
            err = errno;
            (void) unlinkat(dir, tmp, 0);
            errno = err;
        }
    }

    err = errno;
    close(dir);
    errno = err;

    return ok;
}


int
dt_extract_out_close(dt_extract_t *x, int ok)
{
    int failed = 0;

    if (x->manifest != NULL) {
        failed = ferror(x->manifest);
        failed |= fclose(x->manifest) != 0;
        failed |= ok && !dt_extract_again_write(x);
    }

    if (x->lines != NULL && x->lines != stdout) {
        failed |= ferror(x->lines);
        failed |= fclose(x->lines) != 0;
    }

    if (dt_out_tmp[0] != '\0') {
        if (!ok || failed || rename(dt_out_tmp, x->args->out) == -1) {
            failed |= ok;
            (void) unlink(dt_out_tmp);
        }
    }

    return failed && ok ? dt_cli_error(DT_EXIT_IO, "%s: %s", x->args->out,
                                       strerror(errno))
                        : DT_EXIT_OK;
}
