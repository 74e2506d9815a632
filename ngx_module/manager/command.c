
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/command.h"


/* a command that waits for Redis */

typedef struct {
    ngx_http_dt_jobs_t            *jobs;
    uint64_t                       id;
    ngx_http_dt_control_t          control;
} ngx_http_dt_command_wait_t;


static void ngx_http_dt_command_redis(ngx_http_dt_jobs_t *jobs, uint64_t id,
    ngx_http_dt_control_t *c);
static void ngx_http_dt_command_forgotten(void *data, dt_frame_t *answer);
static void ngx_http_dt_command_end(ngx_http_dt_jobs_t *jobs, uint64_t id,
    ngx_http_dt_control_t *c);
static void ngx_http_dt_command_relearn(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_control_t *c);
static void ngx_http_dt_command_forget(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_control_t *c);
static void ngx_http_dt_command_pin(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_control_t *c);
static ngx_int_t ngx_http_dt_command_read(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_control_t *c, ngx_uint_t n, ngx_http_dt_snapshot_t *s);
static void ngx_http_dt_command_earlier(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_control_t *c);


void
ngx_http_dt_command_take(ngx_http_dt_jobs_t *jobs)
{
    uint64_t               id;
    ngx_http_dt_control_t  c;

    while ((id = ngx_http_dt_control_take(jobs->zone, &c)) != 0) {

        ngx_http_dt_command(jobs, &c);

        if (c.what == NGX_HTTP_DT_DO_FORGET && jobs->redis) {
            ngx_http_dt_command_redis(jobs, id, &c);

        } else {
            ngx_http_dt_command_end(jobs, id, &c);
        }
    }
}


/* the site is forgotten when Redis has answered */

static void
ngx_http_dt_command_redis(ngx_http_dt_jobs_t *jobs, uint64_t id,
    ngx_http_dt_control_t *c)
{
    dt_frame_t                   order;
    ngx_http_dt_command_wait_t  *wait;

    wait = ngx_alloc(sizeof(ngx_http_dt_command_wait_t), jobs->log);

    if (wait == NULL) {
        c->did = NGX_HTTP_DT_DID_FAIL;
        ngx_http_dt_command_end(jobs, id, c);
        return;
    }

    wait->jobs = jobs;
    wait->id = id;
    wait->control = *c;
    wait->control.site.data = wait->control.name;

    ngx_http_dt_redis_begin(&order, DT_LINK_FORGET, &wait->control.site);
    ngx_http_dt_redis_order(jobs->redis, &order,
                            ngx_http_dt_command_forgotten, wait);
}


static void
ngx_http_dt_command_forgotten(void *data, dt_frame_t *answer)
{
    ngx_http_dt_command_wait_t *wait = data;

    ngx_http_dt_control_t  *c;

    c = &wait->control;

    ngx_http_dt_redis_note(wait->jobs->redis, answer);

    if (answer->rc == DT_OK) {
        c->known = 1;

    } else if (answer->rc != DT_DECLINED) {
        c->did = NGX_HTTP_DT_DID_FAIL;
    }

    ngx_http_dt_command_end(wait->jobs, wait->id, c);
    ngx_free(wait);
}


static void
ngx_http_dt_command_end(ngx_http_dt_jobs_t *jobs, uint64_t id,
    ngx_http_dt_control_t *c)
{
    u_char  name[NGX_HTTP_DT_MAX_SITE + 1];

    if (!c->known && c->did != NGX_HTTP_DT_DID_FAIL) {
        c->did = NGX_HTTP_DT_DID_UNKNOWN;
    }

    c->name[c->site.len] = '\0';
    ngx_http_dt_printable(name, c->name, sizeof(name));

    ngx_log_error(NGX_LOG_NOTICE, jobs->log, 0,
                  "detemplate: command \"%V\" for \"%s\": %V",
                  &ngx_http_dt_dos[c->what], name, &ngx_http_dt_dids[c->did]);

    ngx_http_dt_control_done(jobs->zone, id, c);
}


void
ngx_http_dt_command(ngx_http_dt_jobs_t *jobs, ngx_http_dt_control_t *c)
{
    c->did = NGX_HTTP_DT_DID;
    c->known = 0;
    c->pinned = 0;
    c->state = NGX_HTTP_DT_STATE_IDLE;

    ngx_memzero(&c->now, sizeof(c->now));
    ngx_memzero(c->earlier, sizeof(c->earlier));

    switch (c->what) {

    case NGX_HTTP_DT_DO_RELEARN:
        ngx_http_dt_command_relearn(jobs, c);
        break;

    case NGX_HTTP_DT_DO_FORGET:
        ngx_http_dt_command_forget(jobs, c);
        break;

    case NGX_HTTP_DT_DO_PIN:
    case NGX_HTTP_DT_DO_UNPIN:
    case NGX_HTTP_DT_DO_RESTORE:
        ngx_http_dt_command_pin(jobs, c);
        break;

    default: /* NGX_HTTP_DT_DO_SHOW */
        break;
    }

    ngx_http_dt_control_state(jobs->zone, c);
    ngx_http_dt_command_earlier(jobs, c);
}


/* a site that was evicted from the zone has a snapshot, which serves again */

static void
ngx_http_dt_command_relearn(ngx_http_dt_jobs_t *jobs, ngx_http_dt_control_t *c)
{
    ngx_http_dt_snapshot_t  s;

    ngx_http_dt_control_node(jobs->zone, c);

    if (!c->known && ngx_http_dt_command_read(jobs, c, 0, &s) == NGX_OK) {
        (void) ngx_http_dt_publish(jobs->zone, &c->site, &s.pub);
        ngx_free(s.pub.data);
        ngx_http_dt_control_node(jobs->zone, c);
    }
}


static void
ngx_http_dt_command_forget(ngx_http_dt_jobs_t *jobs, ngx_http_dt_control_t *c)
{
    ngx_uint_t  n;

    ngx_http_dt_control_node(jobs->zone, c);

    if (ngx_http_dt_snapshot_remove(&jobs->walk, &c->site, &n, jobs->log)
        != NGX_OK)
    {
        c->did = NGX_HTTP_DT_DID_FAIL;
    }

    c->known |= (n != 0);
}


/*
 * Pins the present template or an earlier one, or unpins the present one.  The
 * snapshot says so after a restart.
 */

static void
ngx_http_dt_command_pin(ngx_http_dt_jobs_t *jobs, ngx_http_dt_control_t *c)
{
    ngx_uint_t              n;
    ngx_http_dt_snapshot_t  s;

    n = (c->what == NGX_HTTP_DT_DO_RESTORE) ? c->n : 0;

    if (ngx_http_dt_command_read(jobs, c, n, &s) != NGX_OK) {
        return;
    }

    s.pub.pinned = (c->what == NGX_HTTP_DT_DO_UNPIN) ? 0
                   : c->fleet ? NGX_HTTP_DT_PINNED_FLEET
                              : NGX_HTTP_DT_PINNED_HERE;

    ngx_http_dt_control_node(jobs->zone, c);

    if (n) {
        ngx_http_dt_snapshot_shift(&jobs->walk, &c->site, n, jobs->log);
    }

    if (ngx_http_dt_snapshot_write(&jobs->walk, &c->site, &s.pub, jobs->log)
        != NGX_OK
        || ((n || !ngx_http_dt_published(jobs->zone, &c->site))
            && ngx_http_dt_publish(jobs->zone, &c->site, &s.pub) != NGX_OK))
    {
        c->did = NGX_HTTP_DT_DID_FAIL;
    }

    ngx_free(s.pub.data);
}


/* reads a template of the site; not NGX_OK: there is none, and did is set */

static ngx_int_t
ngx_http_dt_command_read(ngx_http_dt_jobs_t *jobs, ngx_http_dt_control_t *c,
    ngx_uint_t n, ngx_http_dt_snapshot_t *s)
{
    ngx_int_t  rc;

    rc = ngx_http_dt_snapshot_read_one(&jobs->dmcf->path->name, &c->site, n, 1,
                                       s, jobs->log);

    if (rc == NGX_OK && s->pub.info.patterns == 0) {

        /* failed learnings have left evidence, which serves nothing */

        ngx_free(s->pub.data);
        rc = NGX_DECLINED;
    }

    if (rc != NGX_OK) {
        c->did = (rc == NGX_ERROR) ? NGX_HTTP_DT_DID_FAIL
                                   : NGX_HTTP_DT_DID_NONE;
    }

    return rc;
}


static void
ngx_http_dt_command_earlier(ngx_http_dt_jobs_t *jobs, ngx_http_dt_control_t *c)
{
    ngx_uint_t              i;
    ngx_http_dt_kept_t     *kept;
    ngx_http_dt_snapshot_t  s;

    for (i = 0; i <= NGX_HTTP_DT_EARLIER; i++) {

        if (ngx_http_dt_snapshot_read_one(&jobs->dmcf->path->name, &c->site, i,
                                          0, &s, jobs->log)
            != NGX_OK)
        {
            continue;
        }

        c->known = 1;

        /* what serves is in the zone, unless the site was evicted */

        kept = i ? &c->earlier[i - 1] : &c->now;

        if (kept->version == 0 && s.pub.info.patterns) {
            kept->version = s.pub.info.version;
            kept->coverage = s.pub.info.coverage;
            kept->learned_at = s.pub.info.learned_at;
        }

        ngx_free(s.pub.data);
    }
}
