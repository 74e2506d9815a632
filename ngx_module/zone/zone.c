
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "core/base/hash.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/backoff.h"
#include "ngx_module/zone/copies.h"
#include "ngx_module/zone/secret.h"
#include "ngx_module/zone/wake.h"


#define NGX_HTTP_DT_LAYOUT      0x6474000d

/* bytes of the zone for each slot of the table of sites, and for each of that
   of a worker's copies */

#define NGX_HTTP_DT_SLOT_ROOM   16384
#define NGX_HTTP_DT_COPY_ROOM   32768


static ngx_int_t ngx_http_dt_zone_init(ngx_shm_zone_t *shm_zone, void *data);
static ngx_http_dt_shctx_t *ngx_http_dt_zone_create(
    ngx_http_dt_zone_t *zone, ngx_log_t *log);
static ngx_int_t ngx_http_dt_zone_copies(
    ngx_http_dt_zone_t *zone, ngx_uint_t workers);
static ngx_uint_t ngx_http_dt_power(ngx_uint_t n);
static ngx_http_dt_node_t *ngx_http_dt_zone_find(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash,
    ngx_http_dt_job_t *job, ngx_http_dt_lookup_t *out);
static void ngx_http_dt_zone_unknown(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    uint32_t hash, ngx_http_dt_job_t *job, ngx_http_dt_lookup_t *out);
static void ngx_http_dt_zone_missing(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_job_t *job,
    ngx_http_dt_lookup_t *out);
static ngx_http_dt_node_t *ngx_http_dt_zone_place(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, size_t size,
    ngx_uint_t if_room);


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

    if (ngx_http_dt_zone_copies(zone, ccf->worker_processes)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (!zone->manager) {
        ngx_log_error(NGX_LOG_WARN, shm_zone->shm.log, 0,
                      "detemplate: \"master_process off\" leaves no process "
                      "that learns templates, pages will pass unchanged");
    }

    if (zone->manager
        && ngx_http_dt_wake_open(zone, ozone, shm_zone->shm.log)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    sh = ozone ? ozone->sh
         : shm_zone->shm.exists ? zone->shpool->data
         : ngx_http_dt_zone_create(zone, shm_zone->shm.log);

    if (sh == NULL) {
        return NGX_ERROR;
    }

    if (sh->layout != NGX_HTTP_DT_LAYOUT) {
        ngx_log_error(NGX_LOG_EMERG, shm_zone->shm.log, 0,
                      "detemplate: zone \"%V\" is of another version of "
                      "the module, give it another size or restart nginx",
                      &shm_zone->shm.name);
        return NGX_ERROR;
    }

    zone->sh = sh;
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

    sh->layout = NGX_HTTP_DT_LAYOUT;

    sh->nsites = ngx_http_dt_power(zone->shm_zone->shm.size
                                   / NGX_HTTP_DT_SLOT_ROOM);
    sh->sites = ngx_slab_calloc(zone->shpool,
                                sh->nsites * sizeof(*sh->sites));
    if (sh->sites == NULL) {
        return NULL;
    }

    ngx_queue_init(&sh->lru);
    ngx_queue_init(&sh->queued);
    ngx_queue_init(&sh->running);

    if (ngx_http_dt_secret_create(sh->key, log) != NGX_OK
        || ngx_http_dt_secret_create(sh->token, log) != NGX_OK)
    {
        return NULL;
    }

    dmcf = ngx_http_cycle_get_module_main_conf(zone->cycle,
                                            ngx_http_detemplate_filter_module);

    if (dmcf->path && !ngx_test_config) {
        ngx_http_dt_secret_load(&dmcf->path->name, sh->key, log);
    }

    zone->shpool->data = sh;

    /* to be short of room is ordinary here: the least used site goes */
    zone->shpool->log_nomem = 0;

    return sh;
}


/* room for what each worker copies */

static ngx_int_t
ngx_http_dt_zone_copies(ngx_http_dt_zone_t *zone, ngx_uint_t workers)
{
    zone->most_copied = zone->shm_zone->shm.size / ngx_max(workers, 1);

    zone->nslots = ngx_http_dt_power(ngx_max(NGX_HTTP_DT_COPIES,
                                             zone->most_copied
                                             / NGX_HTTP_DT_COPY_ROOM));
    zone->slots = ngx_pcalloc(zone->cycle->pool,
                              zone->nslots * sizeof(*zone->slots));

    return zone->slots ? NGX_OK : NGX_ERROR;
}


/* the least power of two that is not less */

static ngx_uint_t
ngx_http_dt_power(ngx_uint_t n)
{
    ngx_uint_t  power;

    for (power = 1; power < n; power <<= 1) { /* void */ }

    return power;
}


void
ngx_http_dt_zone_lookup(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_http_dt_lookup_t *out)
{
    uint32_t                hash;
    ngx_http_dt_node_t     *node;
    ngx_http_dt_template_t  found;

    out->tmpl = NULL;
    out->due = 0;

    if (site->len == 0 || site->len > NGX_HTTP_DT_MAX_SITE) {
        out->status = NGX_HTTP_DT_S_MISS;
        out->reason = NGX_HTTP_DT_R_SITE;
        return;
    }

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_zone_find(zone, site, hash, job, out);

    if (node) {
        found.generation = node->generation;
        found.version = node->info.version;
        found.size = node->info.serve_size;
        found.tag = node->tag;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_http_dt_wake(zone);

    out->tmpl = ngx_http_dt_template_get(zone, site, hash,
                                         node ? &found : NULL);

    if (node && out->tmpl == NULL) {
        out->status = NGX_HTTP_DT_S_MISS;
        out->reason = NGX_HTTP_DT_R_MEMORY;
    }
}


/*
 * Status and reason of a look-up, and the job that it queues; returns the
 * site when its template is to be used.
 */

static ngx_http_dt_node_t *
ngx_http_dt_zone_find(ngx_http_dt_zone_t *zone, ngx_str_t *site, uint32_t hash,
    ngx_http_dt_job_t *job, ngx_http_dt_lookup_t *out)
{
    time_t               now;
    ngx_http_dt_node_t  *node;

    now = ngx_time();

    out->status = NGX_HTTP_DT_S_MISS;
    out->reason = NGX_HTTP_DT_R_NO_TEMPLATE;

    node = ngx_http_dt_node_find(zone, site, hash);

    if (node == NULL) {

        ngx_http_dt_zone_unknown(zone, site, hash, job, out);
        return NULL;
    }

    ngx_http_dt_node_touch(zone, node);

    if (node->blob
        && (now >= node->valid
            || ngx_http_dt_ahead(node->info.learned_at)))
    {
        ngx_http_dt_node_clear(zone, node);
        node->expired = 1;
    }

    if (node->blob) {
        out->status = NGX_HTTP_DT_S_HIT;
        out->reason = NGX_HTTP_DT_R_NONE;

        if (now >= node->refresh) {
            out->due = (job == NULL);

            (void) ngx_http_dt_node_enqueue(zone, node, job,
                                             NGX_HTTP_DT_KIND_RELEARN);

            if (node->state != NGX_HTTP_DT_STATE_IDLE
                || node->failing)
            {
                out->status = NGX_HTTP_DT_S_STALE;
            }
        }

        return node;
    }

    ngx_http_dt_zone_missing(zone, node, job, out);

    return NULL;
}


/* the same of a site that has not been asked for */

static void
ngx_http_dt_zone_unknown(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    uint32_t hash, ngx_http_dt_job_t *job, ngx_http_dt_lookup_t *out)
{
    ngx_http_dt_node_t  *node;

    if (job == NULL || !zone->manager) {
        out->due = 1;
        return;
    }

    if (ngx_http_dt_node_full(zone, job)
        || (job->chosen && !ngx_http_dt_chosen_admit(zone->sh)))
    {
        out->reason = NGX_HTTP_DT_R_BUSY;
        return;
    }

    node = ngx_http_dt_node_create(zone, site, hash);

    if (node
        && ngx_http_dt_node_enqueue(zone, node, job, NGX_HTTP_DT_KIND_FIRST)
           == NGX_OK)
    {
        return;
    }

    if (node) {
        ngx_http_dt_node_delete(zone, node);
    }

    out->reason = NGX_HTTP_DT_R_MEMORY;
}


/* the same of a site that has no template, but has been asked for */

static void
ngx_http_dt_zone_missing(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_http_dt_lookup_t *out)
{
    if (node->state != NGX_HTTP_DT_STATE_IDLE) {
        out->reason = NGX_HTTP_DT_R_LEARNING;

        if (job) {
            ngx_http_dt_later_add(zone, node, job, 100);

        } else {
            out->due = (node->nlater < NGX_HTTP_DT_MAX_LATER);
        }

    } else if (job) {

        if (ngx_http_dt_backoff_wait(node, job)) {
            out->reason = node->no_room ? NGX_HTTP_DT_R_MEMORY
                                        : NGX_HTTP_DT_R_BACKOFF;

        } else if (ngx_http_dt_node_enqueue(zone, node, job,
                                                NGX_HTTP_DT_KIND_FIRST)
                   != NGX_OK)
        {
            out->reason = NGX_HTTP_DT_R_BUSY;
        }

    } else {
        out->due = 1;
    }

    if (node->expired) {
        out->reason = NGX_HTTP_DT_R_EXPIRED;
    }
}


ngx_uint_t
ngx_http_dt_zone_wants(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t loads, ngx_uint_t want)
{
    uint32_t             hash;
    ngx_uint_t           wants;
    ngx_http_dt_node_t  *node;

    if (!zone->manager) {
        return 0;
    }

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, site, hash);
    wants = (node && ngx_http_dt_later_wants(node, loads, want));

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return wants;
}


void
ngx_http_dt_zone_covered(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_job_t *job, ngx_uint_t want)
{
    uint32_t             hash;
    ngx_http_dt_node_t  *node;

    if (job == NULL || !zone->manager) {
        return;
    }

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, site, hash);

    if (node == NULL || node->blob == NULL) {
        goto done;
    }

    ngx_log_debug4(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate page wanted: \"%V\" loads:%uD of %ui, "
                   "key pages:%uD",
                   site, node->pages.loads, job->loads, node->pages.n);

    if (!ngx_http_dt_later_due(node, job, want)) {
        goto done;
    }

    if (node->state != NGX_HTTP_DT_STATE_IDLE) {
        ngx_http_dt_later_add(zone, node, job, want);

    } else if (ngx_time() < node->refresh) {
        (void) ngx_http_dt_node_enqueue(zone, node, job,
                                              NGX_HTTP_DT_KIND_EXTEND);
    }

done:

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_http_dt_wake(zone);
}


void
ngx_http_dt_zone_count(ngx_http_dt_zone_t *zone, ngx_uint_t status,
    ngx_uint_t reason, off_t in, off_t removed)
{
    ngx_http_dt_counters_t  *c;

    if (status >= NGX_HTTP_DT_STATUSES
        || reason >= NGX_HTTP_DT_REASONS)
    {
        return;
    }

    c = &zone->sh->counters;

    (void) ngx_atomic_fetch_add(&c->requests[status][reason], 1);

    if (in) {
        (void) ngx_atomic_fetch_add(&c->in, in);
        (void) ngx_atomic_fetch_add(&c->removed, removed);
    }
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


ngx_int_t
ngx_http_dt_zone_take(ngx_http_dt_zone_t *zone, ngx_uint_t learners,
    ngx_http_dt_work_t *work)
{
    ngx_queue_t          *q;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;
    node = NULL;

    ngx_shmtx_lock(&zone->shpool->mutex);

    if (sh->counters.running < learners) {

        for (q = ngx_queue_head(&sh->queued);
             q != ngx_queue_sentinel(&sh->queued);
             q = ngx_queue_next(q))
        {
            node = ngx_queue_data(q, ngx_http_dt_node_t, jobs);

            if ((ngx_msec_int_t) (node->not_before - ngx_current_msec) <= 0) {
                break;
            }

            node = NULL;
        }
    }

    if (node == NULL) {
        ngx_shmtx_unlock(&zone->shpool->mutex);
        return NGX_DECLINED;
    }

    ngx_queue_remove(&node->jobs);
    ngx_queue_insert_tail(&sh->running, &node->jobs);
    sh->counters.queued--;
    sh->counters.running++;

    node->state = NGX_HTTP_DT_STATE_RUNNING;
    node->ticket = ++sh->ticket;
    node->owner = ngx_pid;
    node->deadline = ngx_current_msec + NGX_HTTP_DT_LEASE;

    work->ticket = node->ticket;
    work->kind = node->kind;
    work->evidence = 0;
    work->version = node->blob ? node->info.version : 0;
    work->learned_at = node->blob ? node->info.learned_at : 0;
    work->pages = node->pages;
    work->denied = node->denied;
    work->bad = node->bad;

    work->site.len = node->name.len;
    work->site.data = work->name;
    ngx_memcpy(work->name, node->name.data, node->name.len);
    work->name[node->name.len] = '\0';

    ngx_http_dt_job_load(node->job, &work->job);

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug4(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job taken: \"%V\" %V \"%s\" version:%uD",
                   &work->site, &ngx_http_dt_kinds[work->kind], work->job.url,
                   work->version);

    return NGX_OK;
}


void
ngx_http_dt_zone_requeue(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    time_t delay)
{
    uint32_t              hash;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;
    hash = ngx_http_dt_node_hash(zone, &work->site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, &work->site, hash);

    if (ngx_http_dt_node_owned(node, work)) {
        ngx_queue_remove(&node->jobs);
        ngx_queue_insert_tail(&sh->queued, &node->jobs);
        sh->counters.running--;
        sh->counters.queued++;

        node->state = NGX_HTTP_DT_STATE_QUEUED;
        node->not_before = ngx_current_msec + delay * 1000;
        node->denied = work->denied;
        node->bad = work->bad;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job put back: \"%V\" for %T s",
                   &work->site, delay);
}


time_t
ngx_http_dt_zone_finish(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    ngx_uint_t result)
{
    uint32_t             hash;
    ngx_msec_t           wait;
    ngx_http_dt_node_t  *node;

    wait = 0;
    hash = ngx_http_dt_node_hash(zone, &work->site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, &work->site, hash);

    if (ngx_http_dt_node_owned(node, work)) {

        if (result != NGX_HTTP_DT_RESULT_STOPPED) {
            node->pages = work->pages;
        }

        switch (result) {

        case NGX_HTTP_DT_RESULT_DONE:
            zone->sh->counters.done++;
            break;

        case NGX_HTTP_DT_RESULT_TAKEN:
        case NGX_HTTP_DT_RESULT_KNOWN:
            break;

        case NGX_HTTP_DT_RESULT_LOST:

            /* the next request has it learned anew, from a page of its own;
               what waits would find nothing to be added to either */

            node->refresh = ngx_time();
            ngx_http_dt_later_clear(zone, node);
            break;

        case NGX_HTTP_DT_RESULT_STOPPED:
            wait = ngx_http_dt_backoff_stopped(node);
            break;

        default: /* FAILED, NO_ROOM */
            node->no_room = (result == NGX_HTTP_DT_RESULT_NO_ROOM);
            wait = ngx_http_dt_backoff_failed(zone, node, work);
        }

        ngx_http_dt_node_idle(zone, node);
        ngx_http_dt_later_next(zone, node);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate job ended: \"%V\" %V, back-off:%M", &work->site,
                   &ngx_http_dt_results[result], wait);

    return (wait + 999) / 1000;
}


ngx_int_t
ngx_http_dt_zone_publish(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_publish_t *pub)
{
    u_char              *p;
    size_t               size;
    uint64_t             tag;
    ngx_http_dt_node_t  *node;

    size = pub->info.serve_size + ngx_strlen(pub->url) + 1;
    tag = dt_template_tag(pub->data);

    if (size > (size_t) (zone->shpool->end - zone->shpool->start)) {

        /* others need not go for what can never fit */

        return NGX_DECLINED;
    }

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_zone_place(zone, site, size, pub->if_room);

    if (node == NULL) {
        ngx_shmtx_unlock(&zone->shpool->mutex);

        ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate not published: \"%V\" no room for "
                       "%uz bytes",
                       site, size);

        return NGX_DECLINED;
    }

    p = ngx_cpymem(node->blob, pub->data, pub->info.serve_size);
    ngx_cpystrn(p, pub->url, size - pub->info.serve_size);

    node->generation = ++zone->sh->generation;
    node->tag = tag;
    node->info = pub->info;
    node->valid = pub->valid;
    node->refresh = pub->refresh;
    node->source = pub->source;
    node->pages = pub->pages;
    node->expired = 0;
    ngx_http_dt_backoff_clear(node);

    zone->sh->counters.sites++;

    /* at start, a request may be sooner than the site's snapshot */

    if (node->state == NGX_HTTP_DT_STATE_QUEUED
        && node->kind == NGX_HTTP_DT_KIND_FIRST
        && ngx_time() < node->refresh)
    {
        ngx_http_dt_node_idle(zone, node);
    }

    switch (pub->source) {

    case NGX_HTTP_DT_SOURCE_REDIS:
        zone->sh->counters.redis_taken++;
        break;

    case NGX_HTTP_DT_SOURCE_SNAPSHOT:
        zone->sh->counters.snapshots_taken++;
        break;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug4(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate published: \"%V\" version:%uD source:%ui "
                   "%uz bytes",
                   site, pub->info.version, pub->source, size);

    return NGX_OK;
}


/* the site, made if it is not there, with room in place of what it had */

static ngx_http_dt_node_t *
ngx_http_dt_zone_place(ngx_http_dt_zone_t *zone, ngx_str_t *site, size_t size,
    ngx_uint_t if_room)
{
    void                *blob;
    uint32_t             hash;
    ngx_http_dt_node_t  *node;

    if (if_room && zone->shpool->pfree < size / ngx_pagesize + 4) {
        return NULL;
    }

    hash = ngx_http_dt_node_hash(zone, site);
    node = ngx_http_dt_node_find(zone, site, hash);

    if (node == NULL) {
        node = ngx_http_dt_node_create(zone, site, hash);
        if (node == NULL) {
            return NULL;
        }
    }

    blob = ngx_http_dt_node_alloc(zone, node, size);

    if (blob == NULL && node->blob) {
        ngx_http_dt_node_clear(zone, node);
        blob = ngx_http_dt_node_alloc(zone, node, size);
    }

    if (blob == NULL) {
        return NULL;
    }

    ngx_http_dt_node_clear(zone, node);
    node->blob = blob;

    return node;
}


ngx_uint_t
ngx_http_dt_zone_has(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    uint32_t             hash;
    ngx_uint_t           has;
    ngx_http_dt_node_t  *node;

    hash = ngx_http_dt_node_hash(zone, site);

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_node_find(zone, site, hash);
    has = (node && node->blob);

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return has;
}


void
ngx_http_dt_zone_snapshot_refused(ngx_http_dt_zone_t *zone)
{
    ngx_shmtx_lock(&zone->shpool->mutex);
    zone->sh->counters.snapshots_refused++;
    ngx_shmtx_unlock(&zone->shpool->mutex);
}


void
ngx_http_dt_zone_redis_failed(ngx_http_dt_zone_t *zone)
{
    ngx_shmtx_lock(&zone->shpool->mutex);
    zone->sh->counters.redis_failed++;
    ngx_shmtx_unlock(&zone->shpool->mutex);
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


ngx_int_t
ngx_http_dt_zone_stats(ngx_http_dt_zone_t *zone, ngx_uint_t max,
    ngx_pool_t *pool, ngx_http_dt_stats_t *out)
{
    u_char               *p, *url;
    ngx_uint_t            i, n;
    ngx_queue_t          *q;
    ngx_http_dt_row_t    *row;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;

    /* memory is taken before the lock: sites that come meanwhile are left */

    ngx_shmtx_lock(&zone->shpool->mutex);
    n = ngx_min(sh->counters.nodes, max);
    ngx_shmtx_unlock(&zone->shpool->mutex);

    out->sites = ngx_palloc(pool, n * (sizeof(ngx_http_dt_row_t)
                                       + NGX_HTTP_DT_MAX_SITE
                                       + NGX_HTTP_DT_MAX_LINK) + 1);
    if (out->sites == NULL) {
        return NGX_ERROR;
    }

    i = 0;
    p = (u_char *) &out->sites[n];

    ngx_shmtx_lock(&zone->shpool->mutex);

    out->counters = sh->counters;
    out->size = zone->shm_zone->shm.size;
    out->free = zone->shpool->pfree * ngx_pagesize;

    for (q = ngx_queue_head(&sh->lru);
         q != ngx_queue_sentinel(&sh->lru) && i < n;
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, lru);

        row = &out->sites[i++];
        ngx_memzero(row, sizeof(ngx_http_dt_row_t));

        if (node->blob) {
            row->source = node->source;
            row->size = node->info.serve_size;
            row->info = node->info;

            url = (u_char *) node->blob + node->info.serve_size;
            row->url.len = ngx_strlen(url);
            row->url.data = p;
            p = ngx_cpymem(p, url, row->url.len);

        } else {
            row->state = node->state;
            row->wait = ngx_http_dt_backoff_site(node);
            ngx_memcpy(row->reason, node->reason, sizeof(row->reason));
        }

        row->name.len = node->name.len;
        row->name.data = p;
        p = ngx_cpymem(p, node->name.data, node->name.len);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    out->nsites = i;

    ngx_memzero(out->requests, sizeof(out->requests));
    ngx_memzero(out->reasons, sizeof(out->reasons));

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        for (n = 0; n < NGX_HTTP_DT_REASONS; n++) {
            out->requests[i] += out->counters.requests[i][n];
            out->reasons[n] += out->counters.requests[i][n];
        }
    }

    return NGX_OK;
}
