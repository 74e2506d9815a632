
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>
#include <ngx_channel.h>

#include "ngx_module/manager/manager.h"
#include "ngx_module/manager/command.h"
#include "ngx_module/zone/store.h"
#include "ngx_module/zone/zone.h"


/*
 * The manager runs in nginx's cache manager process, and its manager callback
 * is called once, at the start.  nginx calls the callbacks of all paths when
 * one of them asks to be called again, so that asking would call that of
 * proxy_cache_path more often as well.  Instead, a worker that has queued a
 * job writes into a pipe, and a timer is set for later tasks.
 */


#define NGX_HTTP_DT_NEVER       3600000    /* ms, the longest that nginx has */
#define NGX_HTTP_DT_TICK        50         /* ms */
#define NGX_HTTP_DT_BUSY_TICK   10         /* ms */
#define NGX_HTTP_DT_LOAD_TICK   2          /* ms, at the start */
#define NGX_HTTP_DT_REST        60000      /* ms, at most */
#define NGX_HTTP_DT_HANDOVER    2000       /* ms */
#define NGX_HTTP_DT_LINGER      10000      /* ms that a predecessor gets to
                                              end */
#define NGX_HTTP_DT_SWEEP       3600       /* seconds between passes */
#define NGX_HTTP_DT_FILES       32         /* snapshots per tick */
#define NGX_HTTP_DT_CLEAN       60         /* seconds between looks */
#define NGX_HTTP_DT_STORED_TIME 3600       /* seconds that a page is stored */


/* one in this process: a manager serves one cycle and then exits */

typedef struct {
    ngx_http_dt_jobs_t             jobs;
    ngx_http_dt_follow_t           follow;

    ngx_event_t                    timer;
    ngx_msec_t                     created;
    time_t                         clean;      /* the next look for stored
                                                  pages that are old */
    time_t                         sweep;      /* the next pass over snapshots;
                                                  0: at once */
    unsigned                       leads:1;    /* not its predecessor */
    unsigned                       walking:1;  /* a pass is under way */
    unsigned                       loading:1;  /* the pass publishes */
} ngx_http_dt_manager_t;


static ngx_msec_t ngx_http_dt_manager(void *data);
static ngx_http_dt_manager_t *ngx_http_dt_manager_create(
    ngx_http_dt_main_conf_t *dmcf);
static void ngx_http_dt_manager_woken(ngx_event_t *ev);
static void ngx_http_dt_manager_timer(ngx_event_t *ev);
static void ngx_http_dt_manager_news(void *data, dt_frame_t *frame);
static void ngx_http_dt_manager_answered(void *data);
static void ngx_http_dt_manager_work(ngx_http_dt_manager_t *m);
static ngx_msec_t ngx_http_dt_manager_rest(ngx_http_dt_manager_t *m);
static void ngx_http_dt_manager_walk(ngx_http_dt_manager_t *m);


static ngx_http_dt_manager_t  *ngx_http_dt_manager_self;


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

    if (p->name.len + NGX_HTTP_DT_LONGEST > NGX_MAX_PATH) {
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


/* called when the process starts, and again when other paths ask for it */

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

    ngx_http_dt_wake_drain(m->jobs.zone);
    ngx_http_dt_manager_work(m);
}


static void
ngx_http_dt_manager_timer(ngx_event_t *ev)
{
    ngx_http_dt_manager_work(ev->data);
}


/* another machine has done something */

static void
ngx_http_dt_manager_news(void *data, dt_frame_t *frame)
{
    ngx_http_dt_follow(&ngx_http_dt_manager_self->follow, frame);
}


/* Redis has answered, or a learner */

static void
ngx_http_dt_manager_answered(void *data)
{
    if (ngx_http_dt_manager_self->jobs.redis) {
        ngx_http_dt_follow_go_on(&ngx_http_dt_manager_self->follow);
    }

    ngx_http_dt_manager_work(ngx_http_dt_manager_self);
}


static void
ngx_http_dt_manager_work(ngx_http_dt_manager_t *m)
{
    ngx_uint_t           lost;
    ngx_http_dt_zone_t  *zone;

    zone = m->jobs.zone;

    /* the manager of the old cycle ends when all of this one were started */

    m->leads = ngx_http_dt_work_lead(zone,
                                     !m->leads
                                     && ngx_current_msec - m->created
                                        > NGX_HTTP_DT_LINGER,
                                     &lost);
    if (lost) {
        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "detemplate: requeued %ui jobs of dead processes",
                      lost);
    }

    if (ngx_time() >= m->clean || ngx_time() + NGX_HTTP_DT_CLEAN < m->clean) {
        m->clean = ngx_time() + NGX_HTTP_DT_CLEAN;
        ngx_http_dt_store_clean(zone, m->jobs.walk.name,
                                ngx_time() - NGX_HTTP_DT_STORED_TIME);
    }

    ngx_http_dt_jobs_poll(&m->jobs);
    ngx_http_dt_command_take(&m->jobs);

    if (!m->walking
        && (m->jobs.walk.wanted
            || ngx_time() >= m->sweep
            || ngx_time() + NGX_HTTP_DT_SWEEP < m->sweep))
    {
        m->walking = 1;
        m->loading = !ngx_http_dt_zone_loaded(zone, 0);
    }

    if (m->walking) {
        ngx_http_dt_manager_walk(m);
    }

    if (m->leads && !m->loading) {
        ngx_http_dt_jobs_take(&m->jobs);
    }

    if (m->timer.timer_set) {
        ngx_del_timer(&m->timer);
    }

    ngx_add_timer(&m->timer, ngx_http_dt_manager_rest(m));
}


/* milliseconds until there may be work for which no worker wakes us */

static ngx_msec_t
ngx_http_dt_manager_rest(ngx_http_dt_manager_t *m)
{
    ngx_msec_t  due;

    if (m->loading) {
        return NGX_HTTP_DT_LOAD_TICK;
    }

    if (m->jobs.nlearners || m->walking || m->jobs.walk.wanted) {
        return NGX_HTTP_DT_BUSY_TICK;
    }

    if (!m->leads) {
        return NGX_HTTP_DT_TICK;
    }

    due = ngx_http_dt_plan_due(&m->jobs.plan, NGX_HTTP_DT_REST);

    /* the old manager may have read the pipe, and then exited */

    if (ngx_current_msec - m->created < NGX_HTTP_DT_HANDOVER) {
        return NGX_HTTP_DT_TICK;
    }

    return ngx_max(due, NGX_HTTP_DT_TICK);
}


static ngx_http_dt_manager_t *
ngx_http_dt_manager_create(ngx_http_dt_main_conf_t *dmcf)
{
    ngx_http_dt_manager_t  *m;

    m = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_http_dt_manager_t));
    if (m == NULL) {
        return NULL;
    }

    m->follow.jobs = &m->jobs;

    if (ngx_http_dt_jobs_create(&m->jobs, dmcf, ngx_http_dt_manager_news,
                                ngx_http_dt_manager_answered)
        != NGX_OK)
    {
        return NULL;
    }

    m->created = ngx_current_msec;

    if (!ngx_http_dt_zone_loaded(m->jobs.zone, 0)) {
        ngx_http_dt_store_clean(m->jobs.zone, &dmcf->path->name, 0);
    }

    /* a pass does not count the snapshots that the old cycle's manager
       writes */

    if (ngx_http_dt_zone_loaded(m->jobs.zone, 0)) {
        m->sweep = ngx_time() + NGX_HTTP_DT_HANDOVER / 1000;
    }

    m->timer.handler = ngx_http_dt_manager_timer;
    m->timer.data = m;
    m->timer.log = ngx_cycle->log;
    m->timer.cancelable = 1;

    if (ngx_add_channel_event((ngx_cycle_t *) ngx_cycle,
                              ngx_http_dt_wake_fd(m->jobs.zone),
                              NGX_READ_EVENT, ngx_http_dt_manager_woken)
        != NGX_OK)
    {
        return NULL;
    }

    return m;
}


/*
 * Reads some snapshots of a pass.  The first pass publishes them; later ones
 * only remove expired snapshots.
 */

static void
ngx_http_dt_manager_walk(ngx_http_dt_manager_t *m)
{
    ngx_int_t               rc;
    ngx_uint_t              i;
    ngx_http_dt_zone_t     *zone;
    ngx_http_dt_snapshot_t  s;

    zone = m->jobs.zone;

    for (i = 0; i < NGX_HTTP_DT_FILES; i++) {

        rc = ngx_http_dt_snapshot_walk(&m->jobs.walk, &s);

        if (rc == NGX_DONE) {
            m->jobs.counted = 1;
            m->walking = 0;
            m->loading = 0;
            m->sweep = ngx_time() + NGX_HTTP_DT_SWEEP;
            (void) ngx_http_dt_zone_loaded(zone, 1);
            return;
        }

        if (rc == NGX_ERROR) {
            ngx_http_dt_zone_event(zone, snapshots_refused);
        }

        if (rc != NGX_OK) {
            continue;
        }

        if (m->loading && s.pub.info.patterns
            && !ngx_http_dt_published(zone, &s.site))
        {
            /* a snapshot that finds no room is read when a job asks for it */

            s.pub.if_room = 1;
            (void) ngx_http_dt_publish(zone, &s.site, &s.pub);
        }

        ngx_free(s.pub.data);
    }
}
