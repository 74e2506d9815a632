
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/manager/plan.h"
#include "ngx_module/zone/work.h"


/*
 * A plan has at most as many sites as the zone.  A site that the zone has
 * evicted meanwhile is dropped when its turn comes.
 */


static void ngx_http_dt_plan_add(ngx_http_dt_plan_t *plan,
    ngx_http_dt_wish_t *wish);
static ngx_http_dt_wish_t *ngx_http_dt_plan_first(ngx_http_dt_plan_t *plan,
    ngx_uint_t from_host);


void
ngx_http_dt_plan_mail(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone)
{
    ngx_http_dt_wish_t  *wish;

    for ( ;; ) {
        wish = ngx_calloc(sizeof(ngx_http_dt_wish_t), ngx_cycle->log);

        if (wish == NULL) {
            return;
        }

        if (ngx_http_dt_work_mail(zone, wish) != NGX_OK) {
            ngx_free(wish);
            return;
        }

        ngx_http_dt_plan_add(plan, wish);
    }
}


/*
 * Within a class, servers take turns: each turn has at most one site of a
 * server, and sites of an earlier turn are taken first.
 */

static void
ngx_http_dt_plan_add(ngx_http_dt_plan_t *plan, ngx_http_dt_wish_t *wish)
{
    ngx_queue_t         *q;
    ngx_http_dt_wish_t  *other;

    wish->turn = plan->turns[wish->class];

    for (q = ngx_queue_head(&plan->wishes);
         q != ngx_queue_sentinel(&plan->wishes);
         q = ngx_queue_next(q))
    {
        other = ngx_queue_data(q, ngx_http_dt_wish_t, queue);

        if (other->class == wish->class && other->server == wish->server) {
            wish->turn = ngx_max(wish->turn, other->turn);
        }
    }

    wish->turn++;
    ngx_queue_insert_tail(&plan->wishes, &wish->queue);
}


ngx_int_t
ngx_http_dt_plan_take(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone,
    ngx_uint_t from_host, ngx_http_dt_work_t *work)
{
    ngx_int_t            rc;
    ngx_http_dt_wish_t  *wish;

    do {
        wish = ngx_http_dt_plan_first(plan, from_host);

        if (wish == NULL) {
            return NGX_DECLINED;
        }

        rc = ngx_http_dt_work_take(zone, &wish->site, work);

        if (rc == NGX_OK) {
            work->class = wish->class;
            work->server = wish->server;
            work->locked_since = wish->locked_since;
            work->unsound = wish->unsound;

            plan->turns[work->class] = ngx_max(plan->turns[work->class],
                                               wish->turn);

            ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                           "detemplate site taken: \"%V\" version:%uD",
                           &work->site, work->version);
        }

        ngx_queue_remove(&wish->queue);
        ngx_free(wish);

    } while (rc != NGX_OK);

    return NGX_OK;
}


static ngx_http_dt_wish_t *
ngx_http_dt_plan_first(ngx_http_dt_plan_t *plan, ngx_uint_t from_host)
{
    ngx_queue_t         *q;
    ngx_http_dt_wish_t  *wish, *first;

    first = NULL;

    for (q = ngx_queue_head(&plan->wishes);
         q != ngx_queue_sentinel(&plan->wishes);
         q = ngx_queue_next(q))
    {
        wish = ngx_queue_data(q, ngx_http_dt_wish_t, queue);

        if ((ngx_msec_int_t) (wish->at - ngx_current_msec) <= 0
            && (from_host || !wish->from_host)
            && (first == NULL
                || wish->class < first->class
                || (wish->class == first->class && wish->turn < first->turn)))
        {
            first = wish;
        }
    }

    return first;
}


void
ngx_http_dt_plan_again(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_msec_t delay)
{
    ngx_http_dt_wish_t  *wish;

    wish = ngx_calloc(sizeof(ngx_http_dt_wish_t), ngx_cycle->log);

    if (wish == NULL) {
        (void) ngx_http_dt_work_finish(zone, work,
                                       NGX_HTTP_DT_RESULT_STOPPED);
        return;
    }

    ngx_http_dt_work_wait(zone, work);

    wish->locked_since = work->locked_since;
    wish->unsound = work->unsound;
    wish->class = work->class;
    wish->server = work->server;
    wish->from_host = work->job.from_host;
    wish->at = ngx_current_msec + delay;
    ngx_http_dt_copy_name(&wish->site, wish->name, &work->site);

    ngx_http_dt_plan_add(plan, wish);

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate site put back: \"%V\" for %M ms",
                   &work->site, delay);
}


ngx_msec_t
ngx_http_dt_plan_due(ngx_http_dt_plan_t *plan, ngx_msec_t max)
{
    ngx_queue_t         *q;
    ngx_msec_int_t       left, least;
    ngx_http_dt_wish_t  *wish;

    least = max;

    for (q = ngx_queue_head(&plan->wishes);
         q != ngx_queue_sentinel(&plan->wishes);
         q = ngx_queue_next(q))
    {
        wish = ngx_queue_data(q, ngx_http_dt_wish_t, queue);
        left = (ngx_msec_int_t) (wish->at - ngx_current_msec);
        least = ngx_min(least, left);
    }

    return ngx_max(least, 0);
}
