
/*
 * Copyright (C) The detemplate authors
 *
 * The properties of rewriting on real sites: those of the directory
 * DT_CORPUS, see corpus.h, or of DT_SAMPLE, which make test has made by
 * .ci/sample.sh.
 */


#include "corpus.h"
#include "same.h"
#include "test.h"


#define KEYS 3


static struct {
    unsigned pages;
    unsigned pieces; /* pages that differ when they come in pieces */
    unsigned trees;  /* pages whose tree differs */
    unsigned unparsed;
    size_t bytes;
    size_t removed;
    size_t bold; /* removed then */
    size_t known;
} site;

static unsigned sites, all; /* and pages of all */
static void *memo;
static const void *memo_of; /* the template */
static void *room;


/* with the regions that are known from the pages before */
static int
page_again(const char *path, const buf_t *page, dt_mode_t mode,
           const result_t *whole)
{
    int good;
    result_t r;

    if (memo_of != corpus.tmpl) {
        memo_of = corpus.tmpl;
        (void) dt_memo_init(memo);
    }

    site_memo = memo;
    site_room = room;
    site_rewrite_at(corpus.tmpl, mode, path, page, 32768, NULL, &r);
    site_memo = NULL;
    site_room = NULL;
    good = result_eq(&r, whole) && !r.wrong;
    site.known += r.stats.known;
    result_free(&r);

    if (!good) {
        printf("#   %s: mode %u, with known regions\n", path, mode);
    }

    return good;
}


/* as it is, or with what goes by its shape */
static void
page_as(const char *path, const buf_t *page)
{
    int same, good;
    unsigned mode;
    result_t whole;

    static const size_t sizes[] = { 1, 7, 64, 4096, SITE_RANDOM, 0 };

    good = site_pieces(corpus.tmpl, path, page, sizes);

    for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
        site_rewrite_at(corpus.tmpl, (dt_mode_t) mode, path, page, 0, NULL,
                        &whole);

        if (mode == DT_STRIP) {
            *(site_bold ? &site.bold : &site.removed) +=
                (size_t) whole.stats.removed;
        }

        good &= page_again(path, page, (dt_mode_t) mode, &whole);
        result_free(&whole);
    }

    if (!good) {
        printf("#   %s\n", path);
    }

    same = same_tree(corpus.tmpl, path, page);
    site.pieces += !good;
    site.trees += same == 0;
    site.unparsed += same < 0;
}


static void
page_ok(const char *path, const buf_t *page)
{
    site.pages++;
    site.bytes += page->len;

    for (site_bold = 0; site_bold <= 1; site_bold++) {
        page_as(path, page);
    }
}


static void
site_ok(const char *dir, const char *name)
{
    char title[PATH_SIZE];

    memset(&site, 0, sizeof(site));

    if (!corpus_site(dir, name, KEYS, page_ok)) {
        return;
    }

    sites++;
    all += site.pages;

    printf("# %s: %u pages, %zu KB, %zu%% of it template (bold: %zu KB more); "
           "%u differ in pieces, %u trees differ, %u not parsed; %zu KB "
           "known\n",
           name, site.pages, site.bytes / 1024,
           site.bytes ? 100 * site.removed / site.bytes : 0,
           (site.bold - site.removed) / 1024, site.pieces, site.trees,
           site.unparsed, site.known / 1024);

    snprintf(title, sizeof(title), "%s: in pieces", name);
    is_int(site.pieces, 0, title);
    snprintf(title, sizeof(title), "%s: for a parser", name);
    is_int(site.trees, 0, title);
}


int
main(void)
{
    const char *dir = getenv("DT_CORPUS");

    dir = dir ? dir : getenv("DT_SAMPLE");
    if (dir == NULL) {
        printf("1..0 # SKIP neither DT_CORPUS nor DT_SAMPLE is set\n");
        return 0;
    }

    memo = malloc(dt_memo_size());
    room = malloc(dt_rewrite_room());
    (void) corpus_sites(dir, site_ok);
    free(memo);
    free(room);

    if (sites == 0) {
        printf("1..0 # SKIP no site there\n");
        return 0;
    }

    ok(all > 0, "there were pages with a template");

    return done();
}
