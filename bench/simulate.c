
/*
 * Copyright (C) The detemplate authors
 *
 * The accuracy bench without nginx, to try rules quickly.  Pages come from
 * files; the core learns and rewrites them.
 *
 *     simulate ROOT BASE OUT [NAME=VALUE ...] < pages
 *
 * Standard input names the site's pages, one per line, each with a tab and its
 * URL.  The first one is the first key page, which is learned from.  Then all
 * pages are visited twice; a page of which the template covers little is
 * learned from as well.  Then every page is written to OUT/strip and
 * OUT/annotate.
 *
 * NAME=VALUE changes an option of dt_learn_opts_t, a rule of dt_rules_t, a
 * switch of what is off, or one of these:
 *
 *     detector=NAME   of core/detect/detect.h; none: no node is template
 *     passes=2        times that all pages are visited
 *     keep=1          0: each learning forgets earlier evidence
 *     guard=1         0: pages may show any amount of template
 *     bold=1          0: elements are not cut by their shape
 *     shuffle=0       for simulate_order()
 *     visits=0        seed of the order of visits; 0: the order of input
 *     sitemap=0       1: the site names all of its pages
 *     features=FILE   for simulate_features()
 *     records=FILE    for simulate_records()
 */


#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "bench/simulate.h"
#include "core/learn/digraph.h"
#include "core/learn/learn.h"
#include "core/learn/links.h"
#include "core/rules/alike.h"
#include "core/rules/guard.h"
#include "core/scan/rewrite.h"
#include "core/template/table.h"
#include "core/template/template.h"


static site_t site;


/*
 * Decisions that are switched off, to see what they are worth.  The linker
 * puts each __wrap_NAME() here in the place of NAME() of the core, which it
 * calls
 * __real_NAME().
 */
static struct {
    unsigned copies;    /* the key page is compared with copies of it */
    unsigned order;     /* links are followed as simulate_order() says */
    unsigned published; /* the detector alone decides */
    unsigned unlinked;  /* candidates need not link to one another */
} off;


/*
 * Replaces dt_links_order() with order=1: it takes the key page's links in
 * their order, or, with shuffle, all pages of the site in a random order.
 */
static dt_status_t
simulate_order(dt_links_t *links, dt_arena_t *arena)
{
    size_t i, j;
    uint64_t seed = dt_mix(site.shuffle, site.learnings);
    dt_link_t link, *l;

    if (site.shuffle == 0) {
        return DT_OK;
    }

    l = dt_arena_calloc(arena, site.n + 1, sizeof(dt_link_t));
    if (l == NULL) {
        return DT_ENOMEM;
    }

    links->links = l;
    links->n = 0;
    memset(&link, 0, sizeof(link));

    for (i = 0; i < site.n; i++) {
        if (strcmp(site.urls[i], site.learn.url) == 0
            || dt_url_resolve(NULL, dt_cstr(site.urls[i]), arena, &link.url))
        {
            continue;
        }

        seed = dt_mix(seed, i);
        j = (size_t) (seed % ++links->n);
        l[links->n - 1] = l[j];
        l[j] = link;
    }

    return DT_OK;
}


#define WRAPPED(type, name, ...)                                              \
    type __real_##name(__VA_ARGS__);                                          \
    type __wrap_##name(__VA_ARGS__);                                          \
    type __wrap_##name(__VA_ARGS__)


WRAPPED(dt_status_t, dt_links_order, const dt_dom_t *dom, dt_links_t *links,
        size_t max, dt_arena_t *arena)
{
    return off.order ? simulate_order(links, arena)
                     : __real_dt_links_order(dom, links, max, arena);
}


WRAPPED(unsigned, dt_digraph_add, dt_digraph_t *g, uint64_t out, uint64_t in,
        unsigned limit)
{
    uint64_t all = ((uint64_t) 1 << g->n) - 1;

    return off.unlinked ? __real_dt_digraph_add(g, all, all, limit)
                        : __real_dt_digraph_add(g, out, in, limit);
}


/* only a learning asks without shares: whether candidates are copies */
WRAPPED(void, dt_alike, const dt_evidence_t *ev, dt_voters_t *voters,
        dt_alike_t *alike)
{
    size_t i;

    __real_dt_alike(ev, voters, alike);

    for (i = 0; off.copies && alike == NULL && i < DT_PAGES_MAX; i++) {
        voters->alike[i] = 0;
    }
}


/* the guard is asked last, when all other questions are answered */
WRAPPED(dt_status_t, dt_guard, dt_evidence_t *ev, const dt_voters_t *voters,
        dt_verdict_t *verdicts)
{
    size_t i;
    const dt_pattern_t *e = ev->patterns.elts;

    for (i = 0; off.published && i < ev->patterns.n; i++) {
        memset(&verdicts[i], 0, sizeof(dt_verdict_t));

        if (e[i].flags & DT_PATTERN_DETECTED) {
            verdicts[i].active = 1;
            verdicts[i].cut = e[i].pages;
        }
    }

    return __real_dt_guard(ev, voters, verdicts);
}


static dt_status_t
detect_none(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
            uint8_t *nodes)
{
    (void) d;
    (void) key;
    (void) arena;
    (void) nodes;

    return DT_OK;
}


static const dt_detector_t detectors[] = {
    { "none", "no node is template", NULL, detect_none },
};


static int
out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    site_t *s = data;

    (void) kind;

    return s->to != NULL && fwrite(p, 1, len, s->to) != len;
}


static void
learn(site_t *s, size_t page)
{
    size_t i;
    dt_learned_t got;

    s->learn.url = s->urls[page];
    s->learn.prev = s->keep ? s->tmpl : NULL;
    s->learn.prev_len = s->keep ? s->len : 0;
    s->learn.now++;

    (void) dt_learn(&s->learn, &got);

    s->loads += got.loads;
    s->tries += got.tries;
    s->candidates = s->learnings++ ? s->candidates : got.candidates;

    if (getenv("VERBOSE")) {
        fprintf(stderr,
                "learn %s: %s, %u loads, %u candidates, coverage "
                "%.2f, %zu bytes, %u fresh\n",
                s->names[page], got.reason, got.loads, got.candidates,
                got.coverage, got.len, got.fresh);

        for (i = 0; i < got.npages; i++) {
            fprintf(stderr, "    %s %s\n", got.pages[i].result,
                    got.pages[i].url);
        }
    }

    if (got.bytes != NULL) {
        free(s->tmpl);
        s->tmpl = got.bytes;
        s->len = got.len;
        got.bytes = NULL;

        if (!s->guard) {
            ((dt_template_head_t *) s->tmpl)->most = UINT32_MAX;
        }
    }

    if (s->features != NULL && s->tmpl != NULL) {
        simulate_features(s);
    }

    dt_learned_free(&got);
}


static void
apply(site_t *s, size_t page, dt_mode_t mode, dt_rewrite_stats_t *stats)
{
    dt_arena_t *a;
    dt_fetched_t got;
    dt_rewrite_opts_t o;
    dt_url_t url;

    memset(stats, 0, sizeof(*stats));
    memset(&got, 0, sizeof(got));
    a = dt_arena_create((size_t) 64 << 20);
    simulate_fetch(&s->files, s->urls[page], a, &got);
    (void) dt_url_resolve(NULL, dt_cstr(s->urls[page]), a, &url);

    if (got.rc != DT_OK) {
        fprintf(stderr, "cannot read %s\n", s->urls[page]);
        dt_arena_destroy(a);
        return;
    }

    if (s->tmpl == NULL) {
        (void) out(s, got.body.data, got.body.len, DT_OUT_INPUT);
        dt_arena_destroy(a);
        return;
    }

    memset(&o, 0, sizeof(o));
    o.tmpl = s->tmpl;
    o.mode = mode;
    o.host = url.host;
    o.path = url.path;
    o.bold = s->bold;
    o.out = out;
    o.out_data = s;

    (void) dt_rewrite_page(&o, got.body, stats);
    dt_arena_destroy(a);
}


static void
save(site_t *s, const char *dir, const char *mode, size_t page, dt_mode_t m)
{
    char path[4096], *p;
    dt_rewrite_stats_t stats;

    snprintf(path, sizeof(path), "%s/%s/%s", dir, mode, s->names[page]);

    for (p = path + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        (void) mkdir(path, 0777);
        *p = '/';
    }

    s->to = fopen(path, "w");
    apply(s, page, m, &stats);

    if (s->to) {
        fclose(s->to);
        s->to = NULL;
    }
}


static const dt_detector_t *
detector(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof(detectors) / sizeof(detectors[0]); i++) {
        if (strcmp(name, detectors[i].name) == 0) {
            return &detectors[i];
        }
    }

    return dt_detector_find(dt_cstr(name));
}


static const struct {
    const char *name;
    unsigned *to;
} names[] = {
    { "candidates", &site.learn.candidates },
    { "votes", &site.learn.votes },
    { "loads", &site.learn.loads },
    { "alone", &site.learn.alone },
    { "support", &site.learn.rules.support },
    { "support-votes", &site.learn.rules.support_votes },
    { "place", &site.learn.rules.place },
    { "share", &site.learn.rules.share },
    { "sampled", &site.learn.rules.sampled },
    { "wrapper", &site.learn.rules.wrapper },
    { "gain", &site.learn.rules.gain },
    { "shape", &site.learn.rules.shape },
    { "shape-unique", &site.learn.rules.shape_unique },
    { "shape-again", &site.learn.rules.shape_again },
    { "alike", &site.learn.rules.alike },
    { "alike-rare", &site.learn.rules.alike_rare },
    { "alike-name", &site.learn.rules.alike_name },
    { "alike-least", &site.learn.rules.alike_least },
    { "score", &site.learn.rules.score },
    { "score-main", &site.learn.rules.score_main },
    { "kind", &site.learn.rules.kind },
    { "slot", &site.learn.rules.slot },
    { "region", &site.learn.rules.region },
    { "links", &site.learn.rules.links },
    { "outside", &site.learn.rules.outside },
    { "empty", &site.learn.rules.empty },
    { "redesign", &site.learn.rules.redesign },
    { "remain", &site.learn.rules.remain },
    { "copies", &off.copies },
    { "order", &off.order },
    { "published", &off.published },
    { "unlinked", &off.unlinked },
    { "passes", &site.passes },
    { "keep", &site.keep },
    { "guard", &site.guard },
    { "bold", &site.bold },
    { "shuffle", &site.shuffle },
    { "visits", &site.visits },
    { "sitemap", &site.sitemap },
    { "saved", &site.saved },
};


static void
set(site_t *s, const char *arg)
{
    const char *v = strchr(arg, '=');
    size_t i, len = v ? (size_t) (v - arg) : 0;
    unsigned value = v ? (unsigned) strtoul(v + 1, NULL, 10) : 0;
    dt_learn_opts_t *o = &s->learn;

    if (len && strncmp(arg, "detector=", len + 1) == 0) {
        o->detector = detector(v + 1);

        if (o->detector != NULL) {
            return;
        }
    }

    if (len && strncmp(arg, "features=", len + 1) == 0) {
        s->features = fopen(v + 1, "w");
        return;
    }

    if (len && strncmp(arg, "records=", len + 1) == 0) {
        s->records = v + 1;
        return;
    }

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strlen(names[i].name) == len && !strncmp(names[i].name, arg, len))
        {
            *names[i].to = value;
            return;
        }
    }

    fprintf(stderr, "no rule %s\n", arg);
    exit(2);
}


/* in which order the pages are visited */
static void
visits(const site_t *s, size_t *order)
{
    size_t i, j;
    uint64_t seed = s->visits;

    for (i = 0; i < s->n; i++) {
        seed = dt_mix(seed, i);
        j = s->visits ? (size_t) (seed % (i + 1)) : i;
        order[i] = order[j];
        order[j] = i;
    }
}


/* all pages are visited; if some show little of the template, the site is
   learned from these and from others, as the module does */
static void
visit(site_t *s, const size_t *order)
{
    size_t i, n = 0, low = 0;
    const char *urls[RESERVOIR];
    dt_rewrite_stats_t stats;

    for (i = 0; i < s->n; i++) {
        apply(s, order[i], DT_STRIP, &stats);

        if (s->tmpl == NULL || dt_template_low(s->tmpl, stats.words)) {
            urls[low < RESERVOIR ? low : dt_mix(s->visits, i) % RESERVOIR] =
                s->urls[order[i]];
            low++;
        }
    }

    if (low == 0) {
        return;
    }

    n = low < RESERVOIR ? low : RESERVOIR;
    s->learn.visited = urls;
    s->learn.nvisited = n;

    for (i = 0; i < s->n && strcmp(s->urls[i], urls[0]) != 0; i++) { /* void */
    }

    learn(s, i);
    s->learn.nvisited = 0;
}


int
main(int argc, char **argv)
{
    int i;
    size_t j, order[MAX_PAGES];
    unsigned pass;
    site_t *s = &site;

    if (argc < 4) {
        fprintf(stderr, "usage: simulate ROOT BASE OUT [NAME=VALUE ...]\n");
        return 2;
    }

    s->files.root = argv[1];
    s->files.base = argv[2];
    s->passes = 2;
    s->keep = 1;
    s->guard = 1;
    s->bold = 1;
    s->saved = MAX_PAGES;
    dt_learn_opts_init(&s->learn);
    s->learn.seed = 1;
    s->learn.now = 1000000;
    s->learn.fetch = simulate_fetch;
    s->learn.fetch_data = &s->files;

    for (i = 4; i < argc; i++) {
        set(s, argv[i]);
    }

    while (s->n < MAX_PAGES
           && scanf(" %1000[^\t]\t%2000s", s->names[s->n], s->urls[s->n]) == 2)
    {
        s->n++;
    }

    for (j = 0; s->sitemap && j < s->n; j++) {
        s->named[j] = s->urls[j];
    }

    s->learn.named = s->named;
    s->learn.nnamed = s->sitemap ? s->n : 0;

    visits(s, order);
    learn(s, order[0]);

    for (pass = 0; pass < s->passes; pass++) {
        visit(s, order);
    }

    if (s->features != NULL) {
        fclose(s->features);
    }

    if (s->records != NULL) {
        simulate_records(s);
    }

    for (j = 0; j < s->n && j < s->saved; j++) {
        save(s, argv[3], "strip", j, DT_STRIP);
        save(s, argv[3], "annotate", j, DT_ANNOTATE);
    }

    printf("loads %u tries %u learnings %u bytes %zu candidates %u\n",
           s->loads, s->tries, s->learnings, s->len, s->candidates);
    free(s->tmpl);

    return 0;
}
