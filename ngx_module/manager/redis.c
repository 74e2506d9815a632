
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/manager/redis.h"
#include "ngx_module/zone/zone.h"


/*
 * A child of the manager speaks to Redis in plain blocking code.  An order
 * without an answer in time counts as failed, even if Redis carries it out
 * later.
 *
 * The token of locks is that of the zone.  So when a manager dies, its locks
 * are still ours, and the next manager can take them again.  A lock that may
 * have expired is not given back, since it may be another machine's.
 */


#define NGX_HTTP_DT_CALLS       512        /* a power of two */
#define NGX_HTTP_DT_TICK        1000       /* ms */
#define NGX_HTTP_DT_SILENCE     10000      /* ms */
#define NGX_HTTP_DT_DELAY       500        /* ms, before a restart, */
#define NGX_HTTP_DT_MAX_DELAY   30000      /* doubling up to this */

#define NGX_HTTP_DT_LOCK_TIME   60         /* seconds */
#define NGX_HTTP_DT_LOCK_SURE   50000      /* ms: it cannot have expired */
#define NGX_HTTP_DT_LOCK_RENEW  20000      /* ms, while a learner runs */
#define NGX_HTTP_DT_LOCK_WAIT   ((NGX_HTTP_DT_LEARN_TIME + 100) * 1000)
                                           /* ms: no learning takes so long */
#define NGX_HTTP_DT_REFUSALS    4          /* texts: a job makes as many
                                              calls */


/* the first ones are no parameters of the directive */

#define NGX_HTTP_DT_REDIS_FIRST  2

#define NGX_HTTP_DT_REDIS_TIMEOUT  200     /* ms */


/* an order that was given */

typedef struct {
    ngx_http_dt_redis_pt           answered;   /* NULL: the entry is free */
    void                          *data;
    uint32_t                       id;
    uint32_t                       what;
    ngx_msec_t                     deadline;
} ngx_http_dt_redis_call_t;


struct ngx_http_dt_redis_s {
    ngx_http_dt_main_conf_t       *dmcf;
    ngx_http_dt_zone_t            *zone;
    ngx_http_dt_redis_pt           news;
    void                         (*done)(void *data);
    void                          *data;

    ngx_http_dt_child_t            child;
    ngx_msec_t                     start;      /* when it may be executed */
    ngx_msec_t                     delay;

    ngx_http_dt_redis_call_t       calls[NGX_HTTP_DT_CALLS];
    uint32_t                       id;         /* of the last order */

    ngx_http_dt_fleet_t            state;
    ngx_event_t                    timer;

    u_char                         refusals[NGX_HTTP_DT_REFUSALS]
                                           [DT_ERRSTR];
                                               /* the last ones, which are
                                                  logged once */
    ngx_uint_t                     nrefusals;  /* logged so far */
};


static char *ngx_http_dt_redis_param(ngx_conf_t *cf, dt_redis_opts_t *opts,
    ngx_str_t *value);
static size_t ngx_http_dt_redis_text(dt_redis_opts_t *opts, u_char *token,
    u_char *buf, size_t size);
static void ngx_http_dt_redis_start(ngx_http_dt_redis_t *redis);
static void ngx_http_dt_redis_handler(void *data);
static void ngx_http_dt_redis_frame(ngx_http_dt_redis_t *redis,
    dt_frame_t *frame);
static void ngx_http_dt_redis_state(ngx_http_dt_redis_t *redis,
    dt_frame_t *frame);
static void ngx_http_dt_redis_away_is(ngx_http_dt_redis_t *redis,
    ngx_uint_t away, u_char *why);
static void ngx_http_dt_redis_fail(ngx_http_dt_redis_t *redis,
    ngx_msec_int_t left, const char *why);
static void ngx_http_dt_redis_timer(ngx_event_t *ev);
static void ngx_http_dt_redis_end(ngx_http_dt_redis_t *redis,
    const char *what);
static void ngx_http_dt_redis_renewed(void *data, dt_frame_t *answer);
static ngx_uint_t ngx_http_dt_redis_holds(ngx_http_dt_learner_t *learner);
static const char *ngx_http_dt_redis_unsound(dt_str_t bytes,
    dt_template_info_t *info);


char *
ngx_http_dt_set_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    char        *rv;
    char         errstr[DT_ERRSTR];
    u_char       text[DT_LINK_TEXT - NGX_HTTP_DT_KEY_LEN];
    ngx_str_t   *value;
    ngx_uint_t   i;

    if (dmcf->redis.url) {
        return "is duplicate";
    }

    value = cf->args->elts;

    /* arguments end with a NUL */

    dmcf->redis.url = (char *) value[1].data;
    dmcf->redis.timeout_ms = NGX_HTTP_DT_REDIS_TIMEOUT;

    for (i = 2; i < cf->args->nelts; i++) {
        rv = ngx_http_dt_redis_param(cf, &dmcf->redis, &value[i]);

        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    if (dt_redis_check(&dmcf->redis, errstr) != DT_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_redis\": %s", errstr);
        return NGX_CONF_ERROR;
    }

    if (ngx_http_dt_redis_text(&dmcf->redis, (u_char *) "", text, sizeof(text))
        == sizeof(text))
    {
        return "has too long parameters";
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_dt_redis_param(ngx_conf_t *cf, dt_redis_opts_t *opts,
    ngx_str_t *value)
{
    size_t                  len;
    ngx_int_t               timeout;
    ngx_str_t               s;
    const dt_redis_text_t  *text;

    for (text = &dt_redis_texts[NGX_HTTP_DT_REDIS_FIRST];
         text->name;
         text++)
    {
        len = ngx_strlen(text->name);

        if (value->len <= len + 1
            || ngx_strncmp(value->data, text->name, len) != 0
            || value->data[len] != '=')
        {
            continue;
        }

        s.data = value->data + len + 1;
        s.len = value->len - len - 1;

        if (text->file && ngx_conf_full_name(cf->cycle, &s, 1) != NGX_OK) {
            return NGX_CONF_ERROR;
        }

        *(char **) ((u_char *) opts + text->place) = (char *) s.data;

        return NGX_CONF_OK;
    }

    if (ngx_strncmp(value->data, "timeout=", 8) == 0) {
        s.data = value->data + 8;
        s.len = value->len - 8;

        timeout = ngx_parse_time(&s, 0);

        if (timeout != NGX_ERROR && timeout != 0) {
            opts->timeout_ms = timeout;
            return NGX_CONF_OK;
        }
    }

    if (ngx_strcmp(value->data, "verify=on") == 0
        || ngx_strcmp(value->data, "verify=off") == 0)
    {
        opts->insecure = (value->data[8] == 'f');
        return NGX_CONF_OK;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"detemplate_redis\", "
                       "known are prefix=, timeout=, user_file=, "
                       "password_file=, sentinel_password_file=, ca=, cert=, "
                       "key= and verify=", value);

    return NGX_CONF_ERROR;
}


/*
 * Writes the parameters as the program reads them, with the token of this
 * machine, and returns the bytes that were written; size: there was no room.
 */

static size_t
ngx_http_dt_redis_text(dt_redis_opts_t *opts, u_char *token, u_char *buf,
    size_t size)
{
    char                   *value;
    u_char                 *p, *last;
    const dt_redis_text_t  *text;

    p = buf;
    last = buf + size;

    for (text = dt_redis_texts; text->name; text++) {
        value = *(char **) ((u_char *) opts + text->place);

        if (text->place == offsetof(dt_redis_opts_t, token)) {
            value = (char *) token;
        }

        if (value) {
            p = ngx_slprintf(p, last, "%s=%s\n", text->name, value);
        }
    }

    p = ngx_slprintf(p, last, "timeout=%l\nverify=%s\n", opts->timeout_ms,
                     opts->insecure ? "off" : "on");

    return p - buf;
}


ngx_http_dt_redis_t *
ngx_http_dt_redis_create(ngx_http_dt_main_conf_t *dmcf,
    ngx_http_dt_redis_pt news, void (*done)(void *data), void *data)
{
    ngx_http_dt_redis_t  *redis;

    redis = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_http_dt_redis_t));
    if (redis == NULL) {
        return NULL;
    }

    redis->dmcf = dmcf;
    redis->zone = dmcf->shm_zone->data;
    redis->news = news;
    redis->done = done;
    redis->data = data;
    redis->delay = NGX_HTTP_DT_DELAY;

    redis->timer.handler = ngx_http_dt_redis_timer;
    redis->timer.data = redis;
    redis->timer.log = ngx_cycle->log;
    redis->timer.cancelable = 1;

    redis->state.since = ngx_time();

    ngx_http_dt_redis_start(redis);
    ngx_add_timer(&redis->timer, NGX_HTTP_DT_TICK);

    return redis;
}


/* executes the program; the first frame has the directive's parameters */

static void
ngx_http_dt_redis_start(ngx_http_dt_redis_t *redis)
{
    u_char      text[DT_LINK_TEXT];
    dt_frame_t  frame;

    ngx_memzero(&frame, sizeof(dt_frame_t));

    frame.what = DT_LINK_CONF;
    frame.text.data = (char *) text;
    frame.text.len = ngx_http_dt_redis_text(&redis->dmcf->redis,
                                       ngx_http_dt_zone_token(redis->zone),
                                       text, sizeof(text));

    if (ngx_http_dt_child_start(&redis->child, &redis->dmcf->program,
                                NGX_HTTP_DT_CHILD_LINK,
                                ngx_http_dt_redis_handler, redis)
        != NGX_OK
        || ngx_http_dt_child_send(&redis->child, &dt_wire_frame, &frame)
           != NGX_OK)
    {
        ngx_http_dt_redis_end(redis, "cannot be started");
        return;
    }

    ngx_log_debug1(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate link %P started", redis->child.pid);
}


void
ngx_http_dt_redis_begin(dt_frame_t *order, ngx_uint_t what, ngx_str_t *site)
{
    ngx_memzero(order, sizeof(dt_frame_t));

    order->what = what;
    order->site = ngx_http_dt_str(site);
}


void
ngx_http_dt_redis_order(ngx_http_dt_redis_t *redis, dt_frame_t *order,
    ngx_http_dt_redis_pt answered, void *data)
{
    ngx_uint_t                 i;
    ngx_http_dt_redis_call_t  *call;

    i = NGX_HTTP_DT_CALLS;

    do {
        call = &redis->calls[++redis->id & (NGX_HTTP_DT_CALLS - 1)];
    } while (call->answered && --i);

    order->id = redis->id;

    if (call->answered == NULL
        && redis->child.pid
        && !redis->state.away
        && ngx_http_dt_child_send(&redis->child, &dt_wire_frame, order)
           == NGX_OK)
    {
        call->answered = answered;
        call->data = data;
        call->id = order->id;
        call->what = order->what;
        call->deadline = ngx_current_msec + NGX_HTTP_DT_TICK
                         + 10 * redis->dmcf->redis.timeout_ms;
        return;
    }

    /* the order has no entry in the table, and fails at once */

    order->rc = DT_EIO;
    order->flags = 0;
    order->bytes.len = 0;
    order->text = dt_cstr(redis->state.away ? (char *) redis->state.why
                                            : "too many orders wait");

    answered(data, order);
}


ngx_uint_t
ngx_http_dt_redis_away(ngx_http_dt_redis_t *redis)
{
    return redis->state.away;
}


/* the program has written something, or closed its output */

static void
ngx_http_dt_redis_handler(void *data)
{
    ngx_http_dt_redis_t *redis = data;

    ngx_int_t   rc;
    dt_frame_t  frame;

    for ( ;; ) {
        rc = ngx_http_dt_child_next(&redis->child, &dt_wire_frame, &frame);

        if (rc != NGX_OK) {
            break;
        }

        ngx_http_dt_redis_frame(redis, &frame);
    }

    if (rc == NGX_ERROR) {
        ngx_http_dt_redis_end(redis, redis->child.other[0]
                                     ? "has another version than " DT_VERSION
                                     : "sent an invalid frame");

    } else if (redis->child.out == NULL) {
        ngx_http_dt_redis_end(redis, "has ended");
    }

    redis->done(redis->data);
}


static void
ngx_http_dt_redis_frame(ngx_http_dt_redis_t *redis, dt_frame_t *frame)
{
    ngx_http_dt_redis_pt       answered;
    ngx_http_dt_redis_call_t  *call;

    switch (frame->what) {

    case DT_LINK_STATE:
        ngx_http_dt_redis_state(redis, frame);
        return;

    case DT_LINK_EVENT:
    case DT_LINK_GAP:
        redis->news(redis->data, frame);
        return;
    }

    call = &redis->calls[frame->id & (NGX_HTTP_DT_CALLS - 1)];
    answered = call->answered;

    /* another one came too late */

    if (answered && call->id == frame->id && call->what == frame->what) {
        call->answered = NULL;
        answered(call->data, frame);
    }
}


static void
ngx_http_dt_redis_state(ngx_http_dt_redis_t *redis, dt_frame_t *frame)
{
    u_char                why[DT_ERRSTR];
    ngx_http_dt_fleet_t  *state;

    state = &redis->state;

    state->event_at = frame->event_at;
    state->latency = frame->latency;
    state->reconnects = frame->reconnects;
    state->received = frame->received;
    state->sent = frame->sent;

    ngx_http_dt_printable(state->peer, (u_char *) frame->peer.data,
                          ngx_min(frame->peer.len + 1, NGX_HTTP_DT_PEER));
    ngx_http_dt_printable(why, (u_char *) frame->text.data,
                          ngx_min(frame->text.len + 1, DT_ERRSTR));

    /* a program that has sent its state works */

    redis->delay = NGX_HTTP_DT_DELAY;

    ngx_http_dt_redis_away_is(redis, (frame->flags & DT_LINK_AWAY) != 0, why);
}


/* logs a change of the state, and stores it in the zone */

static void
ngx_http_dt_redis_away_is(ngx_http_dt_redis_t *redis, ngx_uint_t away,
    u_char *why)
{
    ngx_http_dt_fleet_t  *state;

    state = &redis->state;

    if (away && (!state->away || ngx_strcmp(state->why, why) != 0)) {

        if (!state->away) {
            ngx_http_dt_zone_event(redis->zone, redis_failed);
        }

        /* the level of Debian's default: pages are served nonetheless */

        ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0,
                      "detemplate: redis is away, learning goes on without "
                      "it: %s", why);
    }

    if (!away && state->away) {
        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "detemplate: redis is back: %s", state->peer);
    }

    if (away != state->away) {
        state->since = ngx_time();
    }

    state->away = away;
    ngx_cpystrn(state->why, (u_char *) (away ? (char *) why : ""), DT_ERRSTR);

    ngx_http_dt_fleet_set(redis->zone, state);
}


/* fails the orders that have no more time left than this */

static void
ngx_http_dt_redis_fail(ngx_http_dt_redis_t *redis, ngx_msec_int_t left,
    const char *why)
{
    dt_frame_t                 frame;
    ngx_uint_t                 i;
    ngx_http_dt_redis_pt       answered;
    ngx_http_dt_redis_call_t  *call;

    for (i = 0; i < NGX_HTTP_DT_CALLS; i++) {
        call = &redis->calls[i];
        answered = call->answered;

        if (answered == NULL
            || (ngx_msec_int_t) (call->deadline - ngx_current_msec) > left)
        {
            continue;
        }

        ngx_memzero(&frame, sizeof(dt_frame_t));

        frame.what = call->what;
        frame.id = call->id;
        frame.rc = DT_EIO;
        frame.text = dt_cstr(why);

        call->answered = NULL;
        answered(call->data, &frame);
    }
}


static void
ngx_http_dt_redis_timer(ngx_event_t *ev)
{
    ngx_msec_t            silence;
    ngx_http_dt_redis_t  *redis;

    redis = ev->data;

    ngx_http_dt_child_listen(&redis->child);

    silence = NGX_HTTP_DT_SILENCE + 20 * redis->dmcf->redis.timeout_ms;

    if (redis->child.pid == 0) {

        if ((ngx_msec_int_t) (redis->start - ngx_current_msec) <= 0) {
            redis->state.restarts++;
            ngx_http_dt_redis_start(redis);
        }

    } else if (ngx_current_msec - redis->child.heard > silence) {
        ngx_http_dt_redis_end(redis, "does not answer");
    }

    ngx_http_dt_redis_fail(redis, 0, "no answer in time");

    ngx_add_timer(ev, NGX_HTTP_DT_TICK);

    redis->done(redis->data);
}


/* ends the program, and its orders; the timer will start another one */

static void
ngx_http_dt_redis_end(ngx_http_dt_redis_t *redis, const char *what)
{
    u_char  line[DT_ERRSTR], why[DT_ERRSTR];

    ngx_http_dt_child_listen(&redis->child);
    ngx_http_dt_printable(line, redis->child.last_line, DT_ERRSTR);

    ngx_snprintf(why, DT_ERRSTR, "the program \"%V\" for it %s%s%s%Z",
                 &redis->dmcf->program, what, line[0] ? ": " : "", line);
    why[DT_ERRSTR - 1] = '\0';

    ngx_http_dt_child_close(&redis->child);

    redis->start = ngx_current_msec + redis->delay;
    redis->delay = ngx_min(2 * redis->delay, NGX_HTTP_DT_MAX_DELAY);

    ngx_http_dt_redis_away_is(redis, 1, why);
    ngx_http_dt_redis_fail(redis, NGX_MAX_INT32_VALUE, (char *) why);
}


void
ngx_http_dt_redis_lock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_uint_t whole,
    ngx_http_dt_redis_pt answered)
{
    dt_frame_t  order;

    learner->state = NGX_HTTP_DT_SLOT_ASKING;
    learner->locked = ngx_current_msec;

    ngx_http_dt_redis_begin(&order, DT_LINK_LOCK, &learner->work.site);

    order.flags = whole ? DT_LINK_WHOLE : 0;
    order.ttl = NGX_HTTP_DT_LOCK_TIME;

    ngx_http_dt_redis_order(redis, &order, answered, learner);
}


void
ngx_http_dt_redis_locked(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, dt_frame_t *answer)
{
    ngx_http_dt_work_t  *work;

    work = &learner->work;

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate redis get: \"%V\" rc:%uD flags:%uxD",
                   &work->site, answer->rc, answer->flags);

    ngx_http_dt_redis_note(redis, answer);

    if (answer->rc == DT_EIO) {

        /* a lock that may have been taken expires by itself */

        learner->locked = 0;
        return;
    }

    if (!(answer->flags & DT_LINK_LOCKED)) {
        work->locked_since = 0;
        return;
    }

    learner->locked = 0;

    if (work->locked_since == 0) {
        work->locked_since = ngx_current_msec;
    }

    /* after this wait, the other machine's lock is ignored */

    if (ngx_current_msec - work->locked_since < NGX_HTTP_DT_LOCK_WAIT) {
        learner->state = NGX_HTTP_DT_SLOT_DENIED;
    }
}


void
ngx_http_dt_redis_renew(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner)
{
    dt_frame_t  order;

    if (learner->locked == 0
        || ngx_current_msec - learner->locked < NGX_HTTP_DT_LOCK_RENEW)
    {
        return;
    }

    learner->locked = ngx_current_msec;

    ngx_http_dt_redis_begin(&order, DT_LINK_LOCK, &learner->work.site);

    order.ttl = NGX_HTTP_DT_LOCK_TIME;

    ngx_http_dt_redis_order(redis, &order, ngx_http_dt_redis_renewed, learner);
}


/* if the slot has another job by now, that one's lock expires by itself */

static void
ngx_http_dt_redis_renewed(void *data, dt_frame_t *answer)
{
    ngx_http_dt_learner_t *learner = data;

    if (answer->rc == DT_EIO || (answer->flags & DT_LINK_LOCKED)) {
        learner->locked = 0;
    }
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

    order.text = dt_cstr((char *) work->job.url);
    order.bytes.data = pub->data;
    order.bytes.len = pub->size;

    ngx_http_dt_redis_order(redis, &order, ngx_http_dt_redis_note, redis);
}


void
ngx_http_dt_redis_unlock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner)
{
    ngx_uint_t  holds;
    dt_frame_t  order;

    holds = ngx_http_dt_redis_holds(learner);
    learner->locked = 0;

    if (holds) {
        ngx_http_dt_redis_begin(&order, DT_LINK_UNLOCK, &learner->work.site);
        ngx_http_dt_redis_order(redis, &order, ngx_http_dt_redis_note, redis);
    }
}


static ngx_uint_t
ngx_http_dt_redis_holds(ngx_http_dt_learner_t *learner)
{
    return learner->locked
           && ngx_current_msec - learner->locked < NGX_HTTP_DT_LOCK_SURE;
}


/*
 * Redis may refuse each order of a job for its own reason, job after job.  An
 * order that is done may have a text as well: its event was not written.
 */

void
ngx_http_dt_redis_note(void *data, dt_frame_t *answer)
{
    ngx_http_dt_redis_t *redis = data;

    u_char      why[DT_ERRSTR];
    ngx_uint_t  i;

    if (answer->text.len == 0
        || (answer->rc == DT_EIO && redis->state.away))
    {
        return;
    }

    ngx_http_dt_zone_event(redis->zone, redis_failed);

    ngx_http_dt_printable(why, (u_char *) answer->text.data,
                          ngx_min(answer->text.len + 1, DT_ERRSTR));

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
    const char  *why;

    why = ngx_http_dt_redis_unsound(bytes, &pub->info);

    if (why == NULL) {
        pub->data = (void *) bytes.data;
        pub->size = bytes.len;
        return NGX_OK;
    }

    if (!(work->unsound & NGX_HTTP_DT_UNSOUND_REDIS)) {
        work->unsound |= NGX_HTTP_DT_UNSOUND_REDIS;

        ngx_http_dt_zone_event(redis->zone, redis_failed);
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                      "detemplate: template of \"%s\" in redis is ignored: %s",
                      work->shown, why);
    }

    return NGX_DECLINED;
}


/* returns the reason why a template is not sound; or NULL, and sets info */

static const char *
ngx_http_dt_redis_unsound(dt_str_t bytes, dt_template_info_t *info)
{
    const char  *why;

    if (dt_template_check(bytes.data, bytes.len, &why) != DT_OK) {
        return why;
    }

    dt_template_info(bytes.data, info);

    if (info->patterns == 0) {
        return "empty";
    }

    return ngx_http_dt_ahead(info->learned_at) ? "time" : NULL;
}
