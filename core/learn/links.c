
/*
 * Copyright (C) The detemplate authors
 *
 * The method: J. Alarte, D. Insa, J. Silva, S. Tamarit, "Analysis of
 * Hyperlinks and DOM Comparison for Site-Level Web Template Extraction"
 * (2015), section 3.1.  Pages whose directory is near share a template more
 * often; links that stand far apart in the key page lead to pages that
 * differ more, so what is common to them is template.
 *
 * A page has several URLs: with "www." and without, as a directory and as its
 * index.  Links are compared by a key in which these are equal, for a page
 * that votes twice, or for itself, makes everything look like template.
 */


#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/str.h"
#include "core/learn/links.h"


#define DT_LINKS_SLOTS 4096 /* a power of two, over twice DT_LINKS_MAX */


/* one link while an order is made */
typedef struct {
    uint32_t i;    /* in the list that came in */
    uint32_t rank; /* by hyperlink distance alone */
    uint32_t node;
    uint64_t sum; /* of DOM distances to those already chosen */
} dt_links_item_t;


/* sorted, for bsearch() */
static const char *const dt_links_ext[] = {
    "3gp",         "7z",      "apk",  "atom", "avi",  "avif",  "bin", "bmp",
    "bz2",         "cab",     "css",  "csv",  "deb",  "djvu",  "dmg", "doc",
    "docx",        "eot",     "eps",  "epub", "exe",  "flac",  "flv", "gif",
    "gz",          "heic",    "ico",  "ics",  "img",  "iso",   "jar", "jpeg",
    "jpg",         "js",      "json", "kml",  "m3u",  "m4a",   "m4v", "map",
    "mid",         "mjs",     "mkv",  "mobi", "mov",  "mp3",   "mp4", "mpeg",
    "mpg",         "msi",     "odp",  "ods",  "odt",  "ogg",   "ogv", "otf",
    "pdf",         "png",     "ppt",  "pptx", "ps",   "psd",   "rar", "rdf",
    "rpm",         "rss",     "rtf",  "svg",  "swf",  "tar",   "tgz", "tif",
    "tiff",        "torrent", "ttf",  "txt",  "vcf",  "wasm",  "wav", "webm",
    "webmanifest", "webp",    "wma",  "wmv",  "woff", "woff2", "xls", "xlsx",
    "xml",         "xsd",     "xsl",  "xz",   "zip",  "zst",
};

/*
 * A part of a path, or a name or value of the query, that is one of these
 * (case, "-" and "_" aside) acts, or leads to what is made for one user.
 */
static const char *const dt_links_acts[] = {
    "account",  "addtocart",   "atom",      "basket",     "cart",
    "checkout", "delete",      "edit",      "feed",       "feeds",
    "login",    "logoff",      "logon",     "logout",     "myaccount",
    "print",    "register",    "remove",    "replytocom", "rss",
    "rss2",     "share",       "signin",    "signoff",    "signout",
    "signup",   "unsubscribe", "userlogin", "userlogout", "vote",
    "wishlist", "wpadmin",     "wplogin",
};


static int
dt_links_cmp(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *) item);
}


static int
dt_links_listed(const char *word, const char *const *list, size_t n)
{
    return bsearch(word, list, n, sizeof(char *), dt_links_cmp) != NULL;
}


/* lower case, without "-" and "_"; empty when it is longer than any we know */
static void
dt_links_word(const char *p, size_t len, char out[16])
{
    size_t i, n;

    n = 0;

    for (i = 0; i < len; i++) {
        if (p[i] == '-' || p[i] == '_') {
            continue;
        }

        if (n == 15) {
            n = 0;
            break;
        }

        out[n++] = dt_lower(p[i]);
    }

    out[n] = '\0';
}


/* whether a word of s, cut at any byte of delims, acts */
static int
dt_links_acting(dt_str_t s, const char *delims)
{
    char word[16];
    size_t i, n;

    for (i = 0; i < s.len; i += n + 1) {
        for (n = 0; i + n < s.len; n++) {
            if (strchr(delims, s.data[i + n]) != NULL) {
                break;
            }
        }

        dt_links_word(s.data + i, n, word);

        if (dt_links_listed(word, dt_links_acts,
                            sizeof(dt_links_acts) / sizeof(char *)))
        {
            return 1;
        }
    }

    return 0;
}


/* the last part of the path and where its extension begins, if it has one */
static dt_str_t
dt_links_file(const dt_url_t *u, size_t *dot)
{
    size_t i;
    dt_str_t s;

    s = u->path;

    for (i = s.len; i > 0 && s.data[i - 1] != '/'; i--) { /* void */
    }

    s.data += i;
    s.len -= i;

    for (i = s.len; i > 0 && s.data[i - 1] != '.'; i--) { /* void */
    }

    *dot = i ? i : s.len;

    return s;
}


/* whether the URL may lead to a page that is worth a look */
static int
dt_links_wanted(const dt_url_t *u)
{
    char ext[16];
    size_t dot;
    dt_str_t file;

    file = dt_links_file(u, &dot);
    dt_links_word(file.data + dot, file.len - dot, ext);

    return !dt_links_listed(ext, dt_links_ext,
                            sizeof(dt_links_ext) / sizeof(char *))
           && memchr(u->query.data, '&', u->query.len) == NULL
           && !dt_links_acting(u->path, "/.:;=,")
           && !dt_links_acting(u->query, "=/.:;");
}


/* the path without the name of a directory's index */
static dt_str_t
dt_links_path(const dt_url_t *u)
{
    char name[16];
    size_t dot;
    dt_str_t file, path;

    path = u->path;
    file = dt_links_file(u, &dot);

    dt_links_word(file.data, dot < file.len ? dot - 1 : 0, name);

    if (strcmp(name, "index") == 0 || strcmp(name, "default") == 0) {
        path.len -= file.len;
    }

    return path;
}


/* whether a part of a path is how languages are named: de, pt-br, zh_Hans */
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


/* a query makes another page, by any name */
dt_page_id_t
dt_links_id(const dt_url_t *url)
{
    dt_str_t name;
    dt_page_id_t id;

    id.path = url->path;

    id.url = dt_hash(url->host.data, url->host.len, 0);
    id.url = dt_hash(url->path.data, url->path.len, id.url);
    id.url = dt_hash(url->query.data, url->query.len, id.url);

    name = dt_links_name(url);
    id.name = dt_hash(name.data, name.len, 0);
    id.name = dt_hash(url->query.data, url->query.len, id.name);

    return id;
}


/* all links are of one site, so the host says nothing */
static uint64_t
dt_links_key(const dt_url_t *u)
{
    uint64_t h;
    dt_str_t path;

    path = dt_links_path(u);

    h = dt_hash(path.data, path.len, 0);
    h = dt_hash(u->query.data, u->query.len, h);

    return h ? h : 1;
}


int
dt_links_same(const dt_url_t *a, const dt_url_t *b)
{
    return dt_str_eq(dt_links_path(a), dt_links_path(b))
           && dt_str_eq(a->query, b->query);
}


/* 1 the first time; seen is a table of DT_LINKS_SLOTS keys, 0 for free */
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

        rc = dt_url_resolve(&base, dom->anchors[i].href, a, &u);
        if (rc == DT_ENOMEM) {
            return rc;
        }

        if (rc != DT_OK || !dt_url_same_site(url, &u) || !dt_links_wanted(&u)
            || dt_links_same(url, &u)
            || !dt_links_first(seen, dt_links_key(&u)))
        {
            continue;
        }

        link = &out->links[out->n++];
        link->url = u;
        link->node = dom->anchors[i].node;
        link->distance = dt_url_distance(url, &u);
    }

    return DT_OK;
}


/* 0, 1, 2, ... and behind all of them -1, -2, ... */
static uint32_t
dt_links_rank(const dt_link_t *link)
{
    uint32_t rank;

    rank = link->distance >= 0 ? (uint32_t) link->distance
                               : DT_URL_MAX + (uint32_t) -link->distance;

    /* often the same page again, in another order: rather others first */

    return link->url.query.len ? rank + 2 * DT_URL_MAX : rank;
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
 * Brings to place i the item of its rank that is farthest from those chosen;
 * the others keep their order, for among equals the first in the document is
 * taken.
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

    /* each choice adds one distance to every sum: max * n in all */

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
