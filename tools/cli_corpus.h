
/*
 * Copyright (C) The detemplate authors
 *
 * A site of a corpus: a directory with site.json, which has "base_url" and
 * "key_pages", and the site's pages below pages/.
 */


#ifndef DT_CLI_CORPUS_H_INCLUDED_
#define DT_CLI_CORPUS_H_INCLUDED_


#include "core/dom/dom.h"
#include "core/web/fetch_file.h"
#include "core/web/url.h"


typedef struct {
    const char *name; /* of its file, below pages/ */
    dt_url_t url;
    dt_dom_t *dom; /* NULL: not parsed, or cannot be */
    unsigned key : 1;
} dt_cli_page_t;


typedef struct {
    dt_arena_t *arena;
    const char *name;
    const char *base;
    dt_fetch_files_t files;
    dt_cli_page_t *pages; /* sorted by name */
    size_t n;
} dt_cli_site_t;

/* Reads the site without its pages; DT_DECLINED: the directory has no site. */
dt_status_t dt_cli_site_open(const char *corpus, const char *name,
                             dt_arena_t *arena, dt_cli_site_t *out);

/* Parses a page unless that was done; one that cannot be parsed has no dom. */
dt_status_t dt_cli_site_parse(dt_cli_site_t *s, dt_cli_page_t *page);

/* A dt_fetch_pt; data is the site.  Names of files may contain queries. */
void dt_cli_site_fetch(void *data, const char *url, dt_arena_t *a,
                       dt_fetched_t *out);

/*
 * Chooses up to max pages to compare with the key page (NULL: with all key
 * pages), and parses them into out.  which is "random:N", "first:N" or "all".
 * Returns their number.
 */
size_t dt_cli_site_choose(dt_cli_site_t *s, const char *which, unsigned seed,
                          const dt_cli_page_t *key, const dt_dom_t **out,
                          size_t max);


#endif /* DT_CLI_CORPUS_H_INCLUDED_ */
