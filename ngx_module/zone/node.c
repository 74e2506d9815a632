
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/hash.h"
#include "ngx_module/zone/node.h"


/*
 * A node is in a table, by the hash of its site's name, and in a queue, by the
 * time of its last use.  A node with news for the manager is also in another
 * queue.  The mutex of the slab pool guards all of it; nginx unlocks that
 * mutex when its holder dies.  The hash has a secret seed, because clients may
 * choose names of sites.
 */


/*
 * A page has a rank, a hash of its key with the site's seed.  The reservoir
 * keeps the pages of lowest rank, so a page's chance does not depend on the
 * number of its requests.  The seed changes when pages are drawn.
 *
 * A counter or an API has any number of URLs, which would crowd out all other
 * pages.  The paths of such URLs have one shape.  So the page of highest rank
 * goes, among those whose shape most pages have.  On a site whose pages are
 * all of one shape, or each of its own, that is the highest rank of all.
 */


/* a line is logged again after this time */

#define NGX_HTTP_DT_LOG_AGAIN    3600000    /* ms */

/* another line may take the entry of a line that is older than this */

#define NGX_HTTP_DT_LOG_REPLACE  60000      /* ms */


static void ngx_http_dt_pages_drop(ngx_http_dt_zone_t *zone,
    struct ngx_http_dt_node_s *node, ngx_uint_t i);
static ngx_http_dt_node_t **ngx_http_dt_node_slot(
    ngx_http_dt_zone_t *zone, uint32_t hash);
static ngx_int_t ngx_http_dt_node_evict(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *keep);
static uint32_t ngx_http_dt_pages_shape(u_char *url);
static uint32_t ngx_http_dt_pages_where(ngx_http_dt_job_t *job);
static ngx_uint_t ngx_http_dt_pages_victim(ngx_http_dt_node_t *node,
    ngx_http_dt_page_t *pages, ngx_uint_t n);
static u_char *ngx_http_dt_trouble_text(u_char *p, ngx_str_t *text,
    size_t max);


uint32_t
ngx_http_dt_node_hash(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    return (uint32_t) dt_hash((char *) site->data, site->len, zone->seed);
}


ngx_http_dt_node_t *
ngx_http_dt_node_find(ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash)
{
    ngx_http_dt_node_t  *node;

    for (node = *ngx_http_dt_node_slot(zone, hash);
         node;
         node = node->next_node)
    {
        if (node->hash == hash && ngx_http_dt_equal(&node->name, site)) {
            break;
        }
    }

    return node;
}


ngx_http_dt_node_t *
ngx_http_dt_node_lock(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    uint32_t  hash;

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    return ngx_http_dt_node_find(zone, site, hash);
}


static ngx_http_dt_node_t **
ngx_http_dt_node_slot(ngx_http_dt_zone_t *zone, uint32_t hash)
{
    return &zone->sh->sites[hash & (zone->sh->nsites - 1)];
}


ngx_http_dt_node_t *
ngx_http_dt_node_create(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    uint32_t hash)
{
    ngx_http_dt_node_t  *node, **slot;

    node = ngx_http_dt_node_alloc(zone, NULL, sizeof(ngx_http_dt_node_t)
                                  + site->len);
    if (node == NULL) {
        return NULL;
    }

    ngx_memzero(node, sizeof(ngx_http_dt_node_t));

    node->hash = hash;
    ngx_http_dt_copy_name(&node->name, (u_char *) &node[1], site);

    node->created = ngx_time();
    node->accessed = node->created;
    node->next = ngx_current_msec;

    slot = ngx_http_dt_node_slot(zone, hash);
    node->next_node = *slot;
    *slot = node;

    ngx_queue_insert_head(&zone->sh->lru, &node->lru);
    zone->sh->counters.nodes++;

    return node;
}


/* the order within one second does not matter, so busy sites seldom move */

void
ngx_http_dt_node_touch(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    if (node->accessed != ngx_time()) {
        node->accessed = ngx_time();
        ngx_queue_remove(&node->lru);
        ngx_queue_insert_head(&zone->sh->lru, &node->lru);
    }
}


void
ngx_http_dt_node_delete(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_http_dt_node_t  **slot;

    ngx_http_dt_node_idle(zone, node);
    ngx_http_dt_node_drop_template(zone, node);
    ngx_http_dt_trouble_drop(zone, &node->trouble);

    while (node->npages) {
        ngx_http_dt_pages_drop(zone, node, node->npages - 1);
    }

    if (node->job) {
        ngx_slab_free_locked(zone->shpool, node->job);
    }

    slot = ngx_http_dt_node_slot(zone, node->hash);

    while (*slot != node) {
        slot = &(*slot)->next_node;
    }

    *slot = node->next_node;

    zone->sh->counters.nodes--;
    ngx_queue_remove(&node->lru);
    ngx_slab_free_locked(zone->shpool, node);
}


void
ngx_http_dt_node_state(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_uint_t state)
{
    ngx_http_dt_counters_t  *c;

    c = &zone->sh->counters;

    c->queued -= (node->state == NGX_HTTP_DT_STATE_QUEUED);
    c->running -= ngx_http_dt_node_runs(node);

    node->state = state;

    c->queued += (node->state == NGX_HTTP_DT_STATE_QUEUED);
    c->running += ngx_http_dt_node_runs(node);
}


void
ngx_http_dt_node_idle(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_http_dt_node_state(zone, node, NGX_HTTP_DT_STATE_IDLE);

    if (node->mailed) {
        node->mailed = 0;
        ngx_queue_remove(&node->mail);
    }
}


void
ngx_http_dt_node_drop_template(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node)
{
    if (node->blob) {
        ngx_slab_free_locked(zone->shpool, node->blob);
        node->blob = NULL;
        zone->sh->counters.sites--;
    }
}


void *
ngx_http_dt_node_alloc(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *keep,
    size_t size)
{
    void  *p;

    for ( ;; ) {
        p = ngx_slab_alloc_locked(zone->shpool, size);

        if (p || ngx_http_dt_node_evict(zone, keep) != NGX_OK) {
            return p;
        }
    }
}


static ngx_int_t
ngx_http_dt_node_evict(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *keep)
{
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *node;

    for (q = ngx_queue_last(&zone->sh->lru);
         q != ngx_queue_sentinel(&zone->sh->lru);
         q = ngx_queue_prev(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, lru);

        if (node != keep && !ngx_http_dt_node_runs(node)) {

            ngx_log_debug1(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                           "detemplate site evicted: \"%V\"",
                           &node->name);

            ngx_http_dt_node_delete(zone, node);
            zone->sh->counters.evicted++;
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}


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
            node->pages[i].stored |= job->stored;
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
    page->stored = job->stored;

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


/* the shape of a path: without its query, names with a digit are all alike */

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


/* the same path on another server, port or name may be another page */

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


/* frees the i-th page */

static void
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
             * Stored pages come first, since they need not be requested; then
             * pages that showed little, unless that was in vain before: pages
             * without links, for instance, teach nothing.
             */

            worth = 4 * page->stored + 2 * !page->tried
                    + (low == (node->failures % 2 == 0));

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
        node->pages[i].stored = 0;
        node->pages[i].tried &= ((best & 2) != 0);
    }

    node->stored = 0;

    node->seed = dt_mix(node->seed, ngx_random());
}


void
ngx_http_dt_trouble_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble, ngx_str_t *detail, ngx_str_t *url,
    ngx_str_t *site)
{
    u_char                 *p;
    ngx_http_dt_trouble_t  *t;

    ngx_http_dt_trouble_drop(zone, trouble);

    t = ngx_slab_alloc_locked(zone->shpool,
                              sizeof(ngx_http_dt_trouble_t) + 3
                              + ngx_min(detail->len, NGX_HTTP_DT_DETAIL)
                              + ngx_min(url->len, NGX_HTTP_DT_MAX_LINK)
                              + ngx_min(site->len, NGX_HTTP_DT_MAX_SITE));
    if (t == NULL) {
        return;
    }

    t->at = ngx_time();

    p = ngx_http_dt_trouble_text(t->text, detail, NGX_HTTP_DT_DETAIL);
    p = ngx_http_dt_trouble_text(p, url, NGX_HTTP_DT_MAX_LINK);
    (void) ngx_http_dt_trouble_text(p, site, NGX_HTTP_DT_MAX_SITE);

    *trouble = t;
}


/* bytes that are not printable would end the text or harm its reader's
   terminal */

static u_char *
ngx_http_dt_trouble_text(u_char *p, ngx_str_t *text, size_t max)
{
    ngx_http_dt_printable(p, text->data, ngx_min(text->len, max) + 1);

    return p + ngx_strlen(p) + 1;
}


void
ngx_http_dt_trouble_drop(ngx_http_dt_zone_t *zone,
    ngx_http_dt_trouble_t **trouble)
{
    if (*trouble) {
        ngx_slab_free_locked(zone->shpool, *trouble);
        *trouble = NULL;
    }
}


ngx_uint_t
ngx_http_dt_trouble_log(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t reason, ngx_str_t *detail, ngx_str_t *uri)
{
    uint32_t               hash;
    ngx_uint_t             i, allowed;
    ngx_msec_int_t         age;
    ngx_http_dt_logged_t  *line, *entry;

    hash = ngx_crc32_short(site->data, site->len) ^ (reason * 0x9e3779b1);

    ngx_shmtx_lock(&zone->shpool->mutex);

    /* the entry of this line, else an unused one, else the oldest */

    entry = zone->sh->logged;

    for (i = 0; i < NGX_HTTP_DT_MAX_LOGGED; i++) {
        line = &zone->sh->logged[i];

        if (line->used && line->hash == hash) {
            entry = line;
            break;
        }

        if (entry->used
            && (!line->used || (ngx_msec_int_t) (line->at - entry->at) < 0))
        {
            entry = line;
        }
    }

    age = (ngx_msec_int_t) (ngx_current_msec - entry->at);

    allowed = !entry->used
              || age >= (entry->hash == hash ? NGX_HTTP_DT_LOG_AGAIN
                                             : NGX_HTTP_DT_LOG_REPLACE);
    if (allowed) {
        entry->used = 1;
        entry->hash = hash;
        entry->at = ngx_current_msec;
        entry->reason = reason;
        ngx_http_dt_trouble_set(zone, &entry->trouble, detail, uri, site);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return allowed;
}


void
ngx_http_dt_trouble_off(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_str_t *uri)
{
    u_char                  *text;
    ngx_str_t                page;
    ngx_uint_t               i;
    ngx_http_dt_trouble_t  **off, *known;

    static ngx_str_t  none = ngx_null_string;

    page.data = uri->data;
    page.len = ngx_min(uri->len, NGX_HTTP_DT_MAX_LINK);

    ngx_shmtx_lock(&zone->shpool->mutex);

    off = zone->sh->off;

    /* a page that is there already moves to the front, else the last one goes;
       its texts have printable bytes only, so another page is another entry */

    for (i = 0; i < NGX_HTTP_DT_MAX_OFF - 1 && off[i]; i++) {
        text = ngx_http_dt_trouble_next(off[i]->text);

        if (ngx_strncmp(text, page.data, page.len) == 0
            && text[page.len] == '\0'
            && ngx_strncmp(text + page.len + 1, site->data, site->len) == 0
            && text[page.len + 1 + site->len] == '\0')
        {
            break;
        }
    }

    known = off[i];
    ngx_http_dt_trouble_set(zone, &known, &none, &page, site);

    if (known) {
        ngx_memmove(&off[1], off, i * sizeof(ngx_http_dt_trouble_t *));
        off[0] = known;

    } else {

        /* the zone is full: the entry at i is gone */

        ngx_memmove(&off[i], &off[i + 1],
                    (NGX_HTTP_DT_MAX_OFF - 1 - i)
                    * sizeof(ngx_http_dt_trouble_t *));
        off[NGX_HTTP_DT_MAX_OFF - 1] = NULL;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}
