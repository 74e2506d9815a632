
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/base/hash.h"
#include "ngx_module/zone/node.h"


/*
 * A page has a rank, a hash of its key with the site's seed.  The pages of
 * lowest rank stay, so that each page has the same chance, however often it is
 * asked for.  The seed changes when pages are drawn.
 *
 * Where one address stands for any number of pages, those of a counter or of
 * an API would crowd out all others.  Such pages have paths of one shape.  So
 * what goes is the page of highest rank among those whose shape most pages
 * have.  On a site whose pages are all of one shape, or each of its own, that
 * is the highest rank of all.
 */


static uint32_t ngx_http_dt_pages_shape(u_char *url);
static uint32_t ngx_http_dt_pages_where(ngx_http_dt_job_t *job);
static ngx_uint_t ngx_http_dt_pages_victim(ngx_http_dt_node_t *node,
    ngx_http_dt_page_t *pages, ngx_uint_t n);


ngx_uint_t
ngx_http_dt_pages_add(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t low)
{
    size_t               len;
    ngx_uint_t           i, n;
    ngx_http_dt_page_t   pages[NGX_HTTP_DT_PAGES + 1], *page;

    for (i = 0; i < node->npages; i++) {
        if (node->pages[i].key == job->key) {
            node->pages[i].low |= low;
            return !node->pages[i].tried;
        }
    }

    n = node->npages;
    ngx_memcpy(pages, node->pages, n * sizeof(ngx_http_dt_page_t));

    page = &pages[n++];
    page->key = job->key;
    page->shape = ngx_http_dt_pages_shape(job->url);
    page->where = ngx_http_dt_pages_where(job);
    page->low = low;
    page->tried = 0;

    if (n > NGX_HTTP_DT_PAGES) {
        i = ngx_http_dt_pages_victim(node, pages, n);

        if (i == n - 1) {
            return 0;
        }

        ngx_http_dt_pages_drop(zone, node, i);
    }

    len = ngx_strlen(job->url) + 1;

    page->url = ngx_slab_alloc_locked(zone->shpool, len);
    if (page->url == NULL) {
        return 0;
    }

    ngx_memcpy(page->url, job->url, len);
    node->pages[node->npages++] = *page;

    return 1;
}


/* the path without its query; a name with a digit may be any such name */

static uint32_t
ngx_http_dt_pages_shape(u_char *url)
{
    u_char    *p, *name;
    uint64_t   hash;

    hash = 0;

    for (p = url; *p && *p != '?'; /* void */) {

        name = p;

        while (*p && *p != '?' && *p != '/' && (*p < '0' || *p > '9')) {
            p++;
        }

        if (*p >= '0' && *p <= '9') {
            p += strcspn((char *) p, "/?");
            hash = dt_hash("0", 1, hash);

        } else {
            hash = dt_hash((char *) name, p - name, hash);
        }

        p += (*p == '/');
    }

    return (uint32_t) hash;
}


/* a page of another server, port or name may be another one */

static uint32_t
ngx_http_dt_pages_where(ngx_http_dt_job_t *job)
{
    size_t    len;
    u_char   *p;
    uint64_t  hash;

    p = (u_char *) ngx_strstr(job->url, "://");
    len = p ? p + 3 - job->url + strcspn((char *) p + 3, "/?") : 0;

    hash = dt_hash((char *) job->url, len, 0);
    hash = dt_hash((char *) job->origin, ngx_strlen(job->origin), hash);
    hash = dt_hash((char *) job->connect, ngx_strlen(job->connect), hash);

    return (uint32_t) hash;
}


/* pages that showed little have places that no others take */

static ngx_uint_t
ngx_http_dt_pages_victim(ngx_http_dt_node_t *node, ngx_http_dt_page_t *pages,
    ngx_uint_t n)
{
    uint64_t    rank, highest;
    ngx_uint_t  i, k, alike, most, victim, low;

    low = 0;

    for (i = 0; i < n; i++) {
        low += pages[i].low;
    }

    low = (low > NGX_HTTP_DT_LOW);
    most = 0;
    highest = 0;
    victim = n - 1;

    for (i = 0; i < n; i++) {

        if (pages[i].low != low) {
            continue;
        }

        alike = 0;

        for (k = 0; k < n; k++) {
            alike += (pages[k].shape == pages[i].shape && pages[k].low == low);
        }

        rank = dt_mix(pages[i].key, node->seed);

        if (alike > most || (alike == most && rank >= highest)) {
            most = alike;
            highest = rank;
            victim = i;
        }
    }

    return victim;
}


void
ngx_http_dt_pages_drop(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_uint_t i)
{
    ngx_slab_free_locked(zone->shpool, node->pages[i].url);
    node->pages[i] = node->pages[--node->npages];
}


ngx_uint_t
ngx_http_dt_pages_tried(ngx_http_dt_node_t *node, uint64_t key)
{
    ngx_uint_t           i, left;
    ngx_http_dt_page_t  *page;

    left = 0;

    for (i = 0; i < node->npages; i++) {
        page = &node->pages[i];
        page->tried |= (page->key == key);
        left |= !page->tried;
    }

    return left;
}


ngx_uint_t
ngx_http_dt_pages_low(ngx_http_dt_node_t *node)
{
    ngx_uint_t  i;

    for (i = 0; i < node->npages; i++) {
        if (node->pages[i].low) {
            return 1;
        }
    }

    return 0;
}


void
ngx_http_dt_pages_draw(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job,
    u_char *buf)
{
    u_char              *p;
    uint32_t             where;
    ngx_uint_t           i, n, worth, best, low;
    ngx_http_dt_page_t  *page, *key;

    n = 0;
    p = buf;
    key = NULL;
    best = 0;
    where = ngx_http_dt_pages_where(job);

    for (low = 2; low-- > 0; /* void */) {

        for (i = 0; i < node->npages; i++) {
            page = &node->pages[i];

            if (page->where != where || page->low != low) {
                continue;
            }

            p = ngx_cpymem(p, page->url, ngx_strlen(page->url));
            *p++ = LF;

            /*
             * Pages that showed little come first.  But when that was in vain,
             * others do: pages without links, say, teach nothing.
             */

            worth = 2 * !page->tried + (low == (node->failures % 2 == 0));

            if (worth > best || key == NULL) {
                best = worth;
                n = 0;
            }

            if (worth == best && ngx_random() % ++n == 0) {
                key = page;
            }
        }
    }

    p -= (p > buf);
    *p = '\0';

    if (key) {
        ngx_cpystrn(job->url, key->url, NGX_HTTP_DT_MAX_URI);
        job->key = key->key;
    }

    for (i = 0; i < node->npages; i++) {
        node->pages[i].low = 0;
        node->pages[i].tried &= (best > 1);
    }

    node->seed = dt_mix(node->seed, ngx_random());
}
