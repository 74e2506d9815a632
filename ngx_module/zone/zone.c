
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/zone.h"
#include "core/base/hash.h"
#include "ngx_module/zone/copies.h"
#include "ngx_module/zone/file.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/want.h"


/*
 * Bytes of the zone for each slot in the table of sites, and for each slot in
 * the table of a worker's copies.
 */

#define NGX_HTTP_DT_SLOT_ROOM   16384
#define NGX_HTTP_DT_COPY_ROOM   32768


static ngx_int_t ngx_http_dt_zone_init(ngx_shm_zone_t *shm_zone, void *data);
static ngx_http_dt_shctx_t *ngx_http_dt_zone_create(
    ngx_http_dt_zone_t *zone, ngx_log_t *log);
static ngx_int_t ngx_http_dt_zone_copies(
    ngx_http_dt_zone_t *zone, ngx_uint_t workers);
static ngx_uint_t ngx_http_dt_power(ngx_uint_t n);
static ngx_int_t ngx_http_dt_zone_pipe(ngx_http_dt_zone_t *zone,
    ngx_http_dt_zone_t *ozone, ngx_log_t *log);
static void ngx_http_dt_zone_close(void *data);
static ngx_http_dt_node_t *ngx_http_dt_zone_node(ngx_http_dt_zone_t *zone,
    ngx_str_t *site, uint32_t hash, time_t valid, time_t refresh);
static void ngx_http_dt_zone_found(ngx_http_dt_node_t *node,
    ngx_http_dt_lookup_t *lookup);
static ngx_uint_t ngx_http_dt_zone_stale(ngx_http_dt_node_t *node);
static void ngx_http_dt_zone_try(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_job_t *job, ngx_uint_t low);
static ngx_uint_t ngx_http_dt_zone_missing(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_str_t *site, uint32_t hash,
    ngx_http_dt_job_t *job);


char *
ngx_http_dt_zone_add(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *name, size_t size)
{
    ngx_shm_zone_t      *shm_zone;
    ngx_http_dt_zone_t  *zone;

    zone = ngx_pcalloc(cf->pool, sizeof(ngx_http_dt_zone_t));
    if (zone == NULL) {
        return NGX_CONF_ERROR;
    }

    shm_zone = ngx_shared_memory_add(cf, name, size,
                                     &ngx_http_detemplate_filter_module);
    if (shm_zone == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_queue_init(&zone->copies);
    zone->shm_zone = shm_zone;
    zone->cycle = cf->cycle;

    shm_zone->init = ngx_http_dt_zone_init;
    shm_zone->data = zone;

    dmcf->shm_zone = shm_zone;

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_dt_zone_init(ngx_shm_zone_t *shm_zone, void *data)
{
    ngx_http_dt_zone_t  *ozone = data;

    ngx_core_conf_t              *ccf;
    ngx_http_dt_zone_t           *zone;
    ngx_http_dt_shctx_t          *sh;

    zone = shm_zone->data;
    zone->shpool = (ngx_slab_pool_t *) shm_zone->shm.addr;

    ccf = (ngx_core_conf_t *) ngx_get_conf(zone->cycle->conf_ctx,
                                           ngx_core_module);
    zone->manager = ccf->master;

    if (ngx_http_dt_zone_copies(zone, ccf->worker_processes) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!zone->manager) {
        ngx_log_error(NGX_LOG_WARN, shm_zone->shm.log, 0,
                      "detemplate: \"master_process off\" leaves no process "
                      "that learns templates, pages will pass unchanged");
    }

    if (zone->manager
        && ngx_http_dt_zone_pipe(zone, ozone, shm_zone->shm.log) != NGX_OK)
    {
        return NGX_ERROR;
    }

    sh = ozone ? ozone->sh
         : shm_zone->shm.exists ? zone->shpool->data
         : ngx_http_dt_zone_create(zone, shm_zone->shm.log);

    if (sh == NULL) {
        return NGX_ERROR;
    }

    zone->sh = sh;
    zone->stored = &sh->stored;
    zone->seed = dt_hash((char *) sh->key, NGX_HTTP_DT_KEY_LEN, 0);

    return NGX_OK;
}


static ngx_http_dt_shctx_t *
ngx_http_dt_zone_create(ngx_http_dt_zone_t *zone, ngx_log_t *log)
{
    ngx_http_dt_shctx_t      *sh;
    ngx_http_dt_main_conf_t  *dmcf;

    sh = ngx_slab_calloc(zone->shpool, sizeof(ngx_http_dt_shctx_t));
    if (sh == NULL) {
        return NULL;
    }

    sh->nsites = ngx_http_dt_power(zone->shm_zone->shm.size
                                   / NGX_HTTP_DT_SLOT_ROOM);
    sh->sites = ngx_slab_calloc(zone->shpool,
                                sh->nsites * sizeof(*sh->sites));
    if (sh->sites == NULL) {
        return NULL;
    }

    ngx_queue_init(&sh->lru);
    ngx_queue_init(&sh->mail);
    ngx_queue_init(&sh->commands);

    if (ngx_http_dt_file_secret(sh->key, log) != NGX_OK
        || ngx_http_dt_file_secret(sh->token, log) != NGX_OK)
    {
        return NULL;
    }

    dmcf = ngx_http_cycle_get_module_main_conf(zone->cycle,
                                            ngx_http_detemplate_filter_module);

    if (dmcf->path && !ngx_test_config) {
        ngx_http_dt_file_key(&dmcf->path->name, sh->key, log);
    }

    zone->shpool->data = sh;

    /* lack of room is ordinary: the least used site is evicted then */
    zone->shpool->log_nomem = 0;

    return sh;
}


/* the bounds and the table of the copies of each worker */

static ngx_int_t
ngx_http_dt_zone_copies(ngx_http_dt_zone_t *zone, ngx_uint_t workers)
{
    zone->max_copied = zone->shm_zone->shm.size / ngx_max(workers, 1);

    zone->nslots = ngx_http_dt_power(ngx_max(NGX_HTTP_DT_COPIES,
                                             zone->max_copied
                                             / NGX_HTTP_DT_COPY_ROOM));
    zone->slots = ngx_pcalloc(zone->cycle->pool,
                              zone->nslots * sizeof(*zone->slots));

    return zone->slots ? NGX_OK : NGX_ERROR;
}


/* the least power of two that is not less than n */

static ngx_uint_t
ngx_http_dt_power(ngx_uint_t n)
{
    ngx_uint_t  power;

    for (power = 1; power < n; power <<= 1) { /* void */ }

    return power;
}


/*
 * The pipe outlives a reload, so that workers of the old cycle can wake the
 * new manager.  Each cycle has its own descriptors, and closes them when it
 * ends.
 */

static ngx_int_t
ngx_http_dt_zone_pipe(ngx_http_dt_zone_t *zone, ngx_http_dt_zone_t *ozone,
    ngx_log_t *log)
{
    int                  rc;
    ngx_uint_t           i;
    ngx_pool_cleanup_t  *cln;

    cln = ngx_pool_cleanup_add(zone->cycle->pool, 0);
    if (cln == NULL) {
        return NGX_ERROR;
    }

    zone->pipe[0] = -1;
    zone->pipe[1] = -1;

    cln->handler = ngx_http_dt_zone_close;
    cln->data = zone;

    if (ozone && ozone->manager) {
        zone->pipe[0] = dup(ozone->pipe[0]);
        zone->pipe[1] = dup(ozone->pipe[1]);
        rc = ngx_min(zone->pipe[0], zone->pipe[1]);

    } else {
        rc = pipe(zone->pipe);
    }

    if (rc == -1) {
        ngx_log_error(NGX_LOG_EMERG, log, ngx_errno,
                      "detemplate: no pipe to the manager");
        return NGX_ERROR;
    }

    for (i = 0; i < 2; i++) {
        if (ngx_nonblocking(zone->pipe[i]) == -1
            || fcntl(zone->pipe[i], F_SETFD, FD_CLOEXEC) == -1)
        {
            ngx_log_error(NGX_LOG_EMERG, log, ngx_errno,
                          "detemplate: fcntl() failed");
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static void
ngx_http_dt_zone_close(void *data)
{
    ngx_http_dt_zone_t  *zone = data;

    ngx_uint_t  i;

    for (i = 0; i < 2; i++) {
        if (zone->pipe[i] != -1 && close(zone->pipe[i]) == -1) {
            ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                          "detemplate: close() failed");
        }
    }
}


void
ngx_http_dt_zone_lookup(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    time_t valid, time_t refresh, ngx_http_dt_lookup_t *lookup)
{
    uint32_t                hash;
    ngx_http_dt_node_t     *node;
    ngx_http_dt_template_t  found;

    lookup->tmpl = NULL;
    lookup->settled = 0;
    lookup->grows = 0;

    if (site->len == 0 || site->len > NGX_HTTP_DT_MAX_SITE) {
        lookup->status = NGX_HTTP_DT_S_MISS;
        lookup->reason = NGX_HTTP_DT_R_SITE;
        lookup->due = 0;
        return;
    }

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_zone_node(zone, site, hash, valid, refresh);

    ngx_http_dt_zone_found(node, lookup);

    if (node && node->blob) {
        found.generation = node->generation;
        found.version = node->info.version;
        found.size = node->info.serve_size;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    if (lookup->status == NGX_HTTP_DT_S_MISS) {
        (void) ngx_http_dt_copy_get(zone, site, hash, NULL);
        return;
    }

    lookup->tmpl = ngx_http_dt_copy_get(zone, site, hash, &found);

    if (lookup->tmpl == NULL) {
        lookup->status = NGX_HTTP_DT_S_MISS;
        lookup->reason = NGX_HTTP_DT_R_MEMORY;
    }
}


/*
 * The site's node or NULL; a template that has expired is dropped.  The times
 * may have become shorter since it was learned.
 */

static ngx_http_dt_node_t *
ngx_http_dt_zone_node(ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash,
    time_t valid, time_t refresh)
{
    time_t               learned_at;
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_node_find(zone, site, hash);

    if (node == NULL) {
        return NULL;
    }

    ngx_http_dt_node_touch(zone, node);

    if (node->blob == NULL || ngx_http_dt_node_stays(node)) {
        return node;
    }

    learned_at = (time_t) node->info.learned_at;
    node->valid = ngx_min(node->valid, learned_at + valid);
    node->refresh = ngx_min(node->refresh, learned_at + refresh);

    if (!node->pinned
        && (ngx_time() >= node->valid
            || ngx_http_dt_ahead(node->info.learned_at)))
    {
        ngx_http_dt_node_drop_template(zone, node);
        node->expired = 1;
    }

    return node;
}


/* status and reason of a look-up, and whether it should queue a job */

static void
ngx_http_dt_zone_found(ngx_http_dt_node_t *node, ngx_http_dt_lookup_t *lookup)
{
    lookup->status = NGX_HTTP_DT_S_MISS;
    lookup->reason = NGX_HTTP_DT_R_NO_TEMPLATE;
    lookup->due = 1;

    if (node == NULL) {
        return;
    }

    if (node->blob) {
        lookup->status = ngx_http_dt_zone_stale(node) ? NGX_HTTP_DT_S_STALE
                                                      : NGX_HTTP_DT_S_HIT;
        lookup->reason = NGX_HTTP_DT_R_NONE;
        lookup->due = (ngx_time() >= node->refresh
                       && !ngx_http_dt_node_stays(node));
        lookup->settled = (!lookup->due
                           && node->state == NGX_HTTP_DT_STATE_IDLE);
        lookup->grows = (node->state >= NGX_HTTP_DT_STATE_QUEUED
                         && ngx_http_dt_want_grows(node));
        return;
    }

    if (node->state >= NGX_HTTP_DT_STATE_QUEUED) {
        lookup->reason = NGX_HTTP_DT_R_LEARNING;
    }

    if (node->expired) {
        lookup->reason = NGX_HTTP_DT_R_EXPIRED;
    }
}


/* whether the template is due for renewal, which is under way or has failed */

static ngx_uint_t
ngx_http_dt_zone_stale(ngx_http_dt_node_t *node)
{
    return ngx_time() >= node->refresh
           && !ngx_http_dt_node_stays(node)
           && (node->state != NGX_HTTP_DT_STATE_IDLE || node->failing);
}


void
ngx_http_dt_zone_visit(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t low, ngx_http_dt_lookup_t *lookup)
{
    uint32_t             hash;
    ngx_uint_t           reason;
    ngx_http_dt_node_t  *node;

    if (!zone->manager) {
        return;
    }

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_zone_node(zone, site, hash, job->valid, job->refresh);

    if (node && node->blob) {
        ngx_http_dt_zone_try(zone, node, job, low);

        /* while the site fails, only a later request starts a job for it */

        if (ngx_http_dt_want_waits(node, job)
            ? ngx_http_dt_want_enough(node)
            : ngx_http_dt_want_rest(node) == 0
            ? low || ngx_time() >= node->refresh
            : low && !node->failing)
        {
            (void) ngx_http_dt_want(zone, node, job);
        }

        if (lookup && lookup->tmpl && ngx_http_dt_zone_stale(node)) {
            lookup->status = NGX_HTTP_DT_S_STALE;
            lookup->settled = 0;
        }

    } else {
        reason = ngx_http_dt_zone_missing(zone, node, site, hash, job);

        if (lookup && lookup->tmpl == NULL) {
            lookup->reason = reason;
        }
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_http_dt_wake(zone);
}


/*
 * Of a site whose pages are requested, the page that starts a learning is of
 * use: it need not be requested again.  Of another, all pages are from which
 * something may be learned.
 */

ngx_uint_t
ngx_http_dt_zone_lacks(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t low)
{
    ngx_uint_t           lacks;
    ngx_http_dt_node_t  *node;

    if (!zone->manager || !job->copied) {
        return 0;
    }

    node = ngx_http_dt_node_lock(zone, site);

    if (node == NULL) {
        lacks = 1;

    } else if (ngx_http_dt_node_stays(node)) {
        lacks = 0;

    } else if (ngx_http_dt_want_waits(node, job)) {
        lacks = (node->stored < job->loads
                 && (node->blob == NULL
                     || low
                     || ngx_time() >= node->refresh
                     || ngx_http_dt_want_grows(node)));

    } else {
        lacks = (node->stored < NGX_HTTP_DT_PAGES
                 && !ngx_http_dt_node_runs(node)
                 && ngx_http_dt_want_rest(node) == 0
                 && (node->blob == NULL
                     || low
                     || ngx_time() >= node->refresh));
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return lacks;
}


/* puts the page into the reservoir, and ends a light rest for it */

static void
ngx_http_dt_zone_try(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t low)
{
    node->stored += job->stored;

    if (ngx_http_dt_pages_add(zone, node, job, low)) {
        ngx_http_dt_want_rouse(node);
    }
}


/* the site has no template, and may have no node; returns the reason */

static ngx_uint_t
ngx_http_dt_zone_missing(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_str_t *site, uint32_t hash, ngx_http_dt_job_t *job)
{
    ngx_uint_t  reason;

    if (node == NULL) {

        if (!ngx_http_dt_want_admit(zone, job)) {
            return NGX_HTTP_DT_R_BUSY;
        }

        node = ngx_http_dt_node_create(zone, site, hash);

        if (node == NULL) {
            return NGX_HTTP_DT_R_MEMORY;
        }
    }

    ngx_http_dt_zone_try(zone, node, job, 0);

    reason = ngx_http_dt_want_rest(node)
             ? (node->failing == NGX_HTTP_DT_FAIL_ROOM)
               ? NGX_HTTP_DT_R_MEMORY : NGX_HTTP_DT_R_BACKOFF
             : (node->state != NGX_HTTP_DT_STATE_IDLE)
             ? NGX_HTTP_DT_R_LEARNING : NGX_HTTP_DT_R_NO_TEMPLATE;

    if (!ngx_http_dt_node_runs(node)
        && ngx_http_dt_want_rest(node) == 0
        && !(ngx_http_dt_want_waits(node, job)
             && !ngx_http_dt_want_enough(node))
        && ngx_http_dt_want(zone, node, job) != NGX_OK)
    {
        reason = NGX_HTTP_DT_R_MEMORY;
    }

    return node->expired ? NGX_HTTP_DT_R_EXPIRED : reason;
}


void
ngx_http_dt_zone_count(ngx_http_dt_zone_t *zone, ngx_uint_t status,
    ngx_uint_t reason, dt_rewrite_stats_t *stats, ngx_http_dt_template_t *tmpl)
{
    ngx_http_dt_node_t      *node;
    ngx_http_dt_counters_t  *c;

    if (status >= NGX_HTTP_DT_STATUSES
        || reason >= NGX_HTTP_DT_REASONS)
    {
        return;
    }

    c = &zone->sh->counters;

    (void) ngx_atomic_fetch_add(&c->requests[status][reason], 1);

    if (stats == NULL || stats->in == 0) {
        return;
    }

    (void) ngx_atomic_fetch_add(&c->in, stats->in);
    (void) ngx_atomic_fetch_add(&c->removed, stats->removed);
    (void) ngx_atomic_fetch_add(&c->words, stats->cut_words);

    if (stats->kept || stats->forced) {
        (void) ngx_atomic_fetch_add(&c->kept, stats->kept);
        (void) ngx_atomic_fetch_add(&c->forced, stats->forced);
        (void) ngx_atomic_fetch_add(&c->forced_bytes, stats->forced_bytes);
    }

    if (tmpl == NULL) {
        return;
    }

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, &tmpl->site, tmpl->hash);

    if (node) {
        node->served.hits++;
        node->served.in += stats->in;
        node->served.removed += stats->removed;
        node->served.words += stats->cut_words;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


u_char *
ngx_http_dt_zone_key(ngx_http_dt_zone_t *zone)
{
    return zone->sh->key;
}


u_char *
ngx_http_dt_zone_token(ngx_http_dt_zone_t *zone)
{
    return zone->sh->token;
}


void
ngx_http_dt_zone_add_one(ngx_http_dt_zone_t *zone, size_t counter)
{
    u_char  *p;

    p = (u_char *) &zone->sh->counters + counter;

    ngx_shmtx_lock(&zone->shpool->mutex);
    (*(uint64_t *) p)++;
    ngx_shmtx_unlock(&zone->shpool->mutex);
}


time_t
ngx_http_dt_zone_used(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    time_t               used;
    ngx_http_dt_node_t  *node;

    used = 0;
    node = ngx_http_dt_node_lock(zone, site);

    if (node && node->accessed - node->created > NGX_HTTP_DT_AGAIN) {
        used = node->accessed;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return used;
}


ngx_uint_t
ngx_http_dt_zone_loaded(ngx_http_dt_zone_t *zone, ngx_uint_t set)
{
    ngx_uint_t  loaded;

    ngx_shmtx_lock(&zone->shpool->mutex);

    loaded = zone->sh->loaded;

    if (set) {
        zone->sh->loaded = 1;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return loaded;
}


/* a full pipe is no error: the manager is woken already */

void
ngx_http_dt_wake(ngx_http_dt_zone_t *zone)
{
    if (zone->wake) {
        zone->wake = 0;

        if (write(zone->pipe[1], "", 1) == -1 && ngx_errno != NGX_EAGAIN) {
            ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                          "detemplate: write() to the manager's pipe failed");
        }
    }
}


ngx_fd_t
ngx_http_dt_wake_fd(ngx_http_dt_zone_t *zone)
{
    return zone->pipe[0];
}


void
ngx_http_dt_wake_drain(ngx_http_dt_zone_t *zone)
{
    u_char   buf[128];
    ssize_t  n;

    do {
        n = read(zone->pipe[0], buf, sizeof(buf));
    } while (n == sizeof(buf));
}
