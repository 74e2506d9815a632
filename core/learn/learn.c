
/*
 * Copyright (C) The detemplate authors
 *
 * The pipeline on one screen: dt_learn().  The key page's links are loaded in
 * the published order until n of them form a complete subdigraph (Alarte et
 * al. 2015, Algorithm 1); the detector compares the key page with those; all
 * pages loaded are evidence (see evidence.c), so loading goes on to a modest
 * number when the subdigraph is found early.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/rules/alike.h"
#include "core/rules/compile.h"
#include "core/learn/digraph.h"
#include "core/learn/learn.h"
#include "core/learn/links.h"
#include "core/scan/scan.h"
#include "core/template/table.h"
#include "core/template/template.h"


#define DT_LEARN_ARENA ((size_t) 256 << 20) /* bytes for a whole learning */
#define DT_LEARN_PAGES DT_DIGRAPH_MAX


typedef struct {
    dt_url_t asked; /* what links say */
    dt_url_t url;   /* where redirects led */
    dt_dom_t *dom;
    dt_record_t *records;
    size_t n;
    dt_links_t links;
    dt_status_t rc;  /* of fetching it */
    unsigned number; /* in the evidence */
} dt_page_t;


typedef struct {
    const dt_learn_opts_t *o;
    dt_learned_t *out;
    dt_arena_t *arena;
    dt_evidence_t *evidence;
    dt_digraph_t graph;
    dt_page_t key;
    dt_page_t pages[DT_LEARN_PAGES];
    unsigned number[DT_LEARN_PAGES]; /* in out->pages */
    unsigned npages;
} dt_learn_t;


void
dt_learn_opts_init(dt_learn_opts_t *o)
{
    memset(o, 0, sizeof(dt_learn_opts_t));
    o->candidates = 3;
    o->votes = 2;
    o->loads = 30;
    o->enough = 10;
    o->more = 5;
    o->fresh = 12 * 3600;
    o->detector = dt_detectors[0];
    o->now = time(NULL);
    dt_rules_init(&o->rules);
}


/* tells of a page that was asked for */
static void
dt_learn_told(dt_learn_t *l, const char *url, const char *result)
{
    dt_learned_page_t *p;
    dt_learned_t *out = l->out;

    p = realloc(out->pages, (out->npages + 1) * sizeof(dt_learned_page_t));

    if (p != NULL) {
        out->pages = p;
        p += out->npages;
        p->url = strdup(url);
        p->result = result;
        p->in_cs = 0;
        out->npages += p->url != NULL;
    }

    if (l->o->progress != NULL) {
        l->o->progress(l->o->progress_data, url, result);
    }
}


/* what was wrong with the last page, for the log */
static void
dt_learn_why(dt_learn_t *l, const char *why)
{
    (void) snprintf(l->out->errstr, sizeof(l->out->errstr), "%s", why);
}


/* loads a page and takes it apart; a static word: "ok", or what was wrong */
static const char *
dt_learn_load(dt_learn_t *l, const dt_url_t *url, dt_page_t *page)
{
    dt_dom_opts_t opts;
    dt_fetched_t got;

    page->asked = *url;
    page->rc = DT_DECLINED;

    if (l->o->allowed != NULL
        && !l->o->allowed(l->o->allowed_data, dt_url_target(url).data))
    {
        dt_learn_why(l, "robots.txt forbids it");
        return "robots";
    }

    memset(&got, 0, sizeof(got));
    l->out->tries++;
    l->o->fetch(l->o->fetch_data, url->href.data, l->arena, &got);

    page->rc = got.rc;

    if (got.rc != DT_OK) {
        memcpy(l->out->errstr, got.errstr, sizeof(got.errstr));
        return got.reason ? got.reason : "fetch";
    }

    if (got.url.len == 0
        || dt_url_resolve(NULL, got.url, l->arena, &page->url) != DT_OK)
    {
        page->url = *url;
    }

    dt_dom_opts_init(&opts);

    if (dt_dom_parse(got.body, &opts, l->arena, &page->dom) != DT_OK
        || dt_scan_records(got.body, dt_evidence_seed(l->evidence),
                           page->url.host, page->url.path, &page->records,
                           &page->n)
               != DT_OK)
    {
        dt_learn_why(l, "beyond a limit of pages");
        return "page";
    }

    if (dt_links_collect(page->dom, &page->url, l->arena, &page->links)
        != DT_OK) {
        free(page->records);
        page->records = NULL;
        return "memory";
    }

    l->out->loads++;

    return "ok";
}


static int
dt_learn_has_link(const dt_page_t *from, const dt_page_t *to)
{
    size_t i;

    for (i = 0; i < from->links.n; i++) {
        if (dt_links_same(&from->links.links[i].url, &to->asked)
            || dt_links_same(&from->links.links[i].url, &to->url))
        {
            return 1;
        }
    }

    return 0;
}


/* whether the page was loaded already, under whatever URL */
static int
dt_learn_seen(const dt_learn_t *l, const dt_page_t *page)
{
    unsigned i;

    if (dt_links_same(&page->url, &l->key.url)
        || dt_str_eq(page->dom->src, l->key.dom->src))
    {
        return 1;
    }

    for (i = 0; i < l->npages; i++) {
        if (dt_links_same(&page->url, &l->pages[i].url)
            || dt_str_eq(page->dom->src, l->pages[i].dom->src))
        {
            return 1;
        }
    }

    return 0;
}


/* adds the page just loaded to the digraph */
static void
dt_learn_join(dt_learn_t *l)
{
    unsigned i, n = l->npages;
    uint64_t out = 0, in = 0;

    for (i = 0; i < n; i++) {
        if (dt_learn_has_link(&l->pages[n], &l->pages[i])) {
            out |= (uint64_t) 1 << i;
        }

        if (dt_learn_has_link(&l->pages[i], &l->pages[n])) {
            in |= (uint64_t) 1 << i;
        }
    }

    (void) dt_digraph_add(&l->graph, out, in, l->o->candidates);
    l->npages++;
}


/*
 * Loads candidates until there is a subdigraph of n, and enough evidence; also
 * those loaded lately, as long as they are strange as well: a new design.
 */
static dt_status_t
dt_learn_candidates(dt_learn_t *l, int strange)
{
    int known;
    size_t i;
    unsigned cs, enough, tries;
    dt_page_t *p;
    const char *result;
    const dt_url_t *url;
    dt_page_id_t id;
    dt_links_t links = l->key.links;

    if (links.n == 0 && l->o->prev == NULL) {
        l->out->reason = "no-links";
        return DT_DECLINED;
    }

    if (dt_links_order(l->key.dom, &links, l->o->loads, l->arena) != DT_OK) {
        return DT_ENOMEM;
    }

    enough = l->o->prev ? l->o->more : l->o->enough;

    for (i = 0; i < links.n && l->npages < DT_LEARN_PAGES; i++) {
        cs = (unsigned) __builtin_popcountll(l->graph.best);
        tries = l->npages < l->o->rules.support ? 2 * l->o->loads : 2 * enough;

        if (l->out->loads >= l->o->loads || l->out->tries >= tries
            || ((cs >= l->o->candidates || l->o->prev)
                && l->out->loads >= enough))
        {
            break;
        }

        url = &links.links[i].url;
        id = dt_links_id(url);
        known = dt_evidence_knows(l->evidence, &id, l->o->now - l->o->fresh);

        if (known && !strange) {
            /* its evidence counts without loading it again */
            continue;
        }

        p = &l->pages[l->npages];
        result = dt_learn_load(l, url, p);

        if (strcmp(result, "ok") == 0 && dt_learn_seen(l, p)) {
            free(p->records);
            p->records = NULL;
            result = "same";
            dt_learn_why(l, "the same page again");
        }

        if (strcmp(result, "ok") != 0) {
            dt_learn_told(l, url->href.data, result);
            continue;
        }

        l->number[l->npages] = (unsigned) l->out->npages;
        dt_learn_told(l, url->href.data, "loaded");
        dt_learn_join(l);

        id = dt_links_id(&p->url);

        if (dt_evidence_add(l->evidence, &id, p->dom, p->records, p->n,
                            l->o->now, &p->number)
            != DT_OK)
        {
            return DT_ENOMEM;
        }

        strange =
            known ? dt_evidence_strange(l->evidence, p->number) : strange;
    }

    if (l->npages == 0 && l->o->prev == NULL) {
        l->out->reason = "no-candidates";
        return DT_DECLINED;
    }

    return DT_OK;
}


/*
 * Asks the detector about the key page and those of the subdigraph that say
 * something else: what copies of a page have in common is no template.
 */
static dt_status_t
dt_learn_detect(dt_learn_t *l)
{
    size_t n = 0;
    uint8_t *nodes, with[DT_PAGES_MAX];
    uint64_t rest, had;
    unsigned i;
    dt_status_t rc;
    const dt_dom_t *doms[DT_LEARN_PAGES];
    dt_detect_opts_t opts;

    dt_alike(l->evidence, with);
    had = (uint64_t) 1 << with[l->key.number];

    for (rest = l->graph.best; rest; rest &= rest - 1) {
        i = (unsigned) __builtin_ctzll(rest);

        if (!(had >> with[l->pages[i].number] & 1)) {
            had |= (uint64_t) 1 << with[l->pages[i].number];
            doms[n++] = l->pages[i].dom;
        }

        if (l->number[i] < l->out->npages) {
            l->out->pages[l->number[i]].in_cs = 1;
            l->out->pages[l->number[i]].result = "candidate";
        }
    }

    l->out->candidates = (unsigned) __builtin_popcountll(l->graph.best);

    nodes = dt_arena_calloc(l->arena, l->key.dom->n + 1, 1);
    if (nodes == NULL) {
        return DT_ENOMEM;
    }

    dt_detect_opts_init(&opts);
    opts.votes = l->o->votes;

    rc =
        dt_detect(l->o->detector, l->key.dom, doms, n, &opts, l->arena, nodes);

    return rc != DT_OK ? rc
                       : dt_evidence_detected(l->evidence, l->key.dom,
                                              l->key.records, l->key.n, nodes);
}


static dt_status_t
dt_learn_finish(dt_learn_t *l)
{
    dt_status_t rc;
    dt_compiled_t c;
    dt_compile_info_t info;
    dt_learned_t *out = l->out;

    info = (dt_compile_info_t){ out->candidates, out->loads, l->o->now,
                                l->key.records, l->key.n };

    rc = dt_compile(l->evidence, &info, &c);
    out->guarded = c.guarded;

    if (rc != DT_OK) {
        out->reason = rc != DT_DECLINED ? "limit"
                      : c.guarded       ? "guard"
                                        : "no-template";
        return rc;
    }

    if (dt_template_check(c.bytes, c.len, NULL) != DT_OK) {
        free(c.bytes);
        out->reason = "limit";
        return DT_EBUG;
    }

    out->bytes = c.bytes;
    out->len = c.len;
    out->patterns = c.patterns;
    out->words = c.words;
    out->static_words = c.static_words;
    out->static_bytes = c.static_bytes;
    out->coverage = c.words ? (double) c.static_words / c.words : 0;
    out->reason = "ok";

    return DT_OK;
}


static dt_status_t
dt_learn_run(dt_learn_t *l)
{
    int known;
    dt_url_t url;
    dt_page_id_t id;
    dt_status_t rc;
    const char *result;

    l->evidence =
        dt_evidence_create(l->o->prev, &l->o->rules, l->o->seed, l->arena);
    if (l->evidence == NULL) {
        return DT_ENOMEM;
    }

    rc = dt_url_resolve(NULL, dt_cstr(l->o->url), l->arena, &url);
    rc = rc == DT_OK ? dt_links_plain(&url, l->arena) : rc;

    if (rc != DT_OK) {
        l->out->reason = "url";
        return DT_EINVAL;
    }

    result = dt_learn_load(l, &url, &l->key);

    if (strcmp(result, "ok") != 0) {
        dt_learn_told(l, l->o->url, result);
        l->out->reason = "key-page";
        return l->key.rc == DT_EIO ? DT_EIO : DT_DECLINED;
    }

    dt_learn_told(l, l->o->url, "key");
    dt_digraph_init(&l->graph);
    id = dt_links_id(&l->key.url);
    known = dt_evidence_knows(l->evidence, &id, 0);

    rc = dt_evidence_add(l->evidence, &id, l->key.dom, l->key.records,
                         l->key.n, l->o->now, &l->key.number);
    if (rc != DT_OK) {
        return rc;
    }

    rc = dt_learn_candidates(
        l, known && dt_evidence_strange(l->evidence, l->key.number));
    if (rc == DT_OK) {
        rc = dt_learn_detect(l);
    }

    return rc == DT_OK ? dt_learn_finish(l) : rc;
}


dt_status_t
dt_learn(const dt_learn_opts_t *o, dt_learned_t *out)
{
    unsigned i;
    dt_learn_t *l;
    dt_status_t rc;

    memset(out, 0, sizeof(dt_learned_t));
    out->reason = "memory";

    l = calloc(1, sizeof(dt_learn_t));
    if (l == NULL) {
        return DT_ENOMEM;
    }

    l->o = o;
    l->out = out;
    l->arena = dt_arena_create(DT_LEARN_ARENA);

    rc = l->arena ? dt_learn_run(l) : DT_ENOMEM;

    free(l->key.records);

    for (i = 0; i < l->npages; i++) {
        free(l->pages[i].records);
    }

    dt_arena_destroy(l->arena);
    free(l);

    return rc;
}


void
dt_learned_free(dt_learned_t *out)
{
    size_t i;

    for (i = 0; i < out->npages; i++) {
        free(out->pages[i].url);
    }

    free(out->pages);
    free(out->bytes);
    memset(out, 0, sizeof(dt_learned_t));
}
