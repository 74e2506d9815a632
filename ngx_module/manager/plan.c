
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/plan.h"


/*
 * A plan has at most as many sites as the zone.  One that has gone from the
 * zone meanwhile is found out when its turn comes.
 */


typedef struct {
    ngx_queue_t                    queue;
    uint64_t                       turn;       /* in its class */
    ngx_msec_t                     locked_since;  /* see work */
    ngx_uint_t                     unsound;    /* likewise */
    ngx_http_dt_wish_t             wish;
} ngx_http_dt_planned_t;


static void ngx_http_dt_plan_add(ngx_http_dt_plan_t *plan,
    ngx_http_dt_planned_t *planned);
static ngx_http_dt_planned_t *ngx_http_dt_plan_first(ngx_http_dt_plan_t *plan,
    ngx_uint_t from_host);


void
ngx_http_dt_plan_create(ngx_http_dt_plan_t *plan)
{
    ngx_queue_init(&plan->wishes);
}


void
ngx_http_dt_plan_mail(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone)
{
    ngx_http_dt_planned_t  *planned;

    for ( ;; ) {
        planned = ngx_calloc(sizeof(ngx_http_dt_planned_t), ngx_cycle->log);

        if (planned == NULL) {
            return;
        }

        if (ngx_http_dt_work_mail(zone, &planned->wish) != NGX_OK) {
            ngx_free(planned);
            return;
        }

        ngx_http_dt_plan_add(plan, planned);
    }
}


/*
 * Within a class, servers take turns: each turn has at most one site of a
 * server, and sites of an earlier turn are taken first.
 */

static void
ngx_http_dt_plan_add(ngx_http_dt_plan_t *plan, ngx_http_dt_planned_t *planned)
{
    ngx_queue_t            *q;
    ngx_http_dt_wish_t     *wish;
    ngx_http_dt_planned_t  *other;

    wish = &planned->wish;
    planned->turn = plan->turns[wish->class];

    for (q = ngx_queue_head(&plan->wishes);
         q != ngx_queue_sentinel(&plan->wishes);
         q = ngx_queue_next(q))
    {
        other = ngx_queue_data(q, ngx_http_dt_planned_t, queue);

        if (other->wish.class == wish->class
            && other->wish.server == wish->server)
        {
            planned->turn = ngx_max(planned->turn, other->turn);
        }
    }

    planned->turn++;
    ngx_queue_insert_tail(&plan->wishes, &planned->queue);
}


ngx_int_t
ngx_http_dt_plan_take(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone,
    ngx_uint_t from_host, ngx_http_dt_work_t *work)
{
    ngx_int_t               rc;
    ngx_http_dt_planned_t  *planned;

    do {
        planned = ngx_http_dt_plan_first(plan, from_host);

        if (planned == NULL) {
            return NGX_DECLINED;
        }

        rc = ngx_http_dt_work_take(zone, &planned->wish.site, work);

        if (rc == NGX_OK) {
            work->class = planned->wish.class;
            work->server = planned->wish.server;
            work->locked_since = planned->locked_since;
            work->unsound = planned->unsound;

            plan->turns[work->class] = ngx_max(plan->turns[work->class],
                                               planned->turn);

            ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                           "detemplate site taken: \"%V\" version:%uD",
                           &work->site, work->version);
        }

        ngx_queue_remove(&planned->queue);
        ngx_free(planned);

    } while (rc != NGX_OK);

    return NGX_OK;
}


static ngx_http_dt_planned_t *
ngx_http_dt_plan_first(ngx_http_dt_plan_t *plan, ngx_uint_t from_host)
{
    ngx_queue_t            *q;
    ngx_http_dt_planned_t  *planned, *first;

    first = NULL;

    for (q = ngx_queue_head(&plan->wishes);
         q != ngx_queue_sentinel(&plan->wishes);
         q = ngx_queue_next(q))
    {
        planned = ngx_queue_data(q, ngx_http_dt_planned_t, queue);

        if ((ngx_msec_int_t) (planned->wish.at - ngx_current_msec) <= 0
            && (from_host || !planned->wish.from_host)
            && (first == NULL
                || planned->wish.class < first->wish.class
                || (planned->wish.class == first->wish.class
                    && planned->turn < first->turn)))
        {
            first = planned;
        }
    }

    return first;
}


void
ngx_http_dt_plan_again(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_msec_t delay)
{
    ngx_http_dt_planned_t  *planned;

    planned = ngx_calloc(sizeof(ngx_http_dt_planned_t), ngx_cycle->log);

    if (planned == NULL) {
        (void) ngx_http_dt_work_finish(zone, work,
                                       NGX_HTTP_DT_RESULT_STOPPED);
        return;
    }

    ngx_http_dt_work_wait(zone, work);

    planned->locked_since = work->locked_since;
    planned->unsound = work->unsound;
    planned->wish.class = work->class;
    planned->wish.server = work->server;
    planned->wish.from_host = work->job.from_host;
    planned->wish.at = ngx_current_msec + delay;
    planned->wish.site.data = planned->wish.name;
    planned->wish.site.len = work->site.len;
    ngx_memcpy(planned->wish.name, work->name, work->site.len);

    ngx_http_dt_plan_add(plan, planned);

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate site put back: \"%V\" for %M ms",
                   &work->site, delay);
}


ngx_msec_t
ngx_http_dt_plan_due(ngx_http_dt_plan_t *plan, ngx_msec_t max)
{
    ngx_queue_t            *q;
    ngx_msec_int_t          left, least;
    ngx_http_dt_planned_t  *planned;

    least = max;

    for (q = ngx_queue_head(&plan->wishes);
         q != ngx_queue_sentinel(&plan->wishes);
         q = ngx_queue_next(q))
    {
        planned = ngx_queue_data(q, ngx_http_dt_planned_t, queue);
        left = (ngx_msec_int_t) (planned->wish.at - ngx_current_msec);
        least = ngx_min(least, left);
    }

    return ngx_max(least, 0);
}
