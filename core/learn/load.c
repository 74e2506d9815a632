
/*
 * Copyright (C) The detemplate authors
 *
 * Handles the pages of a learning: loads a few at once, checks which are new,
 * and makes evidence of them.  Only the pages that the detector compares keep
 * their DOM.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/learn/load.h"
#include "core/dom/dom.h"
#include "core/scan/rewrite.h"
#include "core/web/robots.h"


/* memory of a page: its bytes, its dom and its links */
#define DT_LEARN_PAGE ((size_t) 48 << 20)

/* words of a page that counts although it redirects to another one */
#define DT_LEARN_SAYS 50

/* statuses of HTTP by which a server asks for fewer requests */
#define DT_LEARN_MANY 429
#define DT_LEARN_BUSY 503


/* reports a page that was requested */
static void
dt_learn_report(dt_learn_t *l, const char *url, const char *result)
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


/* sets the message about the fault of the last page */
static void
dt_learn_error(dt_learn_t *l, const char *why)
{
    (void) snprintf(l->out->errstr, sizeof(l->out->errstr), "%s", why);
}


void
dt_learn_drop(dt_learn_t *l, dt_loaded_t *page)
{
    l->room += page->took;
    page->took = 0;
    free(page->records);
    page->records = NULL;
    dt_arena_destroy(page->arena);
    page->arena = NULL;
}


/* notes the keys of the page's links, which outlive it */
static dt_status_t
dt_learn_targets(dt_learn_t *l, dt_loaded_t *page)
{
    size_t i;

    page->to = dt_arena_calloc(l->arena, page->links.n + 1, sizeof(uint64_t));
    if (page->to == NULL) {
        return DT_ENOMEM;
    }

    page->nto = page->links.n;

    for (i = 0; i < page->nto; i++) {
        page->to[i] = dt_links_key(&page->links.links[i].url);
    }

    return DT_OK;
}


/* reads a page; the scanner comes first, as it costs less to find that a page
   is too deep */
static dt_status_t
dt_learn_read(dt_learn_t *l, dt_str_t body, dt_loaded_t *page)
{
    char *inert;
    dt_status_t rc;
    dt_dom_opts_t opts;

    dt_dom_opts_init(&opts);

    page->key = dt_links_key(&page->url);
    page->bytes = dt_hash(body.data, body.len, 0);

    rc = dt_scan_records(body, l->evidence->seed, page->url.host,
                         page->url.path, &page->records, &page->n);

    inert = dt_arena_alloc(page->arena, body.len + 1);

    rc = rc == DT_OK && inert != NULL ? dt_scan_inert(body, inert) : rc;

    rc = rc == DT_OK && inert != NULL ? dt_dom_parse(
             (dt_str_t){ body.len, inert }, &opts, page->arena, &page->dom)
                                      : DT_ELIMIT;

    rc = rc == DT_OK ? dt_links_collect(page->dom, &page->url, page->arena,
                                        &page->links)
                     : rc;

    return rc == DT_OK ? dt_learn_targets(l, page) : rc;
}


/* whether a page is hardly more than a redirect to another one */
static int
dt_learn_redirects(const dt_dom_t *dom)
{
    uint32_t i, words = 0;

    for (i = 0; i < dom->n; i++) {
        words += dom->nodes[i].words;
    }

    return dom->redirects && words < DT_LEARN_SAYS;
}


/* whether a response is not for strangers, or leads to a log-in */
static int
dt_learn_denied(const dt_fetched_t *got)
{
    return got->status == 401 || got->status == 403
           || (got->reason != NULL && strcmp(got->reason, "redirect") == 0);
}


/* takes the response for a page; returns a static word: "ok", or the fault */
static const char *
dt_learn_got(dt_learn_t *l, const dt_url_t *url, const dt_fetched_t *got,
             dt_loaded_t *page)
{
    size_t took;
    dt_status_t rc;

    page->rc = got->rc;
    page->status = got->status;

    if (got->status == DT_LEARN_MANY || got->status == DT_LEARN_BUSY
        || (got->reason != NULL && strcmp(got->reason, "timeout") == 0))
    {
        l->busy++;
        l->out->retry_after = got->retry_after > l->out->retry_after
                                  ? got->retry_after
                                  : l->out->retry_after;

    } else if (l->busy < DT_LEARN_PATIENCE) {
        l->busy = 0;
        l->out->retry_after = 0;
    }

    if (got->rc != DT_OK) {
        l->denied += dt_learn_denied(got) ? 1 : 0;
        l->shut += got->status == 401 || got->status == 403 ? 1 : 0;
        memcpy(l->out->errstr, got->errstr, sizeof(got->errstr));
        return got->reason ? got->reason : "fetch";
    }

    if (got->url.len == 0
        || dt_url_resolve(NULL, got->url, page->arena, &page->url) != DT_OK)
    {
        page->url = *url;
    }

    rc = dt_learn_read(l, got->body, page);
    took = dt_arena_used(page->arena) + page->n * sizeof(dt_record_t);

    if (rc != DT_OK || took > l->room) {
        l->out->beyond++;
        dt_learn_error(l, "page exceeds a limit");
        return "page";
    }

    page->took = took;
    l->room -= took;

    if (dt_learn_redirects(page->dom)) {
        dt_learn_error(l, "page redirects to another one");
        return "redirect";
    }

    return "ok";
}


/* prepares a page to be fetched; returns a static word: "ok", or the fault */
static const char *
dt_learn_ask(dt_learn_t *l, const dt_url_t *url, dt_loaded_t *page)
{
    dt_str_t target = dt_url_target(url);
    const dt_learn_opts_t *o = l->o;
    int here = o->has != NULL && o->has(o->has_data, target.data);

    memset(page, 0, sizeof(dt_loaded_t));
    page->asked = dt_links_key(url);
    page->rc = DT_DECLINED;

    if (!here && o->given) {
        dt_learn_error(l, "not among the pages that are given");
        return "absent";
    }

    if (!here && o->robots != NULL && !dt_robots_allowed(o->robots, target)) {
        l->forbidden++;
        dt_learn_error(l, dt_robots_why(o->robots));
        return "robots";
    }

    l->out->tries += here ? 0 : 1;

    page->arena =
        dt_arena_create(DT_LEARN_PAGE < l->room ? DT_LEARN_PAGE : l->room);

    return page->arena == NULL ? "memory" : "ok";
}


/* loads n pages; results[i] is a static word: "ok", or the fault */
static void
dt_learn_load(dt_learn_t *l, const dt_url_t *urls, dt_loaded_t *pages,
              const char **results, unsigned n)
{
    unsigned i, asked = 0, which[DT_FETCH_ONCE];
    dt_fetch_t fetch[DT_FETCH_ONCE];

    memset(fetch, 0, sizeof(fetch));

    for (i = 0; i < n; i++) {
        results[i] = dt_learn_ask(l, &urls[i], &pages[i]);

        if (strcmp(results[i], "ok") == 0) {
            fetch[asked].url = urls[i].href.data;
            fetch[asked].arena = pages[i].arena;
            which[asked++] = i;
        }
    }

    if (l->o->fetch_many != NULL && asked) {
        l->o->fetch_many(l->o->fetch_data, fetch, asked);
    }

    for (i = 0; i < asked; i++) {
        if (l->o->fetch_many == NULL) {
            l->o->fetch(l->o->fetch_data, fetch[i].url, fetch[i].arena,
                        &fetch[i].got);
        }

        results[which[i]] =
            dt_learn_got(l, &urls[which[i]], &fetch[i].got, &pages[which[i]]);
    }
}


static int
dt_learn_is(const dt_loaded_t *page, const dt_loaded_t *other)
{
    return page->key == other->key || page->bytes == other->bytes;
}


/* whether the page was loaded already, under any URL */
static int
dt_learn_seen(const dt_learn_t *l, const dt_loaded_t *page)
{
    unsigned i;

    for (i = 0; i < l->npages && !dt_learn_is(page, &l->pages[i]); i++) {
        /* void */
    }

    return i < l->npages || dt_learn_is(page, &l->key);
}


static int
dt_learn_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) data;
    (void) p;
    (void) len;
    (void) kind;

    return 0;
}


/* returns the words of template that prev knows on the page */
static uint64_t
dt_learn_shown(const dt_learn_t *l, const dt_loaded_t *page)
{
    dt_rewrite_opts_t o;
    dt_rewrite_stats_t stats;

    memset(&o, 0, sizeof(o));
    o.tmpl = l->o->prev;
    o.mode = DT_STRIP;
    o.host = page->url.host;
    o.path = page->url.path;
    o.out = dt_learn_out;

    (void) dt_rewrite_page(&o, page->dom->src, &stats);

    return stats.words;
}


/* makes evidence of a page, and adds its links to the sample */
static dt_status_t
dt_learn_use(dt_learn_t *l, dt_loaded_t *page)
{
    dt_page_id_t id = dt_links_id(&page->url);
    uint64_t shown;
    const dt_template_head_t *prev = l->o->prev;

    l->out->loads++;

    (void) dt_sample_add(&l->sample, &page->url, 1, 1, 0);
    dt_sample_links(&l->sample, &page->links, l->evidence);

    if (dt_learn_had(l)) {
        shown = dt_learn_shown(l, page);
        l->shown += shown;

        l->redesigned +=
            shown * 100 < (uint64_t) prev->typical * l->o->rules.redesign;
    }

    return dt_evidence_add(l->evidence, &id, page->dom, page->records, page->n,
                           l->o->now, &page->number);
}


static int
dt_learn_has_link(const dt_loaded_t *from, const dt_loaded_t *to)
{
    size_t i;

    for (i = 0; i < from->nto; i++) {
        if (from->to[i] == to->asked || from->to[i] == to->key) {
            return 1;
        }
    }

    return 0;
}


/* adds the page that was loaded last to the digraph */
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
}


/* takes a page that was loaded, and that is not NULL if result is "ok" */
static dt_status_t
dt_learn_page(dt_learn_t *l, const dt_url_t *url, const char *result,
              dt_loaded_t *page, unsigned join)
{
    dt_status_t rc;

    if (strcmp(result, "ok") == 0 && dt_learn_seen(l, page)) {
        result = "same";
        dt_learn_error(l, "same page as one that was loaded");
    }

    if (strcmp(result, "ok") != 0 || l->npages == DT_LEARN_PAGES) {
        if (page->arena != NULL) {
            l->failed++;
            dt_sample_answered(&l->sample, url, 0);
        }

        dt_learn_report(l, url->href.data, result);
        dt_learn_drop(l, page);
        return DT_OK;
    }

    dt_sample_answered(&l->sample, url, 1);
    l->number[l->npages] = (unsigned) l->out->npages;
    dt_learn_report(l, url->href.data, "loaded");

    rc = dt_learn_use(l, page);
    l->pages[l->npages] = *page;
    page = &l->pages[l->npages];

    if (join) {
        dt_learn_join(l);

    } else {
        dt_learn_drop(l, page);
    }

    l->npages++;

    return rc;
}


dt_status_t
dt_learn_pages(dt_learn_t *l, const dt_str_t *urls, unsigned n, unsigned join)
{
    unsigned i;
    dt_status_t rc = DT_OK;
    dt_url_t resolved[DT_FETCH_ONCE] = { 0 };
    dt_loaded_t pages[DT_FETCH_ONCE];
    const char *results[DT_FETCH_ONCE];

    for (i = 0; i < n; i++) {
        rc = dt_url_resolve(NULL, urls[i], l->arena, &resolved[i]);
        if (rc != DT_OK) {
            return DT_ENOMEM;
        }
    }

    dt_learn_load(l, resolved, pages, results, n);

    for (i = 0; i < n; i++) {
        if (rc == DT_OK) {
            rc = dt_learn_page(l, &resolved[i], results[i], &pages[i], join);

        } else {
            dt_learn_drop(l, &pages[i]);
        }
    }

    return rc;
}


dt_status_t
dt_learn_key_page(dt_learn_t *l, dt_url_t *url)
{
    const char *result;

    dt_learn_load(l, url, &l->key, &result, 1);
    l->key_tries = l->out->tries;

    if (strcmp(result, "ok") != 0) {
        dt_learn_report(l, l->o->url, result);
        l->out->reason =
            l->forbidden && !dt_robots_allowed(l->o->robots, dt_str("/"))
                ? "robots"
            : l->key.status == 401 || l->key.status == 403 ? "denied"
                                                           : "key-page";
        return l->key.rc == DT_EIO ? DT_EIO : DT_DECLINED;
    }

    dt_learn_report(l, l->o->url, "key");

    (void) dt_sample_add(&l->sample, url, 1, 1, 1);
    dt_sample_answered(&l->sample, url, 1);

    return dt_learn_use(l, &l->key);
}


void
dt_learn_linked(dt_learn_t *l)
{
    unsigned i, j;
    const dt_loaded_t *p = l->pages, *q;

    for (i = 0; i < l->npages; i++) {
        for (j = 0; j <= i; j++) {
            q = j == i ? &l->key : &p[j];

            if (dt_learn_has_link(&p[i], q) && dt_learn_has_link(q, &p[i])) {
                l->evidence->pages[p[i].number].linked = 1;
                l->evidence->pages[q->number].linked = 1;
            }
        }
    }
}
