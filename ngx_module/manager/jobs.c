
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/manager/jobs.h"
#include "ngx_module/zone/control.h"
#include "ngx_module/zone/store.h"
#include "ngx_module/zone/zone.h"


/*
 * A job goes through the same steps each time, and ends at the first one that
 * gives a template: the site's snapshot, Redis, a learner.  Nothing here
 * blocks: while Redis has not answered about one job, others go on.  Where
 * learning is fast, Redis is asked about some jobs ahead of the learners.
 */


#define NGX_HTTP_DT_JOBS        32         /* jobs taken at once */
#define NGX_HTTP_DT_RETRY       1000       /* ms */
#define NGX_HTTP_DT_AHEAD       128        /* jobs */
#define NGX_HTTP_DT_AHEAD_TIME  2000       /* ms that they should wait */
#define NGX_HTTP_DT_READY_TIME  2000       /* ms that they may wait */

#define NGX_HTTP_DT_BEYOND_TEXT  ", %uD pages beyond a limit"
#define NGX_HTTP_DT_BEYOND                                                    \
    (sizeof(NGX_HTTP_DT_BEYOND_TEXT) + NGX_INT32_LEN)


static void ngx_http_dt_jobs_reap(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner);
static ngx_uint_t ngx_http_dt_jobs_learned(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner);
static void ngx_http_dt_jobs_number(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub);
static void ngx_http_dt_jobs_unpinned(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub);
static void ngx_http_dt_jobs_failed(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner, ngx_uint_t result);
static u_char *ngx_http_dt_jobs_beyond(
    ngx_http_dt_learner_t *learner, u_char *buf);
static void ngx_http_dt_jobs_keep_evidence(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner);
static void ngx_http_dt_jobs_stop(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner);
static ngx_uint_t ngx_http_dt_jobs_max(ngx_http_dt_jobs_t *jobs);
static ngx_http_dt_learner_t *ngx_http_dt_jobs_free_slot(
    ngx_http_dt_jobs_t *jobs);
static ngx_uint_t ngx_http_dt_jobs_spare(ngx_http_dt_jobs_t *jobs,
    ngx_uint_t state, ngx_uint_t max);
static void ngx_http_dt_jobs_ready(ngx_http_dt_jobs_t *jobs);
static void ngx_http_dt_jobs_learn(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner);
static ngx_uint_t ngx_http_dt_jobs_refused(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_program_t *program);
static ngx_int_t ngx_http_dt_jobs_snapshot(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work);
static void ngx_http_dt_jobs_missed(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work);
static ngx_uint_t ngx_http_dt_jobs_lacks(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work);
static void ngx_http_dt_jobs_answered(void *data, dt_frame_t *answer);
static ngx_int_t ngx_http_dt_jobs_pub(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work, dt_frame_t *answer, ngx_http_dt_publish_t *pub);
static ngx_int_t ngx_http_dt_jobs_evidence(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work, dt_frame_t *answer);
static ngx_uint_t ngx_http_dt_jobs_is_same(ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub);
static ngx_uint_t ngx_http_dt_jobs_is_newer(ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub);
static ngx_int_t ngx_http_dt_jobs_publish(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub);
static void ngx_http_dt_jobs_again(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner);
static void ngx_http_dt_jobs_end(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner, ngx_uint_t result);
static void ngx_http_dt_jobs_free(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner);


ngx_int_t
ngx_http_dt_jobs_create(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_main_conf_t *dmcf, ngx_http_dt_redis_pt news,
    void (*wake)(void *data))
{
    jobs->dmcf = dmcf;
    jobs->zone = dmcf->shm_zone->data;
    jobs->max_learners = dmcf->learners;
    jobs->nslots = jobs->max_learners;
    jobs->wake = wake;
    ngx_queue_init(&jobs->plan.wishes);

    if (dmcf->redis.url) {
        jobs->ahead = NGX_HTTP_DT_AHEAD;
        jobs->nslots += NGX_HTTP_DT_AHEAD;

        jobs->news = news;
        jobs->redis = ngx_http_dt_redis_create(dmcf, news, wake, jobs);
        if (jobs->redis == NULL) {
            return NGX_ERROR;
        }
    }

    jobs->slots = ngx_pcalloc(ngx_cycle->pool, jobs->nslots
                                          * sizeof(ngx_http_dt_learner_t));
    if (jobs->slots == NULL) {
        return NGX_ERROR;
    }

    jobs->walk.name = &dmcf->path->name;
    jobs->walk.zone = jobs->zone;
    jobs->walk.max = dmcf->max_size;

    return NGX_OK;
}


void
ngx_http_dt_jobs_poll(ngx_http_dt_jobs_t *jobs)
{
    ngx_uint_t  i;

    for (i = 0; i < jobs->nslots; i++) {
        if (jobs->slots[i].state >= NGX_HTTP_DT_SLOT_LEARNING) {
            ngx_http_dt_jobs_reap(jobs, &jobs->slots[i]);
        }
    }
}


/* ends the job of a learner that has ended */

static void
ngx_http_dt_jobs_reap(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner)
{
    ngx_int_t            rc;
    ngx_msec_t           took;
    ngx_uint_t           result;
    ngx_http_dt_work_t  *work;

    rc = ngx_http_dt_learner_poll(learner);

    if (rc == NGX_AGAIN) {
        ngx_http_dt_redis_renew(jobs->redis, learner);
        return;
    }

    work = &learner->work;

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate learner ended: \"%V\" rc:%i loads:%uD",
                   &work->site, rc, learner->answer.loads);

    if (rc == NGX_ABORT) {
        ngx_http_dt_jobs_stop(jobs, learner);
        goto done;
    }

    /* one that was killed has sent about as many as others */

    work->requests = learner->answered
                     ? learner->answer.requests
                     : ngx_min(work->requests, work->job.loads);

    ngx_http_dt_work_asked(jobs->zone, work);
    ngx_http_dt_store_drop(jobs->zone, &jobs->dmcf->path->name, &work->site,
                           0);

    if (ngx_http_dt_work_mine(jobs->zone, work) != NGX_OK) {

        /* meanwhile the site was forgotten, or its template was pinned */

        goto done;
    }

    work->retry_after = learner->answer.retry_after;
    work->tries = learner->answer.tries;
    work->loads = learner->answer.loads;
    work->fresh = learner->answer.fresh;

    result = (rc == NGX_OK) ? ngx_http_dt_jobs_learned(jobs, learner)
                            : NGX_HTTP_DT_RESULT_FAILED;

    if (result == NGX_HTTP_DT_RESULT_DONE) {
        (void) ngx_http_dt_work_finish(jobs->zone, work, result);

    } else {
        ngx_http_dt_jobs_keep_evidence(jobs, learner);
        ngx_http_dt_jobs_failed(jobs, learner, result);
    }

done:

    /* the faster learnings are, the more jobs are taken ahead */

    took = ngx_current_msec - learner->started;

    jobs->ahead = ngx_min(jobs->max_learners * NGX_HTTP_DT_AHEAD_TIME
                       / ngx_max(took, 1), NGX_HTTP_DT_AHEAD);

    ngx_http_dt_jobs_free(jobs, learner);
    jobs->nlearners--;
}


static ngx_uint_t
ngx_http_dt_jobs_learned(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner)
{
    u_char                 beyond[NGX_HTTP_DT_BEYOND];
    ngx_int_t              rc;
    ngx_http_dt_work_t    *work;
    ngx_http_dt_publish_t  pub;

    work = &learner->work;

    ngx_http_dt_learner_answer(learner, &pub);

    if (ngx_strlen(work->job.url) <= NGX_HTTP_DT_MAX_LINK) {
        ngx_cpystrn(pub.url, work->job.url, sizeof(pub.url));
    }

    pub.redesigned = learner->answer.redesigned;
    ngx_http_dt_jobs_number(jobs, work, &pub);

    if (ngx_http_dt_publish(jobs->zone, &work->site, &pub)
        != NGX_OK)
    {
        ngx_cpystrn((u_char *) learner->answer.reason, (u_char *) "memory",
                    sizeof(learner->answer.reason));
        ngx_snprintf((u_char *) learner->answer.errstr, DT_ERRSTR,
                     "%uD bytes do not fit in the zone%Z",
                     pub.info.serve_size);

        return NGX_HTTP_DT_RESULT_NO_ROOM;
    }

    rc = ngx_http_dt_snapshot_keep(&jobs->walk, work, &pub);
    work->unkept = (rc != NGX_OK);

    /* invented names must not fill Redis either */

    if (jobs->redis
        && rc != NGX_DECLINED
        && !(work->job.from_host && work->version == 0
             && ngx_http_dt_snapshot_scarce(&jobs->walk)))
    {
        ngx_http_dt_redis_put(jobs->redis, learner, &pub);
    }

    ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                  "detemplate: learned \"%s\": version %uD, %uD patterns in "
                  "%uD bytes and %uD of evidence, %uD guarded, "
                  "%uD pages loaded, %uD candidates%s",
                  work->shown, pub.info.version, pub.info.patterns,
                  pub.info.serve_size, pub.info.size - pub.info.serve_size,
                  pub.info.guarded, learner->answer.loads,
                  learner->answer.candidates,
                  ngx_http_dt_jobs_beyond(learner, beyond));

    ngx_http_dt_jobs_unpinned(jobs, work, &pub);

    if (pub.redesigned) {
        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "detemplate: \"%s\" has another design, its pages were "
                      "loaded anew", work->shown);
    }

    return NGX_HTTP_DT_RESULT_DONE;
}


/*
 * Gives the learned template a higher version than any other template of the
 * site that this machine or Redis knows of.
 */

static void
ngx_http_dt_jobs_number(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub)
{
    uint32_t                last;
    ngx_uint_t              n, level;
    ngx_http_dt_snapshot_t  s;

    last = ngx_max(work->version, work->last);

    /* unsound snapshots were logged before */

    level = ngx_cycle->log->log_level;
    ngx_cycle->log->log_level = ngx_min(level, NGX_LOG_ERR);

    for (n = 0; n <= NGX_HTTP_DT_EARLIER; n++) {

        if (ngx_http_dt_snapshot_read(&jobs->dmcf->path->name, &work->site, n,
                                      0, &s)
            == NGX_OK)
        {
            last = ngx_max(last, s.pub.info.version);
            ngx_free(s.pub.data);
        }
    }

    ngx_cycle->log->log_level = level;

    if (pub->info.version <= last && last < NGX_MAX_UINT32_VALUE) {
        pub->info.version = last + 1;
        dt_template_renumber(pub->data, last + 1);
    }
}


/* tells that a command to learn has ended a pin, here or on another machine */

static void
ngx_http_dt_jobs_unpinned(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub)
{
    if (work->pinned && work->anew && !pub->pinned) {
        work->pinned = 0;

        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "detemplate: \"%s\" is not pinned any more, since it "
                      "was learned anew by a command", work->shown);
    }
}


static void
ngx_http_dt_jobs_failed(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner, ngx_uint_t result)
{
    u_char      *reason, *errstr;
    u_char       beyond[NGX_HTTP_DT_BEYOND];
    u_char       next[sizeof(", next attempt in  seconds") + NGX_TIME_T_LEN];
    time_t       wait;
    ngx_uint_t   denied, robots, level;

    ngx_cpystrn(learner->work.reason, (u_char *) learner->answer.reason,
                sizeof(learner->work.reason));

    learner->work.detail.data = (u_char *) learner->answer.errstr;
    learner->work.detail.len = ngx_strlen(learner->answer.errstr);

    wait = ngx_http_dt_work_finish(jobs->zone, &learner->work, result);

    next[0] = '\0';

    if (wait) {
        ngx_sprintf(next, ", next attempt in %T seconds%Z", wait);
    }

    if (learner->work.told) {

        /* one line in the log is enough until the reason changes */

        return;
    }

    reason = (u_char *) learner->answer.reason;
    errstr = (u_char *) learner->answer.errstr;

    ngx_http_dt_printable(reason, reason, sizeof(learner->answer.reason));
    ngx_http_dt_printable(errstr, errstr, sizeof(learner->answer.errstr));

    /*
     * The first line about a site is for all logs, and so is one about a
     * failure that only a changed configuration can end.
     */

    denied = (ngx_strcmp(reason, "denied") == 0);
    robots = (ngx_strcmp(reason, "robots") == 0);
    level = robots ? NGX_LOG_NOTICE
            : (denied || learner->work.first) ? NGX_LOG_ERR : NGX_LOG_WARN;

    ngx_log_error(level, ngx_cycle->log, 0,
                  "detemplate: no template for \"%s\": %s%s%s, "
                  "key page \"%s\"%s%s%s%s",
                  learner->work.shown, reason, errstr[0] ? ": " : "", errstr,
                  learner->work.job.url,
                  ngx_http_dt_jobs_beyond(learner, beyond), next,
                  denied ? ", set \"detemplate_learner_address\" if only "
                           "some addresses are allowed"
                  : robots ? ", set \"detemplate_robots off\" or "
                             "\"detemplate_learn served\"" : "",
                  learner->work.mute ? ", now learned from pages that "
                                       "visitors are served" : "");
}


/* writes a text about the pages that exceeded the learner's limits, if any */

static u_char *
ngx_http_dt_jobs_beyond(ngx_http_dt_learner_t *learner, u_char *buf)
{
    buf[0] = '\0';

    if (learner->answer.beyond) {
        ngx_sprintf(buf, NGX_HTTP_DT_BEYOND_TEXT "%Z", learner->answer.beyond);
    }

    return buf;
}


/*
 * A learning that failed may have left evidence.  While the site has no
 * template, its snapshot keeps the evidence for the next learning.
 */

static void
ngx_http_dt_jobs_keep_evidence(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner)
{
    ngx_http_dt_publish_t  pub;

    if (learner->data == NULL || learner->fault || learner->work.version
        || learner->answer.rc != DT_DECLINED)
    {
        return;
    }

    ngx_http_dt_learner_answer(learner, &pub);

    (void) ngx_http_dt_snapshot_write(&jobs->walk, &learner->work.site, &pub);
}


/*
 * The program is of another version.  It is not executed again until another
 * file is in its place.
 */

static void
ngx_http_dt_jobs_stop(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner)
{
    u_char  hello[NGX_HTTP_DT_HELLO];

    (void) ngx_http_dt_work_finish(jobs->zone, &learner->work,
                                   NGX_HTTP_DT_RESULT_STOPPED);

    if (jobs->stopped) {
        return;
    }

    jobs->stopped = 1;
    jobs->refused = learner->program;

    ngx_http_dt_printable(hello, learner->child.other, sizeof(hello));

    ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0,
                  "detemplate: nothing is learned: the program \"%V\" calls "
                  "itself \"%s\", but the running module has version %s, "
                  "install the program of that version, or restart nginx "
                  "if the module was replaced as well",
                  &jobs->dmcf->program, hello, DT_VERSION);
}


void
ngx_http_dt_jobs_take(ngx_http_dt_jobs_t *jobs)
{
    ngx_uint_t              n, spare;
    ngx_http_dt_work_t     *work;
    ngx_http_dt_learner_t  *learner;

    ngx_http_dt_plan_mail(&jobs->plan, jobs->zone);
    ngx_http_dt_jobs_ready(jobs);

    for (n = 0; n < NGX_HTTP_DT_JOBS; n++) {

        learner = ngx_http_dt_jobs_free_slot(jobs);

        if (learner == NULL) {
            return;
        }

        work = &learner->work;

        spare = ngx_http_dt_jobs_spare(jobs, NGX_HTTP_DT_SLOT_ASKING,
                                       ngx_http_dt_jobs_max(jobs));

        if (ngx_http_dt_plan_take(&jobs->plan, jobs->zone, spare, work)
            != NGX_OK)
        {
            return;
        }

        learner->jobs = jobs;
        jobs->taken++;

        if (ngx_http_dt_jobs_snapshot(jobs, work) == NGX_OK) {
            ngx_http_dt_jobs_missed(jobs, work);
            ngx_http_dt_jobs_end(jobs, learner, NGX_HTTP_DT_RESULT_TAKEN);
            continue;
        }

        if (work->job.from_host && !jobs->counted) {

            /* the bytes of snapshots have a bound */

            ngx_http_dt_jobs_again(jobs, learner);
            continue;
        }

        if (jobs->redis) {
            ngx_http_dt_redis_lock(jobs->redis, learner,
                                   ngx_http_dt_jobs_lacks(jobs, work),
                                   ngx_http_dt_jobs_answered);

        } else {
            learner->state = NGX_HTTP_DT_SLOT_READY;
        }

        ngx_http_dt_jobs_ready(jobs);
    }
}


/* the number of slots whose jobs would not wait for long */

static ngx_uint_t
ngx_http_dt_jobs_max(ngx_http_dt_jobs_t *jobs)
{
    ngx_uint_t  max;

    max = jobs->max_learners;

    if (jobs->redis && !ngx_http_dt_redis_away(jobs->redis)) {
        max += jobs->ahead;
    }

    return max;
}


static ngx_http_dt_learner_t *
ngx_http_dt_jobs_free_slot(ngx_http_dt_jobs_t *jobs)
{
    ngx_uint_t  i, max;

    max = ngx_http_dt_jobs_max(jobs);

    for (i = 0; jobs->taken < max && i < jobs->nslots; i++) {
        if (jobs->slots[i].state == NGX_HTTP_DT_SLOT_FREE) {
            return &jobs->slots[i];
        }
    }

    return NULL;
}


/*
 * Whether one more site that a client names may have one of max slots, when
 * those in this state or a later one are counted.  Where there is more than
 * one learner, one is kept for other sites, so that slow tenants do not keep
 * them waiting.
 */

static ngx_uint_t
ngx_http_dt_jobs_spare(ngx_http_dt_jobs_t *jobs, ngx_uint_t state,
    ngx_uint_t max)
{
    ngx_uint_t  i, n;

    n = (jobs->max_learners > 1);

    for (i = 0; i < jobs->nslots; i++) {
        n += (jobs->slots[i].state >= state
              && jobs->slots[i].work.job.from_host);
    }

    return n < max;
}


/* starts learners for jobs that only a learning can end */

static void
ngx_http_dt_jobs_ready(ngx_http_dt_jobs_t *jobs)
{
    ngx_uint_t              i;
    ngx_http_dt_learner_t  *learner;

    for (i = 0; i < jobs->nslots; i++) {
        learner = &jobs->slots[i];

        if (learner->state != NGX_HTTP_DT_SLOT_READY) {
            continue;
        }

        if (jobs->nlearners < jobs->max_learners
            && (!learner->work.job.from_host
                || ngx_http_dt_jobs_spare(jobs, NGX_HTTP_DT_SLOT_LEARNING,
                                          jobs->max_learners)))
        {
            ngx_http_dt_jobs_learn(jobs, learner);

        } else if ((ngx_msec_int_t) (learner->deadline - ngx_current_msec)
                   <= 0)
        {
            /* all learners are busy; those of another machine may not be */

            ngx_http_dt_jobs_again(jobs, learner);
        }
    }
}


static void
ngx_http_dt_jobs_learn(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner)
{
    if (ngx_http_dt_work_mine(jobs->zone, &learner->work) != NGX_OK) {
        ngx_http_dt_jobs_free(jobs, learner);
        return;
    }

    if (ngx_http_dt_jobs_refused(jobs, &learner->program)) {
        ngx_http_dt_jobs_end(jobs, learner, NGX_HTTP_DT_RESULT_STOPPED);
        return;
    }

    jobs->stopped = 0;

    if (ngx_http_dt_learner_start(learner, jobs->dmcf, jobs->wake, jobs)
        == NGX_OK)
    {
        jobs->nlearners++;

        ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate learner %P started: \"%V\"",
                       learner->child.pid, &learner->work.site);
        return;
    }

    ngx_cpystrn((u_char *) learner->answer.reason, (u_char *) "fork",
                sizeof(learner->answer.reason));
    ngx_http_dt_jobs_failed(jobs, learner, NGX_HTTP_DT_RESULT_FAILED);
    ngx_http_dt_jobs_free(jobs, learner);
}


/* identifies the program; returns whether it is the file that is known to have
   another version */

static ngx_uint_t
ngx_http_dt_jobs_refused(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_program_t *program)
{
    ngx_file_info_t  fi;

    ngx_memzero(program, sizeof(ngx_http_dt_program_t));

    if (ngx_file_info(jobs->dmcf->program.data, &fi) != NGX_FILE_ERROR) {
        program->uniq = ngx_file_uniq(&fi);
        program->mtime = ngx_file_mtime(&fi);
        program->size = ngx_file_size(&fi);
    }

    return jobs->stopped
           && program->uniq == jobs->refused.uniq
           && program->mtime == jobs->refused.mtime
           && program->size == jobs->refused.size;
}


/*
 * A site without a template may have been evicted, and has a snapshot then.
 * NGX_OK: its template was published, and nothing has to be learned.
 */

static ngx_int_t
ngx_http_dt_jobs_snapshot(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work)
{
    ngx_int_t               rc;
    ngx_http_dt_snapshot_t  s;

    if (work->version || work->anew
        || (work->unsound & NGX_HTTP_DT_UNSOUND_SNAPSHOT))
    {
        return NGX_DECLINED;
    }

    rc = ngx_http_dt_snapshot_read(&jobs->dmcf->path->name, &work->site, 0, 0,
                                   &s);

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate snapshot read: \"%V\" rc:%i",
                   &work->site, rc);

    if (rc == NGX_ERROR) {
        work->unsound |= NGX_HTTP_DT_UNSOUND_SNAPSHOT;
        ngx_http_dt_zone_event(jobs->zone, snapshots_refused);
    }

    if (rc != NGX_OK) {
        return NGX_DECLINED;
    }

    ngx_http_dt_snapshot_used(&jobs->dmcf->path->name, &work->site);

    if (s.pub.info.patterns) {
        rc = ngx_http_dt_jobs_publish(jobs, work, &s.pub);

    } else {
        work->evidence = 1;
        rc = NGX_DECLINED;
    }

    ngx_free(s.pub.data);

    return rc;
}


/* events are not followed for sites that are only in snapshots */

static void
ngx_http_dt_jobs_missed(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work)
{
    dt_frame_t  gap;

    if (jobs->redis) {
        ngx_http_dt_redis_begin(&gap, DT_LINK_GAP, &work->site);
        jobs->news(jobs, &gap);
    }
}


/*
 * Whether pages are to be added to a template whose evidence is not here: the
 * machines that only serve a template do without.
 */

static ngx_uint_t
ngx_http_dt_jobs_lacks(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work)
{
    ngx_http_dt_snapshot_t  s;

    if (work->version == 0 || work->anew) {
        return 0;
    }

    if (ngx_http_dt_snapshot_evidence(&jobs->dmcf->path->name, work, &s)
        != NGX_OK)
    {
        return 1;
    }

    ngx_free(s.pub.data);

    return 0;
}


/* Redis has answered about the lock and the template */

static void
ngx_http_dt_jobs_answered(void *data, dt_frame_t *answer)
{
    ngx_http_dt_learner_t *learner = data;

    ngx_http_dt_work_t  *work;
    ngx_http_dt_jobs_t  *jobs;

    jobs = learner->jobs;
    work = &learner->work;

    ngx_http_dt_redis_locked(jobs->redis, learner, answer);

    if (ngx_http_dt_work_mine(jobs->zone, work) != NGX_OK) {
        ngx_http_dt_jobs_free(jobs, learner);
        return;
    }

    work->last = ngx_max(answer->n, answer->version);

    if (answer->rc == DT_OK
        && ngx_http_dt_jobs_newer(jobs, work, answer) == NGX_OK)
    {
        ngx_http_dt_jobs_end(jobs, learner, NGX_HTTP_DT_RESULT_TAKEN);
        return;
    }

    if (learner->state == NGX_HTTP_DT_SLOT_DENIED) {

        ngx_log_debug1(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate redis lock: \"%V\" is learned by "
                       "another machine", &work->site);

        ngx_http_dt_jobs_again(jobs, learner);
        return;
    }

    if (answer->rc == DT_OK
        && ngx_http_dt_jobs_evidence(jobs, work, answer) != NGX_OK)
    {
        /* without the evidence, a new template would replace the fleet's
           instead of extending it */

        work->unkept = 1;
        ngx_http_dt_jobs_end(jobs, learner, NGX_HTTP_DT_RESULT_TAKEN);
        return;
    }

    learner->state = NGX_HTTP_DT_SLOT_READY;
    learner->deadline = ngx_current_msec + NGX_HTTP_DT_READY_TIME;
}


ngx_int_t
ngx_http_dt_jobs_newer(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work,
    dt_frame_t *answer)
{
    ngx_int_t              rc;
    ngx_http_dt_publish_t  pub;

    if (ngx_http_dt_jobs_pub(jobs, work, answer, &pub) != NGX_OK) {
        return NGX_DECLINED;
    }

    if (!ngx_http_dt_jobs_is_newer(work, &pub)) {
        ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                       "detemplate redis has nothing newer: \"%V\" "
                       "version:%uD, ours:%uD",
                       &work->site, pub.info.version, work->version);
        return NGX_DECLINED;
    }

    if (pub.valid <= ngx_time() && !pub.pinned) {
        return NGX_DECLINED;
    }

    rc = ngx_http_dt_jobs_publish(jobs, work, &pub);

    (void) ngx_http_dt_snapshot_keep(&jobs->walk, work, &pub);

    return rc;
}


/* the template of an answer; not NGX_OK: it is not sound */

static ngx_int_t
ngx_http_dt_jobs_pub(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work,
    dt_frame_t *answer, ngx_http_dt_publish_t *pub)
{
    time_t  learned_at;

    ngx_memzero(pub, sizeof(ngx_http_dt_publish_t));

    if (ngx_http_dt_redis_check(jobs->redis, work, answer->bytes, pub)
        != NGX_OK)
    {
        return NGX_DECLINED;
    }

    learned_at = ngx_min((time_t) pub->info.learned_at, ngx_time());

    pub->valid = learned_at + work->job.valid;
    pub->refresh = learned_at + work->job.refresh;
    pub->source = NGX_HTTP_DT_SOURCE_REDIS;
    pub->from_host = work->job.from_host;
    pub->pinned = (answer->flags & DT_LINK_PINNED) ? NGX_HTTP_DT_PINNED_FLEET
                                                   : 0;
    pub->ends_job = (work->ticket == 0);

    return NGX_OK;
}


/*
 * Keeps the evidence of our template, which another machine has learned.  It
 * was asked for only if it is not here.  Not NGX_OK: it cannot be kept.
 */

static ngx_int_t
ngx_http_dt_jobs_evidence(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work,
    dt_frame_t *answer)
{
    ngx_http_dt_publish_t  pub;

    if (ngx_http_dt_jobs_pub(jobs, work, answer, &pub) == NGX_OK
        && pub.size == pub.info.size
        && ngx_http_dt_jobs_is_same(work, &pub))
    {
        return ngx_http_dt_snapshot_write(&jobs->walk, &work->site, &pub);
    }

    return NGX_OK;
}


static ngx_uint_t
ngx_http_dt_jobs_is_same(ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub)
{
    return pub->info.learned_at == work->learned_at
           && pub->info.version == work->version;
}


/* whether a template is newer than ours, or is pinned and so replaces ours at
   any age */

static ngx_uint_t
ngx_http_dt_jobs_is_newer(ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub)
{
    if (ngx_http_dt_jobs_is_same(work, pub)) {
        return pub->pinned && !work->pinned;
    }

    if (pub->pinned) {
        return 1;
    }

    return !ngx_http_dt_snapshot_older(&pub->info, work)
           && pub->info.learned_at >= work->anew;
}


/* NGX_OK: the template was published, and nothing is to be learned yet */

static ngx_int_t
ngx_http_dt_jobs_publish(ngx_http_dt_jobs_t *jobs, ngx_http_dt_work_t *work,
    ngx_http_dt_publish_t *pub)
{
    if (ngx_http_dt_publish(jobs->zone, &work->site, pub) != NGX_OK) {
        return NGX_DECLINED;
    }

    work->version = pub->info.version;
    work->learned_at = pub->info.learned_at;

    ngx_http_dt_jobs_unpinned(jobs, work, pub);

    return (pub->pinned || ngx_time() < pub->refresh) ? NGX_OK : NGX_DECLINED;
}


/* the job has to wait, without its slot */

static void
ngx_http_dt_jobs_again(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner)
{
    ngx_http_dt_plan_again(&jobs->plan, jobs->zone, &learner->work,
                           NGX_HTTP_DT_RETRY);
    ngx_http_dt_jobs_free(jobs, learner);
}


/* ends the job, if it is still ours, and frees its slot */

static void
ngx_http_dt_jobs_end(ngx_http_dt_jobs_t *jobs, ngx_http_dt_learner_t *learner,
    ngx_uint_t result)
{
    (void) ngx_http_dt_work_finish(jobs->zone, &learner->work, result);
    ngx_http_dt_jobs_free(jobs, learner);
}


static void
ngx_http_dt_jobs_free(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_learner_t *learner)
{
    ngx_http_dt_redis_unlock(jobs->redis, learner);
    ngx_http_dt_learner_close(learner);
    jobs->taken--;
}
