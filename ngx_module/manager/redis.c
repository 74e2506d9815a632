
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/printable.h"
#include "ngx_module/manager/redis.h"


/*
 * The manager makes calls, and the next turn of the event loop sends them all
 * at once.  Only a job that needs an answer waits for it.
 *
 * The token of locks is that of the zone.  So when a manager dies, its locks
 * are still ours, and the next manager can take them again.
 */


#define NGX_HTTP_DT_LOCK_TIME   60         /* seconds */
#define NGX_HTTP_DT_LOCK_WAIT   120000     /* ms: twice as long */
#define NGX_HTTP_DT_REFUSALS    4          /* texts: a job makes as many
                                              calls */


struct ngx_http_dt_redis_s {
    dt_redis_t                    *redis;
    ngx_http_dt_zone_t            *zone;
    ngx_connection_t              *connection; /* of the socket, or NULL */
    ngx_event_t                    event;      /* posted, and the timer */

    ngx_http_dt_redis_pt           got;
    void                         (*work)(void *data);
    void                          *data;

    u_char                         refusals[NGX_HTTP_DT_REFUSALS]
                                           [DT_ERRSTR];
                                               /* the last ones, which are
                                                  logged once */
    ngx_uint_t                     nrefusals;  /* logged so far */
    unsigned                       away:1;
};


static char *ngx_http_dt_check_redis(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf);

static void ngx_http_dt_redis_process(ngx_event_t *ev);
static void ngx_http_dt_redis_ready(ngx_event_t *ev);
static ngx_int_t ngx_http_dt_redis_watch(ngx_http_dt_redis_t *redis);
static void ngx_http_dt_redis_closing(void *data);

static void ngx_http_dt_redis_lock(void *data, dt_status_t rc, dt_str_t bytes);
static void ngx_http_dt_redis_got(void *data, dt_status_t rc, dt_str_t bytes);
static void ngx_http_dt_redis_done(void *data, dt_status_t rc, dt_str_t bytes);
static void ngx_http_dt_redis_refused(
    ngx_http_dt_redis_t *redis, const char *why);
static const char *ngx_http_dt_redis_unsound(dt_str_t bytes,
    dt_template_info_t *info);
static dt_str_t ngx_http_dt_redis_site(ngx_http_dt_work_t *work);


/* one in this process */

static ngx_http_dt_redis_t          *ngx_http_dt_redis_self;


char *
ngx_http_dt_set_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    ngx_int_t    timeout;
    ngx_str_t   *value, s;
    ngx_uint_t   i;

    if (dmcf->redis.addrs) {
        return "is duplicate";
    }

    value = cf->args->elts;

    /* arguments end with a NUL */

    dmcf->redis.url = (char *) value[1].data;

    for (i = 2; i < cf->args->nelts; i++) {

        if (ngx_strncmp(value[i].data, "prefix=", 7) == 0) {
            dmcf->redis.prefix = (char *) value[i].data + 7;
            continue;
        }

        if (ngx_strncmp(value[i].data, "timeout=", 8) == 0) {
            s.data = value[i].data + 8;
            s.len = value[i].len - 8;

            timeout = ngx_parse_time(&s, 0);

            if (timeout == NGX_ERROR || timeout == 0) {
                goto invalid;
            }

            dmcf->redis.timeout_ms = timeout;
            continue;
        }

        if (ngx_strncmp(value[i].data, "password_file=", 14) == 0) {
            s.data = value[i].data + 14;
            s.len = value[i].len - 14;

            if (s.len == 0) {
                goto invalid;
            }

            if (ngx_conf_full_name(cf->cycle, &s, 1) != NGX_OK) {
                return NGX_CONF_ERROR;
            }

            dmcf->redis.password_file = (char *) s.data;
            continue;
        }

        goto invalid;
    }

    return ngx_http_dt_check_redis(cf, dmcf);

invalid:

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"detemplate_redis\", "
                       "known are prefix=, timeout= and password_file=",
                       &value[i]);

    return NGX_CONF_ERROR;
}


static char *
ngx_http_dt_check_redis(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf)
{
    char  errstr[DT_ERRSTR];

    if (dt_redis_check(&dmcf->redis, errstr) != DT_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_redis\": %s", errstr);
        return NGX_CONF_ERROR;
    }

    /* a look-up later would block; a wrong name must not stop nginx */

    dmcf->redis.addrs = &dmcf->addrs;

    if (dt_redis_resolve(&dmcf->redis, &dmcf->addrs, errstr) != DT_OK) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "\"detemplate_redis\" is not used until the next "
                           "reload: %s", errstr);
        dmcf->redis.url = NULL;
    }

    return NGX_CONF_OK;
}


ngx_http_dt_redis_t *
ngx_http_dt_redis_create(ngx_http_dt_main_conf_t *dmcf,
    void (*work)(void *data), void *data)
{
    ngx_http_dt_redis_t  *redis;

    redis = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_http_dt_redis_t));
    if (redis == NULL) {
        return NULL;
    }

    redis->redis = dt_redis_create(&dmcf->redis);
    if (redis->redis == NULL) {
        return NULL;
    }

    dt_redis_on_close(redis->redis, ngx_http_dt_redis_closing, redis);

    redis->zone = dmcf->shm_zone->data;
    redis->work = work;
    redis->data = data;

    redis->event.handler = ngx_http_dt_redis_process;
    redis->event.data = redis;
    redis->event.log = ngx_cycle->log;
    redis->event.cancelable = 1;

    ngx_http_dt_redis_self = redis;

    return redis;
}


/* called after calls were made, when the socket is ready or time is up */

static void
ngx_http_dt_redis_process(ngx_event_t *ev)
{
    ngx_http_dt_redis_t  *redis;

    redis = ev->data;

    dt_redis_process(redis->redis);

    /* nobody waits for the call that tries the connection after a failure */

    if (redis->away && dt_redis_errstr(redis->redis)[0] == '\0') {
        ngx_http_dt_redis_note(redis, DT_OK);
    }

    redis->work(redis->data);

    if (ngx_http_dt_redis_watch(redis) != NGX_OK) {

        /* without events, the timer alone looks after the calls */

        ngx_add_timer(ev, 100);
    }
}


static void
ngx_http_dt_redis_ready(ngx_event_t *ev)
{
    ngx_connection_t  *c;

    c = ev->data;

    ngx_http_dt_redis_process(&((ngx_http_dt_redis_t *) c->data)->event);
}


/* the socket belongs to hiredis, and may be another one each time */

static ngx_int_t
ngx_http_dt_redis_watch(ngx_http_dt_redis_t *redis)
{
    int                fd, writing;
    long               wait;
    ngx_connection_t  *c;

    if (redis->event.timer_set) {
        ngx_del_timer(&redis->event);
    }

    fd = dt_redis_fd(redis->redis, &writing);

    if (fd == -1) {
        return NGX_OK;
    }

    c = redis->connection;

    if (c == NULL) {
        c = ngx_get_connection(fd, ngx_cycle->log);
        if (c == NULL) {
            return NGX_ERROR;
        }

        c->data = redis;
        c->read->log = c->log;
        c->read->handler = ngx_http_dt_redis_ready;
        c->write->log = c->log;
        c->write->handler = ngx_http_dt_redis_ready;

        redis->connection = c;
    }

    /* hiredis has read and written until the socket would block */

    c->read->ready = 0;
    c->write->ready = !writing;

    if (ngx_handle_read_event(c->read, 0) != NGX_OK
        || ngx_handle_write_event(c->write, 0) != NGX_OK)
    {
        return NGX_ERROR;
    }

    wait = dt_redis_wait(redis->redis);

    if (wait >= 0) {
        ngx_add_timer(&redis->event, (ngx_msec_t) wait);
    }

    return NGX_OK;
}


/* called before hiredis closes the socket */

static void
ngx_http_dt_redis_closing(void *data)
{
    ngx_connection_t     *c;
    ngx_http_dt_redis_t  *redis;

    redis = data;
    c = redis->connection;

    if (c == NULL) {
        return;
    }

    redis->connection = NULL;

    if (c->read->active) {
        ngx_del_event(c->read, NGX_READ_EVENT, NGX_CLOSE_EVENT);
    }

    if (c->write->active) {
        ngx_del_event(c->write, NGX_WRITE_EVENT, NGX_CLOSE_EVENT);
    }

    if (c->read->posted) {
        ngx_delete_posted_event(c->read);
    }

    if (c->write->posted) {
        ngx_delete_posted_event(c->write);
    }

    c->read->closed = 1;
    c->write->closed = 1;

    ngx_free_connection(c);

    c->fd = (ngx_socket_t) -1;
}


void
ngx_http_dt_redis_ask(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_redis_pt got)
{
    dt_str_t         site;
    dt_redis_done_t  done;

    redis->got = got;
    site = ngx_http_dt_redis_site(&learner->work);

    learner->state = NGX_HTTP_DT_SLOT_ASKING;
    done.data = learner;

    done.fn = ngx_http_dt_redis_lock;
    dt_redis_lock(redis->redis, site,
                  (char *) ngx_http_dt_zone_token(redis->zone),
                  NGX_HTTP_DT_LOCK_TIME, done);

    done.fn = ngx_http_dt_redis_got;
    dt_redis_get(redis->redis, site, done);

    ngx_post_event(&redis->event, &ngx_posted_events);
}


/* if there was no answer, the lock may be ours all the same */

static void
ngx_http_dt_redis_lock(void *data, dt_status_t rc, dt_str_t bytes)
{
    ngx_http_dt_work_t     *work;
    ngx_http_dt_learner_t  *learner;

    learner = data;
    work = &learner->work;

    learner->locked = (rc != DT_DECLINED);

    if (learner->locked) {
        work->locked_since = 0;

    } else if (work->locked_since == 0) {
        work->locked_since = ngx_current_msec;
    }

    /* a lock that is older than it may be is ignored */

    if (!learner->locked
        && ngx_current_msec - work->locked_since < NGX_HTTP_DT_LOCK_WAIT)
    {
        learner->state = NGX_HTTP_DT_SLOT_DENIED;
    }

    ngx_http_dt_redis_note(ngx_http_dt_redis_self, rc);
}


static void
ngx_http_dt_redis_got(void *data, dt_status_t rc, dt_str_t bytes)
{
    ngx_http_dt_redis_t    *redis;
    ngx_http_dt_learner_t  *learner;

    learner = data;
    redis = ngx_http_dt_redis_self;

    ngx_log_debug2(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate redis get: \"%V\" rc:%d",
                   &learner->work.site, (int) rc);

    ngx_http_dt_redis_note(redis, rc);

    redis->got(redis->data, learner, rc, bytes);
}


void
ngx_http_dt_redis_put(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_publish_t *pub)
{
    char                *token;
    dt_str_t             bytes;
    dt_redis_done_t      done;
    dt_redis_meta_t      meta;
    ngx_http_dt_work_t  *work;

    token = NULL;
    work = &learner->work;

    if (learner->locked) {
        learner->locked = 0;
        token = (char *) ngx_http_dt_zone_token(redis->zone);
    }

    bytes.data = pub->data;
    bytes.len = pub->info.size;

    ngx_memzero(&meta, sizeof(dt_redis_meta_t));

    meta.version = pub->info.version;
    meta.learned_at = pub->info.learned_at;
    meta.patterns = pub->info.patterns;
    meta.loads = pub->info.loads;
    meta.candidates = pub->info.candidates;
    meta.coverage = pub->info.coverage;
    meta.url = (char *) work->job.url;
    meta.redesigned = pub->redesigned;

    done.fn = ngx_http_dt_redis_done;
    done.data = redis;

    dt_redis_put(redis->redis, ngx_http_dt_redis_site(work), bytes, &meta,
                 work->job.valid, token, done);

    ngx_post_event(&redis->event, &ngx_posted_events);
}


void
ngx_http_dt_redis_unlock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner)
{
    dt_redis_done_t  done;

    if (learner->locked) {
        learner->locked = 0;

        done.fn = ngx_http_dt_redis_done;
        done.data = redis;

        dt_redis_unlock(redis->redis, ngx_http_dt_redis_site(&learner->work),
                        (char *) ngx_http_dt_zone_token(redis->zone), done);

        ngx_post_event(&redis->event, &ngx_posted_events);
    }
}


void
ngx_http_dt_redis_forget(ngx_http_dt_redis_t *redis, ngx_str_t *site,
    dt_redis_done_t done)
{
    dt_str_t  name;

    name.data = (char *) site->data;
    name.len = site->len;

    dt_redis_forget(redis->redis, name, done);

    ngx_post_event(&redis->event, &ngx_posted_events);
}


static void
ngx_http_dt_redis_done(void *data, dt_status_t rc, dt_str_t bytes)
{
    ngx_http_dt_redis_note(data, rc);
}


/* Redis may refuse each call of a job for its own reason, job after job */

static void
ngx_http_dt_redis_refused(ngx_http_dt_redis_t *redis, const char *why)
{
    ngx_uint_t  i;

    for (i = 0; i < NGX_HTTP_DT_REFUSALS; i++) {
        if (ngx_strcmp(redis->refusals[i], why) == 0) {
            return;
        }
    }

    i = redis->nrefusals++ % NGX_HTTP_DT_REFUSALS;
    ngx_cpystrn(redis->refusals[i], (u_char *) why, DT_ERRSTR);

    ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0, "detemplate: redis: %s",
                  why);
}


void
ngx_http_dt_redis_note(ngx_http_dt_redis_t *redis, dt_status_t rc)
{
    const char  *why;

    why = dt_redis_errstr(redis->redis);

    switch (rc) {

    case DT_OK:
    case DT_DECLINED:

        if (why[0] == '\0') {
            break;
        }

        /* the answer was too late: from now on Redis counts as away */

        /* fall through */

    case DT_EIO:

        if (!redis->away) {
            redis->away = 1;
            ngx_http_dt_zone_redis_failed(redis->zone);
            ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                          "detemplate: redis is away, learning goes on "
                          "without it: %s",
                          why);
        }

        return;

    default:

        ngx_http_dt_zone_redis_failed(redis->zone);

        ngx_http_dt_redis_refused(redis, why);
    }

    if (redis->away) {
        redis->away = 0;
        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "detemplate: redis is back");
    }
}


ngx_int_t
ngx_http_dt_redis_check(ngx_http_dt_redis_t *redis, ngx_http_dt_work_t *work,
    dt_str_t bytes, dt_template_info_t *info)
{
    u_char       name[NGX_HTTP_DT_MAX_SITE + 1];
    const char  *why;

    why = ngx_http_dt_redis_unsound(bytes, info);

    if (why == NULL) {
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

    if (info->size != bytes.len) {
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
    return redis->away;
}


static dt_str_t
ngx_http_dt_redis_site(ngx_http_dt_work_t *work)
{
    dt_str_t  site;

    site.data = (char *) work->name;
    site.len = work->site.len;

    return site;
}
