
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/manager/command.h"
#include "ngx_module/zone/control.h"
#include "ngx_module/zone/store.h"
#include "ngx_module/zone/zone.h"


/*
 * Only sites that the zone knows are followed.  Where an event cannot be
 * followed now, because Redis is away or too many orders wait, that counts as
 * a gap: later, all sites are compared with those in Redis, some at a time.
 */


#define NGX_HTTP_DT_FOLLOW_MAX  256        /* orders at once */


/* a command that waits for Redis */

typedef struct {
    ngx_http_dt_jobs_t            *jobs;
    uint64_t                       id;
    ngx_http_dt_control_t          control;
} ngx_http_dt_command_wait_t;


/* an order that waits for its answer */

typedef struct {
    ngx_http_dt_follow_t          *follow;
    ngx_str_t                      site;       /* in name */
    uint32_t                       version;    /* to compare with: ours; to */
    int64_t                        learned_at;  /* read: of the one in Redis */
    ngx_uint_t                     pinned;     /* NGX_HTTP_DT_PINNED_*: ours */
    ngx_uint_t                     unpinned;   /* since, by the fleet */
    ngx_uint_t                     added;      /* pages, to the template */
    u_char                         name[NGX_HTTP_DT_MAX_SITE];
} ngx_http_dt_follow_wait_t;


static void ngx_http_dt_command(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_control_t *c);
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
static void ngx_http_dt_follow_command(ngx_http_dt_follow_t *f,
    ngx_uint_t what, ngx_uint_t n, ngx_str_t *site);
static void ngx_http_dt_command_said(ngx_uint_t what, ngx_str_t *site,
    const char *from, ngx_uint_t did);
static ngx_int_t ngx_http_dt_follow_pin(ngx_http_dt_follow_t *f,
    ngx_str_t *site, uint32_t version, int64_t learned_at);
static void ngx_http_dt_follow_learned(ngx_http_dt_follow_t *f,
    dt_frame_t *news, ngx_str_t *site);
static ngx_http_dt_follow_wait_t *ngx_http_dt_follow_wait(
    ngx_http_dt_follow_t *f, ngx_str_t *site);
static void ngx_http_dt_follow_ask(ngx_http_dt_follow_wait_t *w,
    ngx_uint_t what, ngx_http_dt_redis_pt answered);
static void ngx_http_dt_follow_got(void *data, dt_frame_t *answer);
static void ngx_http_dt_follow_site(ngx_http_dt_follow_t *f,
    ngx_str_t *site);
static void ngx_http_dt_follow_compared(void *data, dt_frame_t *answer);
static ngx_uint_t ngx_http_dt_follow_differs(ngx_http_dt_follow_wait_t *w,
    dt_frame_t *answer);


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

    wait = ngx_alloc(sizeof(ngx_http_dt_command_wait_t), ngx_cycle->log);

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
    if (!c->known && c->did != NGX_HTTP_DT_DID_FAIL) {
        c->did = NGX_HTTP_DT_DID_UNKNOWN;
    }

    ngx_http_dt_command_said(c->what, &c->site, "", c->did);
    ngx_http_dt_control_done(jobs->zone, id, c);
}


static void
ngx_http_dt_command_said(ngx_uint_t what, ngx_str_t *site, const char *from,
    ngx_uint_t did)
{
    u_char  name[NGX_HTTP_DT_MAX_SITE + 1];

    ngx_http_dt_printable(name, site->data, site->len + 1);

    ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                  "detemplate: command \"%V\" for \"%s\"%s: %V",
                  &ngx_http_dt_dos[what], name, from, &ngx_http_dt_dids[did]);
}


/*
 * Executes one command on this machine; a forgotten site stays in Redis.  Sets
 * all of c but its first fields, which hold the command.
 */

static void
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

    if (ngx_http_dt_snapshot_remove(&jobs->walk, &c->site, &n)
        != NGX_OK)
    {
        c->did = NGX_HTTP_DT_DID_FAIL;
    }

    ngx_http_dt_store_drop(jobs->zone, &jobs->dmcf->path->name, &c->site, 1);

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
        ngx_http_dt_snapshot_shift(&jobs->walk, &c->site, n);
    }

    if (ngx_http_dt_snapshot_write(&jobs->walk, &c->site, &s.pub)
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

    rc = ngx_http_dt_snapshot_read(&jobs->dmcf->path->name, &c->site, n, 1, s);

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

        if (ngx_http_dt_snapshot_read(&jobs->dmcf->path->name, &c->site, i, 0,
                                      &s)
            != NGX_OK)
        {
            continue;
        }

        c->known = 1;

        /* the current template is in the zone, unless the site was evicted */

        kept = i ? &c->earlier[i - 1] : &c->now;

        if (kept->version == 0 && s.pub.info.patterns) {
            kept->version = s.pub.info.version;
            kept->coverage = s.pub.info.coverage;
            kept->learned_at = s.pub.info.learned_at;
        }

        ngx_free(s.pub.data);
    }
}


void
ngx_http_dt_follow(ngx_http_dt_follow_t *f, dt_frame_t *news)
{
    ngx_str_t  site;

    site.data = (u_char *) news->site.data;
    site.len = news->site.len;

    if (news->what == DT_LINK_GAP) {
        if (site.len) {
            ngx_http_dt_follow_site(f, &site);

        } else {
            f->gap = 1;
        }

        return;
    }

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, ngx_cycle->log, 0,
                   "detemplate event: \"%V\" %s version:%uD", &site,
                   dt_link_dids[news->event], news->version);

    switch (news->event) {

    case DT_LINK_DID_FORGET:
        ngx_http_dt_follow_command(f, NGX_HTTP_DT_DO_FORGET, 0, &site);
        break;

    case DT_LINK_DID_RELEARN:
        ngx_http_dt_follow_command(f, NGX_HTTP_DT_DO_RELEARN, 0, &site);
        break;

    case DT_LINK_DID_UNPIN:
        ngx_http_dt_follow_command(f, NGX_HTTP_DT_DO_UNPIN, 0, &site);
        break;

    default: /* LEARN, PIN */
        ngx_http_dt_follow_learned(f, news, &site);
    }
}


/* executes the event as if an operator had sent the command to this machine
   alone */

static void
ngx_http_dt_follow_command(ngx_http_dt_follow_t *f, ngx_uint_t what,
    ngx_uint_t n, ngx_str_t *site)
{
    ngx_http_dt_work_t     work;
    ngx_http_dt_control_t  c;

    if (site->len > NGX_HTTP_DT_MAX_SITE
        || (what != NGX_HTTP_DT_DO_FORGET
            && ngx_http_dt_work_look(f->jobs->zone, site, &work) != NGX_OK))
    {
        return;
    }

    ngx_memzero(&c, sizeof(ngx_http_dt_control_t));

    c.what = what;
    c.n = n;
    c.fleet = 1;
    ngx_http_dt_copy_name(&c.site, c.name, site);

    ngx_http_dt_command(f->jobs, &c);

    if (c.known) {
        ngx_http_dt_command_said(what, site, " from redis", c.did);
    }
}


/*
 * Pins the current or an earlier template of this machine, so that none of the
 * others is lost.  NGX_DECLINED: it is not here.
 */

static ngx_int_t
ngx_http_dt_follow_pin(ngx_http_dt_follow_t *f, ngx_str_t *site,
    uint32_t version, int64_t learned_at)
{
    ngx_uint_t              n;
    dt_template_info_t      info;
    ngx_http_dt_snapshot_t  s;

    if (version == 0) {
        return NGX_DECLINED;
    }

    for (n = 0; n <= NGX_HTTP_DT_EARLIER; n++) {

        if (ngx_http_dt_snapshot_read(&f->jobs->dmcf->path->name, site, n, 0,
                                      &s)
            != NGX_OK)
        {
            continue;
        }

        info = s.pub.info;
        ngx_free(s.pub.data);

        if (info.patterns
            && info.version == version && info.learned_at == learned_at)
        {
            ngx_http_dt_follow_command(f, n ? NGX_HTTP_DT_DO_RESTORE
                                            : NGX_HTTP_DT_DO_PIN, n, site);
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}


/* a template that is not newer than ours is not asked for */

static void
ngx_http_dt_follow_learned(ngx_http_dt_follow_t *f, dt_frame_t *news,
    ngx_str_t *site)
{
    ngx_http_dt_work_t          work;
    ngx_http_dt_follow_wait_t  *w;

    if (ngx_http_dt_work_look(f->jobs->zone, site, &work) != NGX_OK) {
        return;
    }

    if (news->event == DT_LINK_DID_PIN
        && ngx_http_dt_follow_pin(f, site, news->version, news->learned_at)
           == NGX_OK)
    {
        return;
    }

    /* a pin of the fleet may have ended unseen, as by "forget" */

    if (news->event == DT_LINK_DID_LEARN
        && work.pinned == NGX_HTTP_DT_PINNED_FLEET && !work.anew)
    {
        ngx_http_dt_follow_site(f, site);
        return;
    }

    if (news->event == DT_LINK_DID_LEARN
        && ((work.pinned && !work.anew)
            || (work.version && news->learned_at
                && (news->learned_at < work.learned_at
                    || (news->learned_at == work.learned_at
                        && news->version <= work.version)))))
    {
        return;
    }

    w = ngx_http_dt_follow_wait(f, site);

    if (w) {
        w->added = (news->flags & DT_LINK_ADDED) != 0;
        w->version = news->version;
        w->learned_at = news->learned_at;
        ngx_http_dt_follow_ask(w, DT_LINK_GET, ngx_http_dt_follow_got);
    }
}


/* NULL: the event cannot be followed now */

static ngx_http_dt_follow_wait_t *
ngx_http_dt_follow_wait(ngx_http_dt_follow_t *f, ngx_str_t *site)
{
    ngx_http_dt_follow_wait_t  *w;

    w = (f->asked < NGX_HTTP_DT_FOLLOW_MAX)
        ? ngx_calloc(sizeof(ngx_http_dt_follow_wait_t), ngx_cycle->log) : NULL;

    if (w == NULL) {
        f->gap = 1;
        return NULL;
    }

    f->asked++;

    w->follow = f;
    ngx_http_dt_copy_name(&w->site, w->name, site);

    return w;
}


/* to compare, Redis does not look at the template that is known */

static void
ngx_http_dt_follow_ask(ngx_http_dt_follow_wait_t *w, ngx_uint_t what,
    ngx_http_dt_redis_pt answered)
{
    dt_frame_t  order;

    ngx_http_dt_redis_begin(&order, what, &w->site);

    order.version = w->version;
    order.learned_at = w->learned_at;

    ngx_http_dt_redis_order(w->follow->jobs->redis, &order, answered, w);
}


static void
ngx_http_dt_follow_got(void *data, dt_frame_t *answer)
{
    ngx_http_dt_follow_wait_t *w = data;

    ngx_http_dt_work_t     work;
    ngx_http_dt_follow_t  *f;

    f = w->follow;
    f->asked--;

    ngx_http_dt_redis_note(f->jobs->redis, answer);

    if (answer->rc == DT_EIO) {
        f->gap = 1;
    }

    if (answer->rc == DT_OK
        && ngx_http_dt_work_look(f->jobs->zone, &w->site, &work) == NGX_OK
        && (!work.pinned || work.anew || w->unpinned
            || answer->flags & DT_LINK_PINNED))
    {
        /* keep no earlier copy of the same template */

        work.added = w->added
                     || (w->version == work.version
                         && w->learned_at == work.learned_at);

        if (ngx_http_dt_jobs_newer(f->jobs, &work, answer) == NGX_OK
            && (answer->flags & DT_LINK_PINNED))
        {
            ngx_http_dt_command_said(NGX_HTTP_DT_DO_PIN, &w->site,
                                     " from redis", NGX_HTTP_DT_DID);
        }
    }

    ngx_free(w);
}


/*
 * Comparing begins when all snapshots were read after a start, as it would
 * miss the sites of later ones.
 */

void
ngx_http_dt_follow_go_on(ngx_http_dt_follow_t *f)
{
    ngx_uint_t                i, n;
    ngx_http_dt_fleet_site_t  sites[NGX_HTTP_DT_BATCH];

    if (f->compared || ngx_http_dt_redis_away(f->jobs->redis)) {
        return;
    }

    if (!f->comparing) {

        if (!f->gap || !ngx_http_dt_zone_loaded(f->jobs->zone, 0)) {
            return;
        }

        f->gap = 0;
        f->comparing = 1;
        f->next = 0;
    }

    /* until some sites are asked about, or all slots were seen */

    do {
        n = ngx_http_dt_fleet_sites(f->jobs->zone, &f->next, sites);
        f->comparing = (f->next != 0);

        for (i = 0; i < n; i++) {
            ngx_http_dt_follow_site(f, &sites[i].site);
        }

    } while (f->comparing && f->compared == 0);
}


/* a site whose events were missed */

static void
ngx_http_dt_follow_site(ngx_http_dt_follow_t *f, ngx_str_t *site)
{
    ngx_http_dt_work_t          work;
    ngx_http_dt_follow_wait_t  *w;

    if (ngx_http_dt_work_look(f->jobs->zone, site, &work) != NGX_OK) {
        return;
    }

    w = ngx_http_dt_follow_wait(f, site);

    if (w) {
        w->version = work.version;
        w->learned_at = work.learned_at;
        w->pinned = work.anew ? 0 : work.pinned;
        f->compared++;
        ngx_http_dt_follow_ask(w, DT_LINK_COMPARE,
                               ngx_http_dt_follow_compared);
    }
}


static void
ngx_http_dt_follow_compared(void *data, dt_frame_t *answer)
{
    ngx_http_dt_follow_wait_t *w = data;

    ngx_http_dt_follow_t  *f;

    f = w->follow;
    f->compared--;

    if (answer->rc == DT_EIO) {
        f->gap = 1;
    }

    if (answer->rc == DT_OK && ngx_http_dt_follow_differs(w, answer)) {
        w->unpinned = (w->pinned == NGX_HTTP_DT_PINNED_FLEET);
        w->version = answer->version;
        w->learned_at = answer->learned_at;
        ngx_http_dt_follow_ask(w, DT_LINK_GET, ngx_http_dt_follow_got);
        return;
    }

    f->asked--;
    ngx_free(w);
}


/*
 * Whether the site is to be taken from Redis.  A template that an operator has
 * pinned on this machine alone stays; the fleet may have unpinned one that it
 * had pinned.
 */

static ngx_uint_t
ngx_http_dt_follow_differs(ngx_http_dt_follow_wait_t *w, dt_frame_t *answer)
{
    ngx_uint_t  same;

    same = (answer->version == w->version
            && answer->learned_at == w->learned_at);

    if (answer->flags & DT_LINK_PINNED) {
        return (!w->pinned || !same)
               && ngx_http_dt_follow_pin(w->follow, &w->site, answer->version,
                                         answer->learned_at)
                  != NGX_OK;
    }

    if (w->pinned == NGX_HTTP_DT_PINNED_FLEET && same) {
        ngx_http_dt_follow_command(w->follow, NGX_HTTP_DT_DO_UNPIN, 0,
                                   &w->site);
    }

    return w->pinned != NGX_HTTP_DT_PINNED_HERE
           && (answer->learned_at > w->learned_at
               || (answer->learned_at == w->learned_at
                   && answer->version > w->version));
}
