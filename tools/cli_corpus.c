
/*
 * Copyright (C) The detemplate authors
 */


#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tools/cli_corpus.h"
#include "core/base/hash.h"
#include "core/dom/dom.h"
#include "cli_corpus.h"
#include "core/learn/links.h"


#define DT_CLI_PATH 4096
#define DT_CLI_JSON_MAX (1u << 20)
#define DT_CLI_SITE_PAGES 4096
#define DT_CLI_SITE_DEPTH 32 /* of directories; deeper files are left out */


/* reads a small file, and puts a NUL behind it */
static char *
dt_cli_slurp(const char *path, dt_arena_t *a)
{
    FILE *f;
    char *buf;
    size_t n;

    f = fopen(path, "rb");
    if (f == NULL) {
        return NULL;
    }

    buf = dt_arena_alloc(a, DT_CLI_JSON_MAX);

    if (buf != NULL) {
        n = fread(buf, 1, DT_CLI_JSON_MAX - 1, f);
        buf[n] = '\0';
    }

    fclose(f);

    return buf;
}


/* finds the JSON string that begins at the next quote; *end is behind it */
static const char *
dt_cli_json_string(const char *p, const char **end, dt_arena_t *a)
{
    char *out;
    size_t n = 0;

    p = p ? strchr(p, '"') : NULL;
    if (p == NULL) {
        return NULL;
    }

    out = dt_arena_alloc(a, strlen(p));
    if (out == NULL) {
        return NULL;
    }

    for (p++; *p && *p != '"'; p++) {
        p += *p == '\\' && p[1];
        out[n++] = *p;
    }

    out[n] = '\0';
    *end = *p ? p + 1 : p;

    return out;
}


/* returns the position behind the colon of the member with that name */
static const char *
dt_cli_json_member(const char *json, const char *name)
{
    char key[64];
    const char *p;

    snprintf(key, sizeof(key), "\"%s\"", name);
    p = strstr(json, key);

    return p ? strchr(p + strlen(key), ':') : NULL;
}


/* makes the URL of a file: its name, or its directory for an index */
static dt_status_t
dt_cli_page_url(const dt_cli_site_t *s, dt_cli_page_t *page)
{
    char url[3 * DT_CLI_PATH];
    size_t n, len = strlen(page->name), index = strlen("index.html");
    const unsigned char *p = (const unsigned char *) page->name;

    if (len >= index && strcmp(page->name + len - index, "index.html") == 0
        && (len == index || page->name[len - index - 1] == '/'))
    {
        len -= index;
    }

    n = (size_t) snprintf(url, sizeof(url), "%s", s->base);

    for (size_t i = 0; i < len && n + 4 < sizeof(url); i++) {
        if (p[i] > ' ' && p[i] < 0x7f && strchr("\"#%<>\\^`{|}", p[i]) == NULL)
        {
            url[n++] = (char) p[i];
            url[n] = '\0';

        } else {
            n += (size_t) snprintf(url + n, 4, "%%%02X", p[i]);
        }
    }

    return dt_url_resolve(NULL, dt_cstr(url), s->arena, &page->url);
}


/* adds the files below dir, which is the directory name below root */
static dt_status_t
dt_cli_site_walk(dt_cli_site_t *s, const char *name, unsigned depth)
{
    int i, n;
    char path[3 * DT_CLI_PATH], below[2 * DT_CLI_PATH];
    struct stat st;
    struct dirent **entries;
    dt_status_t rc = DT_OK;

    snprintf(path, sizeof(path), "%s/%s", s->files.root, name);

    n = scandir(path, &entries, NULL, alphasort);

    for (i = 0; i < n; i++) {
        snprintf(below, sizeof(below), "%s%s%s", name, *name ? "/" : "",
                 entries[i]->d_name);
        snprintf(path, sizeof(path), "%s/%s", s->files.root, below);

        if (rc == DT_OK && entries[i]->d_name[0] != '.'
            && lstat(path, &st) == 0 && strlen(below) < DT_CLI_PATH / 2)
        {
            if (S_ISDIR(st.st_mode)) {
                rc = depth < DT_CLI_SITE_DEPTH
                         ? dt_cli_site_walk(s, below, depth + 1)
                         : DT_OK;

            } else if (S_ISREG(st.st_mode) && s->n < DT_CLI_SITE_PAGES) {
                s->pages[s->n].name =
                    dt_arena_strdup(s->arena, dt_cstr(below)).data;
                rc = s->pages[s->n].name ? dt_cli_page_url(s, &s->pages[s->n])
                                         : DT_ENOMEM;
                s->n++;
            }
        }

        free(entries[i]);
    }

    if (n >= 0) {
        free(entries);
    }

    return rc;
}


dt_status_t
dt_cli_site_open(const char *corpus, const char *name, dt_arena_t *arena,
                 dt_cli_site_t *out)
{
    char path[DT_CLI_PATH];
    const char *json, *p, *end, *key;
    dt_status_t rc;

    memset(out, 0, sizeof(dt_cli_site_t));
    out->arena = arena;
    out->name = name;

    snprintf(path, sizeof(path), "%s/%s/site.json", corpus, name);

    json = dt_cli_slurp(path, arena);
    if (json == NULL) {
        return DT_DECLINED;
    }

    snprintf(path, sizeof(path), "%s/%s/pages", corpus, name);
    out->files.root = dt_arena_strdup(arena, dt_cstr(path)).data;
    out->base =
        dt_cli_json_string(dt_cli_json_member(json, "base_url"), &end, arena);
    out->files.base = out->base;
    out->pages =
        dt_arena_calloc(arena, DT_CLI_SITE_PAGES, sizeof(dt_cli_page_t));

    if (out->base == NULL || out->files.root == NULL || out->pages == NULL) {
        return DT_EINVAL;
    }

    rc = dt_cli_site_walk(out, "", 0);
    if (rc != DT_OK) {
        return rc;
    }

    p = dt_cli_json_member(json, "key_pages");
    p = p ? strchr(p, '[') : NULL;

    while (p != NULL && (key = dt_cli_json_string(p, &end, arena)) != NULL) {
        for (size_t i = 0; i < out->n; i++) {
            out->pages[i].key |= strcmp(out->pages[i].name, key) == 0;
        }

        p = end + strspn(end, " \t\r\n");
        p = *p == ',' ? p : NULL;
    }

    return DT_OK;
}


void
dt_cli_site_fetch(void *data, const char *url, dt_arena_t *a,
                  dt_fetched_t *out)
{
    char name[DT_CLI_PATH];
    dt_cli_site_t *s = data;
    const char *query = strchr(url, '?');

    if (query != NULL) {
        snprintf(name, sizeof(name), "%.*s%s%%3F%s", (int) (query - url), url,
                 query > url && query[-1] == '/' ? "index.html" : "",
                 query + 1);
        dt_fetch_file(&s->files, name, a, out);

        if (out->rc == DT_OK) {
            out->url = dt_cstr(url);
            return;
        }
    }

    dt_fetch_file(&s->files, url, a, out);
}


dt_status_t
dt_cli_site_parse(dt_cli_site_t *s, dt_cli_page_t *page)
{
    dt_dom_opts_t o;
    dt_fetched_t got;

    if (page->dom != NULL) {
        return DT_OK;
    }

    memset(&got, 0, sizeof(got));
    dt_cli_site_fetch(s, page->url.href.data, s->arena, &got);

    if (got.rc != DT_OK) {
        return got.rc;
    }

    dt_dom_opts_init(&o);

    return dt_dom_parse(got.body, &o, s->arena, &page->dom);
}


/* chooses the first pages that the key page links to */
static size_t
dt_cli_site_first(dt_cli_site_t *s, const dt_cli_page_t *key,
                  const dt_dom_t **out, size_t max)
{
    size_t n = 0;
    dt_links_t links;

    if (key->dom == NULL
        || dt_links_collect(key->dom, &key->url, s->arena, &links) != DT_OK)
    {
        return 0;
    }

    for (size_t i = 0; i < links.n && n < max; i++) {
        for (size_t k = 0; k < s->n && n < max; k++) {
            if (&s->pages[k] != key
                && dt_links_same(&links.links[i].url, &s->pages[k].url)
                && dt_cli_site_parse(s, &s->pages[k]) == DT_OK)
            {
                out[n++] = s->pages[k].dom;
                break;
            }
        }
    }

    return n;
}


/* chooses pages that are not key pages, in an order given by the seed */
static size_t
dt_cli_site_random(dt_cli_site_t *s, unsigned seed, const dt_dom_t **out,
                   size_t max)
{
    size_t i, j, n = 0, m = 0;
    uint64_t h = dt_hash(s->name, strlen(s->name), seed);
    dt_cli_page_t **order;

    order = dt_arena_calloc(s->arena, s->n + 1, sizeof(dt_cli_page_t *));
    if (order == NULL) {
        return 0;
    }

    for (i = 0; i < s->n; i++) {
        if (s->pages[i].key) {
            continue;
        }

        h = dt_mix(h, i + 1);
        j = (size_t) ((h >> 16) % ++m);
        order[m - 1] = order[j];
        order[j] = &s->pages[i];
    }

    for (i = 0; i < m && n < max; i++) {
        if (dt_cli_site_parse(s, order[i]) == DT_OK) {
            out[n++] = order[i]->dom;
        }
    }

    return n;
}


size_t
dt_cli_site_choose(dt_cli_site_t *s, const char *which, unsigned seed,
                   const dt_cli_page_t *key, const dt_dom_t **out, size_t max)
{
    size_t n = 0, most;
    const char *colon = strchr(which, ':');

    most = colon ? strtoul(colon + 1, NULL, 10) : max;
    most = most < max ? most : max;

    if (strncmp(which, "random:", 7) == 0) {
        return dt_cli_site_random(s, seed, out, most);
    }

    if (strncmp(which, "first:", 6) == 0) {
        return dt_cli_site_first(s, key, out, most);
    }

    for (size_t i = 0; i < s->n && n < most; i++) {
        if (dt_cli_site_parse(s, &s->pages[i]) == DT_OK) {
            out[n++] = s->pages[i].dom;
        }
    }

    return n;
}
