
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/order.h"
#include "ngx_module/manager/printable.h"
#include "ngx_module/manager/snapshot.h"


#define NGX_HTTP_DT_FETCH_TIME     20000           /* ms, all */
#define NGX_HTTP_DT_PAGE_TIME      5000            /* ms, each page */
#define NGX_HTTP_DT_LEARN_MEMORY   512             /* MiB */


static ngx_int_t ngx_http_dt_order_previous(ngx_http_dt_work_t *work,
    ngx_str_t *dir, ngx_http_dt_snapshot_t *prev, ngx_log_t *log);
static void ngx_http_dt_order_lost(ngx_http_dt_work_t *work, ngx_log_t *log);
static void ngx_http_dt_order_fill(ngx_http_dt_work_t *work, dt_job_t *to);
static void ngx_http_dt_order_loads(ngx_http_dt_work_t *work, dt_job_t *to);


ngx_int_t
ngx_http_dt_order(ngx_http_dt_learner_t *learner, ngx_str_t *dir, u_char *key,
    ngx_log_t *log)
{
    u_char                   header[sizeof(DT_JOB_MARKER ":  ")
                                    + NGX_HTTP_DT_KEY_LEN
                                    + NGX_INET6_ADDRSTRLEN];
    u_char                  *client;
    dt_job_t                 to;
    ngx_int_t                rc;
    ngx_http_dt_snapshot_t   prev;

    rc = ngx_http_dt_order_previous(&learner->work, dir, &prev, log);

    if (rc != NGX_OK) {
        return rc;
    }

    /* who may act as the learner may also say whose address it has */

    client = learner->work.job.client;

    ngx_snprintf(header, sizeof(header), "%s: %s%s%s%Z", DT_JOB_MARKER,
                 key, client[0] ? " " : "", client);

    ngx_memzero(&to, sizeof(dt_job_t));

    to.header = (char *) header;
    to.prev = prev.pub.data;
    to.prev_len = prev.pub.info.size;

    ngx_http_dt_order_fill(&learner->work, &to);

    learner->order_size = dt_job_size(&to);
    learner->order = learner->order_size ? ngx_alloc(learner->order_size, log)
                                         : NULL;

    if (learner->order) {
        dt_job_encode(&to, (char *) learner->order);
    }

    if (prev.pub.data) {
        ngx_free(prev.pub.data);
    }

    return learner->order ? NGX_OK : NGX_ERROR;
}


/*
 * Reads the template that the page is added to; prev is all zero if there is
 * none.  NGX_DECLINED: there must be one, and it is lost.  NGX_DONE: it has no
 * evidence, and counts as having all the key pages that it may have.
 */

static ngx_int_t
ngx_http_dt_order_previous(ngx_http_dt_work_t *work, ngx_str_t *dir,
    ngx_http_dt_snapshot_t *prev, ngx_log_t *log)
{
    /* of a site without a template, the manager has read the snapshot */

    if (work->anew
        || (work->version == 0 && !work->evidence)
        || ngx_http_dt_snapshot_read(dir, &work->site, 1, prev, log)
           != NGX_OK)
    {
        ngx_memzero(prev, sizeof(ngx_http_dt_snapshot_t));

    } else if (prev->pub.size != prev->pub.info.size) {

        /* Redis did not give the evidence of what another machine learned */

        ngx_free(prev->pub.data);
        ngx_memzero(prev, sizeof(ngx_http_dt_snapshot_t));

        if (work->kind == NGX_HTTP_DT_KIND_EXTEND) {
            work->pages.n = NGX_HTTP_DT_KEYS;
            return NGX_DONE;
        }
    }

    if (work->kind != NGX_HTTP_DT_KIND_EXTEND
        || (prev->pub.data
            && !ngx_http_dt_snapshot_older(&prev->pub.info, work)))
    {
        return NGX_OK;
    }

    if (prev->pub.data) {
        ngx_free(prev->pub.data);
    }

    ngx_http_dt_order_lost(work, log);

    return NGX_DECLINED;
}


/*
 * A page that is added to nothing would replace the template, with the few
 * loads that are left.  So the site is learned anew, with all its loads.
 */

static void
ngx_http_dt_order_lost(ngx_http_dt_work_t *work, ngx_log_t *log)
{
    u_char  name[NGX_HTTP_DT_MAX_SITE + 1];

    ngx_http_dt_printable(name, work->name, sizeof(name));

    ngx_log_error(NGX_LOG_NOTICE, log, 0,
                  "detemplate: no snapshot of \"%s\" is left, the site is "
                  "learned anew", name);
}


static void
ngx_http_dt_order_fill(ngx_http_dt_work_t *work, dt_job_t *to)
{
    ngx_uint_t          n;
    ngx_http_dt_job_t  *job;

    job = &work->job;

    /* a module that knew more detectors may have queued it before a reload */

    for (n = 0; n < job->detector && dt_job_detectors[n + 1]; n++) {
        /* void */
    }

    to->url = (char *) job->url;
    to->origin = (char *) job->origin;
    to->connect = job->origin[0] ? "" : (char *) job->connect;
    to->insecure = (job->origin[0] == '\0');
    to->detector = dt_job_detectors[n];
    to->candidates = job->candidates;
    to->votes = job->votes;
    to->loads = job->loads;
    to->fresh = ngx_min(job->refresh / 2, (time_t) NGX_MAX_INT32_VALUE);
    to->page_ms = NGX_HTTP_DT_PAGE_TIME;
    to->fetch_ms = NGX_HTTP_DT_FETCH_TIME;
    to->memory_mb = NGX_HTTP_DT_LEARN_MEMORY;
    to->shared = job->shared;

    ngx_http_dt_order_loads(work, to);
}


/* the loads that the site has not used up */

static void
ngx_http_dt_order_loads(ngx_http_dt_work_t *work, dt_job_t *to)
{
    if (work->kind == NGX_HTTP_DT_KIND_EXTEND) {
        to->used = dt_due_used(work->pages.loads, to->loads);
        to->loads -= ngx_min(work->pages.loads, to->loads - 1);
        to->extend = 1;
        to->uncompared = work->job.uncompared;

    } else if (work->evidence) {

        /* failed learnings must leave enough loads for one that succeeds */

        to->loads -= ngx_min(work->pages.loads, to->loads / 2);
    }
}
