
/*
 * Copyright (C) The detemplate authors
 *
 * The command evaluate runs each detector on each key page of each site of a
 * corpus.  It reports the nodes that the detector found, the ranges that are
 * cut when the compiler and the rewriter that serve get these nodes, and the
 * time of the detector alone.  It does not read labels: bench/detectors
 * compares.
 *
 * With --pages cs, the pages are those that a learning would find: it runs a
 * learning with a detector that runs the others.
 */


#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/learn/learn.h"
#include "cli.h"
#include "cli_corpus.h"
#include "cli_cut.h"


#define DT_CLI_ARENA ((size_t) 3 << 30)
#define DT_CLI_MOST 4096 /* most pages that a key page is compared with */


/* results of one detector, over all key pages */
typedef struct {
    const dt_detector_t *detector;
    dt_arena_t *arena; /* data that it learned from the current pages */
    dt_detect_t d;
    dt_status_t rc;
    double learned; /* milliseconds of learning that */

    unsigned keys;
    uint64_t nodes;
    uint64_t found;
    uint64_t bytes;
    uint64_t cut;
    double learn_ms;
    double ms;
    double worst;
} dt_cli_run_t;


typedef struct {
    const dt_cli_args_t *args;
    dt_detect_opts_t o;
    dt_cli_run_t runs[DT_CLI_VALUES];
    unsigned nruns;

    dt_cli_site_t site;
    const dt_cli_page_t *key;
    const dt_dom_t *pages[DT_CLI_MOST];
    size_t npages;
    uint64_t compared; /* compared pages, over all key pages */
    unsigned loads;    /* for the current key page */
    uint64_t loaded;
    unsigned printed; /* key pages of the site that were printed */
    unsigned sites;

    unsigned cuts; /* ranges cut from the key page */
    uint64_t cut;  /* bytes cut from it */
} dt_cli_eval_t;


/* lets the detector that dt_learn() calls find the detectors that it runs */
static dt_cli_eval_t *dt_cli_eval;


static double
dt_cli_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);

    return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}


/* counts, and prints, a range of the key page that is cut */
static void
dt_cli_report_cut(void *data, uint64_t start, uint64_t end)
{
    dt_cli_eval_t *e = data;

    if (e->args->json) {
        printf("%s[%" PRIu64 ",%" PRIu64 "]", e->cuts++ ? "," : "", start,
               end);
    }

    e->cut += end - start;
}


/* runs one detector on the key page, and prints its result */
static void
dt_cli_found(dt_cli_eval_t *e, dt_cli_run_t *r)
{
    double ms;
    uint8_t *out;
    uint64_t found = 0;
    dt_status_t rc;
    const dt_dom_t *dom = e->key->dom;
    dt_arena_t *a = dt_arena_create((size_t) 1 << 30);

    out = a ? dt_arena_alloc(a, dom->n + 1) : NULL;
    if (out == NULL) {
        dt_arena_destroy(a);
        return;
    }

    ms = dt_cli_ms();
    rc = r->rc == DT_OK ? dt_detect_nodes(&r->d, dom, a, out) : r->rc;
    ms = dt_cli_ms() - ms;

    if (rc != DT_OK) {
        memset(out, 0, dom->n);
    }

    if (e->args->json) {
        printf("%s{\"detector\":\"%s\",\"status\":\"%s\",\"pages\":%zu,"
               "\"loads\":%u,\"learn_ms\":%.3f,\"ms\":%.3f,\"nodes\":\"",
               r == e->runs ? "" : ",", r->detector->name, dt_strstatus(rc),
               e->npages, e->loads, r->learned, ms);
    }

    for (uint32_t i = 0; i < dom->n; i++) {
        found += out[i];

        if (e->args->json) {
            putchar(out[i] ? '1' : '0');
        }
    }

    if (e->args->json) {
        printf("\",\"cut\":[");
    }

    e->cuts = 0;
    e->cut = 0;
    dt_cli_cut(e->key, out, dt_cli_report_cut, e);

    if (e->args->json) {
        printf("]}");
    }

    r->keys++;
    r->nodes += dom->n;
    r->found += found;
    r->bytes += dom->src.len;
    r->cut += e->cut;
    r->ms += ms;
    r->learn_ms += r->learned;
    r->worst = ms + r->learned > r->worst ? ms + r->learned : r->worst;
    dt_arena_destroy(a);
}


static void
dt_cli_release(dt_cli_eval_t *e)
{
    for (unsigned i = 0; i < e->nruns; i++) {
        dt_arena_destroy(e->runs[i].arena);
        e->runs[i].arena = NULL;
    }
}


/* lets all detectors learn from the current pages */
static void
dt_cli_prepare(dt_cli_eval_t *e)
{
    double ms;
    dt_cli_run_t *r;

    dt_cli_release(e);

    for (r = e->runs; r < e->runs + e->nruns; r++) {
        r->arena = dt_arena_create((size_t) 1 << 30);
        ms = dt_cli_ms();
        r->rc = r->arena ? dt_detect_prepare(r->detector, e->pages, e->npages,
                                             &e->o, r->arena, &r->d)
                         : DT_ENOMEM;
        r->learned = dt_cli_ms() - ms;
    }
}


static void
dt_cli_key(dt_cli_eval_t *e)
{
    const dt_node_t *node;
    const dt_dom_t *dom = e->key->dom;

    e->compared += e->npages;
    e->loaded += e->loads;

    if (e->args->json) {
        printf("%s\n{\"page\":", e->printed++ ? "," : "");
        dt_cli_print_json(stdout, dt_cstr(e->key->name));
        printf(",\"nodes\":[");

        for (uint32_t i = 0; i < dom->n; i++) {
            node = &dom->nodes[i];
            printf("%s[%u,%u,%u,%d]", i ? "," : "", node->start, node->end,
                   (unsigned) node->kind, (int) node->parent);
        }

        printf("],\"found\":[");
    }

    for (unsigned i = 0; i < e->nruns; i++) {
        dt_cli_found(e, &e->runs[i]);
    }

    if (e->args->json) {
        printf("]}");
    }
}


/* runs the detectors on the pages that a learning compares with its key page
 */
static dt_status_t
dt_cli_capture(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
               uint8_t *out)
{
    (void) key;
    (void) arena;
    (void) out;

    for (size_t i = 0; i < d->n && i < DT_CLI_MOST; i++) {
        dt_cli_eval->pages[i] = d->pages[i];
    }

    dt_cli_eval->npages = d->n;
    dt_cli_prepare(dt_cli_eval);
    dt_cli_key(dt_cli_eval);

    return DT_OK;
}

static const dt_detector_t dt_cli_captor = { "", "", NULL, dt_cli_capture };


static void
dt_cli_count_load(void *data, const char *url, const char *what)
{
    dt_cli_eval_t *e = data;

    (void) url;
    e->loads += strcmp(what, "loaded") == 0 || strcmp(what, "same") == 0;
}


static void
dt_cli_discover(dt_cli_eval_t *e)
{
    unsigned printed = e->printed, keys = e->runs[0].keys;
    dt_learned_t l;
    dt_learn_opts_t o;

    dt_learn_opts_init(&o);
    o.url = e->key->url.href.data;
    o.candidates = e->args->candidates ? e->args->candidates : o.candidates;
    o.loads = e->args->loads ? e->args->loads : o.loads;
    o.alone = 1;
    o.detector = &dt_cli_captor;
    o.fetch = dt_cli_site_fetch;
    o.fetch_data = &e->site;
    o.progress = dt_cli_count_load;
    o.progress_data = e;
    o.seed = 1;

    e->loads = 0;
    dt_cli_eval = e;
    (void) dt_learn(&o, &l);
    dt_learned_free(&l);

    if (keys == e->runs[0].keys && printed == e->printed) {
        /* without a page to compare with, nothing is found */
        e->npages = 0;
        dt_cli_prepare(e);
        dt_cli_key(e);
    }

    dt_cli_release(e);
}


/* chooses the pages that are compared, for key or, if it is NULL, for all */
static void
dt_cli_choose(dt_cli_eval_t *e, const char *which, unsigned seed,
              const dt_cli_page_t *key)
{
    e->npages =
        dt_cli_site_choose(&e->site, which, seed, key, e->pages, DT_CLI_MOST);
    e->loads = (unsigned) e->npages;
    dt_cli_prepare(e);
}


static int
dt_cli_site(dt_cli_eval_t *e, const char *name)
{
    int shared;
    dt_status_t rc;
    const char *which = e->args->pages ? e->args->pages : "cs";
    dt_cli_site_t *s = &e->site;
    dt_arena_t *a = dt_arena_create(DT_CLI_ARENA);

    rc = a ? dt_cli_site_open(e->args->arg, name, a, s) : DT_ENOMEM;
    if (rc != DT_OK) {
        dt_arena_destroy(a);
        return rc == DT_DECLINED ? DT_EXIT_OK
                                 : dt_cli_error(DT_EXIT_IO, "%s: %s", name,
                                                dt_strstatus(rc));
    }

    if (e->args->json) {
        printf("%s\n{\"site\":", e->sites ? "," : "");
        dt_cli_print_json(stdout, dt_cstr(name));
        printf(",\"keys\":[");
    }

    e->sites++;
    e->printed = 0;
    shared = strcmp(which, "cs") != 0 && strncmp(which, "first:", 6) != 0;

    if (shared) {
        dt_cli_choose(e, which, e->args->seed ? e->args->seed : 1, NULL);
    }

    for (size_t i = 0; i < s->n; i++) {
        e->key = &s->pages[i];

        if (!s->pages[i].key || dt_cli_site_parse(s, &s->pages[i]) != DT_OK) {
            continue;
        }

        if (strcmp(which, "cs") == 0) {
            dt_cli_discover(e);
            continue;
        }

        if (!shared) {
            dt_cli_choose(e, which, 0, e->key);
        }

        dt_cli_key(e);
    }

    if (e->args->json) {
        printf("]}");
    }

    dt_cli_release(e);
    dt_arena_destroy(a);

    return DT_EXIT_OK;
}


static void
dt_cli_table(const dt_cli_eval_t *e)
{
    const dt_cli_run_t *r;

    printf("%-24s %6s %6s %6s %8s %8s %9s %9s %9s\n", "detector", "keys",
           "pages", "loads", "nodes %", "cut %", "learn ms", "ms", "at most");

    for (r = e->runs; r < e->runs + e->nruns && r->keys; r++) {
        printf("%-24s %6u %6.1f %6.1f %8.1f %8.1f %9.3f %9.3f %9.3f\n",
               r->detector->name, r->keys, (double) e->compared / r->keys,
               (double) e->loaded / r->keys,
               100.0 * (double) r->found / (double) r->nodes,
               100.0 * (double) r->cut / (double) r->bytes,
               r->learn_ms / r->keys, r->ms / r->keys, r->worst);
    }
}


static int
dt_cli_options(dt_cli_eval_t *e)
{
    char *end;
    unsigned long n;
    const char *p, *eq, *which = e->args->pages;
    const dt_cli_list_t *names = &e->args->detectors, *sets = &e->args->sets;

    if (which != NULL && strcmp(which, "cs") != 0 && strcmp(which, "all") != 0)
    {
        p = strchr(which, ':');
        n = p ? strtoul(p + 1, &end, 10) : 0;

        if (n == 0 || n > DT_CLI_MOST || *end != '\0'
            || (strncmp(which, "random:", 7) != 0
                && strncmp(which, "first:", 6) != 0))
        {
            return dt_cli_error(DT_EXIT_USAGE, "unknown choice of pages: %s",
                                which);
        }
    }

    for (size_t i = 0; names->n == 0 && dt_detectors[i] != NULL; i++) {
        e->runs[e->nruns++].detector = dt_detectors[i];
    }

    for (size_t i = 0; i < names->n; i++) {
        e->runs[e->nruns].detector =
            dt_detector_find(dt_cstr(names->values[i]));

        if (e->runs[e->nruns++].detector == NULL) {
            return dt_cli_error(DT_EXIT_USAGE, "unknown detector \"%s\"",
                                names->values[i]);
        }
    }

    dt_detect_opts_init(&e->o);

    for (size_t i = 0; i < sets->n; i++) {
        eq = strchr(sets->values[i], '=');

        if (eq == NULL
            || dt_detect_opts_set(&e->o,
                                  (dt_str_t){ (size_t) (eq - sets->values[i]),
                                              sets->values[i] },
                                  (unsigned) strtoul(eq + 1, NULL, 10))
                   != DT_OK)
        {
            return dt_cli_error(DT_EXIT_USAGE, "unknown option \"%s\"",
                                sets->values[i]);
        }
    }

    return DT_EXIT_OK;
}


int
dt_cli_evaluate(const dt_cli_args_t *args)
{
    int code, n;
    dt_cli_eval_t *e;
    struct dirent **entries;

    e = calloc(1, sizeof(dt_cli_eval_t));
    if (e == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    e->args = args;

    code = dt_cli_options(e);
    n = args->sites.n ? 0 : scandir(args->arg, &entries, NULL, alphasort);

    if (code == DT_EXIT_OK && n == -1) {
        code = dt_cli_error(DT_EXIT_IO, "%s: %s", args->arg, strerror(errno));
    }

    if (args->json && code == DT_EXIT_OK) {
        printf("{\"sites\":[");
    }

    for (unsigned i = 0; i < args->sites.n && code == DT_EXIT_OK; i++) {
        code = dt_cli_site(e, args->sites.values[i]);
    }

    for (int i = 0; i < n; i++) {
        if (code == DT_EXIT_OK && entries[i]->d_name[0] != '.') {
            code = dt_cli_site(e, entries[i]->d_name);
        }

        free(entries[i]);
    }

    if (n > 0) {
        free(entries);
    }

    if (args->json && code == DT_EXIT_OK) {
        printf("]}\n");

    } else if (code == DT_EXIT_OK) {
        dt_cli_table(e);
    }

    if (code == DT_EXIT_OK && e->sites == 0) {
        code = dt_cli_error(DT_EXIT_IO, "%s: contains no sites", args->arg);
    }

    free(e);

    return code;
}
