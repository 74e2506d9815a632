
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/extend.h"
#include "ngx_module/zone/job.h"
#include "ngx_module/zone/later.h"
#include "ngx_module/zone/queue.h"


/* no other site is evicted for a postponed page */

void
ngx_http_dt_later_add(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node,
    ngx_http_dt_job_t *job, ngx_uint_t share)
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

    job->uncompared = (node->blob == NULL);

    later->job = ngx_slab_alloc_locked(zone->shpool,
                                       ngx_http_dt_job_size(job));
    if (later->job == NULL) {
        return;
    }

    ngx_http_dt_job_pack(later->job, job);

    later->key = job->key;
    later->share = share;
    node->nlater++;

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate page for later: \"%V\" \"%s\"",
                   &node->name, job->url);
}


/*
 * A page that came while there was no template is compared by a learner with
 * the template that there is now, if a learner has made that.  While there is
 * still no template, the page is another key page to try.  No page is added to
 * a template whose refresh is due, because it is learned anew first.
 */

void
ngx_http_dt_later_next(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_uint_t            kind, share;
    ngx_http_dt_job_t     job;
    ngx_http_dt_later_t  *later;

    while (node->nlater && node->state == NGX_HTTP_DT_STATE_IDLE) {
        later = node->later;
        share = later->share;

        ngx_http_dt_job_unpack(later->job, &job);
        ngx_slab_free_locked(zone->shpool, later->job);

        node->nlater--;
        ngx_memmove(later, &later[1],
                    node->nlater * sizeof(ngx_http_dt_later_t));

        kind = node->blob ? NGX_HTTP_DT_KIND_EXTEND
                          : NGX_HTTP_DT_KIND_FIRST;

        if (node->blob
            && (ngx_time() >= node->refresh
                || !ngx_http_dt_extend_page_due(node, &job, share)
                || (job.uncompared
                    && node->source != NGX_HTTP_DT_SOURCE_LEARNED)))
        {
            continue;
        }

        (void) ngx_http_dt_queue_add(zone, node, &job, kind);
    }
}
