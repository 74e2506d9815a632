
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/backoff.h"


#define NGX_HTTP_DT_MIN_BACKOFF  10000      /* ms */
#define NGX_HTTP_DT_MAX_BACKOFF  3600000

/* requests of learnings that failed, for each page that may be loaded */

#define NGX_HTTP_DT_SPEND        4

/* a line of the log is said anew; its place may be taken by another */

#define NGX_HTTP_DT_TELL_TIME    3600000    /* ms */
#define NGX_HTTP_DT_TOLD_TIME    60000

/* sites of names that requests chose: at once, and seconds for one more */

#define NGX_HTTP_DT_CHOSEN       20
#define NGX_HTTP_DT_CHOSEN_TIME  3


static ngx_msec_t ngx_http_dt_backoff_left(ngx_msec_t at);
static ngx_msec_t ngx_http_dt_backoff_delay(ngx_uint_t failures);
static ngx_http_dt_failed_t *ngx_http_dt_backoff_find(
    ngx_http_dt_node_t *node, uint64_t key, ngx_uint_t make);


static ngx_msec_t
ngx_http_dt_backoff_left(ngx_msec_t at)
{
    ngx_msec_int_t  left;

    left = (ngx_msec_int_t) (at - ngx_current_msec);

    return ngx_max(left, 0);
}


static ngx_msec_t
ngx_http_dt_backoff_delay(ngx_uint_t failures)
{
    ngx_msec_t  delay;

    delay = NGX_HTTP_DT_MIN_BACKOFF << ngx_min(failures, 10);

    return ngx_min(delay, NGX_HTTP_DT_MAX_BACKOFF);
}


/* the page's place; made, it takes that of the one that is due first */

static ngx_http_dt_failed_t *
ngx_http_dt_backoff_find(ngx_http_dt_node_t *node, uint64_t key,
    ngx_uint_t make)
{
    ngx_uint_t             i;
    ngx_http_dt_failed_t  *f, *best;

    best = &node->failed[0];

    for (i = 0; i < NGX_HTTP_DT_MAX_FAILED; i++) {
        f = &node->failed[i];

        if (f->failures && f->key == key) {
            return f;
        }

        if (best->failures
            && (f->failures == 0
                || (ngx_msec_int_t) (f->next - best->next) < 0))
        {
            best = f;
        }
    }

    if (!make) {
        return NULL;
    }

    best->key = key;
    best->failures = 0;

    return best;
}


ngx_msec_t
ngx_http_dt_backoff_wait(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job)
{
    ngx_msec_t             site, page;
    ngx_http_dt_failed_t  *f;

    site = node->delayed ? ngx_http_dt_backoff_left(node->next) : 0;

    f = ngx_http_dt_backoff_find(node, job->key, 0);
    page = f ? ngx_http_dt_backoff_left(f->next) : 0;

    return ngx_max(site, page);
}


ngx_msec_t
ngx_http_dt_backoff_site(ngx_http_dt_node_t *node)
{
    ngx_uint_t             i, n;
    ngx_msec_t             left, least;
    ngx_http_dt_failed_t  *f;

    if (node->delayed) {
        return ngx_http_dt_backoff_left(node->next);
    }

    n = 0;
    least = 0;

    for (i = 0; i < NGX_HTTP_DT_MAX_FAILED; i++) {
        f = &node->failed[i];

        if (f->failures) {
            left = ngx_http_dt_backoff_left(f->next);
            least = n++ ? ngx_min(least, left) : left;
        }
    }

    return least;
}


ngx_msec_t
ngx_http_dt_backoff_failed(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_work_t *work)
{
    ngx_msec_t             delay;
    ngx_http_dt_job_t      job;
    ngx_http_dt_failed_t  *f;

    zone->sh->counters.failed++;

    ngx_memcpy(job.connect, node->job, NGX_HTTP_DT_JOB_TAIL);

    if (node->kind == NGX_HTTP_DT_KIND_EXTEND
        && !node->no_room
        && !ngx_http_dt_later_due(node, &job, 100))
    {
        /* it is a key page now, and not tried again */

        return 0;
    }

    f = ngx_http_dt_backoff_find(node, job.key, 1);
    delay = ngx_http_dt_backoff_delay(f->failures++);

    if (work) {
        delay = ngx_max(delay, (ngx_msec_t) work->retry_after * 1000);
        ngx_memcpy(node->reason, work->reason, sizeof(node->reason));
    }

    f->next = ngx_current_msec + delay;

    node->failing = 1;
    node->spent += (work && work->tries) ? work->tries : 1;

    if (node->no_room
        || node->spent >= NGX_HTTP_DT_SPEND * job.loads)
    {
        node->next = ngx_current_msec
                     + ngx_http_dt_backoff_delay(node->failures++);
        node->delayed = 1;
        node->spent = 0;
    }

    return ngx_http_dt_backoff_wait(node, &job);
}


ngx_msec_t
ngx_http_dt_backoff_stopped(ngx_http_dt_node_t *node)
{
    node->next = ngx_current_msec + NGX_HTTP_DT_MIN_BACKOFF;
    node->delayed = 1;

    return NGX_HTTP_DT_MIN_BACKOFF;
}


void
ngx_http_dt_backoff_clear(ngx_http_dt_node_t *node)
{
    ngx_memzero(node->failed, sizeof(node->failed));
    ngx_memzero(node->reason, sizeof(node->reason));

    node->spent = 0;
    node->failures = 0;
    node->failing = 0;
    node->delayed = 0;
    node->no_room = 0;
}


ngx_uint_t
ngx_http_dt_later_wants(ngx_http_dt_node_t *node, ngx_uint_t loads,
    ngx_uint_t want)
{
    return node->blob
           && node->pages.n != NGX_HTTP_DT_KEYS
           && dt_due(want, dt_due_used(node->pages.loads, loads));
}


ngx_uint_t
ngx_http_dt_later_due(ngx_http_dt_node_t *node, ngx_http_dt_job_t *job,
    ngx_uint_t want)
{
    ngx_uint_t  i;

    if (!ngx_http_dt_later_wants(node, job->loads, want)) {
        return 0;
    }

    for (i = 0; i < node->pages.n; i++) {
        if (node->pages.keys[i] == job->key) {
            return 0;
        }
    }

    return 1;
}


/* it is worth no other site's place */

void
ngx_http_dt_later_add(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t want)
{
    ngx_uint_t            i;
    ngx_http_dt_later_t  *later;

    if (node->nlater == NGX_HTTP_DT_MAX_LATER) {
        return;
    }

    for (i = 0; i < node->nlater; i++) {
        if (node->later[i].key == job->key) {
            return;
        }
    }

    later = &node->later[node->nlater];

    job->unseen = (node->blob == NULL);

    later->job = ngx_slab_alloc_locked(zone->shpool,
                                       ngx_http_dt_job_size(job));
    if (later->job == NULL) {
        return;
    }

    ngx_http_dt_job_store(later->job, job);

    later->key = job->key;
    later->want = want;
    node->nlater++;

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate page for later: \"%V\" \"%s\"",
                   &node->name, job->url);
}


/*
 * What came while there was no template is compared with the one that there
 * is now by a learner, and only where one has learned it.  As long as there
 * is none, it is another key page to try.  To what is learned anew first,
 * nothing is added.
 */

void
ngx_http_dt_later_next(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_uint_t            kind, want;
    ngx_http_dt_job_t     job;
    ngx_http_dt_later_t  *later;

    while (node->nlater && node->state == NGX_HTTP_DT_STATE_IDLE) {
        later = node->later;
        want = later->want;

        ngx_http_dt_job_load(later->job, &job);
        ngx_slab_free_locked(zone->shpool, later->job);

        node->nlater--;
        ngx_memmove(later, &later[1],
                    node->nlater * sizeof(ngx_http_dt_later_t));

        kind = node->blob ? NGX_HTTP_DT_KIND_EXTEND
                          : NGX_HTTP_DT_KIND_FIRST;

        if (node->blob
            && (ngx_time() >= node->refresh
                || !ngx_http_dt_later_due(node, &job, want)
                || (job.unseen
                    && node->source != NGX_HTTP_DT_SOURCE_LEARNED)))
        {
            continue;
        }

        (void) ngx_http_dt_node_enqueue(zone, node, &job, kind);
    }
}


void
ngx_http_dt_later_clear(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    while (node->nlater) {
        node->nlater--;
        ngx_slab_free_locked(zone->shpool, node->later[node->nlater].job);
    }
}


ngx_uint_t
ngx_http_dt_chosen_admit(ngx_http_dt_shctx_t *sh)
{
    ngx_msec_t  past;

    past = ngx_current_msec - sh->chosen_at;
    past /= NGX_HTTP_DT_CHOSEN_TIME * 1000;

    if (past) {
        sh->chosen -= ngx_min(past, sh->chosen);
        sh->chosen_at = ngx_current_msec;
    }

    if (sh->chosen >= NGX_HTTP_DT_CHOSEN) {
        return 0;
    }

    sh->chosen++;

    return 1;
}


ngx_uint_t
ngx_http_dt_zone_tell(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_uint_t reason)
{
    uint32_t             hash;
    ngx_msec_t           past;
    ngx_uint_t           i, tell;
    ngx_http_dt_told_t  *t, *told;

    hash = ngx_crc32_short(site->data, site->len) ^ (reason * 0x9e3779b1);

    ngx_shmtx_lock(&zone->shpool->mutex);

    told = zone->sh->told;

    for (i = 0; i < NGX_HTTP_DT_MAX_TOLD; i++) {
        t = &zone->sh->told[i];

        if (t->used && t->hash == hash) {
            told = t;
            break;
        }

        if (told->used
            && (!t->used || (ngx_msec_int_t) (t->at - told->at) < 0))
        {
            told = t;
        }
    }

    past = ngx_current_msec - told->at;

    tell = !told->used
           || past >= (told->hash == hash ? NGX_HTTP_DT_TELL_TIME
                                          : NGX_HTTP_DT_TOLD_TIME);
    if (tell) {
        told->used = 1;
        told->hash = hash;
        told->at = ngx_current_msec;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return tell;
}
