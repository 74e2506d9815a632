
/*
 * Copyright (C) The detemplate authors
 *
 * Where pages come from: the files of a folder, records of a web archive, or a
 * list of files with their URLs.  Of each page only its place and its URL are
 * kept; its bytes are read when they are needed, and then again.
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


#define DT_SOURCE_STRINGS ((size_t) 3 << 30)


const char *
dt_extract_string(const dt_extract_t *x, uint32_t at)
{
    return x->strings.data + at;
}


const char *
dt_extract_called(const dt_extract_t *x, const dt_extract_page_t *page)
{
    return dt_extract_string(x, page->path ? page->path : page->url);
}


uint32_t
dt_extract_keep(dt_extract_t *x, const char *s)
{
    size_t at = x->strings.len;

    if (at > DT_SOURCE_STRINGS) {
        x->strings.failed = 1;
        return 0;
    }

    dt_cli_buf_add(&x->strings, s, strlen(s) + 1);

    return x->strings.failed ? 0 : (uint32_t) at;
}


void
dt_extract_append(dt_extract_t *x, uint32_t page, uint32_t i)
{
    dt_extract_site_t *site = dt_extract_site(x, i);

    if (site->npages == 0) {
        site->first = page;

    } else {
        x->pages[site->last].next = page;
    }

    site->last = page;
    site->npages++;
    x->pages[page].site = i;
}


dt_status_t
dt_extract_join(dt_extract_t *x, uint32_t page, const char *name)
{
    uint32_t had = x->sites.n;
    uint64_t key = dt_hash(name, strlen(name), 0);
    dt_extract_site_t *site;

    site = dt_index_get(&x->sites, key ? key : 1, DT_EXTRACT_PAGES, x->arena);
    if (site == NULL) {
        return DT_ENOMEM;
    }

    if (x->sites.n != had) {
        site->name = dt_extract_keep(x, name);
        site->whole = had;

        if (!dt_extract_later(x, had)) {
            return DT_ENOMEM;
        }
    }

    dt_extract_append(
        x, page,
        (uint32_t) (((char *) site - (char *) dt_index_elt(&x->sites, 0))
                    / (ptrdiff_t) sizeof(dt_extract_site_t)));

    return DT_OK;
}


/* finds the site of a page, by its host, or by that and its first folder */
static dt_status_t
dt_extract_site_of(dt_extract_t *x, const dt_url_t *u, uint32_t i)
{
    size_t n = 0;
    const char *p;
    char name[DT_URL_MAX + 1];
    dt_str_t host = dt_url_bare_host(u->host);

    if (x->by_directory) {
        p = memchr(u->path.data + 1, '/', u->path.len - 1);
        n = p != NULL ? (size_t) (p - u->path.data) : 0;
    }

    (void) snprintf(name, sizeof(name), "%.*s%.*s", (int) host.len, host.data,
                    (int) n, u->path.data);

    return dt_extract_join(x, i, name);
}


/* whether an archive or a list has the URL already: the later one counts */
static dt_extract_page_t *
dt_extract_again(dt_extract_t *x, const dt_url_t *u, int *failed)
{
    uint64_t key = dt_hash(u->href.data, u->href.len, 0);
    struct {
        uint64_t key;
        uint32_t page;
    } * seen;

    if (x->sources[x->nsources - 1].kind == DT_SOURCE_DIR) {
        return NULL;
    }

    seen = dt_index_get(&x->urls, key ? key : 1, DT_EXTRACT_PAGES, x->arena);
    if (seen == NULL) {
        *failed = 1;
        return NULL;
    }

    if (seen->page) {
        return &x->pages[seen->page - 1];
    }

    seen->page = x->npages + 1;

    return NULL;
}


static int
dt_extract_grow(dt_extract_t *x)
{
    uint32_t max = x->max_pages ? 2 * x->max_pages : 1024;
    dt_extract_page_t *p;

    if (x->npages < x->max_pages) {
        return 1;
    }

    p = realloc(x->pages, max * sizeof(dt_extract_page_t));
    if (p == NULL) {
        return 0;
    }

    x->pages = p;
    x->max_pages = max;

    return 1;
}


static int
dt_extract_add_url(dt_extract_t *x, const dt_url_t *u, const char *path,
                   dt_warc_at_t at)
{
    int failed = 0;
    dt_extract_page_t *page;

    page = dt_extract_again(x, u, &failed);

    if (page == NULL && !failed && dt_extract_grow(x)) {
        page = &x->pages[x->npages];
        memset(page, 0, sizeof(*page));
        page->url = dt_extract_keep(x, u->href.data);
        page->next = UINT32_MAX;
        failed = dt_extract_site_of(x, u, x->npages) != DT_OK;
        x->npages++;
    }

    if (page == NULL || failed || x->strings.failed) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    dt_extract_progress(x, "reading: page", x->npages, 0);

    x->noted++;
    page->source = x->nsources - 1;
    page->path = path != NULL ? dt_extract_keep(x, path) : 0;
    page->at = at;

    return DT_EXIT_OK;
}


/* whether pages of a host are wanted */
static int
dt_extract_wanted(const dt_extract_t *x, dt_str_t host)
{
    unsigned i;
    const dt_cli_list_t *only = &x->args->only;

    for (i = 0; i < only->n; i++) {
        if (dt_str_case_eq(dt_url_bare_host(dt_cstr(only->values[i])),
                           dt_url_bare_host(host)))
        {
            return 1;
        }
    }

    return only->n == 0;
}


int
dt_extract_add(dt_extract_t *x, const char *url, const char *path,
               dt_warc_at_t at)
{
    int code = DT_EXIT_OK;
    dt_url_t u;
    dt_arena_t *a = dt_arena_create(64 * 1024);

    if (a == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (x->npages >= DT_EXTRACT_PAGES) {
        code =
            dt_cli_error(DT_EXIT_IO, "more than %d pages", DT_EXTRACT_PAGES);

    } else if (dt_url_resolve(NULL, dt_cstr(url), a, &u) != DT_OK) {
        dt_extract_left(x, "%s: not an http URL", url);

    } else if (dt_extract_wanted(x, u.host)) {
        code = dt_extract_add_url(x, &u, path, at);
    }

    dt_arena_destroy(a);

    return code;
}


ssize_t
dt_extract_pread(void *data, uint64_t offset, char *buf, size_t size)
{
    const dt_extract_t *x = data;
    const dt_extract_source_t *s = &x->sources[x->reads];

    if (s->len) {
        if (offset >= s->len) {
            return 0;
        }

        size = size < s->len - offset ? size : (size_t) (s->len - offset);
    }

    return pread(s->fd, buf, size, (off_t) (s->base + offset));
}


/* returns the reader of a WARC: there is one, for the source at hand */
static dt_warc_t *
dt_extract_warc(dt_extract_t *x, unsigned i)
{
    if (x->warc == NULL || x->reads != i) {
        dt_warc_destroy(x->warc);
        x->reads = i;
        x->warc = dt_warc_create(dt_extract_pread, x);
    }

    return x->warc;
}


dt_extract_source_t *
dt_extract_source(dt_extract_t *x, const char *name, int fd)
{
    char *path;
    unsigned max = x->max_sources ? 2 * x->max_sources : 16;
    dt_extract_source_t *s = x->sources;

    if (x->nsources == x->max_sources) {
        s = realloc(s, max * sizeof(*s));
        if (s == NULL) {
            return NULL;
        }

        x->sources = s;
        x->max_sources = max;
    }

    s = &x->sources[x->nsources++];
    memset(s, 0, sizeof(*s));
    s->name = name;
    s->fd = fd;
    path = realpath(name, NULL);
    s->key = dt_hash(path != NULL ? path : name,
                     strlen(path != NULL ? path : name), 0);
    free(path);

    return s;
}


int
dt_extract_open_warc(dt_extract_t *x, unsigned i)
{
    int first, code = DT_EXIT_OK;
    const char *name = x->sources[i].name;
    dt_arena_t *a;
    dt_status_t rc = DT_OK;
    dt_warc_t *warc = dt_extract_warc(x, i);
    dt_warc_page_t page;

    x->sources[i].kind = DT_SOURCE_WARC;

    if (warc == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    while (code == DT_EXIT_OK && rc == DT_OK && !dt_extract_stop) {
        a = dt_arena_create(2 * DT_EXTRACT_PAGE);
        rc = a != NULL ? dt_warc_next(warc, 0, a, &page) : DT_ENOMEM;

        if (rc == DT_OK) {
            code = dt_extract_add(x, page.url.data, NULL, page.at);
        }

        dt_arena_destroy(a);
    }

    if (rc == DT_EINVAL) {
        /* the pages before the fault stay good */
        first = page.at.offset == 0 && page.at.skip == 0;
        dt_extract_left(x, "%s: %s%s", name,
                        first ? "neither a directory nor a WARC: "
                              : "the rest: ",
                        dt_warc_error(warc));
        return code;
    }

    return rc == DT_OK || rc == DT_DECLINED
               ? code
               : dt_cli_error(DT_EXIT_IO, "%s: %s", name,
                              rc == DT_EIO ? strerror(errno)
                                           : dt_warc_error(warc));
}


/* notes the pages of a list, which is closed */
static int
dt_extract_add_list(dt_extract_t *x, FILE *f)
{
    int code = DT_EXIT_OK;
    char *line = NULL, *tab;
    size_t size = 0;
    ssize_t n;

    x->sources[x->nsources - 1].kind = DT_SOURCE_LIST;

    while (code == DT_EXIT_OK && !dt_extract_stop
           && (n = getline(&line, &size, f)) > 0)
    {
        if (line[n - 1] == '\n') {
            line[n - 1] = '\0';
        }

        tab = strchr(line, '\t');

        if (tab == NULL) {
            dt_extract_left(x, "%s: a line without FILE, TAB and URL", line);
            continue;
        }

        *tab = '\0';
        code = dt_extract_add(x, tab + 1, line, (dt_warc_at_t){ 0 });
    }

    free(line);
    fclose(f);

    return code;
}


int
dt_extract_open_list(dt_extract_t *x, const char *name)
{
    int fd = strcmp(name, "-") == 0 ? dup(STDIN_FILENO)
                                    : open(name, O_RDONLY | O_CLOEXEC);
    FILE *f = fd != -1 ? fdopen(fd, "r") : NULL;

    if (f == NULL) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
    }

    return dt_extract_source(x, name, -1) != NULL
               ? dt_extract_add_list(x, f)
               : dt_cli_error(DT_EXIT_IO, "out of memory");
}


/* whether bytes are no text, of which a list would be */
static int
dt_extract_is_binary(const char *p, size_t len)
{
    return memchr(p, '\0', len) != NULL
           || (len > 4 && memcmp(p, "%PDF-", 5) == 0);
}


/* notes the pages of a file, of which standard input may be a list */
static int
dt_extract_open_file(dt_extract_t *x, unsigned i, int input)
{
    char head[1024];
    int fd = x->sources[i].fd;
    ssize_t n = pread(fd, head, sizeof(head), 0);
    size_t len = n > 0 ? (size_t) n : 0;

    if (len > 3 && memcmp(head, "PK\3\4", 4) == 0) {
        return dt_extract_open_zip(x, i);
    }

    if (!input || (len > 4 && memcmp(head, "WARC/", 5) == 0)
        || (len > 1 && memcmp(head, "\x1f\x8b", 2) == 0))
    {
        return dt_extract_open_warc(x, i);
    }

    if (dt_extract_is_html(head, len)) {
        x->sources[i].kind = DT_SOURCE_PAGE;
        return dt_extract_add(
            x, x->args->base ? x->args->base : "http://localhost/", NULL,
            (dt_warc_at_t){ 0 });
    }

    if (dt_extract_is_binary(head, len)) {
        dt_extract_left(x, "%s: neither a WARC, a WACZ, a page nor a list",
                        x->sources[i].name);
        return DT_EXIT_OK;
    }

    x->sources[i].fd = -1;
    (void) lseek(fd, 0, SEEK_SET);

    return dt_extract_add_list(x, fdopen(fd, "r"));
}


int
dt_extract_tmpfile(void)
{
    FILE *f = tmpfile();
    int fd = f != NULL ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 3) : -1;

    if (f != NULL) {
        fclose(f);
    }

    return fd;
}


int
dt_extract_write(int fd, const char *p, size_t len)
{
    ssize_t n;

    for (; len; p += n, len -= (size_t) n) {
        n = write(fd, p, len);

        if (n == -1 && errno == EINTR) {
            n = 0;

        } else if (n <= 0) {
            return 1;
        }
    }

    return 0;
}


/* returns standard input as a file that can be read again; -1: it cannot be */
static int
dt_extract_input(void)
{
    int fd;
    char buf[64 * 1024];
    ssize_t n;
    struct stat st;

    if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode)
        && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0)
    {
        return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    }

    fd = dt_extract_tmpfile();

    while (fd != -1 && !dt_extract_stop
           && (n = read(STDIN_FILENO, buf, sizeof(buf))) != 0)
    {
        if (n == -1 ? errno != EINTR : dt_extract_write(fd, buf, (size_t) n)) {
            close(fd);
            fd = -1;
        }
    }

    return fd;
}


/* gives a directory a name that no other one has */
static void
dt_extract_label(const dt_extract_t *x, dt_extract_source_t *s)
{
    char *path = realpath(s->name, NULL);
    size_t len;
    const dt_extract_source_t *other;
    const char *last = path != NULL ? strrchr(path, '/') + 1 : "";

    (void) snprintf(s->label, sizeof(s->label) - 4, "%s",
                    *last ? last : "pages");
    len = strlen(s->label);
    free(path);

    for (other = x->sources; other < s; other++) {
        if (strcmp(other->label, s->label) == 0) {
            (void) snprintf(s->label + len, sizeof(s->label) - len, "-%u",
                            x->nsources);
            other = x->sources - 1;
        }
    }
}


static int
dt_extract_open_any(dt_extract_t *x, const char *name)
{
    int fd, input = strcmp(name, "-") == 0;
    struct stat st;
    dt_extract_source_t *s;

    fd = input ? dt_extract_input()
               : open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (fd == -1 || fstat(fd, &st) == -1) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
    }

    s = dt_extract_source(x, name, fd);
    if (s == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (S_ISDIR(st.st_mode)) {
        dt_extract_label(x, s);
        return dt_extract_open_dir(x, s);
    }

    return S_ISREG(st.st_mode)
               ? dt_extract_open_file(x, x->nsources - 1, input)
               : dt_cli_error(DT_EXIT_IO, "%s: neither a directory nor a WARC",
                              name);
}


int
dt_extract_open(dt_extract_t *x, const char *name)
{
    int code;
    uint32_t left = x->left;
    uint64_t had = x->noted;

    code = dt_extract_open_any(x, name);

    if (code == DT_EXIT_OK && x->noted == had && x->left == left
        && !dt_extract_stop)
    {
        dt_extract_left(x, "%s: no pages", name);
    }

    return code;
}


/* reads a file */
static const char *
dt_extract_read_file(int fd, dt_arena_t *a, dt_str_t *body)
{
    char *p;
    size_t len = 0;
    ssize_t n;
    struct stat st;

    if (fstat(fd, &st) == -1 || !S_ISREG(st.st_mode)) {
        return "not a file";
    }

    if (st.st_size > (off_t) DT_EXTRACT_PAGE) {
        return "larger than 4 MiB";
    }

    p = dt_arena_alloc(a, (size_t) st.st_size + 1);
    if (p == NULL) {
        return "out of memory";
    }

    while (len < (size_t) st.st_size
           && (n = pread(fd, p + len, (size_t) st.st_size - len, (off_t) len))
                  != 0)
    {
        if (n == -1 && errno != EINTR) {
            return strerror(errno);
        }

        len += n > 0 ? (size_t) n : 0;
    }

    *body = (dt_str_t){ len, p };

    return NULL;
}


/* reads a file of a folder or a list */
static const char *
dt_extract_read_path(int dir, const char *path, dt_arena_t *a, dt_str_t *body,
                     dt_str_t *type)
{
    int fd;
    const char *why, *end = strrchr(path, '.');

    if (end != NULL
        && (strcasecmp(end, ".xhtml") == 0 || strcasecmp(end, ".xht") == 0))
    {
        *type = dt_str(DT_EXTRACT_XHTML);
    }

    fd = openat(dir, path,
                O_RDONLY | O_NONBLOCK | O_CLOEXEC
                    | (dir == AT_FDCWD ? 0 : O_NOFOLLOW));

    if (fd == -1) {
        return strerror(errno);
    }

    why = dt_extract_read_file(fd, a, body);
    close(fd);

    return why;
}


/* reads a page of a WARC */
static const char *
dt_extract_read_record(dt_extract_t *x, const dt_extract_page_t *page,
                       dt_arena_t *a, dt_str_t *body, dt_str_t *type)
{
    dt_warc_page_t p;
    dt_warc_t *warc = dt_extract_warc(x, page->source);

    if (warc == NULL || dt_warc_seek(warc, page->at) != DT_OK
        || dt_warc_next(warc, 1, a, &p) != DT_OK
        || p.at.offset != page->at.offset || p.at.skip != page->at.skip)
    {
        return "the archive cannot be read again";
    }

    *body = p.body;
    *type = p.type;

    return p.reason;
}


const char *
dt_extract_read(dt_extract_t *x, const dt_extract_page_t *page, dt_arena_t *a,
                dt_str_t *body, dt_str_t *type)
{
    const char *why;
    const dt_extract_source_t *s = &x->sources[page->source];

    *body = *type = dt_str("");

    why = s->kind == DT_SOURCE_WARC
              ? dt_extract_read_record(x, page, a, body, type)
          : s->kind == DT_SOURCE_PAGE
              ? dt_extract_read_file(s->fd, a, body)
              : dt_extract_read_path(
                  s->kind == DT_SOURCE_DIR ? s->fd : AT_FDCWD,
                  dt_extract_string(x, page->path), a, body, type);

    return why == NULL && body->len > 4 && memcmp(body->data, "%PDF-", 5) == 0
               ? "a PDF"
               : why;
}
