
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>
#include <ngx_channel.h>

#include "ngx_module/manager/manager.h"
#include "ngx_module/manager/learner.h"
#include "ngx_module/manager/redis.h"
#include "ngx_module/manager/snapshot.h"
#include "ngx_module/zone/wake.h"
#include "ngx_module/zone/work.h"


/*
 * Work in nginx's cache manager process.  A job goes through the same steps
 * each time, and ends at the first that gives a template: the site's snapshot,
 * Redis, a learner.  Nothing here waits: while Redis has not answered about
 * one job, others go on; where learning is quick, some are asked about ahead.
 *
 * nginx calls the managers of all paths when one asks to be called, so we ask
 * for nothing, which would drive proxy_cache_path's as well: a worker that has
 * queued a job writes into a pipe, and what is due later has a timer.
 */


#define NGX_HTTP_DT_NEVER       3600000    /* ms: nginx's longest */
#define NGX_HTTP_DT_TICK        50         /* ms */
#define NGX_HTTP_DT_BUSY_TICK   10         /* ms */
#define NGX_HTTP_DT_REST        60000      /* ms: the longest */
#define NGX_HTTP_DT_HANDOVER    2000       /* ms */
#define NGX_HTTP_DT_SWEEP       3600       /* seconds */
#define NGX_HTTP_DT_FILES       32         /* snapshots per tick */
#define NGX_HTTP_DT_JOBS        32         /* jobs per tick */
#define NGX_HTTP_DT_RETRY       1          /* seconds */
#define NGX_HTTP_DT_AHEAD       16         /* jobs */
#define NGX_HTTP_DT_AHEAD_TIME  1000       /* ms: they should wait */
#define NGX_HTTP_DT_READY_TIME  2000       /* ms: they may wait */


/* of this process: a manager serves one cycle and then exits */

typedef struct {
    ngx_http_dt_main_conf_t          *dmcf;
    ngx_http_dt_zone_t            *zone;
    ngx_log_t                     *log;

    ngx_http_dt_learner_t          *learners;  /* and places for jobs ahead */
    ngx_uint_t                     nlearners;  /* without those */
    ngx_uint_t                     nplaces;
    ngx_uint_t                     active;     /* learners */
    ngx_uint_t                     jobs;       /* of all places */
    ngx_uint_t                     ahead;      /* jobs, as learning goes now */

    ngx_event_t                    timer;
    ngx_msec_t                     handover;   /* the end of it */

    ngx_http_dt_redis_t           *redis;      /* or NULL */

    ngx_http_dt_walk_t             walk;
    time_t                         sweep;      /* the next pass, 0: first */

    ngx_http_dt_program_t          refused;    /* of another version */

    unsigned                       stopped:1;  /* as long as it is there */
    unsigned                       walking:1;
    unsigned                       loading:1;  /* the pass publishes */
} ngx_http_dt_manager_t;


static ngx_msec_t ngx_http_dt_manager(void *data);
static ngx_http_dt_manager_t *ngx_http_dt_manager_create(
    ngx_http_dt_main_conf_t *dmcf);
static void ngx_http_dt_manager_woken(ngx_event_t *ev);
static void ngx_http_dt_manager_timer(ngx_event_t *ev);
static void ngx_http_dt_manager_work(void *data);
static ngx_msec_t ngx_http_dt_manager_rest(ngx_http_dt_manager_t *m);
static void ngx_http_dt_manager_walk(ngx_http_dt_manager_t *m);

static void ngx_http_dt_manager_start(ngx_http_dt_manager_t *m);
static ngx_http_dt_learner_t *ngx_http_dt_manager_place(
    ngx_http_dt_manager_t *m);
static void ngx_http_dt_manager_ready(ngx_http_dt_manager_t *m);
static void ngx_http_dt_manager_learn(
    ngx_http_dt_manager_t *m, ngx_http_dt_learner_t *learner);
static void ngx_http_dt_manager_leave(
    ngx_http_dt_manager_t *m, ngx_http_dt_learner_t *learner);
static ngx_int_t ngx_http_dt_manager_snapshot(
    ngx_http_dt_manager_t *m, ngx_http_dt_work_t *work);
static void ngx_http_dt_manager_got(void *data, ngx_http_dt_learner_t *learner,
    dt_status_t rc, dt_str_t bytes);
static ngx_int_t ngx_http_dt_manager_newer(
    ngx_http_dt_manager_t *m, ngx_http_dt_work_t *work, dt_str_t bytes);
static ngx_int_t ngx_http_dt_manager_take(
    ngx_http_dt_manager_t *m, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub);

static void ngx_http_dt_manager_reap(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner);
static ngx_uint_t ngx_http_dt_manager_note(ngx_http_dt_learner_t *learner);
static void ngx_http_dt_manager_keep(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner);
static void ngx_http_dt_manager_refuse(
    ngx_http_dt_manager_t *m, ngx_http_dt_learner_t *learner);
static ngx_uint_t ngx_http_dt_manager_learned(
    ngx_http_dt_manager_t *m, ngx_http_dt_learner_t *learner);
static void ngx_http_dt_manager_failed(
    ngx_http_dt_manager_t *m, ngx_http_dt_learner_t *learner,
    ngx_uint_t result);

static void ngx_http_dt_manager_unlock(
    ngx_http_dt_manager_t *m, ngx_http_dt_learner_t *learner);


static ngx_http_dt_manager_t          *ngx_http_dt_manager_self;


char *
ngx_http_dt_manager_add(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *path)
{
    ngx_path_t  *p;

    p = ngx_pcalloc(cf->pool, sizeof(ngx_path_t));
    if (p == NULL) {
        return NGX_CONF_ERROR;
    }

    p->name.len = path->len;

    if (path->len > 1 && path->data[path->len - 1] == '/') {
        p->name.len--;
    }

    p->name.data = ngx_pnalloc(cf->pool, p->name.len + 1);
    if (p->name.data == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_cpystrn(p->name.data, path->data, p->name.len + 1);

    if (ngx_conf_full_name(cf->cycle, &p->name, 0) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    if (p->name.len + NGX_HTTP_DT_SNAPSHOT_NAME + 2 > NGX_MAX_PATH) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_path\" is too long: \"%V\"",
                           &p->name);
        return NGX_CONF_ERROR;
    }

    p->manager = ngx_http_dt_manager;
    p->data = dmcf;

    if (cf->conf_file) {
        p->conf_file = cf->conf_file->file.name.data;
        p->line = cf->conf_file->line;
    }

    dmcf->path = p;

    if (ngx_add_path(cf, &dmcf->path) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/* called first when the process begins, then whenever others ask for it */

static ngx_msec_t
ngx_http_dt_manager(void *data)
{
    ngx_http_dt_manager_t    *m;
    ngx_http_dt_main_conf_t  *dmcf;

    dmcf = data;

    if (ngx_http_dt_manager_self == NULL && dmcf->shm_zone) {

        m = ngx_http_dt_manager_create(dmcf);
        if (m == NULL) {
            return 1000;
        }

        ngx_http_dt_manager_self = m;
        ngx_http_dt_manager_work(m);
    }

    return NGX_HTTP_DT_NEVER;
}


static void
ngx_http_dt_manager_woken(ngx_event_t *ev)
{
    ngx_http_dt_manager_t  *m;

    m = ngx_http_dt_manager_self;

    ngx_http_dt_wake_drain(m->zone);
    ngx_http_dt_manager_work(m);
}


static void
ngx_http_dt_manager_timer(ngx_event_t *ev)
{
    ngx_http_dt_manager_work(ev->data);
}


static void
ngx_http_dt_manager_work(void *data)
{
    ngx_uint_t              i;
    ngx_http_dt_manager_t  *m;

    m = data;

    /* log files may have been reopened */

    m->log = ngx_cycle->log;

    i = ngx_http_dt_work_reclaim(m->zone);

    if (i) {
        ngx_log_error(NGX_LOG_NOTICE, m->log, 0,
                      "detemplate: took back %ui jobs of processes that ended",
                      i);
    }

    for (i = 0; i < m->nplaces; i++) {
        if (m->learners[i].pid) {
            ngx_http_dt_manager_reap(m, &m->learners[i]);
        }
    }

    if (!m->walking
        && (ngx_time() >= m->sweep
            || ngx_time() + NGX_HTTP_DT_SWEEP < m->sweep))
    {
        m->walking = 1;
        m->loading = !ngx_http_dt_zone_loaded(m->zone, 0);
    }

    if (m->walking) {
        ngx_http_dt_manager_walk(m);
    }

    if (!m->loading) {
        ngx_http_dt_manager_start(m);
    }

    if (m->timer.timer_set) {
        ngx_del_timer(&m->timer);
    }

    ngx_add_timer(&m->timer, ngx_http_dt_manager_rest(m));
}


/* ms until there may be work of which no worker tells */

static ngx_msec_t
ngx_http_dt_manager_rest(ngx_http_dt_manager_t *m)
{
    ngx_msec_t  due;
    ngx_uint_t  foreign;

    if (m->active || m->walking) {
        return NGX_HTTP_DT_BUSY_TICK;
    }

    due = ngx_http_dt_work_due(m->zone, NGX_HTTP_DT_REST, &foreign);

    /* the manager before this one may have been woken in its last moments */

    if (foreign
        || (ngx_msec_int_t) (m->handover - ngx_current_msec) > 0)
    {
        return NGX_HTTP_DT_TICK;
    }

    return ngx_max(due, NGX_HTTP_DT_TICK);
}


static ngx_http_dt_manager_t *
ngx_http_dt_manager_create(ngx_http_dt_main_conf_t *dmcf)
{
    ngx_pool_t             *pool;
    ngx_http_dt_manager_t  *m;

    pool = ngx_cycle->pool;

    m = ngx_pcalloc(pool, sizeof(ngx_http_dt_manager_t));
    if (m == NULL) {
        return NULL;
    }

    m->dmcf = dmcf;
    m->zone = dmcf->shm_zone->data;
    m->log = ngx_cycle->log;
    m->nlearners = dmcf->learners;
    m->nplaces = m->nlearners;

    if (dmcf->redis.url) {
        m->ahead = NGX_HTTP_DT_AHEAD;
        m->nplaces += NGX_HTTP_DT_AHEAD;

        m->redis = ngx_http_dt_redis_create(dmcf, ngx_http_dt_manager_work, m);
        if (m->redis == NULL) {
            return NULL;
        }
    }

    m->learners = ngx_pcalloc(pool, m->nplaces
                                    * sizeof(ngx_http_dt_learner_t));
    if (m->learners == NULL) {
        return NULL;
    }

    m->walk.name = &dmcf->path->name;
    m->walk.most = dmcf->shm_zone->shm.size / 1024;

    m->handover = ngx_current_msec + NGX_HTTP_DT_HANDOVER;
    m->timer.handler = ngx_http_dt_manager_timer;
    m->timer.data = m;
    m->timer.log = m->log;
    m->timer.cancelable = 1;

    if (ngx_add_channel_event((ngx_cycle_t *) ngx_cycle,
                              ngx_http_dt_wake_fd(m->zone), NGX_READ_EVENT,
                              ngx_http_dt_manager_woken)
        != NGX_OK)
    {
        return NULL;
    }

    return m;
}


/* some files of a pass: at start they are published, later only looked at */

static void
ngx_http_dt_manager_walk(ngx_http_dt_manager_t *m)
{
    ngx_int_t               rc;
    ngx_uint_t              i;
    ngx_http_dt_snapshot_t  s;

    for (i = 0; i < NGX_HTTP_DT_FILES; i++) {

        rc = ngx_http_dt_snapshot_walk(&m->walk, &s, m->log);

        if (rc == NGX_DONE) {
            m->walking = 0;
            m->loading = 0;
            m->sweep = ngx_time() + NGX_HTTP_DT_SWEEP;
            (void) ngx_http_dt_zone_loaded(m->zone, 1);
            return;
        }

        if (rc == NGX_ERROR) {
            ngx_http_dt_zone_snapshot_refused(m->zone);
        }

        if (rc != NGX_OK) {
            continue;
        }

        if (m->loading && s.pub.info.patterns
            && !ngx_http_dt_published(m->zone, &s.site))
        {

            /* what finds no room now is read when it is asked for */

            s.pub.if_room = 1;
            (void) ngx_http_dt_publish(m->zone, &s.site, &s.pub);
        }

        ngx_free(s.pub.data);
    }
}


static void
ngx_http_dt_manager_start(ngx_http_dt_manager_t *m)
{
    ngx_uint_t              n;
    ngx_http_dt_work_t     *work;
    ngx_http_dt_learner_t  *learner;

    ngx_http_dt_manager_ready(m);

    for (n = 0; n < NGX_HTTP_DT_JOBS; n++) {

        learner = ngx_http_dt_manager_place(m);

        if (learner == NULL) {
            return;
        }

        work = &learner->work;

        if (ngx_http_dt_work_take(m->zone, m->nplaces, work)
            != NGX_OK)
        {
            return;
        }

        learner->taken = 1;
        m->jobs++;

        if (ngx_http_dt_manager_snapshot(m, work) == NGX_OK) {
            (void) ngx_http_dt_work_finish(m->zone, work,
                                             NGX_HTTP_DT_RESULT_TAKEN);
            ngx_http_dt_manager_leave(m, learner);
            continue;
        }

        if (work->job.from_host && m->sweep == 0) {

            /* what there is of such sites has not been counted yet */

            ngx_http_dt_work_requeue(m->zone, work, NGX_HTTP_DT_RETRY);
            ngx_http_dt_manager_leave(m, learner);
            continue;
        }

        if (m->redis) {
            ngx_http_dt_redis_ask(m->redis, learner, ngx_http_dt_manager_got);
        }

        ngx_http_dt_manager_ready(m);
    }
}


/* a place for one more job, as long as that would not wait for long */

static ngx_http_dt_learner_t *
ngx_http_dt_manager_place(ngx_http_dt_manager_t *m)
{
    ngx_uint_t  i, max;

    max = m->nlearners;

    if (m->redis && !ngx_http_dt_redis_away(m->redis)) {
        max += m->ahead;
    }

    for (i = 0; m->jobs < max && i < m->nplaces; i++) {
        if (!m->learners[i].taken) {
            return &m->learners[i];
        }
    }

    return NULL;
}


/* jobs of which all is known that can be without learning */

static void
ngx_http_dt_manager_ready(ngx_http_dt_manager_t *m)
{
    ngx_uint_t              i;
    ngx_http_dt_learner_t  *learner;

    for (i = 0; i < m->nplaces; i++) {
        learner = &m->learners[i];

        if (!learner->taken || learner->asked || learner->pid) {
            continue;
        }

        if (m->active < m->nlearners) {
            ngx_http_dt_manager_learn(m, learner);

        } else if ((ngx_msec_int_t) (learner->deadline - ngx_current_msec)
                   <= 0)
        {
            /* it has to wait: perhaps another machine has not */

            ngx_http_dt_manager_unlock(m, learner);
            ngx_http_dt_work_requeue(m->zone, &learner->work,
                                     NGX_HTTP_DT_RETRY);
            ngx_http_dt_manager_leave(m, learner);
        }
    }
}


static void
ngx_http_dt_manager_learn(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner)
{
    u_char     *key;
    ngx_int_t   rc;

    if (ngx_http_dt_work_renew(m->zone, &learner->work) != NGX_OK) {
        ngx_http_dt_manager_unlock(m, learner);
        ngx_http_dt_manager_leave(m, learner);
        return;
    }

    ngx_http_dt_program_stat(&m->dmcf->program, &learner->program);

    if (m->stopped
        && ngx_http_dt_program_same(&learner->program, &m->refused))
    {
        ngx_http_dt_manager_unlock(m, learner);
        (void) ngx_http_dt_work_finish(m->zone, &learner->work,
                                           NGX_HTTP_DT_RESULT_STOPPED);
        ngx_http_dt_manager_leave(m, learner);
        return;
    }

    m->stopped = 0;

    key = ngx_http_dt_zone_key(m->zone);

    rc = ngx_http_dt_learner_start(learner, &m->dmcf->program,
                                   &m->dmcf->path->name, key, m->log);

    if (rc == NGX_OK) {
        m->active++;

        ngx_log_debug2(NGX_LOG_DEBUG_CORE, m->log, 0,
                       "detemplate learner %P started: \"%V\"",
                       learner->pid, &learner->work.site);
        return;
    }

    ngx_http_dt_manager_unlock(m, learner);

    if (rc == NGX_DECLINED) {
        (void) ngx_http_dt_work_finish(m->zone, &learner->work,
                                              NGX_HTTP_DT_RESULT_LOST);

    } else {
        ngx_cpystrn((u_char *) learner->answer.reason, (u_char *) "fork",
                    sizeof(learner->answer.reason));
        ngx_http_dt_manager_failed(m, learner, NGX_HTTP_DT_RESULT_FAILED);
    }

    ngx_http_dt_manager_leave(m, learner);
}


/* the job has ended, and its place is another's */

static void
ngx_http_dt_manager_leave(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner)
{
    ngx_http_dt_learner_close(learner, m->log);
    m->jobs--;
}


/* a site without template may have been evicted: its snapshot is there */

static ngx_int_t
ngx_http_dt_manager_snapshot(ngx_http_dt_manager_t *m,
    ngx_http_dt_work_t *work)
{
    ngx_int_t               rc;
    ngx_http_dt_snapshot_t  s;

    if (work->version || (work->unsound & NGX_HTTP_DT_UNSOUND_SNAPSHOT)) {
        return NGX_DECLINED;
    }

    rc = ngx_http_dt_snapshot_read(&m->dmcf->path->name, &work->site, 0, &s,
                                   m->log);

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, m->log, 0,
                   "detemplate snapshot read: \"%V\" rc:%i",
                   &work->site, rc);

    if (rc == NGX_ERROR) {
        work->unsound |= NGX_HTTP_DT_UNSOUND_SNAPSHOT;
        ngx_http_dt_zone_snapshot_refused(m->zone);
    }

    if (rc != NGX_OK) {
        return NGX_DECLINED;
    }

    if (s.pub.info.patterns) {
        rc = ngx_http_dt_manager_take(m, work, &s.pub);

    } else {
        work->evidence = 1;
        work->pages = s.pub.pages;
        rc = NGX_DECLINED;
    }

    ngx_free(s.pub.data);

    return rc;
}


static void
ngx_http_dt_manager_got(void *data, ngx_http_dt_learner_t *learner,
    dt_status_t rc, dt_str_t bytes)
{
    ngx_http_dt_work_t     *work;
    ngx_http_dt_manager_t  *m;

    m = data;
    work = &learner->work;

    if (rc == DT_OK
        && ngx_http_dt_manager_newer(m, work, bytes) == NGX_OK)
    {
        ngx_http_dt_manager_unlock(m, learner);
        (void) ngx_http_dt_work_finish(m->zone, work,
                                             NGX_HTTP_DT_RESULT_TAKEN);
        ngx_http_dt_manager_leave(m, learner);
        return;
    }

    if (learner->denied) {

        ngx_log_debug1(NGX_LOG_DEBUG_CORE, m->log, 0,
                       "detemplate redis lock: \"%V\" is learned by "
                       "another machine", &work->site);

        ngx_http_dt_work_requeue(m->zone, work, NGX_HTTP_DT_RETRY);
        ngx_http_dt_manager_leave(m, learner);
        return;
    }

    learner->deadline = ngx_current_msec + NGX_HTTP_DT_READY_TIME;
}


/* what another machine has learned, when it is newer than ours */

static ngx_int_t
ngx_http_dt_manager_newer(ngx_http_dt_manager_t *m, ngx_http_dt_work_t *work,
    dt_str_t bytes)
{
    time_t                 learned_at;
    ngx_int_t              rc;
    ngx_http_dt_publish_t  pub;

    ngx_memzero(&pub, sizeof(ngx_http_dt_publish_t));

    if (ngx_http_dt_redis_check(m->redis, work, bytes, &pub.info)
        != NGX_OK)
    {
        return NGX_DECLINED;
    }

    learned_at = ngx_min((time_t) pub.info.learned_at, ngx_time());

    pub.data = (void *) bytes.data;
    pub.valid = learned_at + work->job.valid;
    pub.refresh = learned_at + work->job.refresh;
    pub.source = NGX_HTTP_DT_SOURCE_REDIS;

    /* ours is no more than what is served of it, where its file is lost; when
       it is to be learned anew, it need not be taken for that */

    if (ngx_http_dt_snapshot_older(&pub.info, work)
        || (pub.info.learned_at == work->learned_at
            && pub.info.version == work->version
            && (pub.refresh <= ngx_time()
                || ngx_http_dt_snapshot_has(&m->dmcf->path->name, work,
                                            m->log))))
    {
        ngx_log_debug3(NGX_LOG_DEBUG_CORE, m->log, 0,
                       "detemplate redis has nothing newer: \"%V\" "
                       "version:%uD, ours:%uD",
                       &work->site, pub.info.version, work->version);
        return NGX_DECLINED;
    }

    /* pages that ours is from are not of this one, unless it goes on */

    if (work->kind == NGX_HTTP_DT_KIND_EXTEND) {
        pub.pages = work->pages;
    }

    /*
     * What others have loaded need not be loaded once more, but it is of all
     * learnings, and not of the pages that are asked for here: half is left
     * for those until the refresh.
     */

    if (work->kind == NGX_HTTP_DT_KIND_FIRST) {
        pub.pages.loads = ngx_min(pub.info.loads, work->job.loads / 2);
    }

    if (pub.valid <= ngx_time()) {
        return NGX_DECLINED;
    }

    rc = ngx_http_dt_manager_take(m, work, &pub);

    pub.from_host = work->job.from_host;
    (void) ngx_http_dt_snapshot_keep(&m->walk, work, &pub, m->log);

    return rc;
}


/* NGX_OK: published, and nothing has to be learned */

static ngx_int_t
ngx_http_dt_manager_take(ngx_http_dt_manager_t *m, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub)
{
    if (ngx_http_dt_publish(m->zone, &work->site, pub)
        != NGX_OK)
    {
        return NGX_DECLINED;
    }

    work->version = pub->info.version;
    work->learned_at = pub->info.learned_at;
    work->pages = pub->pages;

    return (ngx_time() < pub->refresh) ? NGX_OK : NGX_DECLINED;
}


static void
ngx_http_dt_manager_reap(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner)
{
    ngx_int_t            rc;
    ngx_msec_t           took;
    ngx_uint_t           known, result;
    ngx_http_dt_work_t  *work;

    rc = ngx_http_dt_learner_poll(learner, m->log);

    if (rc == NGX_AGAIN) {
        return;
    }

    work = &learner->work;

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, m->log, 0,
                   "detemplate learner ended: \"%V\" rc:%i loads:%uD",
                   &work->site, rc, learner->answer.loads);

    if (rc == NGX_ABORT) {
        ngx_http_dt_manager_unlock(m, learner);
        ngx_http_dt_manager_refuse(m, learner);
        goto done;
    }

    known = ngx_http_dt_manager_note(learner);

    result = (rc == NGX_OK) ? ngx_http_dt_manager_learned(m, learner)
                            : NGX_HTTP_DT_RESULT_FAILED;

    ngx_http_dt_manager_unlock(m, learner);

    if (result == NGX_HTTP_DT_RESULT_FAILED && known) {
        result = NGX_HTTP_DT_RESULT_KNOWN;
    }

    if (result == NGX_HTTP_DT_RESULT_DONE
        || result == NGX_HTTP_DT_RESULT_KNOWN)
    {
        (void) ngx_http_dt_work_finish(m->zone, work, result);

    } else {
        ngx_http_dt_manager_keep(m, learner);
        ngx_http_dt_manager_failed(m, learner, result);
    }

done:

    /* the quicker it goes, the more may be asked about ahead */

    took = ngx_current_msec - learner->started;

    m->ahead = ngx_min(m->nlearners * NGX_HTTP_DT_AHEAD_TIME
                       / ngx_max(took, 1), NGX_HTTP_DT_AHEAD);

    ngx_http_dt_manager_leave(m, learner);
    m->active--;
}


/* what the answer says for the site; whether the page shows nothing new */

static ngx_uint_t
ngx_http_dt_manager_note(ngx_http_dt_learner_t *learner)
{
    ngx_uint_t           known;
    ngx_http_dt_work_t  *work;

    work = &learner->work;

    /* the key pages that the site's template is, or might have been, from */

    if (work->kind != NGX_HTTP_DT_KIND_EXTEND && !work->evidence) {
        ngx_memzero(&work->pages, sizeof(ngx_http_dt_pages_t));
    }

    work->tries = learner->answer.tries;
    work->retry_after = learner->answer.retry_after;
    work->pages.loads += learner->answer.loads;

    known = (ngx_strcmp(learner->answer.reason, "known") == 0);

    /* what was not even asked for may still become one */

    if (work->pages.n < NGX_HTTP_DT_KEYS
        && !(known && work->tries == 0))
    {
        work->pages.keys[work->pages.n++] = work->job.key;
    }

    return known;
}


/* what pages showed of a site that has no template yet is for the next one */

static void
ngx_http_dt_manager_keep(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner)
{
    ngx_http_dt_publish_t  pub;

    if (learner->data == NULL || learner->fault || learner->work.version
        || learner->answer.rc != DT_DECLINED)
    {
        return;
    }

    ngx_http_dt_learner_answer(learner, &pub);

    (void) ngx_http_dt_snapshot_write(&m->walk, &learner->work.site, &pub,
                                      m->log);
}


/* until another file is in its place, the program is not executed again */

static void
ngx_http_dt_manager_refuse(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner)
{
    u_char  hello[NGX_HTTP_DT_HELLO];

    (void) ngx_http_dt_work_finish(m->zone, &learner->work,
                                   NGX_HTTP_DT_RESULT_STOPPED);

    if (m->stopped) {
        return;
    }

    m->stopped = 1;
    m->refused = learner->program;

    ngx_http_dt_printable(hello, learner->hello, sizeof(hello));

    ngx_log_error(NGX_LOG_ERR, m->log, 0,
                  "detemplate: nothing is learned: \"%V\" says that it is "
                  "\"%s\", and the module that runs is of version %s, "
                  "install the program of that version, or restart nginx "
                  "when the module was replaced as well",
                  &m->dmcf->program, hello, DT_VERSION);
}


static ngx_uint_t
ngx_http_dt_manager_learned(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner)
{
    u_char                 name[NGX_HTTP_DT_MAX_SITE + 1];
    ngx_http_dt_work_t    *work;
    ngx_http_dt_publish_t  pub;

    work = &learner->work;

    ngx_http_dt_learner_answer(learner, &pub);

    if (ngx_strlen(work->job.url) <= NGX_HTTP_DT_MAX_LINK) {
        ngx_cpystrn(pub.url, work->job.url, sizeof(pub.url));
    }

    if (ngx_http_dt_publish(m->zone, &work->site, &pub)
        != NGX_OK)
    {
        ngx_cpystrn((u_char *) learner->answer.reason, (u_char *) "memory",
                    sizeof(learner->answer.reason));
        ngx_snprintf((u_char *) learner->answer.errstr, DT_ERRSTR,
                     "%uD bytes do not fit in the zone%Z",
                     pub.info.serve_size);

        return NGX_HTTP_DT_RESULT_NO_ROOM;
    }

    if (ngx_http_dt_snapshot_keep(&m->walk, work, &pub, m->log)
        != NGX_DECLINED
        && m->redis)
    {
        ngx_http_dt_redis_put(m->redis, learner, &pub);
    }

    ngx_http_dt_printable(name, work->name, sizeof(name));

    ngx_log_error(NGX_LOG_NOTICE, m->log, 0,
                  "detemplate: learned \"%s\": version %uD, %uD patterns in "
                  "%uD bytes and %uD of evidence, %uD guarded, "
                  "%uD pages loaded, %uD candidates",
                  name, pub.info.version, pub.info.patterns,
                  pub.info.serve_size, pub.info.size - pub.info.serve_size,
                  pub.info.guarded,
                  learner->answer.loads, learner->answer.candidates);

    return NGX_HTTP_DT_RESULT_DONE;
}


static void
ngx_http_dt_manager_failed(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner, ngx_uint_t result)
{
    u_char  *reason, *errstr;
    u_char   name[NGX_HTTP_DT_MAX_SITE + 1];
    u_char   next[sizeof(", next attempt in  seconds") + NGX_TIME_T_LEN];
    time_t   wait;

    ngx_cpystrn(learner->work.reason, (u_char *) learner->answer.reason,
                sizeof(learner->work.reason));

    wait = ngx_http_dt_work_finish(m->zone, &learner->work, result);

    next[0] = '\0';

    if (wait) {
        ngx_sprintf(next, ", next attempt in %T seconds%Z", wait);
    }

    reason = (u_char *) learner->answer.reason;
    errstr = (u_char *) learner->answer.errstr;

    ngx_http_dt_printable(name, learner->work.name, sizeof(name));
    ngx_http_dt_printable(reason, reason, sizeof(learner->answer.reason));
    ngx_http_dt_printable(errstr, errstr, sizeof(learner->answer.errstr));

    ngx_log_error(NGX_LOG_WARN, m->log, 0,
                  "detemplate: no template for \"%s\": %s%s%s, "
                  "key page \"%s\"%s",
                  name, reason, errstr[0] ? ": " : "", errstr,
                  learner->work.job.url, next);
}


static void
ngx_http_dt_manager_unlock(ngx_http_dt_manager_t *m,
    ngx_http_dt_learner_t *learner)
{
    if (m->redis) {
        ngx_http_dt_redis_unlock(m->redis, learner);
    }
}
