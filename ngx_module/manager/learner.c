
/*
 * Copyright (C) The detemplate authors
 */


#include <sys/resource.h>
#include <sys/wait.h>

#include "ngx_module/manager/learner.h"
#include "ngx_module/manager/snapshot.h"
#include "ngx_module/zone/store.h"
#include "ngx_module/zone/zone.h"


/* ms; before, its own alarm ends it */

#define NGX_HTTP_DT_KILL_TIME      ((NGX_HTTP_DT_LEARN_TIME + 5) * 1000)

#define NGX_HTTP_DT_FETCH_TIME     40000           /* ms, all */
#define NGX_HTTP_DT_PAGE_TIME      5000            /* ms, each page */
#define NGX_HTTP_DT_LEARN_MEMORY   512             /* MiB */


static ngx_int_t ngx_http_dt_learner_order(ngx_http_dt_learner_t *learner,
    ngx_http_dt_main_conf_t *dmcf);
static void ngx_http_dt_learner_previous(ngx_http_dt_work_t *work,
    ngx_str_t *dir, ngx_http_dt_snapshot_t *prev);
static ngx_msec_t ngx_http_dt_learner_ms(struct timeval *tv);
static void ngx_http_dt_learner_read(ngx_http_dt_learner_t *learner);
static void ngx_http_dt_learner_fault(
    ngx_http_dt_learner_t *learner, const char *fault);
static ngx_int_t ngx_http_dt_learner_end(
    ngx_http_dt_learner_t *learner, int status);
static void ngx_http_dt_learner_ended(
    ngx_http_dt_learner_t *learner, int status);
static ngx_uint_t ngx_http_dt_learner_sound(ngx_http_dt_learner_t *learner);
static void ngx_http_dt_learner_why(
    ngx_http_dt_learner_t *learner, const char *what, int value);


ngx_int_t
ngx_http_dt_learner_start(ngx_http_dt_learner_t *learner,
    ngx_http_dt_main_conf_t *dmcf, void (*handler)(void *data), void *data)
{
    if (ngx_http_dt_child_start(&learner->child, &dmcf->program,
                                NGX_HTTP_DT_CHILD_LEARNER, handler, data)
        != NGX_OK
        || ngx_http_dt_learner_order(learner, dmcf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    learner->started = ngx_current_msec;
    learner->deadline = ngx_current_msec + NGX_HTTP_DT_KILL_TIME;
    learner->state = NGX_HTTP_DT_SLOT_LEARNING;

    return NGX_OK;
}


/*
 * Sends the job to the learner, with the template to extend.  The key page is
 * drawn from the zone.
 */

static ngx_int_t
ngx_http_dt_learner_order(ngx_http_dt_learner_t *learner,
    ngx_http_dt_main_conf_t *dmcf)
{
    u_char                  header[sizeof(DT_JOB_MARKER ":  ")
                                   + NGX_HTTP_DT_KEY_LEN
                                   + NGX_INET6_ADDRSTRLEN];
    u_char                  visited[DT_JOB_VISITED * DT_JOB_STRING];
    u_char                  pages[NGX_MAX_PATH];
    dt_job_t                to;
    ngx_int_t               rc;
    ngx_uint_t              n;
    ngx_http_dt_job_t      *job;
    ngx_http_dt_zone_t     *zone;
    ngx_http_dt_snapshot_t  prev;

    zone = dmcf->shm_zone->data;
    job = &learner->work.job;

    ngx_http_dt_learner_previous(&learner->work, &dmcf->path->name, &prev);
    ngx_http_dt_store_take(zone, &dmcf->path->name, &learner->work.site,
                           pages);
    ngx_http_dt_work_pages(zone, &learner->work, visited);

    /* a request with the learner's key is trusted with the client's address */

    ngx_snprintf(header, sizeof(header), "%s: %s%s%s%Z", DT_JOB_MARKER,
                 ngx_http_dt_zone_key(zone), job->client[0] ? " " : "",
                 job->client);

    /* before a reload, a module with more detectors may have queued the job */

    for (n = 0; n < job->detector && dt_job_detectors[n + 1]; n++) {
        /* void */
    }

    ngx_memzero(&to, sizeof(dt_job_t));

    to.prev.data = prev.pub.data;
    to.prev.len = prev.pub.info.size;
    to.url = dt_cstr((char *) job->url);
    to.origin = dt_cstr((char *) job->origin);
    to.connect = dt_cstr(job->origin[0] ? "" : (char *) job->connect);
    to.header = dt_cstr((char *) header);
    to.detector = dt_cstr(dt_job_detectors[n]);
    to.visited = dt_cstr((char *) visited);
    to.pages = dt_cstr((char *) pages);
    to.served = learner->work.served;
    to.insecure = (job->origin[0] == '\0');
    to.candidates = job->candidates;
    to.votes = job->votes;
    to.loads = job->loads;
    to.page_ms = NGX_HTTP_DT_PAGE_TIME;
    to.fetch_ms = NGX_HTTP_DT_FETCH_TIME;
    to.memory_mb = NGX_HTTP_DT_LEARN_MEMORY;
    to.shared = job->shared;
    to.robots = job->robots;
    to.once = job->once;
    to.requests = learner->work.requests;

    rc = ngx_http_dt_child_send(&learner->child, &dt_wire_job, &to);

    if (prev.pub.data) {
        ngx_free(prev.pub.data);
    }

    return rc;
}


/*
 * Reads the template so far with its evidence; prev is all zero if there is
 * none, and the site is learned as if nothing were known.
 */

static void
ngx_http_dt_learner_previous(ngx_http_dt_work_t *work, ngx_str_t *dir,
    ngx_http_dt_snapshot_t *prev)
{
    /* the manager has read the snapshot of a site without a template */

    if (!work->anew
        && (work->version || work->evidence)
        && ngx_http_dt_snapshot_evidence(dir, work, prev) == NGX_OK)
    {
        return;
    }

    ngx_memzero(prev, sizeof(ngx_http_dt_snapshot_t));

    if (work->version && !work->anew && !work->failing) {
        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "detemplate: no snapshot of \"%s\" is left, the site is "
                      "learned anew", work->shown);
    }
}


ngx_int_t
ngx_http_dt_learner_poll(ngx_http_dt_learner_t *learner)
{
    int                   status;
    ngx_pid_t             pid;
    struct rusage         used;
    ngx_http_dt_child_t  *child;

    child = &learner->child;

    ngx_http_dt_learner_read(learner);

    pid = wait4(child->pid, &status, WNOHANG, &used);

    if (pid == 0) {

        if (learner->state != NGX_HTTP_DT_SLOT_KILLED
            && (learner->fault
                || (ngx_msec_int_t) (learner->deadline - ngx_current_msec)
                   <= 0))
        {
            ngx_http_dt_learner_fault(learner, "killed");
            ngx_http_dt_child_kill(child);
            learner->state = NGX_HTTP_DT_SLOT_KILLED;
        }

        return NGX_AGAIN;
    }

    if (pid == -1) {

        if (ngx_errno == NGX_EINTR) {
            return NGX_AGAIN;
        }

        /* the process is gone, and its exit status was taken elsewhere */

        status = 0;
        ngx_memzero(&used, sizeof(struct rusage));
    }

    child->pid = 0;
    learner->work.cpu = ngx_http_dt_learner_ms(&used.ru_utime)
                        + ngx_http_dt_learner_ms(&used.ru_stime);

    /* read the output written since the last read */

    while (ngx_http_dt_child_read(child) == NGX_OK) {
        ngx_http_dt_learner_read(learner);
    }

    ngx_http_dt_child_listen(child);

    return ngx_http_dt_learner_end(learner, status);
}


static ngx_msec_t
ngx_http_dt_learner_ms(struct timeval *tv)
{
    return (ngx_msec_t) tv->tv_sec * 1000 + tv->tv_usec / 1000;
}


void
ngx_http_dt_learner_close(ngx_http_dt_learner_t *learner)
{
    ngx_http_dt_child_close(&learner->child);
    ngx_free(learner->data);
    ngx_memzero(learner, sizeof(ngx_http_dt_learner_t));
}


/* takes the answer, which must be the last message */

static void
ngx_http_dt_learner_read(ngx_http_dt_learner_t *learner)
{
    ngx_int_t             rc;
    dt_answer_t           answer;
    ngx_http_dt_child_t  *child;

    child = &learner->child;

    ngx_http_dt_child_listen(child);

    if (!learner->answered) {
        rc = ngx_http_dt_child_next(child, &dt_wire_answer, &answer);

        if (rc == NGX_ERROR) {
            ngx_http_dt_learner_fault(learner, child->fault);
        }

        if (rc != NGX_OK) {
            return;
        }

        learner->answered = 1;
        learner->answer = answer;

        if (answer.bytes.len) {
            learner->data = ngx_alloc(answer.bytes.len, ngx_cycle->log);

            if (learner->data == NULL) {
                ngx_http_dt_learner_fault(learner, "memory");
                return;
            }

            ngx_memcpy(learner->data, answer.bytes.data, answer.bytes.len);
        }
    }

    if (child->len > child->taken) {
        ngx_http_dt_learner_fault(learner, "protocol");
    }
}


void
ngx_http_dt_learner_answer(ngx_http_dt_learner_t *learner,
    ngx_http_dt_publish_t *pub)
{
    ngx_memzero(pub, sizeof(ngx_http_dt_publish_t));

    dt_template_info(learner->data, &pub->info);

    pub->data = learner->data;
    pub->size = pub->info.size;
    pub->valid = ngx_time() + learner->work.job.valid;
    pub->refresh = ngx_time() + learner->work.job.refresh;
    pub->source = NGX_HTTP_DT_SOURCE_LEARNED;
    pub->from_host = learner->work.job.from_host;
}


static void
ngx_http_dt_learner_fault(ngx_http_dt_learner_t *learner, const char *fault)
{
    if (learner->fault == NULL) {
        learner->fault = fault;
    }

    ngx_http_dt_child_shut(&learner->child);
}


static ngx_int_t
ngx_http_dt_learner_end(ngx_http_dt_learner_t *learner, int status)
{
    dt_answer_t  *answer;

    if (learner->child.other[0]) {
        return NGX_ABORT;
    }

    answer = &learner->answer;

    ngx_http_dt_learner_ended(learner, status);

    if (learner->fault == NULL && learner->data) {

        if (!ngx_http_dt_learner_sound(learner)) {
            learner->fault = "template";

        } else if (answer->rc == DT_OK) {
            return NGX_OK;
        }
    }

    if (learner->fault) {
        ngx_cpystrn((u_char *) answer->reason, (u_char *) learner->fault,
                    sizeof(answer->reason));
    }

    if (answer->reason[0] == '\0') {
        ngx_cpystrn((u_char *) answer->reason,
                    (u_char *) dt_strstatus((dt_status_t) answer->rc),
                    sizeof(answer->reason));
    }

    return NGX_DECLINED;
}


/* the fault that the status of the process shows, if any */

static void
ngx_http_dt_learner_ended(ngx_http_dt_learner_t *learner, int status)
{
    if (WIFSIGNALED(status)) {

        switch (WTERMSIG(status)) {

        case SIGALRM:
            learner->fault = "timeout";
            break;

        case SIGXCPU:
            learner->fault = "cpu";
            break;

        default:
            ngx_http_dt_learner_fault(learner, "crashed");
        }

        ngx_http_dt_learner_why(learner, "learner ended by signal",
                                WTERMSIG(status));
        return;
    }

    if (!learner->answered) {
        ngx_http_dt_learner_fault(learner, "no-answer");
    }

    if (learner->fault) {
        ngx_http_dt_learner_why(learner, "learner exited with code",
                                WEXITSTATUS(status));
    }
}


/* whether the template is sound: with DT_OK it serves, else it is evidence */

static ngx_uint_t
ngx_http_dt_learner_sound(ngx_http_dt_learner_t *learner)
{
    const char          *why;
    dt_answer_t         *answer;
    dt_template_info_t   info;

    answer = &learner->answer;

    if (dt_template_check(learner->data, answer->bytes.len, &why) != DT_OK) {
        return 0;
    }

    dt_template_info(learner->data, &info);

    return info.size == answer->bytes.len
           && (info.patterns != 0) == (answer->rc == DT_OK);
}


/* describes how the process ended, with its last line */

static void
ngx_http_dt_learner_why(ngx_http_dt_learner_t *learner, const char *what,
    int value)
{
    u_char  *p, *last;

    p = (u_char *) learner->answer.errstr;
    last = p + sizeof(learner->answer.errstr) - 1;

    p = ngx_slprintf(p, last, "%s %d", what, value);

    if (learner->child.last_line[0]) {
        p = ngx_slprintf(p, last, ": %s", learner->child.last_line);
    }

    *p = '\0';
}
