
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include <sys/wait.h>

#include "ngx_module/manager/link.h"
#include "ngx_module/manager/redis_conf.h"
#include "ngx_module/manager/spawn.h"


/*
 * The link is a child of the manager, which speaks to Redis in plain blocking
 * code.  All that comes from it is frames, which are checked.  The manager
 * never waits for it: orders are written when the pipe takes them, and answers
 * are read when they come.  An order that is not answered in time has failed,
 * whatever becomes of it.
 */


#define NGX_HTTP_DT_LINK_CALLS    512              /* a power of two */
#define NGX_HTTP_DT_LINK_UNSENT   (16 << 20)       /* bytes, about */
#define NGX_HTTP_DT_LINK_BUFFER   65536            /* bytes */
#define NGX_HTTP_DT_LINK_READS    16               /* in one turn */
#define NGX_HTTP_DT_LINK_TICK     1000             /* ms */
#define NGX_HTTP_DT_LINK_SILENCE  10000            /* ms */
#define NGX_HTTP_DT_LINK_DELAY    500              /* ms, before a restart, */
#define NGX_HTTP_DT_LINK_MAX      30000            /* doubling up to this */


/* an order that was given */

typedef struct {
    ngx_http_dt_link_pt            answered;   /* NULL: the entry is free */
    void                          *data;
    uint32_t                       id;
    uint32_t                       what;
    ngx_msec_t                     deadline;
} ngx_http_dt_link_call_t;


/* a frame that is to be written; it follows */

typedef struct {
    ngx_queue_t                    queue;
    size_t                         size;
} ngx_http_dt_link_unsent_t;


struct ngx_http_dt_link_s {
    ngx_http_dt_main_conf_t       *dmcf;
    ngx_http_dt_zone_t            *zone;
    ngx_http_dt_link_pt            news;
    void                         (*done)(void *data);
    void                          *data;

    ngx_pid_t                      pid;        /* 0: it does not run */
    ngx_connection_t              *in;         /* its input, and so on */
    ngx_connection_t              *out;
    ngx_fd_t                       err;
    u_char                         line[DT_ERRSTR];  /* its last one */
    ngx_msec_t                     heard;      /* when the last bytes came */
    ngx_msec_t                     start;      /* when it may be executed */
    ngx_msec_t                     delay;

    size_t                         hello;      /* bytes of it that came */
    u_char                        *buf;        /* of frames */
    size_t                         size;
    size_t                         len;

    ngx_queue_t                    unsent;
    size_t                         nunsent;    /* bytes */
    size_t                         sent;       /* bytes of the first one */

    ngx_http_dt_link_call_t        calls[NGX_HTTP_DT_LINK_CALLS];
    uint32_t                       id;         /* of the last order */

    ngx_http_dt_fleet_t            state;
    ngx_event_t                    timer;
    unsigned                       told:1;     /* the log says that Redis is
                                                  away */
};


static void ngx_http_dt_link_start(ngx_http_dt_link_t *link);
static ngx_connection_t *ngx_http_dt_link_watch(ngx_http_dt_link_t *link,
    ngx_fd_t *fd);
static ngx_int_t ngx_http_dt_link_configure(ngx_http_dt_link_t *link);
static ngx_int_t ngx_http_dt_link_queue(ngx_http_dt_link_t *link,
    dt_frame_t *frame);
static void ngx_http_dt_link_write(ngx_http_dt_link_t *link);
static void ngx_http_dt_link_writable(ngx_event_t *ev);
static void ngx_http_dt_link_readable(ngx_event_t *ev);
static ngx_int_t ngx_http_dt_link_read(ngx_http_dt_link_t *link);
static ngx_int_t ngx_http_dt_link_hello(ngx_http_dt_link_t *link);
static ngx_int_t ngx_http_dt_link_frames(ngx_http_dt_link_t *link);
static ngx_int_t ngx_http_dt_link_room(ngx_http_dt_link_t *link, size_t size);
static void ngx_http_dt_link_frame(ngx_http_dt_link_t *link,
    dt_frame_t *frame);
static void ngx_http_dt_link_state(ngx_http_dt_link_t *link,
    dt_frame_t *frame);
static void ngx_http_dt_link_note(ngx_http_dt_link_t *link, ngx_uint_t away,
    u_char *why);
static void ngx_http_dt_link_fail(ngx_http_dt_link_call_t *call,
    const char *why);
static void ngx_http_dt_link_timer(ngx_event_t *ev);
static void ngx_http_dt_link_late(ngx_http_dt_link_t *link);
static void ngx_http_dt_link_listen(ngx_http_dt_link_t *link);
static void ngx_http_dt_link_end(ngx_http_dt_link_t *link, const char *why);
static void ngx_http_dt_link_close(ngx_http_dt_link_t *link);


ngx_http_dt_link_t *
ngx_http_dt_link_create(ngx_http_dt_main_conf_t *dmcf,
    ngx_http_dt_link_pt news, void (*done)(void *data), void *data)
{
    ngx_http_dt_link_t  *link;

    link = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_http_dt_link_t));
    if (link == NULL) {
        return NULL;
    }

    link->dmcf = dmcf;
    link->zone = dmcf->shm_zone->data;
    link->news = news;
    link->done = done;
    link->data = data;
    link->delay = NGX_HTTP_DT_LINK_DELAY;

    ngx_queue_init(&link->unsent);

    link->timer.handler = ngx_http_dt_link_timer;
    link->timer.data = link;
    link->timer.log = ngx_cycle->log;
    link->timer.cancelable = 1;

    link->state.since = ngx_time();

    ngx_http_dt_link_start(link);
    ngx_add_timer(&link->timer, NGX_HTTP_DT_LINK_TICK);

    return link;
}


static void
ngx_http_dt_link_start(ngx_http_dt_link_t *link)
{
    ngx_fd_t  fd[3];

    link->hello = 0;
    link->len = 0;
    link->line[0] = '\0';
    link->heard = ngx_current_msec;

    link->pid = ngx_http_dt_spawn(&link->dmcf->program,
                                  NGX_HTTP_DT_SPAWN_LINK, fd, ngx_cycle->log);

    if (link->pid == -1) {
        link->pid = 0;
    }

    link->in = ngx_http_dt_link_watch(link, &fd[0]);
    link->out = ngx_http_dt_link_watch(link, &fd[1]);
    link->err = fd[2];

    if (link->pid == 0 || link->in == NULL || link->out == NULL
        || ngx_http_dt_link_configure(link) != NGX_OK
        || ngx_handle_read_event(link->out->read, 0) != NGX_OK)
    {
        ngx_http_dt_link_end(link, "cannot be started");
        return;
    }

    ngx_log_debug1(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate link %P started", link->pid);

    ngx_http_dt_link_write(link);
}


/* the end of a pipe as a connection, or NULL, and the end is closed */

static ngx_connection_t *
ngx_http_dt_link_watch(ngx_http_dt_link_t *link, ngx_fd_t *fd)
{
    ngx_connection_t  *c;

    if (*fd == 0) {
        return NULL;
    }

    c = ngx_get_connection(*fd, ngx_cycle->log);
    if (c == NULL) {
        ngx_http_dt_spawn_close(fd, ngx_cycle->log);
        return NULL;
    }

    c->data = link;
    c->read->log = c->log;
    c->read->handler = ngx_http_dt_link_readable;
    c->write->log = c->log;
    c->write->handler = ngx_http_dt_link_writable;

    return c;
}


/* the first frame, with the parameters of the directive */

static ngx_int_t
ngx_http_dt_link_configure(ngx_http_dt_link_t *link)
{
    u_char      text[DT_LINK_TEXT];
    dt_frame_t  frame;

    ngx_memzero(&frame, sizeof(dt_frame_t));

    frame.what = DT_LINK_CONF;
    frame.text.data = (char *) text;
    frame.text.len = ngx_http_dt_redis_text(&link->dmcf->redis,
                                       ngx_http_dt_zone_token(link->zone),
                                       text, sizeof(text));

    return ngx_http_dt_link_queue(link, &frame);
}


void
ngx_http_dt_link_order(ngx_http_dt_link_t *link, dt_frame_t *order,
    ngx_http_dt_link_pt answered, void *data)
{
    ngx_uint_t                i;
    ngx_http_dt_link_call_t  *call;

    for (i = 0; i < NGX_HTTP_DT_LINK_CALLS; i++) {
        call = &link->calls[++link->id & (NGX_HTTP_DT_LINK_CALLS - 1)];

        if (call->answered == NULL) {
            break;
        }
    }

    if (call->answered == NULL
        && link->pid
        && !link->state.away)
    {
        order->id = link->id;

        if (ngx_http_dt_link_queue(link, order) == NGX_OK) {
            call->answered = answered;
            call->data = data;
            call->id = order->id;
            call->what = order->what;
            call->deadline = ngx_current_msec + NGX_HTTP_DT_LINK_TICK
                             + 10 * link->dmcf->redis.timeout_ms;

            ngx_http_dt_link_write(link);
            return;
        }
    }

    /* there is no entry for it, and it fails at once */

    order->rc = DT_EIO;
    order->flags = 0;
    order->bytes.len = 0;
    order->text.data = link->state.away ? (char *) link->state.why
                                        : "too many orders wait";
    order->text.len = ngx_strlen(order->text.data);

    answered(data, order);
}


ngx_uint_t
ngx_http_dt_link_away(ngx_http_dt_link_t *link)
{
    return link->state.away;
}


static ngx_int_t
ngx_http_dt_link_queue(ngx_http_dt_link_t *link, dt_frame_t *frame)
{
    size_t                      size;
    ngx_http_dt_link_unsent_t  *unsent;

    size = dt_link_size(frame);

    if (size == 0 || link->nunsent > NGX_HTTP_DT_LINK_UNSENT) {
        return NGX_DECLINED;
    }

    unsent = ngx_alloc(sizeof(ngx_http_dt_link_unsent_t) + size,
                       ngx_cycle->log);
    if (unsent == NULL) {
        return NGX_ERROR;
    }

    unsent->size = size;
    dt_link_encode(frame, (char *) &unsent[1]);

    ngx_queue_insert_tail(&link->unsent, &unsent->queue);
    link->nunsent += size;

    return NGX_OK;
}


/* writes as much as the pipe takes; a failure is seen when it is read from */

static void
ngx_http_dt_link_write(ngx_http_dt_link_t *link)
{
    ssize_t                     n;
    ngx_queue_t                *q;
    ngx_http_dt_link_unsent_t  *unsent;

    if (link->in == NULL) {
        return;
    }

    while (!ngx_queue_empty(&link->unsent)) {

        q = ngx_queue_head(&link->unsent);
        unsent = ngx_queue_data(q, ngx_http_dt_link_unsent_t, queue);

        n = write(link->in->fd, (u_char *) &unsent[1] + link->sent,
                  unsent->size - link->sent);

        if (n == -1 && ngx_errno == NGX_EINTR) {
            continue;
        }

        if (n == -1) {
            break;
        }

        link->sent += n;

        if (link->sent == unsent->size) {
            link->nunsent -= unsent->size;
            link->sent = 0;
            ngx_queue_remove(q);
            ngx_free(unsent);
        }
    }

    link->in->write->ready = 0;

    if (!ngx_queue_empty(&link->unsent)) {
        (void) ngx_handle_write_event(link->in->write, 0);
    }
}


static void
ngx_http_dt_link_writable(ngx_event_t *ev)
{
    ngx_connection_t  *c;

    c = ev->data;

    ngx_http_dt_link_write(c->data);
}


static void
ngx_http_dt_link_readable(ngx_event_t *ev)
{
    ngx_int_t            rc;
    ngx_connection_t    *c;
    ngx_http_dt_link_t  *link;

    c = ev->data;
    link = c->data;

    rc = ngx_http_dt_link_read(link);

    if (rc == NGX_ERROR) {
        ngx_http_dt_link_end(link, "writes what it should not");

    } else if (rc == NGX_DONE) {
        ngx_http_dt_link_end(link, "has ended");

    } else if (rc == NGX_OK) {
        ngx_post_event(ev, &ngx_posted_events);

    } else {
        ev->ready = 0;

        if (ngx_handle_read_event(ev, 0) != NGX_OK) {
            ngx_http_dt_link_end(link, "cannot be read from");
        }
    }

    link->done(link->data);
}


/*
 * NGX_AGAIN: all that has come was read.  NGX_OK: there may be more.
 * NGX_DONE: the link has closed the pipe.  NGX_ERROR: it is not sound.
 */

static ngx_int_t
ngx_http_dt_link_read(ngx_http_dt_link_t *link)
{
    ssize_t     n;
    ngx_uint_t  i;

    for (i = 0; i < NGX_HTTP_DT_LINK_READS; i++) {

        if (link->len == link->size
            && ngx_http_dt_link_room(link, NGX_HTTP_DT_LINK_BUFFER) != NGX_OK)
        {
            return NGX_ERROR;
        }

        n = read(link->out->fd, link->buf + link->len, link->size - link->len);

        if (n == 0) {
            return NGX_DONE;
        }

        if (n == -1) {

            if (ngx_errno == NGX_EINTR) {
                continue;
            }

            return (ngx_errno == NGX_EAGAIN) ? NGX_AGAIN : NGX_ERROR;
        }

        link->heard = ngx_current_msec;
        link->len += n;

        if (ngx_http_dt_link_hello(link) != NGX_OK
            || ngx_http_dt_link_frames(link) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* removes the first line from what came; NGX_ERROR: it is another one */

static ngx_int_t
ngx_http_dt_link_hello(ngx_http_dt_link_t *link)
{
    size_t  n;

    n = ngx_min(sizeof(DT_JOB_HELLO) - 1 - link->hello, link->len);

    if (n == 0) {
        return NGX_OK;
    }

    if (ngx_memcmp(link->buf, DT_JOB_HELLO + link->hello, n) != 0) {
        ngx_cpystrn(link->line, (u_char *) "its version is not "
                                           DT_VERSION, DT_ERRSTR);
        return NGX_ERROR;
    }

    link->hello += n;
    link->len -= n;
    ngx_memmove(link->buf, link->buf + n, link->len);

    return NGX_OK;
}


/* all whole frames; the rest is moved to the beginning */

static ngx_int_t
ngx_http_dt_link_frames(ngx_http_dt_link_t *link)
{
    size_t      pos, size;
    dt_frame_t  frame;

    pos = 0;

    for ( ;; ) {
        size = dt_link_promise((char *) link->buf + pos, link->len - pos);

        if (size == SIZE_MAX) {
            return NGX_ERROR;
        }

        if (size == 0 || size > link->len - pos) {
            break;
        }

        if (dt_link_decode((char *) link->buf + pos, size, &frame) != DT_OK) {
            return NGX_ERROR;
        }

        pos += size;

        ngx_http_dt_link_frame(link, &frame);
    }

    link->len -= pos;
    ngx_memmove(link->buf, link->buf + pos, link->len);

    return ngx_http_dt_link_room(link, ngx_max(size, NGX_HTTP_DT_LINK_BUFFER));
}


/* makes room for size bytes; a large frame does not keep its memory */

static ngx_int_t
ngx_http_dt_link_room(ngx_http_dt_link_t *link, size_t size)
{
    u_char  *p;

    if (size == link->size) {
        return NGX_OK;
    }

    p = ngx_alloc(size, ngx_cycle->log);
    if (p == NULL) {
        return NGX_ERROR;
    }

    if (link->buf) {
        ngx_memcpy(p, link->buf, link->len);
        ngx_free(link->buf);
    }

    link->buf = p;
    link->size = size;

    return NGX_OK;
}


static void
ngx_http_dt_link_frame(ngx_http_dt_link_t *link, dt_frame_t *frame)
{
    void                     *data;
    ngx_http_dt_link_pt       answered;
    ngx_http_dt_link_call_t  *call;

    switch (frame->what) {

    case DT_LINK_STATE:
        ngx_http_dt_link_state(link, frame);
        return;

    case DT_LINK_EVENT:
    case DT_LINK_GAP:
        link->news(link->data, frame);
        return;
    }

    call = &link->calls[frame->id & (NGX_HTTP_DT_LINK_CALLS - 1)];

    if (call->answered == NULL || call->id != frame->id
        || call->what != frame->what)
    {
        /* it came too late */

        return;
    }

    answered = call->answered;
    data = call->data;
    call->answered = NULL;

    answered(data, frame);
}


static void
ngx_http_dt_link_state(ngx_http_dt_link_t *link, dt_frame_t *frame)
{
    size_t                len;
    u_char                why[DT_ERRSTR];
    ngx_http_dt_fleet_t  *state;

    state = &link->state;

    state->event_at = frame->event_at;
    state->latency = frame->latency;
    state->reconnects = frame->reconnects;
    state->received = frame->received;
    state->sent = frame->sent;

    len = ngx_min(frame->peer.len, NGX_HTTP_DT_PEER - 1);
    ngx_memcpy(state->peer, frame->peer.data, len);
    state->peer[len] = '\0';
    ngx_http_dt_printable(state->peer, state->peer, NGX_HTTP_DT_PEER);

    len = ngx_min(frame->text.len, DT_ERRSTR - 1);
    ngx_memcpy(why, frame->text.data, len);
    why[len] = '\0';
    ngx_http_dt_printable(why, why, DT_ERRSTR);

    /* a link that has told its state works */

    link->delay = NGX_HTTP_DT_LINK_DELAY;

    ngx_http_dt_link_note(link, (frame->flags & DT_LINK_AWAY) != 0, why);
}


/* logs a change of the state, and tells it to the zone */

static void
ngx_http_dt_link_note(ngx_http_dt_link_t *link, ngx_uint_t away, u_char *why)
{
    ngx_http_dt_fleet_t  *state;

    state = &link->state;

    if (away && (!state->away || ngx_strcmp(state->why, why) != 0)) {

        if (!state->away) {
            ngx_http_dt_zone_redis_failed(link->zone);
        }

        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                      "detemplate: redis is away, learning goes on without "
                      "it: %s", why);
        link->told = 1;
    }

    if (!away && link->told) {
        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "detemplate: redis is back: %s", state->peer);
        link->told = 0;
    }

    if (away != state->away) {
        state->since = ngx_time();
    }

    state->away = away;
    ngx_cpystrn(state->why, (u_char *) (away ? (char *) why : ""), DT_ERRSTR);

    ngx_http_dt_fleet_set(link->zone, state);
}


static void
ngx_http_dt_link_fail(ngx_http_dt_link_call_t *call, const char *why)
{
    dt_frame_t           frame;
    ngx_http_dt_link_pt  answered;

    ngx_memzero(&frame, sizeof(dt_frame_t));

    frame.what = call->what;
    frame.id = call->id;
    frame.rc = DT_EIO;
    frame.text.data = why;
    frame.text.len = ngx_strlen(why);

    answered = call->answered;
    call->answered = NULL;

    answered(call->data, &frame);
}


static void
ngx_http_dt_link_timer(ngx_event_t *ev)
{
    ngx_msec_t           silence;
    ngx_http_dt_link_t  *link;

    link = ev->data;

    ngx_http_dt_link_listen(link);

    silence = NGX_HTTP_DT_LINK_SILENCE + 20 * link->dmcf->redis.timeout_ms;

    if (link->pid == 0) {

        if ((ngx_msec_int_t) (link->start - ngx_current_msec) <= 0) {
            link->state.restarts++;
            ngx_http_dt_link_start(link);
        }

    } else if (ngx_current_msec - link->heard > silence) {
        ngx_http_dt_link_end(link, "does not answer");
    }

    ngx_http_dt_link_late(link);

    ngx_add_timer(ev, NGX_HTTP_DT_LINK_TICK);

    link->done(link->data);
}


/* fails the orders whose time is up */

static void
ngx_http_dt_link_late(ngx_http_dt_link_t *link)
{
    ngx_uint_t                i;
    ngx_http_dt_link_call_t  *call;

    for (i = 0; i < NGX_HTTP_DT_LINK_CALLS; i++) {
        call = &link->calls[i];

        if (call->answered
            && (ngx_msec_int_t) (call->deadline - ngx_current_msec) <= 0)
        {
            ngx_http_dt_link_fail(call, "no answer in time");
        }
    }
}


/* keeps the last line that the link writes to standard error */

static void
ngx_http_dt_link_listen(ngx_http_dt_link_t *link)
{
    u_char      buf[1024], *p, *last;
    ssize_t     n;
    ngx_uint_t  i;

    for (i = 0; link->err && i < NGX_HTTP_DT_LINK_READS; i++) {

        n = read(link->err, buf, sizeof(buf) - 1);

        if (n <= 0) {
            return;
        }

        last = buf + n - (buf[n - 1] == '\n');
        *last = '\0';

        for (p = last; p > buf && p[-1] != '\n'; p--) { /* void */ }

        ngx_cpystrn(link->line, p, DT_ERRSTR);
    }
}


/* ends the link, and its orders; the timer will start another one */

static void
ngx_http_dt_link_end(ngx_http_dt_link_t *link, const char *what)
{
    u_char      line[DT_ERRSTR], why[DT_ERRSTR];
    ngx_uint_t  i;

    ngx_http_dt_link_listen(link);
    ngx_http_dt_printable(line, link->line, DT_ERRSTR);

    ngx_snprintf(why, DT_ERRSTR, "the program \"%V\" for it %s%s%s%Z",
                 &link->dmcf->program, what, line[0] ? ": " : "", line);
    why[DT_ERRSTR - 1] = '\0';

    ngx_http_dt_link_close(link);

    link->start = ngx_current_msec + link->delay;
    link->delay = ngx_min(2 * link->delay, NGX_HTTP_DT_LINK_MAX);

    ngx_http_dt_link_note(link, 1, why);

    for (i = 0; i < NGX_HTTP_DT_LINK_CALLS; i++) {
        if (link->calls[i].answered) {
            ngx_http_dt_link_fail(&link->calls[i], (char *) why);
        }
    }
}


static void
ngx_http_dt_link_close(ngx_http_dt_link_t *link)
{
    int           status;
    ngx_queue_t  *q;

    if (link->in) {
        ngx_close_connection(link->in);
        link->in = NULL;
    }

    if (link->out) {
        ngx_close_connection(link->out);
        link->out = NULL;
    }

    ngx_http_dt_spawn_close(&link->err, ngx_cycle->log);

    if (link->pid) {

        /* it is dead at once, and waiting for it takes no time */

        (void) kill(link->pid, SIGKILL);

        while (waitpid(link->pid, &status, 0) == -1
               && ngx_errno == NGX_EINTR) { /* void */ }

        link->pid = 0;
    }

    while (!ngx_queue_empty(&link->unsent)) {
        q = ngx_queue_head(&link->unsent);
        ngx_queue_remove(q);
        ngx_free(ngx_queue_data(q, ngx_http_dt_link_unsent_t, queue));
    }

    link->nunsent = 0;
    link->sent = 0;
}
