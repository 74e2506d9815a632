
/*
 * Copyright (C) The detemplate authors
 *
 * Handles one page of a learning: loads it, checks whether it is new, and
 * collects its links with the others.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/base/ablate.h"
#include "core/learn/learn_i.h"
#include "core/scan/scan.h"


/* memory of a page: its bytes, its dom and its links */
#define DT_LEARN_PAGE ((size_t) 48 << 20)

/* statuses of HTTP by which a server asks for fewer requests */
#define DT_LEARN_MANY 429
#define DT_LEARN_BUSY 503


/* reports a page that was requested */
void
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


/* sets the message that says what was wrong with the last page */
void
dt_learn_error(dt_learn_t *l, const char *why)
{
    (void) snprintf(l->out->errstr, sizeof(l->out->errstr), "%s", why);
}


/* reads a page; the scanner comes first, as it costs less to find that a page
   is too deep */
static dt_status_t
dt_learn_read(dt_learn_t *l, dt_str_t body, dt_loaded_t *page)
{
    size_t took;
    dt_status_t rc;
    dt_dom_opts_t opts;

    dt_dom_opts_init(&opts);

    rc = dt_scan_records(body, dt_evidence_seed(l->evidence), page->url.host,
                         page->url.path, &page->records, &page->n);

    rc = rc == DT_OK ? dt_dom_parse(body, &opts, page->arena, &page->dom) : rc;

    rc = rc == DT_OK ? dt_links_collect(page->dom, &page->url, page->arena,
                                        &page->links)
                     : rc;

    took = dt_arena_used(page->arena) + page->n * sizeof(dt_record_t);

    if (rc != DT_OK || took > l->room) {
        return DT_ELIMIT;
    }

    l->room -= took;

    return DT_OK;
}


/* fetches and reads a page into its arena, which exists */
static const char *
dt_learn_fetch(dt_learn_t *l, const dt_url_t *url, dt_loaded_t *page)
{
    dt_fetched_t got;

    memset(&got, 0, sizeof(got));
    l->out->tries++;
    l->o->fetch(l->o->fetch_data, url->href.data, page->arena, &got);

    page->rc = got.rc;
    page->status = got.status;

    if (got.status == DT_LEARN_MANY || got.status == DT_LEARN_BUSY) {
        l->busy = 1;
        l->out->retry_after = got.retry_after;
    }

    if (got.rc != DT_OK) {
        memcpy(l->out->errstr, got.errstr, sizeof(got.errstr));
        return got.reason ? got.reason : "fetch";
    }

    if (got.url.len == 0
        || dt_url_resolve(NULL, got.url, page->arena, &page->url) != DT_OK)
    {
        page->url = *url;
    }

    if (dt_learn_read(l, got.body, page) != DT_OK) {
        l->out->beyond++;
        dt_learn_error(l, "page exceeds a limit");
        return "page";
    }

    l->out->loads++;

    return "ok";
}


/* loads and reads a page; returns a static word: "ok", or what was wrong */
const char *
dt_learn_load(dt_learn_t *l, const dt_url_t *url, dt_loaded_t *page)
{
    const char *result;

    memset(page, 0, sizeof(dt_loaded_t));
    page->asked = *url;
    page->rc = DT_DECLINED;

    if (l->o->allowed != NULL
        && !l->o->allowed(l->o->allowed_data, dt_url_target(url).data))
    {
        dt_learn_error(l, "forbidden by robots.txt");
        return "robots";
    }

    page->arena =
        dt_arena_create(DT_LEARN_PAGE < l->room ? DT_LEARN_PAGE : l->room);
    if (page->arena == NULL) {
        return "memory";
    }

    result = dt_learn_fetch(l, url, page);

    if (strcmp(result, "ok") != 0) {
        dt_learn_drop(page);
    }

    return result;
}


void
dt_learn_drop(dt_loaded_t *page)
{
    free(page->records);
    page->records = NULL;
    dt_arena_destroy(page->arena);
    page->arena = NULL;
}


static int
dt_learn_has_link(const dt_loaded_t *from, const dt_loaded_t *to)
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


/* whether the page was loaded already, under any URL */
int
dt_learn_seen(const dt_learn_t *l, const dt_loaded_t *page)
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


/* adds the page that was loaded last to the digraph */
void
dt_learn_join(dt_learn_t *l)
{
    unsigned i, n = l->npages;
    uint64_t out = 0, in = 0;

    for (i = 0; i < n; i++) {
        if (DT_ABLATE(unlinked)
            || dt_learn_has_link(&l->pages[n], &l->pages[i])) {
            out |= (uint64_t) 1 << i;
        }

        if (DT_ABLATE(unlinked)
            || dt_learn_has_link(&l->pages[i], &l->pages[n])) {
            in |= (uint64_t) 1 << i;
        }
    }

    (void) dt_digraph_add(&l->graph, out, in, l->o->candidates);
    l->npages++;
}


/* notes which of the loaded pages link to one another */
void
dt_learn_linked(dt_learn_t *l)
{
    unsigned i, j;
    const dt_digraph_t *g = &l->graph;

    for (i = 0; i < l->npages; i++) {

        /* the key page links to each of them */

        if (dt_learn_has_link(&l->pages[i], &l->key)) {
            dt_evidence_linked(l->evidence, l->pages[i].number);
            dt_evidence_linked(l->evidence, l->key.number);
        }

        for (j = 0; j < i; j++) {
            if ((g->out[i] >> j & 1) && (g->out[j] >> i & 1)) {
                dt_evidence_linked(l->evidence, l->pages[i].number);
                dt_evidence_linked(l->evidence, l->pages[j].number);
            }
        }
    }
}
