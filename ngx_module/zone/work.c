
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/work.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/want.h"


#define NGX_HTTP_DT_FLEET_SLOTS  4096  /* that are looked at in one go */


static ngx_uint_t ngx_http_dt_work_adopt(ngx_http_dt_zone_t *zone);
static void ngx_http_dt_work_fill(ngx_http_dt_work_t *work,
    ngx_http_dt_node_t *node);
static ngx_http_dt_node_t *ngx_http_dt_work_lock(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work);
static ngx_http_dt_node_t *ngx_http_dt_publish_node(
    ngx_http_dt_zone_t *zone, ngx_str_t *site, size_t size,
    ngx_uint_t if_room);
static void ngx_http_dt_publish_fill(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node, ngx_http_dt_publish_t *pub);


ngx_uint_t
ngx_http_dt_work_lead(ngx_http_dt_zone_t *zone, ngx_uint_t impatient,
    ngx_uint_t *lost)
{
    ngx_uint_t            leads;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;
    *lost = 0;

    ngx_shmtx_lock(&zone->shpool->mutex);

    leads = (sh->manager == ngx_pid);

    if (!leads
        && (sh->manager == 0
            || impatient
            || (kill(sh->manager, 0) == -1 && ngx_errno == NGX_ESRCH)))
    {
        leads = 1;
        sh->manager = ngx_pid;
        *lost = ngx_http_dt_work_adopt(zone);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return leads;
}


/* mails all sites that want to be learned, or were being learned */

static ngx_uint_t
ngx_http_dt_work_adopt(ngx_http_dt_zone_t *zone)
{
    ngx_uint_t           lost;
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *node;

    lost = 0;

    for (q = ngx_queue_head(&zone->sh->lru);
         q != ngx_queue_sentinel(&zone->sh->lru);
         q = ngx_queue_next(q))
    {
        node = ngx_queue_data(q, ngx_http_dt_node_t, lru);

        lost += ngx_http_dt_node_runs(node);

        if (node->state != NGX_HTTP_DT_STATE_IDLE) {
            ngx_http_dt_want_mail(zone, node);
        }
    }

    return lost;
}


ngx_int_t
ngx_http_dt_work_mail(ngx_http_dt_zone_t *zone, ngx_http_dt_wish_t *wish)
{
    ngx_int_t            rc;
    ngx_queue_t         *q;
    ngx_http_dt_node_t  *node;

    rc = NGX_DECLINED;

    ngx_shmtx_lock(&zone->shpool->mutex);

    if (!ngx_queue_empty(&zone->sh->mail)) {
        rc = NGX_OK;

        q = ngx_queue_head(&zone->sh->mail);
        ngx_queue_remove(q);

        node = ngx_queue_data(q, ngx_http_dt_node_t, mail);
        node->mailed = 0;

        ngx_http_dt_copy_name(&wish->site, wish->name, &node->name);

        wish->class = node->named ? NGX_HTTP_DT_CLASS_NAMED
                      : (node->blob || node->expired)
                      ? NGX_HTTP_DT_CLASS_SERVED : NGX_HTTP_DT_CLASS_NEW;
        wish->server = node->server;
        wish->from_host = node->from_host;
        wish->at = ngx_current_msec + ngx_http_dt_want_rest(node);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return rc;
}


ngx_int_t
ngx_http_dt_work_take(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work)
{
    ngx_int_t            rc;
    ngx_uint_t           requests;
    ngx_http_dt_node_t  *node;

    rc = NGX_DECLINED;
    node = ngx_http_dt_node_lock(zone, site);

    if (node
        && node->state != NGX_HTTP_DT_STATE_IDLE
        && !ngx_http_dt_node_runs(node)
        && ngx_http_dt_want_rest(node) == 0)
    {
        ngx_http_dt_want_job(node, &work->job);
        requests = (ngx_http_dt_want_mute(node, &work->job)
                    || (ngx_http_dt_want_waits(node, &work->job)
                        && ngx_http_dt_want_enough(node)))
                   ? 0 : ngx_http_dt_want_requests(zone, node, &work->job);

        ngx_http_dt_node_idle(zone, node);

        if (requests || ngx_http_dt_want_enough(node)) {
            rc = NGX_OK;

            ngx_http_dt_node_state(zone, node, NGX_HTTP_DT_STATE_RUNNING);
            node->ticket = ++zone->sh->ticket;

            ngx_http_dt_work_fill(work, node);
            work->requests = requests;
            work->served = (requests == 0);
        }
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return rc;
}


static void
ngx_http_dt_work_fill(ngx_http_dt_work_t *work, ngx_http_dt_node_t *node)
{
    ngx_memzero(work, sizeof(ngx_http_dt_work_t));

    work->ticket = node->ticket;
    work->added = (node->blob && ngx_time() < node->refresh && !node->anew);
    work->anew = node->anew;
    work->pinned = node->pinned;
    work->vain = node->vain;
    work->failing = (node->failing != NGX_HTTP_DT_FAIL_NONE);

    if (node->blob) {
        work->version = node->info.version;
        work->learned_at = node->info.learned_at;
    }

    ngx_http_dt_copy_name(&work->site, work->name, &node->name);
    ngx_http_dt_printable(work->shown, work->name, sizeof(work->shown));

    if (node->job) {
        ngx_http_dt_want_job(node, &work->job);
    }
}


/*
 * A job holds the validity of a template.  After a restart a site may have a
 * template from a snapshot, but no job.
 */

ngx_int_t
ngx_http_dt_work_look(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work)
{
    ngx_int_t            rc;
    ngx_http_dt_node_t  *node;

    rc = NGX_DECLINED;
    node = ngx_http_dt_node_lock(zone, site);

    if (node && (node->job || node->blob)) {
        rc = NGX_OK;
        ngx_http_dt_work_fill(work, node);
        work->ticket = 0;

        if (node->job == NULL) {
            work->job.valid = node->valid - (time_t) node->info.learned_at;
            work->job.refresh = node->refresh - (time_t) node->info.learned_at;
            work->job.from_host = node->from_host;
        }
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return rc;
}


void
ngx_http_dt_work_pages(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    u_char *visited)
{
    ngx_http_dt_node_t  *node;

    visited[0] = '\0';

    node = ngx_http_dt_work_lock(zone, work);

    if (node) {
        ngx_http_dt_pages_draw(node, &work->job, visited);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


void
ngx_http_dt_work_asked(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work)
{
    uint32_t  hash;

    hash = ngx_http_dt_node_hash(zone, &work->site);

    ngx_shmtx_lock(&zone->shpool->mutex);
    ngx_http_dt_want_asked(zone, hash, &work->job, work->requests);
    ngx_shmtx_unlock(&zone->shpool->mutex);
}


void
ngx_http_dt_work_wait(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work)
{
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_work_lock(zone, work);

    if (node) {
        ngx_http_dt_node_state(zone, node, NGX_HTTP_DT_STATE_QUEUED);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


ngx_int_t
ngx_http_dt_work_mine(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work)
{
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_work_lock(zone, work);
    ngx_shmtx_unlock(&zone->shpool->mutex);

    return node ? NGX_OK : NGX_DECLINED;
}


time_t
ngx_http_dt_work_finish(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    ngx_uint_t result)
{
    ngx_msec_t           rest;
    ngx_http_dt_node_t  *node;

    rest = 0;

    node = ngx_http_dt_work_lock(zone, work);

    if (node) {
        rest = ngx_http_dt_want_ended(zone, node, work, result);

        /* requests during the job may have wanted only the template that it
           brought */

        if (node->state == NGX_HTTP_DT_STATE_AGAIN
            && (result > NGX_HTTP_DT_RESULT_TAKEN
                || ngx_time() >= node->refresh
                || node->anew
                || ngx_http_dt_pages_low(node)))
        {
            ngx_http_dt_want_mail(zone, node);

        } else {
            ngx_http_dt_node_state(zone, node, NGX_HTTP_DT_STATE_IDLE);
        }
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate work ended: \"%V\" %V, rest:%M", &work->site,
                   &ngx_http_dt_results[result], rest);

    return (rest + 999) / 1000;
}


/* takes the lock; returns the node if the work is still ours, or NULL */

static ngx_http_dt_node_t *
ngx_http_dt_work_lock(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work)
{
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_node_lock(zone, &work->site);

    return (node
            && ngx_http_dt_node_runs(node)
            && node->ticket == work->ticket) ? node : NULL;
}


ngx_int_t
ngx_http_dt_publish(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_publish_t *pub)
{
    size_t               size;
    ngx_http_dt_node_t  *node;

    size = pub->info.serve_size + ngx_strlen(pub->url) + 1;

    if (size > (size_t) (zone->shpool->end - zone->shpool->start)) {

        /* no eviction would make enough room */

        return NGX_DECLINED;
    }

    ngx_shmtx_lock(&zone->shpool->mutex);

    node = ngx_http_dt_publish_node(zone, site, size, pub->if_room);

    if (node == NULL) {
        ngx_shmtx_unlock(&zone->shpool->mutex);

        ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate not published: \"%V\" no room for "
                       "%uz bytes",
                       site, size);

        return NGX_DECLINED;
    }

    ngx_http_dt_publish_fill(zone, node, pub);

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_log_debug4(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate published: \"%V\" version:%uD source:%ui "
                   "%uz bytes",
                   site, pub->info.version, pub->source, size);

    return NGX_OK;
}


static void
ngx_http_dt_publish_fill(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_publish_t *pub)
{
    u_char  *p;

    p = ngx_cpymem(node->blob, pub->data, pub->info.serve_size);
    ngx_memcpy(p, pub->url, ngx_strlen(pub->url) + 1);

    node->generation = ++zone->sh->generation;
    node->info = pub->info;
    node->valid = pub->valid;
    node->refresh = pub->refresh;
    node->source = pub->source;
    node->pinned = pub->pinned;
    node->anew = 0;
    node->expired = 0;
    ngx_http_dt_want_clear(zone, node);

    if (pub->redesigned) {
        node->redesigned_at = ngx_time();
        zone->sh->counters.redesigns++;
    }

    zone->sh->counters.sites++;

    /*
     * After a start, a request may have wanted the site to be learned before
     * its snapshot was read.  Nothing replaces a template that another machine
     * has pinned, or has learned; but pages that showed little may be new to
     * that, too.
     */

    if (pub->pinned
        || (ngx_time() < node->refresh
            && (pub->ends_job || node->state == NGX_HTTP_DT_STATE_QUEUED)
            && !ngx_http_dt_pages_low(node)))
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
}


/* the site's node, which may be new, with room in place of its template */

static ngx_http_dt_node_t *
ngx_http_dt_publish_node(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    size_t size, ngx_uint_t if_room)
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
        ngx_http_dt_node_drop_template(zone, node);
        blob = ngx_http_dt_node_alloc(zone, node, size);
    }

    if (blob == NULL) {
        return NULL;
    }

    ngx_http_dt_node_drop_template(zone, node);
    node->blob = blob;

    return node;
}


ngx_uint_t
ngx_http_dt_published(ngx_http_dt_zone_t *zone, ngx_str_t *site)
{
    ngx_uint_t           has;
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_node_lock(zone, site);
    has = (node && node->blob);

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return has;
}


void
ngx_http_dt_fleet_set(ngx_http_dt_zone_t *zone, ngx_http_dt_fleet_t *state)
{
    ngx_shmtx_lock(&zone->shpool->mutex);
    zone->sh->fleet = *state;
    ngx_shmtx_unlock(&zone->shpool->mutex);
}


/* slots of the table are read whole, so that sites may come and go between */

ngx_uint_t
ngx_http_dt_fleet_sites(ngx_http_dt_zone_t *zone, ngx_uint_t *next,
    ngx_http_dt_fleet_site_t *sites)
{
    ngx_uint_t            i, n, end;
    ngx_http_dt_node_t   *node;
    ngx_http_dt_shctx_t  *sh;

    sh = zone->sh;
    n = 0;
    end = ngx_min(*next + NGX_HTTP_DT_FLEET_SLOTS, sh->nsites);

    ngx_shmtx_lock(&zone->shpool->mutex);

    for (i = *next; i < end && n < NGX_HTTP_DT_BATCH / 2; i++) {
        for (node = sh->sites[i]; node; node = node->next_node) {

            if (node->blob && n < NGX_HTTP_DT_BATCH) {
                ngx_http_dt_copy_name(&sites[n].site, sites[n].name,
                                      &node->name);
                n++;
            }
        }
    }

    *next = (i < sh->nsites) ? i : 0;

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return n;
}
