
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/order.h"
#include "ngx_module/manager/snapshot.h"
#include "ngx_module/zone/work.h"


#define NGX_HTTP_DT_FETCH_TIME     20000           /* ms, all */
#define NGX_HTTP_DT_PAGE_TIME      5000            /* ms, each page */
#define NGX_HTTP_DT_LEARN_MEMORY   512             /* MiB */


static void ngx_http_dt_order_previous(ngx_http_dt_work_t *work,
    ngx_str_t *dir, ngx_http_dt_snapshot_t *prev, ngx_log_t *log);
static void ngx_http_dt_order_fill(ngx_http_dt_work_t *work, dt_job_t *to);


ngx_int_t
ngx_http_dt_order(ngx_http_dt_learner_t *learner, ngx_http_dt_zone_t *zone,
    ngx_str_t *dir, u_char *key, ngx_log_t *log)
{
    u_char                   header[sizeof(DT_JOB_MARKER ":  ")
                                    + NGX_HTTP_DT_KEY_LEN
                                    + NGX_INET6_ADDRSTRLEN];
    u_char                   visited[DT_JOB_VISITED * DT_JOB_STRING];
    u_char                  *client;
    dt_job_t                 to;
    ngx_http_dt_snapshot_t   prev;

    ngx_http_dt_order_previous(&learner->work, dir, &prev, log);
    ngx_http_dt_work_pages(zone, &learner->work, visited);

    /* who may act as the learner may also say whose address it has */

    client = learner->work.job.client;

    ngx_snprintf(header, sizeof(header), "%s: %s%s%s%Z", DT_JOB_MARKER,
                 key, client[0] ? " " : "", client);

    ngx_memzero(&to, sizeof(dt_job_t));

    to.header = (char *) header;
    to.visited = (char *) visited;
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
 * Reads the template so far with its evidence; prev is all zero if there is
 * none, and the site is learned as if nothing were known.
 */

static void
ngx_http_dt_order_previous(ngx_http_dt_work_t *work, ngx_str_t *dir,
    ngx_http_dt_snapshot_t *prev, ngx_log_t *log)
{
    u_char  name[NGX_HTTP_DT_MAX_SITE + 1];

    /* of a site without a template, the manager has read the snapshot */

    if (!work->anew
        && (work->version || work->evidence)
        && ngx_http_dt_snapshot_read(dir, &work->site, 1, prev, log)
           == NGX_OK)
    {
        if (prev->pub.size == prev->pub.info.size
            && !ngx_http_dt_snapshot_older(&prev->pub.info, work))
        {
            return;
        }

        ngx_free(prev->pub.data);
    }

    ngx_memzero(prev, sizeof(ngx_http_dt_snapshot_t));

    if (work->version && !work->anew && !work->failing) {
        ngx_http_dt_printable(name, work->name, sizeof(name));

        ngx_log_error(NGX_LOG_NOTICE, log, 0,
                      "detemplate: no snapshot of \"%s\" is left, the site is "
                      "learned anew", name);
    }
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
    to->page_ms = NGX_HTTP_DT_PAGE_TIME;
    to->fetch_ms = NGX_HTTP_DT_FETCH_TIME;
    to->memory_mb = NGX_HTTP_DT_LEARN_MEMORY;
    to->shared = job->shared;
}


void
ngx_http_dt_order_number(ngx_http_dt_work_t *work, ngx_str_t *dir,
    ngx_http_dt_publish_t *pub, ngx_log_t *log)
{
    uint32_t                last;
    ngx_log_t               quiet;
    ngx_uint_t              n;
    ngx_http_dt_snapshot_t  s;

    /* the log was told already of what is not sound */

    quiet = *log;
    quiet.log_level = ngx_min(log->log_level, NGX_LOG_ERR);

    last = ngx_max(work->version, work->last);

    for (n = 0; n <= NGX_HTTP_DT_EARLIER; n++) {

        if (ngx_http_dt_snapshot_read_one(dir, &work->site, n, 0, &s, &quiet)
            == NGX_OK)
        {
            last = ngx_max(last, s.pub.info.version);
            ngx_free(s.pub.data);
        }
    }

    if (pub->info.version <= last && last < NGX_MAX_UINT32_VALUE) {
        pub->info.version = last + 1;
        dt_template_renumber(pub->data, last + 1);
    }
}
