
/*
 * Copyright (C) The detemplate authors
 *
 * The choice of the loaded pages decides which parts become template.  Pages
 * around one link share a section's menu and its authors.  Of pages at random,
 * an author's part is his part of the site, and so is the part of each layout.
 *
 * Each page gets a number that is a hash of its key and of a secret seed.  The
 * next page is the one with the least number.  So each page that is known has
 * the same chance, however many pages link to it, and nobody can choose a URL
 * that comes first.
 */


#include <stdlib.h>

#include "core/learn/sample.h"
#include "core/base/hash.h"


#define DT_SAMPLE_GONE 3 /* pages of a directory that failed, none that came */


dt_status_t
dt_sample_init(dt_sample_t *s, uint64_t seed, dt_arena_t *arena)
{
    s->arena = arena;
    s->seed = seed;
    s->nnamed = 0;

    return dt_index_init(&s->pages, sizeof(dt_sample_page_t), arena) == DT_OK
               ? dt_index_init(&s->dirs, sizeof(dt_sample_dir_t), arena)
               : DT_ENOMEM;
}


/* returns a hash of a page's directory; pages that differ in their queries are
   in a directory of their own, since anybody can make any number of them */
static uint64_t
dt_sample_dir(const dt_url_t *url)
{
    size_t n = url->path.len;

    while (url->query.len == 0 && n && url->path.data[n - 1] != '/') {
        n--;
    }

    return dt_hash(url->path.data, n, url->query.len != 0) | 1;
}


dt_sample_page_t *
dt_sample_add(dt_sample_t *s, const dt_url_t *url, unsigned known,
              unsigned taken, unsigned linked)
{
    dt_sample_page_t *p;
    dt_sample_dir_t *dir;

    p = dt_index_get(&s->pages, dt_links_key(url), DT_SAMPLE_MAX, s->arena);

    if (p != NULL && p->href.data == NULL) {
        p->order = dt_mix(s->seed, p->key);
        p->known = known;
        p->dir = dt_sample_dir(url);
        p->href = dt_arena_strdup(s->arena, url->href);
        p->taken = p->href.data == NULL;
    }

    if (p != NULL) {
        p->taken |= taken;
    }

    if (p != NULL && linked && !p->linked) {
        p->linked = 1;
        dir = dt_index_get(&s->dirs, p->dir, DT_SAMPLE_MAX, s->arena);

        if (dir != NULL) {
            dir->linked = 1;
        }
    }

    return p;
}


void
dt_sample_answered(dt_sample_t *s, const dt_url_t *url, unsigned came)
{
    dt_sample_dir_t *dir;

    dir = dt_index_get(&s->dirs, dt_sample_dir(url), DT_SAMPLE_MAX, s->arena);

    if (dir != NULL) {
        dir->came += came;
        dir->failed += !came;
    }
}


/* adds a page, and notes whether the evidence has it */
static void
dt_sample_page(dt_sample_t *s, const dt_url_t *url, unsigned linked,
               const dt_evidence_t *ev)
{
    dt_page_id_t id = dt_links_id(url);

    (void) dt_sample_add(s, url, dt_evidence_knows(ev, &id, 0) != 0, 0,
                         linked);
}


void
dt_sample_links(dt_sample_t *s, const dt_links_t *links,
                const dt_evidence_t *ev)
{
    size_t i;
    uint64_t order[DT_LINKS_MAX], most = UINT64_MAX;

    /* these numbers are independent of the order in which pages are taken, or
       the links that count would come before those of other pages */

    for (i = 0; i < links->n; i++) {
        order[i] = dt_mix(s->seed + 1, dt_links_key(&links->links[i].url));
    }

    if (links->n > DT_SAMPLE_LINKS) {
        qsort(order, links->n, sizeof(uint64_t), dt_index_cmp);
        most = order[DT_SAMPLE_LINKS - 1];
    }

    for (i = 0; i < links->n; i++) {
        if (dt_mix(s->seed + 1, dt_links_key(&links->links[i].url)) <= most) {
            dt_sample_page(s, &links->links[i].url, 1, ev);
        }
    }
}


void
dt_sample_name(dt_sample_t *s, dt_str_t url)
{
    uint64_t slot = s->nnamed;

    if (slot >= DT_SAMPLE_NAMED) {
        slot = dt_mix(s->seed, slot) % (slot + 1);
    }

    s->nnamed++;

    if (slot < DT_SAMPLE_NAMED) {
        s->named[slot] = url;
    }
}


void
dt_sample_names(dt_sample_t *s, const dt_url_t *base, unsigned given,
                unsigned linked, const dt_evidence_t *ev)
{
    uint64_t i;
    dt_url_t url;

    for (i = 0; i < s->nnamed && i < DT_SAMPLE_NAMED; i++) {
        if (dt_links_page(base, base, s->named[i], given, s->arena, &url)
            == DT_OK) {
            dt_sample_page(s, &url, linked, ev);
        }
    }
}


unsigned
dt_sample_rest(const dt_sample_t *s)
{
    uint32_t i;
    unsigned n = 0;
    const dt_sample_page_t *p = s->pages.elts;

    for (i = 0; i < s->pages.n; i++) {
        n += !p[i].taken && !p[i].known;
    }

    return n;
}


static unsigned
dt_sample_beyond(const dt_sample_t *s, const dt_sample_page_t *p)
{
    const dt_sample_dir_t *dir = dt_index_find(&s->dirs, p->dir);

    return !p->linked && (dir == NULL || !dir->linked);
}


/* whether the directory of a page seems to be gone */
static int
dt_sample_gone(const dt_sample_t *s, const dt_sample_page_t *p)
{
    const dt_sample_dir_t *dir = dt_index_find(&s->dirs, p->dir);

    return dir != NULL && !dir->came && dir->failed >= DT_SAMPLE_GONE;
}


dt_sample_page_t *
dt_sample_take(dt_sample_t *s, unsigned fresh, unsigned *beyond)
{
    uint32_t i;
    dt_sample_page_t *p = s->pages.elts, *next = NULL;

    for (i = 0; i < s->pages.n; i++) {
        if (!p[i].taken && !(fresh && p[i].known)
            && (next == NULL || p[i].order < next->order)
            && !(*beyond && dt_sample_beyond(s, &p[i]))
            && !dt_sample_gone(s, &p[i]))
        {
            next = &p[i];
        }
    }

    *beyond = next != NULL && dt_sample_beyond(s, next);

    if (next != NULL) {
        next->taken = 1;
    }

    return next;
}
