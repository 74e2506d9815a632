
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/command.h"
#include "ngx_module/manager/follow.h"
#include "ngx_module/zone/work.h"


/*
 * Only sites that the zone knows are followed.  Where an event cannot be
 * followed now, because Redis is away or too many orders wait, that counts as
 * a gap: later, all sites are compared with what Redis has, some at a time.
 */


#define NGX_HTTP_DT_FOLLOW_MAX  256        /* orders at once */


/* an order that waits for its answer */

typedef struct {
    ngx_http_dt_follow_t          *follow;
    ngx_str_t                      site;       /* in name */
    uint32_t                       version;    /* to compare with: ours; to */
    int64_t                        learned_at;  /* read: what Redis has */
    ngx_uint_t                     pinned;     /* ours is, by whom */
    ngx_uint_t                     unpinned;   /* since, by the fleet */
    ngx_uint_t                     added;      /* pages, to the template */
    u_char                         name[NGX_HTTP_DT_MAX_SITE];
} ngx_http_dt_follow_wait_t;


static void ngx_http_dt_follow_command(ngx_http_dt_follow_t *f,
    ngx_uint_t what, ngx_uint_t n, ngx_str_t *site);
static void ngx_http_dt_follow_said(ngx_http_dt_follow_t *f, ngx_uint_t what,
    ngx_str_t *site, ngx_uint_t did);
static ngx_int_t ngx_http_dt_follow_pin(ngx_http_dt_follow_t *f,
    ngx_str_t *site, uint32_t version, int64_t learned_at);
static void ngx_http_dt_follow_learned(ngx_http_dt_follow_t *f,
    dt_frame_t *news, ngx_str_t *site);
static ngx_http_dt_follow_wait_t *ngx_http_dt_follow_wait(
    ngx_http_dt_follow_t *f, ngx_str_t *site);
static void ngx_http_dt_follow_get(ngx_http_dt_follow_wait_t *w);
static void ngx_http_dt_follow_got(void *data, dt_frame_t *answer);
static void ngx_http_dt_follow_site(ngx_http_dt_follow_t *f,
    ngx_str_t *site);
static void ngx_http_dt_follow_compare(ngx_http_dt_follow_wait_t *w);
static void ngx_http_dt_follow_compared(void *data, dt_frame_t *answer);
static ngx_uint_t ngx_http_dt_follow_differs(ngx_http_dt_follow_wait_t *w,
    dt_frame_t *answer);


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

    ngx_log_debug3(NGX_LOG_DEBUG_CORE, f->jobs->log, 0,
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


/* what an operator would ask of this machine alone */

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
    c.site.data = c.name;
    c.site.len = site->len;
    ngx_memcpy(c.name, site->data, site->len);

    ngx_http_dt_command(f->jobs, &c);

    if (c.known) {
        ngx_http_dt_follow_said(f, what, site, c.did);
    }
}


static void
ngx_http_dt_follow_said(ngx_http_dt_follow_t *f, ngx_uint_t what,
    ngx_str_t *site, ngx_uint_t did)
{
    u_char  name[NGX_HTTP_DT_MAX_SITE + 1];

    ngx_memcpy(name, site->data, site->len);
    name[site->len] = '\0';
    ngx_http_dt_printable(name, name, site->len + 1);

    ngx_log_error(NGX_LOG_NOTICE, f->jobs->log, 0,
                  "detemplate: command \"%V\" for \"%s\" from redis: %V",
                  &ngx_http_dt_dos[what], name, &ngx_http_dt_dids[did]);
}


/*
 * Pins a template that is here, whether it serves or did so earlier: none of
 * the others is lost then.  NGX_DECLINED: it is not here.
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

        if (ngx_http_dt_snapshot_read_one(&f->jobs->dmcf->path->name, site, n,
                                          0, &s, f->jobs->log)
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
        ngx_http_dt_follow_get(w);
    }
}


/* NULL: the event cannot be followed now */

static ngx_http_dt_follow_wait_t *
ngx_http_dt_follow_wait(ngx_http_dt_follow_t *f, ngx_str_t *site)
{
    ngx_http_dt_follow_wait_t  *w;

    w = (f->asked < NGX_HTTP_DT_FOLLOW_MAX)
        ? ngx_calloc(sizeof(ngx_http_dt_follow_wait_t), f->jobs->log) : NULL;

    if (w == NULL) {
        f->gap = 1;
        return NULL;
    }

    f->asked++;

    w->follow = f;
    w->site.data = w->name;
    w->site.len = site->len;
    ngx_memcpy(w->name, site->data, site->len);

    return w;
}


static void
ngx_http_dt_follow_get(ngx_http_dt_follow_wait_t *w)
{
    dt_frame_t  order;

    ngx_http_dt_redis_begin(&order, DT_LINK_GET, &w->site);

    order.version = w->version;
    order.learned_at = w->learned_at;

    ngx_http_dt_redis_order(w->follow->jobs->redis, &order,
                            ngx_http_dt_follow_got, w);
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
        /* the same does not become an earlier one */

        work.added = w->added
                     || (w->version == work.version
                         && w->learned_at == work.learned_at);

        if (ngx_http_dt_jobs_newer(f->jobs, &work, answer) == NGX_OK
            && (answer->flags & DT_LINK_PINNED))
        {
            ngx_http_dt_follow_said(f, NGX_HTTP_DT_DO_PIN, &w->site,
                                    NGX_HTTP_DT_DID);
        }
    }

    ngx_free(w);
}


/*
 * Nothing is compared before all snapshots were read after a start, as sites
 * that come later would be left out.
 */

void
ngx_http_dt_follow_go_on(ngx_http_dt_follow_t *f)
{
    ngx_uint_t                  i, n;
    ngx_http_dt_fleet_site_t    sites[NGX_HTTP_DT_BATCH];
    ngx_http_dt_follow_wait_t  *w;

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
            w = ngx_http_dt_follow_wait(f, &sites[i].site);

            if (w) {
                w->version = sites[i].version;
                w->learned_at = sites[i].learned_at;
                w->pinned = sites[i].pinned;
                ngx_http_dt_follow_compare(w);
            }
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
        ngx_http_dt_follow_compare(w);
    }
}


static void
ngx_http_dt_follow_compare(ngx_http_dt_follow_wait_t *w)
{
    dt_frame_t  order;

    w->follow->compared++;

    ngx_http_dt_redis_begin(&order, DT_LINK_COMPARE, &w->site);
    ngx_http_dt_redis_order(w->follow->jobs->redis, &order,
                            ngx_http_dt_follow_compared, w);
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
        ngx_http_dt_follow_get(w);
        return;
    }

    f->asked--;
    ngx_free(w);
}


/*
 * Whether the site is to be taken from Redis.  What an operator has pinned on
 * this machine alone stays; what the fleet has pinned, it may have unpinned.
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
