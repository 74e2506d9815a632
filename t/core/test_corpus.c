
/*
 * Copyright (C) The detemplate authors
 *
 * The properties of rewriting on real sites: DT_CORPUS is a directory with a
 * directory for each, that holds pages/ and site.json with "base_url" and
 * "key_pages".  Each site is learned from its own pages, and all of them are
 * rewritten.
 */


#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>

#include "core/learn.h"
#include "same.h"
#include "site.h"
#include "test.h"


#define PATH_SIZE 1024
#define KEYS 3


static struct {
    char root[PATH_SIZE];
    char base[512]; /* URL of root */
    char host[512];
    const void *tmpl;
    unsigned pages;
    unsigned pieces; /* pages that differ when they come in pieces */
    unsigned trees;  /* pages whose tree differs */
    unsigned unparsed;
    size_t bytes;
    size_t removed;
} site;


static int
read_all(const char *name, buf_t *b)
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
static const char *
quoted(const char *p, char *out, size_t size)
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


static void
page_ok(const char *path, const buf_t *page)
{
    int same;
    size_t i;
    unsigned mode, good = 1;
    result_t whole, r;

    static const size_t chunks[] = { 1, 7, 64, 4096, SITE_RANDOM };

    for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
        site_rewrite_at(site.tmpl, (dt_mode_t) mode, path, page, 0, NULL,
                        &whole);
        good &= !whole.wrong
                && (mode == DT_STRIP ? site_subsequence(&whole.out, page)
                                     : buf_eq(&whole.unmarked, page));

        if (mode == DT_STRIP) {
            site.removed += whole.stats.removed;
        }

        for (i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
            site_rewrite_at(site.tmpl, (dt_mode_t) mode, path, page, chunks[i],
                            NULL, &r);

            if (!result_eq(&r, &whole) || r.wrong
                || r.stats.held > DT_HOLD_MAX) {
                printf("#   %s: mode %u, pieces of %zu: %zu bytes, held %u; "
                       "whole: %zu\n",
                       path, mode, chunks[i], r.out.len, r.stats.held,
                       whole.out.len);
                good = 0;
            }

            result_free(&r);
        }

        result_free(&whole);
    }

    same = same_tree(site.tmpl, path, page);
    site.pages++;
    site.bytes += page->len;
    site.pieces += !good;
    site.trees += same == 0;
    site.unparsed += same < 0;
}


static int
file_ok(const char *name, const struct stat *st, int flag, struct FTW *f)
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

    dir = strstr(site.base, "://");
    dir = dir ? strchr(dir + 3, '/') : NULL;
    snprintf(path, sizeof(path), "%s%s", dir ? dir : "/",
             name + strlen(site.root) + 1);

    if (read_all(name, &page)) {
        page_ok(path, &page);
    }

    buf_free(&page);

    return 0;
}


static void
learn_site(const char *json)
{
    char key[512], url[1100];
    unsigned i;
    const char *p;
    dt_learned_t l = { 0 }, next;
    dt_learn_opts_t o;
    dt_fetch_files_t files = { site.root, site.base };

    dt_learn_opts_init(&o);
    o.fetch = dt_fetch_file;
    o.fetch_data = &files;
    o.seed = SITE_SEED;
    p = strstr(json, "\"key_pages\"");
    p = p ? strchr(p, '[') : NULL;

    for (i = 0; i < KEYS && (p = quoted(p, key, sizeof(key))); i++) {
        snprintf(url, sizeof(url), "%s%s", site.base, key);
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
        site.tmpl = l.bytes;
        (void) nftw(site.root, file_ok, 16, FTW_PHYS);
    }

    dt_learned_free(&l);
}


static void
site_ok(const char *corpus, const char *name)
{
    char path[PATH_SIZE], title[PATH_SIZE];
    buf_t json = { 0 };
    const char *base;

    memset(&site, 0, sizeof(site));
    snprintf(path, sizeof(path), "%s/%s/site.json", corpus, name);

    if (!read_all(path, &json)) {
        return;
    }

    base = strstr(json.data, "\"base_url\"");
    base = base ? strchr(base, ':') : NULL;
    (void) quoted(base, site.base, sizeof(site.base));
    snprintf(site.root, sizeof(site.root), "%s/%s/pages", corpus, name);
    base = strstr(site.base, "://");
    snprintf(site.host, sizeof(site.host), "%s", base ? base + 3 : "");
    site.host[strcspn(site.host, "/")] = '\0';
    site_host = site.host;

    learn_site(json.data);

    printf("# %s: %u pages, %zu KB, %zu%% of it template; %u differ in "
           "pieces, %u trees differ, %u not parsed\n",
           name, site.pages, site.bytes / 1024,
           site.bytes ? 100 * site.removed / site.bytes : 0, site.pieces,
           site.trees, site.unparsed);

    snprintf(title, sizeof(title), "%s: in pieces", name);
    is_int(site.pieces, 0, title);
    snprintf(title, sizeof(title), "%s: for a parser", name);
    is_int(site.trees, 0, title);
    buf_free(&json);
}


int
main(void)
{
    int i, n;
    struct dirent **names;
    const char *corpus = getenv("DT_CORPUS");

    if (corpus == NULL) {
        printf("1..0 # SKIP DT_CORPUS is not set\n");
        return 0;
    }

    n = scandir(corpus, &names, NULL, alphasort);

    for (i = 0; i < n; i++) {
        if (names[i]->d_name[0] != '.') {
            site_ok(corpus, names[i]->d_name);
        }

        free(names[i]);
    }

    if (n >= 0) {
        free(names);
    }

    return done();
}
