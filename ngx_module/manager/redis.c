
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/redis.h"


/*
 * The token of locks is that of the zone.  So when a manager dies, its locks
 * are still ours, and the next manager can take them again.  A lock that may
 * have expired is not given back, since it may be another machine's.
 */


#define NGX_HTTP_DT_LOCK_TIME   60         /* seconds */
#define NGX_HTTP_DT_LOCK_SURE   50000      /* ms: it cannot have expired */
#define NGX_HTTP_DT_LOCK_WAIT   120000     /* ms: twice its time */
#define NGX_HTTP_DT_REFUSALS    4          /* texts: a job makes as many
                                              calls */


struct ngx_http_dt_redis_s {
    ngx_http_dt_link_t            *link;
    ngx_http_dt_zone_t            *zone;

    ngx_http_dt_redis_pt           got;
    void                          *data;

    u_char                         refusals[NGX_HTTP_DT_REFUSALS]
                                           [DT_ERRSTR];
                                               /* the last ones, which are
                                                  logged once */
    ngx_uint_t                     nrefusals;  /* logged so far */
};


static void ngx_http_dt_redis_answered(void *data, dt_frame_t *answer);
static void ngx_http_dt_redis_locked(ngx_http_dt_learner_t *learner,
    ngx_uint_t other);
static ngx_uint_t ngx_http_dt_redis_holds(ngx_http_dt_learner_t *learner);
static void ngx_http_dt_redis_done(void *data, dt_frame_t *answer);
static const char *ngx_http_dt_redis_unsound(dt_str_t bytes,
    dt_template_info_t *info);
static void ngx_http_dt_redis_begin(dt_frame_t *order, ngx_uint_t what,
    ngx_str_t *site);


/* one in this process */

static ngx_http_dt_redis_t  *ngx_http_dt_redis_self;


ngx_http_dt_redis_t *
ngx_http_dt_redis_create(ngx_http_dt_main_conf_t *dmcf,
    ngx_http_dt_link_pt news, void (*done)(void *data), void *data)
{
    ngx_http_dt_redis_t  *redis;

    redis = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_http_dt_redis_t));
    if (redis == NULL) {
        return NULL;
    }

    redis->zone = dmcf->shm_zone->data;
    redis->data = data;

    ngx_http_dt_redis_self = redis;

    redis->link = ngx_http_dt_link_create(dmcf, news, done, data);

    return redis->link ? redis : NULL;
}


void
ngx_http_dt_redis_ask(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_uint_t whole,
    ngx_http_dt_redis_pt got)
{
    dt_frame_t  order;

    redis->got = got;

    learner->state = NGX_HTTP_DT_SLOT_ASKING;
    learner->locked = ngx_current_msec;

    ngx_http_dt_redis_begin(&order, DT_LINK_LOCK, &learner->work.site);

    order.flags = whole ? DT_LINK_WHOLE : 0;
    order.ttl = NGX_HTTP_DT_LOCK_TIME;

    ngx_http_dt_link_order(redis->link, &order, ngx_http_dt_redis_answered,
                           learner);
}


static void
ngx_http_dt_redis_answered(void *data, dt_frame_t *answer)
{
    ngx_http_dt_redis_t    *redis;
    ngx_http_dt_learner_t  *learner;

    learner = data;
    redis = ngx_http_dt_redis_self;

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate redis get: \"%V\" rc:%uD flags:%uxD",
                   &learner->work.site, answer->rc, answer->flags);

    ngx_http_dt_redis_note(redis, answer);

    if (answer->rc == DT_EIO) {

        /* a lock that may have been taken expires by itself */

        learner->locked = 0;

    } else {
        ngx_http_dt_redis_locked(learner, answer->flags & DT_LINK_LOCKED);
    }

    redis->got(redis->data, learner, answer);
}


/* a lock of another machine that is older than it may be is ignored */

static void
ngx_http_dt_redis_locked(ngx_http_dt_learner_t *learner, ngx_uint_t other)
{
    ngx_http_dt_work_t  *work;

    work = &learner->work;

    if (!other) {
        work->locked_since = 0;
        return;
    }

    learner->locked = 0;

    if (work->locked_since == 0) {
        work->locked_since = ngx_current_msec;
    }

    if (ngx_current_msec - work->locked_since < NGX_HTTP_DT_LOCK_WAIT) {
        learner->state = NGX_HTTP_DT_SLOT_DENIED;
    }
}


void
ngx_http_dt_redis_order(ngx_http_dt_redis_t *redis, ngx_uint_t what,
    ngx_str_t *site, ngx_http_dt_link_pt answered, void *data)
{
    dt_frame_t  order;

    ngx_http_dt_redis_begin(&order, what, site);
    ngx_http_dt_link_order(redis->link, &order, answered, data);
}


void
ngx_http_dt_redis_get(ngx_http_dt_redis_t *redis, ngx_str_t *site,
    uint32_t version, int64_t learned_at, ngx_http_dt_link_pt answered,
    void *data)
{
    dt_frame_t  order;

    ngx_http_dt_redis_begin(&order, DT_LINK_GET, site);

    order.version = version;
    order.learned_at = learned_at;

    ngx_http_dt_link_order(redis->link, &order, answered, data);
}


void
ngx_http_dt_redis_put(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_publish_t *pub)
{
    dt_frame_t           order;
    ngx_http_dt_work_t  *work;

    work = &learner->work;

    ngx_http_dt_redis_begin(&order, DT_LINK_PUT, &work->site);

    order.flags = (ngx_http_dt_redis_holds(learner) ? DT_LINK_GIVE_BACK : 0)
                  | (pub->redesigned ? DT_LINK_REDESIGNED : 0)
                  | (work->added ? DT_LINK_ADDED : 0);
    learner->locked = 0;

    order.version = pub->info.version;
    order.learned_at = pub->info.learned_at;
    order.patterns = pub->info.patterns;
    order.loads = pub->info.loads;
    order.candidates = pub->info.candidates;
    order.coverage = pub->info.coverage;
    order.ttl = ngx_min(work->job.valid, DT_LINK_TTL);

    order.text.data = (char *) work->job.url;
    order.text.len = ngx_strlen(work->job.url);
    order.bytes.data = pub->data;
    order.bytes.len = pub->size;

    ngx_http_dt_link_order(redis->link, &order, ngx_http_dt_redis_done, redis);
}


void
ngx_http_dt_redis_unlock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner)
{
    ngx_uint_t  holds;

    holds = ngx_http_dt_redis_holds(learner);
    learner->locked = 0;

    if (holds) {
        ngx_http_dt_redis_order(redis, DT_LINK_UNLOCK, &learner->work.site,
                                ngx_http_dt_redis_done, redis);
    }
}


static ngx_uint_t
ngx_http_dt_redis_holds(ngx_http_dt_learner_t *learner)
{
    return learner->locked
           && ngx_current_msec - learner->locked < NGX_HTTP_DT_LOCK_SURE;
}


static void
ngx_http_dt_redis_done(void *data, dt_frame_t *answer)
{
    ngx_http_dt_redis_note(data, answer);
}


/*
 * Redis may refuse each order of a job for its own reason, job after job.  An
 * order that is done may have a text as well: its event was not written.
 */

void
ngx_http_dt_redis_note(ngx_http_dt_redis_t *redis, dt_frame_t *answer)
{
    size_t      len;
    u_char      why[DT_ERRSTR];
    ngx_uint_t  i;

    if (answer->text.len == 0
        || (answer->rc == DT_EIO && ngx_http_dt_link_away(redis->link)))
    {
        return;
    }

    ngx_http_dt_zone_redis_failed(redis->zone);

    len = ngx_min(answer->text.len, DT_ERRSTR - 1);
    ngx_memcpy(why, answer->text.data, len);
    why[len] = '\0';
    ngx_http_dt_printable(why, why, DT_ERRSTR);

    for (i = 0; i < NGX_HTTP_DT_REFUSALS; i++) {
        if (ngx_strcmp(redis->refusals[i], why) == 0) {
            return;
        }
    }

    i = redis->nrefusals++ % NGX_HTTP_DT_REFUSALS;
    ngx_cpystrn(redis->refusals[i], why, DT_ERRSTR);

    ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0, "detemplate: redis: %s",
                  why);
}


ngx_int_t
ngx_http_dt_redis_check(ngx_http_dt_redis_t *redis, ngx_http_dt_work_t *work,
    dt_str_t bytes, ngx_http_dt_publish_t *pub)
{
    u_char       name[NGX_HTTP_DT_MAX_SITE + 1];
    const char  *why;

    why = ngx_http_dt_redis_unsound(bytes, &pub->info);

    if (why == NULL) {
        pub->data = (void *) bytes.data;
        pub->size = bytes.len;
        return NGX_OK;
    }

    if (!(work->unsound & NGX_HTTP_DT_UNSOUND_REDIS)) {
        work->unsound |= NGX_HTTP_DT_UNSOUND_REDIS;

        ngx_http_dt_zone_redis_failed(redis->zone);
        ngx_http_dt_printable(name, work->name, sizeof(name));
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                      "detemplate: template of \"%s\" in redis is ignored: %s",
                      name, why);
    }

    return NGX_DECLINED;
}


/* returns what is wrong with a template; or NULL, and sets info */

static const char *
ngx_http_dt_redis_unsound(dt_str_t bytes, dt_template_info_t *info)
{
    const char  *why;

    why = NULL;

    if (dt_template_check(bytes.data, bytes.len, &why) != DT_OK) {
        return why ? why : "unknown";
    }

    dt_template_info(bytes.data, info);

    if (info->size != bytes.len && info->serve_size != bytes.len) {
        return "cut";
    }

    if (info->patterns == 0) {
        return "empty";
    }

    return ngx_http_dt_ahead(info->learned_at) ? "time" : NULL;
}


ngx_uint_t
ngx_http_dt_redis_away(ngx_http_dt_redis_t *redis)
{
    return ngx_http_dt_link_away(redis->link);
}


static void
ngx_http_dt_redis_begin(dt_frame_t *order, ngx_uint_t what, ngx_str_t *site)
{
    ngx_memzero(order, sizeof(dt_frame_t));

    order->what = what;
    order->site.data = (char *) site->data;
    order->site.len = site->len;
}
