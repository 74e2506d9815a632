
/*
 * Copyright (C) The detemplate authors
 *
 * Finds the pages of a folder: by their names, or by their first bytes.
 */


#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_extract.h"


#define DT_SOURCE_DEPTH 64   /* folders in one another */
#define DT_SOURCE_SNIFF 1024 /* bytes that show whether a file is a page */


/* the names of a folder's files */
typedef struct {
    dt_extract_t *x;
    char path[DT_EXTRACT_PATH];
    char **names;
    size_t n;
    size_t max;
    unsigned depth;
    int httrack;
    int links; /* symbolic ones, which are not followed */
    int code;
} dt_walk_t;


int
dt_extract_is_html(const char *p, size_t len)
{
    size_t i = len > 2 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (i < len && (unsigned char) p[i] <= ' ') {
        i++;
    }

    if (i == len || p[i] != '<') {
        return 0;
    }

    for (; i + 9 < len; i++) {
        if (p[i] == '<'
            && (strncasecmp(p + i, "<html", 5) == 0
                || strncasecmp(p + i, "<!doctype html", 14) == 0))
        {
            return 1;
        }
    }

    return 0;
}


/* whether a name says that the file is a page: 1, or that its first bytes do:
   -1 */
static int
dt_walk_kind(const char *name)
{
    static const char *const pages[] = { "html", "htm", "xhtml", "xht" };
    static const char *const others[] = {
        "css", "js",  "json", "png", "jpg",  "jpeg", "gif",   "svg", "ico",
        "pdf", "zip", "gz",   "xz",  "woff", "ttf",  "woff2", "mp4", "webp",
        "txt", "xml", "orig", "mp3", "map",  "eot",  "tmp",   "md",  "jsonl"
    };
    size_t i;
    const char *dot = strrchr(name, '.');

    for (i = 0; dot != NULL && i < sizeof(pages) / sizeof(*pages); i++) {
        if (strcasecmp(dot + 1, pages[i]) == 0) {
            return 1;
        }
    }

    for (i = 0; dot != NULL && i < sizeof(others) / sizeof(*others); i++) {
        if (strcasecmp(dot + 1, others[i]) == 0) {
            return 0;
        }
    }

    return -1;
}


/* whether the first bytes of a file are those of a page */
static int
dt_walk_sniff(int dir, const char *name)
{
    char buf[DT_SOURCE_SNIFF];
    ssize_t n;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd == -1) {
        return 0;
    }

    n = read(fd, buf, sizeof(buf));
    close(fd);

    return n > 0 && dt_extract_is_html(buf, (size_t) n);
}


static void
dt_walk_file(dt_walk_t *w, int dir, const char *name)
{
    int kind = dt_walk_kind(name);
    void *p;

    if (kind == 0 || (kind < 0 && !dt_walk_sniff(dir, name))) {
        return;
    }

    if (w->n == w->max) {
        w->max = w->max ? 2 * w->max : 1024;
        p = realloc(w->names, w->max * sizeof(char *));

        if (p == NULL) {
            w->code = dt_cli_error(DT_EXIT_IO, "out of memory");
            return;
        }

        w->names = p;
    }

    w->names[w->n] = strdup(w->path);
    w->n += w->names[w->n] != NULL;

    if (w->n >= DT_EXTRACT_PAGES) {
        w->code =
            dt_cli_error(DT_EXIT_IO, "more than %d pages", DT_EXTRACT_PAGES);
    }
}


static void dt_walk(dt_walk_t *w, int fd, size_t len);


/* a name in the folder dir; len: of the folder's path */
static void
dt_walk_entry(dt_walk_t *w, int dir, const char *name, size_t len)
{
    int fd, n;
    struct stat st;

    n = snprintf(w->path + len, sizeof(w->path) - len, "%s%s", len ? "/" : "",
                 name);

    if (n < 0 || (size_t) n >= sizeof(w->path) - len) {
        w->path[len] = '\0';
        dt_extract_left(w->x, "%s/...: the name is too long", w->path);
        return;
    }

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == -1) {
        dt_extract_left(w->x, "%s: %s", w->path, strerror(errno));

    } else if (S_ISREG(st.st_mode)) {
        dt_walk_file(w, dir, name);

    } else if (S_ISLNK(st.st_mode)) {
        w->links++;

    } else if (S_ISDIR(st.st_mode)) {

        if (st.st_dev == w->x->out_dev && st.st_ino == w->x->out_ino) {
            return;
        }

        if (strcmp(name, "hts-cache") == 0) {
            w->httrack |= len == 0;
            return;
        }

        if (w->depth == DT_SOURCE_DEPTH) {
            dt_extract_left(w->x, "%s: folders are nested too deep", w->path);
            return;
        }

        fd =
            openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (fd == -1) {
            dt_extract_left(w->x, "%s: %s", w->path, strerror(errno));

        } else {
            dt_walk(w, fd, len + (size_t) n);
        }
    }
}


/* goes through the folder fd, which is closed; its path has len bytes */
static void
dt_walk(dt_walk_t *w, int fd, size_t len)
{
    DIR *d = fdopendir(fd);
    struct dirent *e;

    if (d == NULL) {
        close(fd);
        w->code = dt_cli_error(DT_EXIT_IO, "out of memory");
        return;
    }

    w->depth++;

    while (w->code == DT_EXIT_OK && !dt_extract_stop
           && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            dt_walk_entry(w, dirfd(d), e->d_name, len);
            w->path[len] = '\0';
        }
    }

    w->depth--;
    closedir(d);
}


static int
dt_walk_cmp(const void *one, const void *two)
{
    return strcmp(*(char *const *) one, *(char *const *) two);
}


int
dt_extract_open_dir(dt_extract_t *x, dt_extract_source_t *s)
{
    int code;
    size_t i;
    dt_walk_t w;

    memset(&w, 0, sizeof(w));
    w.x = x;
    x->ndirs++;

    code = dup(s->fd);
    if (code == -1) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", s->name, strerror(errno));
    }

    dt_walk(&w, code, 0);

    if (w.links) {
        dt_extract_clear(x);
        fprintf(stderr, "detemplate: %s: %d symbolic links not followed\n",
                s->name, w.links);
    }

    if (w.n) {
        qsort(w.names, w.n, sizeof(char *), dt_walk_cmp);
    }

    code = w.code == DT_EXIT_OK ? dt_extract_files(x, w.names, w.n, w.httrack)
                                : w.code;

    for (i = 0; i < w.n; i++) {
        free(w.names[i]);
    }

    free(w.names);

    return code;
}
