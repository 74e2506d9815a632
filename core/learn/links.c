
/*
 * Copyright (C) The detemplate authors
 *
 * The method: J. Alarte, D. Insa, J. Silva, S. Tamarit, "Analysis of
 * Hyperlinks and DOM Comparison for Site-Level Web Template Extraction"
 * (2015), section 3.1.  Pages in near directories share a template more often.
 * Links that are far apart in the key page lead to pages that differ more, so
 * the parts that these have in common are template.
 *
 * A page has several URLs: with and without "www.", as a directory and as its
 * index, with and without a session.  Links are compared by a key that is
 * equal for all of them.  A page that votes twice, or for itself, would make
 * everything look like template.
 */


#include <stdlib.h>

#include "core/learn/links.h"
#include "core/base/hash.h"
#include "core/base/page.h"
#include "core/base/dt.h"


#define DT_LINKS_SLOTS 4096 /* a power of two, over twice DT_LINKS_MAX */


/* a link while the order is computed */
typedef struct {
    uint32_t i;    /* index in the given list */
    uint32_t rank; /* by hyperlink distance alone */
    uint32_t node;
    uint64_t sum; /* of DOM distances to those already chosen */
} dt_links_item_t;


/* writes a name in lower case; empty when it is longer than those that are
   compared */
static void
dt_links_word(const char *p, size_t len, char out[16])
{
    size_t i;

    if (len > 15) {
        len = 0;
    }

    for (i = 0; i < len; i++) {
        out[i] = dt_lower(p[i]);
    }

    out[len] = '\0';
}


/* returns the last part of the path, and where its extension begins, if any */
static dt_str_t
dt_links_file(const dt_url_t *u, size_t *dot)
{
    size_t i;
    dt_str_t s;

    s = dt_page_path(u->path);

    for (i = s.len; i > 0 && s.data[i - 1] != '/'; i--) { /* void */
    }

    s.data += i;
    s.len -= i;

    for (i = s.len; i > 0 && s.data[i - 1] != '.'; i--) { /* void */
    }

    *dot = i ? i : s.len;

    return s;
}


/* whether u may be a page to learn from, see dt_links_page() */
static int
dt_links_wanted(const dt_url_t *from, const dt_url_t *u)
{
    size_t i, common = 0;
    dt_str_t path = u->path, what;

    for (i = 0; i < path.len && i < from->path.len
                && path.data[i] == from->path.data[i];
         i++)
    {
        common = path.data[i] == '/' ? i : common;
    }

    path.data += common;
    path.len -= common;

    return !dt_page_is_file(u->path)
           && dt_page_kind(path, u->query, &what) == DT_PAGE_OK;
}


/* returns the path without the name of a directory's index */
static dt_str_t
dt_links_path(const dt_url_t *u)
{
    char name[16];
    size_t dot;
    dt_str_t file, path;

    path = dt_page_path(u->path);
    file = dt_links_file(u, &dot);

    dt_links_word(file.data, dot < file.len ? dot - 1 : 0, name);

    if (strcmp(name, "index") == 0 || strcmp(name, "default") == 0) {
        path.len -= file.len;
    }

    return path;
}


/* whether a part of a path is the name of a language: de, pt-br, zh_Hans */
static int
dt_links_language(dt_str_t s)
{
    size_t i;

    for (i = 0; i < s.len; i++) {
        if (i == 2 ? s.data[i] != '-' && s.data[i] != '_'
                   : (s.data[i] | 0x20) < 'a' || (s.data[i] | 0x20) > 'z')
        {
            return 0;
        }
    }

    return s.len == 2 || (s.len >= 5 && s.len <= 7);
}


dt_str_t
dt_links_name(const dt_url_t *url)
{
    size_t i;
    dt_str_t name;

    name = dt_links_path(url);

    if (name.len && name.data[name.len - 1] == '/') {
        name.len--;
    }

    for (i = name.len; i > 0 && name.data[i - 1] != '/'; i--) { /* void */
    }

    name.data += i;
    name.len -= i;

    for (i = 1; i < name.len; i++) {
        if (name.data[i] == '.') {
            name.len = i;
        }
    }

    if (dt_links_language(name)) {
        name.len = 0;
    }

    return name;
}


/* the query is part of the name: pages with other queries are other pages */
dt_page_id_t
dt_links_id(const dt_url_t *url)
{
    dt_str_t name;
    dt_page_id_t id;

    id.path = dt_page_path(url->path);

    id.url = dt_hash(url->host.data, url->host.len, 0);
    id.url = dt_hash(id.path.data, id.path.len, id.url);
    id.url = dt_mix(id.url, dt_page_query(url->query));

    name = dt_links_name(url);
    id.name = dt_hash(name.data, name.len, 0);
    id.name = dt_mix(id.name, dt_page_query(url->query));

    return id;
}


/* all links are of one site, so the host does not count */
uint64_t
dt_links_key(const dt_url_t *u)
{
    uint64_t h;
    dt_str_t path;

    path = dt_links_path(u);

    h = dt_mix(dt_hash(path.data, path.len, 0), dt_page_query(u->query));

    return h ? h : 1;
}


int
dt_links_same(const dt_url_t *a, const dt_url_t *b)
{
    return dt_str_eq(dt_links_path(a), dt_links_path(b))
           && dt_page_query(a->query) == dt_page_query(b->query);
}


dt_status_t
dt_links_plain(dt_url_t *u, dt_arena_t *a)
{
    char *p;
    size_t n, head;
    dt_str_t target;

    target = dt_url_target(u);

    p = dt_arena_alloc(a, u->href.len);
    if (p == NULL) {
        return DT_ENOMEM;
    }

    head = u->href.len - target.len;
    memcpy(p, u->href.data, head);
    n = dt_page_target(target, p + head);

    return n == target.len
               ? DT_OK
               : dt_url_resolve(NULL, (dt_str_t){ head + n, p }, a, u);
}


dt_status_t
dt_links_page(const dt_url_t *from, const dt_url_t *base, dt_str_t ref,
              unsigned given, dt_arena_t *a, dt_url_t *out)
{
    dt_status_t rc;

    rc = dt_url_resolve(base, ref, a, out);
    rc = rc == DT_OK ? dt_links_plain(out, a) : rc;

    return rc != DT_OK ? rc
           : dt_url_same_site(from, out)
                   && (given || dt_links_wanted(from, out))
               ? DT_OK
               : DT_DECLINED;
}


/*
 * Returns the number of a link's arguments, which move it back in the order:
 * such a link often leads to the same page again.  For a link to the key
 * page's own path, only the arguments beyond those of the key page count:
 * there the query serves as a directory does elsewhere.
 */
static unsigned
dt_links_args(const dt_url_t *from, const dt_url_t *to)
{
    unsigned n, key_args;

    n = dt_page_args(to->query);

    key_args = dt_str_eq(dt_page_path(from->path), dt_page_path(to->path))
                   ? dt_page_args(from->query)
                   : 0;

    return n > key_args ? n - key_args : 0;
}


/* whether key is new; seen is a table of DT_LINKS_SLOTS keys, 0: free */
static int
dt_links_first(uint64_t *seen, uint64_t key)
{
    size_t i;

    for (i = (size_t) key & (DT_LINKS_SLOTS - 1); seen[i] != 0;
         i = (i + 1) & (DT_LINKS_SLOTS - 1))
    {
        if (seen[i] == key) {
            return 0;
        }
    }

    seen[i] = key;

    return 1;
}


dt_status_t
dt_links_collect(const dt_dom_t *dom, const dt_url_t *url, dt_arena_t *a,
                 dt_links_t *out)
{
    size_t i, n;
    uint64_t *seen;
    dt_url_t base, u;
    dt_link_t *link;
    dt_status_t rc;

    n = dom->nanchors < DT_LINKS_MAX ? dom->nanchors : DT_LINKS_MAX;

    out->n = 0;
    out->links = dt_arena_calloc(a, n ? n : 1, sizeof(dt_link_t));
    seen = dt_arena_calloc(a, DT_LINKS_SLOTS, sizeof(uint64_t));

    if (out->links == NULL || seen == NULL) {
        return DT_ENOMEM;
    }

    rc = dt_url_resolve(url, dom->base, a, &base);
    if (rc == DT_ENOMEM) {
        return rc;
    }

    if (rc != DT_OK) {
        base = *url;
    }

    for (i = 0; i < n; i++) {
        if (dom->anchors[i].nofollow) {
            continue;
        }

        rc = dt_links_page(url, &base, dom->anchors[i].href, 0, a, &u);

        if (rc == DT_ENOMEM) {
            return rc;
        }

        if (rc != DT_OK || dt_links_same(url, &u)
            || !dt_links_first(seen, dt_links_key(&u)))
        {
            continue;
        }

        link = &out->links[out->n++];
        link->url = u;
        link->node = dom->anchors[i].node;
        link->distance = dt_url_distance(url, &u);
        link->args = dt_links_args(url, &u);
    }

    return DT_OK;
}


/* returns the rank of a distance: 0, 1, 2, ..., and then -1, -2, ... */
static uint32_t
dt_links_rank(const dt_link_t *link)
{
    uint32_t rank;

    rank = link->distance >= 0 ? (uint32_t) link->distance
                               : DT_URL_MAX + (uint32_t) -link->distance;

    return rank + link->args * 2 * DT_URL_MAX;
}


static int
dt_links_cmp_item(const void *one, const void *two)
{
    const dt_links_item_t *x = one, *y = two;

    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }

    return x->i < y->i ? -1 : x->i > y->i;
}


/*
 * Moves the item of its rank that is farthest from the chosen ones to position
 * i.  The others keep their order, since among equals the first in the
 * document is chosen.
 */
static void
dt_links_choose(dt_links_item_t *items, size_t n, size_t i)
{
    size_t j, best;
    dt_links_item_t item;

    best = i;

    for (j = i + 1; j < n && items[j].rank == items[i].rank; j++) {
        if (items[j].sum > items[best].sum) {
            best = j;
        }
    }

    item = items[best];
    memmove(&items[i + 1], &items[i], (best - i) * sizeof(item));
    items[i] = item;
}


dt_status_t
dt_links_order(const dt_dom_t *dom, dt_links_t *links, size_t max,
               dt_arena_t *a)
{
    size_t i, j, n;
    dt_link_t *sorted;
    dt_links_item_t *items;

    n = links->n;

    if (n < 2) {
        return DT_OK;
    }

    items = dt_arena_calloc(a, n, sizeof(dt_links_item_t));
    sorted = dt_arena_calloc(a, n, sizeof(dt_link_t));

    if (items == NULL || sorted == NULL) {
        return DT_ENOMEM;
    }

    for (i = 0; i < n; i++) {
        items[i].i = (uint32_t) i;
        items[i].node = links->links[i].node;
        items[i].rank = dt_links_rank(&links->links[i]);
    }

    qsort(items, n, sizeof(dt_links_item_t), dt_links_cmp_item);

    /* each choice adds one distance to every sum, so this takes max * n steps
     */

    for (i = 0; i < n && i < max; i++) {
        dt_links_choose(items, n, i);

        for (j = i + 1; j < n; j++) {
            items[j].sum += dt_dom_distance(dom, items[i].node, items[j].node);
        }
    }

    for (i = 0; i < n; i++) {
        sorted[i] = links->links[items[i].i];
    }

    links->links = sorted;

    return DT_OK;
}
