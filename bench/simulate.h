
/*
 * Copyright (C) The detemplate authors
 *
 * A site whose pages are files, which bench/simulate visits.
 */


#ifndef SIMULATE_H_INCLUDED_
#define SIMULATE_H_INCLUDED_


#include <stdio.h>

#include "core/base/dt.h"
#include "core/learn/learning.h"
#include "core/web/fetch_file.h"


#define MAX_PAGES 4096
#define RESERVOIR 16 /* pages that visitors asked for */


typedef struct {
    dt_fetch_files_t files;
    char urls[MAX_PAGES][2100];
    char names[MAX_PAGES][1100];
    const char *named[MAX_PAGES];
    size_t n;
    void *tmpl;
    size_t len;
    unsigned loads;
    unsigned tries;
    unsigned learnings;
    unsigned candidates; /* of the first learning */
    unsigned passes;
    unsigned keep;
    unsigned guard;
    unsigned bold;
    unsigned shuffle;
    unsigned visits;
    unsigned sitemap;
    const char *records;
    FILE *features;
    unsigned saved; /* pages written so far, in their order */
    dt_learn_opts_t learn;
    FILE *to;
} site_t;


/* a page with a query is a file named so, or the page without */
void simulate_fetch(void *data, const char *url, dt_arena_t *a,
                    dt_fetched_t *got);

/* writes to the file s->records, of each page: its name, how many records and
   of which size, and those */
void simulate_records(const site_t *s);

/*
 * Writes to the file s->features, of each pattern that the score weighs in the
 * template as it is now: its key, what the rules say, and its features, which
 * bench/model fits its trees to; before all that, a pattern of nothing.
 */
void simulate_features(const site_t *s);


#endif /* SIMULATE_H_INCLUDED_ */
