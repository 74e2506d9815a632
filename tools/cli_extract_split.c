
/*
 * Copyright (C) The detemplate authors
 *
 * Several sites on one host.  A directory of which nearly no page shows
 * anything of the host's template has another one: it becomes a site of its
 * own, which is learned like any other.  The rest of the host is learned anew,
 * because its template was learned from pages of that directory as well.
 */


#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/dt.h"
#include "cli_extract.h"


#define DT_SPLIT_LEAST 10 /* pages that show whether a directory is one */
#define DT_SPLIT_SHARE 33 /* percent of its pages that show nothing */


typedef struct {
    const dt_extract_shown_t *pages; /* ordered by their paths */
    size_t n;
    dt_cli_buf_t *b;
} dt_split_t;


/* returns the path of a URL, which is one of HTTP */
static const char *
dt_split_path(const char *url)
{
    url = strstr(url, "//") + 2;

    return url + strcspn(url, "/");
}


static int
dt_split_cmp(const void *one, const void *two)
{
    const dt_extract_shown_t *a = one, *b = two;

    return strcmp(dt_split_path(a->url), dt_split_path(b->url));
}


/* looks at the directories of pages whose paths have the first at bytes in
   common; the last of these is a slash */
static void
dt_split_directory(const dt_split_t *s, size_t from, size_t to, size_t at)
{
    size_t i, end, nothing, len;
    const char *path;

    for (i = from; i < to; i = end) {
        path = dt_split_path(s->pages[i].url);
        len = at + strcspn(path + at, "/?") + 1;
        end = i + 1;

        if (path[len - 1] != '/') {
            continue;
        }

        nothing = s->pages[i].nothing;

        while (end < to
               && strncmp(dt_split_path(s->pages[end].url), path, len) == 0) {
            nothing += s->pages[end++].nothing;
        }

        if (nothing < DT_SPLIT_LEAST) {
            continue;
        }

        if (end - i < s->n && nothing * 100 >= (end - i) * DT_SPLIT_SHARE) {
            dt_cli_buf_add(s->b, path, len);
            dt_cli_buf_add(s->b, "", 1);

        } else {
            dt_split_directory(s, i, end, len);
        }
    }
}


uint32_t
dt_extract_split(dt_extract_shown_t *pages, size_t n, dt_cli_buf_t *b)
{
    size_t had = b->len;
    dt_split_t s = { pages, n, b };

    qsort(pages, n, sizeof(*pages), dt_split_cmp);
    dt_split_directory(&s, 0, n, 1);

    return (uint32_t) (b->len - had);
}


/* adds a page to a site; the name of a new one is that of the host and of the
   first len bytes of path, which end with a slash */
static dt_status_t
dt_split_add(dt_extract_t *x, uint32_t page, const char *host, size_t hlen,
             const char *path, size_t len)
{
    char name[2 * DT_URL_MAX];

    (void) snprintf(name, sizeof(name), "%.*s%.*s", (int) hlen, host,
                    (int) len - 1, path);

    return dt_extract_join(x, page, name);
}


dt_status_t
dt_extract_divide(dt_extract_t *x, uint32_t i, const char *dirs, size_t len)
{
    char host[DT_URL_MAX + 1];
    size_t hlen, n;
    uint32_t page, next, had = x->sites.n;
    dt_status_t rc = DT_OK;
    dt_index_t index;
    dt_arena_t *a = dt_arena_create((size_t) 1 << 26);
    const char *path, *slash, *end = dirs + len;
    dt_extract_site_t *site = dt_extract_site(x, i), whole = *site;

    (void) snprintf(host, sizeof(host), "%s",
                    dt_extract_string(x, site->name));
    hlen = strcspn(host, "/");
    rc = a != NULL ? dt_index_init(&index, sizeof(uint64_t), a) : DT_ENOMEM;

    for (; rc == DT_OK && dirs < end; dirs += n + 1) {
        n = strlen(dirs);
        rc = dt_index_get(&index, dt_hash(dirs, n, 0), DT_EXTRACT_PAGES, a)
                     != NULL
                 ? DT_OK
                 : DT_ENOMEM;
    }

    site->npages = 0;

    for (page = whole.first; rc == DT_OK && page != UINT32_MAX; page = next) {
        next = x->pages[page].next;
        x->pages[page].next = UINT32_MAX;
        path = dt_split_path(dt_extract_string(x, x->pages[page].url));
        n = strcspn(path, "?");
        slash = path;

        while (
            (slash = memchr(slash + 1, '/', n - (size_t) (slash + 1 - path)))
                != NULL
            && dt_index_find(&index,
                             dt_hash(path, (size_t) (slash + 1 - path), 0))
                   == NULL)
        { /* void */
        }

        if (slash == NULL) {
            dt_extract_append(x, page, i);

        } else {
            rc = dt_split_add(x, page, host, hlen, path,
                              (size_t) (slash + 1 - path));
        }
    }

    /* until they have learned their own, the template is that of the whole */

    for (; had < x->sites.n; had++) {
        site = dt_extract_site(x, had);
        site->whole = whole.whole;
        site->at = whole.at;
        site->len = whole.len;
    }

    site = dt_extract_site(x, i);
    rc = rc != DT_OK || site->npages == 0 || site->npages == whole.npages
                 || dt_extract_later(x, i)
             ? rc
             : DT_ENOMEM;
    dt_arena_destroy(a);

    return rc;
}
