
/*
 * Copyright (C) The detemplate authors
 *
 * dt_learn() is the whole pipeline.  The key page's links are loaded in the
 * published order until n of them form a complete subdigraph (Alarte et al.
 * 2015, Algorithm 1).  The detector compares the key page with those.  Most
 * pages are then loaded at random (sample.c), and all become evidence (see
 * evidence.c).
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/learn/learn.h"
#include "core/rules/alike.h"
#include "core/rules/compile.h"
#include "core/learn/load.h"
#include "core/template/table.h"
#include "core/template/template.h"
#include "core/web/robots.h"
#include "core/web/sitemap.h"


/* bytes for all pages of a learning, and for the rest of it */
#define DT_LEARN_ROOM ((size_t) 128 << 20)
#define DT_LEARN_ARENA ((size_t) 256 << 20)

#define DT_LEARN_TRIES 3 /* requests for each page to load */
#define DT_LEARN_THIRD 3 /* outsiders or links choose this part of loads */
#define DT_LEARN_FEW 2   /* loads are few if this multiple is allowed */


void
dt_learn_opts_init(dt_learn_opts_t *o)
{
    memset(o, 0, sizeof(dt_learn_opts_t));
    o->candidates = 6;
    o->loads = 30;
    o->cpu = 10;
    o->once = DT_FETCH_ONCE;
    o->detector = dt_detectors[0];
    o->now = time(NULL);
    dt_rules_init(&o->rules);
}


/* whether pages are not for strangers: all that were requested, but the key
   page, which a visitor may have brought */
static int
dt_learn_is_denied(const dt_learn_t *l)
{
    return l->denied >= DT_LEARN_PATIENCE
           && l->denied == l->out->tries - l->key_tries;
}


/*
 * Whether no more pages are loaded: all wanted pages are there, or the
 * learning has used up its requests or its CPU time for them, or the server
 * was too busy several times in a row, or has denied all.
 */
static int
dt_learn_over(const dt_learn_t *l)
{
    return l->busy >= DT_LEARN_PATIENCE || dt_learn_is_denied(l)
           || l->out->loads >= l->o->loads || l->npages == DT_LEARN_PAGES
           || l->out->tries >= DT_LEARN_TRIES * l->o->loads
           || clock() - l->began >= (clock_t) l->o->cpu * CLOCKS_PER_SEC;
}


/* returns the number of pages to load at once, when most more are wanted */
static unsigned
dt_learn_once(const dt_learn_t *l, unsigned most)
{
    unsigned left = l->o->loads - l->out->loads;
    unsigned tries = DT_LEARN_TRIES * l->o->loads - l->out->tries;

    left = left < tries ? left : tries;
    left = left < most ? left : most;

    return left < l->o->once ? left : l->o->once;
}


/*
 * Loads the key page's links in the published order until n of them form a
 * complete subdigraph, or a third of all loads is used up: the subdigraph is
 * for the detector, and its pages are not a random part of the site.
 */
static dt_status_t
dt_learn_candidates(dt_learn_t *l)
{
    unsigned n, most, best, once;
    size_t i;
    dt_status_t rc = DT_OK;
    dt_str_t urls[DT_FETCH_ONCE];
    dt_links_t links = l->key.links;

    if (dt_links_order(l->key.dom, &links, l->o->loads, l->arena) != DT_OK) {
        return DT_ENOMEM;
    }

    l->out->reason = links.n ? "no-candidates" : "no-links";
    most = l->o->loads / (l->o->alone ? 1 : DT_LEARN_THIRD);
    most = most > l->o->candidates ? most : l->o->candidates;

    for (i = 0; i < links.n && rc == DT_OK; /* void */) {
        best = (unsigned) __builtin_popcountll(l->graph.best);

        if (dt_learn_over(l) || l->npages >= most || l->out->tries > 2 * most
            || best >= l->o->candidates)
        {
            break;
        }

        /* each page adds one at the most, so loading one by one would load the
           same pages */

        once = l->o->candidates - best;
        once = once < most - l->npages ? once : most - l->npages;
        n = 0;

        while (i < links.n && n < dt_learn_once(l, once)) {
            (void) dt_sample_add(&l->sample, &links.links[i].url, 0, 1, 1);
            urls[n++] = links.links[i++].url.href;
        }

        rc = dt_learn_pages(l, urls, n, 1);
    }

    return rc;
}


/* loads pages that visitors asked for: at most a third of all loads, since
   visitors can choose them */
static dt_status_t
dt_learn_visited(dt_learn_t *l)
{
    size_t i;
    dt_url_t url;
    dt_status_t rc = DT_OK;
    dt_sample_page_t *p;
    unsigned n = 0, most = l->npages + l->o->loads / DT_LEARN_THIRD;
    dt_str_t urls[DT_FETCH_ONCE];

    for (i = 0; i < l->o->nvisited && rc == DT_OK; i++) {

        if (dt_learn_over(l) || l->npages + n >= most) {
            break;
        }

        p = NULL;

        if (dt_links_page(&l->key.url, NULL, dt_cstr(l->o->visited[i]), 0,
                          l->arena, &url)
            == DT_OK)
        {
            p = dt_sample_add(&l->sample, &url, 0, 0, 0);
        }

        if (p != NULL && !p->taken) {
            p->taken = 1;
            urls[n++] = p->href;
            l->outside++;
        }

        if (n && n == dt_learn_once(l, most - l->npages)) {
            rc = dt_learn_pages(l, urls, n, 0);
            n = 0;
        }
    }

    return rc == DT_OK && n ? dt_learn_pages(l, urls, n, 0) : rc;
}


/* whether outsiders have chosen as many pages as they may */
static unsigned
dt_learn_few(const dt_learn_t *l)
{
    return !l->o->given && l->outside >= l->o->loads / DT_LEARN_THIRD;
}


/*
 * Loads pages at random: of all links of the pages that were loaded, and of
 * the pages that the site names elsewhere.  Half of the pages are new to the
 * evidence, as long as there are such pages; the others test whether it still
 * holds, unless pages are known not to change.  Only a third may be pages that
 * any outsider can choose: those that visitors asked for, and those that only
 * a sitemap knows.
 */
static dt_status_t
dt_learn_random(dt_learn_t *l)
{
    unsigned n, once, few, fresh = 0;
    dt_status_t rc = DT_OK;
    dt_sample_page_t *p;
    dt_str_t urls[DT_FETCH_ONCE];

    while (rc == DT_OK && !dt_learn_over(l)) {
        once = dt_learn_once(l, DT_FETCH_ONCE);

        for (n = 0; n < once; n++) {
            few = dt_learn_few(l);
            p = dt_sample_take(&l->sample,
                               l->o->still || fresh < l->o->loads / 2, &few);

            if (p == NULL && !l->o->still) {
                few = dt_learn_few(l);
                p = dt_sample_take(&l->sample, 0, &few);
            }

            if (p == NULL) {
                break;
            }

            l->outside += few;
            fresh += !p->known;
            urls[n] = p->href;
        }

        if (n == 0) {
            break;
        }

        rc = dt_learn_pages(l, urls, n, 0);
    }

    return rc;
}


/* loads the directories around a key page whose links lead nowhere; a failure
   here does not replace the links' failure, which tells more */
static dt_status_t
dt_learn_around(dt_learn_t *l)
{
    size_t i;
    char errstr[DT_ERRSTR];
    unsigned had = l->npages;
    dt_status_t rc;

    memcpy(errstr, l->out->errstr, sizeof(errstr));
    l->sample.nnamed = 0;

    for (i = 0; i < l->key.url.path.len; i++) {
        if (l->key.url.path.data[i] == '/') {
            dt_sample_name(&l->sample,
                           (dt_str_t){ i + 1, l->key.url.path.data });
        }
    }

    dt_sample_names(&l->sample, &l->key.url, 0, 1, l->evidence);
    rc = dt_learn_random(l);

    if (l->npages == had) {
        memcpy(l->out->errstr, errstr, sizeof(errstr));
    }

    return rc;
}


static void
dt_learn_named(void *data, dt_str_t url)
{
    dt_learn_t *l = data;

    dt_sample_name(&l->sample, url);
}


static dt_status_t
dt_learn_sample(dt_learn_t *l)
{
    size_t i;
    dt_status_t rc;

    rc = dt_learn_visited(l);

    if (rc != DT_OK || dt_learn_over(l)) {
        return rc;
    }

    for (i = 0; i < l->o->nnamed; i++) {
        dt_sample_name(&l->sample, dt_cstr(l->o->named[i]));
    }

    if (l->o->fetch_raw != NULL && l->o->robots != NULL) {
        dt_sitemap(l->o->fetch_raw, l->o->fetch_data, &l->key.url,
                   l->o->robots, l->arena, dt_learn_named, l);
    }

    dt_sample_names(&l->sample, &l->key.url, 0, 0, l->evidence);
    rc = dt_learn_random(l);

    if (rc == DT_OK && l->o->given
        && DT_LEARN_FEW * l->out->loads < l->o->loads) {
        dt_sample_names(&l->sample, &l->key.url, 1, 0, l->evidence);
        rc = dt_learn_random(l);
    }

    return rc == DT_OK && l->npages + 1 < l->o->rules.support
               ? dt_learn_around(l)
               : rc;
}


/*
 * Runs the detector on the key page and on pages of the subdigraph that are
 * not alike: the common parts of copies of one page are not template.
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

        if (!(had >> l->pages[i].number & 1)) {
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

    if (rc == DT_OK) {
        dt_evidence_detected(l->evidence, l->key.dom, l->key.records, l->key.n,
                             nodes);
    }

    return rc;
}


/* why no page but the key page could be had: a static word, or NULL */
static const char *
dt_learn_shut(const dt_learn_t *l)
{
    return dt_learn_is_denied(l) ? l->shut ? "denied" : NULL
           : l->forbidden && l->out->tries == l->key_tries
                   && !dt_robots_allowed(l->o->robots, dt_str("/"))
               ? "robots"
               : NULL;
}


/* returns the number of pages that were not requested and that will be there,
   as far as the others show */
static uint64_t
dt_learn_rest(const dt_learn_t *l)
{
    uint64_t rest = dt_sample_rest(&l->sample);

    return rest * l->out->loads / (l->out->loads + l->failed);
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

    /* of a large site, an author's part of the sample may be a multiple of his
       part of the site: by chance, by links to him, by visits */

    if (dt_learn_rest(l) > l->evidence->npages) {
        l->evidence->rules.share = l->o->rules.sampled;
    }

    rc = dt_compile(l->evidence, &info, &c);
    out->guarded = c.guarded;

    out->bytes = c.bytes;
    out->len = c.len;

    if (rc != DT_OK) {

        /* without another page, the reason is the failure to load one */

        out->reason = rc != DT_DECLINED  ? "limit"
                      : c.guarded        ? "guard"
                      : l->npages        ? "no-template"
                      : dt_learn_shut(l) ? dt_learn_shut(l)
                                         : out->reason;
        return rc;
    }

    /* a bug in writing templates ends here, and not where pages are served */

    if (dt_template_check(c.bytes, c.len, NULL) != DT_OK) {
        out->reason = "limit";
        return DT_EBUG;
    }

    out->patterns = c.patterns;
    out->words = c.words;
    out->static_words = c.static_words;
    out->static_bytes = c.static_bytes;
    out->coverage = c.words ? (double) c.static_words / c.words : 0;
    out->fresh = c.shown > l->shown
                     ? (unsigned) (100 * (c.shown - l->shown) / c.shown)
                     : 0;
    out->redesigned = 2 * l->redesigned > out->loads;
    out->reason = "ok";

    return DT_OK;
}


static dt_status_t
dt_learn_run(dt_learn_t *l)
{
    dt_url_t url;
    dt_status_t rc;
    const dt_template_head_t *prev = l->o->prev;

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

    /* a server that cannot send robots.txt now is not asked for pages */

    if (l->o->robots != NULL && dt_robots_closed(l->o->robots)) {
        (void) snprintf(l->out->errstr, sizeof(l->out->errstr), "%s",
                        dt_robots_why(l->o->robots));
        l->out->reason = "key-page";
        return DT_EIO;
    }

    /* each learning of a site draws another sample */

    rc = dt_sample_init(
        &l->sample,
        dt_mix(l->evidence->seed,
               (uint64_t) l->o->now + (prev ? prev->version : 0)),
        l->arena);
    rc = rc == DT_OK ? dt_learn_key_page(l, &url) : rc;

    if (rc != DT_OK) {
        return rc;
    }

    rc = dt_learn_candidates(l);
    rc = rc == DT_OK && !l->o->alone ? dt_learn_sample(l) : rc;

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

    /* one busy page says nothing about the site, unless it is the first */

    if (l->busy < DT_LEARN_PATIENCE && l->key.rc == DT_OK) {
        out->retry_after = 0;
    }

    dt_learn_drop(l, &l->key);

    for (i = 0; i < l->npages; i++) {
        dt_learn_drop(l, &l->pages[i]);
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
