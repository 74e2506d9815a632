
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/status/metrics.h"


#define NGX_HTTP_DT_LABELS         4
#define NGX_HTTP_DT_METRICS_HEAD   12288  /* bytes of all but the sites */
#define NGX_HTTP_DT_METRICS_SITES  100
#define NGX_HTTP_DT_METRICS_SITE   128    /* a line without its name */
#define NGX_HTTP_DT_METRICS  30       /* besides requests and reasons */


/* the metrics of one name */

typedef struct {
    char                          *name;        /* without the prefix */
    char                          *type;
    char                          *help;
    char                          *label;       /* NULL: one metric */
    char                          *values[NGX_HTTP_DT_LABELS];
                                                /* of the label, if fixed */
} ngx_http_dt_family_t;


static u_char *ngx_http_dt_metrics_family(u_char *p, u_char *last,
    ngx_http_dt_family_t *f, uint64_t **value);
static u_char *ngx_http_dt_metrics_fleet(u_char *p, u_char *last,
    ngx_http_dt_fleet_t *fleet);
static void ngx_http_dt_metrics_used(ngx_http_dt_stats_t *stats);
static int ngx_libc_cdecl ngx_http_dt_metrics_cmp(const void *one,
    const void *two);
static u_char *ngx_http_dt_metrics_sites(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);


/* of each site, in the order of ngx_http_dt_metrics_sites() */

static ngx_http_dt_family_t          ngx_http_dt_series[] = {

    { "site_hits_total", "counter",
      "Pages of a site that were rewritten, of the sites with the most.",
      "site", { NULL } },

    { "site_in_bytes_total", "counter",
      "Their bytes.",
      "site", { NULL } },

    { "site_removed_bytes_total", "counter",
      "Bytes that were cut from them, or put between marks.",
      "site", { NULL } },

    { "site_removed_words_total", "counter",
      "Words of template among these.",
      "site", { NULL } },

    { "site_version", "gauge",
      "The version of the site's template.",
      "site", { NULL } },

    { "site_off_template_pages", "gauge",
      "Pages of the site among the last that showed nothing of a template.",
      "site", { NULL } },
};


/* in the order of ngx_http_dt_metrics() */

static ngx_http_dt_family_t          ngx_http_dt_families[] = {

    { "requests_total", "counter",
      "Requests by what became of the page.",
      "status", { NULL } },

    { "reasons_total", "counter",
      "Requests by the reason why the page passed, or the rest of it.",
      "reason", { NULL } },

    { "in_bytes_total", "counter",
      "Bytes of pages that were rewritten.",
      NULL, { NULL } },

    { "removed_bytes_total", "counter",
      "Bytes that were cut from pages, or put between marks.",
      NULL, { NULL } },

    { "removed_words_total", "counter",
      "Words of template among these.",
      NULL, { NULL } },

    { "saved_tokens_total", "counter",
      "Tokens among these, by an estimate of four characters for each.",
      NULL, { NULL } },

    { "by_hand_total", "counter",
      "Elements that were kept and cut by hand.",
      "what", { "kept", "cut" } },

    { "not_held_total", "counter",
      "Pages that a worker could not hold, since it held too much.",
      NULL, { NULL } },

    { "redesigns_total", "counter",
      "Learnings that found another design.",
      NULL, { NULL } },

    { "learning", "gauge",
      "Jobs that wait for a learner, and that one is at work on.",
      "state", { "queued", "running" } },

    { "learned_total", "counter",
      "Learnings that have ended.",
      "result", { "done", "failed" } },

    { "redis_total", "counter",
      "Templates that came from Redis, and how often it failed.",
      "result", { "taken", "failed" } },

    { "snapshots_total", "counter",
      "Templates that came from snapshots, and files that were not sound, or "
      "went for room.",
      "result", { "taken", "refused", "evicted" } },

    { "evicted_total", "counter",
      "Sites that were dropped from the zone for room.",
      NULL, { NULL } },

    { "sites", "gauge",
      "Sites with a template.",
      NULL, { NULL } },

    { "sites_without_template", "gauge",
      "Sites that the zone knows and has no template of.",
      NULL, { NULL } },

    { "zone_size_bytes", "gauge",
      "Bytes of the zone.",
      NULL, { NULL } },

    { "zone_free_bytes", "gauge",
      "Bytes of the zone that are free.",
      NULL, { NULL } },

    { NULL, NULL, NULL, NULL, { NULL } }
};


/* where detemplate_redis is set; the first is no whole number */

static ngx_http_dt_family_t          ngx_http_dt_latency = {
    "redis_latency_seconds", "gauge",
    "Time that the last answer of Redis took.",
    "", { NULL }
};

static ngx_http_dt_family_t          ngx_http_dt_fleet_families[] = {

    { "redis_connected", "gauge",
      "Whether Redis answers, 1 or 0.",
      NULL, { NULL } },

    { "redis_event_timestamp_seconds", "gauge",
      "Time of the last event of another machine, or 0.",
      NULL, { NULL } },

    { "redis_restarts_total", "counter",
      "Connections to Redis, and processes for them, that were begun anew.",
      "what", { "connection", "process" } },

    { "redis_bytes_total", "counter",
      "Bytes from Redis and to it.",
      "direction", { "received", "sent" } },

    { NULL, NULL, NULL, NULL, { NULL } }
};


u_char *
ngx_http_dt_metrics(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    uint64_t                 values[NGX_HTTP_DT_METRICS], *v;
    ngx_uint_t               i;
    ngx_http_dt_family_t    *f;
    ngx_http_dt_counters_t  *c;

    f = ngx_http_dt_families;

    p = ngx_http_dt_metrics_family(p, last, f, NULL);

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        p = ngx_slprintf(p, last, "nginx_detemplate_%s{%s=\"", f->name,
                         f->label);
        p = ngx_http_dt_lower(p, last, &ngx_http_dt_statuses[i]);
        p = ngx_slprintf(p, last, "\"} %ui\n", stats->requests[i]);
    }

    p = ngx_http_dt_metrics_family(p, last, ++f, NULL);

    for (i = NGX_HTTP_DT_R_NONE + 1;
         i < NGX_HTTP_DT_REASONS;
         i++)
    {
        if (i == NGX_HTTP_DT_R_LEARNER) {
            continue;
        }

        p = ngx_slprintf(p, last, "nginx_detemplate_%s{%s=\"%V\"} %ui\n",
                         f->name, f->label, &ngx_http_dt_reasons[i],
                         stats->reasons[i]);
    }

    c = &stats->counters;
    v = values;

    *v++ = c->in;
    *v++ = c->removed;
    *v++ = c->words;
    *v++ = ngx_http_dt_tokens(c->removed);
    *v++ = c->kept;
    *v++ = c->forced;
    *v++ = c->not_held;
    *v++ = c->redesigns;
    *v++ = c->queued;
    *v++ = c->running;
    *v++ = c->done;
    *v++ = c->failed;
    *v++ = c->redis_taken;
    *v++ = c->redis_failed;
    *v++ = c->snapshots_taken;
    *v++ = c->snapshots_refused;
    *v++ = c->snapshots_evicted;
    *v++ = c->evicted;
    *v++ = c->sites;
    *v++ = c->nodes - c->sites;
    *v++ = stats->size;
    *v++ = stats->free;

    for (f++, v = values; f->name; f++) {
        p = ngx_http_dt_metrics_family(p, last, f, &v);
    }

    if (stats->fleet.since) {
        p = ngx_http_dt_metrics_fleet(p, last, &stats->fleet);
    }

    return ngx_http_dt_metrics_sites(p, last, stats);
}


static u_char *
ngx_http_dt_metrics_fleet(u_char *p, u_char *last, ngx_http_dt_fleet_t *fleet)
{
    uint64_t               values[NGX_HTTP_DT_METRICS], *v;
    ngx_http_dt_family_t  *f;

    v = values;

    p = ngx_http_dt_metrics_family(p, last, &ngx_http_dt_latency, NULL);
    p = ngx_slprintf(p, last, "nginx_detemplate_%s %ui.%06ui\n",
                     ngx_http_dt_latency.name, fleet->latency / 1000000,
                     fleet->latency % 1000000);

    *v++ = !fleet->away;
    *v++ = fleet->event_at;
    *v++ = fleet->reconnects;
    *v++ = fleet->restarts;
    *v++ = fleet->received;
    *v++ = fleet->sent;

    for (f = ngx_http_dt_fleet_families, v = values; f->name; f++) {
        p = ngx_http_dt_metrics_family(p, last, f, &v);
    }

    return p;
}


size_t
ngx_http_dt_metrics_size(ngx_http_dt_stats_t *stats)
{
    size_t              len;
    ngx_uint_t          i;
    ngx_http_dt_row_t  *row;

    ngx_http_dt_metrics_used(stats);
    len = NGX_HTTP_DT_METRICS_HEAD;

    for (i = 0; i < stats->nsites; i++) {
        row = &stats->sites[i];
        len += (sizeof(ngx_http_dt_series) / sizeof(ngx_http_dt_series[0]))
               * (NGX_HTTP_DT_METRICS_SITE + 4 * row->name.len);
    }

    return len;
}


/*
 * Leaves the sites with a template that were served most.  Each is a label, so
 * their number has a bound.
 */

static void
ngx_http_dt_metrics_used(ngx_http_dt_stats_t *stats)
{
    ngx_uint_t          i, n;
    ngx_http_dt_row_t  *sites;

    sites = stats->sites;
    n = 0;

    for (i = 0; i < stats->nsites; i++) {
        if (sites[i].info.version) {
            sites[n++] = sites[i];
        }
    }

    if (n > NGX_HTTP_DT_METRICS_SITES) {
        ngx_qsort(sites, n, sizeof(ngx_http_dt_row_t),
                  ngx_http_dt_metrics_cmp);
        n = NGX_HTTP_DT_METRICS_SITES;
    }

    stats->nsites = n;
}


static int ngx_libc_cdecl
ngx_http_dt_metrics_cmp(const void *one, const void *two)
{
    const ngx_http_dt_row_t *a = one;
    const ngx_http_dt_row_t *b = two;

    return (a->served.hits < b->served.hits)
           - (a->served.hits > b->served.hits);
}


static u_char *
ngx_http_dt_metrics_sites(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    u_char                *src;
    uint64_t               values[6];
    ngx_uint_t             i, k, n, off;
    ngx_http_dt_row_t     *row;
    ngx_http_dt_family_t  *f;

    n = stats->nsites;

    for (k = 0; k < sizeof(values) / sizeof(values[0]) && n; k++) {
        f = &ngx_http_dt_series[k];
        p = ngx_http_dt_metrics_family(p, last, f, NULL);

        for (i = 0; i < n; i++) {
            row = &stats->sites[i];

            values[0] = row->served.hits;
            values[1] = row->served.in;
            values[2] = row->served.removed;
            values[3] = row->served.words;
            values[4] = row->info.version;
            values[5] = 0;

            for (off = 0; off < stats->noff; off++) {
                values[5] += (stats->off[off].name.len == row->name.len
                              && ngx_memcmp(stats->off[off].name.data,
                                            row->name.data, row->name.len)
                                 == 0);
            }

            p = ngx_slprintf(p, last, "nginx_detemplate_%s{site=\"", f->name);

            for (src = row->name.data; src < row->name.data + row->name.len;
                 src++)
            {
                /* names are ASCII, but for those in files of others */

                p = ngx_slprintf(p, last,
                                 (*src == '"' || *src == '\\') ? "\\%c"
                                 : (*src < 0x20 || *src > 0x7e) ? "%%%02xd"
                                                                : "%c", *src);
            }

            p = ngx_slprintf(p, last, "\"} %uL\n", values[k]);
        }
    }

    return p;
}


/* the help of a family, and its metrics with fixed labels, from *value on */

static u_char *
ngx_http_dt_metrics_family(u_char *p, u_char *last, ngx_http_dt_family_t *f,
    uint64_t **value)
{
    ngx_uint_t  i;

    p = ngx_slprintf(p, last,
                     "# HELP nginx_detemplate_%s %s\n"
                     "# TYPE nginx_detemplate_%s %s\n",
                     f->name, f->help, f->name, f->type);

    if (f->label == NULL) {
        return ngx_slprintf(p, last, "nginx_detemplate_%s %uL\n", f->name,
                            *(*value)++);
    }

    for (i = 0; i < NGX_HTTP_DT_LABELS && f->values[i]; i++) {
        p = ngx_slprintf(p, last, "nginx_detemplate_%s{%s=\"%s\"} %uL\n",
                         f->name, f->label, f->values[i], *(*value)++);
    }

    return p;
}
