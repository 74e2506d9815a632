
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


static uint32_t
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
    dt_str_t host = u->host;

    if (host.len > 4 && memcmp(host.data, "www.", 4) == 0) {
        host.data += 4;
        host.len -= 4;
    }

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

    page->source = x->nsources - 1;
    page->path = path != NULL ? dt_extract_keep(x, path) : 0;
    page->at = at;

    return DT_EXIT_OK;
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

    } else {
        code = dt_extract_add_url(x, &u, path, at);
    }

    dt_arena_destroy(a);

    return code;
}


static ssize_t
dt_extract_pread(void *data, uint64_t offset, char *buf, size_t size)
{
    const dt_extract_source_t *s = data;

    return pread(s->fd, buf, size, (off_t) offset);
}


static int
dt_extract_open_warc(dt_extract_t *x, dt_extract_source_t *s)
{
    int first, code = DT_EXIT_OK;
    dt_arena_t *a;
    dt_status_t rc = DT_OK;
    dt_warc_page_t page;

    s->kind = DT_SOURCE_WARC;
    s->warc = dt_warc_create(dt_extract_pread, s);

    if (s->warc == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    while (code == DT_EXIT_OK && rc == DT_OK && !dt_extract_stop) {
        a = dt_arena_create(2 * DT_EXTRACT_PAGE);
        rc = a != NULL ? dt_warc_next(s->warc, 0, a, &page) : DT_ENOMEM;

        if (rc == DT_OK) {
            code = dt_extract_add(x, page.url.data, NULL, page.at);
        }

        dt_arena_destroy(a);
    }

    if (rc == DT_EINVAL) {
        /* what comes before stays good */
        first = page.at.offset == 0 && page.at.skip == 0;
        dt_extract_left(x, "%s: %s%s", s->name,
                        first ? "neither a directory nor a WARC: "
                              : "the rest: ",
                        dt_warc_error(s->warc));
        return code;
    }

    return rc == DT_OK || rc == DT_DECLINED
               ? code
               : dt_cli_error(DT_EXIT_IO, "%s: %s", s->name,
                              rc == DT_EIO ? strerror(errno)
                                           : dt_warc_error(s->warc));
}


static int
dt_extract_open_list(dt_extract_t *x, dt_extract_source_t *s)
{
    int code = DT_EXIT_OK;
    char *line = NULL, *tab;
    size_t size = 0;
    ssize_t n;

    s->kind = DT_SOURCE_LIST;
    s->fd = -1;

    while (code == DT_EXIT_OK && !dt_extract_stop
           && (n = getline(&line, &size, stdin)) > 0)
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

    return code;
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
dt_extract_open_any(dt_extract_t *x, dt_extract_source_t *s, const char *name)
{
    struct stat st;

    if (strcmp(name, "-") == 0) {
        return dt_extract_open_list(x, s);
    }

    s->fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (s->fd == -1 || fstat(s->fd, &st) == -1) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
    }

    if (S_ISDIR(st.st_mode)) {
        dt_extract_label(x, s);
        return dt_extract_open_dir(x, s);
    }

    return S_ISREG(st.st_mode)
               ? dt_extract_open_warc(x, s)
               : dt_cli_error(DT_EXIT_IO, "%s: neither a directory nor a WARC",
                              name);
}


int
dt_extract_open(dt_extract_t *x, const char *name)
{
    int code;
    uint32_t had = x->npages, left = x->left;
    dt_extract_source_t *s = &x->sources[x->nsources++];

    s->name = name;
    code = dt_extract_open_any(x, s, name);

    if (code == DT_EXIT_OK && x->npages == had && x->left == left
        && !dt_extract_stop)
    {
        dt_extract_left(x, "%s: no pages", name);
    }

    return code;
}


/* reads a file of a folder or a list */
static const char *
dt_extract_read_file(int dir, const char *path, dt_arena_t *a, dt_str_t *body)
{
    int fd;
    char *p;
    size_t len = 0;
    ssize_t n;
    struct stat st;
    const char *why = NULL;

    fd = openat(dir, path,
                O_RDONLY | O_NONBLOCK | O_CLOEXEC
                    | (dir == AT_FDCWD ? 0 : O_NOFOLLOW));

    if (fd == -1) {
        return strerror(errno);
    }

    if (fstat(fd, &st) == -1 || !S_ISREG(st.st_mode)) {
        why = "not a file";

    } else if (st.st_size > (off_t) DT_EXTRACT_PAGE) {
        why = "larger than 4 MiB";

    } else if ((p = dt_arena_alloc(a, (size_t) st.st_size + 1)) == NULL) {
        why = "out of memory";

    } else {
        while (len < (size_t) st.st_size
               && (n = read(fd, p + len, (size_t) st.st_size - len)) != 0)
        {
            if (n == -1 && errno != EINTR) {
                why = strerror(errno);
                break;
            }

            len += n > 0 ? (size_t) n : 0;
        }

        *body = (dt_str_t){ len, p };
    }

    close(fd);

    return why;
}


const char *
dt_extract_read(dt_extract_t *x, const dt_extract_page_t *page, dt_arena_t *a,
                dt_str_t *body, dt_str_t *type)
{
    dt_warc_page_t p;
    const char *path, *end;
    dt_extract_source_t *s = &x->sources[page->source];

    *body = *type = dt_str("");

    if (s->kind != DT_SOURCE_WARC) {
        path = dt_extract_string(x, page->path);
        end = strrchr(path, '.');

        if (end != NULL
            && (strcasecmp(end, ".xhtml") == 0
                || strcasecmp(end, ".xht") == 0))
        {
            *type = dt_str(DT_EXTRACT_XHTML);
        }

        return dt_extract_read_file(
            s->kind == DT_SOURCE_DIR ? s->fd : AT_FDCWD, path, a, body);
    }

    if (dt_warc_seek(s->warc, page->at) != DT_OK
        || dt_warc_next(s->warc, 1, a, &p) != DT_OK
        || p.at.offset != page->at.offset || p.at.skip != page->at.skip)
    {
        return "the archive cannot be read again";
    }

    *body = p.body;
    *type = p.type;

    return p.reason;
}
