
/*
 * Copyright (C) The detemplate authors
 *
 * A second run into the same output.  A page depends on its site's template,
 * and this on all pages of the site: where none of them has changed, nothing
 * is learned and nothing is written.  Elsewhere a file is written if its bytes
 * change.  A file is removed if its source is read again and has no such page
 * any more.
 */


#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/dt.h"
#include "core/template/template.h"
#include "cli_extract.h"


/* for each file the hash of its site, the key of its source, and its name */
#define DT_AGAIN_STATE ".detemplate-extract.state"
#define DT_AGAIN_PART 16 /* pages that a process takes at once */


static uint64_t
dt_again_key(const char *name)
{
    uint64_t key = dt_hash(name, strlen(name), 0);

    return key ? key : 1;
}


static dt_extract_old_t *
dt_again_old(dt_extract_t *x, const char *name)
{
    uint32_t had = x->old.n;
    dt_extract_old_t *old;

    old = dt_index_get(&x->old, dt_again_key(name), 4 * DT_EXTRACT_PAGES,
                       x->arena);

    if (old != NULL && x->old.n != had) {
        old->name = dt_extract_keep(x, name);
    }

    return x->strings.failed ? NULL : old;
}


/* whether a name can be that of a file below the output */
static int
dt_again_is_name(const char *name)
{
    size_t len;

    for (;; name += len + 1) {
        len = strcspn(name, "/");

        if (len == 0 || (len == 1 && name[0] == '.')
            || (len == 2 && memcmp(name, "..", 2) == 0))
        {
            return 0;
        }

        if (name[len] == '\0') {
            return 1;
        }
    }
}


/* reads lines of a file; 0: it cannot be read */
static int
dt_again_lines(dt_extract_t *x, FILE *f, int state)
{
    int at, ok = 1;
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    unsigned shows = 0;
    unsigned long long site = 0, source = 0;
    dt_extract_old_t *old;

    while (ok && (n = getline(&line, &size, f)) > 0) {
        line[n - 1] = line[n - 1] == '\n' ? '\0' : line[n - 1];
        at = 0;

        if (state
            && (sscanf(line, "%16llx %16llx %1u%n", &site, &source, &shows,
                       &at)
                    != 3
                || line[at] != ' '))
        {
            continue;
        }

        if (!dt_again_is_name(line + at + state)) {
            continue;
        }

        old = dt_again_old(x, line + at + state);
        ok = old != NULL;

        if (ok) {
            old->site = site;
            old->source = source;
            old->shows = shows;
        }
    }

    free(line);

    return ok && !ferror(f);
}


int
dt_extract_again_read(dt_extract_t *x)
{
    int ok, fd;
    FILE *f;

    fd = openat(x->out, DT_EXTRACT_LIST,
                O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    f = fd != -1 ? fdopen(fd, "a+") : NULL;

    if (f == NULL) {
        return 0;
    }

    rewind(f);
    x->manifest = f;

    if (!dt_again_lines(x, f, 0)) {
        return 0;
    }

    fd = openat(x->out, DT_AGAIN_STATE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    f = fd != -1 ? fdopen(fd, "r") : NULL;

    if (f == NULL) {
        return errno == ENOENT;
    }

    /* it says nothing about files that this run changes, until this ends */

    ok = dt_again_lines(x, f, 1) && unlinkat(x->out, DT_AGAIN_STATE, 0) == 0;
    fclose(f);

    return ok;
}


uint64_t
dt_extract_again_hash(const dt_extract_t *x, const dt_extract_page_t *page,
                      dt_str_t body, dt_str_t type)
{
    const char *url = dt_extract_string(x, page->url);
    uint64_t hash = dt_hash(url, strlen(url), page->spelling);

    hash = dt_hash(type.data, type.len, hash);

    return dt_hash(body.data, body.len, hash) | 1;
}


void
dt_extract_again_page(dt_extract_t *x, const dt_extract_page_t *page,
                      uint64_t hash)
{
    dt_extract_site_t *site = dt_extract_site(x, page->site);

    site = dt_extract_site(x, site->whole);

    /* the order of pages does not count */
    site->hash += dt_mix(hash, x->options);
}


/* a dt_extract_work_pt: hashes page number i */
static void
dt_again_work(void *data, uint32_t i, dt_cli_buf_t *b, dt_extract_done_t *done)
{
    dt_str_t body, type;
    dt_extract_t *x = data;
    dt_arena_t *a = dt_arena_create(6 * DT_EXTRACT_PAGE);

    (void) b;

    if (a != NULL && dt_extract_read(x, &x->pages[i], a, &body, &type) == NULL)
    {
        done->hash = dt_extract_again_hash(x, &x->pages[i], body, type);
    }

    dt_arena_destroy(a);
}


static void
dt_again_sink(void *data, uint32_t i, const char *p,
              const dt_extract_done_t *done)
{
    dt_extract_t *x = data;
    const dt_extract_page_t *page = &x->pages[i];

    (void) p;

    /* a page that cannot be read must be reported again */

    if (done->hash) {
        dt_extract_again_page(x, page, done->hash);

    } else {
        dt_extract_site(x, page->site)->same = 0;
    }

    dt_extract_progress(x, "comparing: page", i + 1, x->npages);
}


/* whether the file of a page is there, and its site has the same hash */
static int
dt_again_same(const dt_extract_t *x, const dt_extract_page_t *page)
{
    int dir, same;
    char name[DT_EXTRACT_PATH];
    struct stat st;
    const char *last;
    const dt_extract_old_t *old;

    old = dt_extract_name(x, page, page->spelling, name)
              ? dt_index_find(&x->old, dt_again_key(name))
              : NULL;

    if (old == NULL || old->site != dt_extract_site(x, page->site)->hash) {
        return 0;
    }

    dir = dt_extract_folder(x->out, name, &last);
    same = dir != -1 && fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) == 0
           && S_ISREG(st.st_mode);

    if (dir != -1) {
        close(dir);
    }

    return same;
}


int
dt_extract_again_is(const dt_extract_t *x, const dt_extract_page_t *page,
                    dt_extract_done_t *done)
{
    char name[DT_EXTRACT_PATH];
    const dt_extract_old_t *old;

    if (!dt_extract_site(x, dt_extract_site(x, page->site)->whole)->same
        || !dt_extract_name(x, page, page->spelling, name))
    {
        return 0;
    }

    old = dt_index_find(&x->old, dt_again_key(name));

    done->written = done->kept = 1;
    done->shows = old != NULL ? (old->shows & 3) % 3 : 0;
    done->due = old != NULL && old->shows & 4;

    return 1;
}


/* sets the hash of all options that change the output */
static void
dt_again_options(dt_extract_t *x)
{
    unsigned i;
    const dt_cli_args_t *a = x->args;
    const unsigned numbers[] = {
        (unsigned) x->format, a->loads,         a->no_front & 1u,
        a->keep_hidden & 1u,  a->cautious & 1u, (unsigned) x->by_directory,
        DT_TEMPLATE_FORMAT
    };
    uint64_t hash = dt_hash(DT_VERSION, strlen(DT_VERSION), 1);

    hash = dt_hash((const char *) numbers, sizeof(numbers), hash);

    for (i = 0; i < a->keep.n; i++) {
        hash = dt_hash(a->keep.values[i], strlen(a->keep.values[i]), hash);
    }

    for (i = 0, hash++; i < a->force.n; i++) {
        hash = dt_hash(a->force.values[i], strlen(a->force.values[i]), hash);
    }

    x->options = hash;
}


int
dt_extract_again_compare(dt_extract_t *x, unsigned processes)
{
    int code;
    uint32_t i, n = 0;
    dt_extract_site_t *site;

    dt_again_options(x);

    if (x->old.n == 0 || x->format == DT_FORMAT_JSONL) {
        return DT_EXIT_OK;
    }

    for (i = 0; i < x->sites.n; i++) {
        dt_extract_site(x, i)->same = 1;
    }

    code = dt_extract_work(processes, x->npages, DT_AGAIN_PART, dt_again_work,
                           dt_again_sink, x);

    for (i = 0; i < x->npages; i++) {
        site = dt_extract_site(x, x->pages[i].site);
        site->same = site->same && dt_again_same(x, &x->pages[i]);
    }

    /* those that have changed are learned, and then counted again */

    for (i = 0; i < x->nlater; i++) {
        site = dt_extract_site(x, x->later[i]);

        if (!site->same) {
            site->hash = 0;
            x->later[n++] = x->later[i];
        }
    }

    x->nlater = n;

    return code;
}


/* whether a source of this run is the one that a file was written from */
static int
dt_again_reads(const dt_extract_t *x, const dt_extract_old_t *old)
{
    unsigned i;

    for (i = 0; i < x->nsources; i++) {
        if (old->site && x->sources[i].key == old->source) {
            return 1;
        }
    }

    return 0;
}


static void
dt_again_remove(dt_extract_t *x, const char *name)
{
    const char *last;
    struct stat st;
    int dir = dt_extract_folder(x->out, name, &last);

    if (dir != -1) {
        x->gone += fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) == 0
                   && S_ISREG(st.st_mode) && unlinkat(dir, last, 0) == 0;
        close(dir);
    }
}


static void
dt_again_line(FILE *f, int state, uint64_t site, uint64_t source,
              unsigned shows, const char *name)
{
    if (state) {
        fprintf(f, "%016llx %016llx %u ", (unsigned long long) site,
                (unsigned long long) source, shows);
    }

    fprintf(f, "%s\n", name);
}


/* writes the list or the state: pages of this run, and files of others */
static int
dt_again_save(dt_extract_t *x, const char *to, int state)
{
    int ok, fd;
    uint32_t i;
    char name[DT_EXTRACT_PATH];
    FILE *f;
    const dt_extract_old_t *old;
    const dt_extract_page_t *page;
    const dt_extract_site_t *site;

    (void) unlinkat(x->out, ".detemplate-new", 0);
    fd = openat(x->out, ".detemplate-new",
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    f = fd != -1 ? fdopen(fd, "w") : NULL;

    if (f == NULL) {
        return 0;
    }

    for (i = 0; i < x->npages; i++) {
        page = &x->pages[i];

        if (page->wrote && dt_extract_name(x, page, page->spelling, name)) {
            site = dt_extract_site(x, page->site);
            dt_again_line(f, state, dt_extract_site(x, site->whole)->hash,
                          x->sources[page->source].key, page->shows, name);
        }
    }

    for (i = 0; i < x->old.n; i++) {
        old = dt_index_elt(&x->old, i);

        if (old->name && (!state || old->site)) {
            dt_again_line(f, state, old->site, old->source, old->shows,
                          dt_extract_string(x, old->name));
        }
    }

    ok = !ferror(f);
    ok &= fclose(f) == 0;

    return ok && renameat(x->out, ".detemplate-new", x->out, to) == 0;
}


int
dt_extract_again_write(dt_extract_t *x)
{
    uint32_t i;
    char name[DT_EXTRACT_PATH];
    dt_extract_old_t *old;

    /* of files that were written before, those of this run's pages stay */

    for (i = 0; i < x->npages; i++) {
        old = dt_extract_name(x, &x->pages[i], x->pages[i].spelling, name)
                  ? dt_index_find(&x->old, dt_again_key(name))
                  : NULL;

        if (old != NULL && x->pages[i].wrote) {
            old->name = 0;

        } else if (old != NULL) {
            old->site = 0;
        }
    }

    for (i = 0; i < x->old.n; i++) {
        old = dt_index_elt(&x->old, i);

        if (old->name && dt_again_reads(x, old)) {
            dt_again_remove(x, dt_extract_string(x, old->name));
            old->name = 0;
        }
    }

    return dt_again_save(x, DT_EXTRACT_LIST, 0)
           && dt_again_save(x, DT_AGAIN_STATE, 1);
}
