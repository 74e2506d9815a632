
/*
 * Copyright (C) The detemplate authors
 *
 * Real sites for tests: a directory with a directory for each, that holds
 * pages/ and site.json with "base_url" and "key_pages".  Each site is learned
 * from its own pages, then all of them are visited.
 */


#ifndef DT_CORPUS_H_INCLUDED_
#define DT_CORPUS_H_INCLUDED_


#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>

#include "core/learn/learn.h"
#include "core/web/fetch_file.h"
#include "site.h"


#define PATH_SIZE 1024


/* the site that is visited */
static struct {
    char root[PATH_SIZE];
    char base[512]; /* URL of root */
    char host[512];
    const void *tmpl;
    void (*page)(const char *path, const buf_t *page);
} corpus;


static inline int
corpus_read(const char *name, buf_t *b)
{
    char buf[8192];
    FILE *fp;
    size_t n;

    b->len = 0;
    fp = fopen(name, "r");
    if (fp == NULL) {
        return 0;
    }

    while ((n = fread(buf, 1, sizeof(buf), fp)) > 0) {
        buf_add(b, buf, n);
    }

    fclose(fp);
    buf_add(b, "", 1);
    b->len--;

    return 1;
}


/* the string behind p's next quote, without escapes; returns behind it */
static inline const char *
corpus_quoted(const char *p, char *out, size_t size)
{
    size_t n = 0;

    p = p ? strchr(p, '"') : NULL;
    if (p == NULL) {
        return NULL;
    }

    for (p++; *p && *p != '"' && n < size - 1; p++) {
        out[n++] = *p;
    }

    out[n] = '\0';

    return *p == '"' ? p + 1 : NULL;
}


static inline int
corpus_file(const char *name, const struct stat *st, int flag, struct FTW *f)
{
    char path[2 * PATH_SIZE];
    buf_t page = { 0 };
    size_t len = strlen(name);
    const char *dir;

    (void) st;
    (void) f;

    if (flag != FTW_F || len < 5
        || (strcmp(name + len - 5, ".html") != 0
            && strcmp(name + len - 4, ".htm") != 0))
    {
        return 0;
    }

    dir = strstr(corpus.base, "://");
    dir = dir ? strchr(dir + 3, '/') : NULL;
    snprintf(path, sizeof(path), "%s%s", dir ? dir : "/",
             name + strlen(corpus.root) + 1);

    if (corpus_read(name, &page)) {
        corpus.page(path, &page);
    }

    buf_free(&page);

    return 0;
}


/* learns from the first of the site's key pages, then visits its pages */
static inline void
corpus_learn(const char *json, unsigned keys)
{
    char key[512], url[1100];
    unsigned i;
    const char *p;
    dt_learned_t l = { 0 }, next;
    dt_learn_opts_t o;
    dt_fetch_files_t files = { corpus.root, corpus.base };

    dt_learn_opts_init(&o);
    o.fetch = dt_fetch_file;
    o.fetch_data = &files;
    o.seed = SITE_SEED;
    p = strstr(json, "\"key_pages\"");
    p = p ? strchr(p, '[') : NULL;

    for (i = 0; i < keys && (p = corpus_quoted(p, key, sizeof(key))); i++) {
        snprintf(url, sizeof(url), "%s%s", corpus.base, key);
        o.url = url;
        o.prev = l.bytes;
        o.prev_len = l.len;
        o.now += 86400;

        if (dt_learn(&o, &next) == DT_OK) {
            dt_learned_free(&l);
            l = next;

        } else {
            dt_learned_free(&next);
        }

        if (p[0] != ',') {
            break;
        }
    }

    if (l.bytes != NULL) {
        corpus.tmpl = l.bytes;
        (void) nftw(corpus.root, corpus_file, 16, FTW_PHYS);
    }

    dt_learned_free(&l);
}


/* visits the pages of a site; 0: there is no such site */
static inline int
corpus_site(const char *dir, const char *name, unsigned keys,
            void (*page)(const char *path, const buf_t *page))
{
    char path[PATH_SIZE];
    buf_t json = { 0 };
    const char *base;

    memset(&corpus, 0, sizeof(corpus));
    corpus.page = page;
    snprintf(path, sizeof(path), "%s/%s/site.json", dir, name);

    if (!corpus_read(path, &json)) {
        return 0;
    }

    base = strstr(json.data, "\"base_url\"");
    base = base ? strchr(base, ':') : NULL;
    (void) corpus_quoted(base, corpus.base, sizeof(corpus.base));
    snprintf(corpus.root, sizeof(corpus.root), "%s/%s/pages", dir, name);
    base = strstr(corpus.base, "://");
    snprintf(corpus.host, sizeof(corpus.host), "%s", base ? base + 3 : "");
    corpus.host[strcspn(corpus.host, "/")] = '\0';
    site_host = corpus.host;

    corpus_learn(json.data, keys);
    buf_free(&json);

    return 1;
}


/* calls site for each directory in dir; 0: there is no such directory */
static inline int
corpus_sites(const char *dir, void (*site)(const char *dir, const char *name))
{
    int i, n;
    struct dirent **names;

    n = scandir(dir, &names, NULL, alphasort);

    for (i = 0; i < n; i++) {
        if (names[i]->d_name[0] != '.') {
            site(dir, names[i]->d_name);
        }

        free(names[i]);
    }

    if (n >= 0) {
        free(names);
    }

    return n >= 0;
}


#endif /* DT_CORPUS_H_INCLUDED_ */
