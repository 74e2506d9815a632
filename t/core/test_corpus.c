
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
    unsigned wrong; /* pages of which something does not hold */
    unsigned trees; /* pages whose tree differs */
    unsigned unparsed;
    size_t bytes;
    size_t removed;
    size_t bold; /* removed then */
} site;

static unsigned sites, all; /* and pages of all */


/* as it is, or with what goes by its shape */
static void
page_as(const char *path, const buf_t *page)
{
    int same, good = site_holds(corpus.tmpl, path, page);
    result_t r;

    site_rewrite_at(corpus.tmpl, DT_STRIP, path, page, &r);
    *(site_bold ? &site.bold : &site.removed) += (size_t) r.stats.removed;
    result_free(&r);

    if (!good) {
        printf("#   %s\n", path);
    }

    same = same_tree(corpus.tmpl, path, page);
    site.wrong += !good;
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
           "%u wrong, %u trees differ, %u not parsed\n",
           name, site.pages, site.bytes / 1024,
           site.bytes ? 100 * site.removed / site.bytes : 0,
           (site.bold - site.removed) / 1024, site.wrong, site.trees,
           site.unparsed);

    snprintf(title, sizeof(title), "%s: holds", name);
    is_int(site.wrong, 0, title);
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

    (void) corpus_sites(dir, site_ok);

    if (sites == 0) {
        printf("1..0 # SKIP no site there\n");
        return 0;
    }

    ok(all > 0, "there were pages with a template");

    return done();
}
