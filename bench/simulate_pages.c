
/*
 * Copyright (C) The detemplate authors
 *
 * Reads pages for bench/simulate, and writes features for bench/model.
 */


#include <stdlib.h>

#include "bench/simulate.h"
#include "core/rules/decide.h"
#include "core/rules/score.h"
#include "core/scan/scan.h"
#include "core/web/url.h"


void
simulate_fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *got)
{
    char name[2100];
    const char *query;

    query = strchr(url, '?');

    if (query != NULL) {
        snprintf(name, sizeof(name), "%.*s%s%%3F%s", (int) (query - url), url,
                 query > url && query[-1] == '/' ? "index.html" : "",
                 query + 1);
        dt_fetch_file(data, name, a, got);

        if (got->rc == DT_OK) {
            got->url = dt_cstr(url);
            return;
        }
    }

    dt_fetch_file(data, url, a, got);
}


static void
features(FILE *to, uint64_t key, const uint16_t *x)
{
    fwrite(&key, sizeof(key), 1, to);
    fwrite(x, sizeof(*x), DT_SCORE_FEATURES, to);
}


void
simulate_features(const site_t *s)
{
    const uint16_t none[DT_SCORE_FEATURES] = { 0 };
    const dt_pattern_t *e;
    dt_tables_t tables;
    dt_evidence_t *ev;
    dt_arena_t *a;
    uint32_t i;

    a = dt_arena_create((size_t) 256 << 20);
    ev = dt_evidence_create(s->tmpl, &s->learn.rules, 0, a);

    if (ev != NULL) {
        ev->traces =
            dt_arena_calloc(a, ev->patterns.n + 1, sizeof(dt_score_trace_t));
    }

    features(s->features, 0, none);

    if (ev != NULL && ev->traces != NULL && dt_decide(ev, &tables) == DT_OK) {
        e = ev->patterns.elts;

        for (i = 0; i < ev->patterns.n; i++) {
            if (ev->traces[i].scored) {
                features(s->features, e[i].key, ev->traces[i].x);
            }
        }
    }

    dt_arena_destroy(a);
}


void
simulate_records(const site_t *s)
{
    size_t j, n;
    FILE *to;
    dt_url_t url;
    dt_arena_t *a;
    dt_fetched_t got;
    dt_record_t *r;

    to = fopen(s->records, "w");

    for (j = 0; to != NULL && j < s->n; j++) {
        memset(&got, 0, sizeof(got));
        r = NULL;
        n = 0;
        a = dt_arena_create((size_t) 64 << 20);
        simulate_fetch((void *) &s->files, s->urls[j], a, &got);

        if (got.rc == DT_OK
            && dt_url_resolve(NULL, dt_cstr(s->urls[j]), a, &url) == DT_OK)
        {
            (void) dt_scan_records(got.body, s->learn.seed, url.host, url.path,
                                   &r, &n);
        }

        fprintf(to, "%s\n%zu %zu\n", s->names[j], n, sizeof(*r));
        fwrite(r, sizeof(*r), n, to);
        free(r);
        dt_arena_destroy(a);
    }

    if (to != NULL) {
        fclose(to);
    }
}
