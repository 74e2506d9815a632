
/*
 * Copyright (C) The detemplate authors
 *
 * dt_learn() is the whole pipeline.  The key page's links are loaded in the
 * published order until n of them form a complete subdigraph (Alarte et al.
 * 2015, Algorithm 1).  The detector compares the key page with those.  All
 * loaded pages become evidence (see evidence.c).  So some more pages are
 * loaded when the subdigraph is found early.
 */


#include <stdlib.h>

#include "core/base/ablate.h"
#include "core/rules/alike.h"
#include "core/rules/compile.h"
#include "core/learn/known.h"
#include "core/learn/learn_i.h"
#include "core/scan/scan.h"
#include "core/template/serve.h"
#include "core/template/table.h"
#include "core/template/template.h"


/* bytes for all pages of a learning, and for the rest of it */
#define DT_LEARN_ROOM ((size_t) 128 << 20)
#define DT_LEARN_ARENA ((size_t) 256 << 20)


void
dt_learn_opts_init(dt_learn_opts_t *o)
{
    memset(o, 0, sizeof(dt_learn_opts_t));
    o->candidates = 3;
    o->votes = 2;
    o->loads = 30;
    o->enough = 10;
    o->more = 5;
    o->cpu = 10;
    o->fresh = 12 * 3600;
    o->detector = dt_detectors[0];
    o->now = time(NULL);
    dt_rules_init(&o->rules);
}


/*
 * Whether the site has a template.  If not, prev is NULL or has only the
 * evidence of learnings that failed.
 */
static int
dt_learn_had(const dt_learn_t *l)
{
    return l->o->prev != NULL
           && ((const dt_template_head_t *) l->o->prev)->npatterns > 0;
}


/*
 * Whether no more candidates are needed: there is a subdigraph of n pages and
 * enough evidence, or the learning has loaded or tried as many pages as it
 * may, or it has used up its processor time for them, or the server asked for
 * no more requests.
 */
static int
dt_learn_is_enough(const dt_learn_t *l)
{
    int had = dt_learn_had(l);
    unsigned cs, enough, tries;

    cs = (unsigned) __builtin_popcountll(l->graph.best);
    enough = had ? l->o->more : l->o->enough;
    tries = l->npages < l->o->rules.support && (had || l->o->prev == NULL)
                ? 2 * l->o->loads
                : 2 * enough;

    return l->busy || l->out->loads >= l->o->loads || l->out->tries >= tries
           || clock() - l->began >= (clock_t) l->o->cpu * CLOCKS_PER_SEC
           || ((cs >= l->o->candidates || had) && l->out->loads >= enough);
}


/*
 * Loads a candidate, and adds it to the digraph and the evidence.  *p: it;
 * NULL if it cannot be used, which is reported.
 */
static dt_status_t
dt_learn_candidate(dt_learn_t *l, const dt_url_t *url, dt_loaded_t **p)
{
    const char *result;
    dt_page_id_t id;
    dt_loaded_t *page = &l->pages[l->npages];

    *p = NULL;
    result = dt_learn_load(l, url, page);

    if (strcmp(result, "ok") == 0 && dt_learn_seen(l, page)) {
        dt_learn_drop(page);
        result = "same";
        dt_learn_error(l, "same page as one that was loaded");
    }

    if (strcmp(result, "ok") != 0) {
        dt_learn_report(l, url->href.data, result);
        return DT_OK;
    }

    l->number[l->npages] = (unsigned) l->out->npages;
    dt_learn_report(l, url->href.data, "loaded");
    dt_learn_join(l);

    *p = page;
    id = dt_links_id(&page->url);

    return dt_evidence_add(l->evidence, &id, page->dom, page->records, page->n,
                           l->o->now, &page->number);
}


/*
 * Loads candidates until there are enough.  Pages that were loaded recently
 * are loaded again only while pages turn out to have another design.
 */
static dt_status_t
dt_learn_candidates(dt_learn_t *l, int redesigned)
{
    int known;
    size_t i;
    dt_loaded_t *p;
    const dt_url_t *url;
    dt_page_id_t id;
    dt_links_t links = l->key.links;

    if (dt_links_order(l->key.dom, &links, l->o->loads, l->arena) != DT_OK) {
        return DT_ENOMEM;
    }

    l->out->reason = links.n ? "no-candidates" : "no-links";

    for (i = 0; i < links.n && l->npages < DT_LEARN_PAGES; i++) {

        if (dt_learn_is_enough(l)) {
            break;
        }

        url = &links.links[i].url;
        id = dt_links_id(url);
        known = dt_evidence_knows(l->evidence, &id, l->o->now - l->o->fresh);

        if (known && !redesigned) {
            /* the evidence has this page already */
            continue;
        }

        if (dt_learn_candidate(l, url, &p) != DT_OK) {
            return DT_ENOMEM;
        }

        if (p != NULL && known) {
            redesigned = dt_evidence_redesigned(l->evidence, p->number);
            l->out->redesigned |= redesigned != 0;
        }
    }

    return DT_OK;
}


/*
 * Runs the detector on the key page and on pages of the subdigraph that are
 * not alike: what copies of a page have in common is not template.
 */
static dt_status_t
dt_learn_detect(dt_learn_t *l)
{
    size_t n = 0;
    uint8_t *nodes;
    uint64_t rest, had;
    unsigned i;
    dt_status_t rc;
    const dt_dom_t *doms[DT_LEARN_PAGES];
    dt_voters_t voters;
    dt_detect_opts_t opts;

    dt_alike(l->evidence, &voters, NULL);
    had = voters.alike[l->key.number];

    for (rest = l->graph.best; rest; rest &= rest - 1) {
        i = (unsigned) __builtin_ctzll(rest);

        if (DT_ABLATE(copies) || !(had >> l->pages[i].number & 1)) {
            had |= voters.alike[l->pages[i].number];
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

    out->bytes = c.bytes;
    out->len = c.len;

    if (rc != DT_OK) {

        /* without another page, the reason is why there is none */

        out->reason = rc != DT_DECLINED ? "limit"
                      : c.guarded       ? "guard"
                      : l->npages       ? "no-template"
                                        : out->reason;
        return rc;
    }

    /* a fault of the compiler ends here, and not where pages are served */

    if (dt_template_check(c.bytes, c.len, NULL) != DT_OK) {
        out->reason = "limit";
        return DT_EBUG;
    }

    out->patterns = c.patterns;
    out->words = c.words;
    out->static_words = c.static_words;
    out->static_bytes = c.static_bytes;
    out->coverage = c.words ? (double) c.static_words / c.words : 0;
    out->reason = "ok";

    return DT_OK;
}


/*
 * Loads the key page.  DT_DECLINED: it cannot be used, or prev knows what it
 * shows; out->reason says which.
 */
static dt_status_t
dt_learn_key_page(dt_learn_t *l)
{
    int loaded;
    dt_url_t url;
    dt_page_id_t id;
    dt_status_t rc;
    const char *result;

    rc = dt_url_resolve(NULL, dt_cstr(l->o->url), l->arena, &url);
    rc = rc == DT_OK ? dt_links_plain(&url, l->arena) : rc;

    if (rc != DT_OK) {
        l->out->reason = "url";
        return DT_EINVAL;
    }

    id = dt_links_id(&url);

    loaded = dt_evidence_knows(l->evidence, &id, l->o->now - l->o->fresh);

    if (l->o->extend && l->o->uncompared && loaded) {
        l->out->reason = "known";
        return DT_DECLINED;
    }

    result = dt_learn_load(l, &url, &l->key);

    if (strcmp(result, "ok") != 0) {
        dt_learn_report(l, l->o->url, result);
        l->out->reason = l->key.status == 401 || l->key.status == 403
                             ? "denied"
                             : "key-page";
        return l->key.rc == DT_EIO ? DT_EIO : DT_DECLINED;
    }

    dt_learn_report(l, l->o->url, "key");

    /* while any page is worth a learning, one that was loaded is not */

    if (l->o->extend && l->o->prev != NULL
        && dt_known(l->o->prev, &l->key.url, l->key.dom->src,
                    loaded && l->o->used < DT_SERVE_ANY ? DT_SERVE_ANY
                                                        : l->o->used))
    {
        l->out->loads = 0;
        l->out->reason = "known";
        return DT_DECLINED;
    }

    return DT_OK;
}


static dt_status_t
dt_learn_run(dt_learn_t *l)
{
    int known;
    dt_page_id_t id;
    dt_status_t rc;

    l->evidence =
        dt_evidence_create(l->o->prev, &l->o->rules, l->o->seed, l->arena);
    if (l->evidence == NULL) {
        return DT_ENOMEM;
    }

    rc = dt_learn_key_page(l);
    if (rc != DT_OK) {
        return rc;
    }

    dt_digraph_init(&l->graph);
    id = dt_links_id(&l->key.url);
    known = dt_evidence_knows(l->evidence, &id, 0);

    rc = dt_evidence_add(l->evidence, &id, l->key.dom, l->key.records,
                         l->key.n, l->o->now, &l->key.number);
    if (rc != DT_OK) {
        return rc;
    }

    l->out->redesigned =
        known && dt_evidence_redesigned(l->evidence, l->key.number);
    rc = dt_learn_candidates(l, l->out->redesigned);
    if (rc == DT_OK && (l->npages || dt_learn_had(l))) {
        dt_learn_linked(l);
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
    l->room = DT_LEARN_ROOM;
    l->began = clock();
    l->arena = dt_arena_create(DT_LEARN_ARENA);

    rc = l->arena ? dt_learn_run(l) : DT_ENOMEM;

    dt_learn_drop(&l->key);

    for (i = 0; i < l->npages; i++) {
        dt_learn_drop(&l->pages[i]);
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
